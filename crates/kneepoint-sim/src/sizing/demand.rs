//! What a system is asked for.

use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::rule::Rule;
use kneepoint_core::words::units::Bytes;

/// Margin where the model of a system was never compared with measurements, in percent.
pub(super) const MARGIN_UNCALIBRATED_PERCENT: f64 = 20.0;

/// What a system is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// The load.
    pub profile: ResolvedProfile,
    /// How much of it, I/Os per second.
    pub iops: f64,
    /// The condition that its response time has to meet.
    pub rule: Rule,
    /// Bytes that have to fit, usable; nothing is asked where `None`.
    pub capacity: Option<Bytes>,
    /// Share of each drive that holds the data, in percent; follows from the capacity where `None`.
    pub stroke_percent: Option<f64>,
    /// Added to the load before it is tried, in percent; the model's own error where `None`.
    pub margin_percent: Option<f64>,
}
