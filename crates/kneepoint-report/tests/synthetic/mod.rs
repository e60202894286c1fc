//! Runs that never happened: a small deterministic generator of documents to report on.

use std::collections::BTreeMap;

use kneepoint_core::analysis::findings::of_points;
use kneepoint_core::analysis::{effects, summarize_copies};
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::warning::{Recorded, Severity};
use kneepoint_core::result::{
    ClassResult, CopyResult, Environment, Estimate, HostEnvironment, IntervalResult, Latency,
    PointResult, READ, RUN_SCHEMA, RunAnalysis, RunDocument, RunHeader, RunState, StorageResult,
    TargetEnvironment, TargetLatency, TargetResult, Throughput, Verdict, WRITE, Warning,
};
use kneepoint_core::spec::factor::{Design, Factors};
use kneepoint_core::spec::file_copy::{CopyCache, CopyMethod};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::rule::Rule;
use serde_json::json;

/// A load profile and the system that answers it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) profile: &'static str,
    pub(crate) block_bytes: u64,
    pub(crate) read_percent: f64,
    pub(crate) random_percent: f64,
    /// Response time of a lone I/O in milliseconds.
    pub(crate) service_ms: f64,
    /// I/Os that the system works on at the same time.
    pub(crate) servers: f64,
}

const fn shape(
    profile: &'static str,
    (block_bytes, read_percent, random_percent): (u64, f64, f64),
    (service_ms, servers): (f64, f64),
) -> Shape {
    Shape { profile, block_bytes, read_percent, random_percent, service_ms, servers }
}

/// The five standard load profiles against a handful of disks.
pub(crate) const STANDARD: [Shape; 5] = [
    shape("database", (8192, 67.0, 100.0), (5.6, 9.0)),
    shape("file-server", (65536, 67.0, 100.0), (6.9, 7.5)),
    shape("file-copy", (65536, 50.0, 100.0), (7.4, 6.0)),
    shape("streaming", (65536, 100.0, 0.0), (0.32, 2.4)),
    shape("restore", (65536, 0.0, 0.0), (0.41, 2.1)),
];

