//! The knee: double the load until it is found, then narrow the bracket.
//!
//! Doubling goes over the series' levels, each about twice the one before. Where only the rules
//! matter it ends at the first level that breaks all of them; where the peak matters, too, it goes
//! on until throughput stops rising: until the last two levels are both less than 5 % above the
//! best one below them (the step of the Single Disk paper, 2011; two levels, so that one that came
//! out low ends nothing). Then each rule's bracket, the last level that meets it and the first that
//! breaks it, is narrowed at the load where the line between the two crosses the rule, until the
//! two throughputs differ by less than the tolerance, or the confidence intervals of the two sides
//! overlap: closer together they could not be told apart.
//!
//! Nothing is concluded from a point that something else disturbed: it is measured again, at most
//! [`AGAIN_MAX`] times. If it is still disturbed then, the search goes on without it. Only when a
//! second load stays disturbed as well does it take both as they are, and say so.

use super::settled::{Settled, settled};
use crate::plan::SeriesPlan;
use crate::result::{Estimate, PointResult};
use crate::spec::grid::{KneeGoal, KneePlan};
use crate::words::load::{LoadLevel, LoadUnit};
use crate::words::rule::Rule;

/// Loads with throughputs that differ by less than this are at the peak (Single Disk, 2011).
pub(super) const PEAK_GAIN_MIN: f64 = 0.05;

/// A new probe keeps at least this share of the bracket's width from both ends.
const MARGIN: f64 = 0.1;

/// Most loads that are probed between the levels for one rule. A line through two points finds the
/// rule in three or four; this ends a search that response times without order lead astray.
const PROBES_MAX: usize = 8;

/// So often a disturbed point that something would be concluded from is measured again.
pub(crate) const AGAIN_MAX: usize = 2;

/// The neighbouring points on either side of a rule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bracket<'a> {
    /// The highest load below the first violation.
    pub(super) meets: Settled<'a>,
    /// The lowest load that breaks the rule.
    pub(super) breaks: Settled<'a>,
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
    /// The confidence intervals of both sides overlap.
    Noise,
    /// There is no load between the two sides of the rule.
    Adjacent,
    /// [`PROBES_MAX`] loads were probed.
    Spent,
    /// The interval of the answer is as narrow as asked for.
    Known,
    /// The time for its answers is over.
    TimeUp,
    /// Something else disturbs most visits: more of them would tell no more.
    Disturbed,
    /// No operation says anything about the rule: none is of its class.
    Unjudged,
}

impl SearchEnd {
    /// Every end.
    pub const ALL: [Self; 11] = [
        Self::Open,
        Self::BelowFirst,
        Self::BeyondLast,
        Self::Close,
        Self::Noise,
        Self::Adjacent,
        Self::Spent,
        Self::Known,
        Self::TimeUp,
        Self::Disturbed,
        Self::Unjudged,
    ];

    /// The reason as a sentence's end: "stopped because ...".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Open => "it was interrupted",
            Self::BelowFirst => "the smallest load already breaks the rule",
            Self::BeyondLast => "the largest load still meets the rule",
            Self::Close => {
                "the throughputs on both sides of the rule are the same within the tolerance"
            }
            Self::Noise => "the confidence intervals on both sides of the rule overlap",
            Self::Adjacent => "there is no load between the two sides of the rule",
            Self::Spent => "enough loads were probed",
            Self::Known => "the interval of the answer is as narrow as asked for",
            Self::TimeUp => "its time was over (a longer --max-time gives it more)",
            Self::Disturbed => "something else disturbs most of its visits",
            Self::Unjudged => "no operation says anything about the rule",
        }
    }
}

/// Whether the target could not keep up with the rate that was offered.
pub(crate) fn is_overloaded(point: &PointResult) -> bool {
    point.open_loop.is_some_and(|open| open.overloaded)
}

/// Whether a point breaks a rule; an overloaded point breaks every rule. What cannot be judged, for
/// want of the reference or of operations of the class, breaks none.
pub(crate) fn breaks(point: &PointResult, rule: &Rule) -> bool {
    let judged = rule.value_ms(point).zip(rule.limit.as_millis_f64());
    is_overloaded(point) || judged.is_some_and(|(value, limit)| value > limit)
}

/// The bracket of `rule` among points of one series, by rising load.
pub(super) fn bracket<'a>(points: &[Settled<'a>], rule: &Rule) -> Option<Bracket<'a>> {
    let first = points.iter().position(|settled| breaks(settled.point, rule))?;
    let below = first.checked_sub(1)?;
    Some(Bracket { meets: points[below], breaks: points[first] })
}

