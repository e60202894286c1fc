//! All of a point's means together: what was cut, how accurate they are, whether they drift.

use super::batch::{Batches, Independence};
use super::mean::MeanEstimate;
use super::occupancy::Occupancy;
use super::series::{Quantity, Series, Window};
use super::trend::Trend;
use super::truncation::ramp_count;

/// Fewer I/Os than this have no confidence interval: a mean of a handful is not normally
/// distributed.
const OPERATIONS_MIN: f64 = 30.0;

/// What was cut as the ramp may be at most this share of what remains, or the ramp is not over:
/// a series that drifts all the time looks level for a while if enough of it is cut off.
const RAMP_SHARE_MAX: f64 = 0.5;

/// How a measurement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stability {
    /// Accurate as asked for, and any drift is surely below its limit.
    Steady,
    /// None of the others: the time ran out.
    #[default]
    TimeLimit,
    /// There is a trend of more than half the limit for drift.
    Drifting,
}

/// What a measurement must reach to be steady; all fractions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Largest half-width of the 95 % confidence intervals of IO/s and of the mean response time.
    pub accuracy: f64,
    /// Largest change of either over the measured time.
    pub drift: f64,
}

/// What is asked of a measurement; counts are in intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Demand {
    /// A given time after a given ramp: confidence intervals and drift are told, nothing is cut.
    Fixed {
        /// Intervals of the ramp.
        ramp: usize,
        /// A trend of more than half of this is drifting.
        drift: f64,
    },
    /// Accurate as asked for.
    Accurate {
        /// Fewest intervals of the ramp.
        ramp_min: usize,
        /// Fewest intervals after the ramp.
        measure_min: usize,
        /// Most intervals after the shortest ramp.
        measure_max: usize,
        /// When it is accurate.
        limits: Limits,
    },
}

/// The mean of one quantity and its trend.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Finding {
    mean: MeanEstimate,
    trend: Trend,
    independence: Independence,
}

/// What the intervals of a point say about its means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assessment {
    /// Intervals that belong to the ramp.
    pub ramp_count: usize,
    /// I/Os per interval; `None` where there are too few intervals or I/Os, as below.
    pub operations: Option<MeanEstimate>,
    /// Bytes per interval.
    pub bytes: Option<MeanEstimate>,
    /// Response time in nanoseconds.
    pub latency_ns: Option<MeanEstimate>,
    /// Whether the measurement is steady or drifts.
    pub stability: Stability,
}

impl Assessment {
    /// The assessment of `series`, measured at `occupancy`.
    pub fn of(series: &Series, demand: &Demand, occupancy: Occupancy) -> Self {
        let ramp_count = match demand {
            Demand::Fixed { ramp, .. } => (*ramp).min(series.len()),
            Demand::Accurate { ramp_min, .. } => {
                let ramp_min = (*ramp_min).min(series.len());
                ramp_min + ramp_count(&series.from(ramp_min))
            }
        };
        let window = series.from(ramp_count);
        let operations = finding(&window, Quantity::Operations);
        let latency = match occupancy.is_fixed(&window) {
            true => {
                operations.map(|rate| rate.reciprocal(window.latency_ns() / window.operations()))
            }
            false => finding(&window, Quantity::Latency),
        };
        let stability = match (operations, latency) {
            (Some(operations), Some(latency)) => {
                stability(&[operations, latency], &window, (ramp_count, demand))
            }
            _ => Stability::TimeLimit,
        };
        let mean = |finding: Option<Finding>| finding.map(|finding| finding.mean);
        Self {
            ramp_count,
            operations: mean(operations),
            bytes: mean(finding(&window, Quantity::Bytes)),
            latency_ns: mean(latency),
            stability,
        }
    }
}

fn finding(window: &Window<'_>, quantity: Quantity) -> Option<Finding> {
    if window.operations() < OPERATIONS_MIN {
        return None;
    }
    let values = window.values(quantity);
    let batches = Batches::choose(&values)?;
    Some(Finding {
        mean: MeanEstimate::of(&values, &batches),
        trend: Trend::of(&batches),
        independence: batches.independence,
    })
}

fn stability(
    findings: &[Finding],
    window: &Window<'_>,
    (ramp_count, demand): (usize, &Demand),
) -> Stability {
    let drift = match demand {
        Demand::Fixed { drift, .. } => *drift,
        Demand::Accurate { ramp_min, measure_min, measure_max, limits } => {
            let cut_max = RAMP_SHARE_MAX * window.len() as f64;
            let is_past_ramp = (ramp_count - ramp_min) as f64 <= cut_max;
            let time_left = *measure_max as f64 / window.len() as f64;
            let is_steady = |finding: &Finding| finding.is_steady(limits, time_left);
            if window.len() >= *measure_min && is_past_ramp && findings.iter().all(is_steady) {
                return Stability::Steady;
            }
            limits.drift
        }
    };
    match findings.iter().any(|finding| finding.trend.is_found_above(drift / 2.0)) {
        true => Stability::Drifting,
        false => Stability::TimeLimit,
    }
}

impl Finding {
    /// The same of a quantity that is a constant over this one: the response time, if the number of
    /// I/Os in flight is fixed.
    fn reciprocal(self, mean: f64) -> Self {
        let trend = Trend { change: -self.trend.change, ..self.trend };
        Self { mean: self.mean.reciprocal(mean), trend, independence: self.independence }
    }

    /// Whether the mean is accurate and does not drift, nor would if what is measured could go on
    /// for `time_left` (at least 1) times as long as it did.
    fn is_steady(&self, limits: &Limits, time_left: f64) -> bool {
        self.independence == Independence::Passed
            && self.mean.is_within(limits.accuracy)
            && self.trend.is_surely_below(limits.drift)
            && !self.trend.is_surely_above(limits.drift / time_left)
    }
}
