//! The hosts of a fleet: what each did in a point, how it began, and how well its clock is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TargetLatency;

/// One host's part of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostResult {
    /// Its name.
    pub host: String,
    /// Operations per second.
    pub rate: f64,
    /// Response time.
    pub latency_ms: TargetLatency,
    /// Users who worked from there; left out for other loads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<u64>,
    /// Processor time of what loads from there, in percent of one processor; left out where time is virtual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_percent: Option<f64>,
    /// How it began with the point; left out where time is virtual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<HostStartResult>,
}

/// How a host of a fleet began with a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostStartResult {
    /// How long after the common start its load began, in milliseconds.
    pub late_ms: f64,
    /// Its clock, as it was known when the common start was fixed.
    pub clock: ClockOffset,
    /// How much too fast its clock runs; `null` until it was watched for 5 seconds.
    pub drift: Option<ClockDrift>,
}

/// A clock against that of the controller.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockOffset {
    /// How far it is ahead, in microseconds.
    pub offset_us: f64,
    /// Largest error of that, in microseconds.
    pub bound_us: f64,
}

/// How much too fast a clock runs against that of the controller.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClockDrift {
    /// In microseconds a second; too slow if negative.
    pub ppm: f64,
    /// Largest error of that, in the same unit.
    pub bound_ppm: f64,
}

/// A host that does less than this share of what the median host does lags behind.
const LAG_SHARE: f64 = 0.8;

/// Fewer hosts have no median worth the name.
const LAG_HOSTS_MIN: usize = 3;

/// What the median host does, of `values` of all hosts; of an even number the upper one of the two in the
/// middle. `None` for fewer than three hosts.
pub fn median_host(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().filter(|_| sorted.len() >= LAG_HOSTS_MIN)
}

/// Whether a host lags behind whose targets do `rate` each, if those of the median host do `median`.
pub fn lags_behind(rate: f64, median: f64) -> bool {
    rate < LAG_SHARE * median
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_host_is_one_of_three_or_more() {
        assert_eq!(median_host(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median_host(&[4.0, 1.0, 3.0, 2.0]), Some(3.0));
        assert_eq!(median_host(&[1.0, 2.0]), None);
        assert!(lags_behind(79.0, 100.0) && !lags_behind(80.0, 100.0));
    }
}
