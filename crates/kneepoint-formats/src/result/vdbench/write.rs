//! Runs as a flat file: a run of vdbench per point.

use std::collections::BTreeMap;
use std::fmt::Write;

use kneepoint_core::result::{IntervalClass, PointResult, READ, RunDocument, WRITE};
use kneepoint_core::words::fault::Fault;

use super::{COLUMNS, UNKNOWN, WRITTEN};
use crate::result::io_points;
use crate::result::time::{epoch_ms, rfc3339};

/// A row: values by the names of their columns; the others are not known.
type Row = BTreeMap<&'static str, String>;

/// Writes the run.
///
/// # Errors
/// When it has points of other work than I/O, points without intervals, or none.
pub fn write(document: &RunDocument) -> Result<String, Fault> {
    let points: Vec<&PointResult> = io_points(document, "a vdbench flat file")?.collect();
    if let Some(bare) = points.iter().find(|point| point.intervals.is_empty()) {
        let why = match &document.environment.imported {
            Some(imported) => {
                format!(
                    "it was imported ({}), and imported runs have no intervals",
                    imported.format
                )
            }
            None => format!("{} at {} has no intervals", bare.key(), bare.load),
        };
        return Err(Fault::new("the run cannot be written as a vdbench flat file")
            .because(why)
            .fix("end the file's name in .json or .csv"));
    }
    let mut text = format!(
        "{WRITTEN}, run {}\n* Times in milliseconds; MB is 2^20 bytes; n/a where a value is not known\n",
        document.run.id
    );
    line(&mut text, COLUMNS.iter().map(|name| (*name).to_owned()));
    let begin = epoch_ms(&document.run.started_at).unwrap_or(0);
    let mut after = begin;
    for point in points {
        let start = epoch_ms(&point.started_at).unwrap_or(after) + ms(point.ramp_s);
        after = start + ms(point.measured_s);
        for row in rows(point, start) {
            let value = |name: &&str| row.get(name).cloned().unwrap_or_else(|| UNKNOWN.to_owned());
            line(&mut text, COLUMNS.iter().map(value));
        }
    }
    Ok(text)
}

fn ms(seconds: f64) -> i64 {
    (seconds * 1e3).round() as i64
}

fn line(text: &mut String, fields: impl Iterator<Item = String>) {
    let fields: Vec<String> = fields.map(|field| format!("{field:>12}")).collect();
    let _ = writeln!(text, "{}", fields.join(" "));
}

/// The intervals of a point, and their averages.
fn rows(point: &PointResult, start: i64) -> Vec<Row> {
    let storage = point.storage.unwrap_or_default();
    let targets = point.targets.len().max(1) as f64;
    let is_offered = point.load.unit.is_offered();
    let (rate, threads) = match is_offered {
        true => (format!("{:.2}", point.load.value * targets), UNKNOWN.to_owned()),
        false => ("999988".to_owned(), format!("{:.0}", point.load.value)),
    };
    let run: String = format!("{}@{}", point.key(), point.load.value);
    let run = run.replace(char::is_whitespace, "_");
    let common = Row::from([
        ("Run", run),
        ("reqrate", rate),
        ("threads", threads),
        ("xfersize", storage.block_bytes.to_string()),
        ("rdpct", decimal(storage.read_percent)),
        ("seekpct", decimal(storage.random_percent)),
        ("bytes/io", storage.block_bytes.to_string()),
    ]);
    let mut rows = Vec::new();
    for (number, interval) in (1..).zip(&point.intervals) {
        let mut row = common.clone();
        times(&mut row, start + ms(interval.start_s + interval.length_s));
        let class = |name: &str| interval.classes.get(name);
        row.extend([
            ("Interval", i32::to_string(&number)),
            ("rate", decimal(interval.rate)),
            ("MB/sec", decimal(interval.volume.unwrap_or(0.0))),
            ("resp", decimal(interval.latency_mean_ms)),
            ("resp_max", decimal(interval.latency_max_ms)),
            ("queue_depth", decimal(interval.rate * interval.latency_mean_ms / 1e3)),
        ]);
        let read_rate = class(READ).map_or(0.0, |class| class.rate);
        row.extend(shares(read_rate, interval.rate));
        let mean = |class: &IntervalClass| decimal(class.latency_mean_ms);
        row.extend(class(READ).map(|class| ("read_resp", mean(class))));
        row.extend(class(WRITE).map(|class| ("write_resp", mean(class))));
        rows.push(row);
    }
    let mut average = common;
    times(&mut average, start + ms(point.measured_s));
    average.extend([
        ("Interval", format!("avg_1-{}", rows.len())),
        ("rate", decimal(point.rate.mean)),
        ("MB/sec", decimal(point.mib_s().unwrap_or(0.0))),
        ("resp", decimal(point.latency_ms.mean)),
        ("resp_max", decimal(point.latency_ms.max)),
        ("queue_depth", decimal(point.rate.mean * point.latency_ms.mean / 1e3)),
    ]);
    average.extend(shares(point.class(READ).map_or(0.0, |class| class.rate), point.rate.mean));
    for (name, column) in [(READ, "read_resp"), (WRITE, "write_resp")] {
        average.extend(point.class(name).map(|class| (column, decimal(class.latency_ms.mean))));
    }
    rows.push(average);
    rows
}

fn decimal(value: f64) -> String {
    format!("{value:.4}")
}

/// The share of reads.
fn shares(reads: f64, all: f64) -> Option<(&'static str, String)> {
    (all > 0.0).then(|| ("read%", decimal(100.0 * reads / all)))
}

/// The time of day and the date of a moment.
fn times(row: &mut Row, moment: i64) {
    let Some(text) = rfc3339(moment) else { return };
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let (year, month, day, time) = (part(0, 4), part(5, 7), part(8, 10), part(11, 19));
    let tod = format!("{time}.{:03}", moment.rem_euclid(1000));
    row.insert("tod", tod);
    row.insert("timestamp", format!("{month}/{day}/{year}-{time}-UTC"));
}
