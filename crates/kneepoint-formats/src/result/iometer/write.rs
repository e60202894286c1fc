//! Runs as a result file of Iometer 1.1.0: an access specification per series, results per point.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use kneepoint_core::load::record::histogram::Histogram;
use kneepoint_core::result::{ClassResult, PointResult, READ, RunDocument, TargetResult, WRITE};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::MIB;

use super::{CLASSES, COLUMNS, FIRST};
use crate::result::io_points;

/// The values of a row by the names of their columns; the others stay empty.
type Row = BTreeMap<&'static str, String>;

/// Writes the run.
///
/// # Errors
/// When it has points of other work than I/O, or none.
pub fn write(document: &RunDocument) -> Result<String, Fault> {
    let points: Vec<&PointResult> = io_points(document, "an Iometer result")?.collect();
    let run = &document.run;
    let mut text = format!("{FIRST}\n0,Kneepoint run {}\n'Version\n1.1.0\n", plain(&run.id));
    time_stamp(&mut text, &run.started_at);
    specifications(&mut text, &points);
    for point in points {
        let _ = writeln!(text, "'Results\n{}", header());
        for row in rows(document, point) {
            let cell = |name: &str| row.get(name).cloned().unwrap_or_default();
            let named = COLUMNS.iter().copied().chain(CLASSES.iter().map(|(name, _)| *name));
            let _ = writeln!(text, "{}", named.map(cell).collect::<Vec<_>>().join(","));
        }
    }
    time_stamp(&mut text, &run.finished_at);
    text.push_str("'End Test\n");
    Ok(text)
}

/// A name that takes one field on one line: the format has no quotes.
fn plain(name: &str) -> String {
    name.chars()
        .map(|letter| if letter == ',' || letter.is_control() { ';' } else { letter })
        .collect()
}

fn header() -> String {
    COLUMNS
        .iter()
        .copied()
        .chain(CLASSES.iter().map(|(name, _)| *name))
        .collect::<Vec<_>>()
        .join(",")
}

/// A time as the format has it, with milliseconds behind a colon.
fn time_stamp(text: &mut String, time: &str) {
    let (day, rest) =
        (time.get(..10).unwrap_or("0000-00-00"), time.get(11..19).unwrap_or("00:00:00"));
    let ms = time.get(19..).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
    let ms: String = ms.chars().filter(char::is_ascii_digit).chain("000".chars()).take(3).collect();
    let _ = writeln!(text, "'Time Stamp\n{day} {rest}:{ms}");
}

/// The access specifications, each once.
fn specifications(text: &mut String, points: &[&PointResult]) {
    text.push_str("'Access specifications\n");
    let mut seen = BTreeSet::new();
    for point in points.iter().filter(|point| seen.insert(point.key().encoded())) {
        let storage = point.storage.unwrap_or_default();
        let _ = writeln!(
            text,
            "'Access specification name,default assignment\n{},0\n\
             'size,% of size,% reads,% random,delay,burst,align,reply\n\
             {},100,{:.0},{:.0},0,1,0,0,",
            plain(&point.key().to_string()),
            storage.block_bytes,
            storage.read_percent,
            storage.random_percent
        );
    }
    text.push_str("'End access specifications\n");
}

/// All of a point, its one worker, and its targets.
fn rows(document: &RunDocument, point: &PointResult) -> Vec<Row> {
    let targets = point.targets.len().max(1);
    let mut all = measured(point);
    all.extend([
        ("'Target Type", "ALL".to_owned()),
        ("Target Name", "All".to_owned()),
        ("# Managers", "1".to_owned()),
        ("# Workers", "1".to_owned()),
        ("# Disks", targets.to_string()),
    ]);
    let mut worker = measured(point);
    let host = document.environment.first_host().map_or("Kneepoint", |host| host.host.as_str());
    worker.extend([
        ("'Target Type", "WORKER".to_owned()),
        ("Target Name", plain(host)),
        ("# Disks", targets.to_string()),
        ("Starting Sector", "0".to_owned()),
        ("Maximum Size", "0".to_owned()),
    ]);
    let depth = match point.load.unit.is_offered() {
        true => point.storage.map_or(1.0, |storage| storage.achieved_outstanding),
        false => point.load.value,
    };
    worker.insert("Queue Depth", format!("{:.0}", depth.round().max(1.0)));
    let targets = point.targets.iter().map(disk);
    [all, worker].into_iter().chain(targets).collect()
}

