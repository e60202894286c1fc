//! What the table over the levels of the only setting of a run says of its effects, in place of the table of
//! effects: there both would have the same numbers.

use kneepoint_core::result::{Bound, EffectOn, Effects, FactorEffect, LevelEffect};

use super::{NumericFactor, curves};
use crate::content::factors::{row_id, significance};
use crate::content::view::RunView;
use crate::language::Language;

/// The effects of a setting on a series.
#[derive(Debug, Clone, Copy)]
pub(in crate::content) struct JudgedSeries<'e> {
    /// The number of the effects in the analysis.
    pub(in crate::content) index: usize,
    pub(in crate::content) series: &'e str,
    effect: &'e FactorEffect,
}

/// The effects of the only setting of a run whose numbers are all in the table over its levels.
pub(in crate::content) fn judged<'e>(
    survey: &RunView<'_>,
    factor: &NumericFactor<'_>,
    effects: &[(usize, &'e Effects)],
) -> Vec<JudgedSeries<'e>> {
    let Some((curves, number)) = curves(survey, factor) else { return Vec::new() };
    let is_shown = |measure: &EffectOn| match (measure, number) {
        (EffectOn::Sustained(rule), Some(number)) => rule == number,
        (EffectOn::Peak, None) => true,
        _ => false,
    };
    let of = |(index, effects): &(usize, &'e Effects)| {
        let [effect] = effects.factors.as_slice() else { return None };
        let curve = curves.iter().find(|curve| curve.name == effects.series)?;
        let has = |level: &str| {
            let number = factor.number(level);
            number.is_some_and(|number| curve.steps.iter().any(|step| step.level == number))
        };
        let is_whole = effect.levels.iter().all(|level| has(&level.level));
        let first = curve.steps.first().map(|step| step.level);
        let is_first = first.is_some() && factor.number(&effect.base) == first;
        (is_shown(&effects.measure) && is_whole && is_first).then_some(JudgedSeries {
            index: *index,
            series: &effects.series,
            effect,
        })
    };
    effects.iter().filter_map(of).collect()
}

impl JudgedSeries<'_> {
    fn level(&self, factor: &NumericFactor<'_>, number: f64) -> Option<&LevelEffect> {
        self.effect.levels.iter().find(|level| factor.number(&level.level) == Some(number))
    }

    /// Where sentences on a level lead; empty for the level that the others are compared with.
    pub(super) fn anchor(&self, factor: &NumericFactor<'_>, number: f64) -> String {
        let level = self.level(factor, number);
        level
            .map_or_else(String::new, |level| row_id(self.index, &self.effect.factor, &level.level))
    }

    /// Half of the interval of a level's throughput as a multiple of that of the first.
    pub(super) fn half(&self, factor: &NumericFactor<'_>, number: f64) -> Option<f64> {
        let level = self.level(factor, number)?;
        let is_exact = level.change_bound() == Some(Bound::Exact);
        level.ci95_percent.filter(|_| is_exact).map(|percent| percent / 100.0)
    }

    /// If a level differs significantly from the first.
    pub(super) fn significance(
        &self,
        language: Language,
        factor: &NumericFactor<'_>,
        number: f64,
    ) -> Option<String> {
        self.level(factor, number).map(|level| significance(language, level))
    }
}
