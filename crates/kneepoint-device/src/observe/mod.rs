//! What the machine does while a point is measured: other load, missing I/Os, a clock that is set.
//!
//! Only numbers are gathered here; what they mean is judged in `kneepoint_core::measure::trust`. The thread
//! that oversees the point reads them, never a worker, at most ten times per second, from files
//! that stay open: about 20 us for each device and each reading.

mod cached;
mod clock_offset;
mod group;
mod processor;
mod sample;
mod sampler;
mod surroundings;
mod waits;

pub use surroundings::ObservedTarget;
pub use surroundings::{Surroundings, processor_pressure};

pub(crate) use cached::cached_bytes;
pub(crate) use group::{DeviceGroup, groups};
pub(crate) use processor::ThreadClock;
pub(crate) use sampler::Sampler;
