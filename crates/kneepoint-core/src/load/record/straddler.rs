//! I/Os that were in flight when an interval ended.

use crate::words::units::Nanos;

/// An I/O that was in flight at the end of an interval, and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Straddler {
    /// Index into the plan's targets.
    pub target: u32,
    /// Index into the plan's response classes.
    pub class: usize,
    /// What its response time runs from, since the start of the point.
    pub start: Nanos,
    /// Its response time; of one that was lost, the time until it was given up.
    pub latency: Nanos,
    /// How it ended.
    pub fate: Fate,
}

/// How an I/O ended that was in flight for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It came back.
    Returned,
    /// It did not come back in time.
    Lost,
}

impl Straddler {
    /// How long it had been in flight at `moment`, since the start of the point.
    pub fn age_at(&self, moment: Nanos) -> Nanos {
        moment.since(self.start).min(self.latency)
    }
}
