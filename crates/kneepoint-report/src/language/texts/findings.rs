//! Findings as sentences.

use kneepoint_core::result::{Direction, Order};
use kneepoint_core::words::load::LoadUnit;

use crate::language::Language::{self, English, German};

texts! {
    /// Heading of the chapter.
    heading: "Findings" | "Befunde";
    /// How far the findings of a run can be trusted.
    confidence:
        "Each finding holds with 95\u{a0}% confidence and rests on no point that something else \
         disturbed. What the data do not show is not here."
        | "Jeder Befund gilt mit 95\u{a0}% Sicherheit und beruht auf keinem gestörten Messpunkt. \
           Was die Daten nicht zeigen, steht hier nicht.";
    /// The one setting that differs: name, value in the reference, value in the run.
    factor(name: &str, from: &str, to: &str): "{name} {from} → {to}" | "{name} {from} → {to}";
    /// No finding between runs.
    none_between:
        "No significant difference was found. That does not prove that there is none: the tables \
         say how large one would have had to be."
        | "Ein signifikanter Unterschied wurde nicht gefunden. Das beweist nicht, dass es keinen \
           gibt: Die Tabellen nennen, wie groß er hätte sein müssen.";
}

/// A plateau.
#[derive(Debug)]
pub(crate) struct SaturationWords<'a> {
    /// The load from which on nothing is gained.
    pub(crate) from: &'a str,
    /// The highest load.
    pub(crate) to: &'a str,
    /// Throughput there, with its unit.
    pub(crate) plateau: &'a str,
    /// The largest rise that the data leave possible.
    pub(crate) rise: &'a str,
}

/// Two series.
#[derive(Debug)]
pub(crate) struct ContrastWords<'a> {
    /// How many times as fast.
    pub(crate) ratio: &'a str,
    /// Ends of the interval.
    pub(crate) interval: [&'a str; 2],
    /// Unit of what was compared.
    pub(crate) unit: &'a str,
}

/// A run against another.
#[derive(Debug)]
pub(crate) struct ChangeWords<'a> {
    /// The run.
    pub(crate) run: &'a str,
    /// The reference.
    pub(crate) reference: &'a str,
    /// The quantity that was compared.
    pub(crate) what: ChangedWhat<'a>,
    /// By how much.
    pub(crate) amount: Amount<'a>,
    /// Ends of the interval, in the terms of the amount.
    pub(crate) interval: [&'a str; 2],
}

/// The quantity that differs between runs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ChangedWhat<'a> {
    /// Sustained throughput at a rule.
    Sustained(&'a str),
    /// The peak.
    Peak,
    /// Throughput at equal load.
    Rate,
    /// Response time at equal load.
    ResponseTime,
}

