//! Runs side by side as text: the tables with a row for every number, and how the conditions ended.

use std::collections::BTreeSet;
use std::ops::Range;

use kneepoint_core::analysis::comparison::{
    Bound, Check, ComparedFigure, Comparison, Difference, Gate, GateOutcome, Reading,
    SeriesComparison, UndecidedBecause,
};
use kneepoint_core::result::{Measure, Place, Quantity, Significance, ThroughputUnit};
use kneepoint_core::spec::factor::{Combination, combination_text};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::{Change, Level, Measured, MibPerS, Percentage, ResponseTime};
use kneepoint_core::words::rule::Metric;

use super::rule::within;
use super::table::{Align, TextTable};
use super::text::{Text, Width};

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Figures of whole series.
    Series,
    /// Every load as well.
    Points,
}

/// The treatment of a condition that cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undecided {
    /// It is reported.
    Passes,
    /// It counts as failed if it can be told nowhere: then nothing guards what it is about.
    FailsIfNowhere,
    /// It counts as failed, wherever it cannot be told.
    Fails,
}

/// The outcome of the checks of a gate.
#[derive(Debug)]
pub(crate) struct GateJudgement<'a> {
    undecided: Undecided,
    /// The conditions that could be told nowhere.
    nowhere: BTreeSet<&'a str>,
}

impl<'a> GateJudgement<'a> {
    pub(crate) fn of(gate: &'a Gate, undecided: Undecided) -> Self {
        Self { undecided, nowhere: gate.undecided_conditions().into_iter().collect() }
    }

    /// What a check counts as.
    pub(crate) fn outcome(&self, check: &Check) -> GateOutcome {
        let fails = match self.undecided {
            Undecided::Passes => false,
            Undecided::FailsIfNowhere => self.nowhere.contains(check.condition.as_str()),
            Undecided::Fails => true,
        };
        match check.outcome {
            GateOutcome::Undecided if fails => GateOutcome::Failed,
            outcome => outcome,
        }
    }
}

/// The whole comparison as text.
pub(crate) fn comparison_text(comparison: &Comparison, detail: Detail, width: Width) -> Text {
    let mut parts = vec![heading(comparison).into(), factors_text(comparison, width)];
    parts.push(rows_text(comparison, width, |series| &series.figures));
    parts.extend(overall_text(comparison).map(Text::from));
    if detail == Detail::Points {
        parts.push(rows_text(comparison, width, |series| &series.points));
    }
    parts.extend(reservations_text(comparison).map(Text::from));
    parts.extend(unpaired_text(comparison).map(Text::from));
    parts.push(reading_text(comparison).into());
    parts.extend(comparison.gate.as_ref().map(|gate| gate_text(comparison, gate).into()));
    Text::join(parts, "\n")
}

/// A table over several runs, which `of` makes for some of them: all in one where they fit side by
/// side, otherwise one below the other.
fn side_by_side(runs: Range<usize>, width: Width, of: impl Fn(Range<usize>) -> TextTable) -> Text {
    let chunks = |size: usize| -> Vec<TextTable> {
        runs.clone().step_by(size).map(|run| of(run..(run + size).min(runs.end))).collect()
    };
    let sizes = (1..=runs.len().max(1)).rev();
    let fits = |size: &usize| chunks(*size).iter().all(|table| table.fits(width));
    let tables = chunks(sizes.clone().find(fits).unwrap_or(1));
    Text::join(tables.iter().map(|table| table.fitted(width)).collect(), "\n")
}

/// The letter that stands for a run in the tables.
fn letter(run: usize) -> String {
    let letter = u8::try_from(run).ok().filter(|run| *run < 26).map(|run| char::from(b'A' + run));
    letter.map_or_else(|| format!("run {}", run + 1), String::from)
}

fn heading(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (index, run) in comparison.runs.iter().enumerate() {
        let label =
            if run.label.is_empty() { String::new() } else { format!(" \"{}\"", run.label) };
        let role = if index == 0 { ", the reference" } else { "" };
        let targets = run.targets.join(", ");
        let letter = letter(index);
        text.push_str(&format!(
            "{letter}: run {}{label}, {} on {targets}{role}\n",
            run.id, run.work
        ));
    }
    text
}

