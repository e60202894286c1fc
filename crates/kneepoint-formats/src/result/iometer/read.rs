//! Result files of Iometer as runs: a point per block of results, from its row of all managers.
//!
//! Rows of disks are not used: their times are wrong in several versions. A name may hold bare quotes,
//! so fields are what is between commas.

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::result::{ImportNote, Latency, PointResult, READ, WRITE};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::printable::printable;

use super::FIRST;
use crate::result::reading::{Part, Reading, Shape, Start, point};

/// The line in place of the end of a test that was aborted.
const ABORTED: &str = "Aborted test";

/// Whether a text is a result file.
pub fn is_result(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim_end().eq_ignore_ascii_case(FIRST))
}

/// What a specification says of its I/Os, averaged over its lines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Specification {
    block_bytes: f64,
    read_percent: f64,
    random_percent: f64,
    /// Of the I/Os, in percent: 100 for all.
    share: f64,
}

/// A row, with the line that it is in.
#[derive(Debug, Clone)]
struct Row<'a> {
    line: usize,
    fields: Vec<&'a str>,
}

/// A block of results.
#[derive(Debug, Clone, Default)]
struct Block<'a> {
    columns: BTreeMap<String, usize>,
    /// Fields of its header.
    width: usize,
    rows: Vec<Row<'a>>,
}

impl Block<'_> {
    /// A field by the first of several names that the header has; `None` if it is empty.
    fn text<'r>(&self, row: &'r Row<'_>, names: &[&str]) -> Option<&'r str> {
        let column = names.iter().find_map(|name| self.columns.get(*name))?;
        row.fields.get(*column).map(|field| field.trim()).filter(|field| !field.is_empty())
    }

    /// A number that is at least 0; `-1` and an empty field mean that there is none.
    fn number(&self, row: &Row<'_>, names: &[&str]) -> Result<Option<f64>, Fault> {
        let Some(text) = self.text(row, names) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok((value >= 0.0).then_some(value)),
            _ => Err(at(row.line, &format!("{} is '{}'", names[0], printable(text)), "a number")),
        }
    }

    /// Refuses a row whose numbers are not below their names. Those of disks, whose names may have commas, and of
    /// processors, which are shorter, are not read.
    fn check_width(&self, row: &Row<'_>) -> Result<(), Fault> {
        let is_read = row.fields.first().is_some_and(|kind| ["ALL", "WORKER"].contains(kind));
        let count = row.fields.len();
        if !is_read || count == self.width {
            return Ok(());
        }
        let what = format!("{count} fields are below a header of {}", self.width);
        let (why, fix) = match count > self.width {
            true => (
                "a comma divides fields, so none can be in a number or in the name of a worker",
                "write decimal points, or save the results from Iometer again with them",
            ),
            false => ("the row ends early", "save the results from Iometer again"),
        };
        Err(Fault::new(format!("line {} of the Iometer result: {what}", row.line))
            .because(why)
            .fix(fix))
    }

    /// A number that must be there.
    fn needed(&self, row: &Row<'_>, names: &[&str]) -> Result<f64, Fault> {
        let missing = || at(row.line, &format!("{} is missing", names[0]), "a number");
        self.number(row, names)?.ok_or_else(missing)
    }

    fn of_type<'b>(&'b self, kind: &'b str) -> impl Iterator<Item = &'b Row<'b>> {
        self.rows.iter().filter(move |row| self.text(row, &["'target type"]) == Some(kind))
    }
}

fn at(line: usize, what: &str, expected: &str) -> Fault {
    Fault::new(format!("line {line} of the Iometer result: {what}"))
        .because(format!("{expected} is expected there"))
        .fix("correct the line, or save the results from Iometer again")
}

/// Everything in a file.
#[derive(Debug, Clone, Default)]
struct Content<'a> {
    version: &'a str,
    time: Option<&'a str>,
    /// Whether the test was aborted.
    is_aborted: bool,
    specifications: BTreeMap<&'a str, Specification>,
    blocks: Vec<Block<'a>>,
}

