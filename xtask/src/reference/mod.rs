//! The reference that is generated from the code; the JSON Schemas of what the program writes are
//! made here.

mod catalog;
mod command_line;

use clap::{Command, CommandFactory};
use kneepoint::cli::Cli;
use kneepoint::validation::{VALIDATE_SCHEMA, ValidationDocument};
use kneepoint::{LIVE_SCHEMA, LiveDocument};
use kneepoint_core::analysis::comparison::{COMPARE_SCHEMA, Comparison};
use kneepoint_core::result::{RUN_SCHEMA, RunDocument};
use schemars::generate::SchemaSettings;
use schemars::{Schema, schema_for};
use serde_json::{Map, Value};

/// Folder of everything that is generated, from the workspace's root.
pub const FOLDER: &str = "docs/reference";

/// A file as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Path from the workspace's root.
    pub path: String,
    /// Its whole content.
    pub text: String,
}

impl GeneratedFile {
    /// A file called `name` in [`FOLDER`].
    fn new(name: &str, text: String) -> Self {
        Self { path: format!("{FOLDER}/{name}"), text }
    }
}

/// All generated files.
///
/// # Errors
/// When a shipped profile, suite or system cannot be read, or a renderer fails.
pub fn files() -> anyhow::Result<Vec<GeneratedFile>> {
    let mut files = vec![command_line::file(), catalog::file()?];
    files.extend(schemas()?);
    files.extend(command_line::manual()?);
    files.extend(command_line::completions());
    Ok(files)
}

/// The command line, complete: every command knows its full name.
fn command() -> Command {
    // What is generated is the same whatever it was generated from.
    let mut command = Cli::command().disable_help_subcommand(true).long_version(None);
    command.build();
    command
}

/// The commands that are shown, in their order.
fn visible_subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

/// `kneepoint.run.schema.json`, `kneepoint.compare.schema.json`, `kneepoint.live.schema.json` and
/// `kneepoint.validate.schema.json`.
fn schemas() -> serde_json::Result<Vec<GeneratedFile>> {
    // Only ever written: whatever is always there is required.
    let written = SchemaSettings::draft2020_12().for_serialize().into_generator();
    Ok(vec![
        schema("run", ("Result format", RUN_SCHEMA), schema_for!(RunDocument))?,
        schema("compare", ("Comparison format", COMPARE_SCHEMA), schema_for!(Comparison))?,
        schema(
            "live",
            ("Live comparison format", LIVE_SCHEMA),
            written.clone().into_root_schema_for::<LiveDocument>(),
        )?,
        schema(
            "validate",
            ("Errors of predictions, format", VALIDATE_SCHEMA),
            written.into_root_schema_for::<ValidationDocument>(),
        )?,
    ])
}

/// `kneepoint.NAME.schema.json` for documents of `version`.
fn schema(
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
