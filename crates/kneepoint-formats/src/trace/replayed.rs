//! A trace as work: its I/Os in memory, the devices one behind the other.

use std::io::Read;

use kneepoint_core::load::backend::Direction;
use kneepoint_core::spec::trace::{TimedIos, TraceFit, TracePart, TraceWork};
use kneepoint_core::words::fault::Fault;

use super::{DeviceExtent, PartOfTrace, TraceReader};

/// The I/Os of `part` of the file `name`, whose devices have these extents.
///
/// # Errors
/// When the trace cannot be read, or has no I/O in that part, or too many.
pub fn replayed<R: Read>(
    reader: TraceReader<R>,
    (name, part, fit): (&str, TracePart, TraceFit),
    devices: &[DeviceExtent],
) -> Result<TraceWork, Fault> {
    let ends = devices.iter().scan(0u64, |end, device| {
        let start = *end;
        *end = end.saturating_add(device.end);
        Some(start)
    });
    let starts: Vec<u64> = ends.collect();
    let mut ios = TimedIos::of(devices.iter().map(|device| device.ios).sum());
    let mut recorded = PartOfTrace::new(reader, part);
    for io in recorded.by_ref() {
        let io = io?;
        let start = starts.get(io.device as usize).copied().unwrap_or(0);
        let is_write = io.direction == Direction::Write;
        ios.push((name, io.at), (start.saturating_add(io.offset), io.bytes, is_write))?;
    }
    Ok(TraceWork { reading: recorded.reading(), ..ios.as_work(name, part, fit)? })
}
