//! Who measures, Kneepoint, fio, and fio's program for peak rates; and what each printed about its
//! run.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use serde_json::Value;

use super::case::{BenchTarget, Case, Engine, Load};
use super::target::Place;

/// A tool with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Kneepoint,
    /// With its defaults.
    Fio,
    /// In batches, with registered buffers and files where the engine has them.
    FioBatched,
    /// In batches of at most this many.
    Uring(u32),
}

/// The programs, and how they are run.
#[derive(Debug)]
pub(super) struct Programs {
    pub(super) kneepoint: PathBuf,
    pub(super) fio: PathBuf,
    /// `t/io_uring`, where it was found.
    pub(super) uring: Option<PathBuf>,
    pub(super) cpu: u32,
    pub(super) seconds: u32,
}

/// Kneepoint's warm-up.
const RAMP: &str = "300ms";

/// I/Os that fio submits at a time when it runs in batches.
const FIO_BATCH: u32 = 16;

impl Tool {
    /// The tools for a case, in the order in which they take turns.
    pub(super) fn of(case: &Case, programs: &Programs) -> Vec<Self> {
        let mut tools = vec![Self::Kneepoint, Self::Fio];
        if case.rate.is_some() {
            return tools;
        }
        if matches!(case.engine, Engine::IoUring | Engine::Libaio) {
            tools.push(Self::FioBatched);
        }
        let reads = case.engine == Engine::IoUring && case.load == Load::RandomRead;
        if reads && programs.uring.is_some() {
            tools.extend([Self::Uring(16), Self::Uring(32)]);
        }
        tools
    }

    /// The command, pinned to the CPU.
    pub(super) fn command(self, case: &Case, place: &Place, programs: &Programs) -> Vec<String> {
        let mut words = vec!["taskset".to_owned(), "-c".to_owned(), programs.cpu.to_string()];
        words.extend(match self {
            Self::Kneepoint => kneepoint(case, place, programs),
            Self::Fio => fio(case, place, programs),
            Self::FioBatched => {
                let mut words = fio(case, place, programs);
                words.extend(fio_batches(case));
                words
            }
            Self::Uring(batch) => uring(case, place, (programs, batch)),
        });
        words
    }
}

/// `kneepoint run`.
fn kneepoint(case: &Case, place: &Place, programs: &Programs) -> Vec<String> {
    let (profile, _, block_kib) = case.load.terms();
    let target = place.kneepoint_target(case.target);
    let mut words = vec![
        programs.kneepoint.display().to_string(),
        "run".to_owned(),
        profile.to_owned(),
        target.clone(),
        format!("--block={block_kib}KiB"),
        match case.rate {
            Some(rate) => format!("--rate={rate}"),
            None => format!("--outstanding={}", case.outstanding),
        },
        format!("--time={}s", programs.seconds),
        format!("--ramp={RAMP}"),
        format!("--store={}", place.store().display()),
        "--json=-".to_owned(),
    ];
    if case.engine != Engine::Null {
        words.push(format!("--engine={}", case.engine.name()));
    }
    if case.rate.is_some() {
        words.push("--arrivals=constant".to_owned());
    }
    match case.target {
        BenchTarget::Cached => words.push("--buffered".to_owned()),
        BenchTarget::Zram if !case.load.is_read_only() => {
            words.push(format!("--overwrite={target}"));
        }
        _ => {}
    }
    words
}

/// fio as it comes.
fn fio(case: &Case, place: &Place, programs: &Programs) -> Vec<String> {
    let (_, pattern, block_kib) = case.load.terms();
    let engine = match case.engine {
        Engine::Sync => "psync",
        engine => engine.name(),
    };
    // One histogram, as by default, but of the time that Kneepoint takes, too.
    let options = format!(
        "--name=bench --ioengine={engine} --iodepth={} --rw={pattern} --bs={block_kib}k --size=1g \
         --time_based --runtime={} --lat_percentiles=1 --clat_percentiles=0 --output-format=json",
        case.outstanding, programs.seconds,
    );
    let mut words = vec![programs.fio.display().to_string()];
    words.extend(options.split(' ').map(str::to_owned));
    if let Some(rate) = case.rate {
        words.push(format!("--rate_iops={rate}"));
    }
    if case.load == Load::Mixed {
        words.extend(["--rwmixread=67", "--unified_rw_reporting=1"].map(str::to_owned));
    }
    if case.target != BenchTarget::Null {
        words.push(format!("--filename={}", place.fio_file(case).display()));
        words.push(format!("--direct={}", u32::from(case.target != BenchTarget::Cached)));
    }
    if case.target == BenchTarget::Cached {
        words.push("--invalidate=0".to_owned());
    }
    if case.load.is_read_only() {
        words.push("--readonly".to_owned());
    }
    words
}

