//! A run seen for reading: its series and groups of series, what a series is judged by, and what
//! the plan says of it.

use std::collections::BTreeMap;

use kneepoint_core::analysis::merged_points;
use kneepoint_core::measure::search::is_visited;
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    DoubtAbout, Estimate, IntervalResult, Overload, Peak, PointResult, RunDocument,
    SaturationStatus, Summary, Sustained, SustainedStatus, TargetEnvironment, ThroughputUnit,
    Verdict,
};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::{LoadPer, LoadUnit};
use kneepoint_core::words::number::Measured;
use kneepoint_core::words::rule::{Metric, Rule};
use serde_json::Value;

use super::trust;
use crate::language::Language;
use crate::language::texts::findings::LoadOf;
use crate::language::texts::{abstract_text, common, figures, front};
use crate::page::{Text, numbered_id};

/// A run, arranged for reading.
#[derive(Debug)]
pub(super) struct RunView<'a> {
    /// Language of the report.
    pub(super) language: Language,
    pub(super) document: &'a RunDocument,
    /// The plan's part on each series.
    planned: BTreeMap<&'a str, &'a Value>,
    /// Every series of the run in the order of first appearance.
    pub(super) series: Vec<SeriesView<'a>>,
    /// Every rule in the order of first appearance, as typed.
    pub(super) rules: Vec<&'a str>,
}

/// One series of a run.
#[derive(Debug)]
pub(super) struct SeriesView<'a> {
    /// Language of the report.
    pub(super) language: Language,
    pub(super) name: &'a str,
    /// Id of the series' section.
    pub(super) id: String,
    /// The load profile.
    pub(super) profile: &'a str,
    /// All points by rising load; of one load in the order measured.
    pub(super) points: Vec<&'a PointResult>,
    /// The points that curves go through, by rising load: none that failed, and the mean of several
    /// measurements of one load.
    pub(super) curve: Vec<PointResult>,
    /// All points in the order in which they were measured.
    pub(super) in_order: Vec<&'a PointResult>,
    /// The series read off at every rule.
    pub(super) summaries: Vec<&'a Summary>,
    pub(super) judge: PrimaryMetric,
    pub(super) unit: TimeUnit,
}

/// Series of one load profile.
#[derive(Debug)]
pub(super) struct Group<'s, 'a> {
    pub(super) profile: &'a str,
    pub(super) series: Vec<&'s SeriesView<'a>>,
}

/// Whether copies of programs were measured in passes over all of them.
fn has_passes(document: &RunDocument) -> bool {
    let least = document.plan.pointer("/timing/stop/rounds/passes_min");
    least.and_then(serde_json::Value::as_u64).is_some_and(|least| least > 0)
}

impl<'a> RunView<'a> {
    pub(super) fn new(document: &'a RunDocument, language: Language) -> Self {
        let points = document.points.iter().map(|point| point.series.as_str());
        let summaries = document.analysis.summaries.iter().map(|summary| summary.series.as_str());
        // Each pass has its own order, which says nothing.
        let names = match has_passes(document) {
            true => distinct(summaries.chain(points)),
            false => distinct(points.chain(summaries)),
        };
        let mut points = by_name(&document.points, |point| &point.series);
        let mut summaries = by_name(&document.analysis.summaries, |summary| &summary.series);
        let series = names.into_iter().enumerate().map(|(index, name)| {
            let points = points.remove(name).unwrap_or_default();
            let summaries = summaries.remove(name).unwrap_or_default();
            SeriesView::new(language, (index, name), points, summaries)
        });
        Self {
            language,
            document,
            planned: planned_series(&document.plan),
            series: series.collect(),
            rules: distinct(
                document.analysis.summaries.iter().map(|summary| summary.rule.as_str()),
            ),
        }
    }

