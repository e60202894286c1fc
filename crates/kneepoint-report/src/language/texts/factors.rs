//! Settings that were varied on purpose.

use kneepoint_core::plan::Plan;
use kneepoint_core::result::{Interaction, OtherSide};
use kneepoint_core::spec::factor::{CombinationOrder, Design, Factors};

use super::advice;
use super::common::counted_in;
use crate::language::Language::{self, English, German};

texts! {
    heading: "Settings" | "Einstellungen";
    /// Heads the tables behind the advice.
    numbers: "Effects in numbers" | "Wirkungen in Zahlen";
    nothing:
        "Too little was measured to compare the settings."
        | "Es wurde zu wenig gemessen, um die Einstellungen zu vergleichen.";
    matrix: "What was varied" | "Was variiert wurde";
    setting: "Setting" | "Einstellung";
    levels: "Levels" | "Stufen";
    changed_by: "Changed by" | "Eingestellt durch";
    peak: "peak throughput" | "Spitzendurchsatz";
    /// In its place where each series has one load.
    at_set_load: "throughput at the load that was set" | "Durchsatz bei der eingestellten Last";
    /// At a rule.
    throughput(within: &str): "throughput {within}" | "Durchsatz {within}";
    optima: "The best settings per series" | "Die besten Einstellungen je Messreihe";
    judged_by: "Judged by" | "Beurteilt nach";
    best: "Best settings" | "Beste Einstellungen";
    clearly: "Clearly the best" | "Klar die beste";
    /// In place of the best setting, given from which difference on one would be told.
    no_best(practical: &str):
        "no practical difference: all within {practical}"
        | "kein praktischer Unterschied: alle innerhalb von {practical}";
    /// A change that is significant, but below this.
    below(practical: &str): "yes, but below {practical}" | "ja, aber unter {practical}";
    confidence_unknown: "confidence unknown" | "Konfidenz unbekannt";
    /// In place of whether a setting is clearly the best.
    disturbed:
        "unknown: points were disturbed"
        | "unbekannt: Messpunkte wurden gestört";
    effects(unit: &str):
        "Main effects of the settings, in {unit}" | "Haupteffekte der Einstellungen, in {unit}";
    from: "From" | "Von";
    to: "To" | "Nach";
    before: "before" | "vorher";
    after: "after" | "nachher";
    no: "no" | "nein";
    repeated(count: &str): ", {count} times" | ", je {count}-mal";
    dots(setting: &str, judged_by: &str):
        "{setting}: effect on {judged_by}"
        | "{setting}: Wirkung auf den {judged_by}";
    /// Small print of the dots, given the level that others are compared with.
    dots_note(base: &str):
        "Changes in percent of the throughput with {base}; within the grey band, less than \
         5\u{a0}%, they make no practical difference."
        | "Änderungen in Prozent des Durchsatzes mit {base}; im grauen Band, unter 5\u{a0}%, sind \
           sie ohne praktische Bedeutung.";
    /// The axis of the dots; the caption says against what.
    change_in_percent: "Change in %" | "Änderung in %";
    /// Where there are intervals.
    dots_margins:
        " Bars, where wide enough to be seen, are 95\u{a0}% confidence intervals of the change."
        | " Striche, wo sie breit genug sind, zeigen 95-%-Konfidenzintervalle der Änderung.";
    /// Where there are hollow dots.
    dots_hollow:
        " Hollow dots: the change is not significant, or its confidence is unknown."
        | " Hohle Punkte: Die Änderung ist nicht signifikant, oder ihre Konfidenz ist unbekannt.";
    /// The same where some of them are bounds.
    dots_bounds:
        " Hollow dots: the change is not significant, its confidence is unknown, or only a bound of it is \
         known, from which an arrow leads to where it may lie."
        | " Hohle Punkte: Die Änderung ist nicht signifikant, ihre Konfidenz ist unbekannt, oder es ist nur \
           eine Schranke bekannt, von der ein Pfeil dorthin zeigt, wo sie liegen kann.";
    reading(practical: &str):
        "Each level is compared with the first level of its factor, over all pairs of settings \
         that differ in nothing else. What is significant is so with 95\u{a0}% confidence for all \
         levels of all factors together (Holm 1979). Where several best settings are named, the \
         first has the highest number; the others are less than {practical} below it, or \
         cannot be told from it. Their numbers are among the key figures."
        | "Jede Stufe wird mit der ersten Stufe ihrer Einstellung verglichen, über alle Paare von \
           Einstellungen, die sich in nichts anderem unterscheiden. Was signifikant heißt, ist es \
           mit 95-%-Konfidenz für alle Stufen aller Einstellungen zusammen (Holm 1979). Wo mehrere \
           beste Einstellungen genannt sind, hat die erste die höchste Zahl; die \
           anderen liegen weniger als {practical} darunter oder lassen sich nicht von ihr \
           unterscheiden. Ihre Zahlen stehen unter den Kennzahlen.";
    /// After it, where bounds are among the numbers.
    reading_bounds:
        " With ≥ every load meets the rule, and with ≤ none does, in some of the pairs: only a bound is known \
         of the number, or of the change. Pairs whose bounds leave the change open are left out where others \
         do not. Among the best settings bounds from below are ordered like numbers; which of two of them is \
         better is not known."
        | " Bei ≥ halten in manchen Paaren alle Lasten die Regel ein, bei ≤ keine: Von der Zahl oder der \
           Änderung ist nur eine Schranke bekannt. Paare, deren Schranken die Änderung offenlassen, fehlen, wo \
           es andere gibt. Unter den besten Einstellungen stehen untere Schranken in der Reihenfolge ihrer Zahlen; \
           welche von zweien besser ist, ist nicht bekannt.";
}