fn decimal(value: f64) -> String {
    format!("{value:.6}")
}

/// The numbers of a point.
fn measured(point: &PointResult) -> Row {
    let class = |name: &str| point.class(name).copied().unwrap_or_default();
    let (read, write) = (class(READ), class(WRITE));
    let bytes = |class: &ClassResult| {
        format!("{:.0}", class.volume.unwrap_or(0.0) * MIB as f64 * point.measured_s)
    };
    let mut row = Row::from([
        ("Access Specification Name", plain(&point.key().to_string())),
        ("IOps", decimal(point.rate.mean)),
        ("Read IOps", decimal(read.rate)),
        ("Write IOps", decimal(write.rate)),
        ("Average Response Time", decimal(point.latency_ms.mean)),
        ("Average Read Response Time", decimal(read.latency_ms.mean)),
        ("Average Write Response Time", decimal(write.latency_ms.mean)),
        ("Maximum Response Time", decimal(point.latency_ms.max)),
        ("Maximum Read Response Time", decimal(read.latency_ms.max)),
        ("Maximum Write Response Time", decimal(write.latency_ms.max)),
        ("Errors", point.errors.to_string()),
        ("Bytes Read", bytes(&read)),
        ("Bytes Written", bytes(&write)),
        ("Read I/Os", read.operations.to_string()),
        ("Write I/Os", write.operations.to_string()),
    ]);
    let volumes = [
        ("MiBps (Binary)", "MBps (Decimal)", point.mib_s()),
        ("Read MiBps (Binary)", "Read MBps (Decimal)", read.volume),
        ("Write MiBps (Binary)", "Write MBps (Decimal)", write.volume),
    ];
    for (binary, decimals, mib_s) in volumes {
        let mib_s = mib_s.unwrap_or(0.0);
        row.insert(binary, decimal(mib_s));
        row.insert(decimals, decimal(mib_s * MIB as f64 / 1e6));
    }
    row.extend(classes(point));
    row
}

/// How many response times fall into each class; nothing unless they are there in full.
fn classes(point: &PointResult) -> Row {
    let Some(all) = &point.histograms else { return Row::new() };
    let mut histogram = Histogram::default();
    for (_, pairs) in all.0.iter().filter(|(name, _)| point.counts_class(name)) {
        let Ok(class) = Histogram::from_us_counts(pairs) else { return Row::new() };
        histogram.merge(&class);
    }
    let pairs = histogram.us_counts();
    let mut low = f64::NEG_INFINITY;
    let count = |(name, high): &(&'static str, f64)| {
        let within = pairs.iter().filter(|(us, _)| *us >= low && *us < *high);
        let count: u64 = within.map(|(_, count)| count).sum();
        low = *high;
        (*name, count.to_string())
    };
    CLASSES.iter().map(count).collect()
}

/// The numbers of a target: as in Iometer's rows of disks, the name of the specification is missing.
fn disk(target: &TargetResult) -> Row {
    let mib_s = target.volume.unwrap_or(0.0);
    Row::from([
        ("'Target Type", "DISK".to_owned()),
        ("Target Name", plain(&target.target)),
        ("# Disks", "1".to_owned()),
        ("IOps", decimal(target.rate)),
        ("MiBps (Binary)", decimal(mib_s)),
        ("MBps (Decimal)", decimal(mib_s * MIB as f64 / 1e6)),
        ("Average Response Time", decimal(target.latency_ms.mean)),
        ("Maximum Response Time", decimal(target.latency_ms.max)),
        ("Errors", target.errors.to_string()),
    ])
}
