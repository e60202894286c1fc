//! What is written in the format of another tool is read back with the same rates and response times, within
//! what the format rounds to.

use std::collections::BTreeMap;

use kneepoint_core::load::record::histogram::Histogram;
use kneepoint_core::result::{
    ClassResult, Environment, Estimate, FLUSH, Imported, IntervalClass, IntervalResult, Latency,
    PointHistograms, PointResult, READ, RUN_SCHEMA, RunAnalysis, RunDocument, RunHeader, RunState,
    StorageResult, TargetLatency, TargetResult, Throughput, WRITE,
};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::{KIB, MIB, Nanos};
use kneepoint_formats::result::{Reading, fio, hlog, iometer, read, vdbench};
use proptest::prelude::*;

/// A class: response times in microseconds, as counts of a histogram.
fn class(times_us: &[u32], measured_s: f64, block: u64) -> (ClassResult, Histogram) {
    let mut histogram = Histogram::default();
    times_us.iter().for_each(|us| histogram.record(Nanos(u64::from(*us) * 1000), 1));
    let ms = |us: u32| f64::from(us) / 1e3;
    let count = times_us.len() as f64;
    let mean = times_us.iter().map(|us| ms(*us)).sum::<f64>() / count;
    let (min, max) = (
        ms(*times_us.iter().min().expect("it is there")),
        ms(*times_us.iter().max().expect("it is there")),
    );
    let latency = Latency { mean, max, ..Latency::default() }.with_min(min);
    let latency = latency.with_percentiles(|percent| {
        Some(histogram.percentile(percent).expect("it is there").as_millis_f64().clamp(min, max))
    });
    let rate = count / measured_s;
    let volume = Some(rate * block as f64 / MIB as f64);
    (
        ClassResult { operations: times_us.len() as u64, rate, volume, latency_ms: latency },
        histogram,
    )
}

/// A point of reads and writes with their response times in microseconds.
fn point(load: u32, (reads, writes): (&[u32], &[u32]), block_kib: u64) -> PointResult {
    let (block, measured_s) = (block_kib * KIB, 4.0);
    let mut classes = BTreeMap::new();
    let mut histograms = BTreeMap::new();
    for (name, times) in [(READ, reads), (WRITE, writes)] {
        if !times.is_empty() {
            let (class, histogram) = class(times, measured_s, block);
            classes.insert(name.to_owned(), class);
            histograms.insert(name.to_owned(), histogram.us_counts());
        }
    }
    let (all, _) = class(&[reads, writes].concat(), measured_s, block);
    let known = |mean: f64| Estimate { mean, ci95: None };
    PointResult {
        series: format!("mix/{block_kib}KiB"),
        profile: "mix".to_owned(),
        load: LoadLevel::outstanding(load),
        started_at: "2026-11-21T04:35:20.250Z".to_owned(),
        ramp_s: 2.0,
        measured_s,
        operations: all.operations,
        rate: Throughput::iops(known(all.rate)),
        volume: all.volume.map(|mean| Throughput::mib_s(known(mean))),
        latency_ms: all.latency_ms,
        storage: Some(StorageResult {
            block_bytes: block,
            read_percent: 100.0 * reads.len() as f64 / (reads.len() + writes.len()) as f64,
            random_percent: 100.0,
            achieved_outstanding: all.rate * all.latency_ms.mean / 1e3,
            ..StorageResult::default()
        }),
        targets: vec![TargetResult {
            target: "/dev/disk/by-path/pci-0000:00:1f.2".to_owned(),
            host: String::new(),
            rate: all.rate,
            volume: all.volume,
            latency_ms: TargetLatency {
                mean: all.latency_ms.mean,
                min: 0.0,
                max: all.latency_ms.max,
            },
            errors: 0,
        }],
        intervals: intervals(&all, &classes),
        histograms: Some(PointHistograms(histograms)),
        classes,
        cpu_percent: Some(12.5),
        ..PointResult::default()
    }
}

