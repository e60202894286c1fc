//! Documents and points of `kneepoint.run/1`, as `kneepoint.run/2` has them.
//!
//! The formats differ in where a number stands, not in what it is, so that JSON becomes JSON. What
//! follows from points and plan is left out: it is computed again.

use serde_json::{Map, Value, json};

use super::warning::Recorded;
use super::{RUN_SCHEMA, Severity};

/// The version before this one.
pub const RUN_SCHEMA_1: &str = "kneepoint.run/1";

/// Kinds of warnings of version 1 that made a point invalid.
const DISTURBING: [&str; 9] = [
    "other_cpu_load",
    "other_device_load",
    "cpu_stolen",
    "clock_stepped",
    "generator_bound",
    "submitted_late",
    "stopped",
    "stalled",
    "setting_changed",
];

/// A whole run of version 1 as one of this version; what is none stays as it is.
pub fn upgrade_run(mut run: Value) -> Value {
    let Some(fields) = run.as_object_mut() else { return run };
    if fields.get("schema").and_then(Value::as_str) != Some(RUN_SCHEMA_1) {
        return run;
    }
    fields.insert("schema".to_owned(), json!(RUN_SCHEMA));
    fields.remove("summaries");
    fields.remove("copy_summaries");
    change(fields, "environment", upgrade_environment);
    change(fields, "points", |points| each(points, upgrade_point));
    change(fields, "copies", |copies| each(copies, upgrade_copy));
    change(fields, "warnings", upgrade_warnings);
    run
}

/// The environment of a run of version 1, which knew one machine.
pub fn upgrade_environment(mut environment: Value) -> Value {
    let Some(fields) = environment.as_object_mut() else { return environment };
    if fields.contains_key("hosts") {
        return environment;
    }
    let facts = fields.remove("host").unwrap_or_else(|| json!({}));
    let name = facts.get("name").cloned().unwrap_or_else(|| json!(""));
    let mut host = Map::new();
    host.insert("host".to_owned(), name.clone());
    host.insert("facts".to_owned(), facts);
    for key in ["kernel", "cpu", "memory_bytes", "engine"] {
        if let Some(value) = fields.remove(key) {
            host.insert(key.to_owned(), value);
        }
    }
    host.insert("clock".to_owned(), Value::Null);
    fields.insert("hosts".to_owned(), json!([host]));
    change(fields, "targets", |targets| {
        each(targets, |target| {
            changed(target, |fields| {
                fields.entry("host").or_insert_with(|| name.clone());
            })
        })
    });
    environment
}

/// A point of version 1; one of this version stays as it is.
pub fn upgrade_point(mut point: Value) -> Value {
    let Some(fields) = point.as_object_mut() else { return point };
    if !fields.contains_key("iops") || fields.contains_key("rate") {
        return point;
    }
    load(fields);
    storage(fields);
    with_unit(fields, ("iops", "rate", "io/s"));
    with_unit(fields, ("throughput_mib_s", "volume", "mib/s"));
    classes(fields);
    change(fields, "targets", |targets| each(targets, renamed));
    change(fields, "intervals", |all| each(all, |interval| changed(renamed(interval), classes)));
    change(fields, "steady_state", steady_state);
    change(fields, "open_loop", |open| {
        changed(open, |fields| {
            rename(fields, "offered_iops", "offered_rate");
            rename(fields, "delivered_iops", "delivered_rate");
        })
    });
    change(fields, "histograms", histograms);
    let verdict = fields.get("verdict").and_then(Value::as_str);
    let is_disturbed = matches!(verdict, Some("invalid" | "disturbed"));
    change(fields, "warnings", |warnings| each(warnings, |text| warning(text, is_disturbed)));
    point
}

/// One of two fields became a level with its unit.
fn load(fields: &mut Map<String, Value>) {
    let (outstanding, offered) = (fields.remove("outstanding"), fields.remove("offered_iops"));
    let known = |value: Option<Value>| value.filter(|value| !value.is_null());
    let load = match (known(outstanding), known(offered)) {
        (Some(count), None) => json!({"value": count, "unit": "outstanding_ios", "per": "target"}),
        (None, Some(rate)) => json!({"value": rate, "unit": "offered_iops", "per": "target"}),
        // None or two of them: the reader says that there is no load.
        _ => Value::Null,
    };
    fields.insert("load".to_owned(), load);
}

fn storage(fields: &mut Map<String, Value>) {
    let keys = ["block_bytes", "read_percent", "random_percent", "achieved_outstanding"];
    let taken = keys.map(|key| fields.remove(key).map(|value| (key.to_owned(), value)));
    let storage: Map<String, Value> = taken.into_iter().flatten().collect();
    fields.insert("storage".to_owned(), Value::Object(storage));
}

fn with_unit(fields: &mut Map<String, Value>, (from, to, unit): (&str, &str, &str)) {
    let Some(mut value) = fields.remove(from) else { return };
    if let Some(estimate) = value.as_object_mut() {
        estimate.insert("unit".to_owned(), json!(unit));
    }
    fields.insert(to.to_owned(), value);
}