/// By how much.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Amount<'a> {
    /// So much more.
    More(&'a str),
    /// So much less.
    Less(&'a str),
    /// This many times as much.
    Times(&'a str),
}

/// A load in words.
pub(crate) fn load(language: Language, level: &str, unit: LoadUnit) -> String {
    match language {
        English => match unit {
            LoadUnit::OutstandingIos => format!("{level} outstanding"),
            LoadUnit::OfferedIops => format!("{level} IO/s offered"),
            unit => format!("{level} {}", unit.label_of(if level == "1" { 1.0 } else { 2.0 })),
        },
        German => match unit {
            LoadUnit::OutstandingIos => format!("{level} ausstehenden I/Os"),
            LoadUnit::OfferedIops => format!("{level} angebotenen IO/s"),
            LoadUnit::Users => format!("{level} Benutzern"),
            LoadUnit::Warehouses => format!("{level} Lagern"),
            LoadUnit::Copies => format!("{level} Kopien"),
        },
    }
}

/// Throughput no longer rises; follows the name of the series and a colon.
pub(crate) fn saturation(language: Language, words: &SaturationWords<'_>) -> String {
    let SaturationWords { from, to, plateau, rise } = words;
    match language {
        English => format!(
            "throughput no longer rises from {from} on; it stays at about {plateau}, and up to \
             {to} it gains {rise} at most."
        ),
        German => format!(
            "Ab {from} steigt der Durchsatz nicht weiter; er bleibt bei etwa {plateau} und \
             gewinnt bis zu {to} höchstens {rise}."
        ),
    }
}

/// The limit of a simulated system: kind of part, its count, how busy.
pub(crate) fn bottleneck(language: Language, part: &str, count: u32, busy: &str) -> String {
    match language {
        English => match count {
            1 => format!("The limit of the simulated system: {part}, busy for {busy} of the time."),
            _ => format!(
                "The limit of the simulated system: {part} ({count} of them), the busiest for \
                 {busy} of the time."
            ),
        },
        German => {
            let part = part_german(part);
            match count {
                1 => format!(
                    "Die Grenze des simulierten Systems: {part}, zu {busy} der Zeit beschäftigt."
                ),
                _ => format!(
                    "Die Grenze des simulierten Systems: {part} (Anzahl {count}), am stärksten zu \
                     {busy} der Zeit beschäftigt."
                ),
            }
        }
    }
}

/// Sequential against random access.
pub(crate) fn order(language: Language, faster: Order, words: &ContrastWords<'_>) -> String {
    let mut names = match language {
        English => ["sequential", "random"],
        German => ["sequentieller", "wahlfreier"],
    };
    if faster == Order::Random {
        names.reverse();
    }
    let ([fast, slow], times) = (names, times(language, words));
    match language {
        English => format!("At its peak {fast} access moves {times} as much as {slow} access."),
        German => {
            format!("In der Spitze bewegt {fast} Zugriff {times} so viel wie {slow} Zugriff.")
        }
    }
}

/// Reads against writes.
pub(crate) fn direction(
    language: Language,
    faster: Direction,
    words: &ContrastWords<'_>,
) -> String {
    let mut names = match language {
        English => ["reading", "writing"],
        German => ["Lesen", "Schreiben"],
    };
    if faster == Direction::Write {
        names.reverse();
    }
    let ([fast, slow], times) = (names, times(language, words));
    match language {
        English => format!("At its peak {fast} is {times} as fast as {slow}."),
        German => format!("In der Spitze ist {fast} {times} so schnell wie {slow}."),
    }
}

/// Blocks of one size against another.
pub(crate) fn block_size(
    language: Language,
    [faster, slower]: [&str; 2],
    words: &ContrastWords<'_>,
) -> String {
    let (times, unit) = (times(language, words), words.unit);
    match language {
        English => format!(
            "At the peak, blocks of {faster} reach {times} as many {unit} as blocks of {slower}."
        ),
        German => format!(
            "In der Spitze erreichen Blöcke von {faster} {times} so viele {unit} wie Blöcke von \
             {slower}."
        ),
    }
}

/// A run against the reference; follows the name of the series and a colon.
pub(crate) fn change(language: Language, words: &ChangeWords<'_>) -> String {
    let ChangeWords { run, reference, what, amount, interval: [low, high] } = words;
    let is_time = matches!(what, ChangedWhat::ResponseTime);
    match language {
        English => {
            let [more, less, equal] = match is_time {
                true => ["longer than", "shorter than", "as long as"],
                false => ["more than", "less than", "as much as"],
            };
            let by = match amount {
                Amount::More(size) => format!("{size} ({low} to {high}) {more}"),
                Amount::Less(size) => format!("{size} ({low} to {high}) {less}"),
                Amount::Times(times) => format!("{times} times ({low} to {high}) {equal}"),
            };
            match what {
                ChangedWhat::Sustained(rule) => {
                    format!("{run} sustains {by} {reference} at {rule}.")
                }
                ChangedWhat::Peak => format!("at its peak {run} reaches {by} {reference}."),
                ChangedWhat::Rate => format!("at equal load {run} does {by} {reference}."),
                ChangedWhat::ResponseTime => {
                    format!("at equal load response times of {run} are {by} those of {reference}.")
                }
            }
        }
        German => {
            let (um, [more, less, equal]) = match is_time {
                true => ("um ", ["länger als", "kürzer als", "so lang wie"]),
                false => ("", ["mehr als", "weniger als", "so viel wie"]),
            };
            let by = match amount {
                Amount::More(size) => format!("{um}{size} ({low} bis {high}) {more}"),
                Amount::Less(size) => format!("{um}{size} ({low} bis {high}) {less}"),
                Amount::Times(times) => format!("{times}-mal ({low} bis {high}) {equal}"),
            };
            match what {
                ChangedWhat::Sustained(rule) => {
                    format!("{run} hält bei {rule} dauerhaft {by} {reference}.")
                }
                ChangedWhat::Peak => format!("In der Spitze erreicht {run} {by} {reference}."),
                ChangedWhat::Rate => format!("Bei gleicher Last leistet {run} {by} {reference}."),
                ChangedWhat::ResponseTime => {
                    format!(
                        "Bei gleicher Last sind die Antwortzeiten von {run} {by} die von \
                         {reference}."
                    )
                }
            }
        }
    }
}

/// A kind of part of a simulated system.
pub(super) fn part_german(part: &str) -> &str {
    match part {
        "drives" => "Laufwerke",
        "controllers" => "Controller",
        "links to drives" => "Verbindungen zu den Laufwerken",
        "host links, writing" => "Host-Verbindungen, schreibend",
        "host links, reading" => "Host-Verbindungen, lesend",
        other => other,
    }
}

/// `2.5 times (2.1 to 2.9)`.
fn times(language: Language, words: &ContrastWords<'_>) -> String {
    let ContrastWords { ratio, interval: [low, high], .. } = words;
    match language {
        English => format!("{ratio} times ({low} to {high})"),
        German => format!("{ratio}-mal ({low} bis {high})"),
    }
}
