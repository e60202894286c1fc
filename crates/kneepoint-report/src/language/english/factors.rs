//! Settings that were varied on purpose.

use kneepoint_core::spec::factor::{Design, Order};

use super::words::counted;
use crate::language::Language::English;
use crate::language::catalog::{FactorPlan, FactorTexts};

pub(super) const TEXTS: FactorTexts = FactorTexts {
    heading: "Settings",
    introduction,
    nothing: "Too little was measured to compare the settings.",
    matrix: "What was varied",
    setting: "Setting",
    levels: "Levels",
    changed_by: "Changed by",
    peak: "peak",
    optima: "The best setting per series",
    judged_by: "Judged by",
    best: "Best setting",
    ties: "Not significantly worse",
    no_tie: "none",
    confidence_unknown: "confidence unknown",
    effects: "Main effects of the settings",
    from: "From",
    to: "To",
    before: "before",
    after: "after",
    change: "Change",
    significant: "Significant",
    yes: "yes",
    no: "no",
    unknown: "unknown",
    bars: |setting, judged_by| format!("What {setting} does, judged by {judged_by}"),
    bars_note: |base| format!("Dashed line and percentages: compared with {base}."),
    bars_margins: " Error bars, where long enough to be seen, are 95\u{a0}% confidence intervals of \
                   the change.",
    bars_hollow: " Hollow bars: the change is not significant, or its confidence is unknown.",
    reading: "Each level is compared with the first level of its factor, over all pairs of settings \
              that differ in nothing else. What is significant is so with 95\u{a0}% confidence for all \
              levels of all factors together (Holm 1979).",
    interaction: |words| {
        let [(first, first_at), (second, second_at)] = &words.changes;
        format!(
            "{}: what {} does depends on {}: {first} at {first_at}, {second} at {second_at}.",
            words.subject, words.setting, words.other,
        )
    },
};

fn introduction(plan: &FactorPlan) -> String {
    let design = match plan.design {
        Design::Full => "every combination of their levels was measured",
        Design::OneAtATime => "each was changed by itself, with the others at their first level",
    };
    let order = match (plan.order, plan.repetitions) {
        (Order::AsWritten, _) => "in the order of the table",
        (Order::Blocked, 2..) => "each repetition in a random order of its own",
        _ => "in random order",
    };
    let repeated = match plan.repetitions {
        0 | 1 => String::new(),
        count => format!(", {} times", English.count(count as usize)),
    };
    format!(
        "{} varied on purpose; {design}, {order}: {}{repeated}. Whatever holds for one of them \
         stands in brackets behind the name of the series.",
        counted(plan.count, "setting was", "settings were"),
        counted(plan.combinations, "combination", "combinations"),
    )
}
