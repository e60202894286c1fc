//! How long the rest of a run takes, as far as one can tell.

use std::time::Duration;

/// Time that points take on the clock of the wall: those that were measured say it; before the
/// first of them the plan does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// What a point may take before any is measured; `None` where only measuring tells.
    beforehand: Option<Duration>,
    points: u32,
    elapsed: Duration,
}

impl Pace {
    /// Nothing was measured yet; a point takes from `least` to `most`.
    pub(super) fn between(least: Duration, most: Duration) -> Self {
        Self { beforehand: Some(expected(least, most)), points: 0, elapsed: Duration::ZERO }
    }

    /// Nothing was measured yet, and no one knows how long a point takes.
    pub(super) const fn unknown() -> Self {
        Self { beforehand: None, points: 0, elapsed: Duration::ZERO }
    }

    /// A point took this long.
    pub(super) fn add(&mut self, elapsed: Duration) {
        self.points += 1;
        self.elapsed += elapsed;
    }

    /// What the next point may take. What was expected beforehand counts as one point: a first
    /// point that was quickly steady does not make the others quick.
    pub(super) fn point(&self) -> Option<Duration> {
        let known = self.points + u32::from(self.beforehand.is_some());
        let sum = self.elapsed + self.beforehand.unwrap_or_default();
        (known > 0).then(|| sum / known)
    }

    /// What is left when the current point has run for `running` and `after` points follow it.
    pub(super) fn left(&self, running: Duration, after: u32) -> Option<Duration> {
        let point = self.point()?;
        Some(point * after + point.saturating_sub(running))
    }
}

/// What something takes that ends between `least` and `most` as soon as it is accurate enough: the
/// geometric mean, so that it is as likely to be off by a factor to either side.
pub(crate) fn expected(least: Duration, most: Duration) -> Duration {
    Duration::from_secs_f64((least.as_secs_f64() * most.as_secs_f64()).sqrt()).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    #[test]
    fn the_plan_is_followed_by_what_points_really_take() {
        let mut pace = Pace::between(secs(2), secs(32));
        assert_eq!(pace.left(Duration::ZERO, 9), Some(secs(80)));
        assert_eq!(pace.left(secs(6), 9), Some(secs(74)));
        // A point that takes longer than expected is over any moment.
        assert_eq!(pace.left(secs(20), 9), Some(secs(72)));
        for _ in 0..3 {
            pace.add(secs(4));
        }
        assert_eq!(pace.point(), Some(secs(5)));
        assert_eq!(pace.left(Duration::ZERO, 5), Some(secs(30)));
    }

    #[test]
    fn nothing_is_said_of_what_nobody_knows() {
        let mut pace = Pace::unknown();
        assert_eq!(pace.left(secs(1), 3), None);
        pace.add(secs(2));
        assert_eq!(pace.left(secs(1), 3), Some(secs(7)));
    }

    #[test]
    fn a_fixed_time_is_expected_as_it_is() {
        assert_eq!(expected(secs(10), secs(10)), secs(10));
        assert_eq!(expected(secs(2), secs(32)), secs(8));
    }
}
