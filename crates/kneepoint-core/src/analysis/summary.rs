//! Every series read off at every rule.

use std::collections::BTreeMap;

use super::curve::Curve;
use super::overload::overload;
use super::readout;
use super::saturation::saturation;
use super::score::score;
use crate::measure::search::search_outcome;
use crate::plan::{Plan, SeriesPlan};
use crate::result::series_key::{SeriesKey, SeriesPoints, by_series};
use crate::result::{PointResult, SearchResult, Summary};
use crate::spec::profile::BusinessWork;
use crate::words::distinct::distinct;
use crate::words::load::LoadUnit;
use crate::words::rule::Rule;

/// Summaries of all series, in the order in which the series appear, one per rule.
pub fn summarize(points: &[PointResult], rules: &[Rule]) -> Vec<Summary> {
    let all = in_order(points);
    all.iter().flat_map(|series| of_series(series, rules, None, |_, _| None)).collect()
}

/// Summaries at the rules of `plan`, and why its searches ended.
pub fn summarize_plan(points: &[PointResult], plan: &Plan) -> Vec<Summary> {
    let names = places(plan.series.iter().map(|series| series.name.as_str()));
    let keys = places(plan.series.iter().map(SeriesPlan::key));
    let mut all = in_order(points);
    if plan.factors.is_some() || plan.passes_min() > 0 {
        all.sort_by_key(|series| (names.get(series.key.name), keys.get(&series.key)));
    }
    let summaries = all.iter().flat_map(|series| {
        let planned = keys.get(&series.key).map(|place| &plan.series[*place]);
        let work = planned.and_then(|planned| planned.profile.business());
        of_series(series, plan.rules_of(series.key.name), work, |curve, rule| {
            search_result(series, curve, (plan, planned?), rule)
        })
    });
    summaries.collect()
}

/// Where each item stands first.
fn places<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut places = BTreeMap::new();
    for (place, item) in items.enumerate() {
        places.entry(item).or_insert(place);
    }
    places
}

