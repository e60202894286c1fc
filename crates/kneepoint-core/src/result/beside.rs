//! What else was measured at the moment of a point.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plan::Member;
use crate::words::load::LoadLevel;

/// A series that ran at the same moment, with its load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BesideResult {
    /// The series; its point of this moment has the same start.
    pub series: String,
    /// Its load.
    pub load: LoadLevel,
}

impl BesideResult {
    /// That of a member of the moment.
    pub fn of(member: &Member<'_>) -> Self {
        Self { series: member.series.name.clone(), load: member.load }
    }
}
