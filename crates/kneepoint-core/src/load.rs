//! Load levels: what is raised until the response time gives way.
//!
//! Search, rules, summaries and figures speak of a level with a unit, never of disks, so that an
//! instrument that loads something else only adds a unit.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a load level counts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum LoadUnit {
    /// Closed loop: requests in flight per target; a completion is replaced at once.
    OutstandingIos,
    /// Open loop: I/Os offered per second to each target, whatever the target answers.
    OfferedIops,
}

impl LoadUnit {
    /// The unit as a column head or an axis label.
    pub const fn label(self) -> &'static str {
        match self {
            Self::OutstandingIos => "outstanding I/Os",
            Self::OfferedIops => "offered IO/s",
        }
    }

    /// As [`Self::label`], in the singular for a level of one.
    pub fn label_of(self, value: f64) -> &'static str {
        match self {
            Self::OutstandingIos if value == 1.0 => "outstanding I/O",
            Self::OutstandingIos | Self::OfferedIops => self.label(),
        }
    }

    /// Whether only whole numbers are levels of this unit.
    pub const fn is_whole(self) -> bool {
        matches!(self, Self::OutstandingIos)
    }
}

/// One level of load: a positive number of `unit`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
pub struct LoadLevel {
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: LoadUnit,
}

impl LoadLevel {
    /// `count` requests in flight per target.
    pub fn outstanding(count: u32) -> Self {
        Self { value: f64::from(count), unit: LoadUnit::OutstandingIos }
    }

    /// `rate` I/Os per second offered to each target.
    pub const fn offered(rate: f64) -> Self {
        Self { value: rate, unit: LoadUnit::OfferedIops }
    }
}

impl fmt::Display for LoadLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, self.unit.label_of(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_outstanding_io_is_singular() {
        assert_eq!(LoadLevel::outstanding(1).to_string(), "1 outstanding I/O");
        assert_eq!(LoadLevel::outstanding(2).to_string(), "2 outstanding I/Os");
        assert_eq!(LoadLevel::offered(1.0).to_string(), "1 offered IO/s");
    }
}
