//! Rounds: in each, every tool measures a case once, one after the other; and what the rounds of a
//! case come to.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::case::Case;
use super::machine::ProcessorTime;
use super::target::Place;
use super::tool::{Programs, Reading, Response, Tool};
use crate::stop::Stop;

/// One run of a tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) ios_per_s: f64,
    pub(super) user_ns_per_io: f64,
    pub(super) system_ns_per_io: f64,
    /// Response times, where the tool takes them.
    pub(super) response: Option<Response>,
}

/// The runs of a tool in a case: one per round, `None` where it failed.
#[derive(Debug)]
pub(super) struct Runs {
    pub(super) tool: Tool,
    pub(super) command: String,
    pub(super) samples: Vec<Option<Sample>>,
}

/// A case, measured.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) case: Case,
    pub(super) runs: Vec<Runs>,
    /// Failures.
    pub(super) failures: Vec<String>,
}

/// How a case is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bench<'a> {
    pub(super) programs: &'a Programs,
    pub(super) place: &'a Place,
    pub(super) rounds: u32,
    pub(super) stop: &'a Stop,
}

impl Bench<'_> {
    /// All rounds of a case.
    pub(super) fn measure(self, case: Case, progress: &mut Progress) -> anyhow::Result<Measured> {
        let mut runs: Vec<Runs> =
            Tool::of(&case, self.programs).into_iter().map(|tool| self.runs(tool, &case)).collect();
        let mut failures = Vec::new();
        for _ in 0..self.rounds {
            for run in &mut runs {
                let sample = self.sample(run.tool, &case);
                self.stop.check()?;
                progress.advance();
                match sample {
                    Ok(sample) => run.samples.push(Some(sample)),
                    Err(error) => {
                        failures.push(format!("{case}, {}: {error:#}", run.tool));
                        run.samples.push(None);
                    }
                }
            }
        }
        failures.sort();
        failures.dedup();
        Ok(Measured { case, runs, failures })
    }

    /// Runs a tool once.
    fn sample(self, tool: Tool, case: &Case) -> anyhow::Result<Sample> {
        let mut words = tool.command(case, self.place, self.programs);
        complete(&mut words, &self.programs.kneepoint)?;
        sample(tool, &words)
    }

    fn runs(self, tool: Tool, case: &Case) -> Runs {
        let command = tool.command(case, self.place, self.programs).join(" ");
        Runs { tool, command, samples: Vec::new() }
    }
}

/// Runs a command once. No other child may end meanwhile: its time would be counted, too.
fn sample(tool: Tool, words: &[String]) -> anyhow::Result<Sample> {
    let (program, arguments) = words.split_first().context("an empty command")?;
    let before = ProcessorTime::of_children()?;
    let started = Instant::now();
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    let output = output.with_context(|| program.clone())?;
    let wall = started.elapsed();
    let used = ProcessorTime::of_children()?.since(before);
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{}: {}", output.status, errors.trim());
    let reading = tool.read(&printed, wall).with_context(|| errors.trim().to_owned())?;
    let Reading { ios_per_s, ios, response } = reading;
    let [user_ns_per_io, system_ns_per_io] = [used.user_s, used.system_s].map(|s| s * 1e9 / ios);
    Ok(Sample { ios_per_s, user_ns_per_io, system_ns_per_io, response })
}

/// Medians of a tool, and how Kneepoint compares.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Summary {
    pub(super) tool: Tool,
    pub(super) medians: Sample,
    /// Kneepoint's rate over this tool's; `None` for Kneepoint itself.
    pub(super) ratio: Option<Ratio>,
}

/// Ratios of the rates of the same round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ratio {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

/// The middle of some values; `None` of none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let (below, above) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some(f64::midpoint(values[below], values[above]))
}

impl Measured {
    /// Every tool that gave a sample; of the settings of `t/io_uring` only the better.
    pub(super) fn summaries(&self) -> Vec<Summary> {
        let own = self.runs.iter().find(|runs| runs.tool == Tool::Kneepoint);
        let mut summaries: Vec<Summary> =
            self.runs.iter().filter_map(|runs| summary(runs, own)).collect();
        let peak = |summary: &Summary| matches!(summary.tool, Tool::Uring(_));
        let rates = summaries.iter().filter(|summary| peak(summary)).map(|s| s.medians.ios_per_s);
        let best = rates.fold(0.0, f64::max);
        summaries.retain(|summary| !peak(summary) || summary.medians.ios_per_s >= best);
        summaries
    }

