//! What a simulated system says about a point beyond what can be measured from outside.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a simulated system is as fast as it is, over the whole point.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Simulated {
    /// Utilisation of every kind of part.
    pub parts: Vec<PartUtilisation>,
    /// Where the mean response time went.
    pub breakdown_ms: Breakdown,
}

/// Utilisation of all parts of a kind.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PartUtilisation {
    /// The kind of part: `drives`, `controllers`, `back-end links`, `host ports in`, ...
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// Mean over all of them, in percent of the time.
    pub mean_percent: f64,
    /// That of the busiest.
    pub highest_percent: f64,
}

/// Parts of the mean response time in milliseconds; they add up to it. Where several disk
/// operations go on at the same time, the one that ends last counts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Breakdown {
    /// Waiting in the host for a place in the command queue of its port.
    pub host_queue: f64,
    /// Waiting for room in the controller's write cache.
    pub write_cache: f64,
    /// Waiting in the queue of a drive.
    pub drive_queue: f64,
    /// Moving the arm, with settling and the drive's electronics.
    pub seek: f64,
    /// Waiting for the sector to come round.
    pub rotation: f64,
    /// Reading or writing the medium.
    pub transfer: f64,
    /// On links, and waiting for them.
    pub links: f64,
    /// In controllers and the host, and waiting for them.
    pub controller: f64,
}

impl Simulated {
    /// The kind of part whose busiest member is busiest: what limits the throughput.
    pub fn bottleneck(&self) -> Option<&PartUtilisation> {
        self.parts.iter().max_by(|a, b| a.highest_percent.total_cmp(&b.highest_percent))
    }
}
