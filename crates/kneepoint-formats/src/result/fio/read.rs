//! The JSON of fio as runs: a point per job, of which clones and hosts are added up.

use std::collections::BTreeMap;

use kneepoint_core::load::record::histogram::Histogram;
use kneepoint_core::result::{FLUSH, ImportNote, Latency, PointHistograms, PointResult, Verdict};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::{Bytes, KIB, MIB, Nanos};
use serde_json::{Map, Value};

use super::{DIRECTIONS, number};
use crate::job::file_names;
use crate::result::reading::{Part, Reading, Shape, Start, add_flushes, point};
use crate::result::time::rfc3339;

/// The last entry of a result of several hosts, which adds them up.
const ALL_CLIENTS: &str = "All clients";

/// How the version of a file begins that Kneepoint wrote.
const OURS: &str = "kneepoint-";

/// Lines before the result that may begin with a brace.
const STARTS_MAX: usize = 16;

/// Engines that have one I/O in flight per job, whatever depth is asked for.
const SYNCHRONOUS: [&str; 6] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"];

/// The result in a text, behind whatever was printed before it; `None` if there is none of fio.
pub fn json_of(text: &str) -> Option<Value> {
    let starts = text.match_indices('{').map(|(at, _)| at);
    let mut at_line_start =
        starts.filter(|at| *at == 0 || text[..*at].ends_with('\n')).take(STARTS_MAX);
    at_line_start.find_map(|at| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        let value = values.next()?.ok()?;
        let is_result = value.get("jobs").or_else(|| value.get("client_stats"))?.is_array();
        (is_result && value.get("schema").is_none()).then_some(value)
    })
}

/// An entry of the list of jobs.
#[derive(Debug, Clone)]
struct Job<'a> {
    name: String,
    group: u64,
    host: Option<&'a str>,
    options: BTreeMap<&'a str, &'a str>,
    body: &'a Map<String, Value>,
    /// Whether Kneepoint wrote it, whose engines all keep their depth.
    is_ours: bool,
}

/// Reads a result.
///
/// # Errors
/// When it has no job that measured response times, or a load that cannot be told.
pub fn read(json: &Value) -> Result<Reading, Fault> {
    let jobs = jobs(json);
    let mut notes = Vec::new();
    let mut groups: Vec<Vec<&Job<'_>>> = Vec::new();
    for job in jobs.iter().filter(|job| job.name != ALL_CLIENTS) {
        let is_same = |group: &&mut Vec<&Job<'_>>| {
            group.first().is_some_and(|first| (first.group, &first.name) == (job.group, &job.name))
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(job),
            None => groups.push(vec![job]),
        }
    }
    if groups.windows(2).any(|pair| pair[0][0].group == pair[1][0].group) {
        notes.push(ImportNote::SideBySide);
    }
    // The sum over all hosts is that of one job only if there is no other.
    let all_clients = jobs.iter().find(|job| job.name == ALL_CLIENTS && groups.len() == 1);
    let version = json.get("fio version").and_then(Value::as_str).unwrap_or_default();
    let is_ours = version.starts_with(OURS);
    let mut points = Vec::new();
    for group in &groups {
        match point_of(group, all_clients, &mut notes)? {
            Some(point) => points.push((group[0].name.clone(), point)),
            None => notes.push(ImportNote::LeftOut { what: group[0].name.clone() }),
        }
    }
    if points.is_empty() {
        return Err(Fault::new("the result of fio has no job with I/O and response times")
            .because("each is empty, or was measured without its times")
            .fix("run fio without gtod_reduce, disable_lat and disable_clat"));
    }
    name_series(&mut points, is_ours);
    notes.dedup();
    let (tool, version) = match version.split_once('-') {
        Some(("kneepoint", version)) => ("Kneepoint", version),
        Some(("fio", version)) => ("fio", version),
        _ => ("fio", version),
    };
    Ok(Reading {
        tool: tool.to_owned(),
        version: version.to_owned(),
        format: "fio JSON",
        start: start(json, &jobs),
        targets: distinct(jobs.iter().flat_map(|job| files(&job.options))),
        hosts: distinct(jobs.iter().filter_map(|job| Some(job.host?.to_owned()))),
        points: points.into_iter().map(|(_, point)| point).collect(),
        notes,
    })
}

/// Texts, each once, in the order of their first appearance.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}

