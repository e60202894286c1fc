//! What a comparison shows.

use crate::analysis::comparison::{
    Bound, ComparedFigure, Comparison, Difference, FactorKind, SeriesComparison,
};
use crate::result::{Change, Finding, NamedFactor, Place, Significance};

/// The significant differences of whole series: at the rules; where a series has none there, at the
/// peak; where it has none at either, at equal load.
pub fn between_runs(comparison: &Comparison) -> Vec<Finding> {
    let runs = 1..comparison.runs.len();
    let found = runs.flat_map(|run| {
        let factor = only_factor(comparison, run);
        let series = comparison.series.iter();
        series
            .flat_map(|series| of_series(series, run))
            .map(move |change| Change { factor: factor.clone(), ..change })
            .collect::<Vec<_>>()
    });
    found.map(Finding::Change).collect()
}

fn of_series(series: &SeriesComparison, run: usize) -> Vec<Change> {
    for place in [Place::Sustained, Place::Peak, Place::EqualLoad] {
        let at_place = series.figures.iter().filter(|figure| figure.measure.place == place);
        let changes: Vec<Change> =
            at_place.filter_map(|figure| change(series, figure, run)).collect();
        if !changes.is_empty() {
            return changes;
        }
    }
    Vec::new()
}

fn change(series: &SeriesComparison, figure: &ComparedFigure, run: usize) -> Option<Change> {
    let difference: &Difference = figure.differences.get(run)?.as_ref()?;
    let is_shown =
        difference.significance == Significance::Significant && difference.bound == Bound::Exact;
    let interval_percent = difference.interval_percent.filter(|_| is_shown)?;
    Some(Change {
        series: series.series.clone(),
        measure: figure.measure,
        rule: figure.rule.clone(),
        run,
        percent: difference.percent,
        interval_percent,
        factor: None,
    })
}

/// The one planned factor, setting of the target or of the engine in which `run` differs from the
/// reference. Where several differ, or something of the machine does, none can be named as the
/// cause. Sizes and counts that follow from another setting are not counted.
fn only_factor(comparison: &Comparison, run: usize) -> Option<NamedFactor> {
    let follows = ["size_bytes", "target_count"];
    let mut differing = comparison
        .factors
        .iter()
        .filter(|factor| factor.values[0] != factor.values[run])
        .filter(|factor| !follows.contains(&factor.name.as_str()));
    let factor = differing.next()?;
    let is_setting =
        matches!(factor.kind, FactorKind::Planned | FactorKind::Target | FactorKind::Engine);
    let is_only = differing.next().is_none();
    (is_setting && is_only).then(|| {
        Some(NamedFactor {
            name: factor.name.clone(),
            from: factor.values[0].clone()?,
            to: factor.values[run].clone()?,
        })
    })?
}
