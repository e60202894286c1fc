//! The options of `validate`, `calibrate` and `size`: commands on simulated systems alone.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kneepoint_core::spec::grid::in_thousands;
use kneepoint_core::words::rule::Rule;
use kneepoint_core::words::units::{Bytes, Percent};
use kneepoint_sim::system::setting::{RaidLevel, WriteCache};

use super::run::typed;
use super::{ForceArgs, LanguageChoice, PageArgs, StoreArgs};

/// The text of `kneepoint validate --help` after the options.
const VALIDATE: &str = "\
The file has one published number per row, in the columns of systems/data/calibration.csv: what was
measured (subsystem, drives, drive_type, raid, cache, os_tool), under which load (workload, access,
read_pct, block_kib, outstanding_ios), the condition that it was read off at (criterion: avg_rt_20ms,
peak, at_outstanding), and the number itself (iops, or mbps in MiB/s where there is no other).
The column target may say what is simulated; without it, it follows from the words of the others.

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
pub(crate) struct ValidateArgs {
    /// CSV file of published numbers, in the columns of systems/data/calibration.csv
    #[arg(value_name = "CELLS.csv", value_hint = ValueHint::FilePath)]
    pub(crate) cells: PathBuf,

    /// Write all predictions and errors as JSON (schema kneepoint.validate/1); `-` prints them
    /// instead of the tables
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) json: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) force: ForceArgs,

    /// TOML file of cells that were declared irregular beforehand, with the reasons
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) anomalies: Option<PathBuf>,

    /// Threads to simulate on; the result does not depend on them (default: one per CPU)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,
}

/// The text of `kneepoint calibrate --help` after the options.
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
pub(crate) struct CalibrateArgs {
    /// System files to fit, or names of shipped systems
    #[arg(value_name = "SYSTEM.toml", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) systems: Vec<PathBuf>,

    /// Fit to the rows of this CSV file that describe the system
    #[arg(long, value_name = "CELLS.csv", value_hint = ValueHint::FilePath)]
    pub(crate) cells: Option<PathBuf>,

    /// Fit to the points of this stored run: id, label, or `last`
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// System file to write; the folder to write into where several systems are fitted
    #[arg(short, long, value_name = "OUT.toml", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) force: ForceArgs,

    /// Parameters to fit instead of those that the file marks as fitted: disk.seek_average,...
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) free: Vec<String>,

    /// Leave out measurements whose name contains this text, and print their errors apart (may be
    /// repeated)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) hold_out: Vec<String>,

    /// Steps of the optimiser at the most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) steps: u32,

    /// Threads to simulate on; the result does not depend on them (default: one per CPU)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The text of `kneepoint size --help` after the options.
const SIZE: &str = "\
For every kind of drive, RAID level and cache setting the smallest number of drives is searched that
holds the capacity and meets the rule when the load is offered at random intervals: one array of any
size, or several whole arrays. The model's own error on published measurements is added to the load
as a margin: the mean error in the system file, or 20 % where the system was never calibrated;
--margin replaces both.

The data occupy as much of each drive as the capacity needs; without --capacity the whole drive.
--strokes shows for the best candidate what it sustains when its data are spread over more or less
of each drive.

Examples:
  kneepoint size --profile database --iops 5000 --rule 'mean<=20ms' --capacity 4TB
  kneepoint size --profile oltp --block 8KiB --iops 20000 --rule 'mean<=15ms' --raid raid5,raid10
  kneepoint size --profile streaming --throughput 500 --rule 'mean<=50ms' --systems serveraid-m5025
  kneepoint size --profile database --iops 800 --rule 'p95<=50ms' --server 'TX300 S6'";

/// `kneepoint size`.
#[derive(Debug, Args)]
#[command(after_long_help = SIZE)]
#[command(group(clap::ArgGroup::new("load").required(true).args(["iops", "throughput"])))]
pub(crate) struct SizeArgs {
    /// Load profile: a name from `kneepoint catalog profiles`, or a TOML file
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: String,

    /// Block size instead of the profile's
    #[arg(long, value_name = "SIZE", value_parser = typed::<Bytes>)]
    pub(crate) block: Option<Bytes>,

    /// I/Os per second that the system has to sustain
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) iops: Option<f64>,

    /// MiB/s that the system has to sustain
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) throughput: Option<f64>,

    /// Condition that the response time has to meet, e.g. 'mean<=20ms'
    #[arg(long, value_name = "RULE", value_parser = typed::<Rule>)]
    pub(crate) rule: Rule,

    /// Usable capacity that the system has to have
    #[arg(long, value_name = "SIZE", value_parser = capacity)]
    pub(crate) capacity: Option<Bytes>,

    /// Systems whose controllers are used (default: all; catalog drives are tried on
    /// serveraid-m5025)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Choice")]
    pub(crate) systems: Vec<String>,

    /// Drives of the catalog to use instead of the systems' own, without `drive/`; a number is a
    /// number of drives to use (default: each system's own drive, and all catalog drives)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Choice")]
    pub(crate) drives: Vec<String>,

    /// RAID levels to try
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', default_value = "raid5,raid10",
        value_parser = typed::<RaidLevel>, help_heading = "Choice")]
    pub(crate) raid: Vec<RaidLevel>,

    /// Settings of the controllers' write cache to try
    #[arg(long, value_name = "SETTINGS", value_delimiter = ',', default_value = "off,on",
        value_parser = typed::<WriteCache>, help_heading = "Choice")]
    pub(crate) write_cache: Vec<WriteCache>,

    /// Most drives of a system
    #[arg(long, value_name = "N", default_value_t = 180, help_heading = "Choice",
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) max_drives: u32,

    /// Only what fits into this server: its bays, and the drives that it is offered with
    #[arg(long, value_name = "SERVER", help_heading = "Choice")]
    pub(crate) server: Option<String>,

    /// Share of each drive that holds the data (default: what the capacity needs)
    #[arg(long, value_name = "PERCENT", value_parser = typed::<Percent>, help_heading = "Choice")]
    pub(crate) stroke: Option<Percent>,

    /// Load on top of what is asked for (default: the model's own error)
    #[arg(long, value_name = "PERCENT", value_parser = typed::<Percent>, help_heading = "Choice")]
    pub(crate) margin: Option<Percent>,

    /// Also show what the best candidate sustains at these strokes
    #[arg(long, value_name = "PERCENTS", value_delimiter = ',', value_parser = typed::<Percent>)]
    pub(crate) strokes: Vec<Percent>,

    /// Candidates to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,

    /// Also write the candidates as a page (.html, .md), with what the first of them sustain with
    /// other numbers of drives, and the best at the strokes of the FAStT900 paper unless --strokes
    /// are given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) force: ForceArgs,

    /// Language of the page
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t)]
    pub(crate) language: LanguageChoice,

    /// Threads to simulate on; the result does not depend on them (default: one per CPU)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: Option<u32>,
}

/// A positive number.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err(match in_thousands(text) {
            Some(number) => format!("'{text}' is no positive number; write it in full: {number}"),
            None => format!("'{text}' is no positive number"),
        }),
    }
}

/// Capacity of a storage system at the least.
const CAPACITY_MIN: Bytes = Bytes(1_000_000_000);

/// A capacity that is worth a system.
fn capacity(text: &str) -> Result<Bytes, String> {
    let capacity = typed::<Bytes>(text)?;
    if capacity >= CAPACITY_MIN {
        return Ok(capacity);
    }
    Err(match text.trim().bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("a number alone is bytes; did you mean {}TB?", text.trim()),
        false => format!("{capacity} is less than any drive holds; use at least 1GB"),
    })
}
