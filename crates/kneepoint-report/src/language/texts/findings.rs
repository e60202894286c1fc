//! Findings as sentences.

use kneepoint_core::load::backend::Direction;
use kneepoint_core::result::{
    Between, Bottleneck, Change, Contrast, Order, Place, Plateau, Quantity,
};
use kneepoint_core::words::load::LoadUnit;

use super::common;
use crate::language::Language::{self, English, German};

texts! {
    heading: "Findings" | "Befunde";
    /// How far the findings of a run can be trusted.
    confidence:
        "Each finding holds with 95\u{a0}% confidence and rests on no point that something else \
         disturbed. What the data do not show is not here."
        | "Jeder Befund gilt mit 95\u{a0}% Sicherheit und beruht auf keinem gestörten Messpunkt. \
           Was die Daten nicht zeigen, steht hier nicht.";
    factor(name: &str, from: &str, to: &str): "{name} {from} → {to}" | "{name} {from} → {to}";
    /// Orders of access as adjectives.
    sequential: "sequential" | "sequentieller";
    random: "random" | "wahlfreier";
    order(fast: &str, slow: &str, times: &str):
        "At its peak {fast} access moves {times} as much as {slow} access."
        | "In der Spitze bewegt {fast} Zugriff {times} so viel wie {slow} Zugriff.";
    reading: "reading" | "Lesen";
    writing: "writing" | "Schreiben";
    direction(fast: &str, slow: &str, times: &str):
        "At its peak {fast} is {times} as fast as {slow}."
        | "In der Spitze ist {fast} {times} so schnell wie {slow}.";
    /// Blocks of one size against another: many I/Os, or bytes.
    block_sizes(faster: &str, slower: &str, many: &str):
        "At the peak, blocks of {faster} reach {many} as blocks of {slower}."
        | "In der Spitze erreichen Blöcke von {faster} {many} wie Blöcke von {slower}.";
    as_many(times: &str, unit: &str): "{times} as many {unit}" | "{times} so viele {unit}";
    times(ratio: &str, low: &str, high: &str):
        "{ratio} times ({low} to {high})"
        | "{ratio}-mal ({low} bis {high})";
    none_between:
        "No significant difference was found. That does not prove that there is none: the tables \
         say how large one would have had to be."
        | "Ein signifikanter Unterschied wurde nicht gefunden. Das beweist nicht, dass es keinen \
           gibt: Die Tabellen nennen, wie groß er hätte sein müssen.";
}

/// A load in words.
pub(crate) fn load(language: Language, value: f64, unit: LoadUnit) -> String {
    match (language, unit) {
        (English, LoadUnit::OfferedIops) => format!("{} IO/s offered", English.level(value)),
        (English, unit) => common::load(English, value, unit),
        (German, unit) => common::behind(&German.level(value), unit),
    }
}

/// Throughput no longer rises; follows the name of the series and a colon.
pub(crate) fn saturation(language: Language, found: &Plateau) -> String {
    let [from, to] = [found.from_load, found.to_load].map(|at| load(language, at, found.unit));
    let rate = language.throughput(found.rate, found.rate_unit);
    let plateau = match found.volume {
        Some(volume) => format!("{rate} ({})", language.mib_per_s(volume)),
        None => rate,
    };
    let rise = language.percent(found.rise_percent_max.max(0.0));
    let limit = found.bottleneck.as_ref().map(|part| bottleneck(language, part));
    let limit = limit.unwrap_or_default();
    match language {
        English => format!(
            "throughput no longer rises from {from} on; it stays at about {plateau}, and up to \
             {to} it gains {rise} at most.{limit}"
        ),
        German => format!(
            "Ab {from} steigt der Durchsatz nicht weiter; er bleibt bei etwa {plateau} und \
             gewinnt bis zu {to} höchstens {rise}.{limit}"
        ),
    }
}

/// The limit of a simulated system, behind the sentence on its saturation.
fn bottleneck(language: Language, found: &Bottleneck) -> String {
    let (part, count) = (part(language, &found.part), found.count);
    let busy = language.percent(found.busy_percent);
    match (language, count) {
        (English, 1) => {
            format!(" The limit of the simulated system: {part}, busy for {busy} of the time.")
        }
        (English, _) => format!(
            " The limit of the simulated system: {part} ({count} of them), the busiest for {busy} \
             of the time."
        ),
        (German, 1) => {
            format!(" Die Grenze des simulierten Systems: {part}, zu {busy} der Zeit beschäftigt.")
        }
        (German, _) => format!(
            " Die Grenze des simulierten Systems: {part} (Anzahl {count}), am stärksten zu {busy} \
             der Zeit beschäftigt."
        ),
    }
}

