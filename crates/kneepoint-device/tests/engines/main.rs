//! The engines do what the plan says, and all of them the same.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod counters;
mod deadline;
mod flush;
#[path = "../consent_devices/loop_bench.rs"]
#[allow(dead_code, reason = "shared with the tests of consent, which use more of it")]
mod loop_bench;
mod observation;
mod trace;

use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::FileExt;

use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::{Instrument, Outcome, Point, Unwatched};
use kneepoint_core::plan::{Engine, MemoryPages};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_device::DeviceInstrument;
use kneepoint_device::buffer::BufferNeeds;
use kneepoint_device::clock::Clock;
use kneepoint_device::engine::{
    AioBackend, Descriptors, NullBackend, Polling, SyncBackend, UringBackend,
};

use trace::{Issued, SIZE, plan, trace};

fn file() -> File {
    let file = tempfile::tempfile_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    file.write_all_at(&vec![7; SIZE as usize], 0).unwrap();
    file
}

/// Whether the machine has the engine; says so where it has not.
fn has<B>(name: &str, backend: &std::io::Result<B>) -> bool {
    if let Err(error) = backend {
        kneepoint_testkit::skipped(format_args!("no {name} on this machine: {error}"));
    }
    backend.is_ok()
}

#[test]
fn a_plan_for_a_simulated_system_is_refused() {
    let plan = plan("database", Engine::Sim, 1);
    let point = Point {
        plan: &plan,
        series: &plan.series[0],
        load: LoadLevel::outstanding(1),
        repetition: 0,
        visit: None,
        before: DriftBefore::default(),
    };
    let stop = DeviceInstrument::new(vec![file()]).run_point(&point, &mut Unwatched).unwrap_err();
    assert!(stop.to_string().contains("measured in virtual time"), "{stop}");
}

#[test]
fn all_engines_issue_the_same_ios_for_one_seed() {
    for profile in ["database", "iometer-file-server", "restore", "stream-read"] {
        for slots in [1, 8] {
            same_ios(profile, slots);
        }
    }
}

fn same_ios(profile: &str, slots: u32) {
    let plan = plan(profile, Engine::IoUring, 2);
    let files = [file(), file()];
    let numbers: Vec<RawFd> = files.iter().map(AsRawFd::as_raw_fd).collect();
    let descriptors = Descriptors(&numbers);
    let needs = BufferNeeds {
        slots: 2 * slots,
        profile: plan.series[0].profile.storage().unwrap(),
        pages: MemoryPages::Small,
        seed: 1,
    };
    let uring = UringBackend::new(descriptors, needs, Clock::default(), Polling::None);
    let aio = AioBackend::new(descriptors, needs, Clock::default());
    let mut traces = vec![trace(Ok(NullBackend::new(Clock::default())), &plan, slots)];
    if has("io_uring", &uring) {
        traces.push(trace(uring, &plan, slots));
    }
    if has("libaio", &aio) {
        traces.push(trace(aio, &plan, slots));
    }
    // The order of completions decides which target's turn it is, never what a target gets.
    let one = |trace: &[Issued], target| -> Vec<_> {
        trace.iter().filter(|io| io.0 == target).copied().collect()
    };
    for target in [0, 1] {
        let all: Vec<_> = traces.iter().map(|trace| one(trace, target)).collect();
        let shortest = all.iter().map(Vec::len).min().unwrap();
        assert!(shortest > 50, "{profile}: only {shortest} I/Os on target {target}");
        for other in &all[1..] {
            assert_eq!(all[0][..shortest], other[..shortest], "{profile} at {slots}");
        }
    }
}

#[test]
fn the_synchronous_engine_issues_the_same_ios() {
    let plan = plan("database", Engine::IoUring, 1);
    let file = file();
    let numbers = [file.as_raw_fd()];
    let needs = BufferNeeds {
        slots: 1,
        profile: plan.series[0].profile.storage().unwrap(),
        pages: MemoryPages::Small,
        seed: 1,
    };
    let sync = trace(SyncBackend::new(Descriptors(&numbers), needs, Clock::default()), &plan, 1);
    let null = trace(Ok(NullBackend::new(Clock::default())), &plan, 1);
    let shortest = sync.len().min(null.len());
    assert!(shortest >= 200);
    assert_eq!(sync[..shortest], null[..shortest]);
}

fn outcome(engine: Engine, profile: &str, slots: u32) -> Option<Outcome> {
    let mut plan = plan(profile, engine, 1);
    plan.errors_max = 5;
    let load = LoadLevel::outstanding(slots);
    let point = Point {
        plan: &plan,
        series: &plan.series[0],
        load,
        repetition: 0,
        visit: None,
        before: DriftBefore::default(),
    };
    match DeviceInstrument::new(vec![file()]).run_point(&point, &mut Unwatched) {
        Ok(outcome) => Some(outcome),
        Err(fault) => {
            let name = engine.name();
            kneepoint_testkit::skipped(format_args!("no {name} on this machine: {fault}"));
            None
        }
    }
}

#[test]
fn every_engine_measures_at_every_depth() {
    let engines =
        [Engine::IoUring, Engine::IoUringSqPoll, Engine::Libaio, Engine::Sync, Engine::Null];
    for engine in engines {
        for slots in [1, 5, 64] {
            let Some(outcome) = outcome(engine, "database", slots) else { continue };
            let total = outcome.measurement.total();
            assert!(total.operations > 0, "{engine:?} at {slots}");
            assert_eq!(total.bytes, total.operations * 8192);
            assert_eq!(outcome.error_count(), 0);
            assert_eq!(outcome.lost, 0);
            assert_eq!(outcome.measurement.intervals.len(), 5);
            // On a busy machine an I/O may outlast a fifth of the point: a stall counts, too.
            let responses = (0..2).map(|way| outcome.measurement.responses(way).operations);
            assert_eq!(outcome.measurement.histogram().total(), responses.sum::<u64>());
        }
    }
}

#[test]
fn a_short_file_gives_named_errors_and_no_panic() {
    for engine in [Engine::IoUring, Engine::Libaio, Engine::Sync] {
        let mut plan = plan("random-read", engine, 1);
        plan.errors_max = 5;
        let point = Point {
            plan: &plan,
            series: &plan.series[0],
            load: LoadLevel::outstanding(4),
            repetition: 0,
            visit: None,
            before: DriftBefore::default(),
        };
        let file = file();
        file.set_len(0).unwrap();
        let Ok(outcome) = DeviceInstrument::new(vec![file]).run_point(&point, &mut Unwatched)
        else {
            continue;
        };
        assert!(outcome.error_count() > 5, "{engine:?}");
        assert!(outcome.error_samples[0].to_string().contains("only 0 bytes"), "{engine:?}");
    }
}

#[test]
fn a_file_open_for_reading_refuses_writes_by_name() {
    for engine in [Engine::IoUring, Engine::Libaio, Engine::Sync] {
        let mut plan = plan("random-write", engine, 1);
        plan.errors_max = 5;
        let point = Point {
            plan: &plan,
            series: &plan.series[0],
            load: LoadLevel::outstanding(2),
            repetition: 0,
            visit: None,
            before: DriftBefore::default(),
        };
        let read_only = File::open(env!("CARGO_MANIFEST_PATH")).unwrap();
        let Ok(outcome) = DeviceInstrument::new(vec![read_only]).run_point(&point, &mut Unwatched)
        else {
            continue;
        };
        assert!(outcome.error_count() > 5, "{engine:?}");
        let sample = outcome.error_samples[0].to_string();
        assert!(sample.contains("Bad file descriptor"), "{engine:?}: {sample}");
    }
}
