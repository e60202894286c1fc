//! Where I/Os fall within the address range.

use rand_core::Rng as _;

use crate::spec::profile::{Band, Distribution};
use crate::words::seed::Rng;

/// Aligned positions at which a block of one size can begin, and how they are chosen.
#[derive(Debug, Clone)]
pub(super) struct Positions {
    first: u64,
    align: u64,
    count: u64,
    choice: Choice,
}

#[derive(Debug, Clone)]
enum Choice {
    Uniform,
    Bands(Vec<PositionBand>),
    Zipf { zipf: Zipf, scatter: Scatter },
    Pareto { power: f64, scatter: Scatter },
}

/// Positions `first..first + count`, hit by draws below `bound` (of 2^32) and not below the
/// bound of the band before.
#[derive(Debug, Clone, Copy)]
struct PositionBand {
    bound: u64,
    first: u64,
    count: u64,
}

/// A range of bytes and the shape of blocks in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// First byte.
    pub(super) start: u64,
    /// Byte after the last.
    pub(super) end: u64,
    /// Block size in bytes.
    pub(super) block: u64,
    /// Offsets are multiples of this.
    pub(super) align: u64,
}

impl Positions {
    /// Positions of `span`, chosen by `distribution`; `None` where not even one block fits.
    pub(super) fn new(span: Span, distribution: &Distribution) -> Option<Self> {
        let first = span.start.next_multiple_of(span.align);
        let room = span.end.checked_sub(first)?.checked_sub(span.block)?;
        let count = room / span.align + 1;
        let choice = match distribution {
            Distribution::Uniform => Choice::Uniform,
            Distribution::HotBand(bands) => Choice::Bands(position_bands(bands, count)),
            Distribution::Zipf { theta } => {
                Choice::Zipf { zipf: Zipf::new(count, *theta), scatter: Scatter::new(count) }
            }
            Distribution::Pareto { h } => {
                Choice::Pareto { power: pareto_power(*h), scatter: Scatter::new(count) }
            }
        };
        Some(Self { first, align: span.align, count, choice })
    }

    /// The offset of the next random I/O.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let position = match &self.choice {
            Choice::Uniform => below(rng.next_u64(), self.count),
            Choice::Bands(bands) => {
                let number = rng.next_u64() >> 32;
                let band = bands[bands.partition_point(|band| band.bound <= number)];
                band.first + below(rng.next_u64(), band.count)
            }
            Choice::Zipf { zipf, scatter } => scatter.place(zipf.draw(rng) - 1),
            Choice::Pareto { power, scatter } => {
                let unit = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                let rank = (libm::pow(unit, *power) * self.count as f64) as u64;
                scatter.place(rank.min(self.count - 1))
            }
        };
        self.first + position * self.align
    }
}

/// A number below `count` from 64 random bits, by multiplication (D. Lemire, "Fast random integer
/// generation in an interval", ACM TOMACS 29(1), 2019). Without the rejection step the bias is
/// below count / 2^64: less than one part in a million for 16 TiB of 1-byte positions.
#[inline]
fn below(random: u64, count: u64) -> u64 {
    ((u128::from(random) * u128::from(count)) >> 64) as u64
}

/// Cuts the positions into bands; every band has at least one position, the last ends the range.
fn position_bands(bands: &[Band], count: u64) -> Vec<PositionBand> {
    let (mut range_sum, mut access_sum, mut first) = (0.0, 0.0, 0u64);
    let mut cut: Vec<PositionBand> = Vec::with_capacity(bands.len());
    for band in bands {
        range_sum += band.range.fraction();
        access_sum += band.access.fraction();
        let start = first.min(count - 1);
        let end = ((range_sum * count as f64).round() as u64).clamp(start + 1, count);
        let bound = (access_sum * (1u64 << 32) as f64).round() as u64;
        cut.push(PositionBand { bound, first: start, count: end - start });
        first = end;
    }
    if let Some(last) = cut.last_mut() {
        last.bound = 1 << 32;
        last.count = count - last.first;
    }
    cut
}

/// A permutation of 0..count that scatters neighbours: popular positions are not side by side.
#[derive(Debug, Clone, Copy)]
struct Scatter {
    count: u64,
    factor: u64,
}

impl Scatter {
    /// The golden ratio's share of `count`, moved up to the next number without a common divisor.
    fn new(count: u64) -> Self {
        let mut factor = ((count as f64 * 0.618_033_988_749_894_9) as u64).max(1);
        while gcd(factor, count) != 1 {
            factor += 1;
        }
        Self { count, factor }
    }

