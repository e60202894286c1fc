//! The ASCII format of DiskSim: `time device block count flags`. Times are milliseconds with a decimal point, or,
//! as newer simulators write them, whole nanoseconds; blocks have 512 bytes; bit 0 of the flags is set for a read.

use kneepoint_core::load::backend::Direction;

use super::field::{sectors, shown, time, whole};
use super::reader::{DeviceName, Record, RecordedIo, Wrong};

/// Digits of a millisecond in nanoseconds.
const MILLISECONDS: u32 = 6;

/// What times count, which the first of them tells that is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Unknown,
    /// Milliseconds.
    Milliseconds,
    /// Whole nanoseconds.
    Nanoseconds,
}

/// Whether `line` is an I/O of the format.
pub(super) fn is_one(line: &str) -> bool {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [time, device, block, count, kind] = fields.as_slice() else { return false };
    let is_whole = |field: &str| field.parse::<u64>().is_ok();
    time.parse::<f64>().is_ok_and(|time| time >= 0.0)
        && is_whole(device)
        && is_whole(block)
        && is_whole(count)
        && flags(kind).is_ok()
}

pub(super) fn read<'a>(line: &'a str, unit: &mut TimeUnit) -> Result<Record<'a>, Wrong> {
    let mut fields = line.split_whitespace();
    let mut next = || {
        fields.next().ok_or_else(|| {
            Wrong::new(
                "the line has fewer than 5 fields",
                "fields are time, device, block, count and flags: correct or remove the line",
            )
        })
    };
    let typed = next()?;
    // A 0 is the same in both.
    if *unit == TimeUnit::Unknown && typed != "0" {
        let is_whole = typed.parse::<u64>().is_ok();
        *unit = if is_whole { TimeUnit::Nanoseconds } else { TimeUnit::Milliseconds };
    }
    let time_ns = match unit {
        TimeUnit::Nanoseconds => whole(typed, "time")?,
        TimeUnit::Milliseconds | TimeUnit::Unknown => time(typed, MILLISECONDS)?,
    };
    let device = DeviceName::Numbered("", whole(next()?, "device")?);
    let offset = sectors(next()?, "block")?;
    let bytes = sectors(next()?, "count")?;
    let direction = match flags(next()?)? & 1 {
        1 => Direction::Read,
        _ => Direction::Write,
    };
    Ok(Record::Io(RecordedIo { time_ns, device, direction, offset, bytes }))
}

/// The flags, in hexadecimal digits.
fn flags(field: &str) -> Result<u64, Wrong> {
    let digits = field.strip_prefix("0x").unwrap_or(field);
    u64::from_str_radix(digits, 16).map_err(|_| {
        Wrong::new(
            format!("the flags '{}' are no hexadecimal number", shown(field)),
            "correct the line, or remove it",
        )
    })
}
