//! Runs and points to save.

use std::collections::BTreeMap;

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::warning::{Recorded, Severity};
use kneepoint_core::result::{
    ClassResult, CopyResult, Environment, Estimate, HostEnvironment, IntervalResult, Latency,
    PointResult, READ, RunHeader, RunState, StorageResult, TargetEnvironment, TargetLatency,
    TargetResult, Throughput, Verdict, WRITE, Warning,
};
use kneepoint_core::spec::file_copy::{CopyCache, CopyMethod};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_store::{Ending, Histograms, NewPoint, NewRun, Owner, Store};

/// A warning of an earlier version.
pub(crate) fn note(text: &str) -> Warning {
    Recorded::sentence(Severity::Note, text).into()
}

/// A start that every sample shares.
pub(crate) const STARTED: &str = "2026-11-21T04:35:10Z";

/// A process that measures.
pub(crate) fn owner(pid: u32) -> Owner {
    Owner {
        host: "lab".to_owned(),
        boot_id: "b-1".to_owned(),
        pid,
        started_ticks: u64::MAX,
        pid_namespace: Some(1),
    }
}

/// A run that begins.
pub(crate) fn run(id: &str) -> NewRun {
    NewRun {
        header: RunHeader {
            id: id.to_owned(),
            label: String::new(),
            work: "storagebench".to_owned(),
            state: RunState::Interrupted,
            started_at: STARTED.to_owned(),
            finished_at: String::new(),
            plan_hash: "0f".repeat(32),
            seed: u64::MAX,
            version: "0.1.0".to_owned(),
            command: "kneepoint run storagebench 'a b'".to_owned(),
        },
        plan: serde_json::json!({"schema": "kneepoint.plan/1", "seed": u64::MAX, "series": [0.1]}),
        environment: environment(),
        owner: owner(7),
    }
}

/// A machine with one target.
pub(crate) fn environment() -> Environment {
    let facts = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    Environment {
        hosts: vec![HostEnvironment {
            host: "lab".to_owned(),
            facts: facts("name", "lab"),
            kernel: "6.12".to_owned(),
            cpu: facts("model", "x"),
            memory_bytes: 1 << 36,
            engine: BTreeMap::new(),
            clock: None,
        }],
        targets: vec![TargetEnvironment {
            target: "/data/kneepoint.dat".to_owned(),
            host: "lab".to_owned(),
            kind: TargetKind::File,
            size_bytes: 8 << 30,
            file_system: "ext4".to_owned(),
            device: facts("serial", "S-1"),
            settings: facts("scheduler", "none"),
            class: None,
            model: None,
        }],
        published: Vec::new(),
        imported: None,
    }
}

/// The end of a run.
pub(crate) fn ending(state: RunState) -> Ending {
    let warnings = vec![note("the write cache was on")];
    Ending { state, finished_at: "2026-11-21T05:00:00.5Z".to_owned(), warnings }
}

/// A point at `outstanding`, with numbers that have no short decimal form.
pub(crate) fn point(outstanding: u32) -> PointResult {
    let x = f64::from(outstanding).sqrt() / 3.0;
    let latency_ms = Latency { mean: x, ci95: Some(x / 7.0), max: x * 9.0, ..Latency::default() };
    let class = ClassResult { operations: 1 << 60, rate: x * 1e3, volume: Some(x), latency_ms };
    let classes = [READ, WRITE].map(|name| (name.to_owned(), class));
    PointResult {
        series: "database/8KiB".to_owned(),
        profile: "database".to_owned(),
        factors: BTreeMap::from([("write_cache".to_owned(), "on".to_owned())]),
        settings: BTreeMap::new(),
        beside: Vec::new(),
        load: LoadLevel::outstanding(outstanding),
        repetition: 0,
        open_loop: None,
        verdict: Verdict::Steady,
        disturbed_percent: Some(x),
        started_at: STARTED.to_owned(),
        ramp_s: 1.0,
        measured_s: 4.2,
        operations: u64::MAX,
        errors: 0,
        error_samples: vec!["read at 4096: EIO".to_owned()],
        rate: Throughput::iops(Estimate { mean: x * 1e3, ci95: None }),
        volume: Some(Throughput::mib_s(Estimate { mean: x, ci95: Some(0.1) })),
        latency_ms,
        classes: BTreeMap::from(classes),
        storage: Some(StorageResult {
            block_bytes: 8192,
            read_percent: 67.0,
            random_percent: 100.0,
            achieved_outstanding: x,
            ..StorageResult::default()
        }),
        hosts: Vec::new(),
        cpu_percent: Some(12.5),
        processor_time: None,
        targets: vec![target(x)],
        intervals: vec![interval(x), interval(x), interval(x)],
        histograms: None,
        steady_state: None,
        trends: None,
        simulated: None,
        warnings: vec![note("“quoted” \0 and odd")],
    }
}

fn target(x: f64) -> TargetResult {
    TargetResult {
        target: "/data/kneepoint.dat".to_owned(),
        host: String::new(),
        rate: x,
        volume: Some(x),
        latency_ms: TargetLatency { mean: x, min: 0.0, max: x },
        errors: 0,
    }
}

fn interval(x: f64) -> IntervalResult {
    IntervalResult {
        start_s: 0.0,
        length_s: 1.0,
        rate: x,
        volume: None,
        latency_mean_ms: x,
        latency_max_ms: x,
        latency_p50_ms: Some(x),
        latency_p99_ms: None,
        classes: BTreeMap::new(),
    }
}

/// A copy of files.
pub(crate) fn copy(repetition: u32) -> CopyResult {
    CopyResult {
        target: "/data/kneepoint.dat".to_owned(),
        method: CopyMethod::CopyFileRange,
        cache: CopyCache::Uncached,
        repetition,
        started_at: STARTED.to_owned(),
        files: 712,
        directories: 64,
        bytes: 500 << 20,
        elapsed_s: (repetition == 0).then_some(10.0 / 3.0),
        error: (repetition == 1).then(|| "copy_file_range to x failed: no".to_owned()),
        warnings: vec![note("shared blocks: odd \0")],
    }
}

/// Histograms of a size that is usual.
pub(crate) fn histograms(outstanding: u32) -> Histograms {
    let bytes = |salt: u32| (0..2000u32).map(|at| (at * 31 + outstanding + salt) as u8).collect();
    Histograms(BTreeMap::from([(READ.to_owned(), bytes(1)), (WRITE.to_owned(), bytes(2))]))
}

/// Saves the point at `outstanding` in the place of that number.
pub(crate) fn save(store: &mut Store, id: &str, outstanding: u32) -> Result<(), Fault> {
    let (result, histograms) = (point(outstanding), histograms(outstanding));
    let place =
        NewPoint { ordinal: outstanding, repetition: 0, result: &result, histograms: &histograms };
    store.save_point(id, &place)
}
