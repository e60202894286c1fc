//! The binary records of `blktrace`, version 7, in either byte order. A record has 48 bytes and what the
//! driver added.

use std::io::{self, Read};

use kneepoint_core::load::backend::Direction;
use kneepoint_core::spec::trace::Unreplayed;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::TraceEvent;
use super::blkparse::{SeenEvents, nothing};
use super::field::SECTOR;
use super::reader::{DeviceName, Input, Place, Record, RecordedIo, Wrong, unreadable};

/// Bytes of a record.
const RECORD: usize = 48;
/// The first three bytes of a record as a number; the last byte is the version.
const MAGIC: u32 = 0x6561_7400;
/// The version that is read.
const VERSION: u32 = 7;
/// Begins the message by which a recording tells what it lost; the number of events follows.
const LOST: &str = "kneepoint: lost events: ";
/// Bytes of a message that are looked at.
const MESSAGE_MAX: u64 = 64;
/// The message among the notices, in the lower half of the word.
const MESSAGE: u32 = 2;
/// Actions, in the lower half of the word.
const QUEUE: u32 = 1;
const ISSUE: u32 = 7;
const COMPLETE: u32 = 8;
/// Kinds, in the upper half of the word.
const WRITE: u32 = 1 << 17;
const PC: u32 = 1 << 25;
const NOTIFY: u32 = 1 << 26;
const DISCARD: u32 = 1 << 29;

/// A record that ends a trace in the byte order of this machine, and says that the recorder lost `count` events
/// of a device until `at` on the clock of the kernel's traces. `blkparse` prints it as a message.
pub fn lost_events(count: u64, (major, minor): (u32, u32), at: Nanos) -> Vec<u8> {
    let message = format!("{LOST}{count}");
    let mut record = vec![0; RECORD];
    let fields =
        [(0, MAGIC | VERSION), (28, NOTIFY | MESSAGE), (36, major << 20 | minor & 0xf_ffff)];
    for (at, word) in fields {
        record[at..at + 4].copy_from_slice(&word.to_ne_bytes());
    }
    record[8..16].copy_from_slice(&at.0.to_ne_bytes());
    record[46..].copy_from_slice(&(message.len() as u16).to_ne_bytes());
    record.extend(message.into_bytes());
    record
}

/// The events that were lost, of a message behind a record.
fn lost(message: &[u8]) -> Option<u64> {
    std::str::from_utf8(message).ok()?.strip_prefix(LOST)?.parse().ok()
}

/// Whether `head` begins a trace.
pub(super) fn is_one(head: &[u8]) -> bool {
    let Some(Ok(first)) = head.get(..4).map(<[u8; 4]>::try_from) else { return false };
    [u32::from_le_bytes(first), u32::from_be_bytes(first)].iter().any(|word| word & !0xff == MAGIC)
}

/// A trace whose records are read one by one.
pub(super) struct BinaryTrace<R> {
    input: Input<R>,
    event: TraceEvent,
    position: u64,
    has_io: bool,
    seen: SeenEvents,
}

/// A record in the byte order of its trace.
struct Words<'a> {
    bytes: &'a [u8; RECORD],
    is_big: bool,
}

