//! The JSON Schemas of the result formats.

use kneepoint_core::analysis::comparison::{COMPARE_SCHEMA, Comparison};
use kneepoint_core::result::{RUN_SCHEMA, RunDocument};
use schemars::{Schema, schema_for};
use serde_json::{Map, Value};

use super::GeneratedFile;

/// `kneepoint.run.schema.json` and `kneepoint.compare.schema.json`.
pub(super) fn files() -> serde_json::Result<Vec<GeneratedFile>> {
    let run = file("kneepoint.run.schema.json", RUN_SCHEMA, schema_for!(RunDocument))?;
    let compare = file("kneepoint.compare.schema.json", COMPARE_SCHEMA, schema_for!(Comparison))?;
    Ok(vec![run, compare])
}

/// The schema of the format called `format`.
fn file(name: &str, format: &str, schema: Schema) -> serde_json::Result<GeneratedFile> {
    let mut schema = serde_json::to_value(schema)?;
    schema["title"] = Value::from(format!("Result format {format}"));
    schema["properties"]["schema"]["const"] = Value::from(format);
    let text = serde_json::to_string_pretty(&sorted(schema))? + "\n";
    Ok(GeneratedFile::new(name, text))
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
