//! Conditions under which a comparison fails: a regression gate that knows what it cannot know.
//!
//! A condition such as `sustained.iops < -5%` is compared with every series (and every rule) in
//! every run but the reference, with one of three outcomes: the data show that the change is
//! beyond the limit, they show that it is not, or they do not tell.
//!
//! Many checks must not add up to a false alarm: that one of them fails is claimed by Holm's
//! procedure over all of them. That *all* of them pass is claimed only if each does, so no
//! correction is needed on that side (intersection-union test; R. L. Berger, Technometrics 24,
//! 1982).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::figure::{Change, PendingFigure, Spot};
use super::pairing::PairedSeries;
use super::ratio::{Ratio, adjusted};
use crate::analysis::curve::Curve;
use crate::analysis::mark::Bound;
use crate::result::{Measure, Place};
use crate::words::distinct::distinct;
use crate::words::fault::Fault;

/// An outcome is claimed where it is false with at most this probability.
const ALPHA_FAMILY: f64 = 0.05;

/// All conditions on all series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    /// The outcome of all checks together: failed if one failed, otherwise undecided if one is.
    pub outcome: GateOutcome,
    /// Every condition on every series, rule and run.
    pub checks: Vec<Check>,
}

impl Gate {
    /// The conditions that were decided nowhere, as they read in full, each once.
    pub fn undecided_conditions(&self) -> Vec<&str> {
        let decided = self.checks.iter().filter(|check| check.outcome != GateOutcome::Undecided);
        let decided: BTreeSet<&str> = decided.map(|check| check.condition.as_str()).collect();
        let conditions = self.checks.iter().map(|check| check.condition.as_str());
        distinct(conditions.filter(|condition| !decided.contains(condition)))
    }
}

/// How a check ended.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum GateOutcome {
    /// The change is within the limit, with 95 % confidence.
    Passed,
    /// The data do not tell.
    Undecided,
    /// The change is beyond the limit, with 95 % confidence for all checks together.
    Failed,
}

/// One condition on one number of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The condition, as it reads in full.
    pub condition: String,
    /// The series.
    pub series: String,
    /// The factors that the plan gave it.
    pub factors: BTreeMap<String, String>,
    /// The rule, as typed, for a sustained throughput.
    pub rule: Option<String>,
    /// Number of the run, counted from 0; the reference is 0.
    pub run: u32,
    /// How it ended.
    pub outcome: GateOutcome,
    /// Why it is undecided, or failed without a number; `null` otherwise.
    pub because: Option<UndecidedBecause>,
    /// The change in percent; `null` where there is none.
    pub percent: Option<f64>,
    /// Its 95 % confidence interval.
    pub interval_percent: Option<[f64; 2]>,
    /// Whether the change is known or only bounded.
    pub bound: Option<Bound>,
    /// The smallest change in percent that such a check would tell from none in 80 of 100 cases.
    pub detectable_percent: Option<f64>,
}

/// Why a check has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndecidedBecause {
    /// The confidence interval reaches over the limit.
    TooUncertain,
    /// There is no confidence interval: too short, or a percentile measured once.
    NoInterval,
    /// It rests on a point that something else disturbed.
    Disturbed,
    /// The run lacks the series, or the runs share no load.
    Missing,
    /// The reference has no usable point.
    NoReference,
    /// The run has no usable point where the reference has some; counts as failed.
    AllFailed,
    /// Only a bound of the change is known, and it does not settle the matter.
    OnlyBounded,
}

/// A check before all of them are compared with one another.
struct PendingCheck<'a> {
    condition: &'a Condition,
    check: Check,
    change: Option<Change>,
}

