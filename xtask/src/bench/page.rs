//! The result as a page: tables with their legends.

use std::fmt::Write as _;

use super::footprint::Footprint;
use super::machine::Machine;
use super::round::Measured;
use super::summary::{Ratio, Summary};
use super::table::{Style, Table, digits};

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

/// What the columns of the first table mean.
const RATE_LEGEND: &str = "\
Medians over the rounds. CPU: processor time of the whole process, its start included, as the kernel
counts it for the parent, over all I/Os of the run; Kneepoint's I/Os are those measured times
(ramp + measured time) / measured time, those of t/io_uring its rate times the time that it ran.
Ratio: Kneepoint's rate over the row's, of the same round: median (least to greatest).";

/// What the columns of the second table mean.
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

    /// What went wrong while tools measured.
    pub(super) fn failures(&self) -> impl Iterator<Item = &String> {
        self.measured.iter().flat_map(|measured| &measured.failures)
    }

    fn rates(&self) -> Table {
        let head = ["case", "tool", "IO/s", "CPU ns/IO, user", "system", "Kneepoint / tool"];
        let mut table = Table::new(&head, 2);
        for (case, summary) in self.summaries() {
            table.push([
                case,
                summary.tool.to_string(),
                digits(summary.ios_per_s),
                digits(summary.user_ns_per_io),
                digits(summary.system_ns_per_io),
                summary.ratio.map(ratio).unwrap_or_default(),
            ]);
        }
        for measured in &self.measured {
            for tool in measured.without_sample() {
                let [rate, user, system, ratio] = ["failed", "", "", ""].map(str::to_owned);
                table.push([
                    measured.case.to_string(),
                    tool.to_string(),
                    rate,
                    user,
                    system,
                    ratio,
                ]);
            }
        }
        table
    }

    fn responses(&self) -> Table {
        let mut table = Table::new(&["case", "tool", "mean us", "p99 us", "outstanding"], 2);
        for (case, summary) in self.summaries() {
            if let Some(response) = summary.response {
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

    fn footprint_table(&self) -> Table {
        let mut table = Table::new(&["footprint of Kneepoint", "median"], 1);
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

fn ratio(Ratio { median, min, max }: Ratio) -> String {
    format!("{median:.2} ({min:.2} to {max:.2})")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bench::summary::tests::measured;

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
}
