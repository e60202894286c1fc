//! A part of a trace, by time.

use std::io::Read;

use kneepoint_core::spec::trace::{LeftOut, TracePart, TraceReading};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::{TraceIo, TraceReader};

/// The I/Os of a part of a trace; times run from the first of them.
pub struct PartOfTrace<R> {
    reader: TraceReader<R>,
    part: TracePart,
    first: Option<Nanos>,
    /// What was left out before the first.
    before: TraceReading,
}

impl<R: Read> PartOfTrace<R> {
    /// A part of what is read.
    pub fn new(reader: TraceReader<R>, part: TracePart) -> Self {
        Self { reader, part, first: None, before: TraceReading::default() }
    }

    /// What of the part is not an I/O as it was recorded, up to the one that was read last.
    pub fn reading(&self) -> TraceReading {
        let before = |left: &LeftOut| {
            let known = self.before.left_out.iter().find(|known| known.what == left.what);
            known.map_or(0, |known| known.count)
        };
        let all = whole(&self.reader).left_out.into_iter();
        let mut left_out: Vec<LeftOut> =
            all.map(|left| LeftOut { count: left.count - before(&left), ..left }).collect();
        left_out.retain(|left| left.count > 0);
        let disordered = self.reader.disordered() - self.before.disordered;
        TraceReading { left_out, disordered, ..whole(&self.reader) }
    }

    /// The reader.
    pub const fn reader(&self) -> &TraceReader<R> {
        &self.reader
    }
}

/// What was not an I/O as it was recorded so far.
fn whole<R: Read>(reader: &TraceReader<R>) -> TraceReading {
    let devices = u32::try_from(reader.devices().len()).unwrap_or(u32::MAX);
    TraceReading {
        left_out: reader.left_out(),
        disordered: reader.disordered(),
        devices_joined: if devices > 1 { devices } else { 0 },
    }
}

impl<R: Read> Iterator for PartOfTrace<R> {
    type Item = Result<TraceIo, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let io = match self.reader.next()? {
                Ok(io) => io,
                Err(fault) => return Some(Err(fault)),
            };
            if io.at < self.part.from {
                continue;
            }
            if self.part.until.is_some_and(|until| io.at >= until) {
                return None;
            }
            if self.first.is_none() && self.part.from > Nanos::ZERO {
                self.before = whole(&self.reader);
            }
            let first = *self.first.get_or_insert(io.at);
            return Some(Ok(TraceIo { at: io.at.since(first), ..io }));
        }
    }
}