/// Checks `conditions` on all of `series`.
pub(super) fn judge(series: &[PairedSeries<'_>], conditions: &[Condition]) -> Result<Gate, Fault> {
    let mut drafts = Vec::new();
    for condition in conditions {
        let chosen: Vec<&PairedSeries<'_>> =
            series.iter().filter(|series| condition.concerns(series.name)).collect();
        if chosen.is_empty() {
            return Err(no_series(condition, series));
        }
        for series in chosen {
            for spot in spots(condition, series)? {
                drafts.extend(pending(condition, series, &spot));
            }
        }
    }
    Ok(finish(drafts))
}

fn no_series(condition: &Condition, series: &[PairedSeries<'_>]) -> Fault {
    let names: Vec<&str> = series.iter().map(|series| series.name).collect();
    Fault::new(format!("no series is meant by '{condition}'"))
        .because(format!("the runs share {}", names.join(", ")))
        .fix("name one of them before the colon, with * for any letters, or leave it out")
}

/// The numbers that a condition is about: a sustained throughput has one for every rule.
fn spots<'a>(condition: &Condition, series: &'a PairedSeries<'_>) -> Result<Vec<Spot<'a>>, Fault> {
    let Measure { place, quantity } = condition.measure;
    if place != Place::Sustained {
        return Ok(vec![Spot::whole(place, quantity, None)]);
    }
    if series.rules.is_empty() {
        return Err(Fault::new(format!("'{condition}' has no rule to be read off at"))
            .because(format!("the runs of {} have no rule", series.name))
            .fix("measure with --rule, or use peak.iops or iops"));
    }
    Ok(series.rules.iter().map(|rule| Spot::whole(place, quantity, Some(rule))).collect())
}

/// The condition at `spot` in every run but the reference.
fn pending<'a>(
    condition: &'a Condition,
    series: &PairedSeries<'_>,
    spot: &Spot<'_>,
) -> Vec<PendingCheck<'a>> {
    let draft = PendingFigure::of(series, spot);
    let run = |run: usize| {
        let change = draft.changes[run];
        let check = Check {
            condition: condition.to_string(),
            series: series.name.to_owned(),
            factors: series.factors.clone(),
            rule: spot.rule.map(ToString::to_string),
            run: run as u32,
            outcome: GateOutcome::Undecided,
            because: change.is_none().then(|| absence(series, &draft, run)),
            percent: change.map(|change| change.ratio.percent()),
            interval_percent: change.and_then(|change| change.ratio.interval_percent()),
            bound: change.map(|change| change.bound),
            detectable_percent: None,
        };
        PendingCheck { condition, check, change }
    };
    (1..series.curves.len()).map(run).collect()
}

/// Why there is no change to judge.
fn absence(series: &PairedSeries<'_>, draft: &PendingFigure, run: usize) -> UndecidedBecause {
    let is_empty = |run: usize| series.curves[run].as_ref().map(Curve::is_empty);
    match (is_empty(0), is_empty(run)) {
        (_, None) | (None, _) => UndecidedBecause::Missing,
        (Some(true), _) => UndecidedBecause::NoReference,
        (_, Some(true)) => UndecidedBecause::AllFailed,
        _ if draft.marks[0].is_some() && draft.marks[run].is_some() => {
            UndecidedBecause::OnlyBounded
        }
        _ => UndecidedBecause::Missing,
    }
}

/// Decides all checks, failures by Holm's procedure over all of them.
fn finish(pending: Vec<PendingCheck<'_>>) -> Gate {
    let beyond: Vec<f64> = pending.iter().map(|pending| beyond(pending).unwrap_or(1.0)).collect();
    let level = ALPHA_FAMILY / beyond.len().max(1) as f64;
    let decided = pending.into_iter().zip(adjusted(&beyond));
    let checks: Vec<Check> = decided
        .map(|(pending, p_beyond)| {
            let (outcome, because) = decide(&pending, p_beyond);
            // One-sided, so the tail of a test to both sides is twice as large.
            let detectable_percent =
                pending.change.and_then(|change| change.ratio.detectable_percent(2.0 * level));
            Check { outcome, because, detectable_percent, ..pending.check }
        })
        .collect();
    let outcome = checks.iter().map(|check| check.outcome).max().unwrap_or(GateOutcome::Passed);
    Gate { outcome, checks }
}

/// Probability of such data where the change is just at the limit: evidence that it is beyond.
/// `None` where the data cannot show that.
fn beyond(pending: &PendingCheck<'_>) -> Option<f64> {
    let change = pending.change.filter(|change| change.shift.is_finite())?;
    let side = pending.condition.side;
    let shows = matches!(
        (side, change.bound),
        (_, Bound::Exact) | (Side::Below, Bound::AtMost) | (Side::Above, Bound::AtLeast)
    );
    shows.then(|| p_value(&change, pending.condition, side)).flatten()
}