/// Options of fio against the cost of an I/O, with its accounting left alone.
fn fio_batches(case: &Case) -> Vec<String> {
    let mut words = vec![
        format!("--iodepth_batch_submit={}", FIO_BATCH.min(case.outstanding)),
        "--iodepth_batch_complete_min=1".to_owned(),
        format!("--iodepth_batch_complete_max={}", case.outstanding),
    ];
    if case.engine == Engine::IoUring {
        words.extend(["--fixedbufs", "--registerfiles"].map(str::to_owned));
    }
    words
}

/// `t/io_uring`; its last second goes without a line, so it gets one more.
fn uring(case: &Case, place: &Place, (programs, batch): (&Programs, u32)) -> Vec<String> {
    let program = programs.uring.as_ref().map(|path| path.display().to_string());
    let batch = batch.min(case.outstanding);
    let direct = u32::from(case.target != BenchTarget::Cached);
    let options = format!(
        "-d {} -s {batch} -c {batch} -b {} -p 0 -B 1 -F 1 -O {direct} -r {}",
        case.outstanding,
        case.load.terms().2 * 1024,
        programs.seconds + 1,
    );
    let words = program.into_iter().chain(options.split(' ').map(str::to_owned));
    words.chain([place.fio_file(case).display().to_string()]).collect()
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kneepoint => f.write_str("Kneepoint"),
            Self::Fio => f.write_str("fio"),
            Self::FioBatched => f.write_str("fio batched"),
            Self::Uring(batch) => write!(f, "t/io_uring, {batch} at a time"),
        }
    }
}

/// Rates and response times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    pub(super) ios_per_s: f64,
    /// I/Os of the whole run, those before the measured time included.
    pub(super) ios: f64,
    /// Response times, where the tool takes them.
    pub(super) response: Option<Response>,
}

/// Response times and what they say about the queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Response {
    pub(super) mean_ns: f64,
    pub(super) p99_ns: f64,
    /// I/Os outstanding on average: rate times mean (Little's law).
    pub(super) outstanding: f64,
}

impl Response {
    fn new(ios_per_s: f64, mean_ns: f64, p99_ns: f64) -> Self {
        Self { mean_ns, p99_ns, outstanding: ios_per_s * mean_ns * 1e-9 }
    }
}

impl Tool {
    /// Reads what the tool printed; it ran for `wall`.
    pub(super) fn read(self, printed: &str, wall: Duration) -> anyhow::Result<Reading> {
        match self {
            Self::Kneepoint => read_kneepoint(printed),
            Self::Fio | Self::FioBatched => read_fio(printed),
            Self::Uring(_) => read_uring(printed, wall),
        }
    }
}

/// The JSON in a text; fio may print notes before it.
fn json_of(printed: &str) -> anyhow::Result<Value> {
    let start = printed.find('{').context("it printed no JSON")?;
    serde_json::from_str(&printed[start..]).context("it printed broken JSON")
}

/// A number in JSON.
fn number(value: &Value, pointer: &str) -> anyhow::Result<f64> {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.with_context(|| format!("its JSON has no number at {pointer}"))
}

fn read_kneepoint(printed: &str) -> anyhow::Result<Reading> {
    let result = json_of(printed)?;
    let point = result.pointer("/points/0").context("its JSON has no point")?;
    let ios_per_s = number(point, "/rate/mean")?;
    let (ramp_s, measured_s) = (number(point, "/ramp_s")?, number(point, "/measured_s")?);
    let mut response = Response::new(
        ios_per_s,
        number(point, "/latency_ms/mean")? * 1e6,
        number(point, "/latency_ms/p99")? * 1e6,
    );
    response.outstanding = number(point, "/storage/achieved_outstanding")?;
    let ios = number(point, "/operations")? * (ramp_s + measured_s) / measured_s;
    anyhow::ensure!(ios_per_s > 0.0, "it did no I/O");
    Ok(Reading { ios_per_s, ios, response: Some(response) })
}

