//! Kneepoint beside fio and fio's program for peak rates, case by case, on the same CPU.
//!
//! In each round every tool measures once, one after the other, so that whatever else the machine
//! does meets all of them; rates are compared within a round. It needs fio, and root for zram.

mod case;
pub(crate) mod machine;
mod page;
pub(crate) mod round;
mod target;
mod tool;

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use case::{BenchTarget, Case};
use machine::Machine;
use page::{Page, Style};
use round::{Bench, Measured, Progress};
use target::Targets;
use tool::{Programs, Tool};

use crate::stop::Stop;

/// Runs the benchmark: the tables, ready to be printed, and whether every tool measured in every
/// round.
///
/// # Errors
/// Where a program is missing, a target cannot be prepared, or the result cannot be written.
pub fn tables(args: &BenchArgs) -> anyhow::Result<(String, bool)> {
    let cases = args.cases();
    anyhow::ensure!(
        !cases.is_empty() || args.footprint,
        "no case has this target and this text in its name; leave out --case, or give --all"
    );
    let programs = programs(args)?;
    let page = page(args, cases, &programs)?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&page.json())? + "\n";
        fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    let tables = page.render(if args.markdown { Style::Markdown } else { Style::Plain })?;
    Ok((tables, page.failures().next().is_none()))
}

/// Finds the programs.
fn programs(args: &BenchArgs) -> anyhow::Result<Programs> {
    let kneepoint = args.kneepoint.canonicalize().with_context(|| {
        let path = args.kneepoint.display();
        format!("{path}: build it with `cargo build --release`, or name it with --kneepoint")
    })?;
    anyhow::ensure!(
        machine::find_program(&["taskset"]).is_some(),
        "no taskset (package util-linux)"
    );
    Ok(Programs {
        kneepoint,
        fio: machine::find_program(&["fio"]).context("no fio on PATH (package fio)")?,
        uring: machine::find_program(&["t_io_uring", "t/io_uring"]),
        cpu: args.cpu,
        seconds: args.seconds,
    })
}

/// Prepares the targets, and measures.
fn page(args: &BenchArgs, cases: Vec<Case>, programs: &Programs) -> anyhow::Result<Page> {
    let mut page = Page {
        machine: Machine::here(programs)?,
        cpu: args.cpu,
        rounds: args.rounds,
        seconds: args.seconds,
        measured: Vec::new(),
        footprints: Vec::new(),
        omissions: Vec::new(),
    };
    let stop = Stop::listen()?;
    let mut targets = Targets::new(&args.folder)?;
    let cases = prepared(args, cases, (&mut targets, programs, &mut page.omissions))?;
    stop.check()?;
    if programs.uring.is_none() {
        page.omissions.push("no t/io_uring on PATH".to_owned());
    }
    let bench = Bench { programs, place: &targets.place, rounds: args.rounds, stop: &stop };
    page.measured = measured(&cases, &targets, bench)?;
    if args.footprint {
        page.footprints = machine::measure(bench)?;
    }
    Ok(page)
}

/// The cases whose targets could be prepared.
fn prepared(
    args: &BenchArgs,
    mut cases: Vec<Case>,
    (targets, programs, omissions): (&mut Targets, &Programs, &mut Vec<String>),
) -> anyhow::Result<Vec<Case>> {
    let needs = |kind| cases.iter().any(|case| case.target == kind);
    for kind in [BenchTarget::Cached, BenchTarget::Direct] {
        if needs(kind) || (kind == BenchTarget::Cached && args.footprint) {
            targets.add_file(kind, &programs.kneepoint)?;
        }
    }
    if needs(BenchTarget::Zram)
        && let Err(error) = targets.add_zram()
    {
        omissions.push(format!("zram: left out: {error:#}"));
        cases.retain(|case| case.target != BenchTarget::Zram);
    }
    Ok(cases)
}

/// All cases, one after the other.
fn measured(cases: &[Case], targets: &Targets, bench: Bench<'_>) -> anyhow::Result<Vec<Measured>> {
    let tools: usize = cases.iter().map(|case| Tool::of(case, bench.programs).len()).sum();
    let mut progress = Progress::new(u32::try_from(tools)? * bench.rounds)?;
    let mut measured = Vec::new();
    for case in cases {
        progress.begin(case);
        targets.make_ready(case)?;
        measured.push(bench.measure(*case, &mut progress)?);
    }
    Ok(measured)
}

/// What to measure, how long, and where the result goes.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// The program to measure
    #[arg(long, default_value = "target/release/kneepoint")]
    pub kneepoint: PathBuf,

    /// The CPU on which every tool runs
    #[arg(long, value_name = "CPU", default_value_t = 0)]
    pub cpu: u32,

    /// Only this target (may be repeated)
    #[arg(long, value_enum)]
    pub target: Vec<BenchTarget>,

    /// Only cases with this text in their name, such as 'random read, libaio'
    #[arg(long, value_name = "TEXT")]
    pub case: Option<String>,

    /// Rounds; in each round every tool measures once
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,

    /// Seconds that each tool measures for in each round
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub seconds: u32,

    /// Folder in whose file system the test files are made; they are removed afterwards
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,

    /// Every case instead of the core set
    #[arg(long)]
    pub all: bool,

    /// Measure start-up time and memory as well
    #[arg(long)]
    pub footprint: bool,

    /// Print the tables in Markdown, with the machine named
    #[arg(long)]
    pub markdown: bool,

    /// Write everything measured to this file, for tracking
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

impl BenchArgs {
    /// The cases that were asked for.
    fn cases(&self) -> Vec<Case> {
        let cases = if self.all { Case::all() } else { Case::core() };
        let wanted = |case: &Case| {
            (self.target.is_empty() || self.target.contains(&case.target))
                && self.case.as_ref().is_none_or(|text| case.to_string().contains(text))
        };
        cases.into_iter().filter(wanted).collect()
    }
}
