//! The work of users: what they do, and how long they pause.

use serde::{Deserialize, Serialize};

use crate::words::class::ClassName;
use crate::words::units::{Nanos, Percent};

/// Longest pause between two operations of a user (1 hour).
pub const THINK_MAX: Nanos = Nanos::from_secs(3600);
/// Longest processor time of an operation (1 hour).
pub const DEMAND_MAX: Nanos = Nanos::from_secs(3600);
/// Most response classes of a profile.
pub const OPERATIONS_MAX: usize = 16;

/// The work of users with nothing left open. Each user pauses, then does an operation, whose response
/// is awaited before the next pause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserWork {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Mean pause between a response and the next operation, exponentially distributed.
    pub think: Nanos,
    /// One operation for each response class; their shares add up to 100 %.
    pub operations: Vec<UserOperation>,
}

/// What users do, one class of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserOperation {
    /// The response class that it is timed as.
    pub class: ClassName,
    /// Share of all operations.
    pub share: Percent,
    /// Processor time that it takes where nothing else runs.
    pub demand: Nanos,
}

impl UserWork {
    /// The response classes, in the order of the operations.
    pub fn classes(&self) -> Vec<ClassName> {
        self.operations.iter().map(|operation| operation.class).collect()
    }

    /// Mean processor time of an operation, in nanoseconds.
    pub fn demand_ns_mean(&self) -> f64 {
        let parts = self.operations.iter();
        parts.map(|operation| operation.share.fraction() * operation.demand.0 as f64).sum()
    }
}
