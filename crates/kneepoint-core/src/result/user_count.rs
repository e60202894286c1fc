//! How many users a server carries under a rule.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SustainedStatus;

/// How many users work under a rule: one that the run was asked for, or one of the standard rules, read off
/// the same points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UserCount {
    /// The series.
    pub series: String,
    /// Levels of the factors that it was measured at; empty where nothing was varied.
    #[serde(default)]
    pub factors: BTreeMap<String, String>,
    /// The rule, as typed.
    pub rule: String,
    /// Whether the run was asked for it.
    pub is_asked: bool,
    /// The limit in milliseconds; `null` if the load of the reference was not measured, or had no such responses.
    pub limit_ms: Option<f64>,
    /// Whether the crossing was measured, or what is known if not.
    pub status: SustainedStatus,
    /// The number of users, interpolated where the crossing was measured (`met`); else a bound: the most
    /// that were measured (`all_meet`), or the fewest (`none_meets`). `null` if nothing is known.
    pub users: Option<f64>,
    /// The numbers of users next to the crossing that were measured: the lower one meets the rule; `null` unless
    /// the crossing was measured.
    pub bracket: Option<[f64; 2]>,
    /// Responses of the class at the one of the points it rests on that has the fewest.
    pub responses: u64,
}
