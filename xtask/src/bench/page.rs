//! The result as a page, tables with their legends, and as JSON, for tracking.

use std::fmt::{self, Write as _};

use kneepoint_core::words::number::Count;
use serde_json::{Value, json};

use super::machine::{Footprint, Machine};
use super::round::{Measured, Ratio, Runs, Sample, Summary};

/// Everything that the benchmark gave.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) machine: Machine,
    pub(super) cpu: u32,
    pub(super) rounds: u32,
    pub(super) seconds: u32,
    pub(super) measured: Vec<Measured>,
    pub(super) footprints: Vec<Footprint>,
    /// Targets that were left out, with the reason.
    pub(super) omissions: Vec<String>,
}

/// The meaning of the columns of the first table.
const RATE_LEGEND: &str = "\
Medians over the rounds. CPU: processor time of the whole process, its start included, as the kernel
counts it for the parent, over all I/Os of the run; Kneepoint's I/Os are those measured times
(ramp + measured time) / measured time, those of t/io_uring its rate times the time that it ran.
Ratio: Kneepoint's rate over the row's, of the same round: median (least to greatest).";

/// The meaning of the columns of the second table.
const RESPONSE_LEGEND: &str = "\
Response times from the submission of an I/O to its completion (fio's lat_ns). Outstanding: what was
really outstanding on average, the rate times the mean response time.";

impl Page {
    /// The page as text.
    pub(super) fn render(&self, style: Style) -> anyhow::Result<String> {
        let mut text = format!("{}.\n", self.machine.line());
        let Self { cpu, rounds, seconds, .. } = self;
        writeln!(text, "CPU {cpu}; rounds: {rounds}, of {seconds} s for each tool.")?;
        if !self.measured.is_empty() {
            write!(text, "\n{}\n{RATE_LEGEND}\n", self.rates().render(style)?)?;
            write!(text, "\n{}\n{RESPONSE_LEGEND}\n", self.responses().render(style)?)?;
        }
        if !self.footprints.is_empty() {
            write!(text, "\n{}", self.footprint_table().render(style)?)?;
        }
        for note in self.omissions.iter().chain(self.failures()) {
            write!(text, "\nNote: {note}\n")?;
        }
        Ok(text)
    }

    /// Failures of tools.
    pub(super) fn failures(&self) -> impl Iterator<Item = &String> {
        self.measured.iter().flat_map(|measured| &measured.failures)
    }

    fn rates(&self) -> TextTable {
        let head = ["case", "tool", "IO/s", "CPU ns/IO, user", "system", "Kneepoint / tool"];
        let mut table = TextTable::new(&head, 2);
        for (case, summary) in self.summaries() {
            let medians = summary.medians;
            table.push([
                case,
                summary.tool.to_string(),
                digits(medians.ios_per_s),
                digits(medians.user_ns_per_io),
                digits(medians.system_ns_per_io),
                summary.ratio.map(ratio_text).unwrap_or_default(),
            ]);
        }
        for measured in &self.measured {
            for tool in measured.without_sample() {
                let (case, tool) = (measured.case.to_string(), tool.to_string());
                table.push([&case, &tool, "failed", "", "", ""].map(str::to_owned));
            }
        }
        table
    }

    fn responses(&self) -> TextTable {
        let mut table = TextTable::new(&["case", "tool", "mean us", "p99 us", "outstanding"], 2);
        for (case, summary) in self.summaries() {
            if let Some(response) = summary.medians.response {
                table.push([
                    case,
                    summary.tool.to_string(),
                    digits(response.mean_ns / 1e3),
                    digits(response.p99_ns / 1e3),
                    digits(response.outstanding),
                ]);
            }
        }
        table
    }

    fn footprint_table(&self) -> TextTable {
        let mut table = TextTable::new(&["footprint of Kneepoint", "median"], 1);
        for Footprint { what, value, unit } in &self.footprints {
            table.push([(*what).to_owned(), format!("{} {unit}", digits(*value))]);
        }
        table
    }

