//! Runs that another tool measured.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where an imported run comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The tool that measured.
    pub tool: String,
    /// Its version; empty if the file does not say.
    pub version: String,
    /// The format of the file: `fio JSON`.
    pub format: String,
    /// The name of the file, without its folder.
    pub file: String,
    /// What was measured, as the tool names it; empty if the file does not say.
    pub targets: Vec<String>,
    /// The hosts that measured; empty if the file does not say.
    pub hosts: Vec<String>,
}

impl Imported {
    /// The tool with its version: `fio 3.36`.
    pub fn measured_by(&self) -> String {
        match self.version.as_str() {
            "" => self.tool.clone(),
            version => format!("{} {version}", self.tool),
        }
    }
}

/// What a reader must know of the numbers of an imported run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ImportNote {
    /// Times are the local ones of an unknown zone.
    LocalTime,
    /// The file does not say when the run was measured.
    UnknownTime,
    /// Response times begin when an I/O had been handed to the kernel.
    CompletionTime,
    /// Means and extremes are of whole response times; percentiles are of times that begin when an I/O had
    /// been handed to the kernel.
    CompletionPercentiles,
    /// Jobs that ran at the same time are series of their own.
    SideBySide,
    /// The test was aborted: what it had not measured yet is missing.
    Aborted,
    /// Something was not taken over: it has no I/Os, or no response times.
    LeftOut {
        /// Its name in the file.
        what: String,
    },
}

impl fmt::Display for ImportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LocalTime => f.write_str(
                "imported: the times of this run are local times of a zone that the file does not name",
            ),
            Self::UnknownTime => f.write_str(
                "imported: the file does not say when this run was measured; its time is that of the import",
            ),
            Self::CompletionTime => f.write_str(
                "imported: response times are fio's completion latencies (clat), which leave out the time \
                 of the submission; run fio with --lat_percentiles=1 for the whole",
            ),
            Self::CompletionPercentiles => f.write_str(
                "imported: percentiles are those of fio's completion latencies (clat), which leave out the time \
                 of the submission, unlike means and maxima; run fio with --lat_percentiles=1 for the whole",
            ),
            Self::SideBySide => f.write_str(
                "imported: jobs of this run ran at the same time and shared what they measured; each is a \
                 series of its own here",
            ),
            Self::Aborted => f.write_str(
                "imported: the test was aborted before its end; later points may be missing, and its last \
                 one may be of a shorter time than the others",
            ),
            Self::LeftOut { what } => write!(
                f,
                "imported: '{what}' was left out, because it has no I/Os or no response times"
            ),
        }
    }
}
