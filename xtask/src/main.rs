//! `cargo xtask`: chores of the project.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser};
use xtask::attack::{self, AttackArgs};
use xtask::bench::{self, BenchArgs};
use xtask::{drift, reference, simulator, stall, workspace_root};

/// Chores of the project.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
enum Chore {
    /// Write the generated reference: docs/reference
    Generate(GenerateArgs),
    /// Run the program on changed files, documents, stores and command lines
    Attack(AttackArgs),
    /// Measure Kneepoint beside fio and t/io_uring, in turns on one CPU
    Bench(BenchArgs),
    /// Measure how many I/Os per second of processor time are simulated
    Simulator(SimulatorArgs),
    /// Measure a loop device that stops for a second, with Kneepoint and with fio (as root)
    Stall(StallArgs),
}

/// `cargo xtask generate`.
#[derive(Debug, Args)]
struct GenerateArgs {
    /// Write nothing; fail where a file is not what would be written
    #[arg(long)]
    check: bool,
}

/// `cargo xtask simulator`.
#[derive(Debug, Args)]
struct SimulatorArgs {
    /// The program to measure
    #[arg(long, default_value = "target/release/kneepoint")]
    kneepoint: PathBuf,

    /// Rounds; each simulates all cases once
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// `cargo xtask stall`.
#[derive(Debug, Args)]
struct StallArgs {
    /// The program to measure with
    #[arg(long, default_value = "target/release/kneepoint")]
    kneepoint: PathBuf,
}

fn main() -> anyhow::Result<ExitCode> {
    match Chore::parse() {
        Chore::Generate(GenerateArgs { check: true }) => check(),
        Chore::Generate(GenerateArgs { check: false }) => generate(),
        Chore::Attack(args) => {
            let (summary, held) = attack::attack(&args, &workspace_root())?;
            write!(io::stdout().lock(), "{summary}")?;
            Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Chore::Bench(args) => {
            let (tables, is_whole) = bench::tables(&args)?;
            write!(io::stdout().lock(), "{tables}")?;
            Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Chore::Simulator(SimulatorArgs { kneepoint, rounds }) => {
            write!(io::stdout().lock(), "{}", simulator::table(&kneepoint, rounds)?)?;
            Ok(ExitCode::SUCCESS)
        }
        Chore::Stall(StallArgs { kneepoint }) => {
            write!(io::stdout().lock(), "{}", stall::table(&kneepoint)?)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Writes what differs.
fn generate() -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    for path in drift::write(&workspace_root(), &reference::files()?)? {
        writeln!(out, "wrote {path}")?;
    }
    Ok(ExitCode::SUCCESS)
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
