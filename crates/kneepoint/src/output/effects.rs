//! Effects of the factors of a run as tables.

use std::fmt;

use kneepoint_core::result::{
    Bound, EffectOn, Effects, Estimate, LevelEffect, Optimum, PRACTICAL_PERCENT, RunDocument,
    Significance,
};
use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::words::number::{Change, Iops, Measured, Percentage};

use super::rule::within;
use super::table::TextTable;
use super::text::{Text, Width};

/// Main effects, interactions and the best setting per series; nothing for a run without factors.
pub(crate) fn effects_text(document: &RunDocument, width: Width) -> Option<Text> {
    let effects = &document.analysis.effects;
    let parts = [
        main_effects(effects, width),
        Text::from(optima(effects)),
        Text::from(interactions(effects)),
    ];
    let parts: Vec<Text> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| Text::join(parts, "\n"))
}

fn measure_text(measure: &EffectOn) -> String {
    match measure {
        EffectOn::Sustained(rule) => within(rule),
        EffectOn::Peak => "peak".to_owned(),
    }
}

fn main_effects(effects: &[Effects], width: Width) -> Text {
    let mut table = TextTable::of(
        &["Effect on", "of", "from", "to", "IO/s from", "IO/s to", "Change", "95 %", ""],
        &["IO/s from", "IO/s to", "Change", "95 %"],
    );
    table.can_spare(&["IO/s from", "IO/s to"]);
    let mut is_empty = true;
    for effect in effects {
        for factor in &effect.factors {
            for level in &factor.levels {
                is_empty = false;
                let [before, after] = level.iops();
                table.row(vec![
                    format!("{}, {}", effect.series, measure_text(&effect.measure)),
                    factor.factor.clone(),
                    factor.base.clone(),
                    level.level.clone(),
                    bounded_rate(level.before_bound, before),
                    bounded_rate(level.after_bound, after),
                    level.change_bound().map_or_else(
                        || "unknown".to_owned(),
                        |bound| {
                            let change = Change(level.change_percent).rounded(bound.rounding());
                            bounded(bound, &change)
                        },
                    ),
                    level
                        .ci95_percent
                        .filter(|_| level.change_bound() == Some(Bound::Exact))
                        .map_or_else(String::new, |ci| format!("+-{}", Percentage(ci))),
                    significance_text(level),
                ]);
            }
        }
    }
    if is_empty { Text::new() } else { table.fitted(width) }
}

/// I/Os per second, which may be a bound.
fn bounded_rate(bound: Bound, rate: Estimate) -> String {
    bounded(bound, &Iops(Measured::from(rate).rounded(bound.rounding())))
}

/// A number, with the sign of a bound.
fn bounded(bound: Bound, number: &dyn fmt::Display) -> String {
    match bound {
        Bound::Exact => number.to_string(),
        Bound::AtLeast => format!(">= {number}"),
        Bound::AtMost => format!("<= {number}"),
    }
}

fn significance_text(level: &LevelEffect) -> String {
    match level.significance {
        Significance::Significant if !level.is_practical() => {
            format!("below {}", Percentage(PRACTICAL_PERCENT))
        }
        Significance::Significant => "significant".to_owned(),
        Significance::NotSignificant => "not significant".to_owned(),
        Significance::Disturbed => "disturbed".to_owned(),
        Significance::Unknown => "confidence unknown".to_owned(),
    }
}

fn optima(effects: &[Effects]) -> String {
    let line = |effect: &Effects| {
        let Optimum { combination, iops, bound, ties, is_indifferent, significance } =
            &effect.optimum;
        let number = bounded_rate(*bound, *iops);
        let what = format!("{}, {}", effect.series, measure_text(&effect.measure));
        if *is_indifferent {
            let practical = Percentage(PRACTICAL_PERCENT);
            return format!("no best for {what}: all within {practical} of {number}\n");
        }
        let doubt = match significance {
            Significance::Significant => "",
            Significance::Disturbed => " (points of it, or of others, were disturbed)",
            Significance::Unknown => " (confidence unknown)",
            Significance::NotSignificant => " (no clear difference)",
        };
        // Those that may be as good are named beside it: of equals none is the best.
        let best = [combination].into_iter().chain(ties).map(combination_text);
        let best = best.collect::<Vec<_>>().join(" or ");
        format!("best for {what}: {best} with {number}{doubt}\n")
    };
    effects.iter().map(line).collect()
}

fn interactions(effects: &[Effects]) -> String {
    let mut text = String::new();
    for effect in effects {
        for found in &effect.interactions {
            text.push_str(&format!(
                "{}, {}: what {}={} does depends on {}: {} at {}, {} at {}\n",
                effect.series,
                measure_text(&effect.measure),
                found.factor,
                found.level,
                found.other,
                Change(found.at_base.1),
                found.at_base.0,
                Change(found.at_level.1),
                found.at_level.0,
            ));
        }
    }
    text
}
