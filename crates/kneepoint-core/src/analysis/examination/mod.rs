//! Whether a document that came from outside can be what Kneepoint measured: its numbers are within
//! their ranges, agree with one another, and belong to its plan.
//!
//! A forged or broken document is refused with the point, the field, the value and what was
//! expected. Documents that Kneepoint wrote pass, of every kind of target.

mod point;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::plan::{PLAN_SCHEMA, Plan};
use crate::result::RunDocument;
use crate::words::fault::Fault;
use crate::words::rule::Rule;
use point::Known;

/// Who measured a run: numbers of other tools are rounded by them, and do not agree as exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Measured,
    Imported,
}

/// Examines a run that came from outside.
///
/// # Errors
/// When something in it cannot be what Kneepoint measured; the fault names the place, the field,
/// its value and what was expected.
pub fn examine(document: &RunDocument) -> Result<(), Fault> {
    let plan = plan_of(document)?;
    header(document, plan.as_ref())?;
    let known = plan.as_ref().map(Known::of);
    let origin = match document.environment.imported {
        Some(_) => Origin::Imported,
        None => Origin::Measured,
    };
    for (index, result) in document.points.iter().enumerate() {
        point::examine((index, result), known.as_ref(), origin)?;
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
        let place = Place(format!("copy {} of files", index + 1));
        time(&place, "started_at", &copy.started_at)?;
        if let Some(elapsed) = copy.elapsed_s {
            place.at_least("elapsed_s", elapsed, 0.0)?;
        }
    }
    Ok(())
}

/// Numbers that were computed in another order of additions differ by no more than this share.
const ROUNDING: f64 = 1e-6;

/// Where a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place(String);

impl Place {
    /// The run itself.
    pub(super) fn run() -> Self {
        Self("the run".to_owned())
    }

    /// What is to be said of a field that has a `value` other than what was `expected`.
    pub(super) fn fault(&self, field: &str, value: &str, expected: &str) -> Fault {
        Fault::new(format!("{}: {field} is {value}", self.0))
            .because(format!("expected {expected}"))
            .fix("the file was changed, or Kneepoint did not write it: export the run again")
    }

    /// Refuses what is not finite or outside of `low` to `high`.
    pub(super) fn between(
        &self,
        field: &str,
        value: f64,
        (low, high): (f64, f64),
    ) -> Result<(), Fault> {
        if value >= low && value <= high {
            return Ok(());
        }
        Err(self.fault(field, &value.to_string(), &format!("{low} to {high}")))
    }

    /// Refuses what is not finite or below `low`.
    pub(super) fn at_least(&self, field: &str, value: f64, low: f64) -> Result<(), Fault> {
        if value >= low && value.is_finite() {
            return Ok(());
        }
        Err(self.fault(field, &value.to_string(), &format!("a number of at least {low}")))
    }

    /// Refuses a half-width that is no number of at least 0.
    pub(super) fn half_width(&self, field: &str, value: Option<f64>) -> Result<(), Fault> {
        value.map_or(Ok(()), |value| self.at_least(field, value, 0.0))
    }

    /// Refuses a value that differs from `expected` by more than rounding; `what` says what that
    /// is.
    pub(super) fn equal(
        &self,
        field: &str,
        value: f64,
        (expected, what): (f64, &str),
    ) -> Result<(), Fault> {
        let scale = value.abs().max(expected.abs()).max(1e-9);
        if (value - expected).abs() <= ROUNDING * scale {
            return Ok(());
        }
        Err(self.fault(field, &value.to_string(), &format!("{expected}, {what}")))
    }

    /// Refuses values that fall from one to the next.
    pub(super) fn rising(&self, values: &[(&str, f64)]) -> Result<(), Fault> {
        for pair in values.windows(2) {
            let [(low_name, low), (name, value)] = pair else { continue };
            if *value < low * (1.0 - ROUNDING) {
                let expected = format!("at least {low}, the value of {low_name}");
                return Err(self.fault(name, &value.to_string(), &expected));
            }
        }
        Ok(())
    }
}

/// Refuses text that is no RFC 3339 time in UTC.
pub(super) fn time(place: &Place, field: &str, text: &str) -> Result<(), Fault> {
    let local = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00")).unwrap_or_default();
    let number = |from: usize, to: usize| local.get(from..to).and_then(|part| part.parse().ok());
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let is_shaped = marks.iter().all(|(at, mark)| local.as_bytes().get(*at) == Some(mark));
    let limits: [(usize, usize, u32, u32); 6] = [
        (0, 4, 1970, 9999),
        (5, 7, 1, 12),
        (8, 10, 1, 31),
        (11, 13, 0, 23),
        (14, 16, 0, 59),
        (17, 19, 0, 60),
    ];
    let is_within = limits.iter().all(|(from, to, low, high)| {
        number(*from, *to).is_some_and(|value: u32| (*low..=*high).contains(&value))
    });
    let fraction = local.get(19..).unwrap_or_default();
    let digits = fraction.strip_prefix('.').unwrap_or("0");
    let is_fraction = (fraction.is_empty() || fraction.starts_with('.'))
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_shaped && is_within && is_fraction {
        return Ok(());
    }
    let expected = "a time in UTC such as 2026-11-21T04:35:10Z (RFC 3339)";
    Err(place.fault(field, &format!("'{text}'"), expected))
}
