//! Who follows a run from outside: progress bars, a live page, the reports of an agent.

use std::fmt;
use std::path::Path;

use super::alternation::{LoadDifference, Turn};
use super::instrument::{Point, Progress};
use super::overseer::Overseer;
use crate::measure::search::AnswerSoFar;
use crate::plan::Plan;
use crate::result::PointResult;
use crate::words::fault::Fault;
use crate::words::units::{Bytes, Nanos};

/// Is told what a run does, and may ask it to end. Every method does nothing unless it is written.
pub trait Observer {
    /// Whether the run is to end. Asked before each point, after each interval, and a few times a
    /// second by whatever takes long.
    fn is_stop_asked(&self) -> bool {
        false
    }

    /// Points are about to be measured.
    fn begin(&mut self, _beginning: &Beginning<'_>) {}

    /// The testbed is ready, and a point begins.
    fn point(&mut self, _point: &Point<'_>) {}

    /// An interval of the point has ended.
    fn interval(&mut self, _point: &Point<'_>, _progress: &Progress<'_>) {}

    /// A few times a second: no I/O of the point has completed for this time.
    fn silence(&mut self, _time: Nanos) {}

    /// A load was visited; the search knows this much of its answers. [`Self::result`] follows.
    fn answers(&mut self, _answers: &[AnswerSoFar]) {}

    /// Of two sides that are measured by turns this one follows; so much is known of their
    /// difference at the load.
    fn turn(&mut self, _turn: Turn, _known: &LoadDifference) {}

    /// A point is measured and kept.
    fn result(&mut self, _result: &PointResult) {}

    /// The points that [`Self::begin`] announced are measured, or will not be.
    fn end(&mut self) {}

    /// A line for the user.
    fn note(&mut self, _text: &str) {}

    /// Something begins that takes long, or as long as the target likes.
    fn task(&mut self, _task: &Task<'_>) {}

    /// The task has come so far, in bytes.
    fn task_moved(&mut self, _done: Bytes) {}

    /// The task has ended.
    fn task_ended(&mut self) {}

    /// Who oversees the points from elsewhere; `None` if they end by the plan's stop rule.
    fn overseer(&mut self) -> Option<&mut dyn Overseer> {
        None
    }

    /// [`Stop::Asked`] once the run is to end.
    ///
    /// # Errors
    /// [`Stop::Asked`] alone.
    fn go_on(&self) -> Result<(), Stop> {
        if self.is_stop_asked() { Err(Stop::Asked) } else { Ok(()) }
    }
}

/// Points that are about to be measured.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// The plan that they belong to.
    pub plan: &'a Plan,
    /// How many there may be; a search may need more.
    pub points: usize,
    /// What they are measured for.
    pub purpose: Purpose,
}

/// What points are measured for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To bring the targets to the state in which they are measured.
    Precondition,
    /// Their results.
    Result,
}

/// Something that takes long, or as long as the target likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task<'a> {
    /// A test file is written.
    Write {
        /// The file.
        path: &'a Path,
        /// What it lacks.
        bytes: Bytes,
    },
    /// The files that are copied are written.
    Files {
        /// The directory.
        path: &'a Path,
        /// How many there are.
        count: u32,
        /// Bytes of all of them.
        bytes: Bytes,
    },
    /// The targets are looked at again.
    Look,
    /// The targets are opened.
    Open,
    /// The targets are closed.
    Close,
}

/// No one follows.
#[derive(Debug, Default, Clone, Copy)]
pub struct Unwatched;

impl Observer for Unwatched {}

/// Why something ended before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The user asked for it.
    Asked,
    /// A point failed, as the fault says; it is kept like those before it.
    Failed(Fault),
    /// A host of a fleet is lost, as the fault says. It may come back, and the point can then be measured
    /// again.
    Lost {
        /// Which one.
        host: String,
        /// What is known of it.
        fault: Fault,
    },
    /// It cannot go on.
    Fault(Fault),
}

impl Stop {
    /// What went wrong; nothing if the user asked for it.
    pub fn into_fault(self) -> Option<Fault> {
        match self {
            Self::Asked => None,
            Self::Failed(fault) | Self::Lost { fault, .. } | Self::Fault(fault) => Some(fault),
        }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("it was asked to stop"),
            Self::Failed(fault) | Self::Lost { fault, .. } | Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Stop {}
