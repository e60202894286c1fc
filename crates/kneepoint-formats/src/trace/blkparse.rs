//! The text of `blkparse` in its default form: `major,minor cpu sequence time pid action rwbs sector + count
//! [process]`. Commands of SCSI have their bytes and themselves instead: `36 (12 00 00 00 24 00 ..) [process]`.
//! Behind the events comes a summary.

use kneepoint_core::load::backend::Direction;
use kneepoint_core::spec::trace::Unreplayed;

use super::TraceEvent;
use super::field::{sectors, time, whole};
use super::reader::{DeviceName, Record, RecordedIo, Wrong};

/// Digits of a second in nanoseconds.
const SECONDS: u32 = 9;

/// Whether `line` is an event.
pub(super) fn is_one(line: &str) -> bool {
    let fields: Vec<&str> = line.split_whitespace().take(6).collect();
    let [device, cpu, sequence, time, pid, _] = fields.as_slice() else { return false };
    let is_whole = |field: &str| field.parse::<u64>().is_ok();
    numbers(device).is_some()
        && is_whole(cpu)
        && is_whole(sequence)
        && is_whole(pid)
        && time.contains('.')
        && time.parse::<f64>().is_ok()
}

/// Lines up to one.
#[derive(Debug)]
pub(super) struct BlkparseLine {
    event: TraceEvent,
    /// The events that came beside it.
    seen: SeenEvents,
    /// Whether the summary has begun.
    is_over: bool,
}

/// Events of I/Os that do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SeenEvents {
    /// Whether I/Os came with the other event that may count.
    pub(super) other: bool,
    /// Whether I/Os completed.
    pub(super) completed: bool,
}

impl BlkparseLine {
    pub(super) const fn new(event: TraceEvent) -> Self {
        Self { event, seen: SeenEvents { other: false, completed: false }, is_over: false }
    }

    pub(super) fn read<'a>(&mut self, line: &'a str) -> Result<Record<'a>, Wrong> {
        let mut fields = line.split_whitespace();
        let mut next = || fields.next().unwrap_or_default();
        let Some((major, minor)) = numbers(next()) else { return self.summary(line) };
        if self.is_over {
            return Err(Wrong::new(
                "an event follows the summary, so a second output of blkparse begins here",
                "read each output from its own file: the times of each are its own",
            ));
        }
        let (_cpu, _sequence, when, _pid) = (next(), next(), next(), next());
        let (action, rwbs) = (next(), next());
        if !self.counts(action) {
            return Ok(Record::Nothing);
        }
        let direction = match kind(rwbs) {
            Kind::Transfer(direction) => direction,
            Kind::Other(what) => return Ok(Record::Other(what)),
        };
        let (sector, plus, count) = (next(), next(), next());
        // A command has its bytes instead of a sector, and what has no sectors has neither.
        let is_command = plus.starts_with(['(', '[']) || sector.starts_with('[');
        if is_command || plus != "+" && rwbs.starts_with('F') {
            return Ok(Record::Other(Unreplayed::Commands));
        }
        if plus != "+" {
            return Err(Wrong::new(
                "an I/O has its sector, a plus sign and its number of sectors",
                "print the trace with blkparse's own format, without -f",
            ));
        }
        Ok(Record::Io(RecordedIo {
            time_ns: time(when, SECONDS)?,
            device: DeviceName::Block(major, minor),
            direction,
            offset: sectors(sector, "sector")?,
            bytes: sectors(count, "number of sectors")?,
        }))
    }

    /// A line that is no event: one of the summary, or nothing that is known.
    fn summary<'a>(&mut self, line: &'a str) -> Result<Record<'a>, Wrong> {
        let first = line.split_whitespace().next().unwrap_or_default();
        self.is_over |= first.starts_with("CPU") || first == "Total";
        match self.is_over {
            true => Ok(Record::Nothing),
            false => Err(Wrong::new(
                "the line is neither an event nor the summary",
                "print the trace with blkparse's own format, and nothing else into the file",
            )),
        }
    }

    /// Whether the I/O counts at this action.
    fn counts(&mut self, action: &str) -> bool {
        let (wanted, other) = match self.event {
            TraceEvent::Issued => ("D", "Q"),
            TraceEvent::Queued => ("Q", "D"),
        };
        self.seen.other |= action == other;
        self.seen.completed |= action == "C";
        action == wanted
    }

    /// What is wrong if no I/O came.
    pub(super) fn nothing(&self) -> Wrong {
        nothing(self.event, self.seen)
    }
}

/// What is wrong with events without one that counts.
pub(super) fn nothing(event: TraceEvent, seen: SeenEvents) -> Wrong {
    match (event, seen.other) {
        (TraceEvent::Issued, true) => Wrong::new(
            "no I/O was handed to a device (event D)",
            "take the I/Os as they were asked for: --events queued",
        ),
        (TraceEvent::Queued, true) => Wrong::new(
            "no I/O was asked for (event Q)",
            "take the I/Os as they were handed to the device: --events issued",
        ),
        (_, false) if seen.completed => Wrong::new(
            "it tells only when I/Os completed (event C), not when they were asked for",
            "record them as they come, too: blktrace -a queue -a issue, or kneepoint trace record",
        ),
        (_, false) => Wrong::new("there is no read or write in it", "is it the right file?"),
    }
}

/// What an event moves.
pub(super) enum Kind {
    Transfer(Direction),
    Other(Unreplayed),
}

/// What the letters of an event say it moves.
fn kind(rwbs: &str) -> Kind {
    if rwbs.contains('D') {
        return Kind::Other(Unreplayed::Trims);
    }
    match (rwbs.contains('R'), rwbs.contains('W')) {
        (true, _) => Kind::Transfer(Direction::Read),
        (false, true) => Kind::Transfer(Direction::Write),
        (false, false) => Kind::Other(Unreplayed::Commands),
    }
}

/// The numbers of a device, `8,0`.
fn numbers(field: &str) -> Option<(u32, u32)> {
    let (major, minor) = field.split_once(',')?;
    let number = |field: &str| whole(field, "number").ok().and_then(|it| u32::try_from(it).ok());
    Some((number(major)?, number(minor)?))
}
