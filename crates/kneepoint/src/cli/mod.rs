//! The command line, as typed: the one source of help, man page and completions.

mod convert;
mod desktop;
#[cfg(test)]
mod documented;
mod fleet;
mod live;
mod run;
mod simulate;
mod trace;
mod verify;

pub(crate) use convert::ConvertArgs;
pub(crate) use desktop::{
    GuardAccountsArgs, GuardDesktopsArgs, ProtocolChoice, RecordScriptArgs, SessionsArgs,
    SessionsCommand, StartSessionsArgs, StopSessionsArgs,
};
pub(crate) use fleet::{
    AgentArgs, GuardArgs, HostsArgs, HostsCommand, JoinArgs, ManifestArgs, NatsArgs, RootArgs,
};
pub(crate) use live::LiveArgs;
pub(crate) use run::{LanguageChoice, MeasureArgs, OutputArgs, PatienceArgs, RunArgs};
pub(crate) use simulate::{CalibrateArgs, SizeArgs, ValidateArgs};
pub(crate) use trace::{DescribeArgs, RecordArgs, ReplayArgs, TraceArgs, TraceCommand};
pub(crate) use verify::VerifyArgs;

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Effects, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use kneepoint_core::analysis::comparison::Condition;
use kneepoint_core::result::RunState;
use kneepoint_core::words::rule::Rule;
use kneepoint_report::page::Detail;
use kneepoint_store::check_label;

use crate::output::text::Page;
use run::typed;

/// The text of `kneepoint --help` before the commands.
const ABOUT: &str = "\
Measures storage: raises the load until the response time gives way, finds the highest load that \
can be sustained, and writes the performance report.";

/// The text of `kneepoint --help` after the options.
const EXAMPLES: &str = "\
First steps:
  kneepoint run storagebench ./kneepoint.dat --size 8GiB --report report.html
      the five standard load profiles on an 8 GiB test file, with a report at the end
  kneepoint plan storagebench ./kneepoint.dat --size 8GiB
      what that would do and how long it takes; touches nothing
  kneepoint run database ./kneepoint.dat --outstanding 1,4,16 --time 10s
      one load profile at three load levels
  kneepoint catalog
      all load profiles, suites and simulated systems
  kneepoint inspect /dev/sdb
      what is known of a device, and whether it may be written
  kneepoint size --profile database --iops 5000 --rule 'mean<=20ms' --capacity 4TB
      which simulated systems sustain that load, with as few drives as it takes

Writing is safe by default: Kneepoint writes only to files that it made itself. A device or any
other file is written only where --overwrite names exactly that target.

Exit codes: 0 done, 1 a check or a point failed, 2 wrong usage or environment.";

/// The storage performance lab.
#[derive(Debug, Parser)]
#[command(
    name = "kneepoint",
    version,
    long_version = env!("KNEEPOINT_VERSION"),
    about = "The storage performance lab",
    long_about = ABOUT,
    after_help = "See `kneepoint run --help` for measuring; `kneepoint --help` for examples.",
    after_long_help = EXAMPLES,
    styles = STYLES,
    max_term_width = 100,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure: lay out the target, drive it at rising load, keep every point, report
    Run(Box<RunArgs>),
    /// Show what run would do: points, bytes written, time; touches nothing
    Plan(Box<PlanArgs>),
    /// Search the highest load that meets each rule, with as few points as it takes
    Knee(Box<RunArgs>),
    /// Measure what an interrupted run lacks, with its own plan and seed
    Resume(ResumeArgs),
    /// List the stored runs
    Runs(RunsArgs),
    /// Show the tables of a stored run
    Show(ShowArgs),
    /// Show stored runs side by side: what differs, by how much, and whether it could be chance
    Compare(CompareArgs),
    /// Write the report on a stored run, or on several side by side
    Report(ReportArgs),
    /// Write a stored run as JSON or CSV
    Export(ExportArgs),
    /// Take a run from a JSON file, or all runs of another store, into the store
    Import(ImportArgs),
    /// Turn jobs of Iometer, fio and vdbench into profiles and suites, and these into jobs
    Convert(ConvertArgs),
    /// Tell what is in a recorded trace, or record one
    Trace(TraceArgs),
    /// Give a stored run another label
    Label(LabelArgs),
    /// Delete a stored run
    Delete(DeleteArgs),
    /// List the load profiles, suites and simulated systems, or show one
    Catalog(CatalogArgs),
    /// Simulate published measurements and print how far the simulated systems are from them
    Validate(ValidateArgs),
    /// Find simulated systems that sustain a load, with as few drives as it takes
    Size(Box<SizeArgs>),
    /// Fit a simulated system to measurements and write its file
    Calibrate(Box<CalibrateArgs>),
    /// Tell what is known of a target, and whether it may be written and why not
    Inspect(InspectArgs),
    /// Check the data that a run with --verify wrote
    Verify(VerifyArgs),
    /// Serve as an agent of a fleet: measure on this host what its controller asks, if it is allowed here
    Agent(AgentArgs),
    /// The hosts of a fleet: let one join, list them, remove one
    Hosts(HostsArgs),
    /// Desktop sessions on this machine, for runs from elsewhere and for recording: start them, stop them
    Sessions(SessionsArgs),
    /// Record a script for users at screens: what you do with a viewer, and where the screen answers
    Record(RecordScriptArgs),
    /// Run the server of a fleet for as long as standard input is open
    #[command(name = kneepoint_net::GUARD, hide = true)]
    GuardServer(GuardArgs),
    /// Run a database server for as long as standard input is open
    #[command(name = kneepoint_server::postgres::GUARD, hide = true)]
    GuardDatabase(GuardDatabaseArgs),
    /// Run desktop sessions for as long as standard input is open
    #[command(name = kneepoint_server::desktop::GUARD, hide = true)]
    GuardDesktops(GuardDesktopsArgs),
    /// Keep accounts with desktop sessions for as long as standard input is open
    #[command(name = kneepoint_server::desktop::ACCOUNTS_GUARD, hide = true)]
    GuardAccounts(GuardAccountsArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
}

