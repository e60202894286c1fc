//! The CSV of the Storage Performance Council's trace format: `ASU,LBA,Size,Opcode,Timestamp` and optional
//! fields. Addresses count blocks of 512 bytes, sizes bytes, times seconds.

use super::field::{direction, sectors, time, whole};
use super::reader::{DeviceName, Record, RecordedIo, Wrong};

/// Digits of a second in nanoseconds.
const SECONDS: u32 = 9;

/// Whether `line` names the columns.
pub(super) fn is_header(line: &str) -> bool {
    line.split(',').next().unwrap_or_default().trim().eq_ignore_ascii_case("asu")
}

/// Whether `line` is an I/O of the format.
pub(super) fn is_one(line: &str) -> bool {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let is_number = |field: &str| field.parse::<u64>().is_ok();
    matches!(fields.as_slice(), [asu, lba, size, opcode, time, ..]
        if is_number(asu) && is_number(lba) && is_number(size)
            && matches!(*opcode, "r" | "R" | "w" | "W") && time.parse::<f64>().is_ok())
}

pub(super) fn read(line: &str) -> Result<Record<'_>, Wrong> {
    if is_header(line) {
        return Ok(Record::Nothing);
    }
    let mut fields = line.split(',').map(str::trim);
    let mut next = || {
        fields.next().ok_or_else(|| {
            Wrong::new(
                "the line has fewer than 5 fields",
                "fields are ASU,LBA,Size,Opcode,Timestamp: correct or remove the line",
            )
        })
    };
    let device = DeviceName::Numbered("asu", whole(next()?, "unit")?);
    let offset = sectors(next()?, "address")?;
    let bytes = whole(next()?, "size")?;
    let direction = direction(next()?)?;
    let time_ns = time(next()?, SECONDS)?;
    Ok(Record::Io(RecordedIo { time_ns, device, direction, offset, bytes }))
}
