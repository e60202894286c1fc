//! A run seen as series and groups of series.

use kneepoint_core::analysis::merged_points;
use kneepoint_core::load::LoadUnit;
use kneepoint_core::result::{PointResult, RunDocument, Summary, TargetEnvironment, Verdict};

use super::judge::{Judge, TimeUnit};
use super::plan_facts::{PlanFacts, SeriesFacts};
use crate::language::Language;
use crate::language::catalog::Catalog;
use crate::page::slug;

/// A run, arranged for reading.
#[derive(Debug)]
pub(super) struct Survey<'a> {
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
    pub(super) judge: Judge,
    pub(super) unit: TimeUnit,
}

/// Series of one load profile.
#[derive(Debug)]
pub(super) struct Group<'s, 'a> {
    pub(super) profile: &'a str,
    pub(super) series: Vec<&'s SeriesView<'a>>,
}

impl<'a> Survey<'a> {
    pub(super) fn new(document: &'a RunDocument, language: Language) -> Self {
        let points = document.points.iter().map(|point| point.series.as_str());
        let summaries = document.summaries.iter().map(|summary| summary.series.as_str());
        let names = distinct(points.chain(summaries));
        let series = names.iter().enumerate();
        Self {
            language,
            document,
            plan: PlanFacts::read(&document.plan),
            series: series
                .map(|(index, name)| SeriesView::new((document, language), name, index))
                .collect(),
            rules: distinct(document.summaries.iter().map(|summary| summary.rule.as_str())),
        }
    }

    /// Every text of the report's language.
    pub(super) fn texts(&self) -> &'static Catalog {
        self.language.catalog()
    }

    pub(super) fn targets(&self) -> &'a [TargetEnvironment] {
        &self.document.environment.targets
    }

    /// Series by load profile, in the order of first appearance.
    pub(super) fn groups(&self) -> Vec<Group<'_, 'a>> {
        let profiles = distinct(self.series.iter().map(|series| series.profile));
        let group = |profile: &'a str| Group {
            profile,
            series: self.series.iter().filter(|series| series.profile == profile).collect(),
        };
        profiles.into_iter().map(group).collect()
    }

    /// What the plan says of a series.
    pub(super) fn planned(&self, series: &SeriesView<'_>) -> Option<&SeriesFacts> {
        self.plan.of(series.name)
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
        (self.texts().abstract_text.progress)(measured, planned)
    }

    /// The small print of every figure: which run it shows.
    pub(super) fn source(&self) -> String {
        (self.texts().figures.source)(&self.document.run.id)
    }
}

impl<'a> SeriesView<'a> {
    fn new((document, language): (&'a RunDocument, Language), name: &'a str, index: usize) -> Self {
        let mut points: Vec<&PointResult> =
            document.points.iter().filter(|point| point.series == name).collect();
        let in_order = points.clone();
        points.sort_by(|a, b| a.load().value.total_cmp(&b.load().value));
        let summaries = document.summaries.iter().filter(|summary| summary.series == name);
        let profile = points.first().map(|point| point.profile.as_str());
        let random = points.first().map_or(100.0, |point| point.random_percent);
        Self {
            language,
            name,
            id: format!("series-{}-{}", index + 1, slug(name)).trim_end_matches('-').into(),
            profile: profile.unwrap_or_else(|| name.split('/').next().unwrap_or(name)),
            judge: Judge::of(random),
            unit: TimeUnit::of(points.iter().map(|point| point.latency_ms.mean)),
            curve: curve(name, &document.points),
            points,
            in_order,
            summaries: summaries.collect(),
        }
    }

    /// Every text of the report's language.
    pub(super) fn texts(&self) -> &'static Catalog {
        self.language.catalog()
    }

    /// The points that curves go through, by rising load.
    pub(super) fn curve(&self) -> Vec<&PointResult> {
        self.curve.iter().collect()
    }

    /// How often the load that was measured most often was measured.
    pub(super) fn repetitions(&self) -> usize {
        let runs = self.points.chunk_by(|a, b| a.load() == b.load());
        runs.map(<[_]>::len).max().unwrap_or(0)
    }

    /// What the load levels count.
    pub(super) fn load_unit(&self) -> LoadUnit {
        let summary = self.summaries.first().map(|summary| summary.load_unit);
        let point = self.points.first().map(|point| point.load().unit);
        point.or(summary).unwrap_or(LoadUnit::OutstandingIos)
    }
}

/// The usable points of a series, of repeated ones their mean.
fn curve(name: &str, points: &[PointResult]) -> Vec<PointResult> {
    let mut curve = merged_points(name, points);
    curve.retain(|point| point.latency_ms.mean > 0.0);
    curve
}

/// Every different item, in the order of first appearance.
pub(super) fn distinct<'a>(items: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}
