//! Traces in lines of text.

use std::io::{BufRead, Read};

use kneepoint_core::words::fault::Fault;

use super::blkparse::BlkparseLine;
use super::iolog::Iolog;
use super::reader::{Input, Place, Record, Wrong, unreadable};
use super::{TraceEvent, TraceFormat, blkparse, disksim, iolog, msr, spc};

/// Longest line in bytes.
const LINE_MAX: usize = 64 << 10;

/// A trace whose lines are read one by one.
pub(super) struct TextTrace<R> {
    input: Input<R>,
    format: LineFormat,
    /// The line, in the same memory again and again.
    line: Vec<u8>,
    number: u64,
    has_io: bool,
}

/// What reads the lines of a format, with what it knows of the lines before.
enum LineFormat {
    Iolog(Iolog),
    Msr,
    Spc,
    DiskSim(disksim::TimeUnit),
    Blkparse(BlkparseLine),
}

impl LineFormat {
    fn of((format, event): (TraceFormat, TraceEvent)) -> Self {
        match format {
            TraceFormat::FioIolog => Self::Iolog(Iolog::default()),
            TraceFormat::Msr => Self::Msr,
            TraceFormat::Spc => Self::Spc,
            TraceFormat::DiskSim => Self::DiskSim(disksim::TimeUnit::Unknown),
            TraceFormat::Blkparse | TraceFormat::Blktrace => {
                Self::Blkparse(BlkparseLine::new(event))
            }
        }
    }

    fn read<'a>(&mut self, line: &'a str) -> Result<Record<'a>, Wrong> {
        match self {
            Self::Iolog(log) => log.read(line),
            Self::Msr => msr::read(line),
            Self::Spc => spc::read(line),
            Self::DiskSim(unit) => disksim::read(line, unit),
            Self::Blkparse(text) => text.read(line),
        }
    }

    /// What is wrong with a trace that has no I/O up to its end.
    fn nothing(&self) -> Wrong {
        match self {
            Self::Blkparse(text) => text.nothing(),
            _ => Wrong::new("there is no read or write in it", "is it the right file?"),
        }
    }
}

impl<R: Read> TextTrace<R> {
    pub(super) fn new(input: Input<R>, format: (TraceFormat, TraceEvent)) -> Self {
        let format = LineFormat::of(format);
        Self { input, format, line: Vec::new(), number: 0, has_io: false }
    }

    /// What is on the next line, and which one that is.
    pub(super) fn next(&mut self, name: &str) -> Result<(Place, Record<'_>), Fault> {
        self.line.clear();
        let mut limited = self.input.by_ref().take(LINE_MAX as u64 + 1);
        let length = limited.read_until(b'\n', &mut self.line);
        let length = length.map_err(|error| unreadable(name, error))?;
        self.number += 1;
        let place = Place::Line(self.number);
        if length == 0 {
            return match self.has_io {
                true => Ok((place, Record::End)),
                false => Err(self.format.nothing().at(name)),
            };
        }
        let line = line_of(&self.line, self.number).map_err(|wrong| wrong.at(&place.of(name)))?;
        if line.is_empty() || line.starts_with('#') {
            return Ok((place, Record::Nothing));
        }
        let record = self.format.read(line).map_err(|wrong| wrong.at(&place.of(name)))?;
        self.has_io |= matches!(record, Record::Io(_));
        Ok((place, record))
    }
}

/// The text of a line without what surrounds it.
fn line_of(line: &[u8], number: u64) -> Result<&str, Wrong> {
    if line.len() > LINE_MAX {
        return Err(Wrong::new(
            "the line is longer than 64 KiB",
            "is it the right file? Traces have short lines",
        ));
    }
    let text = std::str::from_utf8(line).map_err(|_| {
        Wrong::new("the line is no text in UTF-8", "is the file complete, and the right one?")
    })?;
    let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { text };
    Ok(text.trim_matches(|char: char| char.is_whitespace() || char == '\0'))
}

/// The format that the first lines of `head` have; `None` for no known one.
pub(super) fn told(head: &[u8]) -> Option<TraceFormat> {
    const LINES: usize = 20;
    let lines = head.split(|byte| *byte == b'\n').zip(1..).take(LINES);
    let texts = lines.map_while(|(line, number)| line_of(line, number).ok());
    let mut lines = texts.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next()?;
    let told = |line: &str| match line {
        line if iolog::is_first(line) => Some(TraceFormat::FioIolog),
        line if msr::is_one(line) => Some(TraceFormat::Msr),
        line if spc::is_one(line) => Some(TraceFormat::Spc),
        line if blkparse::is_one(line) => Some(TraceFormat::Blkparse),
        line if disksim::is_one(line) => Some(TraceFormat::DiskSim),
        _ => None,
    };
    match told(first) {
        Some(format) => Some(format),
        // The names of columns come before the first I/O.
        None if msr::is_header(first) || spc::is_header(first) => lines.next().and_then(told),
        None => None,
    }
}
