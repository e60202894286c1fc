//! Facts of machines and targets as they were recorded.

use std::collections::BTreeMap;

use kneepoint_core::words::units::Bytes;

use super::system;
use super::view::RunView;
use crate::language::Language;
use crate::language::texts::{advice, common, environment};
use crate::page::{Fact, Text};

/// What is known of a machine or a target; of a setting that the run varied its levels, because the
/// value is that of one moment. What several devices have in common is one fact.
pub(super) fn facts(survey: &RunView<'_>, map: &BTreeMap<String, String>) -> Vec<Fact> {
    let language = survey.language;
    let mut alike: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for (key, value) in map {
        let (device, name) = key.rsplit_once('.').unwrap_or(("", key));
        match alike.iter_mut().find(|(of, is, _)| *of == name && is == value) {
            Some((_, _, devices)) if !device.is_empty() && !devices.contains(&"") => {
                devices.push(device);
            }
            _ => alike.push((name, value, vec![device])),
        }
    }
    let fact = |(name, value, devices): (&str, &str, Vec<&str>)| {
        let title = common::key(language, name);
        let (key, title) = match devices.as_slice() {
            [""] => (name.to_owned(), title),
            of => (format!("{}.{name}", of[0]), format!("{}: {title}", of.join(", "))),
        };
        match system::varied(survey, &key) {
            Some(levels) => Fact::new(title, varied(language, name, &levels)),
            None if is_level(name, value) => Fact::new(title, advice::level(language, name, value)),
            None => Fact::new(title, value_of(language, name, value)),
        }
    };
    alike.into_iter().map(fact).collect()
}

/// The settings that a profile has as its own, by the names of factors.
pub(super) fn own_facts(language: Language, settings: &BTreeMap<String, String>) -> Vec<Fact> {
    let fact = |(name, value): (&String, &String)| {
        Fact::new(common::key(language, name), level(language, name, value))
    };
    settings.iter().map(fact).collect()
}

/// A level of a setting in words.
pub(super) fn level(language: Language, name: &str, value: &str) -> String {
    match is_level(name, value) {
        true => advice::level(language, name, value),
        false => value_of(language, name, value).words(),
    }
}

/// Whether a fact reads like the level of a factor.
fn is_level(name: &str, value: &str) -> bool {
    name == "raid" || name == "scheduler" || value.ends_with('%')
}

/// Ends of the names of facts that are quantities, not the numbers of anything.
const QUANTITIES: [&str; 8] =
    ["bytes", "_kb", "_kib", "_khz", "_usec", "io_size", "nr_requests", "_mask"];

/// The value of a fact: sizes with their unit apart, quantities with their digits in groups.
fn value_of(language: Language, name: &str, value: &str) -> Text {
    let is_quantity = QUANTITIES.iter().any(|end| name.ends_with(end));
    let count = value.parse().ok().filter(|_| is_quantity);
    if let Some(count) = count {
        return language.count_u64(count).into();
    }
    match value.parse::<Bytes>() {
        Ok(Bytes(bytes)) if value.ends_with("iB") => language.bytes(bytes).into(),
        _ => common::value(language, value),
    }
}

/// The levels that a setting was varied over, in place of its value.
pub(super) fn varied(language: Language, key: &str, levels: &[String]) -> String {
    let levels: Vec<String> =
        levels.iter().map(|level| advice::level(language, key, level)).collect();
    environment::varied(language, &levels.join(", "))
}

#[cfg(test)]
mod tests {
    use kneepoint_core::result::RunDocument;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_devices_have_in_common_is_one_fact() {
        let document: RunDocument = serde_json::from_value(json!({
            "schema": "kneepoint.run/2",
            "run": {"id": "r", "label": "", "work": "w", "state": "complete", "started_at": "",
                    "finished_at": "", "plan_hash": "", "seed": 1, "version": "", "command": ""},
            "environment": {"hosts": [], "targets": []}, "plan": null, "points": [],
            "analysis": {"summaries": []}, "copies": [], "warnings": []
        }))
        .unwrap();
        let survey = RunView::new(&document, Language::German);
        let recorded = [
            ("loop0.scheduler", "none"),
            ("loop1.scheduler", "none"),
            ("loop2.scheduler", "mq-deadline"),
            ("removable", "no"),
            ("loop0.removable", "no"),
            ("size", "8GiB"),
            ("size_bytes", "8589934592"),
            ("wbt_lat_usec", "75000"),
            ("serial", "75000"),
        ];
        let map = recorded.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let told = facts(&survey, &map).into_iter().map(|fact| {
            format!("{}: {}", fact.name, fact.value.words()).replace(['\u{a0}', '\u{202f}'], " ")
        });
        let expected = [
            "loop0: Wechselmedium: nein",
            "loop0, loop1: I/O-Scheduler: none",
            "loop2: I/O-Scheduler: mq-deadline",
            "Wechselmedium: nein",
            // A name, if it is one of digits.
            "Seriennummer: 75000",
            "Größe: 8 GiB",
            "Größe in Bytes: 8 589 934 592",
            "Drosselung des Schreibens, Ziellatenz in µs: 75 000",
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }
}
