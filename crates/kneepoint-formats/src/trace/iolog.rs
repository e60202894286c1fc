//! The I/O log of fio: version 2 pauses between I/Os, version 3 has a time on every line.

use kneepoint_core::load::backend::Direction;
use kneepoint_core::spec::trace::Unreplayed;

use super::field::{shown, time, whole};
use super::reader::{DeviceName, Record, RecordedIo, Wrong};

/// Digits of a microsecond in nanoseconds.
const MICROSECONDS: u32 = 3;

/// Whether `line` begins an I/O log.
pub(super) fn is_first(line: &str) -> bool {
    line.starts_with("fio version ") && line.ends_with("iolog")
}

/// The log up to a line.
#[derive(Debug, Default)]
pub(super) struct Iolog {
    version: Version,
    /// The pauses of version 2 so far.
    paused_ns: u64,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Version {
    #[default]
    Unknown,
    Second,
    Third,
}

impl Iolog {
    pub(super) fn read<'a>(&mut self, line: &'a str) -> Result<Record<'a>, Wrong> {
        match self.version {
            Version::Unknown => {
                self.version = version(line)?;
                Ok(Record::Nothing)
            }
            Version::Second => {
                let mut fields = line.split_whitespace();
                let file = fields.next().unwrap_or_default();
                let rest: Vec<&str> = fields.collect();
                self.act((self.paused_ns, file), &rest)
            }
            Version::Third => {
                let mut fields = line.split_whitespace();
                let time_ns = time(fields.next().unwrap_or_default(), MICROSECONDS)?;
                let file = fields.next().unwrap_or_default();
                let rest: Vec<&str> = fields.collect();
                self.act((time_ns, file), &rest)
            }
        }
    }

    /// What a file is told at a time.
    fn act<'a>(
        &mut self,
        (time_ns, file): (u64, &'a str),
        fields: &[&str],
    ) -> Result<Record<'a>, Wrong> {
        let direction = match fields {
            ["add" | "open" | "close"] => return Ok(Record::Nothing),
            ["read", ..] => Direction::Read,
            ["write", ..] => Direction::Write,
            ["sync" | "datasync" | "sync_file_range", ..] => {
                return Ok(Record::Other(Unreplayed::Flushes));
            }
            ["trim", ..] => return Ok(Record::Other(Unreplayed::Trims)),
            ["wait", pause, ..] if self.version == Version::Second => {
                self.pause(time(pause, MICROSECONDS)?)?;
                return Ok(Record::Nothing);
            }
            _ => return Err(unknown(fields)),
        };
        let [_, offset, bytes] = fields else {
            return Err(Wrong::new(
                format!("a {} has an offset and a length", direction.name()),
                "correct the line, or remove it",
            ));
        };
        let (offset, bytes) = (whole(offset, "offset")?, whole(bytes, "length")?);
        Ok(Record::Io(RecordedIo {
            time_ns,
            device: DeviceName::Named(file),
            direction,
            offset,
            bytes,
        }))
    }

    fn pause(&mut self, pause_ns: u64) -> Result<(), Wrong> {
        let paused = self.paused_ns.checked_add(pause_ns);
        self.paused_ns = paused.ok_or_else(|| {
            Wrong::new(
                "the pauses up to here add up to more than 584 years",
                "pauses are in microseconds: correct the line",
            )
        })?;
        Ok(())
    }
}

fn unknown(fields: &[&str]) -> Wrong {
    let action = shown(fields.first().unwrap_or(&""));
    Wrong::new(
        format!("'{action}' is no action of an I/O log"),
        "known are add, open, close, read, write, sync, datasync, trim, and in version 2 wait",
    )
}

/// The version in the first line.
fn version(line: &str) -> Result<Version, Wrong> {
    match line.split_whitespace().nth(2) {
        Some("2") => Ok(Version::Second),
        Some("3") => Ok(Version::Third),
        other => Err(Wrong::new(
            format!("version '{}' of the I/O log is not read", shown(other.unwrap_or(""))),
            "record it again with a fio of this decade: versions 2 and 3 are read",
        )),
    }
}
