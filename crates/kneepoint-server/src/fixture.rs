//! What tests of points need: a plan, its first point, and a machine of which nothing is known.

use std::io;
use std::ops::Range;
use std::time::Duration;

use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::trust::Observation;
use kneepoint_core::measure::{Observer, Point};
use kneepoint_core::plan::resolve::{Draft, Serves, Wishes};
use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::result::HostEnvironment;
use kneepoint_core::spec::profile::Profile;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;

use crate::target::LoneTarget;
use crate::testbed::{Reap, Surroundings, Watcher};

/// A machine of two processors of which nothing is known.
pub(crate) struct Unknown;

impl Surroundings for Unknown {
    fn watch(&self) -> Box<dyn Watcher> {
        Box::new(Self)
    }

    fn environment(&self) -> HostEnvironment {
        HostEnvironment::default()
    }

    fn cpus(&self) -> Vec<usize> {
        vec![0, 1]
    }

    fn hyper_threads(&self) -> Vec<(usize, usize)> {
        vec![(1, 0)]
    }

    fn sets(&self, _factor: &str) -> bool {
        false
    }

    fn pin(&self, _child: u32, _cpu: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn reaper(&self) -> Reap {
        |_| Err(io::ErrorKind::Unsupported.into())
    }

    fn unrest(&self, _time: Duration) -> Option<String> {
        None
    }

    fn pressure(&self) -> Option<String> {
        None
    }
}

impl Watcher for Unknown {
    fn read(&mut self, _intervals: usize) {}

    fn finish(self: Box<Self>, _counted: Range<usize>) -> Option<(Observation, f64)> {
        None
    }
}

/// The plan of a profile on such a machine.
pub(crate) fn plan_of(profile: &str, what: (TargetKind, Serves)) -> Plan {
    let suite = Suite::of_profile(Profile::parse(profile, "test.toml").unwrap());
    let wishes = Wishes::default();
    let target = LoneTarget::new("test:", what);
    Draft::new(&suite, &wishes).unwrap().resolve(&target.site(&Unknown)).unwrap()
}

/// A point of the first series of `plan`.
pub(crate) fn point(plan: &Plan, load: LoadLevel) -> Point<'_> {
    let (series, before) = (&plan.series[0], DriftBefore::default());
    Point { plan, series, load, repetition: 0, visit: None, before }
}

/// Asks to stop once a point has said nothing for a number of looks.
pub(crate) struct Impatient(pub(crate) u32);

impl Observer for Impatient {
    fn is_stop_asked(&self) -> bool {
        self.0 == 0
    }

    fn silence(&mut self, _time: Nanos) {
        self.0 = self.0.saturating_sub(1);
    }
}