    pub(super) fn targets(&self) -> &'a [TargetEnvironment] {
        &self.document.environment.targets
    }

    /// Series by load profile, in the order of first appearance.
    pub(super) fn groups(&self) -> Vec<Group<'_, 'a>> {
        let profiles = distinct(self.series.iter().map(|series| series.profile));
        let mut series = by_name(&self.series, |series| series.profile);
        let group = |profile| Group { profile, series: series.remove(profile).unwrap_or_default() };
        profiles.into_iter().map(group).collect()
    }

    /// The plan's part on a series.
    pub(super) fn planned(&self, series: &SeriesView<'_>) -> Option<&'a Value> {
        self.planned.get(series.name).copied()
    }

    /// The rules that `series` has as its own, in place of those of the plan.
    pub(super) fn own_rules(&self, series: &SeriesView<'_>) -> Vec<&'a str> {
        let planned = self.planned(series);
        let rules = planned.into_iter().flat_map(|planned| list(planned, "/together/rules"));
        rules.filter_map(Value::as_str).collect()
    }

    /// Whether a series has its own rules.
    pub(super) fn has_own_rules(&self) -> bool {
        self.series.iter().any(|series| !self.own_rules(series).is_empty())
    }

    /// The first rule, if it is that of all series.
    pub(super) fn common_rule(&self) -> Option<&'a str> {
        let first = self.rules.first().copied();
        let mut own = self.series.iter().filter_map(SeriesView::first_rule);
        first.filter(|first| own.all(|own| own == *first))
    }

    /// Title of the suite or profile.
    pub(super) fn title(&self) -> Option<&'a str> {
        text(&self.document.plan, "/title")
    }

    /// Whether copies of programs were measured in passes over all of them.
    pub(super) fn has_passes(&self) -> bool {
        has_passes(self.document)
    }

    /// True if the run is one of I/O, or measured nothing.
    pub(super) fn is_io(&self) -> bool {
        let points = &self.document.points;
        points.is_empty() || points.iter().any(|point| point.storage.is_some())
    }

    /// Number of points with a verdict.
    pub(super) fn count(&self, verdict: Verdict) -> usize {
        self.document.points.iter().filter(|point| point.verdict == verdict).count()
    }

    /// Number of points with a verdict that raises doubt.
    pub(super) fn suspect_count(&self) -> usize {
        SUSPECT.into_iter().map(|verdict| self.count(verdict)).sum()
    }

    /// The verdicts of the points that raise doubt: `drifting or failed`.
    pub(super) fn suspicions(&self) -> String {
        let there = SUSPECT.into_iter().filter(|verdict| self.count(*verdict) > 0);
        let words = there.map(|verdict| common::verdict(self.language, verdict).to_owned());
        common::either(self.language, &words.collect::<Vec<_>>())
    }

    /// Whether something disturbed every point that did not fail.
    pub(super) fn is_disturbed(&self) -> bool {
        let disturbed = self.count(Verdict::Disturbed);
        disturbed > 0 && disturbed + self.count(Verdict::Failed) == self.document.points.len()
    }

    /// Warnings of the run and of all points, each counted once.
    pub(super) fn warning_count(&self) -> usize {
        let of_points = self.document.points.iter().flat_map(|point| &point.warnings);
        let of_run = trust::of_run(self);
        let all = of_run.iter().chain(of_points);
        distinct(all.map(|warning| warning.text())).len()
    }

    /// How much of the plan was measured: `12 of 35 planned points`.
    pub(super) fn progress(&self) -> String {
        let measured = self.document.points.len();
        let planned = planned_points(&self.document.plan).filter(|planned| *planned > measured);
        abstract_text::progress(self.language, measured, planned)
    }

    /// The small print of every figure: which run it shows.
    pub(super) fn source(&self) -> String {
        let source = figures::source(self.language, &self.document.run.id);
        match self.stamp() {
            "" => source,
            stamp => format!("{source}, {stamp}"),
        }
    }

    /// Whether loads were visited, several times for a short time each.
    pub(super) fn is_visited(&self) -> bool {
        self.series.iter().any(|series| is_visited(&series.points))
    }

    /// That loads are those of each target, where there are several: of a setting that varies their
    /// number, from the fewest to the most.
    pub(super) fn loads_of_each(&self) -> Option<String> {
        let counts = || self.document.points.iter().map(|point| point.targets.len());
        let (least, most) = (counts().min()?, counts().max()?);
        let count = |count| self.language.count(count);
        let targets = match least == most {
            true => count(most),
            false => common::range(self.language, &count(least), &count(most)),
        };
        (most > 1).then(|| common::loads_of_each(self.language, &targets))
    }

    /// The word for numbers that no device gave; empty for those that one did.
    pub(super) fn stamp(&self) -> &'static str {
        match self.targets().iter().any(|target| target.kind == TargetKind::Sim) {
            true => front::stamp_simulated(self.language),
            false => "",
        }
    }
}

