//! Runs as the JSON of fio 3: a job per point.

use kneepoint_core::load::record::histogram::Histogram;
use kneepoint_core::result::{
    ClassResult, FLUSH, IntervalClass, Latency, PointResult, RunDocument,
};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Bytes, KIB, MIB};
use serde_json::{Map, Value, json};

use super::{DIRECTIONS, PERCENTILES, percentile_key};
use crate::result::io_points;
use crate::result::levels::Levels;
use crate::result::time::epoch_ms;

/// Name of the format in messages.
const FORMAT: &str = "fio JSON";

/// The run as one JSON document.
///
/// # Errors
/// When it has points of other work than I/O, or none.
pub fn write(document: &RunDocument) -> Result<String, Fault> {
    let points: Vec<&PointResult> = io_points(document, FORMAT)?.collect();
    Ok(text(document, &points))
}

/// One point as its own JSON document: tools that draw curves read one file for each point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The folder of its series: a plain name.
    pub folder: String,
    /// The name of its file in there.
    pub file: String,
    /// The content.
    pub text: String,
}

/// A document for each point, in a folder for each series.
///
/// # Errors
/// As [`write`].
pub fn pieces(document: &RunDocument) -> Result<Vec<Piece>, Fault> {
    let points = io_points(document, FORMAT)?;
    let piece = |point: &PointResult| {
        let options = options(document, point);
        let of = |key: &str| options.get(key).and_then(Value::as_str).unwrap_or("0").to_owned();
        let again = match point.repetition {
            0 => String::new(),
            repetition => format!("-r{repetition}"),
        };
        Piece {
            folder: plain(&point.key().to_string()),
            file: format!("{}-{}-{}{again}.json", of("rw"), of("iodepth"), of("numjobs")),
            text: text(document, &[point]),
        }
    };
    Ok(points.map(piece).collect())
}

/// A name of which every letter can be in the name of a file.
fn plain(name: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-=".contains(letter);
    let name: String =
        name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
    if name.starts_with('.') { format!("_{name}") } else { name }
}

fn text(document: &RunDocument, points: &[&PointResult]) -> String {
    let run = &document.run;
    let end = epoch_ms(&run.finished_at).or_else(|| epoch_ms(&run.started_at)).unwrap_or(0);
    let jobs: Vec<Value> =
        (0..).zip(points).map(|(group, point)| job(document, (group, point))).collect();
    let json = json!({
        "fio version": format!("kneepoint-{}", run.version),
        "timestamp": end / 1000,
        "timestamp_ms": end,
        "time": if run.finished_at.is_empty() { &run.started_at } else { &run.finished_at },
        "jobs": jobs,
        "disk_util": [],
    });
    format!("{json:#}\n")
}

/// The options of a job that puts such a load on the targets.
fn options(document: &RunDocument, point: &PointResult) -> Map<String, Value> {
    let storage = point.storage.unwrap_or_default();
    let is_random = storage.random_percent >= 50.0;
    let rw = match (storage.read_percent, is_random) {
        (100.0, true) => "randread",
        (100.0, false) => "read",
        (0.0, true) => "randwrite",
        (0.0, false) => "write",
        (_, true) => "randrw",
        (_, false) => "rw",
    };
    let targets: Vec<&str> = match document.environment.imported.as_ref() {
        Some(imported) => imported.targets.iter().map(String::as_str).collect(),
        None => point.targets.iter().map(|target| target.target.as_str()).collect(),
    };
    let engine = document.plan.pointer("/engine/engine").and_then(Value::as_str);
    let mut options = Map::new();
    let mut set = |key: &str, value: String| options.insert(key.to_owned(), Value::String(value));
    set("name", point.key().to_string());
    set("rw", rw.to_owned());
    set("bs", fio_size(storage.block_bytes));
    // Loads are those of each target, and a job has one of the targets.
    set("numjobs", targets.len().max(1).to_string());
    match point.load.unit {
        LoadUnit::OfferedIops => {
            set("iodepth", depth(storage.achieved_outstanding));
            set("rate_iops", format!("{:.0}", point.load.value));
        }
        _ => drop(set("iodepth", depth(point.load.value))),
    }
    if rw.ends_with("rw") {
        set("rwmixread", format!("{:.0}", storage.read_percent));
    }
    if storage.random_percent > 0.0 && storage.random_percent < 100.0 {
        set("percentage_random", format!("{:.0}", storage.random_percent));
    }
    if !targets.is_empty() {
        let escaped = targets.iter().map(|target| target.replace(':', "\\:"));
        set("filename", escaped.collect::<Vec<_>>().join(":"));
    }
    if let Some(engine) = engine {
        set("ioengine", engine.to_owned());
    }
    set("runtime", format!("{:.0}", point.measured_s.ceil()));
    set("ramp_time", format!("{:.0}", point.ramp_s.ceil()));
    set("time_based", "1".to_owned());
    set("group_reporting", "1".to_owned());
    options
}