/// A search of one series, as far as it has come.
pub(super) struct Search<'a> {
    series: &'a SeriesPlan,
    plan: &'a KneePlan,
    /// What is concluded from.
    points: Vec<Settled<'a>>,
    /// The highest load that was measured.
    highest: Option<f64>,
}

impl<'a> Search<'a> {
    /// The search that `measured` points of the series belong to.
    pub(super) fn new(
        series: &'a SeriesPlan,
        plan: &'a KneePlan,
        measured: &[&'a PointResult],
    ) -> Self {
        let all = settled(measured);
        let highest = all.last().map(|settled| settled.point.load.value);
        let given_up = |settled: &&Settled<'_>| settled.is_disturbed() && settled.count > AGAIN_MAX;
        let usable: Vec<Settled<'_>> = match all.iter().filter(given_up).count() {
            1 => all.iter().filter(|settled| !given_up(settled)).copied().collect(),
            _ => all.clone(),
        };
        let is_at_end = highest >= series.loads.levels.last().copied();
        let points = if usable.is_empty() && is_at_end { all } else { usable };
        Self { series, plan, points, highest }
    }

    /// The rules with the limits that the points give them.
    fn resolved(&self, rule: &Rule) -> Rule {
        rule.resolved(self.points.iter().map(|settled| settled.point)).unwrap_or(*rule)
    }

    /// The next level to measure; `None` once every rule (and the peak) is settled.
    pub(super) fn next_level(&self, rules: &[Rule]) -> Option<LoadLevel> {
        let rules: Vec<Rule> = rules.iter().map(|rule| self.resolved(rule)).collect();
        let rules = rules.as_slice();
        self.next_doubling(rules).or_else(|| self.next_again(rules)).or_else(|| {
            match self.plan.goal {
                KneeGoal::Saturation => None,
                KneeGoal::Rules | KneeGoal::RulesAndPeak => {
                    rules.iter().find_map(|rule| self.next_probe(rule, rules.len()))
                }
            }
        })
    }

    /// Why the search for `rule`, one of `rule_count`, ended, or that it has not.
    pub(super) fn end(&self, rule: &Rule, rule_count: usize) -> SearchEnd {
        let (rule, points) = (&self.resolved(rule), &self.points);
        let (Some(first), Some(highest)) = (points.first(), self.highest) else {
            return SearchEnd::Open;
        };
        if breaks(first.point, rule) {
            return SearchEnd::BelowFirst;
        }
        let Some(bracket) = bracket(points, rule) else {
            let at_end = self.series.loads.levels.last();
            let at_end = at_end.is_none_or(|end| highest >= *end);
            return if at_end { SearchEnd::BeyondLast } else { SearchEnd::Open };
        };
        let (meets, breaks) = (bracket.meets.point, bracket.breaks.point);
        if probe_between(&bracket, rule).is_none() {
            SearchEnd::Adjacent
        } else if difference(meets, breaks) <= self.plan.tolerance.fraction() {
            SearchEnd::Close
        } else if is_within_noise(meets, breaks) {
            SearchEnd::Noise
        } else if self.probes() >= PROBES_MAX * rule_count.max(1) {
            SearchEnd::Spent
        } else {
            SearchEnd::Open
        }
    }

    /// The loads of disturbed points that the answer for `rule` rests on.
    pub(super) fn disturbed(&self, rule: &Rule) -> Vec<f64> {
        let evidence = self.evidence_of_rule(&self.resolved(rule));
        let disturbed = evidence.iter().filter(|settled| settled.is_disturbed());
        disturbed.map(|settled| settled.point.load.value).collect()
    }

    /// The next of the plan's levels, as long as a rule or the peak needs a higher load.
    fn next_doubling(&self, rules: &[Rule]) -> Option<LoadLevel> {
        let Some(highest) = self.highest else { return self.series.loads.levels().next() };
        let is_broken = |rule| self.points.iter().any(|settled| breaks(settled.point, rule));
        let all_broken = || rules.iter().all(is_broken);
        let is_settled = match self.plan.goal {
            KneeGoal::Rules => all_broken(),
            KneeGoal::RulesAndPeak => all_broken() && self.has_peak(),
            KneeGoal::Saturation => self.has_peak(),
        };
        let mut levels = self.series.loads.levels();
        levels.find(|level| !is_settled && level.value > highest)
    }

