//! The knee: double the load until every rule is broken, then narrow the bracket.
//!
//! Doubling goes over the series' levels, each about twice the one before. Where only the rules
//! matter it ends at the first level that breaks all of them; where the peak matters, too, it goes
//! on until the last two levels differ by less than 5 % in throughput (the rule of the Single Disk
//! paper, 2011) or throughput falls. Then each rule's bracket, the last level that meets it and
//! the first that breaks it, is narrowed at the load where the line between the two crosses the
//! rule, until the two throughputs differ by less than the tolerance: the sustained throughput
//! lies between them.

use crate::load::{LoadLevel, LoadUnit};
use crate::plan::{KneeGoal, KneePlan, SeriesPlan};
use crate::result::{PointResult, Verdict};
use crate::rule::Rule;

/// Two loads with throughputs that differ by less than this are at the peak (Single Disk, 2011).
const PEAK_GAIN_MIN: f64 = 0.05;

/// A new probe keeps at least this share of the bracket's width from both ends.
const MARGIN: f64 = 0.1;

/// The neighbouring points on either side of a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bracket<'a> {
    /// The highest load below the first violation.
    pub(crate) meets: &'a PointResult,
    /// The lowest load that breaks the rule.
    pub(crate) breaks: &'a PointResult,
}

/// Why the search for one rule ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEnd {
    /// Not yet: the bracket can still be narrowed, or the load raised.
    Open,
    /// The smallest load already breaks the rule.
    BelowFirst,
    /// The largest load of the plan still meets the rule.
    BeyondLast,
    /// The throughputs on both sides of the rule are the same within the tolerance.
    Close,
    /// There is no load between the two sides of the rule.
    Adjacent,
}

impl SearchEnd {
    /// The reason as a sentence's end: "stopped because ...".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Open => "it was interrupted",
            Self::BelowFirst => "the smallest load already breaks the rule",
            Self::BeyondLast => "the largest load still meets the rule",
            Self::Close => {
                "the throughputs on both sides of the rule are the same within the tolerance"
            }
            Self::Adjacent => "there is no load between the two sides of the rule",
        }
    }
}

/// Whether a point breaks a rule; an overloaded point breaks every rule.
pub(crate) fn breaks(point: &PointResult, rule: &Rule) -> bool {
    let overloaded = point.open_loop.is_some_and(|open| open.overloaded);
    overloaded || point.latency_ms.of(rule.metric) > rule.limit.as_millis_f64()
}

/// The bracket of `rule` among points of one series, by rising load.
pub(crate) fn bracket<'a>(points: &[&'a PointResult], rule: &Rule) -> Option<Bracket<'a>> {
    let first = points.iter().position(|point| breaks(point, rule))?;
    let below = first.checked_sub(1)?;
    Some(Bracket { meets: points[below], breaks: points[first] })
}

/// The usable points by rising load.
fn sorted<'a>(measured: &[&'a PointResult]) -> Vec<&'a PointResult> {
    let mut points: Vec<&PointResult> =
        measured.iter().copied().filter(|point| point.verdict != Verdict::Failed).collect();
    points.sort_by(|a, b| a.load().value.total_cmp(&b.load().value));
    points
}

/// Why the search for `rule` ended, or that it has not.
pub fn search_end(
    series: &SeriesPlan,
    plan: &KneePlan,
    rule: &Rule,
    measured: &[&PointResult],
) -> SearchEnd {
    let points = sorted(measured);
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return SearchEnd::Open;
    };
    if breaks(first, rule) {
        return SearchEnd::BelowFirst;
    }
    let Some(bracket) = bracket(&points, rule) else {
        let at_end = series.loads.levels.last().is_none_or(|end| last.load().value >= *end);
        return if at_end { SearchEnd::BeyondLast } else { SearchEnd::Open };
    };
    if probe_between(&bracket, rule).is_none() {
        SearchEnd::Adjacent
    } else if difference(bracket.meets, bracket.breaks) <= plan.tolerance.fraction() {
        SearchEnd::Close
    } else {
        SearchEnd::Open
    }
}

/// The next level to measure; `None` once every rule (and the peak) is settled.
pub(super) fn next_level(
    series: &SeriesPlan,
    plan: &KneePlan,
    rules: &[Rule],
    measured: &[&PointResult],
) -> Option<LoadLevel> {
    next_doubling(series, plan, rules, measured)
        .or_else(|| rules.iter().find_map(|rule| next_probe(series, plan, rule, measured)))
}

/// The next of the plan's levels, as long as a rule or the peak needs a higher load.
fn next_doubling(
    series: &SeriesPlan,
    plan: &KneePlan,
    rules: &[Rule],
    measured: &[&PointResult],
) -> Option<LoadLevel> {
    let points = sorted(measured);
    let Some(last) = points.last() else { return series.loads.levels().next() };
    let all_broken = rules.iter().all(|rule| points.iter().any(|point| breaks(point, rule)));
    let settled = all_broken && (plan.goal == KneeGoal::Rules || has_peak(&points));
    if settled {
        return None;
    }
    series.loads.levels().find(|level| level.value > last.load().value)
}

/// Whether the two highest loads differ by less than [`PEAK_GAIN_MIN`], or throughput falls.
fn has_peak(points: &[&PointResult]) -> bool {
    match points {
        [.., before, last] => last.iops.mean < before.iops.mean * (1.0 + PEAK_GAIN_MIN),
        _ => false,
    }
}

/// A load that narrows the rule's bracket, unless its search has ended.
fn next_probe(
    series: &SeriesPlan,
    plan: &KneePlan,
    rule: &Rule,
    measured: &[&PointResult],
) -> Option<LoadLevel> {
    if search_end(series, plan, rule, measured) != SearchEnd::Open {
        return None;
    }
    let points = sorted(measured);
    probe_between(&bracket(&points, rule)?, rule)
}

/// Where the line between the two sides crosses the rule, kept off both ends; `None` where there
/// is no level between them.
fn probe_between(bracket: &Bracket<'_>, rule: &Rule) -> Option<LoadLevel> {
    let (low, high) = (bracket.meets.load(), bracket.breaks.load());
    let limit = rule.limit.as_millis_f64();
    let response = |point: &PointResult| point.latency_ms.of(rule.metric);
    let (below, above) = (response(bracket.meets), response(bracket.breaks));
    let part = match above > limit {
        true => ((limit - below) / (above - below)).clamp(MARGIN, 1.0 - MARGIN),
        // Broken by overload alone: its response time says nothing.
        false => 0.5,
    };
    let exact = low.value + part * (high.value - low.value);
    let value =
        if low.unit.is_whole() { whole_between(exact, low.value, high.value)? } else { exact };
    let apart = low.unit == LoadUnit::OutstandingIos || high.value - low.value > 1e-3 * low.value;
    apart.then_some(LoadLevel { value, unit: low.unit })
}

/// The whole number nearest to `exact` that lies strictly between `low` and `high`.
fn whole_between(exact: f64, low: f64, high: f64) -> Option<f64> {
    (high - low > 1.5).then(|| exact.round().clamp(low + 1.0, high - 1.0))
}

/// Relative difference of two throughputs.
fn difference(a: &PointResult, b: &PointResult) -> f64 {
    let larger = a.iops.mean.max(b.iops.mean);
    if larger > 0.0 { (a.iops.mean - b.iops.mean).abs() / larger } else { 0.0 }
}
