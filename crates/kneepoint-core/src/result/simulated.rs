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
    /// Several systems together, each with the number of its operations; `None` without any.
    pub fn of_all(systems: &[(&Self, f64)]) -> Option<Self> {
        let operations: f64 = systems.iter().map(|(_, operations)| operations).sum();
        let share = |of_system: f64| match operations > 0.0 {
            true => of_system / operations,
            false => 1.0 / systems.len() as f64,
        };
        let mean = |time: fn(&Breakdown) -> f64| -> f64 {
            systems.iter().map(|(system, own)| time(&system.breakdown_ms) * share(*own)).sum()
        };
        let mut parts: Vec<PartUtilisation> = Vec::new();
        for part in systems.iter().flat_map(|(system, _)| &system.parts) {
            match parts.iter_mut().find(|known| known.name == part.name) {
                Some(known) => known.join(part),
                None => parts.push(part.clone()),
            }
        }
        (!systems.is_empty()).then(|| Self {
            parts,
            breakdown_ms: Breakdown {
                host_queue: mean(|time| time.host_queue),
                write_cache: mean(|time| time.write_cache),
                drive_queue: mean(|time| time.drive_queue),
                seek: mean(|time| time.seek),
                rotation: mean(|time| time.rotation),
                transfer: mean(|time| time.transfer),
                links: mean(|time| time.links),
                controller: mean(|time| time.controller),
            },
        })
    }

    /// The kind of part whose busiest member is busiest: what limits the throughput.
    pub fn bottleneck(&self) -> Option<&PartUtilisation> {
        self.parts.iter().max_by(|a, b| a.highest_percent.total_cmp(&b.highest_percent))
    }
}

impl PartUtilisation {
    /// Adds parts of the same kind.
    fn join(&mut self, other: &Self) {
        let (mine, theirs) = (f64::from(self.count), f64::from(other.count));
        let sum = self.mean_percent * mine + other.mean_percent * theirs;
        self.mean_percent = sum / (mine + theirs).max(1.0);
        self.highest_percent = self.highest_percent.max(other.highest_percent);
        self.count += other.count;
    }
}
