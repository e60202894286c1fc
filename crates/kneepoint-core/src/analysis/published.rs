//! What a simulation gives in place of published numbers.

use super::curve::Curve;
use crate::result::series_key::SeriesKey;
use crate::result::{
    Estimate, PointResult, PublishedComparison, PublishedNumber, PublishedPlace, Summary,
    Throughput, ThroughputUnit,
};

/// The published numbers that the points have an answer to. A curve that does not reach the rule, or
/// still rises below the loads that a peak was looked for in, has none.
pub(super) fn beside_published(
    numbers: &[PublishedNumber],
    (points, summaries): (&[PointResult], &[Summary]),
) -> Vec<PublishedComparison> {
    let compared = |number: &PublishedNumber| {
        let key = SeriesKey { name: &number.series, factors: &number.factors };
        let points = || points.iter().filter(|point| point.key() == key);
        let summaries = || summaries.iter().filter(|summary| summary.key() == key);
        let (rate, volume) = match &number.place {
            PublishedPlace::Rule(rule) => {
                let summary = summaries().find(|summary| summary.rule == *rule)?;
                let met = summary.sustained.met()?;
                (met.rate, met.volume)
            }
            PublishedPlace::Peak(outstanding_max) => {
                throughput(highest(&Curve::of(points()).into_points(), *outstanding_max)?)
            }
            PublishedPlace::Outstanding(load) => {
                let merged = Curve::of(points()).into_points();
                throughput(merged.iter().find(|point| point.load.value == f64::from(*load))?)
            }
        };
        let simulated: Estimate = match number.unit {
            ThroughputUnit::Iops => rate,
            ThroughputUnit::MibPerS => volume,
            ThroughputUnit::OperationsPerS | ThroughputUnit::Ratio => None,
        }?;
        let error_percent = 100.0 * (simulated.mean / number.value - 1.0);
        error_percent.is_finite().then(|| PublishedComparison {
            published: number.clone(),
            simulated: simulated.mean,
            ci95: simulated.ci95,
            error_percent,
        })
    };
    numbers.iter().filter_map(compared).collect()
}

/// The point of highest throughput among those with at most `outstanding_max`; nothing if throughput
/// may have risen further within that range.
fn highest(points: &[PointResult], outstanding_max: u32) -> Option<&PointResult> {
    let most = f64::from(outstanding_max);
    let within = || points.iter().filter(|point| point.load.value <= most);
    let better = |best: &PointResult, next: &PointResult| next.rate.mean > best.rate.mean;
    let best = within().reduce(|best, next| if better(best, next) { next } else { best })?;
    let last = within().next_back()?.load.value;
    (last == most || best.load.value < last).then_some(best)
}

fn throughput(point: &PointResult) -> (Option<Estimate>, Option<Estimate>) {
    (Some(point.rate.estimate()), point.volume.map(Throughput::estimate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::summarize;
    use crate::result::{Latency, Throughput};
    use crate::words::load::LoadLevel;

    /// Throughput and mean response time at 1, 2, 4, ... outstanding I/Os.
    fn curve(points: &[(f64, f64)]) -> Vec<PointResult> {
        let point = |(index, (iops, ms)): (usize, &(f64, f64))| PointResult {
            series: "oltp".to_owned(),
            load: LoadLevel::outstanding(1 << index),
            rate: Throughput::iops(Estimate { mean: *iops, ci95: Some(1.0) }),
            latency_ms: Latency { mean: *ms, ..Latency::default() },
            ..PointResult::default()
        };
        points.iter().enumerate().map(point).collect()
    }

    fn number(place: PublishedPlace) -> PublishedNumber {
        PublishedNumber {
            source: "paper, Table 1".to_owned(),
            series: "oltp".to_owned(),
            factors: Default::default(),
            place,
            value: 200.0,
            unit: ThroughputUnit::Iops,
        }
    }

    /// The simulated number beside 200 IO/s published, and the error in percent.
    fn answer(place: PublishedPlace, points: &[(f64, f64)]) -> Option<(f64, f64)> {
        of_number(number(place), points)
    }

    fn of_number(number: PublishedNumber, points: &[(f64, f64)]) -> Option<(f64, f64)> {
        let points = curve(points);
        let summaries = summarize(&points, &["mean<=20ms".parse().unwrap()]);
        let found = beside_published(&[number], (&points, &summaries));
        found.first().map(|one| (one.simulated, one.error_percent.round()))
    }

    const KNEE: [(f64, f64); 3] = [(100.0, 10.0), (150.0, 13.0), (160.0, 25.0)];

    #[test]
    fn the_number_at_a_rule_stands_beside_the_published_one() {
        let rule = || PublishedPlace::Rule("mean<=20ms".to_owned());
        let (simulated, error) = answer(rule(), &KNEE).unwrap();
        assert!((150.0..160.0).contains(&simulated), "{simulated}");
        assert_eq!(error, (simulated / 2.0 - 100.0).round());
        // What never breaks the rule, or always does, is a bound and no answer.
        assert_eq!(answer(rule(), &KNEE[..2]), None);
        assert_eq!(answer(rule(), &[(10.0, 30.0), (11.0, 60.0)]), None);
        assert_eq!(answer(PublishedPlace::Rule("mean<=15ms".to_owned()), &KNEE), None);
    }

    #[test]
    fn a_peak_that_is_not_reached_is_none() {
        assert_eq!(answer(PublishedPlace::Peak(4), &KNEE), Some((160.0, -20.0)));
        assert_eq!(answer(PublishedPlace::Peak(512), &KNEE), None);
        // What is beyond the published range does not count, and says nothing of what is within.
        assert_eq!(answer(PublishedPlace::Peak(2), &KNEE), Some((150.0, -25.0)));
        assert_eq!(answer(PublishedPlace::Peak(3), &KNEE), None);
        let falls = [(100.0, 10.0), (250.0, 8.0), (160.0, 25.0)];
        assert_eq!(answer(PublishedPlace::Peak(512), &falls), Some((250.0, 25.0)));
    }

    #[test]
    fn a_load_and_a_series_that_were_not_measured_have_no_answer() {
        assert_eq!(answer(PublishedPlace::Outstanding(2), &KNEE), Some((150.0, -25.0)));
        assert_eq!(answer(PublishedPlace::Outstanding(3), &KNEE), None);
        let other = |change: fn(&mut PublishedNumber)| {
            let mut number = number(PublishedPlace::Outstanding(2));
            change(&mut number);
            of_number(number, &KNEE)
        };
        assert_eq!(other(|number| number.series = "web".to_owned()), None);
        assert_eq!(other(|number| number.unit = ThroughputUnit::MibPerS), None);
        assert_eq!(other(|number| drop(number.factors.insert("raid".into(), "5".into()))), None);
    }
}