/// The entries of the result, each with the options of all jobs and its own.
fn jobs(json: &Value) -> Vec<Job<'_>> {
    let version = json.get("fio version").and_then(Value::as_str).unwrap_or_default();
    let is_ours = version.starts_with(OURS);
    let global = json.get("global options").map(|global| match global {
        Value::Array(list) => list.first().unwrap_or(&Value::Null),
        other => other,
    });
    let entries = json.get("client_stats").or_else(|| json.get("jobs"));
    let entries = entries.and_then(Value::as_array).into_iter().flatten();
    let bodies = entries.filter_map(Value::as_object);
    let job = |body| {
        let body: &Map<String, Value> = body;
        let text = |key: &str| body.get(key).and_then(Value::as_str);
        let mut options = BTreeMap::new();
        for given in [global, body.get("job options")].into_iter().flatten() {
            let pairs = given.as_object().into_iter().flatten();
            options.extend(pairs.filter_map(|(key, value)| Some((key.as_str(), value.as_str()?))));
        }
        Job {
            name: printable(text("jobname").unwrap_or("job")).into_owned(),
            group: number(body, "groupid").unwrap_or(0.0) as u64,
            host: text("hostname").filter(|host| !host.is_empty() && *host != ALL_CLIENTS),
            options,
            body,
            is_ours,
        }
    };
    bodies.map(job).collect()
}

