//! Flat files as runs: a point per run of vdbench, from its row of averages.

use std::collections::BTreeMap;

use kneepoint_core::result::{ImportNote, Latency, PointResult, READ, WRITE};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::Bytes;

use super::{RATE_MAX, UNKNOWN, WRITTEN};
use crate::result::reading::{Part, Reading, Shape, Start, point};

/// Lines at the beginning of a file among which its header is looked for.
const HEADER_WITHIN: usize = 400;

/// Milliseconds of a day.
const DAY_MS: f64 = 86_400_000.0;

/// Whether a text is a flat file: it has the header of one.
pub fn is_result(text: &str) -> bool {
    text.lines().take(HEADER_WITHIN).any(is_header)
}

fn is_header(line: &str) -> bool {
    let names = fields(line);
    ["tod", "Run", "Interval", "rate", "resp"].iter().all(|name| names.contains(name))
}

/// The fields of a line: between commas, or else between spaces.
fn fields(line: &str) -> Vec<&str> {
    match line.contains(',') {
        true => line.split(',').map(|field| field.trim().trim_matches('"')).collect(),
        false => line.split_whitespace().collect(),
    }
}

/// A row with its line.
#[derive(Debug, Clone)]
struct Row<'a> {
    line: usize,
    values: BTreeMap<&'a str, &'a str>,
}

impl Row<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).copied().filter(|value| !value.is_empty() && *value != UNKNOWN)
    }

    fn fault(&self, what: &str, expected: &str) -> Fault {
        Fault::new(format!("line {} of the vdbench flat file: {what}", self.line))
            .because(format!("{expected} is expected there"))
            .fix("name the flatfile.html of a run of raw I/O as vdbench wrote it")
    }

    /// A number that is at least 0; `None` where it is not known.
    fn number(&self, name: &str) -> Result<Option<f64>, Fault> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() && value >= 0.0 => Ok(Some(value)),
            _ => Err(self.fault(&format!("{name} is '{}'", printable(text)), "a number")),
        }
    }

    fn needed(&self, name: &str) -> Result<f64, Fault> {
        self.number(name)?.ok_or_else(|| self.fault(&format!("{name} is missing"), "a number"))
    }

    /// The time of day in milliseconds.
    fn tod_ms(&self) -> Option<f64> {
        let text = self.text("tod")?;
        let (time, fraction) = text.split_once('.').unwrap_or((text, ""));
        let parts: Vec<u32> =
            time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let [hour, minute, second] = parts.as_slice() else { return None };
        let ms: f64 = format!("0.{fraction}0").parse::<f64>().ok()? * 1e3;
        let is_time = *hour < 24 && *minute < 60 && *second < 60;
        is_time.then(|| f64::from(hour * 3600 + minute * 60 + second) * 1e3 + ms)
    }

    /// The first and the last interval of a row of averages.
    fn averaged(&self) -> Option<(u32, u32)> {
        let (first, last) = self.text("Interval")?.strip_prefix("avg_")?.split_once('-')?;
        Some((first.parse().ok()?, last.parse().ok()?))
    }
}

/// Reads a flat file.
///
/// # Errors
/// When a number is none, or there are no averages.
pub fn read(text: &str) -> Result<Reading, Fault> {
    let is_ours = text.lines().any(|line| line.starts_with(WRITTEN));
    let rows = rows(text);
    let mut runs: Vec<(&str, Vec<&Row<'_>>)> = Vec::new();
    for row in &rows {
        let Some(name) = row.text("Run") else { continue };
        match runs.last_mut() {
            Some((last, rows)) if *last == name => rows.push(row),
            _ => runs.push((name, vec![row])),
        }
    }
    let (mut points, mut notes) = (Vec::new(), Vec::new());
    for (name, rows) in &runs {
        let averages = rows.iter().rev().find(|row| row.averaged().is_some());
        match averages.map(|average| point_of(name, (average, rows), is_ours)).transpose()? {
            Some(Some(point)) => points.push(point),
            _ => notes.push(ImportNote::LeftOut { what: printable(name).into_owned() }),
        }
    }
    if points.is_empty() {
        return Err(Fault::new("the vdbench flat file has no run with averages")
            .because("runs are read from rows with the interval avg_FIRST-LAST and a rate above 0")
            .fix("name the flatfile.html of a complete run of raw I/O"));
    }
    let version = rows.iter().find_map(|row| row.text("version")).unwrap_or_default();
    let start = rows.first().and_then(start);
    Ok(Reading {
        tool: if is_ours { "Kneepoint" } else { "vdbench" }.to_owned(),
        version: printable(version).into_owned(),
        format: "vdbench flat file",
        start: match start {
            Some(start) if is_ours => Start::Utc(start, None),
            Some(start) => Start::Local(start),
            None => Start::Unknown,
        },
        targets: Vec::new(),
        hosts: Vec::new(),
        points,
        notes,
    })
}

/// The rows behind each header, by its names. Comments begin with a star; tags of HTML are no rows.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mut names: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if is_header(text) {
            names = fields(text);
        } else if !names.is_empty() && !text.trim_start().starts_with(['*', '<']) {
            let values = fields(text);
            if values.len() >= names.len() {
                let mut named = BTreeMap::new();
                for (name, value) in names.iter().zip(values) {
                    named.entry(*name).or_insert(value);
                }
                rows.push(Row { line, values: named });
            }
        }
    }
    rows
}