/// Reads and writes became classes by name; those without operations are left out.
fn classes(fields: &mut Map<String, Value>) {
    let mut classes = Map::new();
    for name in [super::READ, super::WRITE] {
        let Some(class) = fields.remove(name).filter(|class| !class.is_null()) else { continue };
        let had_none = class.get("operations").and_then(Value::as_u64) == Some(0);
        if !had_none {
            classes.insert(name.to_owned(), renamed(class));
        }
    }
    fields.insert("classes".to_owned(), Value::Object(classes));
}

fn steady_state(found: Value) -> Value {
    let window = |window| changed(window, |fields| rename(fields, "iops_mean", "rate_mean"));
    changed(found, |fields| {
        change(fields, "rounds", |rounds| each(rounds, renamed));
        change(fields, "window", window);
    })
}

fn histograms(found: Value) -> Value {
    changed(found, |fields| {
        rename(fields, "read_us_count", super::READ);
        rename(fields, "write_us_count", super::WRITE);
        fields.retain(|_, pairs| pairs.as_array().is_some_and(|pairs| !pairs.is_empty()));
    })
}

/// A copy of version 1; one of this version stays as it is.
pub fn upgrade_copy(copy: Value) -> Value {
    changed(copy, |fields| change(fields, "warnings", upgrade_warnings))
}

/// Warnings of a run of version 1, which were sentences.
pub fn upgrade_warnings(warnings: Value) -> Value {
    each(warnings, |text| warning(text, false))
}

/// A sentence became data; its values are not known, and how much it takes follows from the verdict.
fn warning(text: Value, is_disturbed: bool) -> Value {
    let Value::String(text) = text else { return text };
    let mut warning = Recorded::sentence(Severity::Limits, text);
    if is_disturbed && DISTURBING.contains(&warning.kind.as_str()) {
        warning.severity = Severity::Disturbs;
    }
    serde_json::to_value(warning).unwrap_or_default()
}

/// Plain rates got the names of those with a unit.
fn renamed(value: Value) -> Value {
    changed(value, |fields| {
        rename(fields, "iops", "rate");
        rename(fields, "throughput_mib_s", "volume");
    })
}

/// An object with other fields; what is none stays as it is.
fn changed(mut value: Value, with: impl FnOnce(&mut Map<String, Value>)) -> Value {
    if let Some(fields) = value.as_object_mut() {
        with(fields);
    }
    value
}

fn rename(fields: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = fields.remove(from) {
        fields.insert(to.to_owned(), value);
    }
}

fn change(fields: &mut Map<String, Value>, key: &str, with: impl FnOnce(Value) -> Value) {
    if let Some(value) = fields.get_mut(key) {
        *value = with(value.take());
    }
}

fn each(values: Value, with: impl Fn(Value) -> Value) -> Value {
    match values {
        Value::Array(values) => Value::Array(values.into_iter().map(with).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Any JSON whose keys are those that the upgrade looks for.
    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[a-z :]{0,12}".prop_map(Value::from),
            Just(Value::from(RUN_SCHEMA_1)),
        ];
        let key = prop_oneof![
            Just("schema"),
            Just("points"),
            Just("iops"),
            Just("read"),
            Just("outstanding"),
            Just("intervals"),
            Just("environment"),
            Just("host"),
            Just("histograms"),
            Just("warnings"),
            Just("steady_state"),
            Just("window"),
        ];
        leaf.prop_recursive(4, 48, 6, move |inner| {
            let map = proptest::collection::btree_map(key.clone(), inner.clone(), 0..6);
            prop_oneof![
                proptest::collection::vec(inner, 0..4).prop_map(Value::from),
                map.prop_map(|map| map
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn upgrading_twice_is_upgrading_once(value in json()) {
            let once = upgrade_run(value.clone());
            prop_assert_eq!(upgrade_run(once.clone()), once);
            let point = upgrade_point(value.clone());
            prop_assert_eq!(upgrade_point(point.clone()), point);
            let environment = upgrade_environment(value);
            prop_assert_eq!(upgrade_environment(environment.clone()), environment);
        }
    }

    #[test]
    fn what_made_a_point_invalid_disturbs_it() {
        let point = json!({
            "iops": {"mean": 1.0, "ci95": null}, "verdict": "invalid", "outstanding": 1,
            "warnings": ["other load on the CPU: 40 %", "write cache on: vda"],
        });
        let upgraded = upgrade_point(point);
        let severity = |index: usize| upgraded["warnings"][index]["severity"].clone();
        assert_eq!((severity(0), severity(1)), (json!("disturbs"), json!("limits")));
        assert_eq!(upgraded["warnings"][0]["kind"], "other_cpu_load");
        assert_eq!(
            upgraded["load"],
            json!({"value": 1, "unit": "outstanding_ios", "per": "target"})
        );
    }

    #[test]
    fn sentences_about_copies_become_warnings() {
        let copies = json!([{"method": "sendfile", "warnings": ["shared blocks: no copy"]}]);
        let run = json!({"schema": RUN_SCHEMA_1, "copies": copies});
        let upgraded = upgrade_run(run)["copies"][0].clone();
        assert_eq!(upgraded["warnings"][0]["kind"], "shared_blocks");
        assert_eq!(upgraded["warnings"][0]["text"], "shared blocks: no copy");
        assert_eq!(upgrade_copy(upgraded.clone()), upgraded);
    }
}
