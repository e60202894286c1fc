//! Settings that were varied on purpose: the matrix, what each did, and the best of them.

use std::borrow::Cow;

use kneepoint_core::analysis::{
    Effects, FactorEffect, Interaction, LevelEffect, Measure, Significance, effects,
};
use kneepoint_core::factor::{Design, Factors, Order, combination_text};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::RunDocument;
use kneepoint_core::series_key::SeriesKey;
use serde_json::Value;

use super::survey::Survey;
use super::words;
use crate::language::Language;
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
    for summary in &mut separated.summaries {
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
    let place = |name: &str| {
        let planned = separated.plan.get("series").and_then(Value::as_array)?;
        planned.iter().position(|series| series.get("name").is_some_and(|known| known == name))
    };
    let mut points = separated.points.clone();
    points.sort_by_key(|point| place(&point.series));
    Cow::Owned(RunDocument { points, ..separated })
}

/// The chapter on factors; nothing for a run without them.
pub(super) fn section(document: &RunDocument, survey: &Survey<'_>) -> Option<Section> {
    let plan: Plan = serde_json::from_value(document.plan.clone()).ok()?;
    let factors = plan.factors.as_ref()?;
    let effects = effects(&document.points, factors, &plan.rules);
    let language = survey.language;
    let mut blocks = vec![Block::paragraph(introduction(&plan, factors)), matrix(factors)];
    if effects.is_empty() {
        blocks.push(Block::paragraph("Too little was measured to compare the settings."));
    } else {
        blocks.push(Block::Table(optima(language, &effects)));
        blocks.push(Block::Table(main_effects(language, &effects)));
        blocks.push(Block::Remark(Text::from(
            "Each level is compared with the first level of its factor, over all pairs of \
             settings that differ in nothing else. A change is significant where the 95 % \
             confidence interval of its own measurements leaves out zero; among many changes, a \
             few can seem significant by chance.",
        )));
        let notes: Vec<Text> = effects
            .iter()
            .flat_map(|effect| {
                effect.interactions.iter().map(|found| interaction(language, (effect, found)))
            })
            .collect();
        if !notes.is_empty() {
            blocks.push(Block::List(notes));
        }
    }
    Some(Section::new("factors", "Settings", blocks))
}

fn introduction(plan: &Plan, factors: &Factors) -> String {
    let combinations = factors.combinations().map_or(0, |all| all.len());
    let design = match factors.design {
        Design::Full => "every combination of their levels was measured",
        Design::OneAtATime => "each was changed by itself, with the others at their first level",
    };
    let order = match (factors.order, plan.repetitions) {
        (Order::AsWritten, _) => "in the order of the table",
        (Order::Blocked, 2..) => "each repetition in a random order of its own",
        _ => "in random order",
    };
    let repeated = match plan.repetitions {
        0 | 1 => String::new(),
        count => format!(", {count} times"),
    };
    let count = words::counted(factors.factors.len(), "setting was", "settings were");
    format!(
        "{count} varied on purpose; {design}, {order}: {}{repeated}. Whatever holds for one of \
         them stands in brackets behind the name of the series.",
        words::counted(combinations, "combination", "combinations"),
    )
}

/// The factors and their levels.
fn matrix(factors: &Factors) -> Block {
    let columns =
        vec![Column::words("Setting"), Column::words("Levels"), Column::words("Changed by")];
    let mut table = Table::new("What was varied", vec![ColumnGroup::new("", columns)]);
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
    Block::Table(table)
}

fn measure(measure: &Measure) -> String {
    match measure {
        Measure::Sustained(rule) => words::rule(rule),
        Measure::Peak => "peak".to_owned(),
    }
}

/// The best setting of every series.
fn optima(language: Language, effects: &[Effects]) -> Table {
    let columns = vec![
        Column::words("Series"),
        Column::words("Judged by"),
        Column::words("Best setting"),
        Column::numbers("IO/s"),
        Column::words("Not significantly worse"),
    ];
    let mut table = Table::new("The best setting per series", vec![ColumnGroup::new("", columns)]);
    for effect in effects {
        let best = &effect.optimum;
        let ties = match best.significance {
            Significance::Significant => "none".to_owned(),
            Significance::Unknown => "confidence unknown".to_owned(),
            Significance::Insignificant => {
                best.ties.iter().map(combination_text).collect::<Vec<_>>().join("; ")
            }
        };
        table.push(vec![
            Cell::new(effect.series.clone()),
            Cell::new(measure(&effect.measure)),
            Cell::new(combination_text(&best.combination)),
            Cell::new(language.rate(best.iops.mean)),
            Cell::new(ties),
        ]);
    }
    table
}

/// What each level does, compared with the first one of its factor.
fn main_effects(language: Language, effects: &[Effects]) -> Table {
    let named = vec![
        Column::words("Series"),
        Column::words("Judged by"),
        Column::words("Setting"),
        Column::words("From"),
        Column::words("To"),
    ];
    let numbers =
        vec![Column::numbers("before"), Column::numbers("after"), Column::numbers("Change")];
    let groups = vec![
        ColumnGroup::new("", named),
        ColumnGroup::new("IO/s", numbers),
        ColumnGroup::new("", vec![Column::words("Significant")]),
    ];
    let mut table = Table::new("Main effects of the settings", groups);
    for effect in effects {
        for factor in &effect.factors {
            for level in &factor.levels {
                table.push(effect_row(language, effect, (factor, level)));
            }
        }
    }
    table
}

fn effect_row(
    language: Language,
    effect: &Effects,
    (factor, level): (&FactorEffect, &LevelEffect),
) -> Vec<Cell> {
    let change = Cell::new(language.change(level.change_percent));
    vec![
        Cell::new(effect.series.clone()),
        Cell::new(measure(&effect.measure)),
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
            Significance::Significant => "yes",
            Significance::Insignificant => "no",
            Significance::Unknown => "unknown",
        }),
    ]
}

fn interaction(language: Language, (effect, found): (&Effects, &Interaction)) -> Text {
    Text::from(format!(
        "{}, {}: what {} = {} does depends on {}: {} at {}, {} at {}.",
        effect.series,
        measure(&effect.measure),
        found.factor,
        found.level,
        found.other,
        language.change(found.at_base.1),
        found.at_base.0,
        language.change(found.at_level.1),
        found.at_level.0,
    ))
}
