//! Measures points on simulated systems.

use kneepoint_core::drive::{Duty, drive};
use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Monitor, Outcome, Overseer, Point};
use kneepoint_core::plan::Plan;
use kneepoint_core::seed;
use kneepoint_core::stream::{Stream, assign};
use kneepoint_core::units::Nanos;

use crate::analytic::{AnalyticBackend, System};
use crate::target::{Model, SimTarget};

/// Simulated systems as an instrument: one worker, virtual time, no randomness but the seed's.
#[derive(Debug, Clone)]
pub struct SimInstrument {
    systems: Vec<System>,
}

impl SimInstrument {
    /// The simulated targets of `plan`.
    ///
    /// # Errors
    /// When a target's name cannot be read.
    pub fn new(plan: &Plan) -> Result<Self, Fault> {
        let parsed = plan.targets.iter().map(|target| SimTarget::parse(&target.target));
        Self::of_targets(parsed.collect::<Result<_, _>>()?)
    }

    /// These targets.
    ///
    /// # Errors
    /// When they cannot be simulated together.
    pub fn of_targets(targets: Vec<SimTarget>) -> Result<Self, Fault> {
        let systems = targets.into_iter().map(|target| match target.model {
            Model::Analytic(system) => Ok(system),
            Model::Array { .. } => Err(Fault::new("storage subsystems cannot be simulated yet")),
        });
        Ok(Self { systems: systems.collect::<Result<_, _>>()? })
    }
}

impl Instrument for SimInstrument {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<Outcome, Fault> {
        let workers = assign(point.plan, point.load, point.seed());
        let [worker] = workers.as_slice() else {
            return Err(Fault::new("a simulated system is driven by one worker")
                .fix("leave out --workers for sim: targets"));
        };
        let mut backend = AnalyticBackend::new(&self.systems, seed::derive(point.seed(), "sim", 0));
        let mut overseer = Overseer::new(point.plan, monitor);
        let profile = &point.series.profile;
        let streams = worker.streams.iter().map(|stream| Stream::new(profile, stream));
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let duty = Duty::new(point.plan, worker, Nanos::ZERO);
        let driven = drive(&mut backend, &duty, streams, &mut overseer);
        let (measurement, interrupted) = overseer.finish();
        Ok(Outcome::new(measurement, &[driven], interrupted))
    }
}