/// Reads a result file.
///
/// # Errors
/// When a number is none, or the depth of the queue is missing.
pub fn read(text: &str) -> Result<Reading, Fault> {
    let content = content(text)?;
    let (mut points, mut notes, mut targets) = (Vec::new(), Vec::new(), Vec::new());
    notes.extend(content.is_aborted.then_some(ImportNote::Aborted));
    for block in &content.blocks {
        for row in block.of_type("DISK") {
            let name = block.text(row, &["target name"]).map(|name| printable(name).into_owned());
            if let Some(name) = name.filter(|name| !targets.contains(name)) {
                targets.push(name);
            }
        }
        let Some(all) = block.of_type("ALL").next() else { continue };
        match point_of(block, all, &content.specifications)? {
            Some(point) => points.push(point),
            None => {
                let what = block.text(all, &["access specification name"]).unwrap_or("a result");
                notes.push(ImportNote::LeftOut { what: printable(what).into_owned() });
            }
        }
    }
    if points.is_empty() {
        return Err(Fault::new("the Iometer result has no row of type ALL with I/Os")
            .because("runs are read from the rows that add up all managers")
            .fix("let Iometer record results of all managers (Results since start of test)"));
    }
    let is_ours = text.lines().nth(1).is_some_and(|line| line.starts_with("0,Kneepoint run "));
    let start = content.time.and_then(time);
    Ok(Reading {
        tool: if is_ours { "Kneepoint" } else { "Iometer" }.to_owned(),
        version: if is_ours { String::new() } else { printable(content.version).into_owned() },
        format: "Iometer result",
        start: match start {
            Some(start) if is_ours => Start::Utc(start, None),
            Some(start) => Start::Local(start),
            None => Start::Unknown,
        },
        targets,
        hosts: Vec::new(),
        points,
        notes,
    })
}

/// A time stamp such as `2010-02-28 13:05:09:123` as RFC 3339.
fn time(text: &str) -> Option<String> {
    let (day, time) = text.trim().split_once(' ')?;
    let mut parts = time.splitn(4, ':');
    let whole = |text: &str| text.parse::<u32>().ok();
    let (hour, minute, second) =
        (whole(parts.next()?)?, whole(parts.next()?)?, whole(parts.next()?)?);
    let days: Vec<u32> = day.split('-').map(whole).collect::<Option<_>>()?;
    let [year, month, day] = days.as_slice() else { return None };
    let is_day = (1970..=9999).contains(year) && (1..=12).contains(month) && (1..=31).contains(day);
    let is_time = hour < 24 && minute < 60 && second < 60;
    let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    (is_day && is_time).then_some(text)
}

/// Takes a file apart by its keys, which begin with an apostrophe.
fn content(text: &str) -> Result<Content<'_>, Fault> {
    let mut content = Content::default();
    let mut name = "";
    let mut key = "";
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim_end_matches('\r');
        if text.starts_with('\'') {
            key = text;
            if text.to_ascii_lowercase().starts_with("'target type,") {
                let named = text.split(',').enumerate();
                let columns =
                    named.map(|(at, name)| (name.trim().to_ascii_lowercase(), at)).collect();
                let width = text.split(',').count();
                content.blocks.push(Block { columns, width, rows: Vec::new() });
            }
            continue;
        }
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            key if text.trim() == ABORTED && !key.eq_ignore_ascii_case(FIRST) => {
                content.is_aborted = true;
            }
            "'version" => content.version = text.trim(),
            "'time stamp" if content.time.is_none() => content.time = Some(text),
            key if key.starts_with("'access specification name") => {
                name = text.rsplit_once(',').map_or(text, |(name, _)| name).trim();
                content.specifications.insert(name, Specification::default());
            }
            key if key.starts_with("'size,") => {
                if let Some(known) = content.specifications.get_mut(name) {
                    known.add(line, text)?;
                }
            }
            key if key.starts_with("'target type,") && !text.trim().is_empty() => {
                if let Some(block) = content.blocks.last_mut() {
                    let row = Row { line, fields: text.split(',').collect() };
                    block.check_width(&row)?;
                    block.rows.push(row);
                }
            }
            _ => {}
        }
    }
    Ok(content)
}

impl Specification {
    /// Adds a line: size, its share of the I/Os, reads and random positions in percent, and more.
    fn add(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        let numbers: Option<Vec<f64>> = text
            .split(',')
            .take(4)
            .map(|field| field.trim().parse::<f64>().ok().filter(|value| *value >= 0.0))
            .collect();
        let expected = "size,% of size,% reads,% random";
        let numbers = numbers.ok_or_else(|| {
            at(line, &format!("the specification is '{}'", printable(text)), expected)
        })?;
        let [size, share, reads, random] = numbers[..] else {
            return Err(at(line, "the specification is too short", expected));
        };
        self.block_bytes += size * share / 100.0;
        self.read_percent += reads * share / 100.0;
        self.random_percent += random * share / 100.0;
        self.share += share;
        Ok(())
    }
}