/// Which runs are simulated, and which of their models were never fitted; nothing of measured ones.
fn reality_text(comparison: &Comparison) -> String {
    let runs = comparison.runs.iter().enumerate();
    let simulated: Vec<String> =
        runs.filter(|(_, run)| run.is_simulated).map(|(index, _)| letter(index)).collect();
    if simulated.is_empty() {
        return String::new();
    }
    let verb = if simulated.len() == 1 { "is" } else { "are" };
    let systems: BTreeSet<&str> =
        comparison.runs.iter().flat_map(|run| &run.uncalibrated).map(String::as_str).collect();
    let mut text = format!(
        "{} {verb} simulated: intervals and significance allow for the sampling error of a model,\n\
         not for how far it is from a real system.\n",
        simulated.join(", ")
    );
    if !systems.is_empty() {
        let systems: Vec<&str> = systems.into_iter().collect();
        text.push_str(&format!("Never fitted to measurements: {}.\n", systems.join(", ")));
    }
    text
}

/// All series together; nothing where fewer than two have a number in common.
fn overall_text(comparison: &Comparison) -> Option<String> {
    let mut text = String::new();
    for overall in &comparison.overall {
        let what = match &overall.rule {
            Some(rule) => format!("sustained {}", within(rule)),
            None => "peak".to_owned(),
        };
        for (run, difference) in overall.differences.iter().enumerate() {
            let Some(difference) = difference else { continue };
            let interval = difference.interval_percent.map(interval_text);
            let interval = interval.map(|interval| format!(" ({interval})"));
            let undecided = match difference.undecided {
                0 => String::new(),
                count => format!(", {count} undecided"),
            };
            let bounded = match difference.bounded() {
                0 => String::new(),
                count => format!(" (without {count} of which only a bound is known)"),
            };
            text.push_str(&format!(
                "{}, {what}, geometric mean of {} series{bounded}: {}{}; significantly better {}, \
                 neither {}, worse {}{undecided}\n",
                letter(run),
                difference.series,
                Change(difference.percent),
                interval.unwrap_or_default(),
                difference.wins,
                difference.ties,
                difference.losses,
            ));
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The differences apart from the measurements.
fn factors_text(comparison: &Comparison, width: Width) -> Text {
    if comparison.factors.is_empty() {
        return "Plans, environments and targets show no difference: the same was measured again.\n"
            .into();
    }
    side_by_side(0..comparison.runs.len(), width, |runs| {
        let mut columns = vec![("What differs".to_owned(), Align::Left)];
        columns.extend(runs.clone().map(|run| (letter(run), Align::Left)));
        let mut table = TextTable::new(&columns);
        for factor in &comparison.factors {
            let values = factor.values[runs.clone()].iter();
            let values = values.map(|value| value.clone().unwrap_or_else(|| "-".to_owned()));
            table.row([factor.name.clone()].into_iter().chain(values).collect());
        }
        table
    })
}

/// Series that stand in the tables of only some runs, or in none.
fn unpaired_text(comparison: &Comparison) -> Option<String> {
    let lines: Vec<String> = comparison
        .unpaired
        .iter()
        .map(|series| {
            let missing: Vec<String> =
                series.missing_in.iter().map(|run| letter(*run as usize)).collect();
            format!("{} was not measured in {}\n", series.series, missing.join(", "))
        })
        .chain(comparison.series.iter().flat_map(|series| {
            series.profile_differences.iter().map(|difference| {
                format!("{}: the load profiles differ: {difference}\n", series.series)
            })
        }))
        .collect();
    (!lines.is_empty()).then(|| lines.concat())
}

/// How the columns are to be read.
fn reading_text(comparison: &Comparison) -> String {
    format!(
        "{}{}An interval holds for its own number alone.\n{}",
        significant_text(comparison),
        disturbed_text(comparison),
        reality_text(comparison)
    )
}

/// How many differences have this significance.
fn count_of(comparison: &Comparison, wanted: Significance) -> usize {
    let runs = 1..comparison.runs.len();
    let all = runs.flat_map(|run| comparison.differences(run));
    all.filter(|difference| difference.significance == wanted).count()
}

/// How many of the tests found a difference.
fn significant_text(comparison: &Comparison) -> String {
    let (figures, points) = (comparison.tests.figures, comparison.tests.points);
    let tests = figures + points;
    let (found, chance) = match count_of(comparison, Significance::Significant) {
        _ if tests == 0 => {
            return "No difference could be tested: no interval is known.\n".to_owned();
        }
        0 => ("None".to_owned(), ""),
        1 => ("1".to_owned(), "With 95 % confidence it is not chance.\n"),
        several => (several.to_string(), "With 95 % confidence none of them is chance.\n"),
    };
    let verb = if ["None", "1"].contains(&found.as_str()) { "is" } else { "are" };
    format!(
        "{found} of {tests} tested differences {verb} significant ({figures} of series, {points} of \
         single loads).\n{chance}"
    )
}

/// Of which differences nothing can be told because something disturbed the points; nothing where
/// there are none.
fn disturbed_text(comparison: &Comparison) -> String {
    let runs = 1..comparison.runs.len();
    let lost: Vec<String> =
        runs.clone().filter(|run| comparison.is_disturbed(*run)).map(letter).collect();
    if lost.len() == runs.len() {
        return "Whether the runs differ cannot be told: every number compared rests on points that \
                something else disturbed.\n"
            .to_owned();
    }
    match (lost.is_empty(), count_of(comparison, Significance::Disturbed)) {
        (true, 0) => String::new(),
        (true, 1) => {
            "1 difference cannot be told: something else disturbed its points.\n".to_owned()
        }
        (true, count) => {
            format!("{count} differences cannot be told: something else disturbed their points.\n")
        }
        (false, _) => format!(
            "Whether {} differ{} from {} cannot be told: every number compared rests on points that \
             something else disturbed.\n",
            lost.join(", "),
            if lost.len() == 1 { "s" } else { "" },
            letter(0)
        ),
    }
}

/// Column of what is compared.
const NUMBER: &str = "Number";

/// Column of the confidence intervals.
const INTERVAL: &str = "95 % interval";

/// Column of the changes that could have been told.
const DETECTABLE: &str = "would be from";

/// The figures of all runs, each against the first.
fn rows_text(
    comparison: &Comparison,
    width: Width,
    figures: fn(&SeriesComparison) -> &Vec<ComparedFigure>,
) -> Text {
    side_by_side(1..comparison.runs.len(), width, |runs| {
        let mut table = empty(&runs);
        for series in comparison.series.iter().filter(|series| !figures(series).is_empty()) {
            table.row(vec![series_name(&series.series, &series.factors)]);
            figures(series).iter().for_each(|figure| table.row(figure_row(series, figure, &runs)));
        }
        table
    })
}

/// The table for some runs and the reference.
fn empty(runs: &Range<usize>) -> TextTable {
    let mut columns = vec![(NUMBER.to_owned(), Align::Left), (letter(0), Align::Right)];
    for run in runs.clone() {
        columns.push((letter(run), Align::Right));
        columns.push(("change".to_owned(), Align::Right));
        columns.push((INTERVAL.to_owned(), Align::Left));
        columns.push(("significant".to_owned(), Align::Left));
        columns.push((DETECTABLE.to_owned(), Align::Right));
    }
    let mut table = TextTable::new(&columns);
    if runs.len() == 1 {
        table.can_spare(&[DETECTABLE, INTERVAL]);
        table.may_break(&[NUMBER]);
    }
    table
}

fn figure_row(
    series: &SeriesComparison,
    figure: &ComparedFigure,
    runs: &Range<usize>,
) -> Vec<String> {
    let reading = |run: usize| {
        let reading = figure.readings.get(run).and_then(Option::as_ref);
        let what = (figure.measure, series.load_unit);
        reading.map_or_else(nothing, |reading| value(what, reading))
    };
    let mut row = vec![format!("  {}", figure_name(series, figure)), reading(0)];
    for run in runs.clone() {
        row.push(reading(run));
        match figure.differences.get(run).and_then(Option::as_ref) {
            Some(difference) => row.extend([
                change(difference),
                interval(difference),
                significance(difference).to_owned(),
                detectable(difference),
            ]),
            None => row.extend([nothing(), nothing(), nothing(), String::new()]),
        }
    }
    row
}

fn nothing() -> String {
    "-".to_owned()
}

/// A series, with its factors where the plan gave it some.
fn series_name(series: &str, factors: &Combination) -> String {
    match factors.is_empty() {
        true => series.to_owned(),
        false => format!("{series} ({})", combination_text(factors)),
    }
}

/// The compared figure in words.
fn figure_name(series: &SeriesComparison, figure: &ComparedFigure) -> String {
    let quantity = match figure.measure.quantity {
        Quantity::Iops | Quantity::Throughput => "throughput".to_owned(),
        Quantity::Latency(Metric::Mean) => "mean response time".to_owned(),
        Quantity::Latency(metric) => metric.to_string(),
    };
    match (figure.measure.place, &figure.rule, figure.load) {
        (Place::Sustained, Some(rule), _) => format!("sustained {}", within(rule)),
        (Place::Sustained, None, _) => "sustained".to_owned(),
        (Place::Peak, ..) => "peak".to_owned(),
        (Place::EqualLoad, _, Some(load)) => {
            format!("{quantity} at {} {}", Level(load), series.load_unit.label_of(load))
        }
        (Place::EqualLoad, _, None) => match figure.load_count.unwrap_or(0) {
            1 => format!("{quantity} at 1 equal load"),
            count => format!("{quantity}, mean of {count} equal loads"),
        },
    }
}

fn value((measure, unit): (Measure, LoadUnit), reading: &Reading) -> String {
    let number = Measured { value: reading.value, ci95: reading.ci95 };
    let number = number.rounded(reading.bound.rounding());
    let number = match measure.quantity {
        Quantity::Iops => ThroughputUnit::under(unit).text(number),
        Quantity::Throughput => MibPerS(number).to_string(),
        Quantity::Latency(_) => ResponseTime(number).to_string(),
    };
    let mark = if reading.reservations.is_empty() { "" } else { " !" };
    format!("{}{number}{mark}", bound(reading.bound))
}

const fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::AtMost => "<= ",
        Bound::AtLeast => ">= ",
    }
}

/// The change in percent.
fn change(difference: &Difference) -> String {
    bounded_change(difference.bound, difference.percent)
}

/// A change in percent, which may be a bound.
fn bounded_change(of: Bound, percent: f64) -> String {
    format!("{}{}", bound(of), Change(percent).rounded(of.rounding()))
}

fn interval(difference: &Difference) -> String {
    difference.interval_percent.map_or_else(|| "unknown".to_owned(), interval_text)
}

/// An interval of a change.
fn interval_text([low, high]: [f64; 2]) -> String {
    format!("{} .. {}", Change(low), Change(high))
}

const fn significance(difference: &Difference) -> &'static str {
    match difference.significance {
        Significance::Significant => "yes",
        Significance::NotSignificant => "no",
        Significance::Disturbed => "disturbed",
        Significance::Unknown => "unknown",
    }
}

