//! The options of `trace`, and those of `run` that are for traces.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use kneepoint_core::plan::resolve::TraceWishes;
use kneepoint_core::spec::trace::{TraceEvent, TraceFit, TracePart};
use kneepoint_core::words::units::Nanos;

use super::ForceArgs;
use super::run::typed;

/// The text of `kneepoint trace --help` after the options.
const EXAMPLES: &str = "\
Examples:
  kneepoint trace describe hm_1.csv
      sizes, mix, times, footprint and working set of a trace
  kneepoint trace describe hm_1.csv -o hm.toml
      the same, and a load profile that resembles it, with how well
  kneepoint trace record /dev/sdb -o sdb.blktrace --time 600s
      ten minutes of what a device gets, with blktrace (as root)
  zcat trace.gz | kneepoint trace describe -
      a trace from standard input
  kneepoint run hm_1.csv ./k.dat --speed 0.5,1,2
      the trace itself on a file, at half, once and twice its own rate
  kneepoint knee hm_1.csv ./k.dat --rule 'p99<=5ms'
      the highest rate at which the trace meets a rule

Read are I/O logs of fio (versions 2 and 3), the CSV of MSR Cambridge and of the SPC, the ASCII of DiskSim,
the text of blkparse and the binaries of blktrace. The content tells what a file is.";

/// `kneepoint trace`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: TraceCommand,
}

/// What is done with a trace.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Print what is in a trace: sizes, mix, times, where its I/Os go, footprint and working set
    Describe(DescribeArgs),
    /// Record the I/Os of a block device with blktrace; needs root, and writes nothing to the device
    Record(RecordArgs),
}

/// `kneepoint trace record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// The block device
    #[arg(value_name = "DEVICE", value_hint = ValueHint::FilePath)]
    pub(crate) device: PathBuf,
    /// File to write, which must not exist yet; not on that device, or its own writes are recorded
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// How long to record, in whole seconds; an interrupt ends it before
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, default_value = "60s")]
    pub(crate) time: Nanos,
}

/// `kneepoint trace describe`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct DescribeArgs {
    /// The trace; `-` reads standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Write a load profile that resembles the trace, and print how well (.toml)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) part: PartArgs,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
}

/// The part of a trace that is used.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PartArgs {
    /// Leave out what the trace has before this time, counted from its first I/O
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Traces")]
    pub(crate) trace_from: Option<Nanos>,

    /// Leave out what the trace has from this time on
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Traces")]
    pub(crate) trace_until: Option<Nanos>,

    /// Of traces of the kernel, whose I/Os have several events: which one counts
    #[arg(long, value_enum, default_value_t, help_heading = "Traces")]
    pub(crate) events: EventChoice,
}

impl PartArgs {
    /// The part.
    pub(crate) fn part(self) -> TracePart {
        TracePart {
            from: self.trace_from.unwrap_or_default(),
            until: self.trace_until,
            event: match self.events {
                EventChoice::Issued => TraceEvent::Issued,
                EventChoice::Queued => TraceEvent::Queued,
            },
        }
    }
}

/// How a trace is replayed.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReplayArgs {
    /// Replay a trace at these multiples of its own rate, its bursts and pauses with it: a list such
    /// as 0.5,1,2 (default: 1). With --rate the rate itself, with --outstanding a closed loop
    #[arg(long, value_name = "FACTORS", value_parser = speed, value_delimiter = ',', help_heading = "Traces",
        conflicts_with_all = ["outstanding", "rate", "users", "warehouses", "copies", "load"])]
    pub(crate) speed: Vec<f64>,

    /// How the addresses of a trace come onto a target of another size
    #[arg(long, value_enum, default_value_t, help_heading = "Traces")]
    pub(crate) fit: FitChoice,

    #[command(flatten)]
    pub(crate) part: PartArgs,
}

impl ReplayArgs {
    /// What is asked of a trace.
    pub(super) fn wishes(&self) -> TraceWishes {
        TraceWishes {
            part: self.part.part(),
            fit: match self.fit {
                FitChoice::Modulo => TraceFit::Modulo,
                FitChoice::Scale => TraceFit::Scale,
            },
            speeds: self.speed.clone(),
        }
    }
}

/// A multiple of the rate of a trace.
fn speed(text: &str) -> Result<f64, String> {
    let usable = |speed: &f64| (0.001..=1000.0).contains(speed);
    text.trim().parse().ok().filter(usable).ok_or_else(|| {
        "a multiple of the trace's own rate from 0.001 to 1000, such as 2 for twice as fast"
            .to_owned()
    })
}

/// Which event of an I/O counts, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum EventChoice {
    /// It was handed to the device (D)
    #[default]
    Issued,
    /// A program asked for it (Q)
    Queued,
}

/// How addresses come onto a target, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FitChoice {
    /// The remainder by the size of the target: what is sequential stays so
    #[default]
    Modulo,
    /// Times the ratio of the sizes: what is spread over the device stays so
    Scale,
}