/// How the settings were varied.
pub(crate) fn introduction(language: Language, plan: &Plan, factors: &Factors) -> String {
    let settings = factors.factors.len();
    let combinations = factors.combinations().map_or(0, |all| all.len());
    let design = language.choose(match factors.design {
        Design::Full => [
            "every combination of levels was measured",
            "jede Kombination der Stufen wurde gemessen",
        ],
        Design::OneAtATime => [
            "each was changed by itself, with the others at their first level",
            "jede wurde für sich variiert, die anderen blieben auf ihrer ersten Stufe",
        ],
    });
    let order = language.choose(match (factors.order, plan.repetitions) {
        (CombinationOrder::AsWritten, _) => {
            ["in the order of the table", "in der Reihenfolge der Tabelle"]
        }
        (CombinationOrder::Blocked, 2..) => [
            "each repetition in its own random order",
            "jede Wiederholung in einer eigenen zufälligen Reihenfolge",
        ],
        _ => ["in random order", "in zufälliger Reihenfolge"],
    });
    let repeated = match plan.repetitions {
        0 | 1 => String::new(),
        count => repeated(language, &language.count(count as usize)),
    };
    let nouns = [["setting was", "settings were"], ["Einstellung wurde", "Einstellungen wurden"]];
    let is_one = settings == 1;
    let settings = counted_in(language, settings, nouns);
    let nouns = match is_one {
        true => [["level", "levels"], ["Stufe", "Stufen"]],
        false => [["combination", "combinations"], ["Kombination", "Kombinationen"]],
    };
    let combinations = counted_in(language, combinations, nouns);
    let measured = match is_one {
        true => format!(": {combinations}, {order}{repeated}"),
        false => format!("; {design}, {order}: {combinations}{repeated}"),
    };
    match language {
        English => format!(
            "{settings} varied{measured}. Brackets behind the name of a series hold the levels that \
             it was measured at."
        ),
        German => format!(
            "{settings} variiert{measured}. In Klammern hinter dem Namen einer Messreihe stehen die \
             Stufen, bei denen sie gemessen wurde."
        ),
    }
}

/// The effect of one setting depends on another; the subject is the series and what it is judged
/// by.
pub(crate) fn interaction(language: Language, subject: &str, found: &Interaction) -> String {
    let Interaction { factor, level, other, at_base, at_level, of_other } = found;
    let of_other = of_other.as_ref().map(|side| other_side(language, found, side));
    let of_other = of_other.unwrap_or_default();
    let [(base, first), (another, second)] = [at_base, at_level].map(|(at, change)| {
        (advice::at_level_within(language, other, at), language.change(*change))
    });
    let what = advice::at_level(language, factor, level);
    let other = advice::noun(language, other);
    match language {
        English => format!(
            "{subject}: the effect of {what} depends on the {other}: {first} with {base}, {second} \
             with {another}{of_other}."
        ),
        German => format!(
            "{subject}: Die Wirkung von {what} hängt von der Einstellung „{other}“ ab: {first} mit \
             {base}, {second} mit {another}{of_other}."
        ),
    }
}

/// The same from the other side, behind it.
fn other_side(language: Language, found: &Interaction, side: &OtherSide) -> String {
    let Interaction { factor, level, other, at_level: (other_level, _), .. } = found;
    let [base, level] =
        [&side.base, level].map(|level| advice::at_level_within(language, factor, level));
    let [first, second] = [side.at_base, side.at_level].map(|change| language.change(change));
    let what = advice::at_level_within(language, other, other_level);
    let factor = advice::noun(language, factor);
    match language {
        English => format!(
            "; in turn, the effect of {what} depends on the {factor}: {first} with {base}, {second} with {level}"
        ),
        German => format!(
            "; umgekehrt hängt die Wirkung von „{what}“ von der Einstellung „{factor}“ ab: {first} mit {base}, {second} mit {level}"
        ),
    }
}
