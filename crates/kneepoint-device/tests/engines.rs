//! The engines do what the plan says, and all of them the same.

#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test may panic, and says on standard error why it skips

use std::collections::BTreeMap;
use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::FileExt;

use kneepoint_core::backend::{Backend, Completion, Content, Direction, Io};
use kneepoint_core::catalog;
use kneepoint_core::drive::{Duty, Flow, Watch, drive};
use kneepoint_core::instrument::{Instrument, Outcome, Point, Unwatched};
use kneepoint_core::load::LoadLevel;
use kneepoint_core::plan::{
    Caching, Engine, EnginePlan, LoadGrid, PLAN_SCHEMA, Plan, SeriesPlan, StopRule, TargetKind,
    TargetPlan, Timing,
};
use kneepoint_core::record::interval::IntervalRecord;
use kneepoint_core::stream::{Stream, assign};
use kneepoint_core::units::Nanos;
use kneepoint_device::DeviceInstrument;
use kneepoint_device::buffer::BufferNeeds;
use kneepoint_device::engine::{AioBackend, Descriptors, NullBackend, SyncBackend, UringBackend};

const SIZE: u64 = 8 << 20;

/// A plan of one series of a shipped profile on files of [`SIZE`].
fn plan(profile: &str, engine: Engine, target_count: usize) -> Plan {
    let profile = catalog::profile(profile).unwrap().resolve(None).unwrap();
    let target = TargetPlan {
        target: "file".to_owned(),
        kind: TargetKind::File,
        size_bytes: SIZE,
        alignment_bytes: 1,
    };
    let loads = LoadGrid { unit: LoadLevel::outstanding(1).unit, levels: vec![1.0] };
    Plan {
        schema: PLAN_SCHEMA.to_owned(),
        work: "test".to_owned(),
        title: "Test".to_owned(),
        seed: 3,
        targets: vec![target; target_count],
        engine: EnginePlan { engine, caching: Caching::Buffered, workers: 1 },
        series: vec![SeriesPlan {
            name: "test".to_owned(),
            profile,
            factors: BTreeMap::new(),
            loads,
        }],
        rules: Vec::new(),
        timing: Timing {
            ramp: Nanos::ZERO,
            interval: Nanos::from_millis(20),
            stop: StopRule::FixedTime { measure: Nanos::from_millis(100) },
            drain_max: Nanos::from_secs(10),
        },
        errors_max: 0,
        omissions: Vec::new(),
    }
}

fn file() -> File {
    let file = tempfile::tempfile_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    file.write_all_at(&vec![7; SIZE as usize], 0).unwrap();
    file
}

/// Whether the machine has the engine; says so where it has not.
fn has<B>(name: &str, backend: &std::io::Result<B>) -> bool {
    if let Err(error) = backend {
        eprintln!("skipped: no {name} on this machine: {error}");
    }
    backend.is_ok()
}

/// Notes what is issued.
struct Tracing<B> {
    inner: B,
    issued: Vec<(u32, Direction, u64, u32, Content)>,
}

impl<B: Backend> Backend for Tracing<B> {
    fn now(&self) -> Nanos {
        self.inner.now()
    }

    fn submit(&mut self, io: Io) {
        self.issued.push((io.target, io.direction, io.offset, io.bytes, io.content));
        self.inner.submit(io);
    }

    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.inner.wait(deadline, done);
    }
}

/// Stops once enough I/Os have completed, however long that takes.
struct Enough {
    left: u64,
}

impl Watch for Enough {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        self.left = self.left.saturating_sub(record.total().operations);
        if self.left == 0 { Flow::Stop } else { Flow::Continue }
    }
}

