//! Rows as they stand in the file.

use std::collections::BTreeMap;

use kneepoint_core::spec::document::did_you_mean;
use kneepoint_core::words::fault::Fault;

/// Longest file of cells that is read, in bytes (16 MiB).
pub const CELL_BYTES_MAX: usize = 16 << 20;

/// Columns that say what a row describes; without any of them no row can be understood.
const REQUIRED: [&str; 4] = ["subsystem", "drives", "workload", "criterion"];

/// Columns that a file may have, too.
const OPTIONAL: [&str; 19] = [
    "id",
    "source",
    "table",
    "drive_type",
    "raid",
    "os_tool",
    "cache",
    "access",
    "read_pct",
    "block_kib",
    "outstanding_ios",
    "iops",
    "mbps",
    "latency_ms",
    "confidence",
    "note",
    "stroke",
    "stroke_pct",
    "stroke_percent",
];

/// The rows of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellTable {
    /// The rows in their order.
    pub rows: Vec<Row>,
    /// What is odd about the file but does no harm, a sentence each.
    pub remarks: Vec<String>,
}

/// One row: text by column, nothing understood yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Line of the file that it begins on, from 1.
    pub line: u64,
    fields: BTreeMap<String, String>,
}

impl Row {
    /// The text of a column, without white space around it; empty where there is none.
    pub fn get(&self, column: &str) -> &str {
        self.fields.get(column).map_or("", String::as_str)
    }

    /// The row's name; made from its line where it has none.
    pub fn id(&self) -> String {
        match self.get("id") {
            "" => format!("line-{}", self.line),
            id => id.to_owned(),
        }
    }

    /// The table that the row belongs to: source and table.
    pub fn table(&self) -> String {
        match (self.get("source"), self.get("table")) {
            ("", "") => "unnamed table".to_owned(),
            (source, "") => source.to_owned(),
            ("", table) => table.to_owned(),
            (source, table) => format!("{source}, {table}"),
        }
    }
}

/// Reads a file of cells; `file_name` is what faults call it.
///
/// # Errors
/// When the text is not CSV (RFC 4180), when a row has more or fewer fields than the header, when
/// a required column is missing or a column is there twice.
pub fn parse(text: &str, file_name: &str) -> Result<CellTable, Fault> {
    if text.len() > CELL_BYTES_MAX {
        return Err(Fault::new(format!("{file_name}: the file is longer than 16 MiB"))
            .fix("is it the right file?"));
    }
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let header = reader.headers().map_err(|error| not_csv(file_name, &error))?.clone();
    let columns: Vec<String> = header.iter().map(column_name).collect();
    check_columns(&columns, file_name)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| not_csv(file_name, &error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let fields = columns.iter().cloned().zip(record.iter().map(str::to_owned));
        rows.push(Row { line, fields: fields.collect() });
    }
    let remarks = unknown_columns(&columns).chain(repeated_names(&rows)).collect();
    Ok(CellTable { rows, remarks })
}

/// The name of a column, however it is set: `Read pct`, `read-pct`.
fn column_name(text: &str) -> String {
    text.to_lowercase().replace([' ', '-'], "_")
}

/// Columns that mean nothing here.
fn unknown_columns(columns: &[String]) -> impl Iterator<Item = String> {
    let is_known = |name: &str| REQUIRED.iter().chain(&OPTIONAL).any(|known| *known == name);
    columns
        .iter()
        .filter(move |name| !is_known(name))
        .map(|name| format!("the column '{name}' means nothing here and is not read"))
}

/// Rows of one name cannot be told apart in the result.
fn repeated_names(rows: &[Row]) -> Vec<String> {
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    let repeated = rows.iter().filter_map(|row| {
        let first = lines.insert(row.id(), row.line)?;
        Some(format!("'{}' names the rows on lines {first} and {}", row.id(), row.line))
    });
    repeated.collect()
}

fn not_csv(file_name: &str, error: &csv::Error) -> Fault {
    let line = error.position().map_or(1, csv::Position::line);
    let fix = "write one row per line with a comma between fields and quotes around text that has \
               commas; every row has as many fields as the header";
    Fault::new(format!("{file_name}:{line}: the row cannot be read")).because(error).fix(fix)
}

fn check_columns(columns: &[String], file_name: &str) -> Result<(), Fault> {
    if let Some(name) = columns
        .iter()
        .enumerate()
        .find_map(|(index, name)| columns[..index].contains(name).then_some(name))
    {
        return Err(Fault::new(format!("{file_name}:1: the column '{name}' is there twice"))
            .fix("leave one of them out"));
    }
    let missing = REQUIRED.iter().find(|name| !columns.iter().any(|column| column == *name));
    if let Some(name) = missing {
        let near = did_you_mean(name, columns.iter().map(String::as_str));
        let listed = [&REQUIRED[..], &OPTIONAL[..]].concat().join(", ");
        let advice = near.map_or_else(String::new, |near| format!("{near} "));
        return Err(Fault::new(format!("{file_name}:1: there is no column '{name}'")).fix(
            format!("{advice}name the columns as in systems/data/calibration.csv: {listed}"),
        ));
    }
    if !columns.iter().any(|name| name == "iops" || name == "mbps") {
        return Err(Fault::new(format!("{file_name}:1: there is neither 'iops' nor 'mbps'"))
            .fix("give the published number in one of these columns"));
    }
    Ok(())
}
