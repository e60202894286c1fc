//! Measures points of business operations in memory.

use std::ops::Range;
use std::sync::Arc;

use kneepoint_core::measure::measurement::Measurement;
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;

use crate::business::{Company, CompanyCounter};
use crate::crew::Crew;
use crate::testbed::{Surroundings, Watcher};

/// Warehouses in memory as an instrument.
pub(crate) struct BusinessInstrument<'a> {
    surroundings: &'a dyn Surroundings,
}

impl<'a> BusinessInstrument<'a> {
    /// An instrument on a machine that `surroundings` watch.
    pub(crate) const fn new(surroundings: &'a dyn Surroundings) -> Self {
        Self { surroundings }
    }
}

impl Instrument for BusinessInstrument<'_> {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let work = point.series.profile.business();
        let work = work.ok_or_else(|| Fault::new("the work of the series is no business"))?;
        let warehouses = point.load.value as u32;
        let seed = seed::derive(point.seed(), "business", 0);
        let company = Arc::new(Company::new(warehouses, work.remote.fraction(), seed)?);
        let before = company.balance().orders;
        let mut overseer = Coordinator::new(point, observer);
        overseer.ready()?;
        let counters = (0..warehouses).map(|_| CompanyCounter::of(&company)).collect();
        let crew = Crew::start(counters, work, (point.plan.timing.interval, seed))?;
        let mut watcher = self.surroundings.watch();
        let done = crew.oversee(&mut overseer, &mut *watcher)?;
        let measurement = overseer.finish()?;
        company.balance().check_with(before + done.orders)?;
        Ok(observed(measurement, watcher))
    }
}

/// What was measured, with what was seen meanwhile.
pub(crate) fn observed(measurement: Measurement, watcher: Box<dyn Watcher>) -> Outcome {
    let counted = measurement.ramp_count * measurement.joined..usize::MAX;
    let joined = measurement.joined;
    let outcome = Outcome::new(measurement, &[]);
    match watcher.finish(counted) {
        Some((mut observation, cpu_percent)) => {
            let Range { start, end } = observation.window;
            observation.window = start.div_ceil(joined)..end / joined;
            Outcome { cpu_percent, observations: vec![observation], ..outcome }
        }
        None => outcome,
    }
}
