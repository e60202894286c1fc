//! Where a curve meets a rule: at the highest throughput of all points and crossings that do.
//!
//! Between neighbouring points a curve is a straight line. What meets the rule is a part of that
//! line that only grows when the limit is loosened, so the highest throughput on it never falls.

use crate::measure::search::{Fit, breaks, is_overloaded};
use crate::result::PointResult;
use crate::words::rule::Rule;

/// Where the sustained throughput of a curve is read.
#[derive(Debug, Clone)]
pub(super) enum SustainedAt<'a> {
    /// At a point.
    Point(&'a PointResult),
    /// Between two neighbouring points.
    Crossing(Crossing<'a>),
    /// Where the line through the visits of a search crosses the limit.
    Fitted(Fit<'a>),
    /// Every load meets the rule: at least the throughput of this point, the highest there is.
    AtLeast(&'a PointResult),
    /// No load meets the rule: less than the throughput of this point, that of the smallest load.
    Below(&'a PointResult),
}

/// Where the line between two neighbouring points crosses a rule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing<'a> {
    /// The point that meets the rule.
    pub(super) meets: &'a PointResult,
    /// The point that breaks it.
    pub(super) breaks: &'a PointResult,
    /// How far from the one to the other, from 0 to 1.
    pub(super) part: f64,
}

impl Crossing<'_> {
    /// A number of the points at the crossing.
    pub(super) fn of(&self, number: impl Fn(&PointResult) -> f64) -> f64 {
        let (near, far) = (number(self.meets), number(self.breaks));
        near + self.part * (far - near)
    }

    /// The two loads, rising.
    pub(super) fn loads(&self) -> [f64; 2] {
        let (one, other) = (self.meets.load.value, self.breaks.load.value);
        [one.min(other), one.max(other)]
    }
}

impl<'a> SustainedAt<'a> {
    /// Where `points`, by rising load, meet `rule`; `None` without points that can be judged: the load
    /// of its reference was not measured, or there are no operations of its class.
    pub(super) fn of(points: &[&'a PointResult], rule: &Rule) -> Option<Self> {
        let rule = &rule.resolved(points.iter().copied())?;
        let can_be_judged = |point: &&&PointResult| rule.value_ms(point).is_some();
        let points: Vec<&PointResult> = points.iter().filter(can_be_judged).copied().collect();
        let points = points.as_slice();
        let first = points.first()?;
        let best = candidates(points, rule).reduce(|best, next| {
            // Of equals the higher load: more is in flight at the same throughput within the rule.
            if next.iops() >= best.iops() { next } else { best }
        });
        Some(match best {
            None => Self::Below(first),
            Some(Self::Point(point)) if points.iter().all(|point| !breaks(point, rule)) => {
                Self::AtLeast(point)
            }
            Some(best) => best,
        })
    }

    /// The points that it rests on.
    pub(super) fn points(&self) -> Vec<&'a PointResult> {
        match self {
            Self::Point(point) | Self::AtLeast(point) | Self::Below(point) => vec![*point],
            Self::Crossing(crossing) => vec![crossing.meets, crossing.breaks],
            Self::Fitted(fit) => fit.visits().to_vec(),
        }
    }

    /// I/Os per second there.
    pub(super) fn iops(&self) -> f64 {
        match self {
            Self::Point(point) | Self::AtLeast(point) | Self::Below(point) => point.rate.mean,
            Self::Crossing(crossing) => crossing.of(|point| point.rate.mean),
            Self::Fitted(fit) => fit.at(|visit| Some(visit.rate.mean)).map_or(0.0, |at| at.mean),
        }
    }
}

/// The points that meet the rule, and the crossings between neighbours, by rising load.
fn candidates<'p, 'a>(
    points: &'p [&'a PointResult],
    rule: &'p Rule,
) -> impl Iterator<Item = SustainedAt<'a>> + use<'p, 'a> {
    points.iter().enumerate().flat_map(move |(index, point)| {
        let before = index.checked_sub(1).map(|index| points[index]);
        let crossing = before.and_then(|before| crossing([before, *point], rule));
        let own = (!breaks(point, rule)).then_some(SustainedAt::Point(point));
        crossing.map(SustainedAt::Crossing).into_iter().chain(own)
    })
}