    fn summaries(&self) -> impl Iterator<Item = (String, Summary)> {
        let of = |measured: &Measured| {
            let case = measured.case.to_string();
            measured.summaries().into_iter().map(move |summary| (case.clone(), summary))
        };
        self.measured.iter().flat_map(of)
    }
}

fn ratio_text(Ratio { median, min, max }: Ratio) -> String {
    format!("{median:.2} ({min:.2} to {max:.2})")
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// In columns, for a terminal.
    Plain,
    Markdown,
}

/// A table: texts on the left, numbers on the right.
#[derive(Debug)]
pub(super) struct TextTable {
    head: Vec<&'static str>,
    /// This many columns at the start are texts.
    texts: usize,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows.
    pub(super) fn new(head: &[&'static str], texts: usize) -> Self {
        Self { head: head.to_vec(), texts, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn push<const N: usize>(&mut self, row: [String; N]) {
        self.rows.push(row.into());
    }

    /// The table as text.
    pub(super) fn render(&self, style: Style) -> Result<String, fmt::Error> {
        match style {
            Style::Plain => self.plain(),
            Style::Markdown => self.markdown(),
        }
    }

    fn markdown(&self) -> Result<String, fmt::Error> {
        let mut text = format!("| {} |\n|", self.head.join(" | "));
        for column in 0..self.head.len() {
            text.push_str(if column < self.texts { "---|" } else { "--:|" });
        }
        text.push('\n');
        for row in &self.rows {
            writeln!(text, "| {} |", row.join(" | "))?;
        }
        Ok(text)
    }

    fn plain(&self) -> Result<String, fmt::Error> {
        let head: Vec<String> = self.head.iter().map(|word| (*word).to_owned()).collect();
        let lines = || std::iter::once(&head).chain(&self.rows);
        let width = |column: usize| lines().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..head.len()).filter_map(width).collect();
        let mut text = String::new();
        for row in lines() {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                match column < self.texts {
                    true => write!(line, "{cell:<width$}  ")?,
                    false => write!(line, "{cell:>width$}  ")?,
                }
            }
            writeln!(text, "{}", line.trim_end())?;
        }
        Ok(text)
    }
}

/// A number with three or four digits that count, and commas.
pub(super) fn digits(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => Count(value.round_ties_even() as u64).to_string(),
    }
}

/// Changes with the format.
const SCHEMA: &str = "kneepoint.bench/1";

impl Page {
    /// Everything.
    pub(super) fn json(&self) -> Value {
        json!({
            "schema": SCHEMA,
            "machine": self.machine.json(),
            "cpu": self.cpu,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "cases": self.measured.iter().map(case).collect::<Vec<Value>>(),
            "footprint": self.footprints.iter().map(footprint).collect::<Vec<Value>>(),
            "omissions": self.omissions,
        })
    }
}

fn case(measured: &Measured) -> Value {
    json!({
        "case": measured.case.to_string(),
        "medians": measured.summaries().iter().map(medians).collect::<Vec<Value>>(),
        "runs": measured.runs.iter().map(runs).collect::<Vec<Value>>(),
        "failures": measured.failures,
    })
}

fn medians(summary: &Summary) -> Value {
    let ratio = |Ratio { median, min, max }| json!({ "median": median, "min": min, "max": max });
    let mut medians = sample(&summary.medians);
    medians["tool"] = summary.tool.to_string().into();
    medians["kneepoint_over_tool"] = summary.ratio.map_or(Value::Null, ratio);
    medians
}

fn runs(runs: &Runs) -> Value {
    let samples = runs.samples.iter().map(|sample| sample.as_ref().map(self::sample));
    json!({
        "tool": runs.tool.to_string(),
        "command": runs.command,
        "samples": samples.collect::<Vec<Option<Value>>>(),
    })
}

fn sample(sample: &Sample) -> Value {
    let response = sample.response;
    json!({
        "ios_per_s": sample.ios_per_s,
        "user_ns_per_io": sample.user_ns_per_io,
        "system_ns_per_io": sample.system_ns_per_io,
        "mean_ns": response.map(|response| response.mean_ns),
        "p99_ns": response.map(|response| response.p99_ns),
        "outstanding": response.map(|response| response.outstanding),
    })
}