/// Four seconds, in each of which all is as on average.
fn intervals(all: &ClassResult, classes: &BTreeMap<String, ClassResult>) -> Vec<IntervalResult> {
    let interval = |class: &ClassResult| IntervalClass {
        rate: class.rate,
        volume: class.volume,
        latency_mean_ms: class.latency_ms.mean,
        latency_p50_ms: class.latency_ms.p50.expect("it is there"),
        latency_p99_ms: class.latency_ms.p99.expect("it is there"),
        latency_max_ms: class.latency_ms.max,
    };
    let second = |second: u32| IntervalResult {
        start_s: f64::from(second),
        length_s: 1.0,
        rate: all.rate,
        volume: all.volume,
        latency_mean_ms: all.latency_ms.mean,
        latency_max_ms: all.latency_ms.max,
        classes: classes.iter().map(|(name, class)| (name.clone(), interval(class))).collect(),
        ..IntervalResult::default()
    };
    (0..4).map(second).collect()
}

fn document(points: Vec<PointResult>) -> RunDocument {
    RunDocument {
        schema: RUN_SCHEMA.to_owned(),
        run: RunHeader {
            id: "20261121-043510-7f3a".to_owned(),
            label: "now".to_owned(),
            work: "mix".to_owned(),
            state: RunState::Complete,
            started_at: "2026-11-21T04:35:10Z".to_owned(),
            finished_at: "2026-11-21T04:40:10Z".to_owned(),
            plan_hash: String::new(),
            seed: 1,
            version: "0.9.0".to_owned(),
            command: String::new(),
        },
        environment: Environment::default(),
        plan: serde_json::Value::Null,
        points,
        copies: Vec::new(),
        analysis: RunAnalysis::default(),
        warnings: Vec::new(),
    }
}

fn read_back(text: &str) -> Reading {
    read(text.as_bytes()).expect("the format is known").expect("what is written can be read")
}

fn near(one: f64, other: f64, off: f64) -> bool {
    (one - other).abs() <= off
}

/// Times in microseconds of some I/Os.
fn times() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(1_u32..5_000_000, 1..60)
}

