//! Kneepoint beside fio and fio's program for peak rates, case by case, on the same CPU.
//!
//! In each round every tool measures once, one after the other, so that whatever else the machine
//! does meets all of them; rates are compared within a round. It needs fio, and root for zram.

mod case;
mod consent;
mod footprint;
mod machine;
mod options;
mod page;
pub(crate) mod processor;
mod progress;
mod reading;
mod record;
mod round;
mod stop;
mod summary;
mod table;
mod target;
mod tool;

use std::fs;

use anyhow::Context;

use case::{Case, TargetKind};
use machine::Machine;
use page::Page;
use progress::Progress;
use round::{Bench, Measured};
use stop::Stop;
use table::Style;
use target::Targets;
use tool::{Programs, Tool};

pub use options::BenchArgs;

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
        page.footprints = footprint::measure(bench)?;
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
    for kind in [TargetKind::Cached, TargetKind::Direct] {
        if needs(kind) || (kind == TargetKind::Cached && args.footprint) {
            targets.add_file(kind, &programs.kneepoint)?;
        }
    }
    if needs(TargetKind::Zram)
        && let Err(error) = targets.add_zram()
    {
        omissions.push(format!("zram: left out: {error:#}"));
        cases.retain(|case| case.target != TargetKind::Zram);
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