impl Words<'_> {
    fn word(&self, at: usize) -> u32 {
        let bytes = [0, 1, 2, 3].map(|byte| self.bytes[at + byte]);
        if self.is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    fn long(&self, at: usize) -> u64 {
        let (first, second) = (u64::from(self.word(at)), u64::from(self.word(at + 4)));
        if self.is_big { first << 32 | second } else { second << 32 | first }
    }

    fn added_bytes(&self) -> u64 {
        let bytes = [self.bytes[46], self.bytes[47]];
        u64::from(if self.is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }
}

impl<R: Read> BinaryTrace<R> {
    pub(super) const fn new(input: Input<R>, event: TraceEvent) -> Self {
        Self {
            input,
            event,
            position: 0,
            has_io: false,
            seen: SeenEvents { other: false, completed: false },
        }
    }

    /// The next record, and where it is.
    pub(super) fn next(&mut self, name: &str) -> Result<(Place, Record<'static>), Fault> {
        let place = Place::Byte(self.position);
        let mut bytes = [0; RECORD];
        match fill(&mut self.input, &mut bytes).map_err(|error| unreadable(name, error))? {
            RECORD => {}
            0 if self.has_io => return Ok((place, Record::End)),
            0 => return Err(nothing(self.event, self.seen).at(name)),
            _ => return Err(cut_off().at(&place.of(name))),
        }
        let words = words(&bytes).map_err(|wrong| wrong.at(&place.of(name)))?;
        let added = words.added_bytes();
        let (read, message) = self.added(&words).map_err(|error| unreadable(name, error))?;
        if read < added {
            return Err(cut_off().at(&place.of(name)));
        }
        self.position += RECORD as u64 + added;
        if let Some(count) = lost(&message) {
            return Ok((place, Record::Lost(count)));
        }
        let record = self.record(&words).map_err(|wrong| wrong.at(&place.of(name)))?;
        self.has_io |= matches!(record, Record::Io(_));
        Ok((place, record))
    }

    /// Reads what is behind a record: how many bytes there are, and the beginning of a message.
    fn added(&mut self, words: &Words<'_>) -> io::Result<(u64, Vec<u8>)> {
        let added = words.added_bytes();
        let is_message = words.word(28) == NOTIFY | MESSAGE;
        let kept = if is_message { added.min(MESSAGE_MAX) } else { 0 };
        let mut message = Vec::new();
        self.input.by_ref().take(kept).read_to_end(&mut message)?;
        let rest = io::copy(&mut self.input.by_ref().take(added - kept), &mut io::sink())?;
        Ok((message.len() as u64 + rest, message))
    }

    fn record(&mut self, words: &Words<'_>) -> Result<Record<'static>, Wrong> {
        let action = words.word(28);
        let (wanted, other) = match self.event {
            TraceEvent::Issued => (ISSUE, QUEUE),
            TraceEvent::Queued => (QUEUE, ISSUE),
        };
        if action & NOTIFY != 0 {
            return Ok(Record::Nothing);
        }
        self.seen.other |= action & 0xffff == other;
        self.seen.completed |= action & 0xffff == COMPLETE;
        if action & 0xffff != wanted {
            return Ok(Record::Nothing);
        }
        let bytes = u64::from(words.word(24));
        match action {
            action if action & DISCARD != 0 => return Ok(Record::Other(Unreplayed::Trims)),
            action if action & PC != 0 || bytes == 0 => {
                return Ok(Record::Other(Unreplayed::Commands));
            }
            _ => {}
        }
        let offset = words.long(16).checked_mul(SECTOR).ok_or_else(|| {
            Wrong::new("the sector is beyond any device", "is the file complete? Record it again")
        })?;
        let device = words.word(36);
        Ok(Record::Io(RecordedIo {
            time_ns: words.long(8),
            device: DeviceName::Block(device >> 20, device & 0xf_ffff),
            direction: if action & WRITE != 0 { Direction::Write } else { Direction::Read },
            offset,
            bytes,
        }))
    }
}

/// A record in its byte order.
fn words(bytes: &[u8; RECORD]) -> Result<Words<'_>, Wrong> {
    let orders = [false, true].map(|is_big| Words { bytes, is_big });
    let known = orders.into_iter().find(|words| words.word(0) & !0xff == MAGIC);
    match known {
        Some(words) if words.word(0) & 0xff == VERSION => Ok(words),
        Some(words) => Err(Wrong::new(
            format!("records of version {} are not read", words.word(0) & 0xff),
            "print the trace with the blkparse that belongs to it, and read that text",
        )),
        None => Err(Wrong::new(
            "no record of blktrace begins here",
            "the file is damaged, or was written in text mode: record it again",
        )),
    }
}

fn cut_off() -> Wrong {
    Wrong::new("the last record is cut off", "is the file complete? Copy or record it again")
}

/// Fills `bytes` as far as the input goes.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