    /// The tools that failed in every round.
    pub(super) fn without_sample(&self) -> impl Iterator<Item = Tool> {
        let failed = self.runs.iter().filter(|runs| runs.samples.iter().all(Option::is_none));
        failed.map(|runs| runs.tool)
    }
}

fn summary(runs: &Runs, own: Option<&Runs>) -> Option<Summary> {
    let samples = || runs.samples.iter().flatten();
    let of = |value: fn(&Sample) -> f64| median(samples().map(value));
    let responses = || samples().filter_map(|sample| sample.response);
    let of_responses = |value: fn(Response) -> f64| median(responses().map(value));
    let response = || {
        Some(Response {
            mean_ns: of_responses(|response| response.mean_ns)?,
            p99_ns: of_responses(|response| response.p99_ns)?,
            outstanding: of_responses(|response| response.outstanding)?,
        })
    };
    let medians = Sample {
        ios_per_s: of(|sample| sample.ios_per_s)?,
        user_ns_per_io: of(|sample| sample.user_ns_per_io)?,
        system_ns_per_io: of(|sample| sample.system_ns_per_io)?,
        response: response(),
    };
    let other = own.filter(|own| own.tool != runs.tool);
    Some(Summary { tool: runs.tool, medians, ratio: other.and_then(|own| ratio(own, runs)) })
}

/// Over the rounds in which both gave a sample.
fn ratio(own: &Runs, other: &Runs) -> Option<Ratio> {
    let pairs = own.samples.iter().zip(&other.samples);
    let both = pairs.filter_map(|(own, other)| own.as_ref().zip(other.as_ref()));
    let ratios: Vec<f64> = both.map(|(own, other)| own.ios_per_s / other.ios_per_s).collect();
    Some(Ratio {
        median: median(ratios.iter().copied())?,
        min: ratios.iter().copied().fold(f64::INFINITY, f64::min),
        max: ratios.iter().copied().fold(0.0, f64::max),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::case::{BenchTarget, Case, Engine, Load};
    use super::*;

    fn runs(tool: Tool, rates: [Option<f64>; 3]) -> Runs {
        let sample = |ios_per_s: f64| {
            let response = Response { mean_ns: 8e9 / ios_per_s, p99_ns: 2e6, outstanding: 8.0 };
            let response = (!matches!(tool, Tool::Uring(_))).then_some(response);
            Sample { ios_per_s, user_ns_per_io: 100.0, system_ns_per_io: 1900.0, response }
        };
        Runs { tool, command: "x y".to_owned(), samples: rates.map(|rate| rate.map(sample)).into() }
    }

    /// A case with every kind of tool.
    pub(in crate::bench) fn measured() -> Measured {
        let all = |rates: [f64; 3]| rates.map(Some);
        Measured {
            case: Case {
                target: BenchTarget::Zram,
                load: Load::RandomRead,
                engine: Engine::IoUring,
                outstanding: 8,
                rate: None,
            },
            runs: vec![
                runs(Tool::Kneepoint, all([400e3, 300e3, 500e3])),
                runs(Tool::Fio, [Some(200e3), None, Some(200e3)]),
                runs(Tool::FioBatched, [None; 3]),
                runs(Tool::Uring(16), all([500e3, 400e3, 500e3])),
                runs(Tool::Uring(32), all([410e3, 410e3, 410e3])),
            ],
            failures: vec!["zram, 4 KiB random read, io_uring, 8, fio: no".to_owned()],
        }
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median([]), None);
    }

    #[test]
    fn ratios_are_of_the_same_round() {
        let summaries = measured().summaries();
        let tools: Vec<Tool> = summaries.iter().map(|summary| summary.tool).collect();
        assert_eq!(tools, [Tool::Kneepoint, Tool::Fio, Tool::Uring(16)]);
        assert_eq!(summaries[0].medians.ios_per_s, 400e3);
        assert_eq!(summaries[0].ratio, None);
        assert_eq!(summaries[1].ratio, Some(Ratio { median: 2.25, min: 2.0, max: 2.5 }));
        assert_eq!(summaries[2].ratio, Some(Ratio { median: 0.8, min: 0.75, max: 1.0 }));
    }

    #[test]
    fn a_tool_that_always_failed_has_no_summary() {
        let mut measured = measured();
        measured.runs[0].samples.fill(None);
        let summaries = measured.summaries();
        assert_eq!(summaries.len(), 2);
        assert_eq!(summaries[0].ratio, None);
        let failed: Vec<Tool> = measured.without_sample().collect();
        assert_eq!(failed, [Tool::Kneepoint, Tool::FioBatched]);
    }
}

/// Counts runs of tools.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    done: u32,
    total: u32,
}