/// The smallest change that would have been significant, where none was.
fn detectable(difference: &Difference) -> String {
    let is_none = difference.significance == Significance::NotSignificant;
    let percent = difference.detectable_percent.filter(|_| is_none);
    percent.map_or_else(String::new, |percent| match percent {
        percent if percent > DETECTABLE_MAX_PERCENT => {
            format!("> {}", Percentage(DETECTABLE_MAX_PERCENT))
        }
        percent => Percentage(percent).to_string(),
    })
}

/// Where only a larger change would have been significant, how much larger says nothing.
const DETECTABLE_MAX_PERCENT: f64 = 100.0;

/// The points that numbers rest on although their verdict speaks against it, each once.
fn reservations_text(comparison: &Comparison) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for series in &comparison.series {
        for figure in series.figures.iter().chain(&series.points) {
            for (run, reading) in figure.readings.iter().enumerate() {
                for reservation in reading.iter().flat_map(|reading| &reading.reservations) {
                    let line = format!(
                        "! {}: numbers of {} rest on the point at {} {}, which is {}\n",
                        series_name(&series.series, &series.factors),
                        letter(run),
                        Level(reservation.load),
                        series.load_unit.label_of(reservation.load),
                        reservation.verdict.name(),
                    );
                    lines.push(line);
                }
            }
        }
    }
    (!lines.is_empty()).then(|| distinct(lines).concat())
}

