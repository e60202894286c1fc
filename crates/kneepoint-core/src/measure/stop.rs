//! The one way to end early.

use std::fmt;

use crate::words::fault::Fault;

/// Why something ended before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The user asked for it.
    Asked,
    /// A point failed, as the fault says; it is kept like those before it.
    Failed(Fault),
    /// It cannot go on.
    Fault(Fault),
}

impl Stop {
    /// What went wrong; nothing if the user asked for it.
    pub fn into_fault(self) -> Option<Fault> {
        match self {
            Self::Asked => None,
            Self::Failed(fault) | Self::Fault(fault) => Some(fault),
        }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("it was asked to stop"),
            Self::Failed(fault) | Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Stop {}
