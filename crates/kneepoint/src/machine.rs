//! This machine as its kernel tells of it, for loads that are not I/O.

use std::ops::Range;

use std::time::Duration;

use kneepoint_core::measure::trust::{Observation, pressure_note, unrest};
use kneepoint_core::result::HostEnvironment;
use kneepoint_core::spec::factor::CPU_QUOTA;
use kneepoint_core::words::fault::Fault;
use kneepoint_device::observe::ProcessorWatch;
use kneepoint_device::process::{allowed_cpus_by_core, hyper_threads, pin_child, reap_child};
use kneepoint_device::settings::FREQUENCY;
use kneepoint_device::testbed::host_environment;
use kneepoint_device::{Surroundings as Neighbours, processor_pressure};
use kneepoint_server::testbed::{EndedChild, Reap, Surroundings, Watcher};

/// This machine.
pub(crate) struct ThisMachine;

impl Surroundings for ThisMachine {
    fn watch(&self) -> Box<dyn Watcher> {
        Box::new(Watch(ProcessorWatch::begin()))
    }

    fn environment(&self) -> HostEnvironment {
        host_environment()
    }

    fn cpus(&self) -> Vec<usize> {
        allowed_cpus_by_core()
    }

    fn hyper_threads(&self) -> Vec<(usize, usize)> {
        hyper_threads()
    }

    fn sets(&self, factor: &str) -> bool {
        [FREQUENCY, CPU_QUOTA].contains(&factor)
    }

    fn pin(&self, child: u32, cpu: usize) -> Result<(), Fault> {
        pin_child(child, cpu)
    }

    fn reaper(&self) -> Reap {
        |child| {
            let ended = reap_child(child)?;
            Ok(EndedChild { status: ended.status, processor: ended.processor })
        }
    }

    fn unrest(&self, time: Duration) -> Option<String> {
        Neighbours::of(&[]).watch(time).and_then(|seen| unrest(&seen))
    }

    fn pressure(&self) -> Option<String> {
        processor_pressure().and_then(pressure_note)
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
