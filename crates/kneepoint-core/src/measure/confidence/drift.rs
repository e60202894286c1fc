//! How fast a target changes, by several points of a profile together.
//!
//! Ruling out a drift within one point takes four times the operations that its mean takes: the
//! change over the measured time has sqrt(12) times the standard error of the mean. But a target does
//! not begin to change whenever a point begins. What the points just before said of the same access
//! pattern counts as well, as long as they agree: the slopes of all of them are joined, weighted with
//! the squares of their errors, and the error of the joint slope is widened if they scatter more than
//! their errors allow (Birge, Physical Review 40, 1932).

use super::mean::Trend;
use super::student::two_sided_quantile;
use crate::result::{PointResult, PointTrends, TrendResult, Verdict};
use crate::spec::factor::Combination;
use crate::words::units::Nanos;

/// Points before this one that count: four as long as their means take know as much of the drift as
/// one that rules it out alone.
const POINTS: usize = 4;

/// Slopes that differ by more than chance would bring about with this probability are not joined.
const DIFFER_TAIL: f64 = 0.05;

/// How fast a number changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// Change per unit of time, as a fraction of the mean; negative if it falls.
    pub rate: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub dof: u32,
}

impl Slope {
    /// The slope of `trend`, which is the change over `time`.
    pub fn of(trend: &Trend, time: f64) -> Self {
        let per = |change: f64| if time > 0.0 { change / time } else { 0.0 };
        Self { rate: per(trend.change), standard_error: per(trend.standard_error), dof: trend.dof }
    }

    /// The change over `time` at this slope.
    pub fn over(self, time: f64) -> Trend {
        let standard_error = self.standard_error * time;
        Trend { change: self.rate * time, standard_error, dof: self.dof }
    }

    /// One slope of all; `None` of none.
    fn joint(slopes: impl Iterator<Item = Self> + Clone) -> Option<Self> {
        // What never scatters knows its slope exactly, up to rounding.
        let error = |slope: &Self| slope.standard_error.max(1e-12);
        let weight = |slope: &Self| 1.0 / (error(slope) * error(slope));
        let weights: f64 = slopes.clone().map(|slope| weight(&slope)).sum();
        let count = slopes.clone().count();
        if count == 0 {
            return None;
        }
        let rate = slopes.clone().map(|slope| weight(&slope) * slope.rate).sum::<f64>() / weights;
        let squares = |slope: &Self| weight(slope) * (slope.rate - rate) * (slope.rate - rate);
        let scatter = slopes.clone().map(|slope| squares(&slope)).sum::<f64>();
        let birge = (scatter / (count.max(2) - 1) as f64).max(1.0);
        let standard_error = libm::sqrt(birge / weights);
        let dof = slopes.map(|slope| slope.dof).fold(0, u32::saturating_add);
        Some(Self { rate, standard_error, dof })
    }

    /// The same, known no better than `other`.
    fn no_better_than(self, other: Self) -> Self {
        Self { standard_error: self.standard_error.max(other.standard_error), ..self }
    }

    /// Whether both differ beyond chance.
    fn differs_from(self, other: Self) -> bool {
        let error = libm::hypot(self.standard_error, other.standard_error);
        let dof = self.dof.min(other.dof);
        (self.rate - other.rate).abs() > two_sided_quantile(DIFFER_TAIL, dof) * error
    }
}

/// The slopes of one number at the points before, the last one first.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SlopesBefore([Option<Slope>; POINTS]);

impl SlopesBefore {
    /// The first of `slopes`.
    pub fn of(slopes: impl Iterator<Item = Slope>) -> Self {
        let mut found = [None; POINTS];
        found.iter_mut().zip(slopes).for_each(|(place, slope)| *place = Some(slope));
        Self(found)
    }

    /// The same per `factor` times the unit of time.
    fn per(self, factor: f64) -> Self {
        let scaled = |slope: Slope| Slope {
            rate: slope.rate * factor,
            standard_error: slope.standard_error * factor,
            ..slope
        };
        Self(self.0.map(|slope| slope.map(scaled)))
    }

    /// Whether they and `trend`, the change over `time`, together rule out a change of `limit` or more
    /// over that time, and do not show one over `time_left` times as long. They say nothing of a
    /// point whose own change differs from theirs, or seems to be larger than the limit. To rule it out
    /// none counts for more than the point itself, so that a target that begins to drift is found out.
    pub fn rule_out(self, (trend, time): (&Trend, f64), (limit, time_left): (f64, f64)) -> bool {
        let own = Slope::of(trend, time);
        let before = || self.0.into_iter().flatten();
        let Some(others) = Slope::joint(before()) else { return false };
        let over_time = |slopes: Option<Slope>| slopes.unwrap_or(own).over(time);
        let all = over_time(Slope::joint(before().chain([own])));
        let alike = before().map(|slope| slope.no_better_than(own)).chain([own]);
        trend.change.abs() <= limit
            && !own.differs_from(others)
            && over_time(Slope::joint(alike)).is_surely_below(limit)
            && !all.is_surely_above(limit / time_left)
    }
}

/// How fast rate and response time changed at the points before a point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DriftBefore {
    /// Operations per second.
    pub operations: SlopesBefore,
    /// The mean response time.
    pub latency: SlopesBefore,
}