/// A size as fio's options have it: `4k`.
fn fio_size(bytes: u64) -> String {
    let text = Bytes(bytes).to_string();
    let short = text.trim_end_matches("iB").trim_end_matches('B');
    short.to_ascii_lowercase()
}

/// Outstanding I/Os as a whole number of at least 1.
fn depth(outstanding: f64) -> String {
    format!("{:.0}", outstanding.round().max(1.0))
}

/// The job of a point; points are in groups of their own, since one follows the other.
fn job(document: &RunDocument, (group, point): (usize, &PointResult)) -> Value {
    let mut job = json!({
        "jobname": point.key().to_string(),
        "groupid": group,
        "error": 0,
        "total_err": point.errors,
        "eta": 0,
        "elapsed": (point.ramp_s + point.measured_s).ceil() as u64,
        "job options": options(document, point),
        "sync": sync(point),
        "job_runtime": (point.measured_s * 1e3).round() as u64,
        // Only the sum is known.
        "usr_cpu": point.cpu_percent.unwrap_or(0.0),
        "sys_cpu": 0.0,
        "ctx": 0,
        "majf": 0,
        "minf": 0,
        "latency_depth": depth(point.load.value).parse::<u64>().unwrap_or(1),
        "latency_target": 0,
        "latency_percentile": 100.0,
        "latency_window": 0,
    });
    if let Some(start) = epoch_ms(&point.started_at) {
        job["job_start"] = json!(start);
    }
    let histograms: Vec<(&str, Histogram)> = DIRECTIONS
        .into_iter()
        .filter_map(|direction| Some((direction, histogram(point, direction)?)))
        .collect();
    for direction in DIRECTIONS {
        let of_direction = histograms.iter().find(|(name, _)| *name == direction);
        job[direction] = section(point, direction, of_direction.map(|(_, histogram)| histogram));
    }
    let mut all = Histogram::default();
    histograms.iter().for_each(|(_, histogram)| all.merge(histogram));
    shares(&mut job, &all);
    job
}

/// The response times of a class, where they are there in full.
fn histogram(point: &PointResult, class: &str) -> Option<Histogram> {
    Histogram::from_us_counts(point.histograms.as_ref()?.0.get(class)?).ok()
}

/// What a job says of flushes.
fn sync(point: &PointResult) -> Value {
    match point.class(FLUSH).filter(|_| point.flushes()) {
        None => json!({"total_ios": 0}),
        Some(class) => json!({
            "total_ios": class.operations,
            "lat_ns": times(class, histogram(point, FLUSH).as_ref()),
        }),
    }
}

/// What a job says of a direction.
fn section(point: &PointResult, direction: &str, histogram: Option<&Histogram>) -> Value {
    let class = point.class(direction).copied().unwrap_or_default();
    let bytes_s = class.volume.unwrap_or(0.0) * MIB as f64;
    let intervals = |number: fn(&IntervalClass) -> f64| {
        let values = point
            .intervals
            .iter()
            .map(|interval| interval.classes.get(direction).map_or(0.0, number));
        let is_there = point.class(direction).is_some();
        Levels::of(&values.filter(|_| is_there).collect::<Vec<_>>())
    };
    let rates = intervals(|class| class.rate);
    let volumes = intervals(|class| class.volume.unwrap_or(0.0) * KIB as f64);
    let runtime_ms = if class.operations > 0 { (point.measured_s * 1e3).round() } else { 0.0 };
    let io_bytes = (bytes_s * point.measured_s).round();
    let times = times(&class, histogram);
    json!({
        "io_bytes": io_bytes as u64,
        "io_kbytes": (io_bytes / KIB as f64).floor() as u64,
        "bw_bytes": bytes_s.round() as u64,
        "bw": (bytes_s / KIB as f64).round() as u64,
        "iops": class.rate,
        "runtime": runtime_ms as u64,
        "total_ios": class.operations,
        "short_ios": 0,
        "drop_ios": 0,
        "slat_ns": {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0},
        "clat_ns": times,
        "lat_ns": times,
        "bw_min": volumes.min.round() as u64,
        "bw_max": volumes.max.round() as u64,
        "bw_agg": if class.operations > 0 { 100.0 } else { 0.0 },
        "bw_mean": volumes.mean,
        "bw_dev": volumes.deviation,
        "bw_samples": volumes.count,
        "iops_min": rates.min.round() as u64,
        "iops_max": rates.max.round() as u64,
        "iops_mean": rates.mean,
        "iops_stddev": rates.deviation,
        "iops_samples": rates.count,
    })
}

