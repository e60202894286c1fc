//! Settings that were varied on purpose: the matrix, what each did, and the best of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kneepoint_core::analysis::findings::of_points;
use kneepoint_core::plan::Plan;
use kneepoint_core::result::series_key::SeriesKey;
use kneepoint_core::result::{
    EffectOn, Effects, FactorEffect, Interaction, LevelEffect, RunDocument, Significance,
};
use kneepoint_core::spec::factor::{Factors, combination_text};
use serde_json::Value;

use super::factor_bars;
use super::survey::RunView;
use crate::language::Language;
use crate::language::texts;
use crate::language::texts::factors::{FactorPlan, InteractionWords};
use crate::page::{Block, Cell, Column, ColumnGroup, Section, Table, Text};

/// The run with the levels of the factors in the names of its series, so that everything that
/// tells series apart by their names keeps combinations apart as well.
pub(super) fn separated(document: &RunDocument) -> Cow<'_, RunDocument> {
    if document.points.iter().all(|point| point.factors.is_empty()) {
        return Cow::Borrowed(document);
    }
    let mut separated = document.clone();
    for point in &mut separated.points {
        point.series = point.key().to_string();
    }
    for summary in &mut separated.analysis.summaries {
        summary.series = summary.key().to_string();
    }
    let series = separated.plan.get_mut("series").and_then(Value::as_array_mut);
    for planned in series.into_iter().flatten() {
        let factors = planned.get("factors").cloned().unwrap_or_default();
        let factors = serde_json::from_value(factors).unwrap_or_default();
        if let Some(name) = planned.get("name").and_then(Value::as_str) {
            let key = SeriesKey { name, factors: &factors }.to_string();
            planned["name"] = Value::String(key);
        }
    }
    // In the plan's order: the points stand in that of the run, which may be random.
    let planned = separated.plan.get("series").and_then(Value::as_array);
    let names =
        planned.into_iter().flatten().map(|series| series.get("name").and_then(Value::as_str));
    let mut places = BTreeMap::new();
    for (place, name) in names.enumerate() {
        places.entry(name).or_insert(place);
    }
    separated.points.sort_by_key(|point| places.get(&Some(point.series.as_str())).copied());
    separated.analysis.findings = of_points(&separated.points);
    Cow::Owned(separated)
}

/// The chapter on factors; nothing for a run without them.
pub(super) fn section(document: &RunDocument, survey: &RunView<'_>) -> Option<Section> {
    let plan: Plan = serde_json::from_value(document.plan.clone()).ok()?;
    let factors = plan.factors.as_ref()?;
    let effects = &document.analysis.effects;
    let writer = Writer { language: survey.language };
    let mut blocks = vec![Block::paragraph(writer.introduction(&plan, factors))];
    blocks.push(Block::Table(writer.matrix(factors)));
    if effects.is_empty() {
        blocks.push(Block::paragraph(texts::factors::nothing(writer.language)));
    } else {
        blocks.push(Block::Table(writer.optima(effects)));
        let figures = factor_bars::figures(effects, (&survey.source(), survey.language));
        if !figures.is_empty() {
            blocks.push(Block::Figures(figures));
        }
        blocks.push(Block::Table(writer.main_effects(effects)));
        blocks.push(Block::remark(texts::factors::reading(writer.language)));
        let notes: Vec<Text> = effects
            .iter()
            .flat_map(|effect| {
                effect.interactions.iter().map(|found| writer.interaction(effect, found))
            })
            .collect();
        if !notes.is_empty() {
            blocks.push(Block::List(notes));
        }
    }
    Some(Section::new("factors", texts::factors::heading(writer.language), blocks))
}

/// Writes the chapter in a language.
struct Writer {
    language: Language,
}

impl Writer {
    fn introduction(&self, plan: &Plan, factors: &Factors) -> String {
        texts::factors::introduction(
            self.language,
            &FactorPlan {
                count: factors.factors.len(),
                combinations: factors.combinations().map_or(0, |all| all.len()),
                design: factors.design,
                order: factors.order,
                repetitions: plan.repetitions,
            },
        )
    }