/// The first I/Os that `backend` is asked for by `plan` at `slots` outstanding I/Os.
fn trace<B: Backend>(
    backend: std::io::Result<B>,
    plan: &Plan,
    slots: u32,
) -> Vec<(u32, Direction, u64, u32, Content)> {
    let workers = assign(plan, slots, 11);
    let profile = &plan.series[0].profile;
    let streams = workers[0].streams.iter().map(|s| Stream::new(profile, s).unwrap()).collect();
    let mut backend = Tracing { inner: backend.unwrap(), issued: Vec::new() };
    let epoch = backend.now();
    let duty = Duty::new(plan, &workers[0], epoch);
    let driven = drive(&mut backend, &duty, streams, &mut Enough { left: 200 });
    assert_eq!(driven.errors.count(), 0);
    assert_eq!(driven.lost, 0);
    backend.issued
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
    let needs = BufferNeeds { slots: 2 * slots, profile: &plan.series[0].profile, seed: 1 };
    let uring = UringBackend::new(descriptors, needs);
    let aio = AioBackend::new(descriptors, needs);
    let mut traces = vec![trace(Ok(NullBackend::default()), &plan, slots)];
    if has("io_uring", &uring) {
        traces.push(trace(uring, &plan, slots));
    }
    if has("libaio", &aio) {
        traces.push(trace(aio, &plan, slots));
    }
    // The order of completions decides which target's turn it is, never what a target gets.
    let one = |trace: &[(u32, Direction, u64, u32, Content)], target| -> Vec<_> {
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
    let needs = BufferNeeds { slots: 1, profile: &plan.series[0].profile, seed: 1 };
    let sync = trace(SyncBackend::new(Descriptors(&numbers), needs), &plan, 1);
    let null = trace(Ok(NullBackend::default()), &plan, 1);
    let shortest = sync.len().min(null.len());
    assert!(shortest >= 200);
    assert_eq!(sync[..shortest], null[..shortest]);
}

fn outcome(engine: Engine, profile: &str, slots: u32) -> Option<Outcome> {
    let mut plan = plan(profile, engine, 1);
    plan.errors_max = 5;
    let load = LoadLevel::outstanding(slots);
    let point = Point { plan: &plan, series: &plan.series[0], load };
    match DeviceInstrument::new(vec![file()]).run_point(&point, &mut Unwatched) {
        Ok(outcome) => Some(outcome),
        Err(fault) => {
            eprintln!("skipped: no {} on this machine: {fault}", engine.name());
            None
        }
    }
}

#[test]
fn every_engine_measures_at_every_depth() {
    for engine in [Engine::IoUring, Engine::Libaio, Engine::Sync, Engine::Null] {
        for slots in [1, 5, 64] {
            let Some(outcome) = outcome(engine, "database", slots) else { continue };
            let total = outcome.measurement.total();
            assert!(total.operations > 0, "{engine:?} at {slots}");
            assert_eq!(total.bytes, total.operations * 8192);
            assert_eq!(outcome.error_count, 0);
            assert_eq!(outcome.lost, 0);
            assert_eq!(outcome.measurement.intervals.len(), 5);
            assert_eq!(outcome.measurement.histogram().total(), total.operations);
        }
    }
}

#[test]
fn a_short_file_gives_named_errors_and_no_panic() {
    for engine in [Engine::IoUring, Engine::Libaio, Engine::Sync] {
        let mut plan = plan("random-read", engine, 1);
        plan.errors_max = 5;
        let point = Point { plan: &plan, series: &plan.series[0], load: LoadLevel::outstanding(4) };
        let file = file();
        file.set_len(0).unwrap();
        let Ok(outcome) = DeviceInstrument::new(vec![file]).run_point(&point, &mut Unwatched)
        else {
            continue;
        };
        assert!(outcome.error_count > 5, "{engine:?}");
        assert!(outcome.error_samples[0].to_string().contains("only 0 bytes"), "{engine:?}");
    }
}

#[test]
fn a_file_open_for_reading_refuses_writes_by_name() {
    for engine in [Engine::IoUring, Engine::Libaio, Engine::Sync] {
        let mut plan = plan("random-write", engine, 1);
        plan.errors_max = 5;
        let point = Point { plan: &plan, series: &plan.series[0], load: LoadLevel::outstanding(2) };
        let read_only = File::open(env!("CARGO_MANIFEST_PATH")).unwrap();
        let Ok(outcome) = DeviceInstrument::new(vec![read_only]).run_point(&point, &mut Unwatched)
        else {
            continue;
        };
        assert!(outcome.error_count > 5, "{engine:?}");
        let sample = outcome.error_samples[0].to_string();
        assert!(sample.contains("Bad file descriptor"), "{engine:?}: {sample}");
    }
}