/// The point of a block; `None` if it has no I/Os.
fn point_of(
    block: &Block<'_>,
    all: &Row<'_>,
    specifications: &BTreeMap<&str, Specification>,
) -> Result<Option<PointResult>, Fault> {
    let rate = block.needed(all, &["iops"])?;
    let counts = [("read", READ, "bytes read"), ("write", WRITE, "bytes written")];
    let mut parts = Vec::new();
    let mut bytes = 0.0;
    for (direction, class, bytes_name) in counts {
        let named = |name: &str| name.replace('*', direction);
        let number = |name: &str| block.number(all, &[&named(name)]);
        let operations = number("* i/os")?.unwrap_or(0.0);
        if operations < 1.0 {
            continue;
        }
        let volume = [
            named("* mibps (binary)"),
            named("* mbps (binary)"),
            // Up to 2008 they are called decimal, and are binary.
            named("* mbps"),
        ];
        let volume: Vec<&str> = volume.iter().map(String::as_str).collect();
        let mean = block.needed(all, &[&named("average * response time")])?;
        let max = block.needed(all, &[&named("maximum * response time")])?.max(mean);
        bytes += block.number(all, &[bytes_name])?.unwrap_or(0.0);
        parts.push(Part {
            class,
            operations: operations as u64,
            rate: block.needed(all, &[&named("* iops")])?,
            mib_s: block.number(all, &volume)?.unwrap_or(0.0),
            latency: Latency::without_distribution(mean, max),
        });
    }
    let operations: f64 = parts.iter().map(|part| part.operations as f64).sum();
    if parts.is_empty() || rate <= 0.0 {
        return Ok(None);
    }
    let name = block.text(all, &["access specification name"]).unwrap_or("unnamed");
    let specified = specifications.get(name).filter(|known| known.share > 0.0);
    let Some(specified) = specified else {
        return Err(at(
            all.line,
            &format!("the access specification '{}' is not described", printable(name)),
            "a block 'Access specifications above",
        ));
    };
    let (load, target_count) = load(block, all)?;
    let name = printable(name).into_owned();
    let mean = block.needed(all, &["average response time"])?;
    let max = block.needed(all, &["maximum response time"])?.max(mean);
    let shape = Shape {
        series: name.clone(),
        profile: name,
        load,
        target_count,
        block_bytes: (bytes / operations).round() as u64,
        read_percent: specified.read_percent.min(100.0),
        random_percent: specified.random_percent.min(100.0),
        measured_s: operations / rate,
        latency: Some(Latency::without_distribution(mean, max)),
    };
    let mut result = point(shape, &parts);
    result.errors = block.number(all, &["errors"])?.unwrap_or(0.0) as u64;
    Ok(Some(result))
}

/// The load of each target and the number of targets. Each worker has its depth on each of its disks; a disk
/// that several workers share has that of all.
fn load(block: &Block<'_>, all: &Row<'_>) -> Result<(LoadLevel, usize), Fault> {
    let mut in_flight = 0.0;
    let mut pairs = 0.0;
    for worker in block.of_type("WORKER") {
        let Some(depth) = block.number(worker, &["queue depth"])?.filter(|depth| *depth >= 1.0)
        else {
            continue;
        };
        let disks = block.number(worker, &["# disks"])?.unwrap_or(1.0).max(1.0);
        in_flight += depth * disks;
        pairs += disks;
    }
    if pairs == 0.0 {
        let depth = block.number(all, &["queue depth"])?.filter(|depth| *depth >= 1.0);
        let missing = || {
            at(
                all.line,
                "no worker has a Queue Depth",
                "a row of type WORKER with the outstanding I/Os",
            )
        };
        pairs = block.number(all, &["# disks"])?.unwrap_or(1.0).max(1.0);
        in_flight = depth.ok_or_else(missing)? * pairs;
    }
    let disks = disks(block);
    let targets = if disks.is_empty() { pairs } else { disks.len() as f64 };
    let each = in_flight / targets;
    if each.fract() != 0.0 || each < 1.0 || each > f64::from(u32::MAX) {
        let what = format!("{in_flight} outstanding I/Os on {targets} disks");
        return Err(at(all.line, &what, "the same whole number on each disk"));
    }
    Ok((LoadLevel::outstanding(each as u32), targets as usize))
}

/// The disks by manager and name: two managers name theirs alike.
fn disks<'b>(block: &'b Block<'_>) -> BTreeSet<(usize, &'b str)> {
    let mut managers = 0;
    let mut disks = BTreeSet::new();
    for row in &block.rows {
        match block.text(row, &["'target type"]) {
            Some("MANAGER") => managers += 1,
            Some("DISK") => {
                disks.extend(block.text(row, &["target name"]).map(|name| (managers, name)));
            }
            _ => {}
        }
    }
    disks
}
