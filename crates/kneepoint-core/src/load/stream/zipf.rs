//! Zipf-distributed ranks.
//!
//! Rejection-inversion as in W. Hörmann and G. Derflinger, "Rejection-inversion to generate
//! variates from monotone discrete distributions", ACM TOMACS 6(3), 1996. Logarithms and powers
//! come from libm, so that a seed gives the same ranks on every machine.

use rand_core::Rng as _;

use crate::words::seed::Rng;

/// Draws ranks 1..=n with probability proportional to 1 / rank^theta.
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
    use super::*;
    use crate::words::seed;

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
