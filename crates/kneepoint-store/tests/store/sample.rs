//! Runs and points to save.

use std::collections::BTreeMap;

use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::{CopyCache, CopyMethod, CopyResult};
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    DirectionResult, Environment, Estimate, IntervalResult, Latency, PointResult, RunState,
    TargetEnvironment, TargetLatency, TargetResult, Verdict,
};
use kneepoint_store::{Ending, Histograms, NewPoint, NewRun, Owner, Store};

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
        id: id.to_owned(),
        label: String::new(),
        work: "storagebench".to_owned(),
        started_at: STARTED.to_owned(),
        plan: serde_json::json!({"schema": "kneepoint.plan/1", "seed": u64::MAX, "series": [0.1]}),
        plan_hash: "0f".repeat(32),
        seed: u64::MAX,
        version: "0.1.0".to_owned(),
        command: "kneepoint run storagebench 'a b'".to_owned(),
        environment: environment(),
        owner: owner(7),
    }
}

/// A machine with one target.
pub(crate) fn environment() -> Environment {
    let facts = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    Environment {
        host: facts("name", "lab"),
        kernel: "6.12".to_owned(),
        cpu: facts("model", "x"),
        memory_bytes: 1 << 36,
        engine: BTreeMap::new(),
        targets: vec![TargetEnvironment {
            target: "/data/kneepoint.dat".to_owned(),
            kind: TargetKind::File,
            size_bytes: 8 << 30,
            file_system: "ext4".to_owned(),
            device: facts("serial", "S-1"),
            settings: facts("scheduler", "none"),
            class: None,
        }],
    }
}

/// The end of a run.
pub(crate) fn ending(state: RunState) -> Ending {
    let warnings = vec!["the write cache was on".to_owned()];
    Ending { state, finished_at: "2026-11-21T05:00:00.5Z".to_owned(), warnings }
}

/// A point at `outstanding`, with numbers that have no short decimal form.
pub(crate) fn point(outstanding: u32) -> PointResult {
    let x = f64::from(outstanding).sqrt() / 3.0;
    let latency_ms = Latency { mean: x, ci95: Some(x / 7.0), max: x * 9.0, ..Latency::default() };
    let direction =
        DirectionResult { operations: 1 << 60, iops: x * 1e3, throughput_mib_s: x, latency_ms };
    PointResult {
        series: "database/8KiB".to_owned(),
        profile: "database".to_owned(),
        block_bytes: 8192,
        read_percent: 67.0,
        random_percent: 100.0,
        factors: BTreeMap::from([("write_cache".to_owned(), "on".to_owned())]),
        outstanding: Some(outstanding),
        offered_iops: None,
        repetition: 0,
        achieved_outstanding: x,
        open_loop: None,
        verdict: Verdict::Steady,
        disturbed_percent: Some(x),
        started_at: STARTED.to_owned(),
        ramp_s: 1.0,
        measured_s: 4.2,
        operations: u64::MAX,
        errors: 0,
        error_samples: vec!["read at 4096: EIO".to_owned()],
        iops: Estimate { mean: x * 1e3, ci95: None },
        throughput_mib_s: Estimate { mean: x, ci95: Some(0.1) },
        latency_ms,
        read: direction,
        write: direction,
        cpu_percent: 12.5,
        targets: vec![target(x)],
        intervals: vec![interval(x); 3],
        histograms: None,
        steady_state: None,
        simulated: None,
        warnings: vec!["“quoted” \0 and odd".to_owned()],
    }
}

fn target(x: f64) -> TargetResult {
    TargetResult {
        target: "/data/kneepoint.dat".to_owned(),
        iops: x,
        throughput_mib_s: x,
        latency_ms: TargetLatency { mean: x, min: 0.0, max: x },
        errors: 0,
    }
}

fn interval(x: f64) -> IntervalResult {
    IntervalResult {
        start_s: 0.0,
        length_s: 1.0,
        iops: x,
        throughput_mib_s: x,
        latency_mean_ms: x,
        latency_max_ms: x,
        latency_p50_ms: Some(x),
        latency_p99_ms: None,
        read: None,
        write: None,
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
        warnings: vec!["shared blocks: odd \0".to_owned()],
    }
}

/// Histograms of a size that is usual.
pub(crate) fn histograms(outstanding: u32) -> Histograms {
    let bytes = |salt: u32| (0..2000u32).map(|at| (at * 31 + outstanding + salt) as u8).collect();
    Histograms { read: Some(bytes(1)), write: Some(bytes(2)) }
}

/// Saves the point at `outstanding` in the place of that number.
pub(crate) fn save(store: &mut Store, id: &str, outstanding: u32) -> Result<(), Fault> {
    let (result, histograms) = (point(outstanding), histograms(outstanding));
    let place =
        NewPoint { ordinal: outstanding, repetition: 0, result: &result, histograms: &histograms };
    store.save_point(id, &place)
}
