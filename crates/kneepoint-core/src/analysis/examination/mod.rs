//! Whether a document that came from outside can be what Kneepoint measured: its numbers are within
//! their ranges, agree with one another, and belong to its plan.
//!
//! A forged or broken document is refused with the point, the field, the value and what was
//! expected. Documents that Kneepoint wrote pass, of every kind of target.

mod check;
mod point;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::plan::{PLAN_SCHEMA, Plan};
use crate::result::RunDocument;
use crate::words::fault::Fault;
use crate::words::rule::Rule;
use check::{Place, time};
use point::Known;

/// Examines a run that came from outside.
///
/// # Errors
/// When something in it cannot be what Kneepoint measured; the fault names the place, the field,
/// its value and what was expected.
pub fn examine(document: &RunDocument) -> Result<(), Fault> {
    let plan = plan_of(document)?;
    header(document, plan.as_ref())?;
    let known = plan.as_ref().map(Known::of);
    for (index, result) in document.points.iter().enumerate() {
        point::examine(index, result, known.as_ref())?;
    }
    copies(document)
}

/// The first key of `given` that is not in `understood`, which is the same document as it was
/// read: a key that the reader does not know. Keys without a value do no harm.
pub fn unknown_key(given: &Value, understood: &Value) -> Option<String> {
    match (given, understood) {
        (Value::Object(given), Value::Object(understood)) => {
            given.iter().find_map(|(key, value)| match understood.get(key) {
                Some(known) => unknown_key(value, known).map(|rest| joined(key, &rest)),
                None => (!is_empty(value)).then(|| key.clone()),
            })
        }
        (Value::Array(given), Value::Array(understood)) => {
            let pairs = given.iter().zip(understood).enumerate();
            pairs.into_iter().find_map(|(index, (given, understood))| {
                unknown_key(given, understood).map(|rest| joined(&format!("[{index}]"), &rest))
            })
        }
        _ => None,
    }
}

fn joined(key: &str, rest: &str) -> String {
    if rest.starts_with('[') { format!("{key}{rest}") } else { format!("{key}.{rest}") }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(values) => values.is_empty(),
        Value::Object(values) => values.is_empty(),
        _ => false,
    }
}

/// The plan; nothing if it has the format of an earlier version, of which only the rules are read.
fn plan_of(document: &RunDocument) -> Result<Option<Plan>, Fault> {
    let place = Place::run();
    let schema = document.plan.get("schema").and_then(Value::as_str).unwrap_or_default();
    if schema != PLAN_SCHEMA {
        if !schema.starts_with("kneepoint.plan/") {
            return Err(place.fault("plan.schema", &format!("'{schema}'"), PLAN_SCHEMA));
        }
        let rules = document.plan.get("rules").cloned().unwrap_or_default();
        return match serde_json::from_value::<Vec<Rule>>(rules) {
            Ok(_) => Ok(None),
            Err(error) => Err(place.fault("plan.rules", &error.to_string(), "a list of rules")),
        };
    }
    let plan: Plan = serde_json::from_value(document.plan.clone())
        .map_err(|error| place.fault("plan", &error.to_string(), "a whole plan"))?;
    // A plan of an earlier version can lack what has a default now; its digest was another.
    let is_same = serde_json::to_value(&plan).is_ok_and(|again| again == document.plan);
    if is_same && plan.hash() != document.run.plan_hash {
        let expected = format!("{}, the digest of the plan", plan.hash());
        return Err(place.fault("plan_hash", &document.run.plan_hash, &expected));
    }
    Ok(Some(plan))
}

/// What ran, when, and how it ended.
fn header(document: &RunDocument, plan: Option<&Plan>) -> Result<(), Fault> {
    let (place, run) = (Place::run(), &document.run);
    time(&place, "started_at", &run.started_at)?;
    if !run.finished_at.is_empty() {
        time(&place, "finished_at", &run.finished_at)?;
        if run.finished_at.get(..19) < run.started_at.get(..19) {
            let expected = format!("a time after the start, {}", run.started_at);
            return Err(place.fault("finished_at", &run.finished_at, &expected));
        }
    }
    let Some(plan) = plan else { return Ok(()) };
    if run.seed != plan.seed {
        let expected = format!("{}, the seed of the plan", plan.seed);
        return Err(place.fault("seed", &run.seed.to_string(), &expected));
    }
    if run.work != plan.work {
        let expected = format!("'{}', the work of the plan", plan.work);
        return Err(place.fault("work", &format!("'{}'", run.work), &expected));
    }
    Ok(())
}

/// Copies of files.
fn copies(document: &RunDocument) -> Result<(), Fault> {
    for (index, copy) in document.copies.iter().enumerate() {
        let place = Place::named(format!("copy {} of files", index + 1));
        time(&place, "started_at", &copy.started_at)?;
        if let Some(elapsed) = copy.elapsed_s {
            place.at_least("elapsed_s", elapsed, 0.0)?;
        }
    }
    Ok(())
}
