//! The parts of a simulated system, from the host to the drives.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a simulated system is put together from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SystemParts {
    /// Links between the host and the controllers; the rate is that of one direction.
    pub host_links: Links,
    /// Controllers.
    pub controllers: u32,
    /// Written data that a controller's cache can hold, in MiB.
    pub write_cache_mib: f64,
    /// Links between the controllers and the drives.
    pub back_end_links: Links,
    /// Arrays: each is its own target.
    pub arrays: u32,
    /// Drives of the largest array.
    pub drives_per_array: u32,
    /// Drives of all arrays.
    pub drives: u32,
    /// Medium of the drives: `disk`, `flash`.
    pub medium: String,
    /// How an array holds its data: `raid5`.
    pub raid: String,
    /// Bytes on one drive before the next one follows.
    pub stripe_bytes: u64,
}

/// Links of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Links {
    /// How many there are.
    pub count: u32,
    /// Rate of each, in units of 10^6 bytes per second.
    pub mb_per_s: f64,
}
