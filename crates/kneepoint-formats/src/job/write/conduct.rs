//! How each point is measured in a job that is written.

use kneepoint_core::plan::{Arrivals, Caching, Engine, MemoryPages};
use kneepoint_core::words::units::Nanos;

use super::Told;
use crate::job::Conduct;

/// Time of a test: the longest that a point is measured by default.
const TEST: Nanos = Nanos::from_secs(30);
/// Its ramp.
const RAMP: Nanos = Nanos::from_secs(1);

/// How each point is measured.
pub(super) struct WrittenConduct {
    pub(super) time: Nanos,
    pub(super) ramp: Nanos,
    /// Jobs or workers that share each load.
    pub(super) workers: u32,
    /// `None` if the source names none.
    pub(super) engine: Option<Engine>,
    pub(super) caching: Caching,
    pub(super) memory_pages: MemoryPages,
    pub(super) arrivals: Arrivals,
}

impl WrittenConduct {
    /// As the source says, which is `None` for profiles and suites; `part` is the word for a point there.
    pub(super) fn of(conduct: Option<Conduct>, part: &str, told: &mut Told<'_>) -> Self {
        let said = conduct.unwrap_or_default();
        let ramp = match conduct {
            Some(said) => said.ramp.unwrap_or(Nanos::ZERO),
            None => RAMP,
        };
        if conduct.is_none() {
            told.differ(format!(
                "each {part} takes {} s and a ramp of {} s; Kneepoint ends a point when it is accurate",
                TEST.as_secs_f64(),
                RAMP.as_secs_f64()
            ));
        } else if said.time.is_none() {
            told.differ(format!(
                "each {part} takes {} s, for the file does not say how long",
                TEST.as_secs_f64()
            ));
        }
        Self {
            time: said.time.unwrap_or(TEST),
            ramp,
            workers: said.workers.unwrap_or(1).max(1),
            engine: said.engine,
            caching: said.caching.unwrap_or(Caching::Direct),
            memory_pages: said.memory_pages.unwrap_or(MemoryPages::Small),
            arrivals: said.arrivals.unwrap_or(Arrivals::Exponential),
        }
    }
}
