//! Failed I/Os: counted, named, bounded.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::load::backend::Direction;

/// Errors that are kept with their names; the rest are only counted.
const SAMPLES_MAX: usize = 8;

/// The result of a read that brought other data than was written, of no system call: error numbers end at
/// -4095.
pub const WRONG_DATA: i32 = -4096;

/// One failed I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoFault {
    /// Index of the target in the plan.
    pub target: u32,
    /// Read or write; of a flush a write.
    pub direction: Direction,
    /// First byte; zero of a flush.
    pub offset: u64,
    /// Length in bytes; zero of a flush.
    pub bytes: u32,
    /// What the kernel said: a negative error number, or fewer bytes than asked for; or [`WRONG_DATA`].
    pub result: i32,
}

impl fmt::Display for IoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { direction, offset, bytes, result, .. } = self;
        match bytes {
            0 => f.write_str("flush: ")?,
            bytes => write!(f, "{} of {bytes} bytes at offset {offset}: ", direction.name())?,
        }
        match result {
            &WRONG_DATA => f.write_str("it brought other data than was written"),
            result if *result < 0 => {
                let cause = std::io::Error::from_raw_os_error(-result);
                write!(f, "{cause}")
            }
            short => write!(f, "only {short} bytes were transferred"),
        }
    }
}

/// The failed I/Os of one worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorLog {
    count: u64,
    count_max: u64,
    /// By target.
    counts: BTreeMap<u32, u64>,
    samples: Vec<IoFault>,
}

impl ErrorLog {
    /// A log that says [`Self::exceeded`] above `count_max` errors.
    pub(super) fn new(count_max: u64) -> Self {
        let samples = Vec::with_capacity(SAMPLES_MAX);
        Self { count: 0, count_max, counts: BTreeMap::new(), samples }
    }

    /// Says [`Self::exceeded`] above `count_max` errors from now on.
    pub(super) const fn allow(&mut self, count_max: u64) {
        self.count_max = count_max;
    }

    /// Counts a failed I/O.
    #[cold]
    pub(super) fn add(&mut self, fault: IoFault) {
        self.count += 1;
        *self.counts.entry(fault.target).or_default() += 1;
        if self.samples.len() < SAMPLES_MAX {
            self.samples.push(fault);
        }
    }

    /// Failed I/Os.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Failed I/Os of each target that had some.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.counts.iter().map(|(target, count)| (*target, *count))
    }

    /// The first failed I/Os.
    pub fn samples(&self) -> &[IoFault] {
        &self.samples
    }

    /// Whether there were more errors than the plan allows.
    pub const fn exceeded(&self) -> bool {
        self.count > self.count_max
    }
}
