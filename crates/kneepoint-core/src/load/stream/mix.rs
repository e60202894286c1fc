//! Which line of the access specification an I/O follows, and which way it goes.

use rand_core::Rng as _;

use crate::spec::profile::ResolvedProfile;
use crate::words::seed::Rng;
use crate::words::units::Percent;

/// A yes or no with a fixed probability, true to one part in 2^32.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance {
    /// Draws below this say yes.
    threshold: u64,
}

impl Chance {
    /// Yes in `percent` % of the draws.
    pub(super) fn new(percent: Percent) -> Self {
        Self { threshold: (percent.fraction() * (1u64 << 32) as f64).round() as u64 }
    }

    /// Draws; takes no number from the generator where the answer is certain.
    #[inline]
    pub(super) fn draw(self, rng: &mut Rng) -> bool {
        match self.threshold {
            0 => false,
            t if t >= 1 << 32 => true,
            t => rng.next_u64() >> 32 < t,
        }
    }
}

/// Picks lines in proportion to their shares.
#[derive(Debug, Clone)]
pub(super) struct LinePicker {
    /// Upper bound of each line's share of the 32-bit numbers; the last is 2^32.
    bounds: Vec<u64>,
}

impl LinePicker {
    pub(super) fn new(profile: &ResolvedProfile) -> Self {
        let mut sum = 0.0;
        let mut bounds: Vec<u64> = profile
            .lines
            .iter()
            .map(|line| {
                sum += line.share.fraction();
                (sum * (1u64 << 32) as f64).round() as u64
            })
            .collect();
        if let Some(last) = bounds.last_mut() {
            *last = 1 << 32;
        }
        Self { bounds }
    }

    /// The index of the line that the next I/O follows.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> usize {
        if self.bounds.len() == 1 {
            return 0;
        }
        let number = rng.next_u64() >> 32;
        self.bounds.partition_point(|bound| *bound <= number)
    }
}
