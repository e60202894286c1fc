//! The conclusions.

use super::common::points;
use super::trust;
use crate::language::Language::{self, English, German};
use crate::page::Text;

texts! {
    heading: "Conclusions" | "Schlussfolgerungen";
    nothing:
        "Nothing follows from this run: it has no usable point."
        | "Aus diesem Lauf folgt nichts: Er hat keinen brauchbaren Messpunkt.";
    /// How many series, and the rule that their highest load still meets.
    beyond_last(meets: &str, rule: &str, series: &str):
        "{series} {meets} the rule {rule} at every load: what is sustained there is at least the highest \
         throughput that was measured."
        | "{series} {meets} die Regel {rule} bei jeder Last ein: Nutzbar ist dort mindestens der höchste \
           gemessene Durchsatz.";
    /// How many series, and the rule that their lowest load breaks.
    below_first(breaks: &str, rule: &str, series: &str):
        "{series} {breaks} the rule {rule} at every load, the lowest included: what is sustained there is \
         less than the throughput at the lowest."
        | "{series} {breaks} die Regel {rule} bei jeder Last, schon bei der kleinsten: Nutzbar ist dort \
           weniger als der Durchsatz bei der kleinsten Last.";
    /// Behind it, of series whose response time at the lowest load is not known to be beyond the limit.
    perhaps_met(series: &str):
        " For {series}, the confidence interval of the response time there reaches the limit: it is not \
         certain that the rule is broken."
        | " Bei {series} reicht das Konfidenzintervall der Antwortzeit dort bis an die Grenze: Dass die \
           Regel verletzt ist, ist nicht sicher.";
    /// A rule at the start of a sentence, and series.
    left_out(rule: &str, series: &str):
        "{rule}, nothing is concluded for {series}: something else disturbed the points."
        | "{rule} folgt für {series} nichts: Etwas anderes hat die Messpunkte gestört.";
    /// How far the peak of a series is above what it sustains, if throughput still rises there.
    at_least(more: &str): "at least {more}" | "mindestens {more}";
    /// Behind that.
    still_rising:
        " Throughput still rises at the highest load."
        | " Der Durchsatz steigt bei der größten Last noch.";
    /// Given that all points are valid.
    nothing_doubtful(valid: &str):
        "{valid}, and there is no warning."
        | "{valid}, und es gibt keine Warnung.";
}

/// A throughput as it is written, and the series that has it, which leads to its section.
pub(crate) type RatedSeries = (String, Text);

/// Rule that begins a sentence, throughput, series.
pub(crate) fn one(language: Language, rule: &str, (throughput, series): RatedSeries) -> Text {
    match language {
        English => Text::new()
            .plain(format!("{rule}, the throughput that "))
            .join(series)
            .plain(" sustains is ")
            .strong(throughput)
            .plain("."),
        German => Text::new()
            .plain(format!("{rule} leistet das Ziel "))
            .strong(throughput)
            .plain(" mit ")
            .join(series)
            .plain("."),
    }
}

/// Rule, the highest throughput that is known of several series, where of one of the others only a
/// bound from below is; and the lowest, if it is known.
pub(crate) fn most(
    language: Language,
    rule: &str,
    (high, series): RatedSeries,
    lowest: Option<RatedSeries>,
) -> Text {
    let (start, with) = match language {
        English => (format!("{rule}, the highest throughput known to be sustained is "), " for "),
        German => (format!("{rule} ist der höchste bekannte nutzbare Durchsatz "), " mit "),
    };
    let text = Text::new().plain(start).strong(high).plain(with).join(series);
    let Some((low, last)) = lowest else { return text.plain(".") };
    let lowest = language.choose([", the lowest ", ", der niedrigste "]);
    text.plain(lowest).strong(low).plain(with).join(last).plain(".")
}

/// Rule, the lowest throughput with its series, the highest with its series.
pub(crate) fn between(
    language: Language,
    rule: &str,
    (low, first): RatedSeries,
    (high, last): RatedSeries,
) -> Text {
    let start = match language {
        English => format!("{rule}, sustained throughput ranges from "),
        German => format!("{rule} reicht der nutzbare Durchsatz von "),
    };
    let with = language.choose([" for ", " mit "]);
    Text::new()
        .plain(start)
        .strong(low)
        .plain(with)
        .join(first)
        .plain(language.choose([" to ", " bis "]))
        .strong(high)
        .plain(with)
        .join(last)
        .plain(".")
}

/// Series; throughput more than sustained, rule; response time.
pub(crate) fn beyond_the_rule(
    language: Language,
    series: Text,
    [more, rule, response]: [&str; 3],
) -> Text {
    let (start, end) = match language {
        English => (
            "The peak of ",
            format!(
                " is {more} above what it sustains {rule}, with a mean response time of \
                 {response}."
            ),
        ),
        German => (
            "Die Spitze von ",
            format!(
                " liegt {more} über dem nutzbaren Durchsatz {rule}, bei einer mittleren \
                 Antwortzeit von {response}."
            ),
        ),
    };
    Text::new().plain(start).join(series).plain(end)
}

/// Points to be measured again: how many, and which, if they are few.
pub(crate) fn again(language: Language, (count, places): (usize, &str), id: &str) -> Text {
    let points = points(language, count);
    let see = language.choose(["see", "siehe"]);
    let places = if places.is_empty() { see.to_owned() } else { format!("{places}; {see}") };
    let advice = match language {
        English => {
            let them = if count == 1 { "it" } else { "them" };
            format!("{points} should be measured again before decisions rest on {them}: {places} ")
        }
        German => {
            let verb = if count == 1 { "sollte" } else { "sollten" };
            format!(
                "{points} {verb} erneut gemessen werden, bevor Entscheidungen darauf beruhen: \
                 {places} "
            )
        }
    };
    Text::new().plain(advice).link(trust::heading(language), id).plain(".")
}
