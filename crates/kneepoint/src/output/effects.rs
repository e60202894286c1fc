//! Effects of the factors of a run as tables.

use kneepoint_core::result::{EffectOn, Effects, Optimum, RunDocument, Significance};
use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::words::number::{Change, Iops, Percentage};

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
        EffectOn::Sustained(rule) => format!("at {rule}"),
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
                table.row(vec![
                    format!("{}, {}", effect.series, measure_text(&effect.measure)),
                    factor.factor.clone(),
                    factor.base.clone(),
                    level.level.clone(),
                    Iops(level.before).to_string(),
                    Iops(level.after).to_string(),
                    Change(level.change_percent).to_string(),
                    level
                        .ci95_percent
                        .map_or_else(String::new, |ci| format!("+-{}", Percentage(ci))),
                    significance_text(level.significance).to_owned(),
                ]);
            }
        }
    }
    if is_empty { Text::new() } else { table.fitted(width) }
}

const fn significance_text(significance: Significance) -> &'static str {
    match significance {
        Significance::Significant => "significant",
        Significance::NotSignificant => "not significant",
        Significance::Disturbed | Significance::Unknown => "confidence unknown",
    }
}

fn optima(effects: &[Effects]) -> String {
    let line = |effect: &Effects| {
        let Optimum { combination, iops, ties, significance } = &effect.optimum;
        let doubt = match significance {
            Significance::Significant => String::new(),
            Significance::Disturbed | Significance::Unknown => " (confidence unknown)".to_owned(),
            Significance::NotSignificant => {
                let ties: Vec<String> = ties.iter().map(combination_text).collect();
                format!(", not significantly better than {}", ties.join("; "))
            }
        };
        format!(
            "best for {}, {}: {} with {}{doubt}\n",
            effect.series,
            measure_text(&effect.measure),
            combination_text(combination),
            Iops(iops.mean),
        )
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