/// `kneepoint guard-database`.
#[derive(Debug, Args)]
pub(crate) struct GuardDatabaseArgs {
    /// Folder with the programs of the server
    pub(crate) programs: PathBuf,
    /// Folder in which that of the server is made
    pub(crate) parent: PathBuf,
    /// Settings of the server: NAME=VALUE
    pub(crate) settings: Vec<String>,
}

/// Where runs are kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArgs {
    /// File that runs are stored in
    #[arg(
        long,
        value_name = "FILE",
        env = "KNEEPOINT_STORE",
        default_value = "kneepoint.db",
        value_hint = ValueHint::FilePath,
        help_heading = "Store and output"
    )]
    pub(crate) store: PathBuf,
}

/// Which files outputs may replace.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ForceArgs {
    /// Let outputs replace files that Kneepoint did not write, but no store
    #[arg(long, help_heading = "Store and output")]
    pub(crate) force: bool,
}

/// A label, as typed.
fn label(text: &str) -> Result<String, String> {
    check_label(text).map(|()| text.to_owned()).map_err(|fault| run::advised(&fault))
}

/// How wide tables may become.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PageArgs {
    /// Print every column of the tables and every name in full, however narrow the terminal is
    #[arg(long, help_heading = "Store and output")]
    pub(crate) wide: bool,
}

impl PageArgs {
    /// The page on standard output.
    pub(crate) fn page(self) -> Page {
        if self.wide { Page::WIDE } else { Page::of_output() }
    }
}

/// `kneepoint plan`.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// Print the resolved plan as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) page: PageArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// A stored run, by name.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunRef {
    /// Run id (or its beginning), label, or `last`
    #[arg(value_name = "RUN", default_value = "last")]
    pub(crate) run: String,
}

/// `kneepoint resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    pub(crate) run: RunRef,
    /// Put back the settings that a run left changed when it was killed, and measure nothing
    #[arg(long, help_heading = "Factors")]
    pub(crate) restore: bool,
    /// Suite whose commands set the run's factors: a run never starts commands from the store
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath, help_heading = "Factors")]
    pub(crate) commands: Option<PathBuf>,
    /// Measure the disturbed points again, of a complete run too, and replace them
    #[arg(long, conflicts_with = "restore")]
    pub(crate) disturbed: bool,
    /// Take a run up that another host or container began and no longer measures
    #[arg(long)]
    pub(crate) abandoned: bool,
    /// Permit writing to exactly this target, as for `run`
    #[arg(long, value_name = "TARGET[=SERIAL|UUID]", help_heading = "Safety")]
    pub(crate) overwrite: Vec<String>,
    #[command(flatten)]
    pub(crate) nats: NatsArgs,
    #[command(flatten)]
    pub(crate) root: RootArgs,
    #[command(flatten)]
    pub(crate) patience: PatienceArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// `kneepoint show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) run: RunRef,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Print the run as JSON instead of tables (schema kneepoint.run/2)
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// How much a report shows, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum DetailChoice {
    /// The first page, and how far it can be trusted
    Summary,
    /// Everything; details are folded
    #[default]
    Standard,
    /// Everything, with all of it open
    Full,
}