/// Where the line between two neighbours crosses the rule. A point that breaks it by overload has
/// no response time to draw a line to.
fn crossing<'a>(neighbours: [&'a PointResult; 2], rule: &Rule) -> Option<Crossing<'a>> {
    let [low, high] = neighbours;
    let (meets, breaking) = match (breaks(low, rule), breaks(high, rule)) {
        (false, true) => (low, high),
        (true, false) => (high, low),
        _ => return None,
    };
    if is_overloaded(breaking) {
        return None;
    }
    let limit = rule.limit.as_millis_f64()?;
    let (below, above) = (rule.value_ms(meets)?, rule.value_ms(breaking)?);
    Some(Crossing { meets, breaks: breaking, part: (limit - below) / (above - below) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::result::{Estimate, Latency, OpenLoopResult, Throughput};
    use crate::words::load::LoadLevel;

    fn point(load: f64, iops: f64, mean_ms: f64) -> PointResult {
        PointResult {
            load: LoadLevel::outstanding(load as u32),
            rate: Throughput::iops(Estimate { mean: iops, ci95: None }),
            latency_ms: Latency { mean: mean_ms, ..Latency::default() },
            ..PointResult::default()
        }
    }

    fn at<'a>(points: &'a [PointResult], limit: &str) -> SustainedAt<'a> {
        let points: Vec<&PointResult> = points.iter().collect();
        SustainedAt::of(&points, &format!("mean<={limit}").parse().unwrap()).unwrap()
    }

    #[test]
    fn throughput_that_falls_beyond_its_peak_is_read_at_the_peak() {
        // 101 at 15 ms was 99.9 at 20 ms while only the crossing counted.
        let points = [point(1.0, 80.0, 5.0), point(2.0, 102.0, 14.0), point(4.0, 97.0, 30.0)];
        let SustainedAt::Point(found) = at(&points, "20ms") else { panic!("no point") };
        assert_eq!(found.load, LoadLevel::outstanding(2));
    }

    #[test]
    fn what_every_load_meets_is_a_lower_bound_and_what_none_meets_an_upper_one() {
        let points = [point(1.0, 80.0, 5.0), point(2.0, 102.0, 14.0), point(4.0, 97.0, 30.0)];
        let SustainedAt::AtLeast(found) = at(&points, "1s") else { panic!("no lower bound") };
        assert_eq!(found.load, LoadLevel::outstanding(2));
        let SustainedAt::Below(found) = at(&points, "1ms") else { panic!("no upper bound") };
        assert_eq!(found.load, LoadLevel::outstanding(1));
    }

    #[test]
    fn a_load_above_one_that_breaks_the_rule_counts_if_it_meets_it() {
        let points = [point(1.0, 80.0, 25.0), point(2.0, 102.0, 14.0), point(4.0, 110.0, 30.0)];
        let SustainedAt::Crossing(found) = at(&points, "18ms") else { panic!("no crossing") };
        assert_eq!(found.loads(), [2.0, 4.0]);
        assert!((found.part - 0.25).abs() < 1e-12);
    }

    #[test]
    fn an_overloaded_point_is_no_end_of_a_line() {
        let open = OpenLoopResult {
            offered_rate: 200.0,
            delivered_rate: 120.0,
            overloaded: true,
            lag_mean_ms: 0.0,
            lag_max_ms: 0.0,
            service_mean_ms: 1.0,
        };
        let over = PointResult { open_loop: Some(open), ..point(200.0, 120.0, 900.0) };
        let points = [point(100.0, 100.0, 5.0), over];
        let SustainedAt::Point(found) = at(&points, "20ms") else { panic!("no point") };
        assert_eq!(found.rate.mean, 100.0);
    }

    proptest! {
        #[test]
        fn loosening_a_limit_never_lowers_what_is_sustained(
            numbers in proptest::collection::vec((1.0..1000.0_f64, 0.1..100.0_f64), 1..9),
            limits in (1_u64..120_000, 1_u64..120_000),
        ) {
            let points: Vec<PointResult> = numbers
                .iter()
                .enumerate()
                .map(|(index, (iops, ms))| point(libm::exp2(index as f64), *iops, *ms))
                .collect();
            let points: Vec<&PointResult> = points.iter().collect();
            let sustained = |limit_us: u64| {
                let rule = format!("mean<={limit_us}us").parse().unwrap();
                match SustainedAt::of(&points, &rule).unwrap() {
                    SustainedAt::Below(_) => 0.0,
                    found => found.iops(),
                }
            };
            let (tight, loose) = (limits.0.min(limits.1), limits.0.max(limits.1));
            let (tight, loose) = (sustained(tight), sustained(loose));
            prop_assert!(loose >= tight * (1.0 - 1e-12), "{loose} < {tight}");
        }
    }
}
