//! How far the mean of a point can be trusted, and when it has been measured long enough.
//!
//! Response times of neighbouring I/Os are correlated (they waited in the same queue), so their
//! own scatter says little about the scatter of their mean. Everything here therefore works on
//! sums per interval of the recorder:
//!
//! 1. [`ramp_count`] cuts the warm-up off the front (MSER-5, guarded by a test of the means),
//! 2. [`Batches`] joins intervals to batches so long that their means no longer depend on one
//!    another, as far as the measured time allows it,
//! 3. [`MeanEstimate`] is the mean with its 95 % confidence interval from the batch means,
//!    corrected for what correlation is left, or from a model of the sequence where it swings, and
//!    [`Trend`] the line through the batch means,
//! 4. [`Assessment`] puts this together for IO/s, MiB/s and response time and gives a
//!    [`Stability`]; a [`Schedule`] says when to look,
//! 5. [`DriftBefore`] is how fast the points before changed, which count for this one as well.
//!
//! The mean response time is a ratio of two sums (of response times, and of I/Os). It becomes an
//! ordinary mean by [`Window::values`], so the rest needs to know nothing of ratios. Where the number
//! of I/Os in flight is fixed ([`Occupancy`]), it is that number over the rate, and so is its error.

mod assessment;
mod difference;
mod drift;
mod mean;
mod student;

pub use assessment::{
    Assessment, IntervalSeries, Limits, Occupancy, PointMean, Requirement, Schedule, Stability,
    Window, ramp_count,
};
pub use difference::{PAIRS_MAX, PairDecision, PairedRatio};
pub use drift::{DriftBefore, Slope, SlopesBefore};
pub use mean::{BATCHES_MIN, Batches, Independence, MeanEstimate, Trend, percentile_interval};
pub use student::{two_sided_quantile, two_sided_tail};
