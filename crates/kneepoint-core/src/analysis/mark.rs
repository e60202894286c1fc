//! A number read off a curve, and what is known of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::estimate::Value;
pub use crate::result::Bound;
use crate::result::Verdict;

/// Whether a number should not rest on a point of this verdict.
pub(super) const fn is_doubtful(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Drifting | Verdict::Disturbed)
}

/// A number read off a curve.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark {
    pub(super) value: Value,
    pub(super) bound: Bound,
    pub(super) reservations: Vec<Reservation>,
    /// What something else can have changed of it at the most, as the logarithm of a ratio: 0 for
    /// nothing, infinite where nothing bounds it.
    pub(super) shift: f64,
}

impl Mark {
    /// How it is in the result.
    pub(super) fn reading(&self) -> Reading {
        Reading {
            value: self.value.number,
            ci95: self.value.ci95(),
            bound: self.bound,
            reservations: self.reservations.clone(),
        }
    }

    /// Whether it rests on a point that something else disturbed.
    pub(super) fn rests_on_disturbed(&self) -> bool {
        self.reservations.iter().any(|reservation| reservation.verdict == Verdict::Disturbed)
    }
}

/// A number of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reading {
    /// The number.
    pub value: f64,
    /// Half-width of its 95 % confidence interval; `null` where it is not known.
    pub ci95: Option<f64>,
    /// Whether it is the number, or only a bound of it.
    pub bound: Bound,
    /// Points that it rests on although their verdict speaks against it.
    pub reservations: Vec<Reservation>,
}

/// A point that a number rests on although it drifts or is disturbed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reservation {
    /// The load of the point, in the unit of the series.
    pub load: f64,
    /// Its verdict.
    pub verdict: Verdict,
    /// Largest share by which a disturbed point can be off, in percent; left out where nothing
    /// disturbed it, or nothing bounds the share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbed_percent: Option<f64>,
}