/// A distribution of response times in nanoseconds; what is not known is left out.
fn times(class: &ClassResult, histogram: Option<&Histogram>) -> Value {
    let Latency { mean, min, max, .. } = class.latency_ms;
    let nanos = |ms: f64| (ms * 1e6).round() as u64;
    let mut times = Map::new();
    if let Some(min) = min {
        times.insert("min".to_owned(), json!(nanos(min)));
    }
    times.insert("max".to_owned(), json!(nanos(max)));
    times.insert("mean".to_owned(), json!(mean * 1e6));
    if let Some(deviation) = deviation(class, histogram) {
        times.insert("stddev".to_owned(), json!(deviation));
    }
    times.insert("N".to_owned(), json!(class.operations));
    let percentiles: Map<String, Value> = PERCENTILES
        .iter()
        .filter_map(|percent| {
            Some((percentile_key(*percent), json!(percentile(class, histogram, *percent)?)))
        })
        .collect();
    if class.operations > 0 && !percentiles.is_empty() {
        times.insert("percentile".to_owned(), Value::Object(percentiles));
    }
    Value::Object(times)
}

/// A percentile in nanoseconds: as the point has it, or else from its histogram.
fn percentile(class: &ClassResult, histogram: Option<&Histogram>, percent: f64) -> Option<u64> {
    let Latency { p50, p90, p95, p99, p99_9, p99_99, max, .. } = class.latency_ms;
    let known =
        [(50.0, p50), (90.0, p90), (95.0, p95), (99.0, p99), (99.9, p99_9), (99.99, p99_99)];
    let known = known.into_iter().find(|(known, _)| *known == percent);
    if let Some(ms) = known.and_then(|(_, value)| value) {
        return Some((ms * 1e6).round() as u64);
    }
    Some(histogram?.percentile(percent)?.0.min((max * 1e6).round() as u64))
}

/// The standard deviation in nanoseconds, from the middles of the buckets.
fn deviation(class: &ClassResult, histogram: Option<&Histogram>) -> Option<f64> {
    if class.operations == 0 {
        return Some(0.0);
    }
    let histogram = histogram?;
    let pairs = histogram.us_counts();
    let total = histogram.total() as f64;
    let mean = pairs.iter().map(|(us, count)| us * *count as f64).sum::<f64>() / total;
    let squares = |(us, count): &(f64, u64)| (us - mean) * (us - mean) * *count as f64;
    let variance = pairs.iter().map(squares).sum::<f64>() / total;
    variance.is_finite().then(|| libm::sqrt(variance) * 1e3)
}

/// Upper ends of fio's classes of response times, each with its name.
const NANOS: [u64; 10] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000];

/// The same in milliseconds, beyond which is one more.
const MILLIS: [u64; 11] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

/// The shares in percent of response times by class: up to 2 ns, 4 ns, and so on.
fn shares(job: &mut Value, all: &Histogram) {
    let total = all.total().max(1) as f64;
    let parts: [(&str, u64, &[u64]); 3] = [
        ("latency_ns", 1, &NANOS),
        ("latency_us", 1_000, &NANOS),
        ("latency_ms", 1_000_000, &MILLIS),
    ];
    let pairs = all.us_counts();
    let mut below = 0.0;
    for (name, unit, ends) in parts {
        let mut shares = Map::new();
        for end in ends {
            let nanos = (end * unit) as f64;
            let within = pairs.iter().filter(|(us, _)| *us * 1e3 >= below && *us * 1e3 < nanos);
            let count: u64 = within.map(|(_, count)| count).sum();
            shares.insert(end.to_string(), json!(100.0 * count as f64 / total));
            below = nanos;
        }
        if unit == 1_000_000 {
            let beyond: u64 =
                pairs.iter().filter(|(us, _)| *us * 1e3 >= below).map(|(_, count)| count).sum();
            shares.insert(">=2000".to_owned(), json!(100.0 * beyond as f64 / total));
        }
        job[name] = Value::Object(shares);
    }
}
