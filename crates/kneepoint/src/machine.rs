//! This machine as its kernel tells of it, for loads that are not I/O.

use std::ops::Range;

use kneepoint_core::measure::trust::Observation;
use kneepoint_core::result::HostEnvironment;
use kneepoint_device::observe::ProcessorWatch;
use kneepoint_device::process::allowed_cpus;
use kneepoint_device::testbed::host_environment;
use kneepoint_server::testbed::{Surroundings, Watcher};

/// This machine.
pub(crate) struct ThisMachine;

impl Surroundings for ThisMachine {
    fn watch(&self) -> Box<dyn Watcher> {
        Box::new(Watch(ProcessorWatch::begin()))
    }

    fn environment(&self) -> HostEnvironment {
        host_environment()
    }

    fn cpus(&self) -> usize {
        allowed_cpus().len()
    }
}

struct Watch(ProcessorWatch);

impl Watcher for Watch {
    fn read(&mut self, intervals: usize) {
        self.0.read(intervals);
    }

    fn finish(self: Box<Self>, counted: Range<usize>) -> Option<(Observation, f64)> {
        self.0.finish(counted)
    }
}
