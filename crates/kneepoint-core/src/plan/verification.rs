//! Data that is verified.

use serde::{Deserialize, Serialize};

/// How the data of a run is verified: whatever is written says what it is and when it was written, and
/// whatever is read is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// Bytes that are known to be of one write: a power of two that all blocks and their offsets are
    /// multiples of, from 512 bytes to 4 KiB.
    pub unit_bytes: u64,
}
