//! The machine's activity while a point is measured: other load, missing I/Os, a clock that is set.
//!
//! Only numbers are gathered here; what they mean is judged in `kneepoint_core::measure::trust`.
//! The thread that oversees the point reads them, never a worker, at most ten times per second,
//! from files that stay open: about 20 us for each device and each reading.

mod counter;
mod sampler;
mod surroundings;

pub(crate) use counter::{ThreadClock, cached_bytes};
pub(crate) use sampler::Sampler;
pub(crate) use surroundings::{DeviceGroup, groups};
pub use surroundings::{ObservedTarget, ProcessorWatch, Surroundings, processor_pressure};