impl<'a> SeriesView<'a> {
    /// The series `name`, the one at `index`, from its points in the order measured.
    fn new(
        language: Language,
        (index, name): (usize, &'a str),
        in_order: Vec<&'a PointResult>,
        summaries: Vec<&'a Summary>,
    ) -> Self {
        let mut points = in_order.clone();
        points.sort_by(|a, b| a.load.value.total_cmp(&b.load.value));
        let profile = points.first().map(|point| point.profile.as_str());
        Self {
            language,
            name,
            id: numbered_id("series", index, name),
            profile: profile.unwrap_or_else(|| name.split('/').next().unwrap_or(name)),
            judge: PrimaryMetric::of(points.first().copied()),
            unit: TimeUnit::of(points.iter().map(|point| point.latency_ms.mean)),
            curve: curve(&points),
            points,
            in_order,
            summaries,
        }
    }

    /// The points that curves go through, by rising load.
    pub(super) fn curve(&self) -> Vec<&PointResult> {
        self.curve.iter().collect()
    }

    /// The name without the settings in brackets.
    pub(super) fn base_name(&self) -> &'a str {
        self.name.split(" [").next().unwrap_or(self.name)
    }

    /// The name, which leads to the section.
    pub(super) fn link(&self) -> Text {
        Text::new().link(self.name, &self.id)
    }

    /// How often loads were measured: the one measured least often, and the one measured most often.
    pub(super) fn repetitions(&self) -> [usize; 2] {
        let counts = || self.points.chunk_by(|a, b| a.load == b.load).map(<[_]>::len);
        [counts().min().unwrap_or(0), counts().max().unwrap_or(0)]
    }

    /// Whether the series drifts at a load.
    pub(super) fn drifts_at(&self, load: f64) -> bool {
        let mut at_load = self.curve.iter().filter(|point| point.load.value == load);
        at_load.any(|point| point.verdict == Verdict::Drifting)
    }

    /// The peak of the series.
    pub(super) fn peak(&self) -> Option<Peak> {
        self.summaries.iter().find_map(|summary| summary.peak)
    }

    /// Whether the saturation knee was not reached: throughput still rises at the highest load.
    pub(super) fn is_rising(&self) -> bool {
        let mut knees = self.summaries.iter().filter_map(|summary| summary.saturation);
        knees.any(|knee| knee.status == SaturationStatus::Rising)
    }

    /// The throughput sustained at a rule as it is printed: with no more digits than the peak has where it
    /// would read as more than the peak.
    pub(super) fn printed_sustained(&self, found: &Sustained) -> Option<Estimate> {
        let value = self.judge.sustained(found)?;
        let Some(peak) = self.peak().map(|peak| self.judge.peak(&peak)) else { return Some(value) };
        let coarse = Estimate { mean: value.mean, ..peak };
        let print = |estimate: Estimate| self.language.rate(estimate);
        let is_printed_alike = print(coarse) == print(peak);
        Some(if is_printed_alike && peak.ci95 > value.ci95 { coarse } else { value })
    }

