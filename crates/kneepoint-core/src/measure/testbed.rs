//! The seam above the instrument: a place where one measures.

use super::instrument::Instrument;
use super::observer::{Observer, Stop};
use crate::measure::search::NextPoint;
use crate::plan::Plan;
use crate::plan::resolve::{Site, Wishes};
use crate::result::warning::SettingChange;
use crate::result::{Environment, Warning};
use crate::words::fault::Fault;

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

    /// Lets what is in flight after a visit come back: something else comes next.
    fn rest(&mut self, _observer: &mut dyn Observer) {}

    /// Closes the targets.
    fn release(&mut self, _observer: &mut dyn Observer) {}

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

/// A testbed that is ready for a point.
pub struct Ready<'a> {
    /// The plan with the sizes and the timing that hold for this point.
    pub plan: &'a Plan,
    /// What measures it.
    pub instrument: &'a mut dyn Instrument,
}
