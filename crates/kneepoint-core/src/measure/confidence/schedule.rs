//! When a point is looked at.

/// Each look has this much more data than the one before, as a fraction.
///
/// Stopping at the first interval at which the estimate happens to look accurate stops when the
/// scatter was underestimated (for what the theory promises of such rules see Y. S. Chow and
/// H. Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals for the
/// mean", Annals of Mathematical Statistics 36, 1965). Few looks, at sizes that grow
/// geometrically, keep the coverage; the price is that a point is measured a tenth longer than
/// needed on average.
const GROWTH: f64 = 0.2;

/// The numbers of intervals at which an assessment is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    ramp_min: usize,
    next: usize,
}

impl Schedule {
    /// The first look is after `measure_min` intervals behind a ramp of `ramp_min`.
    pub const fn new(ramp_min: usize, measure_min: usize) -> Self {
        Self { ramp_min, next: ramp_min + measure_min }
    }

    /// Whether it is time for a look at `count` intervals; the next one is later.
    pub fn is_due(&mut self, count: usize) -> bool {
        if count < self.next {
            return false;
        }
        let measured = count.saturating_sub(self.ramp_min) as f64;
        self.next = count + ((measured * GROWTH) as usize).max(1);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_become_rarer() {
        let mut schedule = Schedule::new(10, 100);
        let looks: Vec<usize> = (0..=300).filter(|count| schedule.is_due(*count)).collect();
        assert_eq!(looks, [110, 130, 154, 182, 216, 257]);
    }
}
