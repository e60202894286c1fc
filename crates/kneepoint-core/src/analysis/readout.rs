//! What a summary says of a curve: sustained throughput, peak, and what these rest on.

use super::curve::Curve;
use super::mark::{Mark, is_doubtful};
use super::sustained::SustainedAt;
use crate::measure::search::breaks;
use crate::result::{
    Collapse, Doubt, DoubtAbout, Estimate, HalfWidths, Limit, Peak, PointResult, Quantity,
    Sustained, SustainedStatus,
};
use crate::words::rule::Rule;

/// The highest throughput that meets the rule.
pub(super) fn sustained(curve: &Curve<'_>, rule: &Rule) -> Sustained {
    let points = curve.points();
    let number = |quantity| curve.sustained(rule, quantity).map(|mark| estimate(&mark));
    let known = |status, load, bracket| Sustained {
        rate: number(Quantity::Iops),
        volume: number(Quantity::Throughput),
        load: Some(load),
        bracket: Some(bracket),
        ..nothing(status)
    };
    match curve.sustained_at(rule) {
        None => nothing(SustainedStatus::Unknown),
        Some(SustainedAt::Below(point)) => Sustained {
            below: Some(Limit {
                rate: point.rate.mean,
                volume: point.mib_s(),
                load: point.load.value,
                ci95: HalfWidths::of(point),
            }),
            ..nothing(SustainedStatus::NoneMeets)
        },
        Some(SustainedAt::AtLeast(point)) => {
            let load = point.load.value;
            known(SustainedStatus::AllMeet, load, [load, load])
        }
        Some(SustainedAt::Point(point)) => {
            known(SustainedStatus::Met, point.load.value, bracket(point, &points, curve.held(rule)))
        }
        Some(SustainedAt::Crossing(crossing)) => {
            let load = crossing.of(|point| point.load.value);
            known(SustainedStatus::Met, load, crossing.loads())
        }
        Some(SustainedAt::Fitted(fit)) => known(SustainedStatus::Met, fit.load, fit.loads()),
    }
}

/// A number of a curve with its interval.
fn estimate(mark: &Mark) -> Estimate {
    Estimate { mean: mark.value.number, ci95: mark.value.ci95() }
}

/// The loads on both sides of a rule that a point meets: its own and the next one, if that breaks
/// the rule; twice its own if not.
fn bracket(point: &PointResult, points: &[&PointResult], rule: &Rule) -> [f64; 2] {
    let load = point.load.value;
    let rule = &rule.resolved(points.iter().copied()).unwrap_or(*rule);
    let next = points.iter().find(|next| next.load.value > load);
    [load, next.filter(|next| breaks(next, rule)).map_or(load, |next| next.load.value)]
}

const fn nothing(status: SustainedStatus) -> Sustained {
    Sustained { rate: None, volume: None, load: None, bracket: None, below: None, status }
}

/// The highest throughput, read at the smallest load that cannot be told from it.
pub(super) fn peak(curve: &Curve<'_>) -> Option<Peak> {
    let index = curve.peak_index()?;
    let point = curve.points()[index];
    let load = point.load.value;
    let number = |quantity| curve.at(load, quantity).map(|mark| estimate(&mark));
    let collapse = collapse(curve, index);
    Some(Peak {
        rate: number(Quantity::Iops)?,
        volume: number(Quantity::Throughput),
        latency_ms: point.latency_ms.mean,
        latency_ci95: point.latency_ms.ci95,
        load,
        collapse_percent: collapse.map(|collapse| collapse.percent),
        collapse_load: collapse.map(|collapse| collapse.load),
    })
}

