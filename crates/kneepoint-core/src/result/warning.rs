//! What limits the trust in a point or a run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
pub struct Warning {
    /// What it is, the same in all versions: `other_cpu_load`.
    pub kind: String,
    /// How much it takes from what was measured.
    pub severity: Severity,
    /// Its values.
    pub data: BTreeMap<String, serde_json::Value>,
    /// In English: a name, a colon, what was seen, and what to do about it.
    pub text: String,
}

impl Warning {
    /// A warning with that text; its kind is what the text has before its first colon.
    pub fn new(severity: Severity, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kind: kind_of(&text), severity, data: BTreeMap::new(), text }
    }

    /// What the reader should know.
    pub fn note(text: impl Into<String>) -> Self {
        Self::new(Severity::Note, text)
    }

    /// The same with one of its values.
    #[must_use]
    pub fn with(mut self, key: &str, value: f64) -> Self {
        self.data.insert(key.to_owned(), value.into());
        self
    }

    /// What limits the numbers.
    pub fn limits(text: impl Into<String>) -> Self {
        Self::new(Severity::Limits, text)
    }

    /// A note for each text.
    pub fn notes(texts: &[String]) -> Vec<Self> {
        texts.iter().map(Self::note).collect()
    }

    /// All texts in one.
    pub fn joined(warnings: &[Self]) -> String {
        warnings.iter().map(|warning| warning.text.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// The name that its text begins with.
    pub fn name(&self) -> &str {
        self.text.split(':').next().unwrap_or(&self.text)
    }
}

/// Kinds whose names in texts are longer.
const KINDS: [(&str, &str); 2] = [
    ("other load on the CPU", "other_cpu_load"),
    ("other load on the device", "other_device_load"),
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
