//! A run seen as series and groups of series.

use std::collections::BTreeMap;

use kneepoint_core::analysis::merged_points;
use kneepoint_core::result::{
    PointResult, RunDocument, Summary, TargetEnvironment, ThroughputUnit, Verdict,
};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadUnit;

use super::judge::{PrimaryMetric, TimeUnit};
use super::plan_facts::{PlanFacts, SeriesFacts};
use crate::language::Language;
use crate::language::texts;
use crate::page::slug;

/// A run, arranged for reading.
#[derive(Debug)]
pub(super) struct RunView<'a> {
    /// Language of the report.
    pub(super) language: Language,
    pub(super) document: &'a RunDocument,
    pub(super) plan: PlanFacts,
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

impl<'a> RunView<'a> {
    pub(super) fn new(document: &'a RunDocument, language: Language) -> Self {
        let points = document.points.iter().map(|point| point.series.as_str());
        let summaries = document.analysis.summaries.iter().map(|summary| summary.series.as_str());
        let names = distinct(points.chain(summaries));
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
            plan: PlanFacts::read(&document.plan),
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

    /// What the plan says of a series.
    pub(super) fn planned(&self, series: &SeriesView<'_>) -> Option<&SeriesFacts> {
        self.plan.of(series.name)
    }

    /// Whether the run is one of I/O, or measured nothing.
    pub(super) fn is_io(&self) -> bool {
        let points = &self.document.points;
        points.is_empty() || points.iter().any(|point| point.storage.is_some())
    }

    /// Number of points with a verdict.
    pub(super) fn count(&self, verdict: Verdict) -> usize {
        self.document.points.iter().filter(|point| point.verdict == verdict).count()
    }

    /// Warnings of the run and of all points.
    pub(super) fn warning_count(&self) -> usize {
        let points: usize = self.document.points.iter().map(|point| point.warnings.len()).sum();
        self.document.warnings.len() + points
    }

    /// How much of the plan was measured: `12 of 35 planned points`.
    pub(super) fn progress(&self) -> String {
        let measured = self.document.points.len();
        let planned = self.plan.points().filter(|planned| *planned > measured);
        texts::abstract_text::progress(self.language, measured, planned)
    }

    /// The small print of every figure: which run it shows.
    pub(super) fn source(&self) -> String {
        texts::figures::source(self.language, &self.document.run.id)
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
            id: format!("series-{}-{}", index + 1, slug(name)).trim_end_matches('-').into(),
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

    /// How often the load that was measured most often was measured.
    pub(super) fn repetitions(&self) -> usize {
        let runs = self.points.chunk_by(|a, b| a.load == b.load);
        runs.map(<[_]>::len).max().unwrap_or(0)
    }

    /// What the rates count.
    pub(super) fn rate_unit(&self) -> ThroughputUnit {
        self.points.first().map_or(ThroughputUnit::Iops, |point| point.rate.unit)
    }

    /// What the load levels count.
    pub(super) fn load_unit(&self) -> LoadUnit {
        let summary = self.summaries.first().map(|summary| summary.load_unit);
        let point = self.points.first().map(|point| point.load.unit);
        point.or(summary).unwrap_or(LoadUnit::OutstandingIos)
    }
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
