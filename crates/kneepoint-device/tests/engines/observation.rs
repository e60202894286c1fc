//! The instrument sees on the device what it issued.

use std::fs::File;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::trust::Issued;
use kneepoint_core::measure::{Instrument, Point, Unwatched};
use kneepoint_core::plan::{Caching, Engine, StopRule};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::facts::{SysRoot, target};
use kneepoint_device::{DeviceInstrument, ObservedTarget};

use crate::loop_bench::{Bench, Loop};
use crate::trace::plan;

#[test]
fn the_counters_of_a_loop_device_are_those_of_the_point() {
    let Some(bench) = Bench::new(&[]) else { return };
    let image = bench.image("observed", 16);
    File::options().write(true).open(&image).unwrap().write_all_at(&[1; 4096], 0).unwrap();
    let device = Loop::attach(&image, &[]);
    let flags = libc::O_DIRECT | libc::O_EXCL;
    let file =
        File::options().read(true).write(true).custom_flags(flags).open(&device.node).unwrap();
    let mut plan = plan("database", Engine::Sync, 1);
    plan.engine.caching = Caching::Direct;
    plan.timing.interval = Nanos::from_millis(100);
    plan.timing.stop = StopRule::FixedTime { measure: Nanos::from_secs(1) };
    let load = LoadLevel::outstanding(2);
    let point = Point {
        plan: &plan,
        series: &plan.series[0],
        load,
        repetition: 0,
        visit: None,
        before: DriftBefore::default(),
    };
    let facts = target(&SysRoot::default(), &device.node).unwrap();
    let mut instrument = DeviceInstrument::new(vec![file]).observing(&[ObservedTarget::of(&facts)]);
    let outcome = instrument.run_point(&point, &mut Unwatched).unwrap();

    let seen = outcome.observations.into_iter().next().unwrap();
    assert!(seen.window.start < seen.window.end && seen.seconds > 0.0, "{seen:?}");
    assert!(seen.processor.is_some_and(|time| time.capacity_s > 0.0), "{seen:?}");
    assert_eq!(seen.workers_s.len(), 2, "{seen:?}");
    assert!(seen.clock_step_s.abs() < 0.01, "{seen:?}");
    let [counted] = &seen.devices[..] else { panic!("{seen:?}") };
    assert_eq!((counted.name.as_str(), &counted.targets[..]), (&device.name()[5..], &[0][..]));
    let issued = Issued::of(&point, &outcome.measurement, seen.window.clone());
    for (ours, kernel) in issued.targets[0].iter().zip([counted.read, counted.written]) {
        // The readings are a little off the ends of the intervals, more so on a busy machine.
        let ratio = kernel.bytes / ours.bytes;
        assert!((0.5..2.0).contains(&ratio), "ours {ours:?}, the kernel's {kernel:?}");
        assert_eq!(kernel.bytes % 8192.0, 0.0, "whole I/Os: {kernel:?}");
    }
}