fn read_fio(printed: &str) -> anyhow::Result<Reading> {
    let result = json_of(printed)?;
    let job = result.pointer("/jobs/0").context("its JSON has no job")?;
    anyhow::ensure!(number(job, "/error")? == 0.0, "its job ended with an error");
    let busy = |direction: &&Value| number(direction, "/total_ios").is_ok_and(|ios| ios > 0.0);
    let mut directions = ["mixed", "read", "write"].iter().filter_map(|name| job.get(name));
    let side = directions.find(busy).context("it did no I/O")?;
    let ios_per_s = number(side, "/iops")?;
    let response = Response::new(
        ios_per_s,
        number(side, "/lat_ns/mean")?,
        number(side, "/lat_ns/percentile/99.000000")?,
    );
    Ok(Reading { ios_per_s, ios: number(side, "/total_ios")?, response: Some(response) })
}

/// The mean of the lines that it prints every second.
fn read_uring(printed: &str, wall: Duration) -> anyhow::Result<Reading> {
    let rates: Vec<f64> = printed.lines().filter_map(uring_rate).collect();
    anyhow::ensure!(!rates.is_empty(), "it printed no rate");
    let ios_per_s = rates.iter().sum::<f64>() / rates.len() as f64;
    anyhow::ensure!(ios_per_s > 0.0, "it did no I/O");
    Ok(Reading { ios_per_s, ios: ios_per_s * wall.as_secs_f64(), response: None })
}

/// The rate in a line such as `IOPS=388.16K, BW=1516MiB/s, IOS/call=16/16`.
fn uring_rate(line: &str) -> Option<f64> {
    let word = line.trim().strip_prefix("IOPS=")?.split(',').next()?;
    let (digits, unit) = match word.strip_suffix(['K', 'M']) {
        Some(digits) if word.ends_with('K') => (digits, 1e3),
        Some(digits) => (digits, 1e6),
        None => (word, 1.0),
    };
    Some(digits.parse::<f64>().ok()? * unit)
}

#[cfg(test)]
mod tool_tests {
    use super::*;

    fn programs() -> Programs {
        Programs {
            kneepoint: "kneepoint".into(),
            fio: "fio".into(),
            uring: Some("t_io_uring".into()),
            cpu: 1,
            seconds: 2,
        }
    }

    fn command(tool: Tool, case: Case) -> String {
        let place = Place { folder: "/x".into(), zram: None };
        tool.command(&case, &place, &programs()).join(" ")
    }

    fn check(tool: Tool, case: Case, expected: &str) {
        assert_eq!(command(tool, case), expected);
    }

    const READ: Case = Case {
        target: BenchTarget::Cached,
        load: Load::RandomRead,
        engine: Engine::IoUring,
        outstanding: 8,
        rate: None,
    };

    #[test]
    fn commands_are_what_would_be_typed() {
        check(
            Tool::Kneepoint,
            READ,
            "taskset -c 1 kneepoint run random-read /x/cached.dat --block=4KiB --outstanding=8 \
             --time=2s --ramp=300ms --store=/x/kneepoint.db --json=- --engine=io_uring --buffered",
        );
        check(
            Tool::FioBatched,
            READ,
            "taskset -c 1 fio --name=bench --ioengine=io_uring --iodepth=8 --rw=randread --bs=4k \
             --size=1g --time_based --runtime=2 --lat_percentiles=1 \
             --clat_percentiles=0 --output-format=json \
             --filename=/x/cached.dat --direct=0 --invalidate=0 --readonly \
             --iodepth_batch_submit=8 --iodepth_batch_complete_min=1 \
             --iodepth_batch_complete_max=8 --fixedbufs --registerfiles",
        );
        check(
            Tool::Uring(16),
            READ,
            "taskset -c 1 t_io_uring -d 8 -s 8 -c 8 -b 4096 -p 0 -B 1 -F 1 -O 0 -r 3 \
             /x/cached.dat",
        );
    }

