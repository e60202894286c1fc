//! The reader: tells the format, gives I/O after I/O, and counts what it leaves out.

use std::collections::BTreeMap;
use std::io::{BufReader, Chain, Cursor, Read};

use kneepoint_core::load::backend::Direction;
use kneepoint_core::spec::trace::{LeftOut, Unreplayed};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::blktrace::BinaryTrace;
use super::field::shown;
use super::text::TextTrace;
use super::{DEVICES_MAX, IO_BYTES_MAX, OFFSET_END, TraceEvent, TraceFormat, TraceIo};

/// Bytes that tell the format.
pub const HEAD_BYTES: u64 = 64 << 10;

/// The stream behind its first bytes, which were looked at.
pub(super) type Input<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// The I/Os of a trace, one after the other. It ends after the first fault.
pub struct TraceReader<R> {
    name: String,
    format: TraceFormat,
    records: Records<R>,
    clock: TraceClock,
    devices: Devices,
    left_out: BTreeMap<Unreplayed, u64>,
    is_ended: bool,
}

/// Where records come from.
enum Records<R> {
    Text(Box<TextTrace<R>>),
    Binary(Box<BinaryTrace<R>>),
}

/// What is wrong with a record, and what to do.
#[derive(Debug)]
pub(super) struct Wrong {
    what: String,
    fix: &'static str,
}

impl Wrong {
    pub(super) fn new(what: impl Into<String>, fix: &'static str) -> Self {
        Self { what: what.into(), fix }
    }

    /// The fault at a place of a file.
    pub(super) fn at(self, place: &str) -> Fault {
        Fault::new(self.what).behind(place).fix(self.fix)
    }
}

/// What a record is.
#[derive(Debug)]
pub(super) enum Record<'a> {
    /// An I/O.
    Io(RecordedIo<'a>),
    /// Nothing that has to be told of.
    Nothing,
    /// Something that is no read or write.
    Other(Unreplayed),
    /// Events that the recorder lost.
    Lost(u64),
    /// The end of what is of interest.
    End,
}

/// An I/O as it is recorded.
#[derive(Debug)]
pub(super) struct RecordedIo<'a> {
    /// On the clock of the trace.
    pub(super) time_ns: u64,
    pub(super) device: DeviceName<'a>,
    pub(super) direction: Direction,
    pub(super) offset: u64,
    pub(super) bytes: u64,
}

/// How a record names its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeviceName<'a> {
    /// By a name.
    Named(&'a str),
    /// By a name and a number.
    Numbered(&'a str, u64),
    /// By the numbers of the kernel.
    Block(u32, u32),
}

impl<R: Read> TraceReader<R> {
    /// Looks at the beginning of `input`, which faults call `name`; of traces with several events for an I/O,
    /// `event` counts.
    ///
    /// # Errors
    /// When the input cannot be read, or is of no known format.
    pub fn new(name: &str, mut input: R, event: TraceEvent) -> Result<Self, Fault> {
        let mut head = Vec::new();
        input
            .by_ref()
            .take(HEAD_BYTES)
            .read_to_end(&mut head)
            .map_err(|error| unreadable(name, error))?;
        let format = TraceFormat::told(&head).ok_or_else(|| unknown(name, &head))?;
        let input = BufReader::new(Cursor::new(head).chain(input));
        let records = match format {
            TraceFormat::Blktrace => Records::Binary(Box::new(BinaryTrace::new(input, event))),
            text => Records::Text(Box::new(TextTrace::new(input, (text, event)))),
        };
        Ok(Self {
            name: name.to_owned(),
            format,
            records,
            clock: TraceClock::default(),
            devices: Devices::default(),
            left_out: BTreeMap::new(),
            is_ended: false,
        })
    }

    /// The format.
    pub const fn format(&self) -> TraceFormat {
        self.format
    }

    /// The names of the devices that came so far, by their numbers.
    pub fn devices(&self) -> &[String] {
        &self.devices.names
    }

    /// I/Os so far whose time was before that of the I/O above them; they count as at the same time.
    pub const fn disordered(&self) -> u64 {
        self.clock.disordered
    }

    /// What was left out so far.
    pub fn left_out(&self) -> Vec<LeftOut> {
        self.left_out.iter().map(|(what, count)| LeftOut { what: *what, count: *count }).collect()
    }

    /// The next I/O; `None` at the end.
    fn read(&mut self) -> Result<Option<TraceIo>, Fault> {
        loop {
            let (place, record) = match &mut self.records {
                Records::Text(text) => text.next(&self.name),
                Records::Binary(binary) => binary.next(&self.name),
            }?;
            let io = match record {
                Record::Io(io) => io,
                Record::Nothing => continue,
                Record::Other(what) => {
                    *self.left_out.entry(what).or_default() += 1;
                    continue;
                }
                Record::Lost(count) => {
                    *self.left_out.entry(Unreplayed::Lost).or_default() += count;
                    continue;
                }
                Record::End => return Ok(None),
            };
            if io.bytes == 0 {
                *self.left_out.entry(Unreplayed::Empty).or_default() += 1;
                continue;
            }
            let checked = checked(&io, (&mut self.devices, &mut self.clock));
            return checked.map(Some).map_err(|wrong| wrong.at(&place.of(&self.name)));
        }
    }
}

/// Where a record is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// On a line, counted from 1.
    Line(u64),
    /// At a byte, counted from 0.
    Byte(u64),
}

