//! The CSV of the block traces of Microsoft Research Cambridge:
//! `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`, with times in units of 100 ns.

use super::field::{direction, time, whole};
use super::reader::{DeviceName, Record, RecordedIo, Wrong};

/// Digits of the unit of time, 100 ns, in nanoseconds.
const HUNDRED_NANOSECONDS: u32 = 2;

/// Whether `line` names the columns.
pub(super) fn is_header(line: &str) -> bool {
    let first = line.split(',').next().unwrap_or_default().trim();
    first.eq_ignore_ascii_case("timestamp")
}

/// Whether `line` is an I/O of the format.
pub(super) fn is_one(line: &str) -> bool {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let is_type =
        |field: &str| ["read", "write"].iter().any(|name| field.eq_ignore_ascii_case(name));
    matches!(fields.as_slice(), [time, _, disk, kind, _, _, ..]
        if is_number(time) && is_number(disk) && is_type(kind))
}

fn is_number(field: &str) -> bool {
    field.parse::<u64>().is_ok()
}

pub(super) fn read(line: &str) -> Result<Record<'_>, Wrong> {
    if is_header(line) {
        return Ok(Record::Nothing);
    }
    let mut fields = line.split(',').map(str::trim);
    let mut next = || {
        fields.next().ok_or_else(|| {
            Wrong::new(
                "the line has fewer than 6 fields",
                "fields are Timestamp,Hostname,DiskNumber,Type,Offset,Size[,ResponseTime]: correct or \
                 remove the line",
            )
        })
    };
    let time_ns = time(next()?, HUNDRED_NANOSECONDS)?;
    let host = next()?;
    let disk = whole(next()?, "disk number")?;
    let direction = direction(next()?)?;
    let offset = whole(next()?, "offset")?;
    let bytes = whole(next()?, "size")?;
    let device = DeviceName::Numbered(host, disk);
    Ok(Record::Io(RecordedIo { time_ns, device, direction, offset, bytes }))
}
