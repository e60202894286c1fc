//! All randomness comes from the plan's seed: how it is spread over points and streams.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random number generator of every stream (xoshiro256++, Blackman and Vigna 2019).
pub type Rng = Xoshiro256PlusPlus;

/// A seed for one part of a run, independent of the seeds of its siblings.
///
/// Mixes `label` and `number` into `seed` with the finaliser of SplitMix64 (Steele, Lea and Flood
/// 2014), byte by byte, so that the same names give the same seed on every machine.
pub fn derive(seed: u64, label: &str, number: u64) -> u64 {
    let start = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    let labelled = label.bytes().fold(start, |state, byte| mix(state ^ u64::from(byte)));
    mix(labelled ^ mix(number))
}

/// A generator for `seed`.
pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// The finaliser of SplitMix64: a bijection that spreads every bit over the word.
const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_get_seeds_of_their_own_that_never_change() {
        assert_eq!(derive(1, "point", 0), derive(1, "point", 0));
        assert_ne!(derive(1, "point", 0), derive(1, "point", 1));
        assert_ne!(derive(1, "point", 0), derive(2, "point", 0));
        assert_ne!(derive(1, "point", 0), derive(1, "stream", 0));
    }
}