fn points() -> impl Strategy<Value = Vec<PointResult>> {
    let one = (1_u32..512, times(), times(), 0_u8..3, 0_u32..9).prop_map(
        |(load, reads, writes, kind, block)| {
            let (reads, writes) = match kind {
                0 => (reads, Vec::new()),
                1 => (Vec::new(), writes),
                _ => (reads, writes),
            };
            point(load, (&reads, &writes), 1 << block)
        },
    );
    proptest::collection::vec(one, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn fio_json_comes_back(points in points()) {
        let given = document(points);
        let reading = read_back(&fio::write(&given).expect("it is there"));
        prop_assert_eq!((reading.tool.as_str(), reading.version.as_str()), ("Kneepoint", "0.9.0"));
        prop_assert_eq!(&reading.targets, &["/dev/disk/by-path/pci-0000:00:1f.2".to_owned()]);
        prop_assert!(reading.notes.is_empty(), "{:?}", reading.notes);
        prop_assert_eq!(given.points.len(), reading.points.len());
        for (given, read) in given.points.iter().zip(&reading.points) {
            prop_assert_eq!((&given.series, given.load), (&read.series, read.load));
            prop_assert_eq!(given.operations, read.operations);
            prop_assert!(near(given.rate.mean, read.rate.mean, 1e-6 * given.rate.mean));
            prop_assert!(near(given.mib_s().expect("it is there"), read.mib_s().expect("it is there"), 2e-6));
            prop_assert!(near(given.latency_ms.mean, read.latency_ms.mean, 1e-6 * given.latency_ms.mean));
            prop_assert_eq!(given.classes.len(), read.classes.len());
            for (name, class) in &given.classes {
                let (one, other) = (class.latency_ms, read.classes[name].latency_ms);
                let pairs = [
                    (one.min, other.min), (one.p50, other.p50), (one.p90, other.p90),
                    (one.p95, other.p95), (one.p99, other.p99), (one.p99_9, other.p99_9),
                    (one.p99_99, other.p99_99), (Some(one.max), Some(other.max)),
                ];
                for (one, other) in pairs {
                    prop_assert!(near(one.expect("it is there"), other.expect("it is there"), 1e-6), "{name}: {one:?} {other:?}");
                }
            }
            // Of reads and writes together fio has no percentiles.
            prop_assert_eq!(read.latency_ms.p99.is_none(), given.classes.len() > 1);
        }
    }

    #[test]
    fn iometer_results_come_back(points in points()) {
        let given = document(points);
        let reading = read_back(&iometer::write(&given).expect("it is there"));
        prop_assert_eq!(given.points.len(), reading.points.len());
        for (given, read) in given.points.iter().zip(&reading.points) {
            prop_assert_eq!((&given.series, given.load), (&read.series, read.load));
            prop_assert_eq!(given.operations, read.operations);
            prop_assert!(near(given.rate.mean, read.rate.mean, 2e-6));
            prop_assert!(near(given.mib_s().expect("it is there"), read.mib_s().expect("it is there"), 2e-6));
            prop_assert!(near(given.measured_s, read.measured_s, 1e-5 * given.measured_s));
            prop_assert!(near(given.latency_ms.mean, read.latency_ms.mean, 1e-6));
            prop_assert!(near(given.latency_ms.max, read.latency_ms.max, 1e-6));
            prop_assert_eq!((read.latency_ms.min, read.latency_ms.p99), (None, None));
            for (name, class) in &given.classes {
                prop_assert!(near(class.latency_ms.mean, read.classes[name].latency_ms.mean, 1e-6));
                prop_assert!(near(class.rate, read.classes[name].rate, 1e-6));
            }
        }
    }

    #[test]
    fn vdbench_flat_files_come_back(points in points()) {
        let given = document(points);
        let reading = read_back(&vdbench::write(&given).expect("it is there"));
        // Neighbours of one name are one run of vdbench.
        let names = given.points.iter().map(|point| (&point.series, point.load.value.to_bits()));
        let mut names: Vec<_> = names.collect();
        names.dedup();
        prop_assume!(names.len() == given.points.len());
        prop_assert_eq!(given.points.len(), reading.points.len());
        for (given, read) in given.points.iter().zip(&reading.points) {
            prop_assert_eq!((&given.series, given.load), (&read.series, read.load));
            prop_assert!(near(given.rate.mean, read.rate.mean, 1e-4));
            prop_assert!(near(given.mib_s().expect("it is there"), read.mib_s().expect("it is there"), 1e-4));
            prop_assert!(near(given.measured_s, read.measured_s, 2e-3));
            prop_assert!(near(given.latency_ms.mean, read.latency_ms.mean, 1e-4));
            prop_assert!(near(given.latency_ms.max, read.latency_ms.max, 1e-4));
            prop_assert_eq!((read.latency_ms.min, read.latency_ms.p99), (None, None));
        }
    }

    #[test]
    fn logs_of_histograms_have_every_response_time(points in points()) {
        use hdrhistogram::serialization::Deserializer;
        use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

        let given = document(points);
        let log = hlog::write(&given).expect("it is there");
        let mut rows = IntervalLogIterator::new(&log).filter_map(|entry| match entry.expect("it is there") {
            LogEntry::Interval(row) => Some(row),
            _ => None,
        });
        for point in &given.points {
            for (name, class) in &point.classes {
                let row = rows.next().expect("it is there");
                let tag = format!("{}@{}/{name}", point.series, point.load.value);
                prop_assert_eq!(row.tag().map(|tag| tag.as_str().to_owned()), Some(tag));
                prop_assert!(near(row.start_timestamp().as_secs_f64(), 12.25, 1e-3));
                prop_assert!(near(row.duration().as_secs_f64(), point.measured_s, 1e-3));
                let bytes = base64(row.encoded_histogram());
                let histogram: hdrhistogram::Histogram<u64> =
                    Deserializer::new().deserialize(&mut bytes.as_slice()).expect("it is there");
                prop_assert_eq!(histogram.len(), class.operations);
                let p50 = histogram.value_at_quantile(0.5) as f64 / 1e6;
                prop_assert!((p50 / class.latency_ms.p50.expect("it is there") - 1.0).abs() < 2e-3);
                prop_assert!((row.max() / class.latency_ms.max - 1.0).abs() < 2e-3);
            }
        }
        prop_assert!(rows.next().is_none());
    }

    #[test]
    fn whatever_is_read_is_a_result_or_a_fault(
        points in points(),
        which in 0_usize..3,
        at in any::<prop::sample::Index>(),
        put in "[ -~\n]{0,8}",
        cut in 0_usize..20,
    ) {
        let given = document(points);
        let text = match which {
            0 => fio::write(&given).expect("it is there"),
            1 => iometer::write(&given).expect("it is there"),
            _ => vdbench::write(&given).expect("it is there"),
        };
        let mut bytes = text.into_bytes();
        let from = at.index(bytes.len());
        let to = (from + cut).min(bytes.len());
        bytes.splice(from..to, put.into_bytes());
        if let Some(Ok(reading)) = read(&bytes) {
            prop_assert!(!reading.points.is_empty());
        }
    }
}

/// What a text in Base64 stands for.
fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = LETTERS.iter().position(|known| *known == letter).expect("it is there") as u32;
        bits = bits << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    bytes
}

