//! `cargo xtask`: chores of the project.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use xtask::attack::{self, AttackArgs};
use xtask::bench::{self, BenchArgs};
use xtask::fleet::{self, FleetArgs};
use xtask::jobs::{self, JobsArgs};
use xtask::members::{self, MembersArgs};
use xtask::reference_machine::{self, ReferenceArgs};
use xtask::verification::{self, VerificationArgs};
use xtask::{drift, reference, simulator, stall, workspace_root};

/// Chores of the project.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
enum Chore {
    /// Write the generated reference: docs/reference
    Generate {
        /// Write nothing; fail where a file is not what would be written
        #[arg(long)]
        check: bool,
    },
    /// Run the program on changed files, documents, stores and command lines
    Attack(AttackArgs),
    /// Measure Kneepoint beside fio and t/io_uring, in turns on one CPU
    Bench(BenchArgs),
    /// Measure what an agent costs: the same load with and without a fleet, by turns
    Fleet(FleetArgs),
    /// Measure five fio jobs with fio and with Kneepoint, by turns on one file
    Jobs(JobsArgs),
    /// Build the member programs of the processor suite with base and with peak flags
    Members(MembersArgs),
    /// Measure the machine that ratios of the processor suite refer to
    ReferenceMachine(ReferenceArgs),
    /// Measure how many I/Os per second of processor time are simulated
    Simulator {
        /// The program to measure
        #[arg(long, default_value = "target/release/kneepoint")]
        kneepoint: PathBuf,
        /// Rounds; each simulates all cases once
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
        rounds: u32,
    },
    /// Measure a loop device that stops for a second, with Kneepoint and with fio (as root)
    Stall {
        /// The program to measure with
        #[arg(long, default_value = "target/release/kneepoint")]
        kneepoint: PathBuf,
    },
    /// Measure what --verify costs: the same load on two files by turns
    Verification(VerificationArgs),
}

fn main() -> anyhow::Result<ExitCode> {
    let (text, held) = match Chore::parse() {
        Chore::Generate { check: true } => return check(),
        Chore::Generate { check: false } => (generate()?, true),
        Chore::Attack(args) => attack::attack(&args, &workspace_root())?,
        Chore::Bench(args) => bench::tables(&args)?,
        Chore::Fleet(args) => fleet::table(&args)?,
        Chore::Jobs(args) => (jobs::table(&args, &workspace_root())?, true),
        Chore::Members(args) => (members::build(&args, &workspace_root())?, true),
        Chore::ReferenceMachine(args) => {
            (reference_machine::measure(&args, &workspace_root())?, true)
        }
        Chore::Simulator { kneepoint, rounds } => (simulator::table(&kneepoint, rounds)?, true),
        Chore::Verification(args) => (verification::table(&args)?, true),
        Chore::Stall { kneepoint } => (stall::table(&kneepoint)?, true),
    };
    write!(io::stdout().lock(), "{text}")?;
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes what differs, and says what that was.
fn generate() -> anyhow::Result<String> {
    let written = drift::write(&workspace_root(), &reference::files()?)?;
    Ok(written.iter().map(|path| format!("wrote {path}\n")).collect())
}

/// Says what differs.
fn check() -> anyhow::Result<ExitCode> {
    let drifted = drift::find(&workspace_root(), &reference::files()?)?;
    let mut out = io::stderr().lock();
    for drift in &drifted {
        writeln!(out, "{drift}")?;
    }
    match drifted.is_empty() {
        true => Ok(ExitCode::SUCCESS),
        false => {
            writeln!(out, "{}", drift::FIX)?;
            Ok(ExitCode::FAILURE)
        }
    }
}