    fn place(self, rank: u64) -> u64 {
        ((u128::from(rank) * u128::from(self.factor)) % u128::from(self.count)) as u64
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The power to which a uniform number is raised, so that the first `h` of the range gets all draws but `h`, and
/// so on within it: h^(1/power) = 1 - h.
fn pareto_power(h: f64) -> f64 {
    libm::log(h) / libm::log(1.0 - h)
}

/// Draws ranks 1..=n with probability proportional to 1 / rank^theta.
///
/// Rejection-inversion as in W. Hörmann and G. Derflinger, "Rejection-inversion to generate
/// variates from monotone discrete distributions", ACM TOMACS 6(3), 1996. Logarithms and powers
/// come from libm, so that a seed gives the same ranks on every machine.
#[derive(Debug, Clone)]
pub(super) struct Zipf {
    count: u64,
    theta: f64,
    /// Integral of the hat at 1.5, less the mass of rank 1.
    area_first: f64,
    /// Integral of the hat at n + 0.5.
    area_last: f64,
    /// Ranks this close above the inverted value are accepted without a test.
    shortcut: f64,
}

impl Zipf {
    /// Ranks 1..=`count`; `theta` is above zero.
    pub(super) fn new(count: u64, theta: f64) -> Self {
        let hat = Hat { theta };
        Self {
            count,
            theta,
            area_first: hat.area(1.5) - 1.0,
            area_last: hat.area(count as f64 + 0.5),
            shortcut: 2.0 - hat.inverse(hat.area(2.5) - hat.height(2.0)),
        }
    }

    /// The next rank, 1 the most popular.
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        let hat = Hat { theta: self.theta };
        loop {
            let unit = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let area = self.area_last + unit * (self.area_first - self.area_last);
            let x = hat.inverse(area);
            let rank = ((x + 0.5) as u64).clamp(1, self.count);
            let k = rank as f64;
            if k - x <= self.shortcut || area >= hat.area(k + 0.5) - hat.height(k) {
                return rank;
            }
        }
    }
}

/// The continuous curve x^-theta above the bars, its integral and the integral's inverse.
struct Hat {
    theta: f64,
}

impl Hat {
    fn height(&self, x: f64) -> f64 {
        libm::exp(-self.theta * libm::log(x))
    }

    /// Integral of the curve from 1 to x.
    fn area(&self, x: f64) -> f64 {
        let log_x = libm::log(x);
        exp_ratio((1.0 - self.theta) * log_x) * log_x
    }

