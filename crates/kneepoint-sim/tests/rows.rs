//! Rows as readers of the papers may write them, to simulated systems and loads or to a reason.
//!
//! `data/rows.csv` and `data/spellings.csv` (rows that differ from a plain one in one thing) have
//! made-up numbers; their column `expected` says what must come of each row: `TARGET | LOAD at
//! CRITERION = NUMBER`, with `/ TARGET` where the number is a share, or `no: REASON`;
//! LOAD is a profile with its mean block in bytes and its percentages of reads and of sequential I/Os.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::sync::LazyLock;

use kneepoint_sim::SimTarget;
use kneepoint_sim::cells::{Cell, Criterion, DriveCatalog, Published, Row, group, parse};

const ROWS: &str = include_str!("data/rows.csv");
const SPELLINGS: &str = include_str!("data/spellings.csv");

/// What came of a row, in the words of the column `expected`.
fn told(cell: &Result<Cell, String>) -> String {
    let cell = match cell {
        Ok(cell) => cell,
        Err(reason) => return format!("no: {reason}"),
    };
    let base = cell.relative_to.as_ref().map_or_else(String::new, |base| format!(" / {base}"));
    let load = format!(
        "{} {} {}r {}s",
        cell.profile.name,
        cell.profile.block_bytes_mean().round() as u64,
        cell.profile.read_percent(),
        100.0 - cell.profile.random_percent(),
    );
    let criterion = match cell.criterion {
        Criterion::Rule(rule) => rule.to_string(),
        Criterion::Peak => "peak".to_owned(),
        Criterion::Outstanding(count) => count.to_string(),
    };
    let number = match cell.published {
        Published::Iops(iops) => format!("{iops} IO/s"),
        Published::MibPerS(mib_s) => format!("{mib_s} MiB/s"),
    };
    format!("{}{base} | {load} at {criterion} = {number}", cell.target)
}

fn rows(text: &str) -> Vec<Row> {
    parse(text, "rows.csv").unwrap().rows
}

/// The shipped drives, read once for all tests.
static CATALOG: LazyLock<DriveCatalog> = LazyLock::new(|| DriveCatalog::shipped().unwrap());

fn cells(rows: &[Row]) -> Vec<Result<Cell, String>> {
    rows.iter().map(|row| Cell::of(row, &CATALOG)).collect()
}

#[test]
fn every_row_is_understood_or_says_why_not() {
    for text in [ROWS, SPELLINGS] {
        let rows = rows(text);
        let told = cells(&rows).iter().map(told).collect::<Vec<_>>();
        let differing: Vec<String> = rows
            .iter()
            .zip(&told)
            .filter(|(row, told)| row.get("expected") != *told)
            .map(|(row, told)| format!("line {}: {told}", row.line))
            .collect();
        assert!(differing.is_empty(), "\n{}\n", differing.join("\n"));
    }
}

#[test]
fn whatever_a_row_names_can_be_simulated() {
    let rows = [ROWS, SPELLINGS].map(rows).concat();
    for cell in cells(&rows).into_iter().flatten() {
        for target in std::iter::once(&cell.target).chain(&cell.relative_to) {
            SimTarget::parse(target).unwrap();
        }
    }
}

/// A rate and a share on the same system are not read off as one.
#[test]
fn shares_and_rates_are_series_of_their_own() {
    let cells: Vec<Option<Cell>> = cells(&rows(ROWS)).into_iter().map(Result::ok).collect();
    for series in group(&cells) {
        for index in &series.cells {
            let cell = cells[*index].as_ref().unwrap();
            assert_eq!(cell.relative_to, series.first.relative_to);
            assert_eq!(cell.target, series.first.target);
        }
    }
}