/// When the result began: as its jobs say, or from its end and how long fio ran.
fn start(json: &Value, jobs: &[Job<'_>]) -> Start {
    let end_ms = || {
        let ms = json.get("timestamp_ms").and_then(Value::as_i64);
        ms.or_else(|| json.get("timestamp")?.as_i64()?.checked_mul(1000)).filter(|ms| *ms > 0)
    };
    let started = jobs.iter().filter_map(|job| number(job.body, "job_start"));
    let started = started.filter(|ms| *ms > 0.0).reduce(f64::min).map(|ms| ms as i64);
    let elapsed_s = jobs.iter().filter_map(|job| number(job.body, "elapsed")).fold(0.0, f64::max);
    let start_ms =
        started.or_else(|| end_ms()?.checked_sub((elapsed_s * 1e3) as i64)).filter(|ms| *ms > 0);
    match start_ms.and_then(rfc3339) {
        Some(start) => {
            let end = end_ms().filter(|end| Some(*end) >= start_ms).and_then(rfc3339);
            Start::Utc(start, end)
        }
        None => Start::Unknown,
    }
}

/// The point of a job: its clones, and itself on all hosts. `None` if it has no I/O, or no times.
fn point_of(
    group: &[&Job<'_>],
    all_clients: Option<&Job<'_>>,
    notes: &mut Vec<ImportNote>,
) -> Result<Option<PointResult>, Fault> {
    let first = group[0];
    let sources = match all_clients {
        Some(all) => vec![all],
        None => group.to_vec(),
    };
    let mut parts = Vec::new();
    let mut histograms: BTreeMap<&'static str, Vec<Option<Histogram>>> = BTreeMap::new();
    let (mut measured_s, mut bytes_s) = (0.0_f64, 0.0);
    for (job, direction) in
        sources.iter().flat_map(|job| DIRECTIONS.map(|direction| (job, direction)))
    {
        let Some(section) = job.body.get(direction).and_then(Value::as_object) else { continue };
        let operations = number(section, "total_ios").or_else(|| counted(section)).unwrap_or(0.0);
        if operations < 1.0 {
            continue;
        }
        let Some(times) = Times::of(section) else { return Ok(None) };
        notes.extend(times.note);
        let rate = number(section, "iops").unwrap_or(0.0);
        let volume = number(section, "bw_bytes")
            .or_else(|| Some(number(section, "bw")? * KIB as f64))
            .unwrap_or(0.0);
        measured_s = measured_s.max(number(section, "runtime").unwrap_or(0.0) / 1e3);
        bytes_s += volume;
        histograms.entry(direction).or_default().push(times.histogram);
        parts.push(Part {
            class: direction,
            operations: operations as u64,
            rate,
            mib_s: volume / MIB as f64,
            latency: times.latency,
        });
    }
    if parts.is_empty() || measured_s <= 0.0 {
        return Ok(None);
    }
    let rate: f64 = parts.iter().map(|part| part.rate).sum();
    let shape = shape(group, (measured_s, if rate > 0.0 { bytes_s / rate } else { 0.0 }))?;
    let mut result = point(shape, &parts);
    add_flushes(&mut result, &flushes(&sources, measured_s));
    result.ramp_s = first.options.get("ramp_time").and_then(|time| seconds(time)).unwrap_or(0.0);
    result.started_at = number(first.body, "job_start")
        .filter(|ms| *ms > 0.0)
        .and_then(|ms| rfc3339(ms as i64))
        .unwrap_or_default();
    let failed =
        sources.iter().any(|job| number(job.body, "error").is_some_and(|error| error > 0.0));
    let errors: f64 = sources.iter().filter_map(|job| number(job.body, "total_err")).sum();
    result.errors = if failed { errors.max(1.0) } else { errors } as u64;
    if failed {
        result.verdict = Verdict::Failed;
    }
    result.cpu_percent = cpu_percent(&sources, group);
    with_histograms(&mut result, histograms);
    Ok(Some(result))
}

/// The flushes of each job, as far as their times are known.
fn flushes(sources: &[&Job<'_>], measured_s: f64) -> Vec<Part> {
    let of_job = |job: &&Job<'_>| {
        let section = job.body.get("sync")?.as_object()?;
        let operations = number(section, "total_ios").filter(|count| *count >= 1.0)?;
        let Times { latency, .. } = Times::of(section)?;
        let (rate, class) = (operations / measured_s, FLUSH);
        Some(Part { class, operations: operations as u64, rate, mib_s: 0.0, latency })
    };
    sources.iter().filter_map(of_job).collect()
}

/// The I/Os of a direction by its count of times, where the count itself is missing.
fn counted(section: &Map<String, Value>) -> Option<f64> {
    ["lat_ns", "clat_ns", "lat", "clat"]
        .iter()
        .find_map(|key| number(section.get(*key)?.as_object()?, "N"))
}

/// Processor time of all jobs in percent of one processor. What a group or the sum over hosts reports is
/// that of a job on average.
fn cpu_percent(sources: &[&Job<'_>], group: &[&Job<'_>]) -> Option<f64> {
    let of = |job: &&Job<'_>| Some(number(job.body, "usr_cpu")? + number(job.body, "sys_cpu")?);
    let sum: Option<Vec<f64>> = sources.iter().map(of).collect();
    let clones = jobs_of(group) / sources.len().max(1) as f64;
    sum.map(|sum| sum.iter().sum::<f64>() * clones.max(1.0))
}

/// The number of jobs that a section was cloned to, on each host.
fn jobs_of(group: &[&Job<'_>]) -> f64 {
    let asked = group[0].options.get("numjobs").and_then(|count| count.parse::<u32>().ok());
    let has_hosts = group.iter().any(|job| job.host.is_some());
    f64::from(asked.unwrap_or(if has_hosts { 1 } else { group.len() as u32 }).max(1))
}

/// What a job did, from its options.
fn shape(group: &[&Job<'_>], (measured_s, block): (f64, f64)) -> Result<Shape, Fault> {
    let first = group[0];
    let options = &first.options;
    let option = |names: &[&str]| names.iter().find_map(|name| options.get(name).copied());
    let rw = option(&["rw", "readwrite"]).unwrap_or("read").split(':').next().unwrap_or("read");
    let percent = |name: &str| options.get(name).and_then(|text| text.parse::<f64>().ok());
    let is_mixed = matches!(rw, "rw" | "readwrite" | "randrw");
    let read_percent = match rw {
        "read" | "randread" => 100.0,
        _ if is_mixed => percent("rwmixread")
            .or_else(|| Some(100.0 - percent("rwmixwrite")?))
            .unwrap_or(50.0)
            .clamp(0.0, 100.0),
        _ => 0.0,
    };
    let random_percent = match rw.starts_with("rand") {
        true => percent("percentage_random").unwrap_or(100.0).clamp(0.0, 100.0),
        false => 0.0,
    };
    let asked = option(&["bs", "blocksize"]).and_then(|size| size.parse::<Bytes>().ok());
    let block_bytes = asked.map_or(block.round() as u64, |Bytes(bytes)| bytes);
    let profile = if is_mixed { format!("{rw}-{read_percent}") } else { rw.to_owned() };
    let files = files(options).len().max(1);
    let hosts = group.iter().filter(|job| job.host.is_some()).count().max(1);
    let (load, each) = load(group, files)?;
    Ok(Shape {
        series: format!("{}/{}", printable(&profile), Bytes(block_bytes)),
        profile: printable(&profile).into_owned(),
        load,
        target_count: each * hosts,
        block_bytes,
        read_percent,
        random_percent,
        measured_s,
        latency: None,
    })
}

/// The load of each target, and how many targets a host has; of files that cannot share the depth evenly
/// all are one target.
fn load(group: &[&Job<'_>], files: usize) -> Result<(LoadLevel, usize), Fault> {
    let options = &group[0].options;
    let engine = options.get("ioengine").copied().unwrap_or("psync");
    let depth = match options.get("iodepth") {
        _ if SYNCHRONOUS.contains(&engine) && !group[0].is_ours => 1,
        None => 1,
        Some(text) => text.parse::<u32>().map_err(|_| {
            Fault::new(format!("job '{}' has the iodepth '{}'", group[0].name, printable(text)))
                .because("a whole number is expected")
                .fix("correct the job options in the file")
        })?,
    };
    let total = f64::from(depth.max(1)) * jobs_of(group);
    let each = total / files as f64;
    let (each, count) = if each.fract() == 0.0 { (each, files) } else { (total, 1) };
    Ok((LoadLevel::outstanding(each.min(f64::from(u32::MAX)) as u32), count))
}

/// The files of a job.
fn files(options: &BTreeMap<&str, &str>) -> Vec<String> {
    let names = options.get("filename").copied().unwrap_or_default();
    file_names(names).iter().map(|name| printable(name).into_owned()).collect()
}

/// A time of an option in seconds: without a unit it is in seconds.
fn seconds(text: &str) -> Option<f64> {
    let with_unit = if text.ends_with(|letter: char| letter.is_ascii_digit()) {
        format!("{text}s")
    } else {
        text.to_owned()
    };
    with_unit.parse::<Nanos>().ok().map(Nanos::as_secs_f64)
}

/// The response times of a direction.
struct Times {
    latency: Latency,
    /// All of them, where the result has its bins (`json+`).
    histogram: Option<Histogram>,
    /// What of them begins at the submission rather than before it.
    note: Option<ImportNote>,
}

/// An object of response times.
#[derive(Clone, Copy)]
struct TimesKind<'a> {
    times: &'a Map<String, Value>,
    /// Nanoseconds of their unit.
    nanos: f64,
    mean_ms: f64,
}

impl<'a> TimesKind<'a> {
    /// The first that has a mean; up to fio 2 in microseconds.
    fn of(section: &'a Map<String, Value>, keys: [(&str, f64); 2]) -> Option<Self> {
        keys.iter().find_map(|(key, nanos)| {
            let times = section.get(*key)?.as_object()?;
            let mean = number(times, "mean").filter(|mean| *mean > 0.0)?;
            Some(Self { times, nanos: *nanos, mean_ms: mean * nanos / 1e6 })
        })
    }

    fn ms(&self, key: &str) -> Option<f64> {
        number(self.times, key).map(|value| value * self.nanos / 1e6)
    }

    fn has_percentiles(&self) -> bool {
        self.times.contains_key("percentile") || self.times.contains_key("bins")
    }
}

impl Times {
    /// Mean and extremes of the total latency, as far as it is there, and percentiles of the completion
    /// latency where only that has them, which is fio's default.
    fn of(section: &Map<String, Value>) -> Option<Self> {
        let whole = TimesKind::of(section, [("lat_ns", 1.0), ("lat", 1e3)]);
        let completion = TimesKind::of(section, [("clat_ns", 1.0), ("clat", 1e3)]);
        let totals = whole.or(completion)?;
        let of_whole = whole.filter(TimesKind::has_percentiles);
        let of_completion = completion.filter(TimesKind::has_percentiles);
        let spread = of_whole.or(of_completion).unwrap_or(totals);
        let note = match (whole, of_whole, of_completion) {
            (None, ..) => Some(ImportNote::CompletionTime),
            (Some(_), None, Some(_)) => Some(ImportNote::CompletionPercentiles),
            (Some(_), ..) => None,
        };
        let bins = spread.times.get("bins").and_then(Value::as_object);
        let histogram = bins.and_then(|bins| histogram(bins, spread.nanos));
        let mean = totals.mean_ms;
        let max = totals.ms("max")?.max(mean);
        let min = totals.ms("min").map(|min| min.min(mean));
        let percentiles = spread.times.get("percentile").and_then(Value::as_object);
        let of_bins = |percent| Some(histogram.as_ref()?.percentile(percent)?.as_millis_f64());
        let percentile = |percent: f64| {
            let named = percentiles.and_then(|all| {
                let mut pairs = all.iter();
                let (_, value) = pairs.find(|(key, _)| {
                    key.parse::<f64>().is_ok_and(|key| (key - percent).abs() < 1e-6)
                })?;
                let value = value.as_f64().filter(|value| *value > 0.0);
                value.map(|value| value * spread.nanos / 1e6)
            });
            let value = named.or_else(|| of_bins(percent))?;
            Some(value.clamp(min.unwrap_or(0.0), max))
        };
        let latency = Latency { min, ..Latency::without_distribution(mean, max) };
        Some(Self { latency: in_order(latency.with_percentiles(percentile)), histogram, note })
    }
}

/// Without percentiles where one of them is below another that it should be above.
fn in_order(latency: Latency) -> Latency {
    let Latency { p50, p90, p95, p99, p99_9, p99_99, .. } = latency;
    let known: Vec<f64> = [p50, p90, p95, p99, p99_9, p99_99].into_iter().flatten().collect();
    match known.windows(2).all(|pair| pair[0] <= pair[1]) {
        true => latency,
        false => latency.with_percentiles(|_| None),
    }
}

/// A histogram from bins: the middle of each as a key, and its count.
fn histogram(bins: &Map<String, Value>, nanos: f64) -> Option<Histogram> {
    let mut histogram = Histogram::default();
    for (key, count) in bins {
        let (time, count) = (key.parse::<f64>().ok()?, count.as_u64()?);
        if !time.is_finite() || time < 0.0 || histogram.total().checked_add(count).is_none() {
            return None;
        }
        histogram.record(Nanos((time * nanos).round() as u64), count);
    }
    (histogram.total() > 0).then_some(histogram)
}

/// Percentiles of clones and of reads and writes together, which only bins can tell, and the response
/// times in full.
fn with_histograms(
    result: &mut PointResult,
    histograms: BTreeMap<&'static str, Vec<Option<Histogram>>>,
) {
    let mut merged: BTreeMap<&'static str, Histogram> = BTreeMap::new();
    for (class, parts) in histograms {
        let into = merged.entry(class).or_default();
        for part in parts {
            let Some(part) = part else { return };
            if into.total().checked_add(part.total()).is_none() {
                return;
            }
            into.merge(&part);
        }
    }
    let mut all = Histogram::default();
    let total = merged.values().map(Histogram::total).try_fold(0_u64, u64::checked_add);
    if total.is_none() {
        return;
    }
    for (class, histogram) in &merged {
        all.merge(histogram);
        if let Some(result) =
            result.classes.get_mut(*class).filter(|class| class.latency_ms.p50.is_none())
        {
            result.latency_ms = filled(result.latency_ms, histogram);
        }
    }
    if result.latency_ms.p50.is_none() {
        result.latency_ms = filled(result.latency_ms, &all);
    }
    let pairs =
        merged.into_iter().map(|(class, histogram)| (class.to_owned(), histogram.us_counts()));
    result.histograms = Some(PointHistograms(pairs.collect()));
}

/// `latency` with the percentiles of `histogram`.
fn filled(latency: Latency, histogram: &Histogram) -> Latency {
    let min = latency.min.unwrap_or(0.0);
    latency.with_percentiles(|percent| {
        Some(histogram.percentile(percent)?.as_millis_f64().clamp(min, latency.max))
    })
}

/// Names the series by what their jobs did, so that jobs which differ in their load alone are one; by the
/// names of the jobs if different ones would fall together, or Kneepoint itself gave them.
fn name_series(points: &mut [(String, PointResult)], is_ours: bool) {
    let is_same = |one: &PointResult, other: &PointResult| {
        one.series == other.series && one.load == other.load
    };
    let fall_together = points.iter().enumerate().any(|(index, (name, point))| {
        points[..index].iter().any(|(other, before)| other != name && is_same(point, before))
    });
    for (name, point) in points {
        if is_ours {
            point.series = name.clone();
            point.profile =
                name.rsplit_once('/').map_or(name.as_str(), |(profile, _)| profile).to_owned();
        } else if fall_together {
            point.series = format!("{name}: {}", point.series);
            point.profile = name.clone();
        }
    }
}
