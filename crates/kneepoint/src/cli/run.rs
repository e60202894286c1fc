//! The options of `run` and `plan`, and the choices in them.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum, ValueHint};
use kneepoint_core::plan::resolve::{ERRORS_MAX, Extent, SEED, Search, Wishes};
use kneepoint_core::plan::{Arrivals, Caching, Engine, MemoryPages, TypedLoads};
use kneepoint_core::spec::factor::{CombinationOrder, Design, Factor};
use kneepoint_core::spec::grid::Loads;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Rule;
use kneepoint_core::words::units::{Bytes, MIB, Nanos, Percent};
use kneepoint_report::Language;

use super::{ForceArgs, NatsArgs, PageArgs, ReplayArgs, RootArgs, StoreArgs};
use crate::fleet::Hosts;

/// The text of `kneepoint run --help` after the options.
const EXAMPLES: &str = "\
Examples:
  kneepoint run storagebench ./kneepoint.dat --size 8GiB --report report.html
  kneepoint run database /mnt/a/k.dat /mnt/b/k.dat --outstanding 1..64x2 --rule 'p99<=5ms'
  kneepoint run random-read /dev/nvme0n1 --block 4KiB,8KiB --outstanding 1,8,32
  kneepoint run random-write /dev/nvme1n1 --overwrite /dev/nvme1n1=S4EVNX0R
  kneepoint run ./my-profile.toml null: --time 2s
  kneepoint run database 'sim:analytic/mmc?service=5ms&servers=8' --outstanding 1..64x2
  kneepoint run storagebench sim:fastt900 --factor raid=raid5,raid10 --factor write_cache=off,on
  kneepoint run random-read /dev/sdb --factor scheduler=none,mq-deadline --repeat 3
  kneepoint run database a:/data/k.dat b:/data/k.dat --hosts a,b
  kneepoint run trace.log /mnt/a/k.dat --speed 0.5,1,2
  kneepoint run processor cpu: --quick
  kneepoint run business-operations memory: --peak-warehouses 4
  kneepoint run metadata files:/mnt/data/kneepoint --outstanding 1..16x2
  kneepoint run business-operations 'postgres:temp?dir=/data/pg' --report pg.html
  kneepoint run medium-230 'vnc:temp?application=mousepad&cpu=0.2' --users 1..30
  kneepoint run writer-230 'vnc:temp?application=soffice&cpu=0.5' --users 1..30
  kneepoint run medium-230 'vnc://server:5901?meter=server' --users 1..40

A target of I/O is a file (created if missing), a block device, a simulated system (sim:NAME) or
the null target (null:), with --hosts a file or device of a host (HOST:PATH). Outstanding I/Os are
counted per target. Files are created, looked up and deleted in a directory that Kneepoint makes and
removes (files:DIR). Copies of programs work on the processors (cpu:). Business operations are done
in the memory of this machine (memory:), in a running PostgreSQL (postgres://USER@HOST:PORT/DB), or
in one that is started for the run (postgres:temp, with its data in DIR: postgres:temp?dir=DIR).
Users work at screens of sessions that are started for the run (vnc:temp), or of a server that runs
(vnc://HOST:5901, or rdp:// if this program was built with it). With ?meter=HOST behind such a server
the agent on HOST, its machine, tells what users take of it: processors, memory, network; with
?meter=local this process does, for a server on this machine.";

/// Reads a value of the core, with its advice on the same line where it is wrong.
pub(super) fn typed<T: FromStr<Err = Fault>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|fault: Fault| advised(&fault))
}

/// A fault with its advice on the same line.
pub(super) fn advised(fault: &Fault) -> String {
    match fault.fix_hint() {
        Some(fix) => format!("{fault}; {fix}"),
        None => fault.to_string(),
    }
}

/// Bytes of a target of which anything can be measured at the least.
const SIZE_MIN: Bytes = Bytes(MIB);

/// A size of a target that something can be measured on.
pub(super) fn usable_size(text: &str) -> Result<Bytes, String> {
    let size = typed::<Bytes>(text)?;
    if size >= SIZE_MIN {
        return Ok(size);
    }
    let meant = match text.trim().bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("a number alone is bytes: did you mean {}GiB?", text.trim()),
        false => "use several GiB, more than the caches on the way to the device hold".to_owned(),
    };
    Err(format!("{size} is too small to measure anything but a few blocks over and over; {meant}"))
}