impl DriftBefore {
    /// The slopes, per second, of the last of `points`, which are in the order measured, that are of this
    /// profile and these settings: at other loads, or in blocks of another size. What was measured beside others
    /// does not count.
    pub fn of<'a>(
        points: impl DoubleEndedIterator<Item = &'a PointResult> + Clone,
        (profile, settings): (&str, &Combination),
    ) -> Self {
        let counts = |point: &&PointResult| {
            point.profile == profile
                && point.beside.is_empty()
                && point.factors == *settings
                && !matches!(point.verdict, Verdict::Disturbed | Verdict::Failed)
        };
        let slopes = |number: fn(&PointTrends) -> Option<TrendResult>| {
            let known = |point: &PointResult| point.trends.as_ref().and_then(number);
            let last = points.clone().rev().filter(counts).filter_map(known);
            SlopesBefore::of(last.map(|trend| trend.slope()))
        };
        Self {
            operations: slopes(|trends| trends.rate),
            latency: slopes(|trends| trends.latency_ms),
        }
    }

    /// The same per interval of this length.
    #[must_use]
    pub fn per_interval(self, interval: Nanos) -> Self {
        let factor = interval.as_secs_f64();
        Self { operations: self.operations.per(factor), latency: self.latency.per(factor) }
    }
}

impl TrendResult {
    /// The result of a slope per second.
    pub(crate) fn of(slope: Slope) -> Self {
        let (percent_per_s, standard_error) = (100.0 * slope.rate, 100.0 * slope.standard_error);
        Self { percent_per_s, standard_error, dof: slope.dof }
    }

    fn slope(&self) -> Slope {
        let (rate, standard_error) = (self.percent_per_s / 100.0, self.standard_error / 100.0);
        Slope { rate, standard_error, dof: self.dof.max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn slope(rate: f64, standard_error: f64) -> Slope {
        Slope { rate, standard_error, dof: 30 }
    }

    /// A change over one unit of time.
    const fn trend(change: f64, standard_error: f64) -> Trend {
        Trend { change, standard_error, dof: 30 }
    }

    fn rules_out(before: &[Slope], own: Trend) -> bool {
        SlopesBefore::of(before.iter().copied()).rule_out((&own, 1.0), (0.10, 10.0))
    }

    #[test]
    fn points_that_do_not_drift_vouch_for_the_next() {
        let own = trend(0.02, 0.08);
        assert!(!own.is_surely_below(0.10), "alone it takes more");
        assert!(rules_out(&[slope(0.0, 0.08); 4], own));
        assert!(!rules_out(&[slope(0.0, 0.08)], own), "one as uncertain is not enough");
        assert!(!rules_out(&[slope(0.0, 0.02)], own), "one that knows better counts for one");
        assert!(!rules_out(&[], trend(0.0, 0.0)), "without any nothing is said");
    }

    #[test]
    fn they_do_not_vouch_for_one_that_drifts() {
        let calm = [slope(0.0, 0.01); 4];
        assert!(!rules_out(&calm, trend(0.08, 0.02)), "it differs");
        assert!(!rules_out(&calm, trend(0.12, 0.08)), "it seems to be above the limit");
        assert!(rules_out(&calm, trend(0.08, 0.08)));
    }

    #[test]
    fn a_drift_of_all_is_found_together() {
        let drifting = [slope(0.08, 0.04), slope(0.09, 0.04), slope(0.11, 0.04), slope(0.1, 0.04)];
        assert!(!rules_out(&drifting, trend(0.03, 0.08)));
    }

    #[test]
    fn slopes_that_contradict_one_another_say_less() {
        let joint = |slopes: &[Slope]| Slope::joint(slopes.iter().copied()).unwrap();
        let agreeing = joint(&[slope(0.0, 0.02), slope(0.01, 0.02)]);
        let scattered = joint(&[slope(-0.1, 0.02), slope(0.1, 0.02)]);
        assert!((agreeing.standard_error - 0.02 / libm::sqrt(2.0)).abs() < 1e-9);
        assert!(scattered.standard_error > 0.09, "{scattered:?}");
        assert_eq!(agreeing.dof, 60);
        assert_eq!(Slope::joint(std::iter::empty()), None);
    }

    #[test]
    fn a_slope_per_second_is_one_per_interval() {
        let before = SlopesBefore::of([slope(0.01, 0.001)].into_iter());
        let drift = DriftBefore { operations: before, latency: before };
        let found = drift.per_interval(Nanos::from_millis(20)).operations.0[0].unwrap();
        assert!((found.rate - 0.0002).abs() < 1e-12 && (found.standard_error - 2e-5).abs() < 1e-12);
    }

    fn at(factor: &str, level: &str) -> Combination {
        Combination::from([(factor.to_owned(), level.to_owned())])
    }

    #[test]
    fn the_last_points_of_the_profile_that_nothing_disturbed_count() {
        let point = |percent: f64, verdict| PointResult {
            profile: "database".to_owned(),
            verdict,
            trends: Some(PointTrends {
                rate: Some(TrendResult { percent_per_s: percent, standard_error: 1.0, dof: 20 }),
                latency_ms: None,
            }),
            ..PointResult::default()
        };
        let points = [
            point(9.0, Verdict::Steady),
            point(1.0, Verdict::Steady),
            point(2.0, Verdict::Drifting),
            point(8.0, Verdict::Disturbed),
            PointResult::default(),
            PointResult { series: "database/4KiB".to_owned(), ..point(3.0, Verdict::TimeLimit) },
            PointResult { profile: "restore".to_owned(), ..point(7.0, Verdict::Steady) },
            PointResult { factors: at("write_cache", "on"), ..point(6.0, Verdict::Steady) },
            point(4.0, Verdict::Steady),
        ];
        let found = DriftBefore::of(points.iter(), ("database", &Combination::new()));
        let rates: Vec<f64> = found.operations.0.iter().flatten().map(|slope| slope.rate).collect();
        assert_eq!(rates, [0.04, 0.03, 0.02, 0.01]);
        assert_eq!(found.latency, SlopesBefore::default());
    }
}