/// The summaries of one series, of which `work` are the business operations, with what `search` says of
/// each rule.
fn of_series(
    series: &SeriesPoints<'_>,
    rules: &[Rule],
    work: Option<&BusinessWork>,
    search: impl Fn(&Curve<'_>, &Rule) -> Option<SearchResult>,
) -> Vec<Summary> {
    let curve = Curve::of(series.points.iter().copied()).under(rules);
    let saturation = saturation(&curve);
    let peak = readout::peak(&curve);
    let overload = overload(&curve);
    let score = work.and_then(|work| score(&curve, work));
    let summary = |rule: &Rule| Summary {
        series: series.key.name.to_owned(),
        factors: series.key.factors.clone(),
        load_unit: curve.unit().unwrap_or(LoadUnit::OutstandingIos),
        rule: rule.to_string(),
        sustained: readout::sustained(&curve, rule),
        peak,
        saturation,
        overload: overload.clone(),
        score,
        search: search(&curve, rule),
        variation: curve.peak_variation(),
        doubts: readout::doubts(&curve, rule),
    };
    rules.iter().map(summary).collect()
}

/// How the search of a planned series for `rule` ended; nothing where rules were not searched for.
fn search_result(
    series: &SeriesPoints<'_>,
    curve: &Curve<'_>,
    (plan, planned): (&Plan, &SeriesPlan),
    rule: &Rule,
) -> Option<SearchResult> {
    let outcome = search_outcome(plan, planned, rule, (&series.points, &curve.points()))?;
    Some(SearchResult {
        points: series.points.len() as u32,
        stopped_because: outcome.end.reason().to_owned(),
        disturbed_loads: outcome.disturbed,
    })
}

/// The series in the order in which they appear; with factors, name by name.
pub(super) fn in_order(points: &[PointResult]) -> Vec<SeriesPoints<'_>> {
    let mut all = by_series(points);
    if all.iter().any(|series| !series.key.factors.is_empty()) {
        let names = places(distinct(all.iter().map(|series| series.key.name)).into_iter());
        let place = |key: SeriesKey<'_>| names.get(key.name).copied();
        all.sort_by(|a, b| (place(a.key), a.key).cmp(&(place(b.key), b.key)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::estimate::{RelativeError, Value};
    use crate::analysis::{comparison, effects};
    use crate::result::{
        AGAIN_FROM, Doubt, DoubtAbout, Estimate, Latency, SustainedStatus, Throughput, Verdict,
    };
    use crate::spec::factor::{Design, Factors};
    use crate::words::load::LoadLevel;

    /// A point of series `s` at `outstanding` with `iops` and a mean response time.
    fn point(outstanding: u32, iops: f64, mean_ms: f64) -> PointResult {
        PointResult {
            series: "s".into(),
            rate: Throughput::iops(Estimate { mean: iops, ci95: None }),
            volume: Some(Throughput::mib_s(Estimate { mean: iops / 128.0, ci95: None })),
            latency_ms: Latency { mean: mean_ms, ..Latency::default() },
            load: LoadLevel::outstanding(outstanding),
            verdict: Verdict::TimeLimit,
            ..PointResult::default()
        }
    }

    fn rules(texts: &[&str]) -> Vec<Rule> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    /// The visits of a search, two for each load, of a target that is fastest at 8 outstanding I/Os.
    fn visits() -> Vec<PointResult> {
        let loads = [(4, 1000.0, 4.0, 6.0), (8, 1100.0, 7.3, 9.0), (16, 1060.0, 15.1, 20.0)];
        let visit = |repetition, (load, iops, mean_ms, p99_ms): (u32, f64, f64, f64)| {
            let mut visit = PointResult { repetition, ..point(load, iops, mean_ms) };
            visit.latency_ms.p99 = Some(p99_ms);
            (visit.measured_s, visit.verdict) = (1.0, Verdict::Fixed);
            visit
        };
        let pass = |repetition| loads.map(|load| visit(repetition, load));
        [pass(0), pass(AGAIN_FROM)].concat()
    }

    /// The strict one is met below the peak, the loose ones behind it: there throughput is lower.
    const STRICT_AND_LOOSE: [&str; 4] = ["p99<=8.9ms", "p99<=12ms", "mean<=10ms", "mean<=8.8ms"];

    fn rates(points: &[PointResult], rules: &[Rule]) -> Vec<f64> {
        let summaries = summarize(points, rules);
        summaries.iter().map(|one| one.sustained.rate.unwrap().mean).collect()
    }

    #[test]
    fn what_a_stricter_rule_sustains_a_looser_one_sustains() {
        let visits = visits();
        let rules_of = rules;
        let rules = rules(&STRICT_AND_LOOSE);
        let each: Vec<f64> = rules.iter().flat_map(|rule| rates(&visits, &[*rule])).collect();
        assert!(each[1] < each[0] && each[2] < each[0], "{each:?}");
        // No limit of 8.8 ms is looser than one of 8.9 ms.
        assert_eq!(rates(&visits, &rules), [each[0], each[0], each[3].max(each[0]), each[3]]);
        // Of other operations nothing is known, and a percentile says nothing of a higher one.
        let other = |strict: &str| rates(&visits, &rules_of(&[strict, "p99<=12ms"]))[1];
        assert_eq!(other("p99<=8.9ms"), each[0]);
        assert_eq!(other("mean<=7.2ms"), each[1]);
    }

    #[test]
    fn a_mean_above_its_percentile_does_not_meet_what_the_percentile_meets() {
        let both = rules(&["p99<=8.9ms", "mean<=10ms"]);
        // I/Os of seconds are less than one in a hundred: at the fastest load the mean is far above p99.
        let mut stalled = visits();
        stalled.iter_mut().filter(|visit| visit.load.value == 8.0).for_each(|visit| {
            visit.latency_ms.mean = 30.0;
        });
        let own = rates(&stalled, &both[1..]);
        assert!(own[0] < rates(&stalled, &both)[0], "{own:?}");
        assert_eq!(rates(&stalled, &both)[1..], own[..]);
        // Where it is above p99 and below the limit all the same, it is met.
        let mut small = visits();
        small.iter_mut().filter(|visit| visit.load.value == 4.0).for_each(|visit| {
            visit.latency_ms.mean = 6.5;
        });
        assert!(rates(&small, &both[1..])[0] < rates(&small, &both)[0]);
        assert_eq!(rates(&small, &both)[1], rates(&small, &both)[0]);
    }

    /// A stricter rule that few visits tell of raises a number; it does not take its interval away.
    #[test]
    fn a_number_keeps_an_interval_that_contains_its_own() {
        let known =
            Value { number: 100.0, spread: Some(RelativeError { relative: 0.02, dof: 9.0 }) };
        let width = known.ci95().unwrap();
        let raised = known.raised_to(103.0);
        assert_eq!(raised.number, 103.0);
        assert!((raised.number - raised.ci95().unwrap() - (100.0 - width)).abs() < 1e-9);
        assert_eq!(known.raised_to(110.0).spread, None);
        assert_eq!(Value { spread: None, ..known }.raised_to(101.0).spread, None);
        let mut visits = visits();
        // Other visits scatter; those that the strict rule is read at are one for each load.
        visits.retain(|visit| visit.load.value > 8.0 || visit.repetition == 0);
        for (index, load, mean) in
            [(2, 16.0, 15.0), (3, 16.0, 14.4), (4, 12.0, 11.2), (5, 12.0, 10.8)]
        {
            let mut more = visits[2].clone();
            (more.repetition, more.load.value) = (index * AGAIN_FROM, load);
            (more.latency_ms.mean, more.rate.mean) = (mean, 1000.0 * load / mean);
            more.latency_ms.p99 = Some(20.0);
            visits.push(more);
        }
        let both = rules(&["p99<=8.9ms", "mean<=13ms"]);
        let found =
            |rules: &[Rule]| summarize(&visits, rules).pop().unwrap().sustained.rate.unwrap();
        let (own, held) = (found(&both[1..]), found(&both));
        assert!(own.ci95.is_some(), "{own:?}");
        let strict = found(&both[..1]);
        assert_eq!(strict.ci95, None);
        assert!(held.mean >= own.mean && held.mean >= strict.mean, "{own:?} {held:?} {strict:?}");
        assert!(strict.mean - own.mean > own.ci95.unwrap() || held.ci95.is_some(), "{held:?}");
    }

    /// Summaries, comparisons and effects read what is sustained in one way.
    #[test]
    fn what_is_held_is_held_everywhere() {
        let rules = rules(&STRICT_AND_LOOSE);
        let mut document = comparison::tests::run("a", visits());
        document.analysis.summaries = summarize(&document.points, &rules);
        let expected = rates(&document.points, &rules);
        let options = comparison::CompareOptions::default();
        let compared = comparison::compare(&[&document, &document], &options).unwrap();
        let figures = compared.series[0].figures.iter().filter(|figure| figure.rule.is_some());
        let compared: Vec<f64> =
            figures.map(|figure| figure.readings[1].as_ref().unwrap().value).collect();
        assert_eq!(compared, expected);
        let levels = ["off", "on"].map(str::to_owned);
        let at = |level: &String| {
            let factors = BTreeMap::from([("cache".to_owned(), level.clone())]);
            visits().into_iter().map(move |visit| PointResult { factors: factors.clone(), ..visit })
        };
        let points: Vec<PointResult> = levels.iter().flat_map(at).collect();
        let mut factors = Factors { design: Design::Full, ..Factors::default() };
        factors.add("cache=off,on".parse().unwrap()).unwrap();
        let effects = effects(&points, &factors, &rules);
        let of_rules = effects.iter().take(rules.len());
        let found: Vec<f64> = of_rules.map(|one| one.factors[0].levels[0].after).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_crossing_is_interpolated() {
        let points = [point(1, 100.0, 10.0), point(2, 120.0, 16.0), point(4, 140.0, 28.0)];
        let summaries = summarize(&points, &rules(&["mean<=19ms", "mean<=5ms", "mean<=30ms"]));
        let sustained: Vec<_> = summaries.iter().map(|summary| summary.sustained).collect();
        assert_eq!(sustained[0].status, SustainedStatus::Met);
        assert_eq!(sustained[0].rate.unwrap().mean, 125.0);
        assert_eq!(sustained[0].load, Some(2.5));
        assert_eq!(sustained[1].status, SustainedStatus::NoneMeets);
        assert_eq!((sustained[1].rate, sustained[1].load), (None, None));
        assert_eq!(sustained[1].below.unwrap().rate, 100.0);
        assert_eq!(sustained[2].status, SustainedStatus::AllMeet);
        assert_eq!(sustained[2].rate.unwrap().mean, 140.0);
        assert!(sustained[2].met().is_none());
        assert_eq!(sustained[2].bound().unwrap().load, 4.0);
    }

    #[test]
    fn a_point_exactly_on_the_rule_meets_it() {
        let points = [point(1, 100.0, 10.0), point(2, 120.0, 20.0), point(4, 140.0, 28.0)];
        let summary = &summarize(&points, &rules(&["mean<=20ms"]))[0];
        assert_eq!(summary.sustained.rate.unwrap().mean, 120.0);
    }

    #[test]
    fn the_peak_ignores_response_time_and_failed_points() {
        let mut failed = point(8, 999.0, 1.0);
        failed.verdict = Verdict::Failed;
        let points = [point(1, 100.0, 10.0), point(2, 150.0, 16.0), point(4, 140.0, 90.0), failed];
        let peak = summarize(&points, &rules(&["mean<=20ms"]))[0].peak.unwrap();
        assert_eq!((peak.rate.mean, peak.load), (150.0, 2.0));
    }

    #[test]
    fn numbers_that_rest_on_disturbed_points_say_so() {
        let mut disturbed = point(2, 120.0, 16.0);
        disturbed.verdict = Verdict::Disturbed;
        let points = [point(1, 100.0, 10.0), disturbed, point(4, 140.0, 28.0)];
        let summaries = summarize(&points, &rules(&["mean<=20ms", "mean<=40ms"]));
        let doubt = Doubt { about: DoubtAbout::Sustained, load: 2.0, verdict: Verdict::Disturbed };
        assert_eq!(summaries[0].doubts, [doubt]);
        assert_eq!(summaries[1].doubts, []);
    }

    #[test]
    fn a_series_of_failed_points_has_no_numbers() {
        let mut failed = point(1, 0.0, 0.0);
        failed.verdict = Verdict::Failed;
        let summary = &summarize(&[failed], &rules(&["mean<=20ms"]))[0];
        assert_eq!(summary.sustained.status, SustainedStatus::Unknown);
        assert_eq!(summary.peak, None);
    }
}