/// `kneepoint run`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    #[command(flatten)]
    pub(crate) patience: PatienceArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How a run gets along with other programs.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct PatienceArgs {
    /// Before each point, wait until other programs use at most 5 % of the processor time and leave
    /// the devices of the targets alone; in the whole run at most this long, e.g. 60s
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Trust")]
    pub(crate) wait_quiet: Option<Nanos>,
}

/// The work and how to measure it: shared by `run` and `plan`.
#[derive(Debug, Clone, Args)]
pub(crate) struct MeasureArgs {
    /// Suite or load profile: a name from `kneepoint catalog`, or a TOML file; or a recorded trace
    #[arg(value_name = "SUITE|PROFILE|FILE.toml")]
    pub(crate) work: String,

    /// Files, block devices, sim:NAME[?key=value&...] or null:, HOST:PATH with --hosts; cpu: for copies
    /// of programs; memory:, postgres://USER@HOST:PORT/DB or postgres:temp[?dir=DIR] for business
    /// operations; vnc:temp[?application=PROGRAM&cpu=N], vnc://HOST:PORT or rdp://USER%n@HOST:PORT for users at
    /// screens, with ?meter=HOST if the agent there is to meter what they take of the server
    #[arg(value_name = "TARGET", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) targets: Vec<String>,

    /// Measure on several hosts at once: names of hosts that have joined (`kneepoint hosts`), or that ssh
    /// reaches; local:4 is four agents in this process. A target HOST:PATH is
    /// on that host; others are dealt out to all of them
    #[arg(long, value_name = "HOSTS", value_parser = typed::<Hosts>, help_heading = "Hosts")]
    pub(crate) hosts: Option<Hosts>,

