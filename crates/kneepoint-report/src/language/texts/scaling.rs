//! A setting whose levels are numbers.

use kneepoint_core::spec::factor::CPU_QUOTA;

use super::advice;
use crate::language::Language::{self, English, German};

texts! {
    linear: "linear" | "linear";
    over(series: &str, number: &str, setting: &str):
        "Throughput ({number}) of {series} over {setting}"
        | "Durchsatz ({number}) über {setting}: {series}";
    linear_note:
        " Dotted: what it would be if each did as much as at the first level."
        | " Gepunktet: was es wäre, wenn jedes so viel leistete wie auf der ersten Stufe.";
    zones_note:
        " At the upper edge: the part of the simulated system that is busy nearly all of the time."
        | " Am oberen Rand: der Teil des simulierten Systems, der fast die ganze Zeit beschäftigt \
           ist.";
    per_part(one: &str, number: &str):
        "Throughput ({number}) per {one}"
        | "Durchsatz ({number}) je {one}";
    per_part_axis(unit: &str, one: &str): "{unit} per {one}" | "{unit} je {one}";
    per_part_note:
        "A level line is linear growth."
        | "Eine waagerechte Linie ist lineares Wachstum.";
    table(setting: &str, number: &str):
        "Throughput ({number}) by {setting}"
        | "Durchsatz ({number}) je Stufe: {setting}";
    against_first: "Against the first" | "Gegenüber der ersten";
    per_one(one: &str): "Per {one}" | "Je {one}";
    limited_by: "Busy nearly all of the time" | "Fast immer beschäftigt";
    multipliers(number: &str):
        "Stroke multipliers: throughput ({number}) as a share of that at the smallest stroke"
        | "Hubfaktoren: Durchsatz ({number}) als Anteil von dem beim kleinsten Hub";
    linear_throughout(subject: &str, last: &str):
        "{subject}: within 10\u{a0}% of linear over all levels, up to {last}"
        | "{subject}: über alle Stufen bis {last} auf 10\u{a0}% genau linear";
    linear_up_to(subject: &str, level: &str):
        "{subject}: within 10\u{a0}% of linear up to {level}"
        | "{subject}: bis {level} auf 10\u{a0}% genau linear";
    /// In place of all of these.
    disturbed(subject: &str):
        "{subject}: how far more of them help cannot be told, because something else disturbed the \
         points."
        | "{subject}: Wie weit mehr davon helfen, lässt sich nicht sagen, weil etwas anderes die \
           Messpunkte gestört hat.";
    limit(from: &str, part: &str):
        "; from {from} on, limited by {part}"
        | "; ab {from} begrenzt durch {part}";
}

/// How many times as much the last level does as the first one.
pub(crate) fn times(
    language: Language,
    subject: &str,
    (first, last, times): (&str, &str, &str),
) -> String {
    match language {
        English => format!("{subject}: {times} times as much from {first} to {last}"),
        German => format!("{subject}: von {first} auf {last} das {times}-Fache"),
    }
}

/// A setting as a noun.
pub(crate) fn setting(language: Language, name: &str) -> String {
    match (language, name) {
        (German, "disks") => "Platten".to_owned(),
        (German, "controllers") => "Controller".to_owned(),
        (German, "targets") => "Ziele".to_owned(),
        (German, "nodes") => "Knoten".to_owned(),
        (German, "stroke") => "Hub".to_owned(),
        _ => advice::noun(language, name),
    }
}

/// One of what a setting counts.
pub(crate) fn one(language: Language, name: &str) -> &str {
    match (language, name) {
        (English, "drives") => "drive",
        (English, "disks") => "disk",
        (English, "arrays") => "array",
        (English, "controllers") => "controller",
        (English, "targets") => "target",
        (English, "workers") => "worker",
        (English, "nodes") => "node",
        (English, "cpus" | CPU_QUOTA) => "processor",
        (German, "drives") => "Laufwerk",
        (German, "disks") => "Platte",
        (German, "arrays") => "Array",
        (German, "controllers") => "Controller",
        (German, "targets") => "Ziel",
        (German, "workers") => "Thread",
        (German, "nodes") => "Knoten",
        (German, "cpus" | CPU_QUOTA) => "Prozessor",
        (_, other) => other,
    }
}

/// How a multiplier is used: throughputs and strokes of the first and of the last level, and it.
pub(crate) fn example(
    language: Language,
    series: &str,
    [first, last]: [&str; 2],
    [small, large, multiplier]: [&str; 3],
) -> String {
    match language {
        English => format!(
            "Example: {series} has {first} with its data on {small} of each drive. With data on \
             {large} of it, multiply by {multiplier}: {last}."
        ),
        German => format!(
            "Beispiel: {series} hat {first}, wenn die Daten auf {small} jedes Laufwerks liegen. \
             Liegen sie auf {large}, wird mit {multiplier} multipliziert: {last}."
        ),
    }
}
