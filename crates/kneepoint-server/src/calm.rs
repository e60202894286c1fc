//! Whether a point waits for a quiet machine, and what is said of a busy one.

use kneepoint_core::measure::{Observer, Patience, Stop};
use kneepoint_core::words::units::Nanos;

use crate::testbed::Surroundings;

/// What is asked for of other programs before each point.
#[derive(Debug, Default)]
pub(crate) struct Calm {
    /// How much longer it waits for a quiet machine; `None` if it does not.
    patience: Option<Patience>,
    /// The note on a machine that was busy before anything was done, until it is told.
    busy: Option<String>,
}

impl Calm {
    /// Waits for `longest` in the whole run, if at all.
    pub(crate) fn new(longest: Option<Nanos>, surroundings: &dyn Surroundings) -> Self {
        let busy = if longest.is_none() { surroundings.pressure() } else { None };
        Self { patience: longest.map(Patience::new), busy }
    }

    /// Waits before a point as long as is asked for; tells once of a machine that is busy.
    ///
    /// # Errors
    /// When the observer asks to stop.
    pub(crate) fn await_point(
        &mut self,
        surroundings: &dyn Surroundings,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        if let Some(note) = self.busy.take() {
            observer.note(&format!("note: {note}"));
        }
        if let Some(patience) = &mut self.patience {
            patience.wait_by(observer, |time| surroundings.unrest(time));
        }
        observer.go_on()
    }
}