    /// How long a host that is lost is waited for: its point is then measured again, once
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, default_value = "60s",
          requires = "hosts", help_heading = "Hosts")]
    pub(crate) wait_hosts: Nanos,

    #[command(flatten)]
    pub(crate) nats: NatsArgs,

    #[command(flatten)]
    pub(crate) root: RootArgs,

    /// Bytes of each target to use; test files are made this large (default: the suite's, or the
    /// whole target where it exists)
    #[arg(long, value_name = "SIZE", value_parser = usable_size, help_heading = "Load")]
    pub(crate) size: Option<Bytes>,

    /// Block sizes instead of the profile's: one series each
    #[arg(long, value_name = "SIZES", value_parser = typed::<Bytes>, value_delimiter = ',', help_heading = "Load")]
    pub(crate) block: Vec<Bytes>,

    /// Outstanding I/Os per target, or operations on files: a list 1,2,4, a range 1..121, a rising range 1..512x2, rising
    /// (the default: 1, 2, 4 ... 512 until throughput stops rising), or auto to search for the knee
    /// of every rule and the peak
    #[arg(long, visible_aliases = ["queue-depth", "qd"], value_name = "LEVELS", help_heading = "Load")]
    pub(crate) outstanding: Option<String>,

    /// I/Os per second to offer to each target whatever it answers (open loop), instead of
    /// outstanding I/Os: a list, a range, rising, or auto
    #[arg(long, value_name = "RATES", conflicts_with = "outstanding", help_heading = "Load")]
    pub(crate) rate: Option<String>,

    /// Users that work at the same time, for profiles of users: a list, a range, rising, or auto
    #[arg(long, value_name = "LEVELS", conflicts_with_all = ["outstanding", "rate"], help_heading = "Load")]
    pub(crate) users: Option<String>,

    /// Let one more user come each time this has passed, without a break: a point is this time with one number
    /// of users, and logons are part of it
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Load", requires = "users",
        conflicts_with_all = ["time", "accuracy", "min_time", "max_time", "steady_state", "ramp", "repeat"])]
    pub(crate) every: Option<Nanos>,

    /// Warehouses with a thread each, for business operations: a list, a range, auto, or rising (the
    /// default: 1, 2, 3 ... to twice --peak-warehouses, at least 8)
    #[arg(long, value_name = "LEVELS", conflicts_with_all = ["outstanding", "rate", "users"], help_heading = "Load")]
    pub(crate) warehouses: Option<String>,

    /// Copies of a program, each a process on one processor in turn: a list, a range, auto, or rising (the
    /// default: from 1 to two for each processor)
    #[arg(long, value_name = "LEVELS", conflicts_with_all = ["outstanding", "rate", "users", "warehouses"], help_heading = "Load")]
    pub(crate) copies: Option<String>,

    /// Warehouses at which business operations are expected to be fastest: the score is the mean
    /// from there to twice as many (default: the processors that may be used)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2048), help_heading = "Load")]
    pub(crate) peak_warehouses: Option<u32>,

    /// The general form of --outstanding, --rate, --users, --warehouses and --copies: load levels in the
    /// unit that the profile has anyway
    #[arg(long, value_name = "LEVELS", conflicts_with_all = ["outstanding", "rate", "users", "warehouses", "copies"], help_heading = "Load")]
    pub(crate) load: Option<String>,

    /// Spacing of the I/Os that --rate offers
    #[arg(long, value_enum, default_value_t, help_heading = "Load")]
    pub(crate) arrivals: ArrivalsChoice,

    /// Response-time condition to read results off at, e.g. 'mean<=20ms', of one class
    /// 'write.p99<=5ms', against another load 'mean<=2x@5' (twice the mean at load 5) or
    /// 'mean<=+100ms@5' (100 ms more than that; may be repeated; default: the suite's, or by the class of the target: mean<=15ms and mean<=20ms on
    /// disks that rotate, p99<=1ms and p99<=2ms on flash and memory)
    #[arg(long, value_name = "RULE", value_parser = typed::<Rule>, help_heading = "Load")]
    pub(crate) rule: Vec<Rule>,

    /// Stored run of the same work whose response times stand in place of those at another load that rules refer
    /// to ('mean<=2x@5'): its id, label, or `last`. They are not measured again
    #[arg(long, value_name = "RUN", help_heading = "Load")]
    pub(crate) reference: Option<String>,

    /// Measure each point until the 95 % confidence intervals of IO/s and of the mean response
    /// time are within this share of the mean, and neither drifts by more than twice as much
    /// (default: 5%)
    #[arg(long, value_name = "PERCENT", value_parser = typed::<Percent>, help_heading = "Time")]
    pub(crate) accuracy: Option<Percent>,

    /// Shortest time to measure at each point, after the ramp (default: 2s)
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Time")]
    pub(crate) min_time: Option<Nanos>,

    /// Longest time to measure at each point, whether the accuracy is reached or not (default: 30s)
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Time")]
    pub(crate) max_time: Option<Nanos>,

    /// Measure each point for exactly this time after the ramp, whatever the accuracy
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Time",
        conflicts_with_all = ["accuracy", "min_time", "max_time"])]
    pub(crate) time: Option<Nanos>,

    /// Measure each point in rounds of this length until the last five are steady (IO/s within
    /// 20 % of their mean, their trend within 10 %), at most 25 rounds: for flash, with rounds of
    /// 60s
    #[arg(long, value_name = "ROUND", value_parser = typed::<Nanos>, help_heading = "Time",
        conflicts_with_all = ["accuracy", "min_time", "max_time", "time"])]
    pub(crate) steady_state: Option<Nanos>,

    /// Warm-up of each point, before anything counts; the data can make it longer, but not with
    /// --time (default: 500ms, with --time 1s)
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, help_heading = "Time")]
    pub(crate) ramp: Option<Nanos>,

    /// Measure everything N times, in an order drawn from the seed, and report the variation
    /// between the repetitions (default: the suite's, or 1; of copies of programs 3, and more until
    /// --accuracy is reached, at most 12, with --quick 5)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Time")]
    pub(crate) repeat: Option<u32>,

    /// Measure everything at each of these levels of a setting (may be repeated): scheduler,
    /// read_ahead, nr_requests, write_cache, kernel_flushes, cgroup.read_iops, cgroup.write_iops,
    /// cgroup.read_bps, cgroup.write_bps of the devices under the targets; cgroup.cpu_quota (the time of
    /// that many processors: 0.5, 2, max) and frequency (1.8GHz) also of cpu: and memory:, cpus (how many)
    /// of cpu:. All are put back at the end. Of simulated systems any parameter: raid, drives, param.NAME;
    /// of a PostgreSQL that runs what a session may set, and by ALTER SYSTEM, put back at the end, what the
    /// server reads again while it runs (max_wal_size; needs a superuser); of postgres:temp any setting.
    /// Settings of your own need a suite
    #[arg(long, value_name = "NAME=LEVELS", value_parser = typed::<Factor>, help_heading = "Factors")]
    pub(crate) factor: Vec<Factor>,

    /// Which combinations of levels: full, or one-at-a-time (default: the suite's, or full)
    #[arg(long, value_name = "DESIGN", value_parser = typed::<Design>, help_heading = "Factors")]
    pub(crate) design: Option<Design>,

    /// Order of the combinations: random, blocked by repetition, or as-written (default: the
    /// suite's, or random)
    #[arg(long, value_name = "ORDER", value_parser = typed::<CombinationOrder>, help_heading = "Factors")]
    pub(crate) order: Option<CombinationOrder>,

    /// A first impression: fewer load levels, 10 % accuracy, half a second to 2 seconds per point
    #[arg(long, help_heading = "Time")]
    pub(crate) quick: bool,

    /// Before the first point, write every target twice from end to end, then at random until
    /// steady state, as flash needs it; takes long and wears the drive (`kneepoint plan` says how
    /// much). The run itself must write, too
    #[arg(long, help_heading = "Load")]
    pub(crate) precondition: bool,

    #[command(flatten)]
    pub(crate) trace: ReplayArgs,

    /// Verify all data: the targets are written from end to end first, each block then says when it was
    /// written, and what is read must be what was written last. Afterwards `kneepoint verify` looks at all
    /// of it. The journal is beside the target, or of a device beside the store
    #[arg(long, help_heading = "Trust")]
    pub(crate) verify: bool,

    /// How I/O is issued; auto takes the best that works
    #[arg(long, value_enum, default_value_t, help_heading = "Engine")]
    pub(crate) engine: EngineChoice,

    /// Go through the page cache instead of past it
    #[arg(long, help_heading = "Engine")]
    pub(crate) buffered: bool,

    /// Keep the buffers of I/Os in huge pages of memory (2 MiB), as databases can be told to. Large I/Os are
    /// faster then where the device is fast; without it they lie in small ones, as with other tools
    #[arg(long, help_heading = "Engine")]
    pub(crate) huge_pages: bool,

    /// Threads that drive the load, several of them on a CPU each (default: one per target, at most
    /// one per CPU)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Engine")]
    pub(crate) workers: Option<u32>,

    /// Seed of all randomness; the same plan and seed issue the same I/Os
    #[arg(long, value_name = "N", default_value_t = SEED, help_heading = "Engine")]
    pub(crate) seed: u64,

    /// A point with more failed I/Os than this ends at once, and the run fails
    #[arg(long, value_name = "N", default_value_t = ERRORS_MAX, help_heading = "Safety")]
    pub(crate) max_errors: u64,

    /// Mark every point as disturbed while whose measurement other programs used more than this
    /// share of the machine's processor time, by at least that share. Without it, and below it, a
    /// point is disturbed only as far as its work had to wait for other programs (default: 5% for
    /// copies of programs, business operations and operations on files)
    #[arg(long, value_name = "PERCENT", value_parser = typed::<Percent>, help_heading = "Trust")]
    pub(crate) max_foreign_cpu: Option<Percent>,

    /// Permit writing to exactly this target although Kneepoint did not make it; its data is
    /// lost. A device that carries a recognised signature needs its serial or UUID as well
    #[arg(long, value_name = "TARGET[=SERIAL|UUID]", help_heading = "Safety")]
    pub(crate) overwrite: Vec<String>,
}

