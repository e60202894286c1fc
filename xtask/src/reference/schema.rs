//! The JSON Schemas of what the program writes.

use kneepoint::validation::{VALIDATE_SCHEMA, ValidationDocument};
use kneepoint_core::analysis::comparison::{COMPARE_SCHEMA, Comparison};
use kneepoint_core::result::{RUN_SCHEMA, RunDocument};
use schemars::generate::SchemaSettings;
use schemars::{Schema, schema_for};
use serde_json::{Map, Value};

use super::GeneratedFile;

/// `kneepoint.run.schema.json`, `kneepoint.compare.schema.json` and `kneepoint.validate.schema.json`.
pub(super) fn files() -> serde_json::Result<Vec<GeneratedFile>> {
    // Only ever written: whatever is always there is required.
    let written = SchemaSettings::draft2020_12().for_serialize().into_generator();
    Ok(vec![
        file("run", ("Result format", RUN_SCHEMA), schema_for!(RunDocument))?,
        file("compare", ("Comparison format", COMPARE_SCHEMA), schema_for!(Comparison))?,
        file(
            "validate",
            ("Errors of predictions, format", VALIDATE_SCHEMA),
            written.into_root_schema_for::<ValidationDocument>(),
        )?,
    ])
}

/// `kneepoint.NAME.schema.json` for documents of `version`.
fn file(
    name: &str,
    (title, version): (&str, &str),
    schema: Schema,
) -> serde_json::Result<GeneratedFile> {
    let mut schema = serde_json::to_value(schema)?;
    schema["title"] = Value::from(format!("{title} {version}"));
    schema["properties"]["schema"]["const"] = Value::from(version);
    let text = serde_json::to_string_pretty(&sorted(schema))? + "\n";
    Ok(GeneratedFile::new(&format!("kneepoint.{name}.schema.json"), text))
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