    /// Why the throughput sustained at a rule, or the peak, is to be read with a reservation, if it is; a
    /// disturbance before anything else.
    pub(super) fn reservation(&self, rule: Option<&str>) -> Option<Verdict> {
        let about = if rule.is_some() { DoubtAbout::Sustained } else { DoubtAbout::Peak };
        let of_rule = |summary: &&&Summary| rule.is_none_or(|rule| summary.rule == rule);
        let doubts = self.summaries.iter().filter(of_rule).flat_map(|summary| &summary.doubts);
        let verdicts = doubts.filter(|doubt| doubt.about == about).map(|doubt| doubt.verdict);
        verdicts.max_by_key(|verdict| *verdict == Verdict::Disturbed)
    }

    /// The rule that its numbers are read at first.
    pub(super) fn first_rule(&self) -> Option<&'a str> {
        self.summaries.first().map(|summary| summary.rule.as_str())
    }

    /// Whether that number rests on a point that something disturbed.
    pub(super) fn is_disturbed(&self, rule: Option<&str>) -> bool {
        self.reservation(rule) == Some(Verdict::Disturbed)
    }

    /// The throughput of a series that was measured at one load, with what varies between repetitions.
    pub(super) fn at_only_load(&self) -> Option<Estimate> {
        let point = self.curve.first()?;
        let peak = self.peak().map(|peak| self.judge.peak(&peak));
        Some(peak.unwrap_or_else(|| self.judge.estimate(point)))
    }

    /// What is left of the peak beyond the saturation knee.
    pub(super) fn overload(&self) -> &'a [Overload] {
        self.summaries.first().map_or(&[], |summary| &summary.overload)
    }

    /// The unit of the rates.
    pub(super) fn rate_unit(&self) -> ThroughputUnit {
        self.points.first().map_or(ThroughputUnit::Iops, |point| point.rate.unit)
    }

    /// How many targets each point had, if there were several: loads are those of each.
    pub(super) fn target_count(&self) -> Option<usize> {
        if self.load_unit().per() == LoadPer::Run {
            return None;
        }
        let most = self.points.iter().map(|point| point.targets.len()).max()?;
        (most > 1).then_some(most)
    }

    /// The load of all targets together, where that is another than that of each.
    pub(super) fn total_load(&self, load: f64) -> Option<String> {
        let count = self.target_count()?;
        Some(self.language.level(load * count as f64))
    }

    /// A load behind a preposition; with several targets the number for each and that for all, whose
    /// unit is in the head of the table.
    pub(super) fn at_load(&self, load: f64) -> String {
        match self.total_load(load) {
            Some(total) => {
                common::each_and_total(self.language, &self.language.level(load), &total)
            }
            None => common::at_load(self.language, load, self.load_unit()),
        }
    }

    /// What the loads are of.
    pub(super) fn load_of(&self) -> LoadOf {
        if self.target_count().is_some() { LoadOf::Each } else { LoadOf::All }
    }

    /// A load with its unit behind a preposition: with several targets that of each, which it says.
    pub(super) fn at_load_of_each(&self, load: f64) -> String {
        let words = common::at_load(self.language, load, self.load_unit());
        self.load_of().words(self.language, words)
    }

    /// The title of the loads: with several targets those of each.
    pub(super) fn load_title(&self) -> String {
        let title = common::load_title(self.language, self.load_unit());
        match self.target_count() {
            Some(_) => common::each_target(self.language, title),
            None => title.to_owned(),
        }
    }

    /// The unit of the load levels.
    pub(super) fn load_unit(&self) -> LoadUnit {
        let summary = self.summaries.first().map(|summary| summary.load_unit);
        let point = self.points.first().map(|point| point.load.unit);
        point.or(summary).unwrap_or(LoadUnit::OutstandingIos)
    }
}

