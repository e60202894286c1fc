//! What `--verify` costs: the same load on two files of one folder by turns, one of them verified.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use crate::folder::OwnFolder;

/// `cargo xtask verification`.
#[derive(Debug, Args)]
pub struct VerificationArgs {
    /// The program to measure with
    #[arg(long, default_value = "target/release/kneepoint")]
    pub kneepoint: PathBuf,
    /// Folder on the file system to measure on: a temporary folder is created in it, and removed at the end
    #[arg(long, default_value = "target")]
    pub folder: PathBuf,
    /// Size of each file
    #[arg(long, default_value = "1GiB")]
    pub size: String,
    /// Rounds; each measures every load on both files
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Time to measure each load
    #[arg(long, default_value = "3s")]
    pub time: String,
}

/// Load profiles, with blocks of 4 KiB.
const PROFILES: [&str; 3] = ["random-read", "random-write", "database"];

/// The files; the second one is verified.
const FILES: [&str; 2] = ["plain.dat", "verified.dat"];

/// Outstanding I/Os.
const LOADS: [u32; 2] = [1, 32];

/// Runs the experiment; the table in Markdown: of each load the medians of both, and that of the ratios of
/// the rounds, with the lowest and the highest.
///
/// # Errors
/// When the program cannot be started, or a run fails.
pub fn table(args: &VerificationArgs) -> anyhow::Result<String> {
    let folder = OwnFolder::new(&args.folder, "verification")?;
    let mut table = String::from(
        "| profile, 4 KiB | outstanding | IO/s | IO/s with --verify | ratio | lowest | highest |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
    );
    for profile in PROFILES {
        let mut rounds = Vec::new();
        for round in 0..args.rounds {
            // Whoever is first differs from round to round.
            let mut both = [Vec::new(), Vec::new()];
            for turn in [round % 2, (round + 1) % 2] {
                both[turn as usize] = rates(args, folder.path(), (profile, FILES[turn as usize]))?;
            }
            rounds.push(both);
        }
        for (number, load) in LOADS.iter().enumerate() {
            let plain = sorted(rounds.iter().map(|[plain, _]| plain[number]));
            let verified = sorted(rounds.iter().map(|[_, verified]| verified[number]));
            let ratio = |[plain, verified]: &[Vec<f64>; 2]| verified[number] / plain[number];
            let ratios = sorted(rounds.iter().map(ratio));
            writeln!(
                table,
                "| {profile} | {load} | {:.0} | {:.0} | {:.3} | {:.3} | {:.3} |",
                median(&plain),
                median(&verified),
                median(&ratios),
                ratios.first().copied().unwrap_or(f64::NAN),
                ratios.last().copied().unwrap_or(f64::NAN),
            )?;
        }
    }
    Ok(table)
}

/// The rates of one run, by load.
fn rates(
    args: &VerificationArgs,
    folder: &Path,
    (profile, file): (&str, &str),
) -> anyhow::Result<Vec<f64>> {
    let loads = LOADS.map(|load| load.to_string()).join(",");
    // Whatever is verified is laid out in each run: both files are new in each round.
    let old = folder.join(file);
    if old.exists() {
        fs::remove_file(&old).with_context(|| old.display().to_string())?;
    }
    let program = args.kneepoint.canonicalize().context("the program (--kneepoint)")?;
    let mut command = Command::new(program);
    command.args(["run", profile, file, "--size", &args.size, "--block", "4KiB"]);
    command.args(["--outstanding", &loads, "--time", &args.time, "--json", "-"]);
    command.args((file == FILES[1]).then_some("--verify"));
    command.current_dir(folder).stdin(Stdio::null());
    let output = command.output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{command:?}: {errors}");
    let result: Value = serde_json::from_slice(&output.stdout)?;
    let points = result["points"].as_array().context("a run has points")?;
    let rates = points.iter().map(|point| point["rate"]["mean"].as_f64());
    rates.collect::<Option<Vec<f64>>>().filter(|rates| rates.len() == LOADS.len()).context("rates")
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The middle of sorted values.
fn median(sorted: &[f64]) -> f64 {
    match sorted {
        [] => f64::NAN,
        _ if sorted.len() % 2 == 1 => sorted[sorted.len() / 2],
        _ => (sorted[sorted.len() / 2 - 1] + sorted[sorted.len() / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }
}
