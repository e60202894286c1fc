//! Who keeps what a run measures: a store, a file, memory.

use super::instrument::Outcome;
use super::precondition::unsteady;
use crate::result::warning::PreconditionPhase;
use crate::result::{Environment, PointResult, Warning};
use crate::words::fault::Fault;

/// Keeps a run. Each point is kept before the next one begins.
pub trait Keeper {
    /// The points so far, in the order measured.
    fn points(&self) -> &[PointResult];

    /// Now, RFC 3339 in UTC; empty where it does not matter.
    fn now(&self) -> String {
        String::new()
    }

    /// The testbed is ready, and the first point is about to be measured.
    ///
    /// # Errors
    /// When the run cannot be kept.
    fn begin(&mut self, _start: Start) -> Result<(), Fault> {
        Ok(())
    }

    /// Keeps a point.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn keep(
        &mut self,
        result: PointResult,
        outcome: &Outcome,
        place: KeptPlace,
    ) -> Result<(), Fault>;

    /// Keeps warnings about the whole run.
    ///
    /// # Errors
    /// When they cannot be kept.
    fn warn(&mut self, warnings: &[Warning]) -> Result<(), Fault>;
}

/// What a run begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// What it is measured on.
    pub environment: Environment,
    /// What limits the trust in all of it.
    pub limits: Vec<Warning>,
    /// What was noticed while making ready for the first point.
    pub warnings: Vec<Warning>,
    /// What was written before the first point, phase by phase.
    pub preconditioned: Vec<PreconditionPhase>,
}

/// Where a point belongs among those that are kept.
#[derive(Debug, Clone, PartialEq)]
pub enum KeptPlace {
    /// After all of them.
    After,
    /// In the place of an earlier one.
    InsteadOf {
        /// Its index.
        index: usize,
        /// What is said of the earlier one.
        warning: Warning,
    },
}

/// Keeps a run in memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// The points, in the order measured.
    pub points: Vec<PointResult>,
    /// Warnings about the whole run.
    pub warnings: Vec<Warning>,
}

impl Keeper for Memory {
    fn points(&self) -> &[PointResult] {
        &self.points
    }

    fn begin(&mut self, start: Start) -> Result<(), Fault> {
        let Start { limits, warnings, preconditioned, .. } = start;
        self.warn(&[limits, warnings, unsteady(&preconditioned)].concat())
    }

    fn keep(
        &mut self,
        result: PointResult,
        _outcome: &Outcome,
        place: KeptPlace,
    ) -> Result<(), Fault> {
        match place {
            KeptPlace::After => self.points.push(result),
            KeptPlace::InsteadOf { index, warning } => {
                self.points[index] = result;
                self.warnings.push(warning);
            }
        }
        Ok(())
    }

    fn warn(&mut self, warnings: &[Warning]) -> Result<(), Fault> {
        self.warnings.extend_from_slice(warnings);
        Ok(())
    }
}