    fn inverse(&self, area: f64) -> f64 {
        let scaled = (area * (1.0 - self.theta)).max(-1.0);
        libm::exp(log_ratio(scaled) * area)
    }
}

/// (e^x - 1) / x, continued to 1 at 0.
fn exp_ratio(x: f64) -> f64 {
    if x.abs() > 1e-8 { libm::expm1(x) / x } else { 1.0 + x / 2.0 }
}

/// ln(1 + x) / x, continued to 1 at 0.
fn log_ratio(x: f64) -> f64 {
    if x.abs() > 1e-8 { libm::log1p(x) / x } else { 1.0 - x / 2.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::seed;
    use crate::words::units::Percent;

    const MIB: u64 = 1 << 20;

    fn positions(distribution: &Distribution, block: u64, align: u64) -> Positions {
        Positions::new(Span { start: 0, end: 64 * MIB, block, align }, distribution).unwrap()
    }

    fn bands() -> Distribution {
        let band = |range, access| Band {
            range: Percent::new(range).unwrap(),
            access: Percent::new(access).unwrap(),
        };
        Distribution::HotBand(vec![band(5.0, 50.0), band(15.0, 30.0), band(80.0, 20.0)])
    }

    /// Pearson's statistic over equal cells; its mean is `cells - 1`, its deviation sqrt(2 cells).
    fn chi_square(hits: &[u32]) -> f64 {
        let expected = hits.iter().sum::<u32>() as f64 / hits.len() as f64;
        hits.iter()
            .map(|hit| {
                let off = f64::from(*hit) - expected;
                off * off / expected
            })
            .sum()
    }

    #[test]
    fn uniform_offsets_hit_every_position_equally() {
        let positions = positions(&Distribution::Uniform, 8192, 8192);
        let mut rng = seed::rng(1);
        let mut hits = vec![0u32; 8192];
        for _ in 0..8192 * 64 {
            hits[(positions.draw(&mut rng) / 8192) as usize] += 1;
        }
        assert!(hits.iter().all(|hit| *hit > 0), "every position is covered");
        let statistic = chi_square(&hits);
        assert!((statistic - 8191.0).abs() < 5.0 * (2.0 * 8191.0f64).sqrt(), "{statistic}");
    }

    #[test]
    fn uniform_offsets_load_the_members_of_a_striped_array_equally() {
        for (members, stripe) in [(2u64, 64 * 1024u64), (3, 64 * 1024), (5, 128 * 1024), (8, 16384)]
        {
            let positions = positions(&Distribution::Uniform, 4096, 4096);
            let whole_rows = 64 * MIB / (members * stripe) * (members * stripe);
            let mut rng = seed::rng(2);
            let mut hits = vec![0u32; members as usize];
            for _ in 0..200_000 {
                let offset = positions.draw(&mut rng);
                if offset < whole_rows {
                    hits[(offset / stripe % members) as usize] += 1;
                }
            }
            let statistic = chi_square(&hits);
            assert!(statistic < 30.0, "{members} members of {stripe}: {statistic} {hits:?}");
        }
    }

    #[test]
    fn bands_get_their_shares() {
        let positions = positions(&bands(), 4096, 4096);
        let mut rng = seed::rng(3);
        let mut hits = [0u32; 3];
        for _ in 0..100_000 {
            let share = positions.draw(&mut rng) as f64 / (64 * MIB) as f64;
            hits[if share < 0.05 {
                0
            } else if share < 0.2 {
                1
            } else {
                2
            }] += 1;
        }
        let shares = hits.map(|hit| f64::from(hit) / 1000.0);
        assert!((shares[0] - 50.0).abs() < 1.0, "{shares:?}");
        assert!((shares[1] - 30.0).abs() < 1.0, "{shares:?}");
        assert!((shares[2] - 20.0).abs() < 1.0, "{shares:?}");
    }

    #[test]
    fn a_share_of_the_positions_gets_all_but_that_share() {
        for h in [0.05, 0.2, 0.4, 0.5] {
            let positions = positions(&Distribution::Pareto { h }, 4096, 4096);
            let mut rng = seed::rng(4);
            let mut hits = vec![0u32; 16384];
            for _ in 0..1_000_000 {
                hits[(positions.draw(&mut rng) / 4096) as usize] += 1;
            }
            // By the ranks that the scatter gave to the positions.
            let scatter = Scatter::new(16384);
            let hot = (16384.0 * h) as u64;
            let hot: u32 = (0..hot).map(|rank| hits[scatter.place(rank) as usize]).sum();
            let share = f64::from(hot) / 1e6;
            assert!((share - (1.0 - h)).abs() < 0.005, "{h}: {share}");
        }
    }

    #[test]
    fn scattering_is_a_permutation() {
        for count in [1u64, 2, 3, 10, 4096, 9973, 16384] {
            let scatter = Scatter::new(count);
            let mut places: Vec<u64> = (0..count).map(|rank| scatter.place(rank)).collect();
            places.sort_unstable();
            assert!(places.iter().copied().eq(0..count), "{count}");
        }
    }

    #[test]
    fn a_range_smaller_than_a_block_has_no_positions() {
        let span = Span { start: 0, end: 4096, block: 8192, align: 4096 };
        assert!(Positions::new(span, &Distribution::Uniform).is_none());
    }

    proptest! {
        #[test]
        fn offsets_stay_inside_and_aligned(
            start in 0..10_000u64, length in 1..1_000_000u64, block in 1..70_000u64,
            align in 1..5_000u64, seed in any::<u64>(), kind in 0..4,
        ) {
            let span = Span { start, end: start + length, block, align };
            let distribution = match kind {
                0 => Distribution::Uniform,
                1 => bands(),
                2 => Distribution::Pareto { h: 0.2 },
                _ => Distribution::Zipf { theta: 0.99 },
            };
            if let Some(positions) = Positions::new(span, &distribution) {
                let mut rng = seed::rng(seed);
                for _ in 0..50 {
                    let offset = positions.draw(&mut rng);
                    prop_assert!(offset >= start && offset + block <= start + length);
                    prop_assert_eq!(offset % align, 0);
                }
            }
        }
    }

    #[test]
    fn ranks_follow_the_power_law() {
        for theta in [0.5, 0.99, 1.0, 1.5] {
            let count = 1000u64;
            let zipf = Zipf::new(count, theta);
            let mut rng = seed::rng(7);
            let draws = 400_000;
            let mut hits = vec![0u32; count as usize + 1];
            for _ in 0..draws {
                hits[zipf.draw(&mut rng) as usize] += 1;
            }
            let mass: f64 = (1..=count).map(|k| libm::pow(k as f64, -theta)).sum();
            for rank in [1usize, 2, 3, 10, 100] {
                let expected = f64::from(draws) * libm::pow(rank as f64, -theta) / mass;
                let error = (f64::from(hits[rank]) - expected).abs();
                assert!(error < 5.0 * expected.sqrt() + 1.0, "theta {theta} rank {rank}: {error}");
            }
        }
    }
}
