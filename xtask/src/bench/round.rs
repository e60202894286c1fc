//! Rounds: in each, every tool measures a case once, one after the other.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context;

use super::Stop;
use super::case::Case;
use super::consent;
use super::processor::ProcessorTime;
use super::progress::Progress;
use super::reading::Reading;
use super::target::Place;
use super::tool::{Programs, Tool};

/// One run of a tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) reading: Reading,
    pub(super) user_ns_per_io: f64,
    pub(super) system_ns_per_io: f64,
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
    /// What went wrong.
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
        consent::complete(&mut words, &self.programs.kneepoint)?;
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
    Ok(Sample {
        reading,
        user_ns_per_io: used.user_s * 1e9 / reading.ios,
        system_ns_per_io: used.system_s * 1e9 / reading.ios,
    })
}
