//! What differs between runs apart from what was measured: found in plans, environments and the
//! names of simulated systems.

use std::collections::BTreeMap;

use serde_json::Value;

use super::document::{FactorDifference, FactorKind};
use crate::result::{RunDocument, TargetEnvironment};

type Facts = BTreeMap<(FactorKind, String), String>;

/// Everything that is not the same in all of `documents`, the most telling first.
pub(super) fn differences(documents: &[&RunDocument]) -> Vec<FactorDifference> {
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