/// Verdicts that raise doubt.
const SUSPECT: [Verdict; 3] = [Verdict::Drifting, Verdict::Failed, Verdict::Disturbed];

/// Whether a point of this verdict should be measured again.
pub(super) fn is_suspect(verdict: Verdict) -> bool {
    SUSPECT.contains(&verdict)
}

/// The usable points of a series, of repeated ones their mean.
fn curve(points: &[&PointResult]) -> Vec<PointResult> {
    let Some(first) = points.first() else { return Vec::new() };
    let same: Vec<&PointResult> =
        points.iter().copied().filter(|point| point.key() == first.key()).collect();
    let mut curve = merged_points(&same);
    curve.retain(|point| point.latency_ms.mean > 0.0);
    curve
}

/// The items of each name, in their order.
pub(super) fn by_name<'i, 'n, T>(
    items: &'i [T],
    name: impl Fn(&'i T) -> &'n str,
) -> BTreeMap<&'n str, Vec<&'i T>> {
    let mut by_name: BTreeMap<&str, Vec<&T>> = BTreeMap::new();
    for item in items {
        by_name.entry(name(item)).or_default().push(item);
    }
    by_name
}

/// The throughput that a series is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PrimaryMetric {
    /// Operations per second, in this unit.
    Rate(ThroughputUnit),
    /// MiB per second: sequential access prevails.
    Volume,
}

impl PrimaryMetric {
    /// Every one, in the order of figures.
    pub(super) const ALL: [Self; 4] = [
        Self::Rate(ThroughputUnit::Iops),
        Self::Rate(ThroughputUnit::OperationsPerS),
        Self::Rate(ThroughputUnit::Ratio),
        Self::Volume,
    ];

    /// How a series is judged that has this point: sequential access by the bytes that it moves.
    pub(super) fn of(point: Option<&PointResult>) -> Self {
        match point {
            Some(point) if point.is_sequential() => Self::Volume,
            Some(point) => Self::Rate(point.rate.unit),
            None => Self::Rate(ThroughputUnit::Iops),
        }
    }

    /// The unit.
    pub(super) const fn unit(self) -> &'static str {
        match self {
            Self::Rate(unit) => unit.symbol(),
            Self::Volume => ThroughputUnit::MibPerS.symbol(),
        }
    }

    /// The one of both that the series is judged by.
    pub(super) fn choose<T>(self, rate: T, volume: Option<T>) -> Option<T> {
        match self {
            Self::Rate(_) => Some(rate),
            Self::Volume => volume,
        }
    }

    /// The point's throughput.
    pub(super) fn estimate(self, point: &PointResult) -> Estimate {
        self.choose(point.rate, point.volume).unwrap_or_default().estimate()
    }

    /// The throughput of an interval.
    pub(super) fn interval(self, interval: &IntervalResult) -> f64 {
        self.choose(interval.rate, interval.volume).unwrap_or_default()
    }

    /// The sustained throughput with its interval, if it is more than a bound.
    pub(super) fn sustained(self, sustained: &Sustained) -> Option<Estimate> {
        let found = sustained.met()?;
        self.choose(found.rate?, found.volume)
    }

    /// The bound of the sustained throughput, if only a bound is known.
    pub(super) fn bound(self, sustained: &Sustained) -> Option<Estimate> {
        let (rate, volume) = sustained.bound()?.throughput();
        self.choose(rate, volume)
    }

    /// The bound with its sign and unit: `≥ 84,610 IO/s`.
    pub(super) fn bounded(self, language: Language, sustained: &Sustained) -> Option<String> {
        let bound = Measured::from(self.bound(sustained)?).rounded(sustained.status.rounding());
        Some(format!("{} {}", sign(sustained.status), self.print(language, bound)))
    }

    /// The peak throughput with its interval.
    pub(super) fn peak(self, peak: &Peak) -> Estimate {
        self.choose(peak.rate, peak.volume).unwrap_or_default()
    }

    /// A throughput with its unit: `14,320 IO/s`.
    pub(super) fn print(self, language: Language, value: impl Into<Measured>) -> String {
        match self {
            Self::Rate(unit) => language.throughput(value, unit),
            Self::Volume => language.mib_per_s(value),
        }
    }
}

