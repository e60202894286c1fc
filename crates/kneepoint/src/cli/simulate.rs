//! The options of `validate`, `calibrate` and `size`: commands on simulated systems alone.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::StoreArgs;

/// What `kneepoint validate --help` says after the options.
const VALIDATE: &str = "\
The file has one published number per row, in the columns of systems/data/calibration.csv: what was
measured (subsystem, drives, drive_type, raid, cache, os_tool), under which load (workload, access,
read_pct, block_kib, outstanding_ios), the condition that it was read off at (criterion: avg_rt_20ms,
peak, at_outstanding), and the number itself (iops, or mbps in MiB/s where there is no other).

Words may be written in many ways: raid-10 or RAID10, write_cache_on or write-back, 'stroke 30 %' in
a note. The FAStT900 and the ServeRAID M5025 use 8 % of each drive unless the row says otherwise. A
row that no simulated system can stand for is listed with the reason; no row is left out.

Anomalies are declared before a run, never after it: --anomalies names a TOML file of entries

  [[anomaly]]
  cells = [\"fastt900-t1-raid5-oltp-4k-180-off\"]
  reason = \"throughput falls as drives are added\"

and the totals are given with these cells and without them.

Examples:
  kneepoint validate systems/data/calibration.csv
  kneepoint validate cells.csv --json errors.json";

/// `kneepoint validate`.
#[derive(Debug, Args)]
#[command(after_long_help = VALIDATE)]
pub struct ValidateArgs {
    /// CSV file of published numbers, in the columns of systems/data/calibration.csv
    #[arg(value_name = "CELLS.csv", value_hint = ValueHint::FilePath)]
    pub cells: PathBuf,

    /// Write all predictions and errors as JSON (schema kneepoint.validate/1); `-` prints them
    /// instead of the tables
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub json: Option<PathBuf>,

    /// TOML file of cells that were declared irregular beforehand, with the reasons
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub anomalies: Option<PathBuf>,

    /// Threads to simulate on; the result does not depend on them (default: one per CPU)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

/// What `kneepoint calibrate --help` says after the options.
const CALIBRATE: &str = "\
The free parameters are those that the system file marks as fitted, each between its bounds; --free
names others. The optimiser (Levenberg and Marquardt) minimises the squared logarithms of predicted
over measured numbers. All trials see the same random numbers, so that a difference between two of
them is the parameter's doing. The written file has the new values marked as fitted, their error, and
the residual of every measurement.

With --run the points of a stored run of a real system take the place of the rows; the system file
describes that system: drives, arrays, RAID level, caches.

The shipped systems come out of

  kneepoint calibrate systems/*.toml systems/drive/*.toml --cells systems/data/calibration.csv -o systems

Examples:
  kneepoint calibrate systems/fastt900.toml --cells cells.csv -o fitted.toml
  kneepoint calibrate systems/fastt900.toml --cells cells.csv --hold-out -180- -o fitted.toml
  kneepoint calibrate my-array.toml --run last --free disk.seek_average,controller.io -o my-array.toml";

/// `kneepoint calibrate`.
#[derive(Debug, Args)]
#[command(after_long_help = CALIBRATE)]
#[command(group(clap::ArgGroup::new("measurements").required(true).args(["cells", "run"])))]
pub struct CalibrateArgs {
    /// System files to fit, or names of shipped systems
    #[arg(value_name = "SYSTEM.toml", required = true, value_hint = ValueHint::FilePath)]
    pub systems: Vec<PathBuf>,

    /// Fit to the rows of this CSV file that describe the system
    #[arg(long, value_name = "CELLS.csv", value_hint = ValueHint::FilePath)]
    pub cells: Option<PathBuf>,

    /// Fit to the points of this stored run: id, label, or `last`
    #[arg(long, value_name = "RUN")]
    pub run: Option<String>,

    /// System file to write; the folder to write into where several systems are fitted
    #[arg(short, long, value_name = "OUT.toml", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,

    /// Parameters to fit instead of those that the file marks as fitted: disk.seek_average,...
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub free: Vec<String>,

    /// Leave out measurements whose name contains this text, and print their errors apart (may be
    /// repeated)
    #[arg(long, value_name = "TEXT")]
    pub hold_out: Vec<String>,

    /// Steps of the optimiser at the most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub steps: u32,

    /// Threads to simulate on; the result does not depend on them (default: one per CPU)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,

    /// Where the run is kept.
    #[command(flatten)]
    pub store: StoreArgs,
}
