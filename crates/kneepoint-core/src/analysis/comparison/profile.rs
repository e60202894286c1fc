//! Whether two series ask the same of a target: the key of comparability.
//!
//! Block sizes, shares of reads and of random positions, pauses, alignment, address range, how
//! positions are distributed, what is written, and what the load counts. Names and titles do not
//! matter, nor which load levels were measured.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::result::{PointResult, RunDocument};

/// What the I/Os of a series look like, fact by fact.
pub(super) type Key = BTreeMap<String, String>;

/// The parts of a profile that make the I/Os what they are.
const PARTS: [&str; 4] = ["lines", "range", "distribution", "data"];

/// A series of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) document: &'a RunDocument,
    /// The series in the plan; `None` where it is not there.
    pub(super) planned: Option<&'a Value>,
    pub(super) points: &'a [&'a PointResult],
}

/// The series of a run's plan by name, of several of one name the first.
#[derive(Debug)]
pub(super) struct PlannedProfiles<'a>(BTreeMap<&'a str, &'a Value>);

impl<'a> PlannedProfiles<'a> {
    pub(super) fn of(document: &'a RunDocument) -> Self {
        let series = document.plan.get("series").and_then(Value::as_array);
        let mut by_name = BTreeMap::new();
        for planned in series.into_iter().flatten() {
            if let Some(name) = planned.get("name").and_then(Value::as_str) {
                by_name.entry(name).or_insert(planned);
            }
        }
        Self(by_name)
    }

    pub(super) fn of_series(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).copied()
    }
}

/// The keys of a series in several runs. From the plans where all of them can be read, otherwise
/// from what the points say of themselves.
pub(super) fn keys(members: &[Member<'_>]) -> Vec<Key> {
    let planned: Option<Vec<Key>> = members.iter().map(|member| planned(member.planned?)).collect();
    let mut keys =
        planned.unwrap_or_else(|| members.iter().map(|member| measured(member.points)).collect());
    for (key, member) in keys.iter_mut().zip(members) {
        add_load(key, member.document, member.points);
    }
    keys
}

/// What the load counts, and how I/Os arrive where a rate is offered.
fn add_load(key: &mut Key, document: &RunDocument, points: &[&PointResult]) {
    let Some(first) = points.first() else { return };
    key.insert("load".to_owned(), first.load.unit.label().to_owned());
    if first.load.unit.is_offered()
        && let Some(arrivals) = document.plan.pointer("/open_loop/arrivals")
    {
        flatten(key, "arrivals".to_owned(), arrivals);
    }
}

fn planned(series: &Value) -> Option<Key> {
    let profile = series.get("profile")?.as_object()?;
    let mut key = Key::new();
    for part in PARTS {
        flatten(&mut key, part.to_owned(), profile.get(part)?);
    }
    Some(key)
}

fn measured(points: &[&PointResult]) -> Key {
    let Some(storage) = points.first().and_then(|point| point.storage) else { return Key::new() };
    let facts = [
        ("block_bytes", storage.block_bytes.to_string()),
        ("read_percent", storage.read_percent.to_string()),
        ("random_percent", storage.random_percent.to_string()),
    ];
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn flatten(key: &mut Key, path: String, value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                flatten(key, format!("{path}.{name}"), field);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                flatten(key, format!("{path}.{}", index + 1), item);
            }
        }
        Value::String(text) => {
            key.insert(path, text.clone());
        }
        other => {
            key.insert(path, other.to_string());
        }
    }
}

/// How two keys differ, fact by fact: `lines.1.read: 67 -> 70`.
pub(super) fn differences(reference: &Key, other: &Key) -> Vec<String> {
    let mut names: Vec<&String> = reference.keys().chain(other.keys()).collect();
    names.sort();
    names.dedup();
    let text = |key: &Key, name: &str| key.get(name).map_or("nothing", String::as_str).to_owned();
    names
        .into_iter()
        .filter(|name| reference.get(*name) != other.get(*name))
        .map(|name| format!("{name}: {} -> {}", text(reference, name), text(other, name)))
        .collect()
}