/// The response time that a rule looks at, and its limit in milliseconds, if that is a fixed one.
pub(super) fn line_ms(rule: &str) -> Option<(Metric, f64)> {
    rule.parse::<Rule>().ok()?.line_ms()
}

/// The sign of a bound.
pub(super) const fn sign(status: SustainedStatus) -> &'static str {
    match status {
        SustainedStatus::NoneMeets => "<",
        SustainedStatus::AllMeet => "≥",
        SustainedStatus::Met | SustainedStatus::Unknown => "",
    }
}

/// The unit that response times of a table or figure are given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
}

impl TimeUnit {
    /// Microseconds where every one of the `means` (in milliseconds) is below a millisecond.
    pub(super) fn of(means: impl IntoIterator<Item = f64>) -> Self {
        let largest = means.into_iter().fold(0.0, f64::max);
        if largest > 0.0 && largest < 1.0 { Self::Us } else { Self::Ms }
    }

    /// Its symbol.
    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Self::Us => "µs",
            Self::Ms => "ms",
        }
    }

    /// A quantity with this unit: `Response time in ms`.
    pub(super) fn title(self, what: &str) -> String {
        format!("{what} in {}", self.symbol())
    }

    /// A time in milliseconds as a number of this unit.
    pub(super) fn convert(self, ms: f64) -> f64 {
        match self {
            Self::Us => ms * 1e3,
            Self::Ms => ms,
        }
    }

    /// A time in milliseconds as it is in a column of this unit.
    pub(super) fn print(self, language: Language, ms: impl Into<Measured>) -> String {
        let ms: Measured = ms.into();
        language.rate(match self {
            Self::Us => ms.scaled(1e3),
            Self::Ms => ms,
        })
    }
}

/// The text at a place of the plan, if there is any.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    value.pointer(pointer)?.as_str().filter(|text| !text.is_empty())
}

/// The number at a place of the plan, if there is one.
pub(super) fn number(value: &Value, pointer: &str) -> Option<f64> {
    value.pointer(pointer)?.as_f64()
}

/// The list at a place of the plan; empty if there is none.
pub(super) fn list<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

/// The plan's part on the first series of each name.
fn planned_series(plan: &Value) -> BTreeMap<&str, &Value> {
    let mut found = BTreeMap::new();
    for series in list(plan, "/series") {
        found.entry(text(series, "/name").unwrap_or_default()).or_insert(series);
    }
    found
}

/// Number of planned points; `None` if loads are searched for.
fn planned_points(plan: &Value) -> Option<usize> {
    let points = |series: &Value| match series.pointer("/search/knee") {
        Some(_) => None,
        None => Some(list(series, "/loads/levels").count()),
    };
    list(plan, "/series").map(points).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_of_any_shape_is_read_as_far_as_it_goes() {
        for plan in [Value::Null, json!([1, 2])] {
            assert_eq!((planned_series(&plan).len(), planned_points(&plan)), (0, Some(0)));
            assert_eq!(text(&plan, "/title"), None);
        }
        let plan = json!({
            "title": "A title",
            "series": [{"name": "a/8KiB", "loads": {"levels": [1.0, 2.0]},
                        "profile": {"title": "A", "range": {"start": 0.0, "end": 8.0}}}, 7],
        });
        assert_eq!(planned_points(&plan), Some(2));
        assert_eq!(text(&plan, "/title"), Some("A title"));
        assert_eq!(number(planned_series(&plan)["a/8KiB"], "/profile/range/end"), Some(8.0));
    }
}
