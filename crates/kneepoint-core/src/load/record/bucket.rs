//! The buckets of a response-time histogram: log-linear, three significant digits.
//!
//! The layout is that of HdrHistogram with a lowest value of 1 ns and 3 significant digits: below
//! 2,048 ns every nanosecond has a bucket, above that every octave has 1,024 buckets, so a bucket
//! is never wider than 0.1 % of its values. Every value of 64 bits has its bucket: none is clipped.

/// Buckets per octave.
const PER_OCTAVE: u32 = 1024;
/// log2 of [`PER_OCTAVE`].
const OCTAVE_BITS: u32 = 10;

/// Number of buckets; their numbers fit into 16 bits.
pub const BUCKETS: usize = ((u64::BITS - OCTAVE_BITS + 1) * PER_OCTAVE) as usize;
const _: () = assert!(BUCKETS <= 1 << u16::BITS);

/// The bucket of a response time in nanoseconds.
#[inline]
pub fn bucket_of(nanos: u64) -> usize {
    let octave = 63 - OCTAVE_BITS - (nanos | (2 * u64::from(PER_OCTAVE) - 1)).leading_zeros();
    (octave * PER_OCTAVE) as usize + (nanos >> octave) as usize
}

/// The largest response time in nanoseconds that falls into a bucket.
pub fn bucket_top(bucket: usize) -> u64 {
    let per_octave = PER_OCTAVE as usize;
    if bucket < 2 * per_octave {
        return bucket as u64;
    }
    let octave = bucket / per_octave - 1;
    let mantissa = (bucket - octave * per_octave) as u64;
    (mantissa << octave) | ((1 << octave) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_tops_bound_their_values_within_a_tenth_of_a_percent() {
        let next = |value: &u64| value.checked_add(1 + value / 777);
        for value in std::iter::successors(Some(1), next).chain([u64::MAX]) {
            let top = bucket_top(bucket_of(value));
            assert!(top >= value, "{value}");
            assert!((top - value) as f64 <= value as f64 / 1000.0, "{value} {top}");
            assert_eq!(bucket_of(top), bucket_of(value));
        }
    }

    #[test]
    fn buckets_are_contiguous() {
        for bucket in 1..BUCKETS {
            assert_eq!(bucket_of(bucket_top(bucket - 1) + 1), bucket);
            assert_eq!(bucket_of(bucket_top(bucket)), bucket);
        }
        assert_eq!((bucket_of(u64::MAX), bucket_top(BUCKETS - 1)), (BUCKETS - 1, u64::MAX));
        assert_eq!(bucket_of(0), 0);
    }
}
