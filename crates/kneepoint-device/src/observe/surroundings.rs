//! The machine while nothing is measured.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use kneepoint_core::measure::trust::Observation;

use super::waits::some_avg10;
use super::{DeviceGroup, ObservedTarget, Sampler, groups};

/// What other programs do on the processors and on the devices of targets.
#[derive(Debug)]
pub struct Surroundings {
    groups: Vec<DeviceGroup>,
}

impl Surroundings {
    /// Those of targets.
    pub fn of(targets: &[ObservedTarget]) -> Self {
        Self { groups: groups(targets) }
    }

    /// Watches for `time`, of at least 100 ms; `None` where the machine does not tell.
    pub fn watch(&self, time: Duration) -> Option<Observation> {
        let mut sampler = Sampler::new(&self.groups, Vec::new());
        sampler.read(0);
        sleep(time);
        sampler.read(1);
        sampler.finish(0, &[]).map(|(observation, _)| observation)
    }
}

/// The share of the last 10 s for which something waited for a processor, in percent (`some` in
/// `/proc/pressure/cpu`); `None` where the kernel does not tell.
pub fn processor_pressure() -> Option<f64> {
    some_avg10(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_sees_the_processors() {
        let seen = Surroundings::of(&[]).watch(Duration::from_millis(100)).unwrap();
        assert!(seen.seconds >= 0.1);
        assert!(seen.processor.unwrap().capacity_s > 0.0);
        assert!(seen.devices.is_empty());
    }
}
