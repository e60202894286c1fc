//! What is known of copies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Estimate, Warning};
use crate::spec::file_copy::{CopyCache, CopyMethod};

/// One copy of the file set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopyResult {
    /// The target beside which it was made, as the user named it.
    pub target: String,
    /// The function that copied.
    pub method: CopyMethod,
    /// With or without the page cache.
    pub cache: CopyCache,
    /// How many copies of this kind came before it.
    pub repetition: u32,
    /// RFC 3339, UTC, when it began.
    pub started_at: String,
    /// Files of the set.
    pub files: u32,
    /// Directories of the set.
    pub directories: u32,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Time from the first directory to the end of the last file, in seconds; `null` where the
    /// copy failed.
    pub elapsed_s: Option<f64>,
    /// Why the copy failed; `null` where it is complete.
    pub error: Option<String>,
    /// What limits the trust in this copy.
    pub warnings: Vec<Warning>,
}

/// The copies of one kind together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopySummary {
    /// The target beside which they were made, as the user named it.
    pub target: String,
    /// The function that copied.
    pub method: CopyMethod,
    /// With or without the page cache.
    pub cache: CopyCache,
    /// Copies that are complete.
    pub copies: u32,
    /// Their rates; `null` where no copy is complete.
    pub rates: Option<CopyRates>,
    /// Why a copy failed; `null` where none did.
    pub error: Option<String>,
    /// What limits the trust in them.
    pub warnings: Vec<Warning>,
}

/// How fast copies were; means over the copies, with the 95 % confidence interval of Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopyRates {
    /// Time of a copy in seconds.
    pub elapsed_s: Estimate,
    /// MiB of files per second (2^20 bytes); each byte counts once, although it is read and
    /// written.
    pub throughput_mib_s: Estimate,
    /// The median of the same.
    pub throughput_mib_s_median: f64,
    /// Files per second.
    pub files_per_s: Estimate,
}
