//! Numbers of users under the rules that the run was asked for, and under every standard rule.
//!
//! What a server carries depends on the rule: a result without it says little, and one under several lets
//! it be compared with what others print. All are read off the same points.

use super::curve::Curve;
use super::summary::in_order;
use super::sustained::SustainedAt;
use crate::measure::search::breaks;
use crate::plan::Reference;
use crate::result::series_key::SeriesPoints;
use crate::result::{PointResult, SustainedStatus, UserCount};
use crate::words::class::ClassName;
use crate::words::load::LoadUnit;
use crate::words::rule::{Metric, Rule, RuleLimit};
use crate::words::units::Nanos;

/// Users of the reference, as the published measurements of terminal servers have it.
const REFERENCE: u32 = 5;
/// What is added to the reference at the most: a difference that most people begin to notice.
const NOTICED: Nanos = Nanos::from_millis(100);
/// Up to this time a response seems to come at once (Miller 1968, Nielsen 1993).
const AT_ONCE: Nanos = Nanos::from_millis(100);
/// The same for all but one stroke in twenty.
const NEARLY_AT_ONCE: Nanos = Nanos::from_millis(150);
/// How long a session or an application may take to be there.
const BEGUN: Nanos = Nanos::from_secs(5);

/// The class of the applications that users start.
const APPLICATION_START: &str = "application-start";

/// The standard rules: strokes against the reference and against fixed limits, then logons and starts.
fn standard_rules() -> Vec<Rule> {
    let twice = RuleLimit::Multiple { thousandths: 2_000, load: REFERENCE };
    let more = RuleLimit::Beyond { extra: NOTICED, load: REFERENCE };
    let rule = |class, metric, limit| Rule { class: Some(class), metric, limit };
    let stroke = |metric, limit| rule(ClassName::KEYSTROKE, metric, limit);
    let mut rules = vec![
        stroke(Metric::Mean, twice),
        stroke(Metric::P95, twice),
        stroke(Metric::Mean, more),
        stroke(Metric::Mean, RuleLimit::Time(AT_ONCE)),
        stroke(Metric::P95, RuleLimit::Time(NEARLY_AT_ONCE)),
    ];
    let begun = [Some(ClassName::LOGON), ClassName::new(APPLICATION_START)];
    rules.extend(begun.into_iter().flatten().flat_map(|class| {
        [twice, RuleLimit::Time(BEGUN)].map(|limit| rule(class, Metric::Mean, limit))
    }));
    rules
}

/// A rule that users are counted under.
struct Counted {
    /// As it was asked for.
    told: Rule,
    /// As it is judged: with a time as its limit if a stored run has measured its reference.
    judged: Rule,
    is_asked: bool,
}

/// The number of users under each of the rules that the run was asked for and the standard ones, for every series
/// of users who type; what a stored run has measured is the reference of all.
pub(super) fn user_counts(
    points: &[PointResult],
    (rules, reference): (&[Rule], Option<&Reference>),
) -> Vec<UserCount> {
    let told = reference.map_or(rules, |reference| &reference.rules);
    let asked = told.iter().zip(rules).map(|(told, judged)| Counted {
        told: *told,
        judged: *judged,
        is_asked: true,
    });
    let others = standard_rules().into_iter().filter(|rule| !told.contains(rule)).map(|told| {
        let judged = reference.and_then(|reference| reference.limit_of(&told)).unwrap_or(told);
        Counted { told, judged, is_asked: false }
    });
    let rules: Vec<Counted> = asked.chain(others).collect();
    let all = in_order(points);
    let counts = all.iter().filter(|series| types(series)).flat_map(|series| {
        let curve = Curve::of(series.points.iter().copied());
        let known = rules.iter().filter(|rule| {
            rule.is_asked
                || curve.points().iter().any(|point| rule.judged.value_ms(point).is_some())
        });
        known.map(|rule| count(series, &curve, rule)).collect::<Vec<UserCount>>()
    });
    counts.collect()
}

/// Whether users type in it.
fn types(series: &SeriesPoints<'_>) -> bool {
    series.points.iter().any(|point| {
        point.load.unit == LoadUnit::Users && point.class(ClassName::KEYSTROKE.as_str()).is_some()
    })
}