impl MeasureArgs {
    /// The wishes, as typed values.
    ///
    /// # Errors
    /// When load levels can't be read.
    pub(crate) fn wishes(&self, search: Search) -> Result<Wishes, Fault> {
        let parsed =
            |text: &Option<String>, unit| text.as_ref().map(|text| Loads::parse(text, unit));
        let loads = parsed(&self.outstanding, LoadUnit::OutstandingIos)
            .or_else(|| parsed(&self.rate, LoadUnit::OfferedIops))
            .or_else(|| parsed(&self.users, LoadUnit::Users))
            .or_else(|| parsed(&self.warehouses, LoadUnit::Warehouses))
            .or_else(|| parsed(&self.copies, LoadUnit::Copies))
            .transpose()?;
        let of_any_unit = self.load.clone().map(TypedLoads::OfAnyUnit);
        if let Some(every) = self.every {
            check_ramp(every, loads.as_ref())?;
        }
        Ok(Wishes {
            size: self.size,
            blocks: self.block.clone(),
            loads: loads.map(TypedLoads::Of).or(of_any_unit),
            peak_warehouses: self.peak_warehouses,
            arrivals: self.arrivals.into(),
            rules: self.rule.clone(),
            accuracy: self.accuracy,
            min_time: self.min_time,
            max_time: self.max_time,
            time: self.time.or(self.every),
            steady_state: self.steady_state,
            ramp: self.ramp.or(self.every.map(|_| Nanos::ZERO)),
            repeat: self.repeat,
            factors: self.factor.clone(),
            design: self.design,
            order: self.order,
            search,
            extent: if self.quick { Extent::Quick } else { Extent::Whole },
            is_preconditioned: self.precondition,
            trace: self.trace.wishes(),
            is_verified: self.verify,
            engine: self.engine.engine(),
            caching: if self.buffered { Caching::Buffered } else { Caching::Direct },
            memory_pages: if self.huge_pages { MemoryPages::Huge } else { MemoryPages::Small },
            workers: self.workers,
            seed: self.seed,
            errors_max: self.max_errors,
            foreign_cpu_max: self.max_foreign_cpu,
            // It is in the store, which is opened once the rest is known to be right.
            reference: None,
        })
    }
}