impl Progress {
    /// None of `total` runs is done.
    pub(crate) fn new(total: u32) -> anyhow::Result<Self> {
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len}  {eta} left  {msg}")?;
        let bar = || ProgressBar::new(total.into()).with_style(style);
        let bar = io::stderr().is_terminal().then(bar);
        Ok(Self { bar, started: Instant::now(), done: 0, total })
    }

    /// Something long begins.
    pub(crate) fn begin(&self, what: &dyn Display) {
        match &self.bar {
            Some(bar) => bar.set_message(what.to_string()),
            None => {
                let left = self.left().map(|left| format!(", {} left", HumanDuration(left)));
                let left = left.unwrap_or_default();
                let line = format!("[{}/{}{left}] {what}", self.done, self.total);
                // Progress that no one takes is no reason to stop.
                let _ = writeln!(io::stderr().lock(), "{line}");
            }
        }
    }

    /// A run has ended.
    pub(crate) fn advance(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// At the pace so far.
    fn left(&self) -> Option<Duration> {
        let pace = self.started.elapsed().checked_div(self.done)?;
        Some(pace * self.total.saturating_sub(self.done))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The option, up to the device.
const OVERWRITE: &str = "--overwrite=";

/// Completes `--overwrite=DEVICE` by the identity that Kneepoint asks for. It is of the device's
/// content where there is no serial number, so it changes whenever a tool has written.
pub(super) fn complete(words: &mut [String], kneepoint: &Path) -> anyhow::Result<()> {
    for word in words {
        if let Some(device) = word.strip_prefix(OVERWRITE) {
            let judgement = judgement(kneepoint, device)?;
            *word = format!("{OVERWRITE}{}", named(device, &judgement));
        }
    }
    Ok(())
}

/// Kneepoint's judgement of a device.
fn judgement(kneepoint: &Path, device: &str) -> anyhow::Result<String> {
    let output = Command::new(kneepoint).args(["inspect", device]).stdin(Stdio::null()).output();
    let output = output.with_context(|| kneepoint.display().to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "inspecting {device}: {errors}");
    Ok(String::from_utf8(output.stdout)?)
}

/// The device with the identity that the judgement wants; without one if it wants none.
fn named<'a>(device: &'a str, judgement: &'a str) -> &'a str {
    let is_wanted =
        |word: &&str| word.strip_prefix(device).is_some_and(|rest| rest.starts_with('='));
    judgement.split_whitespace().find(is_wanted).unwrap_or(device)
}

#[cfg(test)]
mod consent_tests {
    use super::*;

    #[test]
    fn a_device_is_named_as_it_is_asked_for() {
        let judgement = "name  zram1\n\
                         refused  it holds data that Kneepoint did not write\n\
                         to do    if all of it may be lost, add --overwrite /dev/zram1=content-26f1\n";
        assert_eq!(named("/dev/zram1", judgement), "/dev/zram1=content-26f1");
        assert_eq!(named("/dev/zram", judgement), "/dev/zram");
        assert_eq!(named("/dev/zram1", "to do  add --overwrite /dev/zram1\n"), "/dev/zram1");
    }

    #[test]
    fn other_words_stay() {
        let mut words = ["run", "/x/cached.dat", "--json=-"].map(str::to_owned);
        complete(&mut words, Path::new("/no/such/program")).unwrap();
        assert_eq!(words, ["run", "/x/cached.dat", "--json=-"]);
    }
}