/// The same rows with the line ends of another system, with all fields in quotes, in another order of
/// columns, and each in its own file.
#[test]
fn the_form_of_the_file_does_not_matter() {
    let rows_as_they_are = rows(ROWS);
    let expected = cells(&rows_as_they_are);
    assert_eq!(cells(&rows(&ROWS.replace('\n', "\r\n"))), expected);
    let columns: Vec<&str> = ROWS.lines().next().unwrap().rsplit(',').collect();
    let line = |row: &Row| {
        let field = |column: &&str| format!("\"{}\"", row.get(column).replace('"', "\"\""));
        columns.iter().map(field).collect::<Vec<_>>().join(",")
    };
    let header = columns.join(",").to_uppercase();
    for (row, expected) in rows_as_they_are.iter().zip(&expected) {
        let alone = rows(&format!("{header}\r\n{}", line(row)));
        assert_eq!(alone.len(), 1);
        assert_eq!(cells(&alone)[0], *expected, "{}", row.id());
    }
}

/// A row needs no more than what says the system, the load and the number.
#[test]
fn columns_that_say_nothing_may_be_missing() {
    let check = |header: &str, line: &str, expected: &str| {
        let cells = cells(&rows(&format!("{header}\n{line}\n")));
        assert_eq!(told(&cells[0]), expected);
    };
    check(
        "subsystem,drives,raid,workload,criterion,iops",
        "FAStT900,60,raid5,oltp,avg_rt_20ms,100",
        "sim:fastt900?drives=60&raid=raid5 | oltp 8192 67r 0s at mean<=20ms = 100 IO/s",
    );
    check(
        "Subsystem,Drives,RAID,Workload,Block KiB,Criterion,IOPS,Stroke pct,colour",
        "ServeRAID M5025,24,RAID-5,Random Read,16,peak,100,30,red",
        "sim:serveraid-m5025?drives=24&raid=raid5&stroke=30% | random-read 16384 100r 0s at peak = 100 IO/s",
    );
}

#[test]
fn cells_of_one_curve_are_one_series() {
    let line = |block: u32, criterion: &str| {
        let text = format!(
            "subsystem,drives,raid,workload,block_kib,criterion,iops\n\
             ServeRAID M5025,12,raid5,oltp,{block},{criterion},1\n"
        );
        cells(&rows(&text)).remove(0).ok()
    };
    let cells = [line(4, "avg_rt_15ms"), line(8, "peak"), None, line(4, "peak"), line(4, "peak")];
    let series = group(&cells);
    assert_eq!(series.len(), 2);
    assert_eq!(series[0].cells, [0, 3, 4]);
    assert_eq!(
        (series[0].criteria.len(), series[0].criteria.contains(&Criterion::Peak)),
        (2, true)
    );
    assert_eq!(series[1].cells, [1]);
    assert_eq!(Published::MibPerS(200.0).iops(65_536.0), 3200.0);
}

#[test]
fn files_that_cannot_be_read_say_where_and_why() {
    let check = |text: &str, parts: &[&str]| {
        let fault = parse(text, "cells.csv").unwrap_err().to_string();
        assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
    };
    check("", &["cells.csv:1", "no column 'subsystem'"]);
    check("subsystem,drives,workload,criterion\n", &["neither 'iops' nor 'mbps'"]);
    check("subsystem,drives,drives,workload,criterion,iops\n", &["'drives' is there twice"]);
    check("subsystem,drives,workload,criterion,iops\na,b\n", &["cells.csv:2", "cannot be read"]);
}

#[test]
fn odd_files_are_read_with_a_remark() {
    let text = "\u{feff}ID,Subsystem,drives,workload,criterion,iops,colour\n a , x,1,y,z,1,red\na,x,1,y,z,1,\n";
    let table = parse(text, "cells.csv").unwrap();
    assert_eq!((table.rows[0].id(), table.rows[0].get("subsystem")), ("a".to_owned(), "x"));
    assert_eq!(table.rows[1].line, 3);
    let [colour, twice] = table.remarks.as_slice() else { panic!("{:?}", table.remarks) };
    assert!(colour.contains("'colour'") && twice.contains("lines 2 and 3"));
}