impl DetailChoice {
    /// The detail that is meant.
    pub(crate) const fn detail(self) -> Detail {
        match self {
            Self::Summary => Detail::Summary,
            Self::Standard => Detail::Standard,
            Self::Full => Detail::Full,
        }
    }
}

/// `kneepoint report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Run ids (or their beginnings), labels, or `last`; of several the first is the reference of
    /// a comparison
    #[arg(value_name = "RUN", default_value = "last", num_args = 1..=26)]
    pub(crate) runs: Vec<String>,
    /// Compare runs whose load profiles differ, and say how they do
    #[arg(long)]
    pub(crate) different_profiles: bool,
    /// Compare nothing: tell of each run in its chapter, behind one first page, as of the parts of a
    /// campaign
    #[arg(long, conflicts_with = "different_profiles")]
    pub(crate) chapters: bool,
    /// File to write; the ending names the format (.html, .md, .pdf)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Language of the report
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value_t)]
    pub(crate) language: LanguageChoice,
    /// How much is shown: summary is the first page and how far it can be trusted; standard folds
    /// the method, the environment and the tables of every point (an appendix on paper); full opens
    /// them
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t)]
    pub(crate) detail: DetailChoice,
    /// Folder that gets every figure as .svg and its data as .csv; it is made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) figures: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// `kneepoint export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) run: RunRef,
    /// File to write; the ending names the format: .json, .csv, .parquet, .hlog, .fio.json,
    /// .iometer.csv, .vdbench.html; `-` prints JSON, with --intervals CSV
    #[arg(short, long, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
    /// Format, whatever the ending of the file is
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<ExportFormat>,
    /// Write each point to its own file in the format of fio, in a folder for each series below the folder
    /// that -o names: what fio-plot draws
    #[arg(long, conflicts_with_all = ["intervals", "histograms"])]
    pub(crate) each_point: bool,
    /// One row per interval of about a second instead of one per point: rate, and mean, median,
    /// 99th percentile and maximum of the response time, of all I/Os, reads and writes (CSV)
    #[arg(long, conflicts_with = "histograms")]
    pub(crate) intervals: bool,
    /// Add the response times of every point in full: pairs of microseconds and count (JSON)
    #[arg(long)]
    pub(crate) histograms: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

kneepoint_core::named! {
    /// A format that runs are exported in, as typed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
    pub(crate) enum ExportFormat {
        /// The whole run as Kneepoint keeps it
        Json = "json",
        /// A row per point or interval
        Csv = "csv",
        /// The same rows in a file for data frames
        Parquet = "parquet",
        /// A log of histograms that tools around HdrHistogram read
        Hlog = "hlog",
        /// The JSON of fio: a job per point
        Fio = "fio",
        /// The result file of Iometer 1.1.0
        Iometer = "iometer",
        /// The flat file of vdbench
        Vdbench = "vdbench",
    }
}

/// `kneepoint import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// JSON file that `run --json` or `export` wrote, or another store, all runs of which are taken; or a
    /// result of fio (JSON), Iometer (CSV) or vdbench (flat file), several of which become one run
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// A name for the run of another tool
    #[arg(long, value_name = "TEXT", value_parser = label, default_value = "", hide_default_value = true)]
    pub(crate) label: String,
    /// Response-time condition to read results of another tool off at, e.g. 'mean<=5ms' (may be repeated;
    /// default: mean<=15ms and mean<=20ms)
    #[arg(long, value_name = "RULE", value_parser = typed::<Rule>)]
    pub(crate) rule: Vec<Rule>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// `kneepoint runs`.
#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    /// Only runs of the suites or profiles with this text in their names
    #[arg(long, value_name = "TEXT", help_heading = "Choice")]
    pub(crate) work: Option<String>,
    /// Only runs with this text in the name of a target
    #[arg(long, value_name = "TEXT", help_heading = "Choice")]
    pub(crate) target: Option<String>,
    /// Only runs with this text in their labels
    #[arg(long, value_name = "TEXT", help_heading = "Choice")]
    pub(crate) label: Option<String>,
    /// Only runs in this state
    #[arg(long, value_enum, value_name = "STATE", help_heading = "Choice")]
    pub(crate) state: Option<StateChoice>,
    /// Only runs that started since then: a day (2026-11-21, in UTC), a time, or how long ago (7d,
    /// 12h)
    #[arg(long, value_name = "WHEN", help_heading = "Choice")]
    pub(crate) since: Option<String>,
    /// Print the list as JSON
    #[arg(long, help_heading = "Store and output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) page: PageArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