/// Every check, and what came of all of them.
fn gate_text(comparison: &Comparison, gate: &Gate) -> String {
    let several = comparison.runs.len() > 2;
    let mut text = String::new();
    for check in &gate.checks {
        let run =
            if several { format!(" in {}", letter(check.run as usize)) } else { String::new() };
        text.push_str(&format!(
            "{}: {}{run}: {}\n",
            outcome_word(check.outcome),
            check_name(check),
            reason(check)
        ));
    }
    let count = |outcome| gate.checks.iter().filter(|check| check.outcome == outcome).count();
    text.push_str(&format!(
        "{} passed, {} failed, {} cannot be told\n",
        count(GateOutcome::Passed),
        count(GateOutcome::Failed),
        count(GateOutcome::Undecided)
    ));
    for condition in gate.undecided_conditions() {
        text.push_str(&format!(
            "undecided: '{condition}' could be told nowhere; that fails unless --allow-undecided \
             accepts it\n"
        ));
    }
    text
}

const fn outcome_word(outcome: GateOutcome) -> &'static str {
    match outcome {
        GateOutcome::Passed => "passed",
        GateOutcome::Failed => "failed",
        GateOutcome::Undecided => "cannot tell",
    }
}

/// The condition with the series and the rule that it was compared with.
pub(super) fn check_name(check: &Check) -> String {
    let series = series_name(&check.series, &check.factors);
    let rule = check.rule.as_ref().map(|rule| format!(" at {rule}")).unwrap_or_default();
    format!("{series}, {}{rule}", check.condition)
}

