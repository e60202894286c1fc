//! Findings as sentences.

use kneepoint_core::result::{Direction, Order};
use kneepoint_core::words::load::LoadUnit;

use crate::language::catalog::{
    Amount, ChangeWords, ChangedWhat, ContrastWords, FindingTexts, SaturationWords,
};

pub(super) const TEXTS: FindingTexts = FindingTexts {
    heading: "Befunde",
    confidence: "Jeder Befund gilt mit 95\u{a0}% Sicherheit und beruht auf keinem gestörten Messpunkt. Was die Daten nicht zeigen, steht hier nicht.",
    load,
    saturation,
    bottleneck,
    order,
    direction,
    block_size,
    change,
    factor: |name, from, to| format!("{name} {from} → {to}"),
    none_between: "Ein signifikanter Unterschied wurde nicht gefunden. Das beweist nicht, dass es keinen gibt: Die Tabellen nennen, wie groß er hätte sein müssen.",
};

fn load(level: &str, unit: LoadUnit) -> String {
    match unit {
        LoadUnit::OutstandingIos => format!("{level} ausstehenden I/Os"),
        LoadUnit::OfferedIops => format!("{level} angebotenen IO/s"),
        LoadUnit::Users => format!("{level} Benutzern"),
        LoadUnit::Warehouses => format!("{level} Lagern"),
        LoadUnit::Copies => format!("{level} Kopien"),
    }
}

fn saturation(words: &SaturationWords<'_>) -> String {
    let SaturationWords { from, to, plateau, rise } = words;
    format!(
        "Ab {from} steigt der Durchsatz nicht weiter; er bleibt bei etwa {plateau} und gewinnt bis zu {to} höchstens {rise}."
    )
}

/// A kind of part of a simulated system.
pub(super) fn part(part: &str) -> &str {
    match part {
        "drives" => "Laufwerke",
        "controllers" => "Controller",
        "links to drives" => "Verbindungen zu den Laufwerken",
        "host links, writing" => "Host-Verbindungen, schreibend",
        "host links, reading" => "Host-Verbindungen, lesend",
        other => other,
    }
}

fn bottleneck(name: &str, count: u32, busy: &str) -> String {
    let part = part(name);
    match count {
        1 => format!("Die Grenze des simulierten Systems: {part}, zu {busy} der Zeit beschäftigt."),
        _ => format!(
            "Die Grenze des simulierten Systems: {part} (Anzahl {count}), am stärksten zu {busy} der Zeit beschäftigt."
        ),
    }
}

fn order(faster: Order, words: &ContrastWords<'_>) -> String {
    let (fast, slow) = match faster {
        Order::Sequential => ("sequentieller", "wahlfreier"),
        Order::Random => ("wahlfreier", "sequentieller"),
    };
    format!("In der Spitze bewegt {fast} Zugriff {} so viel wie {slow} Zugriff.", times(words))
}

fn direction(faster: Direction, words: &ContrastWords<'_>) -> String {
    let (fast, slow) = match faster {
        Direction::Read => ("Lesen", "Schreiben"),
        Direction::Write => ("Schreiben", "Lesen"),
    };
    format!("In der Spitze ist {fast} {} so schnell wie {slow}.", times(words))
}

fn block_size(faster: &str, slower: &str, words: &ContrastWords<'_>) -> String {
    format!(
        "In der Spitze erreichen Blöcke von {faster} {} so viele {} wie Blöcke von {slower}.",
        times(words),
        words.unit
    )
}

fn times(words: &ContrastWords<'_>) -> String {
    let ContrastWords { ratio, interval: [low, high], .. } = words;
    format!("{ratio}-mal ({low} bis {high})")
}

fn change(words: &ChangeWords<'_>) -> String {
    let ChangeWords { run, reference, what, amount, interval: [low, high] } = words;
    let by = match (amount, what) {
        (Amount::More(size), ChangedWhat::ResponseTime) => {
            format!("um {size} ({low} bis {high}) länger als")
        }
        (Amount::Less(size), ChangedWhat::ResponseTime) => {
            format!("um {size} ({low} bis {high}) kürzer als")
        }
        (Amount::Times(times), ChangedWhat::ResponseTime) => {
            format!("{times}-mal ({low} bis {high}) so lang wie")
        }
        (Amount::More(size), _) => format!("{size} ({low} bis {high}) mehr als"),
        (Amount::Less(size), _) => format!("{size} ({low} bis {high}) weniger als"),
        (Amount::Times(times), _) => format!("{times}-mal ({low} bis {high}) so viel wie"),
    };
    match what {
        ChangedWhat::Sustained(rule) => {
            format!("{run} hält bei {rule} dauerhaft {by} {reference}.")
        }
        ChangedWhat::Peak => format!("In der Spitze erreicht {run} {by} {reference}."),
        ChangedWhat::Rate => format!("Bei gleicher Last leistet {run} {by} {reference}."),
        ChangedWhat::ResponseTime => {
            format!("Bei gleicher Last sind die Antwortzeiten von {run} {by} die von {reference}.")
        }
    }
}