    #[test]
    fn an_offered_rate_is_evenly_spaced_by_both() {
        let case = Case { rate: Some(4_000), ..READ };
        let ours = command(Tool::Kneepoint, case);
        assert!(ours.contains("--rate=4000") && ours.contains("--arrivals=constant"), "{ours}");
        assert!(!ours.contains("--outstanding"), "{ours}");
        let fio = command(Tool::Fio, case);
        assert!(fio.contains("--iodepth=8") && fio.contains("--rate_iops=4000"), "{fio}");
        assert_eq!(Tool::of(&case, &programs()), [Tool::Kneepoint, Tool::Fio]);
    }

    #[test]
    fn fio_writes_to_a_file_of_its_own() {
        let case = Case { load: Load::Mixed, engine: Engine::Libaio, ..READ };
        check(
            Tool::Fio,
            case,
            "taskset -c 1 fio --name=bench --ioengine=libaio --iodepth=8 --rw=randrw --bs=8k \
             --size=1g --time_based --runtime=2 --lat_percentiles=1 \
             --clat_percentiles=0 --output-format=json \
             --rwmixread=67 --unified_rw_reporting=1 --filename=/x/cached-fio.dat --direct=0 \
             --invalidate=0",
        );
    }
}

#[cfg(test)]
mod reading_tests {
    use super::*;

    fn check(tool: Tool, printed: &str, expected: (f64, f64, Option<[f64; 3]>)) {
        let reading = tool.read(printed, Duration::from_secs(2)).unwrap();
        let (ios_per_s, ios, response) = expected;
        assert_eq!((reading.ios_per_s, reading.ios), (ios_per_s, ios));
        let seen = reading.response.map(|r| [r.mean_ns, r.p99_ns, r.outstanding].map(f64::round));
        assert_eq!(seen, response);
    }

    #[test]
    fn kneepoint_counts_the_ramp() {
        let printed = r#"{"points": [{"ramp_s": 0.5, "measured_s": 1.0, "operations": 1000,
            "rate": {"mean": 1000.0}, "latency_ms": {"mean": 0.5, "p99": 0.75},
            "storage": {"achieved_outstanding": 4.0}}]}"#;
        check(Tool::Kneepoint, printed, (1000.0, 1500.0, Some([500_000.0, 750_000.0, 4.0])));
    }

    #[test]
    fn fio_reads_the_direction_that_was_used() {
        let side = |ios: u32| {
            format!(
                r#"{{"iops": {ios}.0, "total_ios": {ios},
                "lat_ns": {{"mean": 2e6, "percentile": {{"99.000000": 3000000}}}}}}"#
            )
        };
        let printed = format!(
            r#"note: something
            {{"jobs": [{{"error": 0, "read": {}, "write": {}}}]}}"#,
            side(0),
            side(4000)
        );
        check(Tool::Fio, &printed, (4000.0, 4000.0, Some([2e6, 3e6, 8.0])));
        let printed = format!(r#"{{"jobs": [{{"error": 0, "mixed": {}}}]}}"#, side(500));
        check(Tool::FioBatched, &printed, (500.0, 500.0, Some([2e6, 3e6, 1.0])));
    }

    #[test]
    fn uring_has_rates_only() {
        let printed = "polled=0, fixedbufs=1, register_files=1, buffered=1, QD=32\n\
             IOPS=400.00K, BW=1562MiB/s, IOS/call=16/16\n\
             IOPS=1.20M, BW=1562MiB/s, IOS/call=16/16\n\
             Exiting on timeout\nMaximum IOPS=1.20M\n";
        check(Tool::Uring(16), printed, (800_000.0, 1_600_000.0, None));
        check(Tool::Uring(16), "IOPS=99, BW=1MiB/s", (99.0, 198.0, None));
    }

    #[test]
    fn nothing_readable_is_an_error_that_says_what_is_missing() {
        let error = |tool: Tool, text| tool.read(text, Duration::ZERO).unwrap_err().to_string();
        assert_eq!(error(Tool::Fio, "fio: no"), "it printed no JSON");
        assert_eq!(error(Tool::Fio, r#"{"jobs": [{"error": 0}]}"#), "it did no I/O");
        assert_eq!(error(Tool::Kneepoint, "{}"), "its JSON has no point");
        assert_eq!(error(Tool::Uring(32), "Zero file/device size?"), "it printed no rate");
    }
}
