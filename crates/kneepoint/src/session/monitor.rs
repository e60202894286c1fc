//! Follows a point: shows it, and stops it on Ctrl-C.

use kneepoint_core::drive::Flow;
use kneepoint_core::instrument::{Monitor, Point, Progress};
use kneepoint_core::units::Nanos;

use super::Interrupt;
use super::vigil::Silence;
use crate::output::progress::RunProgress;

/// A point as it runs.
pub(super) struct LivePoint<'a> {
    pub(super) point: Point<'a>,
    pub(super) progress: &'a RunProgress,
    pub(super) interrupt: &'a Interrupt,
    pub(super) silence: Silence,
}

impl Monitor for LivePoint<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> Flow {
        self.progress.interval(&self.point, &progress);
        if self.interrupt.is_asked() { Flow::Stop } else { Flow::Continue }
    }

    fn look(&mut self, quiet: Nanos) -> Flow {
        self.silence.look(quiet, self.interrupt)
    }
}
