//! The JSON Schema of the result format.

use kneepoint_core::result::{RUN_SCHEMA, RunDocument};
use schemars::schema_for;
use serde_json::{Map, Value};

use super::GeneratedFile;

/// `kneepoint.run.schema.json`.
pub(super) fn file() -> serde_json::Result<GeneratedFile> {
    let mut schema = serde_json::to_value(schema_for!(RunDocument))?;
    schema["title"] = Value::from(format!("Result format {RUN_SCHEMA}"));
    schema["properties"]["schema"]["const"] = Value::from(RUN_SCHEMA);
    let text = serde_json::to_string_pretty(&sorted(schema))? + "\n";
    Ok(GeneratedFile::new("kneepoint.run.schema.json", text))
}

/// Keys in alphabetical order, whatever order the JSON library keeps.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = map.into_iter().collect();
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            let entries = entries.into_iter().map(|(key, value)| (key, sorted(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        other => other,
    }
}