    /// The factors and their levels.
    fn matrix(&self, factors: &Factors) -> Table {
        let language = self.language;
        let names = [
            texts::factors::setting(language),
            texts::factors::levels(language),
            texts::factors::changed_by(language),
        ];
        let columns = names.into_iter().map(Column::words).collect();
        let mut table =
            Table::new(texts::factors::matrix(language), vec![ColumnGroup::new("", columns)]);
        for factor in &factors.factors {
            let means = match &factor.commands {
                None => Text::from("Kneepoint"),
                Some(commands) => Text::new().code(commands.set.join(" ")),
            };
            table.push(vec![
                Cell::new(Text::new().code(&factor.name)),
                Cell::new(factor.levels.join(", ")),
                Cell::new(means),
            ]);
        }
        table
    }

    fn measure(&self, measure: &EffectOn) -> String {
        factor_bars::measure_name(measure, self.language)
    }

    /// The best setting of every series.
    fn optima(&self, effects: &[Effects]) -> Table {
        let language = self.language;
        let columns = vec![
            Column::words(texts::words::series(language)),
            Column::words(texts::factors::judged_by(language)),
            Column::words(texts::factors::best(language)),
            Column::numbers("IO/s"),
            Column::words(texts::factors::ties(language)),
        ];
        let mut table =
            Table::new(texts::factors::optima(language), vec![ColumnGroup::new("", columns)]);
        for effect in effects {
            let best = &effect.optimum;
            let ties = match best.significance {
                Significance::Significant => texts::factors::no_tie(language).to_owned(),
                Significance::Disturbed | Significance::Unknown => {
                    texts::factors::confidence_unknown(language).to_owned()
                }
                Significance::NotSignificant => {
                    best.ties.iter().map(combination_text).collect::<Vec<_>>().join("; ")
                }
            };
            table.push(vec![
                Cell::new(effect.series.clone()),
                Cell::new(self.measure(&effect.measure)),
                Cell::new(combination_text(&best.combination)),
                Cell::new(language.rate(best.iops.mean)),
                Cell::new(ties),
            ]);
        }
        table
    }

    /// What each level does, compared with the first one of its factor.
    fn main_effects(&self, effects: &[Effects]) -> Table {
        let language = self.language;
        let series = texts::words::series(language);
        let named = [
            series,
            texts::factors::judged_by(language),
            texts::factors::setting(language),
            texts::factors::from(language),
            texts::factors::to(language),
        ];
        let numbers = [
            texts::factors::before(language),
            texts::factors::after(language),
            texts::factors::change(language),
        ];
        let groups = vec![
            ColumnGroup::new("", named.into_iter().map(Column::words).collect()),
            ColumnGroup::new("IO/s", numbers.into_iter().map(Column::numbers).collect()),
            ColumnGroup::new("", vec![Column::words(texts::factors::significant(language))]),
        ];
        let mut table = Table::new(texts::factors::effects(language), groups);
        for effect in effects {
            for factor in &effect.factors {
                for level in &factor.levels {
                    table.push(self.effect_row(effect, (factor, level)));
                }
            }
        }
        table
    }

    fn effect_row(
        &self,
        effect: &Effects,
        (factor, level): (&FactorEffect, &LevelEffect),
    ) -> Vec<Cell> {
        let language = self.language;
        let change = Cell::new(language.change(level.change_percent));
        vec![
            Cell::new(effect.series.clone()),
            Cell::new(self.measure(&effect.measure)),
            Cell::new(factor.factor.clone()),
            Cell::new(factor.base.clone()),
            Cell::new(level.level.clone()),
            Cell::new(language.rate(level.before)),
            Cell::new(language.rate(level.after)),
            match level.ci95_percent {
                Some(width) => change.detail(format!("±{}", language.percent(width))),
                None => change,
            },
            Cell::new(match level.significance {
                Significance::Significant => texts::factors::yes(language),
                Significance::NotSignificant => texts::factors::no(language),
                Significance::Disturbed | Significance::Unknown => {
                    texts::factors::unknown(language)
                }
            }),
        ]
    }

    fn interaction(&self, effect: &Effects, found: &Interaction) -> Text {
        let change = |(at, change): &(String, f64)| (self.language.change(*change), at.clone());
        Text::from(texts::factors::interaction(
            self.language,
            &InteractionWords {
                subject: format!("{}, {}", effect.series, self.measure(&effect.measure)),
                setting: format!("{} = {}", found.factor, found.level),
                other: found.other.clone(),
                changes: [change(&found.at_base), change(&found.at_level)],
            },
        ))
    }
}
