//! Findings as sentences.

use kneepoint_core::result::{Direction, Order};
use kneepoint_core::words::load::LoadUnit;

use crate::language::catalog::{
    Amount, ChangeWords, ChangedWhat, ContrastWords, FindingTexts, SaturationWords,
};

pub(super) const TEXTS: FindingTexts = FindingTexts {
    heading: "Findings",
    confidence: "Each finding holds with 95\u{a0}% confidence and rests on no point that something else disturbed. What the data do not show is not here.",
    load,
    saturation,
    bottleneck,
    order,
    direction,
    block_size,
    change,
    factor: |name, from, to| format!("{name} {from} → {to}"),
    none_between: "No significant difference was found. That does not prove that there is none: the tables say how large one would have had to be.",
};

fn load(level: &str, unit: LoadUnit) -> String {
    match unit {
        LoadUnit::OutstandingIos => format!("{level} outstanding"),
        LoadUnit::OfferedIops => format!("{level} IO/s offered"),
        unit => format!("{level} {}", unit.label_of(if level == "1" { 1.0 } else { 2.0 })),
    }
}

fn saturation(words: &SaturationWords<'_>) -> String {
    let SaturationWords { from, to, plateau, rise } = words;
    format!(
        "throughput no longer rises from {from} on; it stays at about {plateau}, and up to {to} it gains {rise} at most."
    )
}

fn bottleneck(part: &str, count: u32, busy: &str) -> String {
    match count {
        1 => format!("The limit of the simulated system: {part}, busy for {busy} of the time."),
        _ => format!(
            "The limit of the simulated system: {part} ({count} of them), the busiest for {busy} of the time."
        ),
    }
}

fn order(faster: Order, words: &ContrastWords<'_>) -> String {
    let (fast, slow) = match faster {
        Order::Sequential => ("sequential", "random"),
        Order::Random => ("random", "sequential"),
    };
    format!("At its peak {fast} access moves {} as much as {slow} access.", times(words))
}

fn direction(faster: Direction, words: &ContrastWords<'_>) -> String {
    let (fast, slow) = match faster {
        Direction::Read => ("reading", "writing"),
        Direction::Write => ("writing", "reading"),
    };
    format!("At its peak {fast} is {} as fast as {slow}.", times(words))
}

fn block_size(faster: &str, slower: &str, words: &ContrastWords<'_>) -> String {
    format!(
        "At the peak, blocks of {faster} reach {} as many {} as blocks of {slower}.",
        times(words),
        words.unit
    )
}

fn times(words: &ContrastWords<'_>) -> String {
    let ContrastWords { ratio, interval: [low, high], .. } = words;
    format!("{ratio} times ({low} to {high})")
}

fn change(words: &ChangeWords<'_>) -> String {
    let ChangeWords { run, reference, what, amount, interval: [low, high] } = words;
    let by = match (amount, what) {
        (Amount::More(size), ChangedWhat::ResponseTime) => {
            format!("{size} ({low} to {high}) longer than")
        }
        (Amount::Less(size), ChangedWhat::ResponseTime) => {
            format!("{size} ({low} to {high}) shorter than")
        }
        (Amount::Times(times), ChangedWhat::ResponseTime) => {
            format!("{times} times ({low} to {high}) as long as")
        }
        (Amount::More(size), _) => format!("{size} ({low} to {high}) more than"),
        (Amount::Less(size), _) => format!("{size} ({low} to {high}) less than"),
        (Amount::Times(times), _) => format!("{times} times ({low} to {high}) as much as"),
    };
    match what {
        ChangedWhat::Sustained(rule) => format!("{run} sustains {by} {reference} at {rule}."),
        ChangedWhat::Peak => format!("at its peak {run} reaches {by} {reference}."),
        ChangedWhat::Rate => format!("at equal load {run} does {by} {reference}."),
        ChangedWhat::ResponseTime => {
            format!("at equal load response times of {run} are {by} those of {reference}.")
        }
    }
}