/// Two series that differ in one thing; follows their names and a colon.
pub(crate) fn contrast(language: Language, found: &Contrast) -> String {
    let [low, high] = found.interval.map(|end| language.rate(end));
    let times = times(language, &language.rate(found.ratio), &low, &high);
    match found.between {
        Between::Order { faster } => {
            let mut names = [sequential(language), random(language)];
            if faster == Order::Random {
                names.reverse();
            }
            order(language, names[0], names[1], &times)
        }
        Between::Direction { faster } => {
            let mut names = [reading(language), writing(language)];
            if faster == Direction::Write {
                names.reverse();
            }
            direction(language, names[0], names[1], &times)
        }
        Between::BlockSize { faster_bytes, slower_bytes } => {
            let [faster, slower] = [faster_bytes, slower_bytes].map(|bytes| language.bytes(bytes));
            let unit = match found.measure.quantity {
                Quantity::Iops => "IO/s",
                Quantity::Throughput | Quantity::Latency(_) => "MiB/s",
            };
            block_sizes(language, &faster, &slower, &as_many(language, &times, unit))
        }
    }
}

/// A run against the reference, given the names of all runs; follows the name of the series and a
/// colon.
pub(crate) fn change(language: Language, found: &Change, runs: &[&str]) -> String {
    let [reference, run] = [0, found.run].map(|run| runs.get(run).copied().unwrap_or_default());
    let rule = found.rule.as_deref().map(|rule| common::rule(language, rule)).unwrap_or_default();
    let (by, is_time) = (amount(language, found), is_time(found));
    match (language, found.measure.place) {
        (English, Place::Sustained) => format!("{run} sustains {by} {reference} at {rule}."),
        (English, Place::Peak) => format!("at its peak {run} reaches {by} {reference}."),
        (English, Place::EqualLoad) if is_time => {
            format!("at equal load response times of {run} are {by} those of {reference}.")
        }
        (English, Place::EqualLoad) => format!("at equal load {run} does {by} {reference}."),
        (German, Place::Sustained) => format!("{run} hält bei {rule} dauerhaft {by} {reference}."),
        (German, Place::Peak) => format!("In der Spitze erreicht {run} {by} {reference}."),
        (German, Place::EqualLoad) if is_time => {
            format!("Bei gleicher Last sind die Antwortzeiten von {run} {by} die von {reference}.")
        }
        (German, Place::EqualLoad) => format!("Bei gleicher Last leistet {run} {by} {reference}."),
    }
}

/// From this change in percent on, multiples say more than percent.
const TIMES_FROM_PERCENT: f64 = 100.0;

/// By how much: `5 % (3 % to 7 %) more than`.
fn amount(language: Language, found: &Change) -> String {
    let is_multiple = found.percent >= TIMES_FROM_PERCENT;
    let end = |percent: f64| match is_multiple {
        true => language.rate(1.0 + percent / 100.0),
        false => language.percent(percent.abs()),
    };
    let mut interval = found.interval_percent.map(end);
    if found.percent < 0.0 {
        interval.reverse();
    }
    let ([low, high], size) = (interval, end(found.percent));
    let (um, [more, less, equal]) = match (language, is_time(found)) {
        (English, true) => ("", ["longer than", "shorter than", "as long as"]),
        (English, false) => ("", ["more than", "less than", "as much as"]),
        (German, true) => ("um ", ["länger als", "kürzer als", "so lang wie"]),
        (German, false) => ("", ["mehr als", "weniger als", "so viel wie"]),
    };
    if is_multiple {
        return format!("{} {equal}", times(language, &size, &low, &high));
    }
    let than = if found.percent >= 0.0 { more } else { less };
    format!("{um}{size} ({}) {than}", common::range(language, &low, &high))
}

/// True if response times are compared: those at equal load.
fn is_time(found: &Change) -> bool {
    found.measure.place == Place::EqualLoad
        && matches!(found.measure.quantity, Quantity::Latency(_))
}

/// A kind of part of a simulated system.
pub(crate) fn part(language: Language, part: &str) -> &str {
    match (language, part) {
        (German, "drives") => "Laufwerke",
        (German, "controllers") => "Controller",
        (German, "links to drives") => "Verbindungen zu den Laufwerken",
        (German, "host links, writing") => "Host-Verbindungen, schreibend",
        (German, "host links, reading") => "Host-Verbindungen, lesend",
        (_, other) => other,
    }
}
