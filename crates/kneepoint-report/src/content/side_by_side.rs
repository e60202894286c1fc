//! The key figures as bars: sustained at every rule and peak, series by series.

use kneepoint_core::result::ThroughputUnit;

use super::judge::{PrimaryMetric, sign};
use super::survey::{RunView, SeriesView};
use super::words;
use crate::figure::{Axis, Bar, BarGroup, Bars, Drawing, PointStyle, Scale};
use crate::language::texts;
use crate::page::Figure;

/// More groups than this would not be looked at; the table has them all.
const SERIES_MAX: usize = 12;
/// More rules than this would make the groups too high.
const RULES_MAX: usize = 4;

/// Bars of the series with random access, and of those with sequential access, where there is
/// more than one.
pub(super) fn figures(survey: &RunView<'_>) -> Vec<Figure> {
    PrimaryMetric::ALL.into_iter().filter_map(|judge| figure(survey, judge)).collect()
}

fn figure(survey: &RunView<'_>, judge: PrimaryMetric) -> Option<Figure> {
    let alike: Vec<&SeriesView<'_>> =
        survey.series.iter().filter(|series| series.judge == judge).collect();
    if !(2..=SERIES_MAX).contains(&alike.len()) || survey.rules.len() > RULES_MAX {
        return None;
    }
    let groups: Vec<BarGroup> = alike.iter().map(|series| group(survey, series)).collect();
    if groups.iter().all(|group| group.bars.is_empty()) {
        return None;
    }
    let title = match judge {
        PrimaryMetric::Rate(ThroughputUnit::Iops) => texts::grids::bars_random(survey.language),
        PrimaryMetric::Rate(_) => texts::grids::bars_other(survey.language),
        PrimaryMetric::Volume => texts::grids::bars_sequential(survey.language),
    };
    let rules = survey
        .rules
        .iter()
        .map(|rule| texts::grids::at_rule(survey.language, &words::rule(survey.language, rule)));
    let missing = groups.iter().any(|group| group.bars.len() <= survey.rules.len());
    let mut note = if missing {
        format!(" {}", texts::grids::bars_note(survey.language))
    } else {
        String::new()
    };
    if groups.iter().flat_map(|group| &group.bars).any(|bar| bar.style == PointStyle::Hollow) {
        note += &format!(" {}", texts::grids::bars_bounds(survey.language));
    }
    let bars = Bars {
        language: survey.language,
        title: title.to_owned(),
        source: survey.source(),
        value: Axis::new(texts::grids::sustained_in(survey.language, judge.unit()), Scale::Linear),
        series: rules.chain([texts::grids::peak(survey.language).to_owned()]).collect(),
        reference: None,
        groups,
    };
    Some(Figure::new(format!("{title}.{note}"), Drawing::Bars(bars)))
}

/// Sustained at every rule, or the bound of it, and the peak.
fn group(survey: &RunView<'_>, series: &SeriesView<'_>) -> BarGroup {
    let judge = series.judge;
    let sustained = survey.rules.iter().enumerate().filter_map(|(index, rule)| {
        let summary = series.summaries.iter().find(|summary| summary.rule == *rule)?;
        let found = &summary.sustained;
        let exact = judge.sustained(found).map(|value| (value, "", PointStyle::Filled));
        let bound = judge.bound(found).map(|value| (value, sign(found.status), PointStyle::Hollow));
        Some((index, exact.or(bound)?))
    });
    let peak = series.summaries.iter().find_map(|summary| summary.peak);
    let peak = peak.map(|peak| (survey.rules.len(), (judge.peak(&peak), "", PointStyle::Filled)));
    let bar = |(index, (value, sign, style)): (usize, (f64, &str, PointStyle))| Bar {
        series: index,
        value,
        margin: None,
        label: format!("{sign} {}", survey.language.rate(value)).trim_start().to_owned(),
        note: String::new(),
        style,
        tooltip: String::new(),
    };
    BarGroup { name: series.name.to_owned(), bars: sustained.chain(peak).map(bar).collect() }
}
