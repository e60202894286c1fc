//! The seam above the instrument: a place where one measures.

use super::instrument::Instrument;
use super::next_copy::{Copied, NextCopy};
use super::observer::{Observer, Stop};
use crate::measure::search::NextPoint;
use crate::plan::Plan;
use crate::plan::resolve::{Site, Wishes};
use crate::result::warning::SettingChange;
use crate::result::{Environment, Warning};
use crate::words::fault::Fault;
use crate::words::units::Nanos;

/// A place where one measures: this machine, a simulated system, a fleet of hosts.
pub trait Testbed {
    /// What is here, as data to resolve a plan for.
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a>;

    /// Looks whether `plan` can be measured here; changes nothing.
    ///
    /// # Errors
    /// When it can't.
    fn check(&self, _plan: &Plan) -> Result<(), Fault> {
        Ok(())
    }

    /// Makes ready for a point of `plan`: settings at its levels, targets laid out and open.
    ///
    /// # Errors
    /// When it cannot be done, or the observer asks to stop.
    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop>;

    /// What `plan` is measured on, as it is now.
    fn environment(&self, plan: &Plan) -> Environment;

    /// What limits the trust in everything that is measured here.
    fn limits(&self) -> Vec<Warning> {
        Vec::new()
    }

    /// What was noticed since the last call.
    fn take_warnings(&mut self) -> Vec<Warning> {
        Vec::new()
    }

    /// The settings that someone else changed since they were set.
    fn foreign_settings(&self) -> Vec<SettingChange> {
        Vec::new()
    }

    /// From now on waits before each point for a quiet machine, at most `longest` in all; without
    /// a limit it does not wait, but says before the first point if the machine is busy now. Where time is
    /// virtual there is nothing to wait for.
    fn wait_for_quiet(&mut self, _longest: Option<Nanos>) {}

    /// Lets what is in flight after a visit come back: something else comes next.
    fn rest(&mut self, _observer: &mut dyn Observer) {}

    /// Closes the targets.
    fn release(&mut self, _observer: &mut dyn Observer) {}

    /// Makes a copy of files beside a target of `plan`, after the points.
    ///
    /// # Errors
    /// When it fails, no files can be copied here, or the observer asks to stop.
    fn copy_files(
        &mut self,
        _plan: &Plan,
        _next: &NextCopy<'_>,
        _observer: &mut dyn Observer,
    ) -> Result<Copied, Stop> {
        Err(Fault::new("files can only be copied beside a file").into())
    }

    /// Closes the targets and puts the settings back; gives what could not be put back because
    /// someone else changed it since.
    ///
    /// # Errors
    /// When a setting could not be put back.
    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        self.release(observer);
        Ok(Vec::new())
    }
}

/// A testbed that belongs to someone else.
impl Testbed for &mut (dyn Testbed + '_) {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        (**self).site(wishes)
    }

    fn check(&self, plan: &Plan) -> Result<(), Fault> {
        (**self).check(plan)
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        (**self).prepare(plan, next, observer)
    }

    fn environment(&self, plan: &Plan) -> Environment {
        (**self).environment(plan)
    }

    fn limits(&self) -> Vec<Warning> {
        (**self).limits()
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        (**self).take_warnings()
    }

    fn foreign_settings(&self) -> Vec<SettingChange> {
        (**self).foreign_settings()
    }

    fn wait_for_quiet(&mut self, longest: Option<Nanos>) {
        (**self).wait_for_quiet(longest);
    }

    fn rest(&mut self, observer: &mut dyn Observer) {
        (**self).rest(observer);
    }

    fn release(&mut self, observer: &mut dyn Observer) {
        (**self).release(observer);
    }

    fn copy_files(
        &mut self,
        plan: &Plan,
        next: &NextCopy<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Copied, Stop> {
        (**self).copy_files(plan, next, observer)
    }

    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Vec<String>, Fault> {
        (**self).finish(observer)
    }
}

/// A testbed that is ready for a point.
pub struct Ready<'a> {
    /// The plan with the sizes and the timing that hold for this point.
    pub plan: &'a Plan,
    /// What measures it.
    pub instrument: &'a mut dyn Instrument,
}