/// The number of users of a series under a rule, which the run was asked for or not.
fn count(
    series: &SeriesPoints<'_>,
    curve: &Curve<'_>,
    Counted { told, judged: rule, is_asked }: &Counted,
) -> UserCount {
    let resolved = rule.resolved(curve.points());
    let (found, rests_on) = match (curve.sustained_at(rule), &resolved) {
        // The line through all visits of a search knows more than two points.
        (Some(SustainedAt::Fitted(fit)), _) => {
            let found = (SustainedStatus::Met, Some(fit.load), Some(fit.loads()));
            (found, fit.visits().to_vec())
        }
        (_, Some(rule)) => first_crossing(&curve.points(), rule),
        (_, None) => ((SustainedStatus::Unknown, None, None), Vec::new()),
    };
    let (status, users, bracket) = found;
    UserCount {
        series: series.key.name.to_owned(),
        factors: series.key.factors.clone(),
        rule: told.to_string(),
        is_asked: *is_asked,
        limit_ms: resolved.and_then(|rule| rule.limit.as_millis_f64()),
        status,
        users,
        bracket,
        responses: rests_on.iter().map(|point| responses(point, rule)).min().unwrap_or(0),
    }
}

/// What is known of a number of users, that number, and those next to it.
type Found = (SustainedStatus, Option<f64>, Option<[f64; 2]>);

/// Where the response time passes the limit of `rule`, which is a time, for the first time as users come; and
/// the points that tell it.
fn first_crossing<'a>(points: &[&'a PointResult], rule: &Rule) -> (Found, Vec<&'a PointResult>) {
    let judged = points.iter().copied().filter(|point| rule.value_ms(point).is_some());
    let judged: Vec<&PointResult> = judged.collect();
    let (Some(first), Some(last)) = (judged.first(), judged.last()) else {
        return ((SustainedStatus::Unknown, None, None), Vec::new());
    };
    match judged.iter().position(|point| breaks(point, rule)) {
        None => ((SustainedStatus::AllMeet, Some(last.load.value), None), vec![*last]),
        Some(0) => ((SustainedStatus::NoneMeets, Some(first.load.value), None), vec![*first]),
        Some(index) => {
            let (meets, breaks) = (judged[index - 1], judged[index]);
            let bracket = [meets.load.value, breaks.load.value];
            let times = [meets, breaks].map(|point| rule.value_ms(point).unwrap_or_default());
            let limit = rule.limit.as_millis_f64().unwrap_or_default();
            let part = (limit - times[0]) / (times[1] - times[0]);
            let users = bracket[0] + part.clamp(0.0, 1.0) * (bracket[1] - bracket[0]);
            ((SustainedStatus::Met, Some(users), Some(bracket)), vec![meets, breaks])
        }
    }
}