#[test]
fn each_point_is_a_file_in_the_folder_of_its_series() {
    let given = document(vec![point(4, (&[100], &[]), 4), point(8, (&[100, 200], &[]), 4)]);
    let pieces = fio::pieces(&given).expect("it is there");
    let names: Vec<String> =
        pieces.iter().map(|piece| format!("{}/{}", piece.folder, piece.file)).collect();
    assert_eq!(names, ["mix_4KiB/randread-4-1.json", "mix_4KiB/randread-8-1.json"]);
    let reading = read_back(&pieces[1].text);
    assert_eq!(reading.points.len(), 1);
    assert_eq!(reading.points[0].load, LoadLevel::outstanding(8));
}

#[test]
fn work_other_than_io_is_refused() {
    let other = PointResult { storage: None, ..point(1, (&[5], &[]), 4) };
    let given = document(vec![other]);
    for fault in [
        fio::write(&given).expect_err("a fault"),
        iometer::write(&given).expect_err("a fault"),
        vdbench::write(&given).expect_err("a fault"),
    ] {
        assert!(fault.what().contains("other work than I/O"), "{fault}");
        assert!(fault.fix_hint().is_some());
    }
    assert!(fio::write(&document(Vec::new())).is_err());
    let bare = PointResult { histograms: None, intervals: Vec::new(), ..point(1, (&[5], &[]), 4) };
    let given = document(vec![bare]);
    assert!(
        hlog::write(&given)
            .expect_err("a fault")
            .why()
            .expect("it is there")
            .contains("response times in full")
    );
    assert!(
        vdbench::write(&given)
            .expect_err("a fault")
            .why()
            .expect("it is there")
            .contains("no intervals")
    );
}

#[test]
fn runs_of_other_tools_have_no_rows_of_a_flat_file() {
    let bare = PointResult { intervals: Vec::new(), ..point(1, (&[5], &[]), 4) };
    let mut given = document(vec![bare]);
    let said = |given: &RunDocument| vdbench::write(given).expect_err("a fault").to_string();
    assert!(!said(&given).contains("imported"), "{}", said(&given));
    given.environment.imported =
        Some(Imported { format: "vdbench flat file".to_owned(), ..Imported::default() });
    let why = "it was imported (vdbench flat file), and imported runs have no intervals";
    assert!(said(&given).contains(why), "{}", said(&given));
}

#[test]
fn a_flat_file_of_one_interval_is_refused_with_its_reason() {
    let mut short = point(1, (&[5], &[]), 4);
    short.intervals.truncate(1);
    let text = vdbench::write(&document(vec![short])).expect("it is there");
    let fault = read(text.as_bytes()).expect("the format is known").expect_err("a fault");
    assert!(fault.what().contains("has one interval, whose length is not known"), "{fault}");
    assert!(fault.fix_hint().expect("it is there").starts_with("export the run as .json"));
}

#[test]
fn flushes_come_back_from_fio_json_and_are_in_no_sum() {
    let mut point = point(4, (&[], &[100, 200, 300]), 4);
    let (mut flush, histogram) = class(&[1_000, 5_000], 4.0, 1);
    flush.volume = None;
    point.classes.insert(FLUSH.to_owned(), flush);
    if let Some(PointHistograms(all)) = &mut point.histograms {
        all.insert(FLUSH.to_owned(), histogram.us_counts());
    }
    let given = document(vec![point]);
    let read = read_back(&fio::write(&given).expect("it is there")).points.remove(0);
    let back = read.class(FLUSH).expect("it is there");
    assert_eq!((read.operations, back.operations, back.volume), (3, 2, None));
    assert!(near(back.latency_ms.mean, 3.0, 1e-6) && near(back.latency_ms.max, 5.0, 1e-6));
    let lines = hlog::write(&given).expect("it is there");
    let lines = String::from_utf8_lossy(&lines);
    assert!(lines.contains("@4/flush,"), "{lines}");
    let rows = iometer::write(&given).expect("it is there");
    assert!(!rows.is_empty());
}