/// The same for a change within the limit.
fn within(change: &Change, condition: &Condition) -> Option<f64> {
    let side = condition.side;
    let shows = matches!(
        (side, change.bound),
        (_, Bound::Exact) | (Side::Below, Bound::AtLeast) | (Side::Above, Bound::AtMost)
    );
    shows.then(|| p_value(change, condition, side.opposite())).flatten()
}

fn p_value(change: &Change, condition: &Condition, side: Side) -> Option<f64> {
    // What something else can have changed counts against the claim.
    let against = match side {
        Side::Below => change.shift,
        Side::Above => -change.shift,
    };
    let ratio = Ratio { log: change.ratio.log + against, ..change.ratio };
    ratio.p_value_beyond(condition.limit_percent, side)
}

fn decide(pending: &PendingCheck<'_>, p_beyond: f64) -> (GateOutcome, Option<UndecidedBecause>) {
    let Some(change) = &pending.change else {
        let because = pending.check.because;
        return match because {
            Some(UndecidedBecause::AllFailed) => (GateOutcome::Failed, because),
            _ => (GateOutcome::Undecided, because),
        };
    };
    if change.shift.is_infinite() {
        return (GateOutcome::Undecided, Some(UndecidedBecause::Disturbed));
    }
    if change.ratio.spread.is_none() {
        return (GateOutcome::Undecided, Some(UndecidedBecause::NoInterval));
    }
    let p_within = within(change, pending.condition);
    match (p_beyond <= ALPHA_FAMILY, p_within.is_some_and(|p_value| p_value <= ALPHA_FAMILY)) {
        (true, _) => (GateOutcome::Failed, None),
        (false, true) => (GateOutcome::Passed, None),
        (false, false) if change.shift > 0.0 => {
            (GateOutcome::Undecided, Some(UndecidedBecause::Disturbed))
        }
        (false, false) if change.bound != Bound::Exact => {
            (GateOutcome::Undecided, Some(UndecidedBecause::OnlyBounded))
        }
        (false, false) => (GateOutcome::Undecided, Some(UndecidedBecause::TooUncertain)),
    }
}

/// A change that makes a comparison fail: `sustained.iops < -5%`, `latency.p99 > +10%`.
///
/// Before a colon may stand which series are meant, `*` for any letters: `database/*: iops < -5%`.
/// Without `<` or `>` the sign says the side: `iops -5%` fails below -5 %, `latency.mean +10%`
/// above +10 %.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// Which series; all of them where it is empty.
    series: String,
    /// The number that is compared.
    pub measure: Measure,
    /// On which side of the limit a change fails.
    pub side: Side,
    /// The limit of the change in percent, above -100.
    pub limit_percent: f64,
}

/// A side of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Less than the limit.
    Below,
    /// More than the limit.
    Above,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::Above => Self::Below,
        }
    }
}

impl Condition {
    /// Whether the condition is about the series called `name`.
    pub fn concerns(&self, name: &str) -> bool {
        self.series.is_empty() || matches(&self.series, name)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.series.is_empty() {
            write!(f, "{}: ", self.series)?;
        }
        let side = match self.side {
            Side::Below => '<',
            Side::Above => '>',
        };
        let sign = if self.limit_percent > 0.0 { "+" } else { "" };
        write!(f, "{} {side} {sign}{}%", self.measure, self.limit_percent)
    }
}

impl FromStr for Condition {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let bad = |why: String| {
            Fault::new(format!("'{text}' is not a condition"))
                .because(why)
                .fix("write it as 'sustained.iops < -5%', 'latency.p99 > +10%' or 'database/*: iops -5%'")
        };
        let (series, rest) = match text.rsplit_once(':') {
            Some((series, rest)) => (series.trim(), rest.trim()),
            None => ("", text.trim()),
        };
        if series.is_empty() && text.contains(':') {
            return Err(bad("there is no series before the colon".to_owned()));
        }
        let end = rest.find(|letter: char| letter.is_whitespace() || "<>+-".contains(letter));
        let (name, change) = rest.split_at(end.unwrap_or(rest.len()));
        let measure: Measure = name.parse().map_err(|fault: Fault| match fault.fix_hint() {
            Some(hint) => bad(format!("{fault}; {hint}")),
            None => bad(fault.to_string()),
        })?;
        let change = change.trim();
        let (side, number) = match change.chars().next() {
            Some('<') => (Some(Side::Below), &change[1..]),
            Some('>') => (Some(Side::Above), &change[1..]),
            _ => (None, change),
        };
        let limit_percent = limit(number.trim()).map_err(&bad)?;
        let side = match side {
            Some(side) => side,
            None if limit_percent < 0.0 => Side::Below,
            None if limit_percent > 0.0 => Side::Above,
            None => return Err(bad("0% has no side; write < 0% or > 0%".to_owned())),
        };
        Ok(Self { series: series.to_owned(), measure, side, limit_percent })
    }
}