impl Place {
    pub(super) fn of(self, name: &str) -> String {
        match self {
            Self::Line(line) => format!("{name}:{line}"),
            Self::Byte(byte) => format!("{name}: at byte {byte}"),
        }
    }
}

/// An I/O within its bounds, with its place in time and the number of its device.
fn checked(
    io: &RecordedIo<'_>,
    (devices, clock): (&mut Devices, &mut TraceClock),
) -> Result<TraceIo, Wrong> {
    if io.bytes > IO_BYTES_MAX {
        return Err(Wrong::new(
            format!("an I/O of {} bytes is larger than 1 GiB", io.bytes),
            "correct the line, or remove it",
        ));
    }
    if io.offset >= OFFSET_END - io.bytes {
        return Err(Wrong::new(
            format!("the offset of {} bytes is beyond any device", io.offset),
            "correct the line, or remove it",
        ));
    }
    let device = devices.number(io.device)?;
    let at = clock.at(io.time_ns);
    let (direction, offset, bytes) = (io.direction, io.offset, io.bytes as u32);
    Ok(TraceIo { at, device, direction, offset, bytes })
}

impl<R: Read> Iterator for TraceReader<R> {
    type Item = Result<TraceIo, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_ended {
            return None;
        }
        let next = self.read().transpose();
        self.is_ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Times since the first I/O, which never run backwards.
#[derive(Debug, Default)]
struct TraceClock {
    first_ns: Option<u64>,
    last_ns: u64,
    disordered: u64,
}

impl TraceClock {
    fn at(&mut self, time_ns: u64) -> Nanos {
        let first_ns = *self.first_ns.get_or_insert(time_ns);
        match time_ns.checked_sub(first_ns) {
            Some(since) if since >= self.last_ns => self.last_ns = since,
            _ => self.disordered += 1,
        }
        Nanos(self.last_ns)
    }
}

/// Devices by the order in which they come.
#[derive(Debug, Default)]
struct Devices {
    names: Vec<String>,
    numbers: BTreeMap<String, u32>,
    /// The name that was looked up last, in the same memory again and again.
    name: String,
}

impl Devices {
    fn number(&mut self, device: DeviceName<'_>) -> Result<u32, Wrong> {
        use std::fmt::Write;

        self.name.clear();
        let _ = match device {
            DeviceName::Named(name) => self.name.write_str(name),
            DeviceName::Numbered(name, number) => write!(self.name, "{name}{number}"),
            DeviceName::Block(major, minor) => write!(self.name, "{major},{minor}"),
        };
        if let Some(number) = self.numbers.get(&self.name) {
            return Ok(*number);
        }
        let number = self.names.len();
        if number >= DEVICES_MAX {
            return Err(Wrong::new(
                format!("the trace has more than {DEVICES_MAX} devices"),
                "is the first column really the device? Otherwise split the trace",
            ));
        }
        self.names.push(self.name.clone());
        self.numbers.insert(self.name.clone(), number as u32);
        Ok(number as u32)
    }
}

/// The program that packed what begins with `head`; `None` if it is not packed.
pub fn packed(head: &[u8]) -> Option<&'static str> {
    let packers: [(&[u8], &str); 4] = [
        (&[0x1f, 0x8b], "gzip"),
        (b"BZh", "bzip2"),
        (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "zstd"),
    ];
    packers.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, packer)| packer)
}

/// The fault for a file that has to be unpacked before it is read.
pub fn still_packed(name: &str, packer: &str) -> Fault {
    Fault::new(format!("{name} is packed by {packer}"))
        .because("what is in it is read unpacked")
        .fix(format!(
            "unpack it: {packer} -d -k {name}; a description needs no file: {packer} -dc {name} | kneepoint \
             trace describe -"
        ))
}

fn unknown(name: &str, head: &[u8]) -> Fault {
    if let Some(packer) = packed(head) {
        return still_packed(name, packer);
    }
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let why = match (head.is_empty(), std::str::from_utf8(line)) {
        (true, _) => "it is empty".to_owned(),
        (false, Ok(line)) => {
            format!("line 1 ('{}') is not that of a known format", shown(line.trim()))
        }
        (false, Err(_)) => "its first bytes are not those of a known format".to_owned(),
    };
    Fault::new(format!("{name} is no trace")).because(why).fix(
        "name an I/O log of fio (version 2 or 3), a CSV of MSR Cambridge or the SPC, a trace of DiskSim, or \
         what blktrace or blkparse wrote; unpack it before, or pipe it in",
    )
}

pub(super) fn unreadable(name: &str, error: std::io::Error) -> Fault {
    Fault::new(format!("cannot read {name}")).because(error).fix("name a trace that can be read")
}
