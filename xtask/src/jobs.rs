//! fio jobs with fio and with Kneepoint, by turns on one file.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::Args;
use serde_json::Value;

/// The jobs, in `examples/jobs`.
const JOBS: [&str; 5] = ["random-read", "random-mix", "stream-read", "stream-write", "sizes"];

/// Size of the file that both measure.
const SIZE: &str = "512MiB";

/// `cargo xtask jobs`.
#[derive(Debug, Args)]
pub struct JobsArgs {
    /// The program to measure with
    #[arg(long, default_value = "target/release/kneepoint")]
    pub kneepoint: PathBuf,
    /// Folder for the file, on the file system to be measured; 512 MiB are written
    #[arg(long, default_value = "target")]
    pub folder: PathBuf,
    /// Rounds; each measures every job with both, in changing order
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,
}

/// Measures all jobs; a table in Markdown.
///
/// # Errors
/// Where fio is missing, or a program fails.
pub fn table(args: &JobsArgs, root: &Path) -> anyhow::Result<String> {
    let kneepoint = fs::canonicalize(&args.kneepoint)
        .with_context(|| format!("{}; build it first", args.kneepoint.display()))?;
    let folder = fs::canonicalize(&args.folder)?.join(format!("jobs-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
    let place = Place { kneepoint, folder, jobs: root.join("examples/jobs") };
    let rounds = place.rounds(args.rounds);
    fs::remove_dir_all(&place.folder)?;
    Ok(text(&rounds?))
}

/// I/Os per second with fio and with Kneepoint, of each job and round.
type Rounds = Vec<Vec<(f64, f64)>>;

struct Place {
    kneepoint: PathBuf,
    /// Has the file, and the store.
    folder: PathBuf,
    jobs: PathBuf,
}

impl Place {
    fn rounds(&self, count: u32) -> anyhow::Result<Rounds> {
        // Makes the file, and writes all of it.
        let laid_out =
            ["run", "random-read", "t.dat", "--size", SIZE, "--outstanding", "1", "--time", "1s"];
        self.told(Command::new(&self.kneepoint).args(laid_out))?;
        let mut rounds: Rounds = vec![Vec::new(); JOBS.len()];
        for round in 0..count {
            for (job, pairs) in JOBS.iter().zip(&mut rounds) {
                let file = self.jobs.join(format!("{job}.fio"));
                let pair = match round % 2 {
                    0 => {
                        let fio = self.fio(&file)?;
                        (fio, self.kneepoint(&file)?)
                    }
                    _ => {
                        let kneepoint = self.kneepoint(&file)?;
                        (self.fio(&file)?, kneepoint)
                    }
                };
                pairs.push(pair);
            }
        }
        Ok(rounds)
    }

    /// I/Os per second of a job with fio.
    fn fio(&self, file: &Path) -> anyhow::Result<f64> {
        let output = self.told(Command::new("fio").arg("--output-format=json").arg(file))?;
        let json: Value = serde_json::from_slice(&output).context("the output of fio")?;
        let job = &json["jobs"][0];
        let rate = |side: &str| job[side]["iops"].as_f64();
        Ok(rate("read").context("reads")? + rate("write").context("writes")?)
    }

    /// The same with Kneepoint. fio has written to the file, so that it is named as one that may be.
    fn kneepoint(&self, file: &Path) -> anyhow::Result<f64> {
        let mut command = Command::new(&self.kneepoint);
        command.arg("run").arg(file).args(["t.dat", "--overwrite", "t.dat", "--json", "-"]);
        let json: Value = serde_json::from_slice(&self.told(&mut command)?)?;
        json["points"][0]["rate"]["mean"].as_f64().context("a rate")
    }

    /// What a command prints, which must succeed.
    fn told(&self, command: &mut Command) -> anyhow::Result<Vec<u8>> {
        command.current_dir(&self.folder).env("TARGET", "t.dat");
        let output = command.output().with_context(|| format!("{command:?}"))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        anyhow::ensure!(output.status.success(), "{command:?}: {errors}");
        Ok(output.stdout)
    }
}

/// The medians of each job, with the spread of the ratios.
fn text(rounds: &Rounds) -> String {
    let mut text = String::from(
        "| job | fio, IO/s | Kneepoint, IO/s | ratio | least and largest ratio |\n|---|---|---|---|---|\n",
    );
    for (job, pairs) in JOBS.iter().zip(rounds) {
        let ratios = sorted(pairs.iter().map(|(fio, kneepoint)| kneepoint / fio));
        let _ = writeln!(
            text,
            "| {job} | {:.0} | {:.0} | {:.3} | {:.3}, {:.3} |",
            median(&sorted(pairs.iter().map(|(fio, _)| *fio))),
            median(&sorted(pairs.iter().map(|(_, kneepoint)| *kneepoint))),
            median(&ratios),
            ratios.first().copied().unwrap_or(f64::NAN),
            ratios.last().copied().unwrap_or(f64::NAN),
        );
    }
    text
}

fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// The middle of sorted numbers.
fn median(numbers: &[f64]) -> f64 {
    match numbers.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => numbers[count / 2],
        count => f64::midpoint(numbers[count / 2 - 1], numbers[count / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_medians_and_the_spread() {
        let pairs = vec![(100.0, 101.0), (200.0, 196.0), (100.0, 100.0)];
        let text = text(&vec![pairs]);
        let row = text.lines().last().unwrap();
        assert_eq!(row, "| random-read | 100 | 101 | 1.000 | 0.980, 1.010 |");
    }
}
