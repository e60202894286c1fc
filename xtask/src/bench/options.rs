//! The options of `cargo xtask bench`.

use std::path::PathBuf;

use clap::Args;

use super::case::{Case, TargetKind};

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
    pub target: Vec<TargetKind>,

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
    pub(super) fn cases(&self) -> Vec<Case> {
        let cases = if self.all { Case::all() } else { Case::core() };
        let wanted = |case: &Case| {
            (self.target.is_empty() || self.target.contains(&case.target))
                && self.case.as_ref().is_none_or(|text| case.to_string().contains(text))
        };
        cases.into_iter().filter(wanted).collect()
    }
}