fn footprint(footprint: &Footprint) -> Value {
    json!({ "what": footprint.what, "median": footprint.value, "unit": footprint.unit })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::round::tests::measured;
    use super::*;

    /// A page with something of everything.
    pub(in crate::bench) fn page() -> Page {
        let machine = Machine {
            cpu: "Some CPU".to_owned(),
            cores: 2,
            kernel: "6.1".to_owned(),
            fio: "fio-3".to_owned(),
            kneepoint: "kneepoint 1".to_owned(),
            date: "2020-02-02".to_owned(),
        };
        Page {
            machine,
            cpu: 0,
            rounds: 3,
            seconds: 1,
            measured: vec![measured()],
            footprints: vec![Footprint { what: "start", value: 12.5, unit: "ms" }],
            omissions: vec!["null: left out".to_owned()],
        }
    }

    #[test]
    fn the_page_has_every_table_and_what_went_wrong() {
        let text = page().render(Style::Markdown).unwrap();
        for line in [
            "Some CPU, 2 cores, Linux 6.1, fio-3, kneepoint 1, 2020-02-02.",
            "CPU 0; rounds: 3, of 1 s for each tool.",
            "| zram, 4 KiB random read, io_uring, 8 | Kneepoint | 400,000 | 100 | 1,900 |  |",
            "| zram, 4 KiB random read, io_uring, 8 | fio | 200,000 | 100 | 1,900 | 2.25 (2.00 to 2.50) |",
            "| zram, 4 KiB random read, io_uring, 8 | Kneepoint | 20.0 | 2,000 | 8.00 |",
            "| start | 12.5 ms |",
            "| zram, 4 KiB random read, io_uring, 8 | fio batched | failed |  |  |  |",
            "Note: null: left out",
            "Note: zram, 4 KiB random read, io_uring, 8, fio: no",
        ] {
            assert!(text.lines().any(|seen| seen == line), "no {line:?} in\n{text}");
        }
    }

    #[test]
    fn the_record_has_samples_and_medians() {
        let json = page().json();
        let at = |pointer: &str| json.pointer(pointer).unwrap_or(&Value::Null).clone();
        assert_eq!(at("/schema"), SCHEMA);
        assert_eq!(at("/cases/0/case"), "zram, 4 KiB random read, io_uring, 8");
        assert_eq!(at("/cases/0/runs/0/samples/2/ios_per_s"), 500e3);
        assert_eq!(at("/cases/0/runs/1/samples/1"), Value::Null);
        assert_eq!(at("/cases/0/medians/1/kneepoint_over_tool/median"), 2.25);
        assert_eq!(at("/cases/0/medians/2/mean_ns"), Value::Null);
        assert_eq!(at("/footprint/0/unit"), "ms");
    }
}

#[cfg(test)]
mod table_tests {
    use super::*;

    fn table() -> TextTable {
        let mut table = TextTable::new(&["case", "IO/s"], 1);
        table.push(["a, 1".to_owned(), digits(1234.5)]);
        table.push(["longer".to_owned(), digits(9.876)]);
        table
    }

    #[test]
    fn markdown_aligns_numbers() {
        let expected = "| case | IO/s |\n|---|--:|\n| a, 1 | 1,234 |\n| longer | 9.88 |\n";
        assert_eq!(table().render(Style::Markdown).unwrap(), expected);
    }

    #[test]
    fn columns_are_as_wide_as_needed() {
        let expected = "case     IO/s\na, 1    1,234\nlonger   9.88\n";
        assert_eq!(table().render(Style::Plain).unwrap(), expected);
    }

    #[test]
    fn numbers_show_the_digits_that_count() {
        let numbers = [0.0, 9.994, 12.34, 100.4, 999_999.6, 12_345_678.0].map(digits);
        assert_eq!(numbers, ["0.00", "9.99", "12.3", "100", "1,000,000", "12,345,678"]);
    }
}
