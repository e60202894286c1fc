//! How many I/Os are in flight: where that number is fixed, throughput and response time are one
//! measurement.

use super::series::Window;

/// The queue counts as full if the response times add up to the outstanding I/Os within this share.
const FULL_WITHIN: f64 = 0.05;

/// The I/Os in flight over a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Occupancy {
    /// As many as arrive and do not leave: an open loop.
    Varying,
    /// Always the same number: a closed loop. By Little's law the response times that complete in an
    /// interval add up to this on average, in nanoseconds.
    Constant {
        /// Outstanding I/Os of all targets times the length of an interval.
        ns_per_interval: f64,
    },
}

impl Occupancy {
    /// The same for intervals of which `joined` are one.
    #[must_use]
    pub fn over(self, joined: usize) -> Self {
        match self {
            Self::Varying => Self::Varying,
            Self::Constant { ns_per_interval } => {
                Self::Constant { ns_per_interval: ns_per_interval * joined as f64 }
            }
        }
    }

    /// Whether the number in flight was fixed over `window`, so that throughput times response time
    /// is a constant. A closed loop whose I/Os pause between one another is not.
    pub(super) fn is_fixed(self, window: &Window<'_>) -> bool {
        let Self::Constant { ns_per_interval } = self else { return false };
        let full = ns_per_interval * window.len() as f64;
        (window.latency_ns() - full).abs() <= FULL_WITHIN * full && !window.is_empty()
    }
}