/// A change in percent with its sign, above -100 % and up to 1,000,000 %.
fn limit(text: &str) -> Result<f64, String> {
    let Some(number) = text.strip_suffix('%') else {
        return Err(format!("'{text}' is no change in percent: the % is missing"));
    };
    let number = number.trim_end();
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    let is_plain = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let value: f64 = match number.parse() {
        Ok(value) if is_plain => value,
        _ => return Err(format!("'{number}' is no number")),
    };
    if digits.len() == number.len() && value != 0.0 {
        return Err(format!("'{number}%' has no sign; write +{number}% or -{number}%"));
    }
    if !(-99.999..=1e6).contains(&value) {
        return Err(format!(
            "{number}% is no change that can be beyond: it lies outside of -99.999% to +1000000%"
        ));
    }
    // Without the sign of a negative zero.
    Ok(value + 0.0)
}

/// Whether `name` is meant by `pattern`.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut next) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while next < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at + 1, next));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[next] => {
                at += 1;
                next += 1;
            }
            _ => match star {
                // The last star takes one letter more.
                Some((after, taken)) => {
                    star = Some((after, taken + 1));
                    (at, next) = (after, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn conditions_are_read_and_printed_in_full() {
        let check = |text: &str, printed: &str| {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), printed);
            assert_eq!(printed.parse::<Condition>().unwrap(), condition);
        };
        check("sustained.iops < -5%", "sustained.iops < -5%");
        check("iops -5%", "iops < -5%");
        check("iops<-5%", "iops < -5%");
        check("  latency.p99.9+10% ", "latency.p99.9 > +10%");
        check("latency.mean > 0%", "latency.mean > 0%");
        check("database/*: peak.iops < -2.5 %", "database/*: peak.iops < -2.5%");
        check("iops > -0%", "iops > 0%");
    }

    #[test]
    fn what_is_no_condition_is_refused_with_the_reason() {
        let check = |text: &str, why: &str| {
            let fault = text.parse::<Condition>().unwrap_err();
            assert!(fault.to_string().contains(why), "{fault}");
        };
        check("", "nothing that runs are compared by");
        check("speed < -5%", "sustained.iops");
        check("iops < 5", "% is missing");
        check("iops < 5%", "has no sign");
        check("iops 0%", "no side");
        check("iops < -100%", "no change that can be beyond");
        check("iops < -inf%", "no number");
        check(": iops -5%", "no series before the colon");
    }

    proptest! {
        #[test]
        fn any_text_is_a_condition_or_a_fault(text in ".{0,40}") {
            if let Ok(condition) = text.parse::<Condition>() {
                prop_assert_eq!(condition.to_string().parse::<Condition>().unwrap(), condition);
            }
        }

        #[test]
        fn every_condition_survives_printing(
            series in "[a-z*?/0-9]{0,12}",
            measure in proptest::sample::select(Measure::all().collect::<Vec<_>>()),
            is_below in any::<bool>(),
            limit_percent in -99.9..1000.0_f64,
        ) {
            let side = if is_below { Side::Below } else { Side::Above };
            let condition = Condition { series, measure, side, limit_percent };
            prop_assert_eq!(condition.to_string().parse::<Condition>().unwrap(), condition);
        }
    }

    #[test]
    fn stars_stand_for_any_letters() {
        let check = |pattern, name, expected| {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        };
        check("database/8KiB", "database/8KiB", true);
        check("database/*", "database/8KiB", true);
        check("*", "database/8KiB", true);
        check("*/?KiB", "database/8KiB", true);
        check("*/?KiB", "database/64KiB", false);
        check("*a*b*", "xxaxxbxx", true);
        check("*ab", "aab", true);
        check("data", "database/8KiB", false);
        check("", "database/8KiB", false);
        check("**", "", true);
    }
}
