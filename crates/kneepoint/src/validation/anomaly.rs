//! Cells that were declared irregular before a run.

use std::collections::BTreeMap;

use kneepoint_core::spec::document::Document;
use kneepoint_core::words::fault::Fault;
use serde::Deserialize;

/// Reasons by the cell's id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Anomalies {
    reasons: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    anomaly: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Ids of cells.
    cells: Vec<String>,
    /// Why they are irregular.
    reason: String,
}

impl Anomalies {
    /// Reads a declaration; `file_name` is what faults call it.
    pub(crate) fn parse(text: &str, file_name: &str) -> Result<Self, Fault> {
        let file: File = Document::new(file_name, text).read()?;
        let mut reasons = BTreeMap::new();
        for entry in file.anomaly {
            if entry.reason.trim().is_empty() {
                return Err(Fault::new(format!("{file_name}: an anomaly has no reason"))
                    .fix("say why these cells are irregular"));
            }
            for id in entry.cells {
                reasons.insert(id, entry.reason.clone());
            }
        }
        Ok(Self { reasons })
    }

    /// Why a cell was declared irregular, if it was.
    pub(crate) fn reason(&self, id: &str) -> Option<&str> {
        self.reasons.get(id).map(String::as_str)
    }

    /// Declared ids that no cell has.
    pub(crate) fn strangers<'a>(&'a self, ids: &[&str]) -> Vec<&'a str> {
        self.reasons.keys().map(String::as_str).filter(|id| !ids.contains(id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_name_cells_and_reasons() {
        let text = "[[anomaly]]\ncells = [\"a\", \"b\"]\nreason = \"falls\"\n";
        let anomalies = Anomalies::parse(text, "x.toml").unwrap();
        assert_eq!(anomalies.reason("b"), Some("falls"));
        assert_eq!(anomalies.reason("c"), None);
        assert_eq!(anomalies.strangers(&["a"]), ["b"]);
        let without = "[[anomaly]]\ncells = [\"a\"]\nreason = \" \"\n";
        assert!(Anomalies::parse(without, "x.toml").unwrap_err().to_string().contains("no reason"));
    }
}