/// The reason for the outcome of a check, or why there is none.
pub(super) fn reason(check: &Check) -> String {
    let because = check.because.map(|because| match because {
        UndecidedBecause::TooUncertain => {
            "the interval does not lie on one side of the limit; measure longer or more often"
        }
        UndecidedBecause::NoInterval => {
            "there is no confidence interval; measure longer, percentiles with --repeat"
        }
        UndecidedBecause::Disturbed => {
            "it rests on a point that something else disturbed; measure again"
        }
        UndecidedBecause::Missing => "not measured in both runs at the same load",
        UndecidedBecause::NoReference => "the reference has no usable point",
        UndecidedBecause::AllFailed => "no point of the run is usable",
        UndecidedBecause::OnlyBounded => {
            "the rule is not crossed within the loads that were measured"
        }
    });
    let parts = [number(check), because.map(str::to_owned), detectable_beyond(check)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The change with its interval.
fn number(check: &Check) -> Option<String> {
    let change = bounded_change(check.bound?, check.percent?);
    let interval = check.interval_percent.map(|interval| format!(" ({})", interval_text(interval)));
    Some(format!("{change}{}", interval.unwrap_or_default()))
}

/// The smallest change that could have been told, where none was.
fn detectable_beyond(check: &Check) -> Option<String> {
    let is_uncertain = check.because == Some(UndecidedBecause::TooUncertain);
    let percent = check.detectable_percent.filter(|_| is_uncertain)?;
    Some(format!("a change of {} beyond the limit would be told", Percentage(percent)))
}