kneepoint_core::named! {
    /// The state of a run, as typed and as listed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
    pub(crate) enum StateChoice {
        /// Everything was measured
        Complete = "complete",
        /// Stopped before its end
        Interrupted = "interrupted",
        /// Ended by errors
        Failed = "failed",
        /// Being measured now
        Running = "running",
        /// Begun on another host, where it may still go on
        Elsewhere = "elsewhere",
    }
}

impl StateChoice {
    /// The state in words.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Elsewhere => "running on another host, or interrupted",
            other => other.name(),
        }
    }
}

impl From<RunState> for StateChoice {
    fn from(state: RunState) -> Self {
        match state {
            RunState::Complete => Self::Complete,
            RunState::Interrupted => Self::Interrupted,
            RunState::Failed => Self::Failed,
        }
    }
}

/// `kneepoint label`.
#[derive(Debug, Args)]
pub(crate) struct LabelArgs {
    /// Run id (or its beginning), label, or `last`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The new label; '' takes the label away
    #[arg(value_name = "TEXT", value_parser = label)]
    pub(crate) label: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// `kneepoint delete`.
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// Whole run id, label of one run, or `last`; a part of an id is not enough
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Delete a run that another host or container began and no longer measures
    #[arg(long)]
    pub(crate) abandoned: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// `kneepoint catalog`.
#[derive(Debug, Args)]
pub(crate) struct CatalogArgs {
    /// `profiles`, `suites`, `systems`, `drives`, `parameters`, or the name of one of them
    #[arg(value_name = "KIND|NAME", num_args = 0..=2)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// `kneepoint inspect`.
#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// File or block device to look at; it is only read
    #[arg(value_name = "TARGET", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) targets: Vec<PathBuf>,
    /// Judge as if `run` were given this permission to overwrite
    #[arg(long, value_name = "TARGET[=SERIAL|UUID]")]
    pub(crate) overwrite: Vec<String>,
}

/// `kneepoint completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

/// The text of `kneepoint compare --help` after the options.
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

With --live the two names are targets, not runs: both are measured by turns, visit by visit, until
the difference at each load is decided: beyond chance, or so small that it does not matter (--band).
What changes slowly on the machine meets both alike. Both runs are stored.

Examples:
  kneepoint compare before after
  kneepoint compare --live /mnt/a/k.dat /mnt/b/k.dat --work random-read --outstanding 1,16
  kneepoint compare before last --fail-if 'sustained.iops < -5%' --junit gate.xml
  kneepoint compare before last --fail-if 'database/*: latency.mean +10%' --fail-if 'iops -5%'

Exit codes: 0 done, 1 a condition failed or is undecided, 2 wrong usage, or runs that cannot be compared.";

/// `kneepoint compare`.
#[derive(Debug, Args)]
#[command(after_long_help = COMPARE)]
pub(crate) struct CompareArgs {
    /// Run ids (or their beginnings), labels, or `last`; with --live two targets. The first is the
    /// reference
    #[arg(value_name = "RUN", required = true, num_args = 2..=26)]
    pub(crate) runs: Vec<String>,

    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Print every load as well
    #[arg(long)]
    pub(crate) points: bool,

    /// Compare runs whose load profiles differ, and say how they do
    #[arg(long)]
    pub(crate) different_profiles: bool,

    /// Fail (exit code 1) where this is shown, e.g. 'sustained.iops < -5%' (may be repeated)
    #[arg(long, value_name = "CONDITION", value_parser = typed::<Condition>, help_heading = "Gate")]
    pub(crate) fail_if: Vec<Condition>,

    /// Fail wherever a condition cannot be told, even if it can be told elsewhere
    #[arg(long, requires = "fail_if", help_heading = "Gate")]
    pub(crate) fail_if_undecided: bool,

    /// Accept a condition that can be told nowhere, which fails otherwise
    #[arg(long, requires = "fail_if", conflicts_with = "fail_if_undecided", help_heading = "Gate")]
    pub(crate) allow_undecided: bool,

    /// Write the outcome of every condition to this file, as JUnit XML
    #[arg(long, value_name = "FILE", requires = "fail_if", value_hint = ValueHint::FilePath,
        help_heading = "Gate")]
    pub(crate) junit: Option<PathBuf>,

    /// Write the comparison as JSON (schema kneepoint.compare/1); `-` prints it instead of tables
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        help_heading = "Store and output")]
    pub(crate) json: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) force: ForceArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// Bold headings, green literals, as the field's tools have them.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Cyan.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());
