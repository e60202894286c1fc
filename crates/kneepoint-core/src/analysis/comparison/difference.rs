//! Differences between runs: what they were measured on, and what was measured.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{FactorDifference, FactorKind};
use crate::result::{PointResult, RunDocument, TargetEnvironment};

type Facts = BTreeMap<(FactorKind, String), String>;

/// Everything that is not the same in all of `documents`, the most telling first.
pub(super) fn factor_differences(documents: &[&RunDocument]) -> Vec<FactorDifference> {
    let facts: Vec<Facts> = documents.iter().map(|document| facts(document)).collect();
    let mut names: Vec<&(FactorKind, String)> = facts.iter().flat_map(Facts::keys).collect();
    names.sort();
    names.dedup();
    let difference = |name: &(FactorKind, String)| FactorDifference {
        kind: name.0,
        name: name.1.clone(),
        values: facts.iter().map(|facts| facts.get(name).cloned()).collect(),
    };
    let all = names.into_iter().map(difference);
    all.filter(|difference| difference.values.iter().any(|value| *value != difference.values[0]))
        .collect()
}

/// What is known of one run that could influence its numbers.
fn facts(document: &RunDocument) -> Facts {
    let mut facts = Facts::new();
    let environment = &document.environment;
    add_targets(&mut facts, &environment.targets);
    for point in &document.points {
        for (name, level) in &point.settings {
            let name = format!("{}.{name}", point.profile);
            facts.insert((FactorKind::Target, name), level.clone());
        }
    }
    let plan = &document.plan;
    add_json(&mut facts, (FactorKind::Engine, String::new()), plan.get("engine"));
    let host = environment.first_host().cloned().unwrap_or_default();
    for (name, value) in &host.engine {
        let is_planned = facts.contains_key(&(FactorKind::Engine, name.clone()));
        if !is_planned {
            facts.insert((FactorKind::Engine, name.clone()), value.clone());
        }
    }
    for part in ["timing", "precondition", "open_loop", "repetitions"] {
        add_json(&mut facts, (FactorKind::Measurement, part.to_owned()), plan.get(part));
    }
    let mut machine = |name: &str, value: &str| {
        if !value.is_empty() {
            facts.insert((FactorKind::Machine, name.to_owned()), value.to_owned());
        }
    };
    machine("kernel", &host.kernel);
    machine("memory_bytes", &host.memory_bytes.to_string());
    host.facts.iter().for_each(|(name, value)| machine(&format!("host.{name}"), value));
    host.cpu.iter().for_each(|(name, value)| machine(&format!("cpu.{name}"), value));
    facts.insert((FactorKind::Program, "version".to_owned()), document.run.version.clone());
    facts
}

/// The targets: what all of them share stands once, what differs among them is listed.
fn add_targets(facts: &mut Facts, targets: &[TargetEnvironment]) {
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for target in targets {
        for (name, value) in target_facts(target) {
            let known = values.entry(name).or_default();
            if !known.contains(&value) {
                known.push(value);
            }
        }
    }
    for (name, values) in values {
        facts.insert((FactorKind::Target, name), values.join(", "));
    }
    facts.insert((FactorKind::Target, "target_count".to_owned()), targets.len().to_string());
}

/// What is known of a target. The parameters in the name of a simulated system come first; what
/// its settings say in full takes their place.
fn target_facts(target: &TargetEnvironment) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    let whole = target.target.as_str();
    let name = match whole.strip_prefix("sim:") {
        Some(simulated) => {
            let base = simulated.split('#').next().unwrap_or_default();
            let (name, query) = base.split_once('?').unwrap_or((base, ""));
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            facts.extend(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())));
            format!("sim:{name}")
        }
        None => whole.to_owned(),
    };
    facts.insert("target".to_owned(), name);
    facts.insert("size_bytes".to_owned(), target.size_bytes.to_string());
    if !target.file_system.is_empty() {
        facts.insert("file_system".to_owned(), target.file_system.clone());
    }
    let device =
        target.device.iter().map(|(name, value)| (format!("device.{name}"), value.clone()));
    facts.extend(device);
    facts.extend(target.settings.clone());
    facts
}

/// The leaves of a JSON value, named by their path below `name`.
fn add_json(facts: &mut Facts, (kind, name): (FactorKind, String), value: Option<&Value>) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        None | Some(Value::Null) => {}
        Some(Value::Object(fields)) => {
            for (key, field) in fields {
                add_json(facts, (kind, below(key)), Some(field));
            }
        }
        Some(Value::String(text)) => {
            facts.insert((kind, name), text.clone());
        }
        Some(other) => {
            facts.insert((kind, name), other.to_string());
        }
    }
}

/// What the I/Os of a series look like, fact by fact.
pub(super) type Key = BTreeMap<String, String>;

/// The parts of a profile that make the I/Os what they are.
const PARTS: [&str; 4] = ["lines", "range", "distribution", "data"];

/// Parts that a profile has only if it asks for them.
const DURABILITY: &str = "durability";
const THINK: &str = "think";

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
///
/// Part of the key are block sizes, shares of reads and of random positions, pauses, alignment,
/// address range, how positions are distributed, what is written and how it is made durable, and what the load
/// counts. Names
/// and titles do not matter, nor which load levels were measured.
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
    for part in [DURABILITY, THINK] {
        if let Some(asked) = profile.get(part) {
            flatten(&mut key, part.to_owned(), asked);
        }
    }
    Some(key)
}

/// Whether a profile with this key pauses between its I/Os.
pub(super) fn pauses(key: &Key) -> bool {
    let is_pause = |name: &str| name == THINK || name.ends_with(".delay");
    key.iter().any(|(name, value)| is_pause(name) && value != "0")
}

fn measured(points: &[&PointResult]) -> Key {
    let Some(storage) = points.first().and_then(|point| point.storage) else { return Key::new() };
    let facts = [
        ("block_bytes", storage.block_bytes.to_string()),
        ("read_percent", storage.read_percent.to_string()),
        ("random_percent", storage.random_percent.to_string()),
    ];
    let durable = storage.durability.phrases().map(|how| (DURABILITY, how));
    facts.into_iter().chain(durable).map(|(name, value)| (name.to_owned(), value)).collect()
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
pub(super) fn profile_differences(reference: &Key, other: &Key) -> Vec<String> {
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