/// Loads of the standard profiles.
pub(crate) const DOUBLING: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A number from 0 to 1 that looks random and is not.
fn wobble(seed: u64) -> f64 {
    let mixed = (seed.wrapping_add(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

fn latency(mean: f64) -> Latency {
    Latency {
        mean,
        ci95: Some(mean * 0.012),
        min: Some(mean * 0.21),
        p50: Some(mean * 0.88),
        p90: Some(mean * 1.72),
        p95: Some(mean * 2.1),
        p99: Some(mean * 3.3),
        p99_9: Some(mean * 5.9),
        p99_99: Some(mean * 11.0),
        max: mean * 17.5,
        percentiles_ci95: None,
    }
}

fn class(share: f64, iops: f64, shape: &Shape, mean: f64) -> Option<ClassResult> {
    (share > 0.0).then(|| ClassResult {
        operations: (iops * share * 10.0) as u64,
        rate: iops * share,
        volume: Some(iops * share * shape.block_bytes as f64 / 1_048_576.0),
        latency_ms: latency(mean),
    })
}

/// One point: throughput nears the servers' limit as the load rises.
pub(crate) fn point(shape: &Shape, outstanding: u32) -> PointResult {
    let load = f64::from(outstanding);
    let limit = shape.servers / shape.service_ms * 1_000.0;
    let seed = shape.block_bytes + u64::from(outstanding) * 31;
    let busy = load / (load + shape.servers * 0.9);
    let iops = limit * busy * (0.99 + 0.02 * wobble(seed));
    let mean = load / iops * 1_000.0;
    let read = shape.read_percent / 100.0;
    let mib_s = iops * shape.block_bytes as f64 / 1_048_576.0;
    let reads = class(read, iops, shape, mean * 1.1).map(|class| (READ.to_owned(), class));
    let writes = class(1.0 - read, iops, shape, mean * 0.8).map(|class| (WRITE.to_owned(), class));
    let classes: Vec<(String, ClassResult)> = reads.into_iter().chain(writes).collect();
    PointResult {
        series: format!("{}/{}KiB", shape.profile, shape.block_bytes / 1024),
        profile: shape.profile.to_owned(),
        storage: Some(StorageResult {
            block_bytes: shape.block_bytes,
            read_percent: shape.read_percent,
            random_percent: shape.random_percent,
            achieved_outstanding: load * 0.998,
            ..StorageResult::default()
        }),
        load: LoadLevel::outstanding(outstanding),
        verdict: Verdict::Steady,
        started_at: "2026-03-12T10:16:00Z".to_owned(),
        ramp_s: 1.0,
        measured_s: 10.0,
        operations: (iops * 10.0) as u64,
        rate: Throughput::iops(Estimate { mean: iops, ci95: Some(iops * 0.009) }),
        volume: Some(Throughput::mib_s(Estimate { mean: mib_s, ci95: Some(mib_s * 0.009) })),
        latency_ms: latency(mean),
        classes: classes.into_iter().collect(),
        cpu_percent: Some(3.0 + load * 0.4),
        targets: Vec::new(),
        intervals: (0..10).map(|second| interval(second, iops, mib_s)).collect(),
        ..PointResult::default()
    }
}

fn interval(second: u32, iops: f64, mib_s: f64) -> IntervalResult {
    let factor = 0.8 + 0.04 * f64::from(second) + 0.05 * wobble(u64::from(second));
    IntervalResult {
        start_s: f64::from(second),
        length_s: 1.0,
        rate: iops * factor,
        volume: Some(mib_s * factor),
        latency_mean_ms: 12.0 / factor,
        latency_max_ms: 90.0,
        latency_p50_ms: None,
        latency_p99_ms: None,
        classes: BTreeMap::new(),
    }
}

/// Reads the points off at the rules.
pub(crate) fn summarize(document: &mut RunDocument, rules: &[&str]) {
    let rules: Vec<Rule> = rules.iter().map(|rule| rule.parse().expect("a rule")).collect();
    document.analysis.summaries = kneepoint_core::analysis::summarize(&document.points, &rules);
    document.analysis.findings = of_points(&document.points);
}

fn facts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A test file on a disk.
pub(crate) fn file_target(path: &str) -> TargetEnvironment {
    TargetEnvironment {
        target: path.to_owned(),
        host: "lab-7".to_owned(),
        kind: TargetKind::File,
        size_bytes: 8 << 30,
        file_system: "ext4, /dev/sdb1 at /data, rw,relatime".to_owned(),
        device: facts(&[
            ("name", "sdb"),
            ("model", "Example Disk 600"),
            ("serial", "S0123456789"),
            ("capacity", "600 GB"),
            ("rotational", "yes"),
        ]),
        settings: facts(&[
            ("scheduler", "mq-deadline"),
            ("write_cache", "write back"),
            ("read_ahead_kib", "128"),
            ("queue_depth", "31"),
        ]),
        class: None,
        model: None,
    }
}

fn environment(targets: Vec<TargetEnvironment>) -> Environment {
    let host = HostEnvironment {
        host: "lab-7".to_owned(),
        facts: facts(&[
            ("name", "lab-7"),
            ("operating_system", "Example Linux 12"),
            ("virtualization", "none"),
        ]),
        kernel: "6.12.4".to_owned(),
        cpu: facts(&[
            ("model", "Example 8-core 3.2 GHz"),
            ("logical_cpus", "8"),
            ("governor", "performance"),
        ]),
        memory_bytes: 32 << 30,
        engine: facts(&[("engine", "io_uring"), ("workers", "2"), ("registered_buffers", "yes")]),
        clock: None,
    };
    Environment { hosts: vec![host], targets, published: Vec::new(), imported: None }
}

fn header() -> RunHeader {
    RunHeader {
        id: "20260312-101501-7f3a".to_owned(),
        label: String::new(),
        work: "storagebench".to_owned(),
        state: RunState::Complete,
        started_at: "2026-03-12T10:15:01Z".to_owned(),
        finished_at: "2026-03-12T10:41:44Z".to_owned(),
        plan_hash: "9f2c0e57d6f3b1a84c5d7e6f8091a2b3c4d5e6f708192a3b4c5d6e7f80912a3b".to_owned(),
        seed: 1,
        version: "0.1.0".to_owned(),
        command: "kneepoint run storagebench /data/kneepoint.dat --size 8GiB --report report.html"
            .to_owned(),
    }
}

fn plan(points: &[PointResult]) -> serde_json::Value {
    let mut series: Vec<serde_json::Value> = Vec::new();
    for point in points {
        let known = series.iter_mut().find(|known| known["name"] == json!(point.series));
        let level = json!(point.load.value);
        match known {
            Some(known) => known["loads"]["levels"].as_array_mut().expect("levels").push(level),
            None => series.push(json!({
                "name": point.series,
                "profile": {"name": point.profile, "title": title(&point.profile)},
                "loads": {"unit": "outstanding_ios", "levels": [level]},
            })),
        }
    }
    json!({
        "schema": "kneepoint.plan/1",
        "title": "StorageBench: the five standard load profiles",
        "seed": 1,
        "series": series,
        "omissions": [],
    })
}

/// A plan with these factors and rules, without its series.
pub(crate) fn plan_varying(factors: &Factors, rules: &[&str]) -> serde_json::Value {
    json!({
        "schema": "kneepoint.plan/1",
        "work": "storagebench",
        "title": "StorageBench: the five standard load profiles",
        "seed": 1,
        "targets": [],
        "engine": {"caching": "direct", "engine": "io_uring", "workers": 1},
        "series": [],
        "factors": factors,
        "repetitions": 1,
        "rules": rules,
        "open_loop": {"arrivals": "exponential", "in_flight_max": 1_024},
        "timing": {
            "drain_max": 30_000_000_000_u64,
            "interval": 20_000_000,
            "ramp": 500_000_000,
            "stop": {"confidence": {
                "accuracy": 10.0,
                "drift": 20.0,
                "measure_max": 12_000_000_000_u64,
                "measure_min": 2_000_000_000,
            }},
        },
        "errors_max": 10,
        "omissions": [],
    })
}

fn title(profile: &str) -> String {
    match profile {
        "database" => "Database (data transfer)".to_owned(),
        "file-server" => "File server".to_owned(),
        "file-copy" => "File copy".to_owned(),
        "streaming" => "Streaming".to_owned(),
        "restore" => "Restore".to_owned(),
        other => other.to_owned(),
    }
}

/// A run with these points, read off at these rules.
pub(crate) fn document(points: Vec<PointResult>, rules: &[&str]) -> RunDocument {
    let mut document = RunDocument {
        schema: RUN_SCHEMA.to_owned(),
        run: header(),
        environment: environment(vec![file_target("/data/kneepoint.dat")]),
        plan: plan(&points),
        points,
        copies: Vec::new(),
        analysis: RunAnalysis::default(),
        warnings: Vec::new(),
    };
    summarize(&mut document, rules);
    document
}

/// A run that failed before its first point, and of which nothing else is known.
pub(crate) fn empty() -> RunDocument {
    let mut document = document(Vec::new(), &[]);
    document.run.state = RunState::Failed;
    document.plan = serde_json::Value::Null;
    document.environment = Environment::default();
    document
}

/// A run of one point.
pub(crate) fn one_point() -> RunDocument {
    document(vec![point(&STANDARD[0], 8)], &["mean<=20ms"])
}

/// The five standard load profiles from 1 to 64 outstanding, read off at 15 and 20 ms.
pub(crate) fn standard() -> RunDocument {
    let points = STANDARD.iter().flat_map(|shape| DOUBLING.map(|load| point(shape, load)));
    document(points.collect(), &["mean<=15ms", "mean<=20ms"])
}

/// A warning of an earlier version, which was a sentence.
pub(crate) fn said(severity: Severity, text: &str) -> Warning {
    Recorded::sentence(severity, text).into()
}

/// The standard run with everything that can go wrong with points.
pub(crate) fn troubled() -> RunDocument {
    let mut document = standard();
    let scaling = "CPU frequency scaling is on: response times may vary with it.";
    document.warnings.push(said(Severity::Note, scaling));
    document.run.state = RunState::Interrupted;
    document.plan["omissions"] = json!(["restore/1MiB is left out: the target is too small"]);
    for (index, point) in document.points.iter_mut().enumerate() {
        match index {
            3 => {
                point.verdict = Verdict::Drifting;
                let text = "Throughput rose by 38% over the measured time.";
                point.warnings.push(said(Severity::Limits, text));
            }
            5 => {
                point.verdict = Verdict::Disturbed;
                point
                    .warnings
                    .push(said(Severity::Limits, "Something else used 12% of the device."));
            }
            8 | 9 => point.warnings.push(said(Severity::Note, "The write cache is on.")),
            13 => fail(point),
            _ => {}
        }
    }
    document.points.truncate(30);
    summarize(&mut document, &["mean<=15ms", "mean<=20ms"]);
    document
}

/// The standard run with copies of files, of which one function fails and one is doubtful.
pub(crate) fn copied() -> RunDocument {
    let mut document = standard();
    for (repetition, seconds) in (0..).zip([2.0, 2.2, 2.1, 2.3, 1.9]) {
        for (method, slowness) in [(CopyMethod::Sendfile, 1.0), (CopyMethod::ReadWrite, 1.4)] {
            for (cache, factor) in [(CopyCache::Cached, 0.2), (CopyCache::Uncached, 1.0)] {
                let elapsed = seconds * slowness * factor;
                document.copies.push(copy((method, cache), repetition, Some(elapsed)));
            }
        }
    }
    let direct = document.copies.last_mut().expect("a copy");
    direct.warnings.push(said(Severity::Limits, "page cache: 40 % of the source stayed in it"));
    for cache in CopyCache::ALL {
        let mut failed = copy((CopyMethod::CopyFileRange, cache), 0, None);
        failed.error = Some("copy_file_range to /data/x failed: not supported".to_owned());
        document.copies.push(failed);
    }
    document.analysis.copies = summarize_copies(&document.copies);
    document
}

fn copy(
    (method, cache): (CopyMethod, CopyCache),
    repetition: u32,
    elapsed_s: Option<f64>,
) -> CopyResult {
    CopyResult {
        target: "/data/kneepoint.dat".to_owned(),
        method,
        cache,
        repetition,
        started_at: String::new(),
        files: 712,
        directories: 64,
        bytes: 500 << 20,
        elapsed_s,
        error: None,
        warnings: Vec::new(),
    }
}

/// Makes a point one at which nothing completed.
pub(crate) fn fail(point: &mut PointResult) {
    point.verdict = Verdict::Failed;
    point.operations = 0;
    point.errors = 1_234;
    point.error_samples = vec!["read at 4096: Input/output error".to_owned()];
    point.rate = Throughput::iops(Estimate::default());
    point.volume = Some(Throughput::mib_s(Estimate::default()));
    point.latency_ms = Latency::default();
    point.classes = BTreeMap::new();
    if let Some(storage) = &mut point.storage {
        storage.achieved_outstanding = 0.0;
    }
    let text = "1234 I/Os failed; the first: read at 4096: Input/output error";
    point.warnings = vec![said(Severity::Limits, text)];
}

/// The standard run on four files at once.
pub(crate) fn four_targets() -> RunDocument {
    let mut document = standard();
    let names: Vec<String> = (1..=4).map(|index| format!("/data{index}/kneepoint.dat")).collect();
    document.environment.targets = names.iter().map(|name| file_target(name)).collect();
    for point in &mut document.points {
        let part = |name: &String| TargetResult {
            target: name.clone(),
            host: String::new(),
            rate: point.rate.mean / 4.0,
            volume: point.mib_s().map(|volume| volume / 4.0),
            latency_ms: TargetLatency { mean: point.latency_ms.mean, min: 0.2, max: 90.0 },
            errors: 0,
        };
        point.targets = names.iter().map(part).collect();
    }
    document
}

/// Three hundred points: one profile at 25 block sizes.
pub(crate) fn large() -> RunDocument {
    let points = (0..25).flat_map(|index| {
        let base = shape("database", (4096 * (index + 1), 67.0, 100.0), (0.08, 4.0 + index as f64));
        [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64].map(|load| point(&base, load))
    });
    document(points.collect(), &["mean<=1ms", "p99<=2ms"])
}

/// Three hundred points: four profiles at seven loads, each with eleven combinations of settings, or nearly.
pub(crate) fn varied() -> RunDocument {
    let rules = ["mean<=15ms", "mean<=20ms"];
    let settings = ["raid=raid0,raid1,raid10", "disk_cache=off,on", "scheduler=none,mq-deadline"];
    let mut factors = Factors { design: Design::Full, ..Factors::default() };
    for setting in settings {
        factors.add(setting.parse().expect("a factor")).expect("few factors");
    }
    let combinations = factors.combinations().expect("few combinations");
    let shapes: Vec<Shape> = [0, 1, 3, 4].map(|index| STANDARD[index]).to_vec();
    let mut points: Vec<PointResult> = Vec::new();
    for (index, combination) in combinations.iter().enumerate() {
        for shape in &shapes {
            let servers = shape.servers * (1.0 + 0.07 * index as f64);
            let shape = Shape { servers, ..*shape };
            points.extend(
                [1, 2, 4, 8, 16, 32, 64].map(|load| PointResult {
                    factors: combination.clone(),
                    ..point(&shape, load)
                }),
            );
        }
    }
    let mut run = document(points, &rules);
    let parsed: Vec<Rule> = rules.iter().map(|rule| rule.parse().expect("a rule")).collect();
    run.analysis.effects = effects(&run.points, &factors, &parsed);
    run.plan = plan_varying(&factors, &rules);
    run
}
