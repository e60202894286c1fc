//! `kneepoint verify`.

use clap::{Args, ValueHint};

use super::StoreArgs;

/// The text of `kneepoint verify --help` after the options.
const EXAMPLES: &str = "\
Examples:
  kneepoint run database ./k.dat --size 8GiB --verify && kneepoint verify ./k.dat
  kneepoint verify /dev/sdb --store lab.db
  kneepoint verify ./k.dat --after-power-loss

A run with --verify keeps a journal: of a file k.dat beside it, as k.dat.verify, of a device sdb beside
the store, as sdb.verify. What it says is compared with what the target holds, sector by sector: bit
flips, lost, torn, misdirected and duplicated writes, stale and foreign data are told with their places.
What was in flight when a run was killed may be old or new. After the machine was started again, that
holds for everything since the end of the last point, when it was made durable.

Exit codes: 0 nothing is wrong, 1 something is wrong or cannot be read, 2 it cannot be told.";

/// Check the data that a run with --verify wrote.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// File or block device that a run with --verify has written; it is only read
    #[arg(value_name = "TARGET", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) targets: Vec<String>,
    /// The device lost its power while the run wrote, but this machine did not: what was not yet durable may
    /// be old or new
    #[arg(long)]
    pub(crate) after_power_loss: bool,
    /// Read through the page cache instead of past it
    #[arg(long)]
    pub(crate) buffered: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