/// The lowest throughput beyond the peak, of those whose intervals lie below that of the peak, with all
/// that something else can have changed of both, and that a claim can rest on.
pub(super) fn collapse(curve: &Curve<'_>, peak: usize) -> Option<Collapse> {
    let levels = curve.levels();
    let at = |index: usize| curve.at(levels[index], Quantity::Iops);
    let top = at(peak)?;
    let floor = (top.value.number - top.value.ci95()?) * libm::exp(-top.shift);
    let is_surely_lower = |fallen: &Mark| {
        let ceiling = |half: f64| (fallen.value.number + half) * libm::exp(fallen.shift);
        fallen.value.ci95().is_some_and(|half| ceiling(half) < floor)
    };
    let grounded = (peak + 1..levels.len()).filter(|index| curve.is_grounded(levels[*index]));
    let beyond = grounded.filter_map(|index| Some((index, at(index)?)));
    let fallen = beyond.filter(|(_, fallen)| is_surely_lower(fallen));
    let (lowest, fallen) =
        fallen.min_by(|(_, a), (_, b)| a.value.number.total_cmp(&b.value.number))?;
    Some(Collapse {
        load: levels[lowest],
        percent: 100.0 * (1.0 - fallen.value.number / top.value.number),
    })
}

/// The points that the sustained throughput at `rule` and the peak rest on although they drift or
/// are disturbed.
pub(super) fn doubts(curve: &Curve<'_>, rule: &Rule) -> Vec<Doubt> {
    let points = curve.points();
    let sustained = curve.sustained_at(rule).map(|at| at.points()).unwrap_or_default();
    let sustained = sustained.into_iter().map(|point| (DoubtAbout::Sustained, point));
    let peak = curve.peak_index().map(|index| (DoubtAbout::Peak, points[index]));
    sustained
        .chain(peak)
        .filter(|(_, point)| is_doubtful(point.verdict))
        .map(|(about, point)| Doubt { about, load: point.load.value, verdict: point.verdict })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::tests::{point, run};
    use crate::analysis::comparison::{CompareOptions, compare};
    use crate::analysis::summarize;
    use crate::result::{Throughput, Verdict};

    /// The points of a closed loop that has these rates at 1, 2, 4, ... outstanding I/Os, each known
    /// within `share`.
    fn points(share: f64, rates: &[f64]) -> Vec<PointResult> {
        rates.iter().enumerate().map(|(index, iops)| point(1 << index, *iops, share)).collect()
    }

    fn peak_of(share: f64, rates: &[f64]) -> Peak {
        peak(&Curve::of(points(share, rates).iter())).unwrap()
    }

    #[test]
    fn of_equals_the_peak_is_the_one_with_the_smallest_load() {
        let found = peak_of(0.02, &[100.0, 190.0, 297.0, 300.0, 302.0]);
        assert_eq!((found.load, found.rate.mean, found.collapse()), (4.0, 297.0, None));
        let exact = peak_of(0.0, &[100.0, 190.0, 297.0, 300.0, 302.0]);
        assert_eq!(exact.load, 16.0);
    }

    #[test]
    fn a_collapse_is_told_where_the_intervals_are_apart() {
        let found = peak_of(0.02, &[100.0, 200.0, 150.0, 146.0, 160.0]).collapse().unwrap();
        assert_eq!(found.load, 8.0);
        assert!((found.percent - 27.0).abs() < 1e-9, "{found:?}");
        assert_eq!(peak_of(0.2, &[100.0, 200.0, 150.0, 146.0, 160.0]).collapse(), None);
        assert_eq!(peak_of(0.02, &[100.0, 200.0]).collapse(), None);
    }

    #[test]
    fn what_something_else_can_have_done_is_no_collapse() {
        let found = |disturbed: usize, percent: Option<f64>| {
            let mut points = points(0.02, &[100.0, 200.0, 150.0, 146.0, 160.0]);
            points[disturbed].verdict = Verdict::Disturbed;
            points[disturbed].disturbed_percent = percent;
            peak(&Curve::of(points.iter())).unwrap().collapse().map(|fall| fall.load)
        };
        // Nothing bounds what changed the lowest: the next one still tells.
        assert_eq!(found(3, None), Some(4.0));
        assert_eq!(found(3, Some(40.0)), Some(4.0));
        assert_eq!(found(3, Some(10.0)), Some(8.0));
        assert_eq!(found(1, None), None);
    }

    #[test]
    fn what_cannot_be_told_from_the_peak_is_not_sustained_above_it() {
        // 302 IO/s at 16 are no more than 297 at 4, which is within the rule as well.
        let sustained = |share, limit: &str| {
            let points = points(share, &[100.0, 190.0, 297.0, 300.0, 302.0]);
            let summary = summarize(&points, &[limit.parse().unwrap()]).remove(0);
            let peak = summary.peak.unwrap();
            let found = summary.sustained;
            assert!(found.rate.unwrap().mean <= peak.rate.mean, "{found:?} above {peak:?}");
            (found.status, found.load.unwrap(), found.rate.unwrap().mean)
        };
        assert_eq!(sustained(0.02, "mean<=30ms"), (SustainedStatus::Met, 4.0, 297.0));
        assert_eq!(sustained(0.02, "mean<=1s"), (SustainedStatus::AllMeet, 4.0, 297.0));
        // Where it is told from the lower loads, it is the highest that counts.
        assert_eq!(sustained(0.0, "mean<=1s"), (SustainedStatus::AllMeet, 16.0, 302.0));
        let (_, load, rate) = sustained(0.0, "mean<=30ms");
        assert!(load > 8.0 && rate > 300.0, "{rate} at {load}");
        // Where the rule is reached below the peak, nothing changes.
        let (_, load, rate) = sustained(0.02, "mean<=12ms");
        assert!((2.0..4.0).contains(&load) && rate < 297.0, "{rate} at {load}");
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_sustained_above_the_peak(
            rates in proptest::collection::vec(50.0..400.0_f64, 1..8),
            share in 0.0..0.15_f64,
            limit_ms in 1_u64..400,
        ) {
            let points = points(share, &rates);
            let rule = format!("mean<={limit_ms}ms").parse().unwrap();
            let summary = summarize(&points, &[rule]).remove(0);
            let highest = summary.peak.unwrap().rate.mean;
            if let Some(found) = summary.sustained.rate {
                proptest::prop_assert!(found.mean <= highest, "{found:?} above {highest}");
            }
        }
    }

    #[test]
    fn no_load_below_the_peak_is_faster() {
        // The interval of the third load reaches the highest, but the second is faster.
        let mut points = points(0.0, &[100.0, 300.0, 295.0, 302.0]);
        points[2].rate = Throughput::iops(Estimate { mean: 295.0, ci95: Some(10.0) });
        let found = peak(&Curve::of(points.iter())).unwrap();
        assert_eq!((found.load, found.rate.mean), (8.0, 302.0));
    }

    /// The same number has the same interval in a summary and in a comparison.
    #[test]
    fn summaries_and_comparisons_agree() {
        let rule: Rule = "mean<=17ms".parse().unwrap();
        let mut document = run("a", points(0.03, &[100.0, 190.0, 250.0, 290.0, 300.0]));
        document.analysis.summaries = summarize(&document.points, &[rule]);
        let compared = compare(&[&document, &document], &CompareOptions::default()).unwrap();
        let reading = |name: &str| {
            let mut figures = compared.series[0].figures.iter();
            let figure = figures.find(|figure| figure.measure.name() == name).unwrap();
            let reading = figure.readings[0].clone().unwrap();
            (Some(reading.value), reading.ci95)
        };
        let summary = &document.analysis.summaries[0];
        let (found, peak) = (summary.sustained.rate.unwrap(), summary.peak.unwrap().rate);
        assert_eq!((Some(found.mean), found.ci95), reading("sustained.iops"));
        assert_eq!((Some(peak.mean), peak.ci95), reading("peak.iops"));
        assert!(found.ci95.is_some() && peak.ci95.is_some());
    }
}
