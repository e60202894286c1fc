//! Warnings as they are written: kind, severity, values and a text in English.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::Warning;

/// How much a warning takes from what was measured.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The reader should know.
    #[default]
    Note,
    /// What the numbers say is limited.
    Limits,
    /// Something else changed the numbers.
    Disturbs,
}

/// Something that limits the trust in a point or a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Warning")]
pub struct Recorded {
    /// What it is, the same in all versions: `other_cpu_load`.
    pub kind: String,
    /// How much it takes from what was measured.
    pub severity: Severity,
    /// Its values.
    pub data: BTreeMap<String, Value>,
    /// In English: a name, a colon, what was seen, and what to do about it.
    pub text: String,
}

impl Recorded {
    /// A sentence of version 1; its kind is what it has before its first colon.
    pub fn sentence(severity: Severity, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kind: kind_of(&text), severity, data: BTreeMap::new(), text }
    }

    /// How `warning` is written.
    pub(super) fn of(warning: &Warning) -> Self {
        if let Warning::Other(recorded) = warning {
            return recorded.clone();
        }
        let mut tagged = Warning::serialize(warning, serde_json::value::Serializer)
            .expect("a warning is plain data");
        let kind = tagged["kind"].as_str().unwrap_or_default().to_owned();
        let data = match tagged["data"].take() {
            Value::Object(data) => data.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        Self { kind, severity: warning.severity(), data, text: warning.text() }
    }

    /// The warning that is written so; `None` if this version has no such kind, or it has other
    /// values.
    fn known(&self) -> Option<Warning> {
        let mut tagged = Map::new();
        tagged.insert("kind".to_owned(), self.kind.as_str().into());
        if !self.data.is_empty() {
            let data: Map<String, Value> = self.data.clone().into_iter().collect();
            tagged.insert("data".to_owned(), data.into());
        }
        let known = Warning::deserialize(Value::Object(tagged)).ok()?;
        (known.severity() == self.severity).then_some(known)
    }
}

impl From<Recorded> for Warning {
    fn from(recorded: Recorded) -> Self {
        recorded.known().unwrap_or(Self::Other(recorded))
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Recorded::of(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Warning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Recorded::deserialize(deserializer).map(Self::from)
    }
}

impl JsonSchema for Warning {
    fn schema_name() -> Cow<'static, str> {
        Recorded::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Recorded::json_schema(generator)
    }
}

/// Kinds whose names in sentences are longer, or have other signs.
const KINDS: [(&str, &str); 5] = [
    ("other load on the CPU", "other_cpu_load"),
    ("other load on the device", "other_device_load"),
    ("I/O errors", "io_errors"),
    ("I/O limited", "io_limited"),
    ("I/O scheduler", "io_scheduler"),
];

/// The name before the first colon in lower case, joined by underscores.
fn kind_of(text: &str) -> String {
    let name = text.split(':').next().unwrap_or(text);
    if let Some((_, kind)) = KINDS.iter().find(|(known, _)| *known == name) {
        return (*kind).to_owned();
    }
    let name = name.to_lowercase();
    let words: Vec<&str> = name
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join("_")
}