    /// Whether throughput has stopped rising: neither of the two highest loads gains
    /// [`PEAK_GAIN_MIN`] over all below them.
    fn has_peak(&self) -> bool {
        let [below @ .., before, last] = self.points.as_slice() else { return false };
        let iops = |settled: &Settled<'_>| settled.point.rate.mean;
        let best = below.iter().map(iops).fold(f64::NEG_INFINITY, f64::max);
        !below.is_empty() && iops(before).max(iops(last)) < best * (1.0 + PEAK_GAIN_MIN)
    }

    /// A disturbed point to measure again, because something would be concluded from it.
    fn next_again(&self, rules: &[Rule]) -> Option<LoadLevel> {
        let mut evidence = match self.plan.goal {
            KneeGoal::Rules => Vec::new(),
            KneeGoal::RulesAndPeak | KneeGoal::Saturation => self.evidence_of_peak(),
        };
        if self.plan.goal != KneeGoal::Saturation {
            evidence.extend(rules.iter().flat_map(|rule| self.evidence_of_rule(rule)));
        }
        let again = |settled: &&Settled<'_>| settled.is_disturbed() && settled.count <= AGAIN_MAX;
        evidence.iter().find(again).map(|settled| settled.point.load)
    }

    /// What says that throughput has stopped rising: the two highest loads and the best below.
    fn evidence_of_peak(&self) -> Vec<Settled<'a>> {
        let [below @ .., before, last] = self.points.as_slice() else {
            return self.points.clone();
        };
        let better = |best: Settled<'a>, next: Settled<'a>| {
            if next.point.rate.mean > best.point.rate.mean { next } else { best }
        };
        let best = below.iter().copied().reduce(better);
        best.into_iter().chain([*before, *last]).collect()
    }

    /// What says where `rule` is met: both sides of it, or the load at the end that decided.
    fn evidence_of_rule(&self, rule: &Rule) -> Vec<Settled<'a>> {
        match bracket(&self.points, rule) {
            Some(bracket) => vec![bracket.meets, bracket.breaks],
            None if self.points.first().is_some_and(|first| breaks(first.point, rule)) => {
                self.points.first().copied().into_iter().collect()
            }
            None => self.points.last().copied().into_iter().collect(),
        }
    }

    /// Loads between the plan's levels that were measured.
    fn probes(&self) -> usize {
        let levels = &self.series.loads.levels;
        let is_probe = |settled: &&Settled<'_>| !levels.contains(&settled.point.load.value);
        self.points.iter().filter(is_probe).count()
    }

    /// A load that narrows the rule's bracket, unless its search has ended.
    fn next_probe(&self, rule: &Rule, rule_count: usize) -> Option<LoadLevel> {
        if self.end(rule, rule_count) != SearchEnd::Open {
            return None;
        }
        probe_between(&bracket(&self.points, rule)?, rule)
    }
}

/// Where the line between the two sides crosses the rule, kept off both ends; `None` where there
/// is no level between them.
fn probe_between(bracket: &Bracket<'_>, rule: &Rule) -> Option<LoadLevel> {
    let (meets, breaks) = (bracket.meets.point, bracket.breaks.point);
    let (low, high) = (meets.load, breaks.load);
    let limit = rule.limit.as_millis_f64();
    let sides = rule.value_ms(meets).zip(rule.value_ms(breaks)).zip(limit);
    let part = match sides.filter(|((_, above), limit)| above > limit) {
        Some(((below, above), limit)) => {
            ((limit - below) / (above - below)).clamp(MARGIN, 1.0 - MARGIN)
        }
        // Broken by overload alone: its response time says nothing.
        None => 0.5,
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
    let larger = a.rate.mean.max(b.rate.mean);
    if larger > 0.0 { (a.rate.mean - b.rate.mean).abs() / larger } else { 0.0 }
}

/// Whether the confidence intervals of two points overlap: those of their mean response times, and
/// those of their throughputs if these are answers. An offered rate is none; an overloaded point
/// is beyond doubt.
fn is_within_noise(low: &PointResult, high: &PointResult) -> bool {
    let response =
        |point: &PointResult| Estimate { mean: point.latency_ms.mean, ci95: point.latency_ms.ci95 };
    let is_closed = low.load.unit == LoadUnit::OutstandingIos;
    let is_same_time = !is_overloaded(high) && overlap(response(low), response(high));
    is_same_time || is_closed && overlap(low.rate.estimate(), high.rate.estimate())
}

/// Whether two confidence intervals overlap; not where one is not known.
fn overlap(a: Estimate, b: Estimate) -> bool {
    match (a.ci95, b.ci95) {
        (Some(one), Some(other)) => (a.mean - b.mean).abs() < one + other,
        _ => false,
    }
}
