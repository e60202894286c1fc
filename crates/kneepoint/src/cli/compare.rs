//! `kneepoint compare`, as typed.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kneepoint_core::analysis::comparison::Condition;

use super::run::typed;
use super::{ForceArgs, PageArgs, StoreArgs};

/// What `kneepoint compare --help` says after the options.
const COMPARE: &str = "\
A condition is [SERIES:] NUMBER [<|>] CHANGE%, the change counted against the first run:
  iops, throughput              averaged over the loads that both runs measured
  sustained.iops, sustained.throughput    at every rule
  peak.iops, peak.throughput
  latency.mean, .p50, .p90, .p95, .p99, .p99.9, .p99.99, .max    as iops
Without < or > the sign says the side. SERIES may hold * and ?. A condition is decided by
confidence: it fails where the data show that the change is beyond the limit, passes where they show
that it is not, and cannot be told otherwise. A condition that can be told nowhere is undecided,
which fails, too: --allow-undecided accepts it. Percentiles have an interval only where runs repeat
(run --repeat).

Examples:
  kneepoint compare before after
  kneepoint compare before last --fail-if 'sustained.iops < -5%' --junit gate.xml
  kneepoint compare before last --fail-if 'database/*: latency.mean +10%' --fail-if 'iops -5%'

Exit codes: 0 done, 1 a condition failed or is undecided, 2 wrong usage, or runs that cannot be compared.";

/// `kneepoint compare`.
#[derive(Debug, Args)]
#[command(after_long_help = COMPARE)]
pub struct CompareArgs {
    /// Run ids (or their beginnings), labels, or `last`; the first is the reference
    #[arg(value_name = "RUN", required = true, num_args = 2..=26)]
    pub runs: Vec<String>,

    /// Print every load as well
    #[arg(long)]
    pub points: bool,

    /// Compare runs whose load profiles differ, and say how they do
    #[arg(long)]
    pub different_profiles: bool,

    /// Fail (exit code 1) where this is shown, e.g. 'sustained.iops < -5%' (may be repeated)
    #[arg(long, value_name = "CONDITION", value_parser = typed::<Condition>, help_heading = "Gate")]
    pub fail_if: Vec<Condition>,

    /// Fail wherever a condition cannot be told, even if it can be told elsewhere
    #[arg(long, requires = "fail_if", help_heading = "Gate")]
    pub fail_if_undecided: bool,

    /// Accept a condition that can be told nowhere, which fails otherwise
    #[arg(long, requires = "fail_if", conflicts_with = "fail_if_undecided", help_heading = "Gate")]
    pub allow_undecided: bool,

    /// Write the outcome of every condition to this file, as JUnit XML
    #[arg(long, value_name = "FILE", requires = "fail_if", value_hint = ValueHint::FilePath,
        help_heading = "Gate")]
    pub junit: Option<PathBuf>,

    /// Write the comparison as JSON (schema kneepoint.compare/1); `-` prints it instead of tables
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        help_heading = "Store and output")]
    pub json: Option<PathBuf>,

    /// How wide the tables are.
    #[command(flatten)]
    pub page: PageArgs,

    /// What may be replaced.
    #[command(flatten)]
    pub force: ForceArgs,

    /// Where the runs are kept.
    #[command(flatten)]
    pub store: StoreArgs,
}