/// Responses that the rule looks at.
fn responses(point: &PointResult, rule: &Rule) -> u64 {
    match &rule.class {
        None => point.operations,
        Some(class) => point.class(class.as_str()).map_or(0, |class| class.operations),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{ReferenceOrigin, ReferenceValue};
    use crate::result::{ClassResult, Estimate, Latency, Throughput};
    use crate::words::load::LoadLevel;

    /// Users whose strokes and logons take these milliseconds.
    fn point(users: u32, stroke_ms: f64, logon_ms: Option<f64>) -> PointResult {
        let class = |mean: f64| ClassResult {
            operations: 40,
            latency_ms: Latency { mean, ..Latency::default() },
            ..ClassResult::default()
        };
        let classes = [("keystroke", Some(stroke_ms)), ("logon", logon_ms)];
        let classes =
            classes.into_iter().filter_map(|(name, ms)| Some((name.to_owned(), class(ms?))));
        PointResult {
            series: "typing".to_owned(),
            load: LoadLevel { value: f64::from(users), unit: LoadUnit::Users },
            rate: Throughput::iops(Estimate { mean: 4.0 * f64::from(users), ci95: None }),
            latency_ms: Latency { mean: stroke_ms, ..Latency::default() },
            classes: classes.collect(),
            ..PointResult::default()
        }
    }

    fn found<'a>(counts: &'a [UserCount], rule: &str) -> &'a UserCount {
        counts
            .iter()
            .find(|count| count.rule == rule)
            .unwrap_or_else(|| panic!("{rule}: {counts:?}"))
    }

    #[test]
    fn every_standard_rule_is_read_off_the_same_points() {
        let points = [
            point(5, 10.0, Some(1_000.0)),
            point(10, 15.0, Some(1_400.0)),
            point(20, 35.0, Some(2_600.0)),
            point(30, 75.0, None),
        ];
        let asked: Rule = "keystroke.mean<=2x@5".parse().unwrap();
        let counts = user_counts(&points, (&[asked], None));
        assert!(counts[0].is_asked && counts[1..].iter().all(|count| !count.is_asked));
        let twice = found(&counts, "keystroke.mean<=2x@5");
        assert_eq!((twice.status, twice.limit_ms), (SustainedStatus::Met, Some(20.0)));
        assert_eq!((twice.users, twice.bracket), (Some(12.5), Some([10.0, 20.0])));
        // No crossing was measured: only a bound is known.
        let more = found(&counts, "keystroke.mean<=+100ms@5");
        assert_eq!((more.status, more.users), (SustainedStatus::AllMeet, Some(30.0)));
        assert_eq!((more.bracket, more.limit_ms), (None, Some(110.0)));
        let logon = found(&counts, "logon.mean<=2x@5");
        assert_eq!((logon.users, logon.responses), (Some(15.0), 40));
        // Of 30 users no logon was timed.
        let at_most = found(&counts, "logon.mean<=5s");
        assert_eq!((at_most.status, at_most.users), (SustainedStatus::AllMeet, Some(20.0)));
        assert!(counts.iter().all(|count| !count.rule.starts_with("application-start")));
    }

    #[test]
    fn without_the_reference_its_rules_are_not_known() {
        let counts = user_counts(&[point(1, 90.0, None), point(8, 120.0, None)], (&[], None));
        let twice = found(&counts, "keystroke.mean<=2x@5");
        assert_eq!((twice.status, twice.users), (SustainedStatus::Unknown, None));
        assert_eq!(found(&counts, "keystroke.mean<=100ms").bracket, Some([1.0, 8.0]));
        let none = user_counts(&[point(8, 120.0, None)], (&[], None));
        let fixed = found(&none, "keystroke.mean<=100ms");
        assert_eq!((fixed.status, fixed.users), (SustainedStatus::NoneMeets, Some(8.0)));
    }

    #[test]
    fn a_stored_reference_is_that_of_all_rules() {
        let value = ReferenceValue {
            load: 5.0,
            class: Some(ClassName::KEYSTROKE),
            operations: 80,
            ms: [("mean".to_owned(), 10.0), ("p95".to_owned(), 12.0)].into(),
        };
        let asked: Rule = "keystroke.mean<=2x@5".parse().unwrap();
        let origin = ReferenceOrigin::default();
        let reference = Reference { origin, rules: vec![asked], values: vec![value] };
        let limits = [reference.limit_of(&asked).unwrap()];
        // Its own five users are slower: they are not the reference.
        let points = [point(5, 12.0, None), point(10, 15.0, None), point(20, 35.0, None)];
        let counts = user_counts(&points, (&limits, Some(&reference)));
        let twice = found(&counts, "keystroke.mean<=2x@5");
        assert_eq!((twice.is_asked, twice.limit_ms), (true, Some(20.0)));
        assert_eq!((twice.users, twice.bracket), (Some(12.5), Some([10.0, 20.0])));
        assert_eq!(found(&counts, "keystroke.mean<=+100ms@5").limit_ms, Some(110.0));
        assert_eq!(counts.iter().filter(|count| count.is_asked).count(), 1);
    }

    #[test]
    fn other_loads_have_no_users() {
        let mut other = point(5, 10.0, None);
        other.load.unit = LoadUnit::Warehouses;
        assert_eq!(user_counts(&[other], (&[], None)), []);
        let mut silent = point(5, 10.0, None);
        silent.classes.clear();
        assert_eq!(user_counts(&[silent], (&[], None)), []);
    }
}
