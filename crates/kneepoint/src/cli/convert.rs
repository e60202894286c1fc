//! The options of `convert`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::ForceArgs;

/// The text of `kneepoint convert --help` after the options.
const EXAMPLES: &str = "\
Examples:
  kneepoint convert old.icf -o old.toml
      an Iometer configuration as a suite, which can be read, changed and run
  kneepoint run job.fio ./k.dat
      a fio job on a file, without a step between
  kneepoint convert my-profile.toml -o my-profile.fio
      a profile as a job of fio

Read are Iometer configurations (.icf) of 1998 to 1.1.0, job files of fio (.fio) and parameter files of
vdbench (.vdb). The content tells what a file is, and where it does not, the ending of its name. Written are
profiles and suites (.toml), and these as Iometer configurations and fio job files. Whatever is not the same is
listed on standard error with file and line; what cannot be said at all is refused.

Targets that a file names are never touched: only the command line of `run` names targets. How a file says
that it is measured (times, threads, engine) is no part of a profile; the first lines of the output have
the options of `run` that say it.";

/// `kneepoint convert`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ConvertArgs {
    /// Job of another tool, or a profile or suite
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// File to write; the ending names the format (.toml, .icf, .fio); `-` prints TOML
    #[arg(short, long, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
}
