//! Why it is slow: utilisation of every part and where response time went.

use kneepoint_core::result::simulated::{Breakdown, PartUtilisation};

/// Sums over host I/Os, in ns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) operations: u64,
    pub(super) response: u64,
    pub(super) throttle: u64,
    pub(super) cache: u64,
    pub(super) queue: u64,
    pub(super) seek: u64,
    pub(super) rotation: u64,
    pub(super) transfer: u64,
    pub(super) links: u64,
}

impl Spent {
    /// Means per host I/O.
    pub(super) fn breakdown(&self) -> Breakdown {
        let ms = |ns: u64| ns as f64 / 1e6 / self.operations.max(1) as f64;
        let known = self.throttle
            + self.cache
            + self.queue
            + self.seek
            + self.rotation
            + self.transfer
            + self.links;
        Breakdown {
            host_queue: ms(self.throttle),
            write_cache: ms(self.cache),
            drive_queue: ms(self.queue),
            seek: ms(self.seek),
            rotation: ms(self.rotation),
            transfer: ms(self.transfer),
            links: ms(self.links),
            controller: ms(self.response.saturating_sub(known)),
        }
    }
}

/// A group of parts of one kind: mean and highest utilisation.
pub(super) fn utilisation(
    name: &str,
    busy: impl Iterator<Item = u64>,
    now: u64,
) -> PartUtilisation {
    let (mut sum, mut highest, mut count) = (0u64, 0u64, 0u32);
    for busy_ns in busy {
        sum += busy_ns;
        highest = highest.max(busy_ns);
        count += 1;
    }
    let percent = |ns: f64| (100.0 * ns / now.max(1) as f64).min(100.0);
    PartUtilisation {
        name: name.to_owned(),
        count,
        mean_percent: percent(sum as f64 / f64::from(count.max(1))),
        highest_percent: percent(highest as f64),
    }
}
