//! A part of a trace, by time.

use std::io::Read;

use kneepoint_core::spec::trace::TracePart;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::{TraceIo, TraceReader};

/// The I/Os of a part of a trace; times run from the first of them.
pub struct PartOfTrace<R> {
    reader: TraceReader<R>,
    part: TracePart,
    first: Option<Nanos>,
}

impl<R: Read> PartOfTrace<R> {
    /// A part of what is read.
    pub const fn new(reader: TraceReader<R>, part: TracePart) -> Self {
        Self { reader, part, first: None }
    }

    /// The reader.
    pub const fn reader(&self) -> &TraceReader<R> {
        &self.reader
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
            let first = *self.first.get_or_insert(io.at);
            return Some(Ok(TraceIo { at: io.at.since(first), ..io }));
        }
    }
}