/// Refuses a ramp in which not one user comes after the other.
fn check_ramp(every: Nanos, loads: Option<&Loads>) -> Result<(), Fault> {
    let levels = match loads {
        Some(Loads::Grid(grid, _)) => &grid.levels[..],
        _ => &[],
    };
    let is_one_more = levels.len() > 1 && levels.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
    match is_one_more {
        true => Ok(()),
        false => Err(Fault::new(format!("with --every {every} one user comes after the other"))
            .because("these --users are no range without gaps")
            .fix("write it as --users 1..40")),
    }
}

/// Where results go.
#[derive(Debug, Clone, Args)]
pub(crate) struct OutputArgs {
    /// Your own name for the run
    #[arg(long, value_name = "TEXT", default_value = "", value_parser = super::label, help_heading = "Store and output")]
    pub(crate) label: String,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Write the report when done; the ending names the format (.html, .md, .pdf)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Store and output")]
    pub(crate) report: Option<PathBuf>,

    /// Language of the report
    #[arg(
        long,
        value_enum,
        value_name = "LANGUAGE",
        default_value_t,
        help_heading = "Store and output"
    )]
    pub(crate) language: LanguageChoice,

    /// Write the result as JSON when done (schema kneepoint.run/2); `-` prints it instead of the
    /// tables
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Store and output")]
    pub(crate) json: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) force: ForceArgs,
}

/// The engine, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum EngineChoice {
    /// The best that works: io_uring, libaio, sync
    #[default]
    Auto,
    /// The kernel's submission and completion rings
    #[value(name = "io_uring", alias = "io-uring", alias = "uring")]
    IoUring,
    /// io_uring with a kernel thread that polls for submissions: spends a CPU to save system calls
    #[value(name = "io_uring_sqpoll")]
    IoUringSqPoll,
    /// io_uring that polls the device for completions instead of being interrupted: direct I/O on
    /// NVMe drives with poll queues
    #[value(name = "io_uring_iopoll")]
    IoUringIoPoll,
    /// Linux native asynchronous I/O
    Libaio,
    /// pread and pwrite, one thread per outstanding I/O
    Sync,
}

impl EngineChoice {
    /// The engine that was asked for; `None` for the best.
    pub(crate) const fn engine(self) -> Option<Engine> {
        match self {
            Self::Auto => None,
            Self::IoUring => Some(Engine::IoUring),
            Self::IoUringSqPoll => Some(Engine::IoUringSqPoll),
            Self::IoUringIoPoll => Some(Engine::IoUringIoPoll),
            Self::Libaio => Some(Engine::Libaio),
            Self::Sync => Some(Engine::Sync),
        }
    }
}

/// The spacing of arrivals, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ArrivalsChoice {
    /// Exponentially distributed, as many independent users make it
    #[default]
    Exponential,
    /// Always the same time apart
    Constant,
}

impl From<ArrivalsChoice> for Arrivals {
    fn from(choice: ArrivalsChoice) -> Self {
        match choice {
            ArrivalsChoice::Exponential => Self::Exponential,
            ArrivalsChoice::Constant => Self::Constant,
        }
    }
}

/// The language of a report, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum LanguageChoice {
    /// English
    #[default]
    #[value(name = "en", alias = "english")]
    English,
    /// German
    #[value(name = "de", aliases = ["german", "deutsch"])]
    German,
}

impl LanguageChoice {
    /// The language that is meant.
    pub(crate) const fn language(self) -> Language {
        match self {
            Self::English => Language::English,
            Self::German => Language::German,
        }
    }
}