/// The moment of a row, as RFC 3339, from a time stamp such as `10/14/2013-08:06:30-PDT`.
fn start(row: &Row<'_>) -> Option<String> {
    let stamp = row.text("timestamp")?;
    let mut parts = stamp.splitn(3, '-');
    let (date, time) = (parts.next()?, parts.next()?);
    let date: Vec<u32> = date.split('/').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [month, day, year] = date.as_slice() else { return None };
    let time: Vec<u32> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = time.as_slice() else { return None };
    let can_be = (1970..=9999).contains(year)
        && (1..=12).contains(month)
        && (1..=31).contains(day)
        && (*hour < 24 && *minute < 60 && *second < 60);
    let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    can_be.then_some(text)
}

/// The time that the averages are over in seconds: from the times of the first and the last interval, and
/// that of one interval; `None` unless there are two.
fn measured_s(average: &Row<'_>, rows: &[&Row<'_>]) -> Option<f64> {
    let (first, last) = average.averaged()?;
    let time_of = |number: u32| {
        let text = number.to_string();
        rows.iter().find(|row| row.text("Interval") == Some(text.as_str()))?.tod_ms()
    };
    let passed = |from: f64, to: f64| (to - from).rem_euclid(DAY_MS);
    // The length of an interval is that between any two neighbours.
    let length =
        (1..=last).find_map(|number| Some(passed(time_of(number)?, time_of(number + 1)?)))?;
    let measured = passed(time_of(first)?, time_of(last)?) + length;
    (measured > 0.0 && first <= last).then_some(measured / 1e3)
}

/// That the measured time of a run cannot be told.
fn no_length(name: &str, (average, rows): (&Row<'_>, &[&Row<'_>]), is_ours: bool) -> Fault {
    let name = printable(name);
    if rows.iter().filter(|row| row.averaged().is_none()).count() > 1 {
        return average.fault(
            &format!("run '{name}' has no two intervals that its length could be told from"),
            "rows of single intervals with their time of day",
        );
    }
    let what = format!("run '{name}' has one interval, whose length is not known");
    Fault::new(format!("line {} of the vdbench flat file: {what}", average.line))
        .because("the file has no lengths: they are told from the times of two intervals")
        .fix(match is_ours {
            true => "export the run as .json, and import that; or measure for 2 s or longer",
            false => "let vdbench measure for two intervals or more (elapsed and interval)",
        })
}

/// The point of a run; `None` if it has no I/Os.
fn point_of(
    name: &str,
    (average, rows): (&Row<'_>, &[&Row<'_>]),
    is_ours: bool,
) -> Result<Option<PointResult>, Fault> {
    let rate = average.needed("rate")?;
    if rate <= 0.0 {
        return Ok(None);
    }
    let seconds =
        measured_s(average, rows).ok_or_else(|| no_length(name, (average, rows), is_ours))?;
    let mean = average.needed("resp")?;
    let latency = Latency::without_distribution(mean, average.needed("resp_max")?.max(mean));
    let asked = average.text("xfersize").and_then(|size| size.parse::<Bytes>().ok());
    let block_bytes = match asked.filter(|size| size.0 > 0) {
        Some(size) => size.0 as f64,
        None => average.needed("bytes/io")?,
    };
    let read_percent = match average.number("rdpct")? {
        Some(percent) => percent,
        None => average.needed("read%")?,
    }
    .min(100.0);
    let random_percent = average.number("seekpct")?.unwrap_or(100.0).min(100.0);
    let load = load(average)?;
    let block = Bytes(block_bytes.round() as u64);
    let shares = format!("read{read_percent}-seek{random_percent}");
    let series = match (is_ours, load.unit.is_offered()) {
        (true, _) => {
            printable(name.rsplit_once('@').map_or(name, |(series, _)| series)).into_owned()
        }
        (false, true) => format!("{shares}-offered/{block}"),
        (false, false) => format!("{shares}/{block}"),
    };
    let profile =
        series.rsplit_once('/').map_or(series.as_str(), |(profile, _)| profile).to_owned();
    let shape = Shape {
        series,
        profile,
        load,
        target_count: 1,
        block_bytes: block.0,
        read_percent,
        random_percent,
        measured_s: seconds,
        latency: Some(latency),
    };
    let part = |class: &'static str| Part {
        class,
        operations: (rate * seconds).round() as u64,
        rate,
        mib_s: average.number("MB/sec").ok().flatten().unwrap_or(0.0),
        latency,
    };
    let measured_reads = average.number("read%")?.unwrap_or(read_percent);
    let class = if measured_reads >= 100.0 { READ } else { WRITE };
    let mut result = point(shape, &[part(class)]);
    if measured_reads > 0.0 && measured_reads < 100.0 {
        // The largest response time is known of reads and writes together alone.
        result.classes.clear();
    }
    Ok(Some(result))
}

/// The load: the rate that was asked for, or else the threads.
fn load(row: &Row<'_>) -> Result<LoadLevel, Fault> {
    let asked = match row.text("reqrate") {
        Some("max") => None,
        _ => row.number("reqrate")?.filter(|rate| *rate > 0.0 && *rate < RATE_MAX),
    };
    if let Some(rate) = asked {
        return Ok(LoadLevel::offered(rate));
    }
    let threads = row.number("threads")?.filter(|threads| *threads >= 1.0);
    let threads =
        threads.filter(|threads| threads.fract() == 0.0 && *threads <= f64::from(u32::MAX));
    match threads {
        Some(threads) => Ok(LoadLevel::outstanding(threads as u32)),
        None => {
            Err(row
                .fault("neither reqrate nor threads is a load", "a rate, or a number of threads"))
        }
    }
}
