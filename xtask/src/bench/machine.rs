//! The machine that the numbers are of, the programs on its PATH, and what Kneepoint costs on it
//! besides I/O: the time to start, processor time, and memory.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::Context;
use jiff::Zoned;
use serde_json::{Value, json};

use super::case::BenchTarget;
use super::round::{Bench, median};
use super::tool::Programs;

/// The machine and the versions that a table of results names.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) cpu: String,
    pub(super) cores: usize,
    pub(super) kernel: String,
    pub(super) fio: String,
    pub(super) kneepoint: String,
    pub(super) date: String,
}

impl Machine {
    /// This machine, now.
    pub(super) fn here(programs: &Programs) -> anyhow::Result<Self> {
        let cpu_info = fs::read_to_string("/proc/cpuinfo").context("/proc/cpuinfo")?;
        let kernel = "/proc/sys/kernel/osrelease";
        Ok(Self {
            cpu: cpu_model(&cpu_info).unwrap_or("unknown CPU").to_owned(),
            cores: available_parallelism().context("number of cores")?.get(),
            kernel: fs::read_to_string(kernel).context(kernel)?.trim().to_owned(),
            fio: version(&programs.fio)?,
            kneepoint: version(&programs.kneepoint)?,
            date: Zoned::now().date().to_string(),
        })
    }

    /// One line.
    pub(super) fn line(&self) -> String {
        let Self { cpu, cores, kernel, fio, kneepoint, date } = self;
        format!("{cpu}, {cores} cores, Linux {kernel}, {fio}, {kneepoint}, {date}")
    }

    /// For tracking.
    pub(super) fn json(&self) -> Value {
        let Self { cpu, cores, kernel, fio, kneepoint, date } = self;
        json!({
            "cpu": cpu, "cores": cores, "kernel": kernel, "fio": fio, "kneepoint": kneepoint,
            "date": date,
        })
    }
}

/// The name of the first CPU; not every architecture gives one.
fn cpu_model(cpu_info: &str) -> Option<&str> {
    let mut lines = cpu_info.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == "model name").map(|(_, name)| name.trim())
}

#[test]
fn the_cpu_has_a_name_where_the_kernel_knows_it() {
    let text = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Some CPU 9\nflags\t\t: fpu\n";
    assert_eq!(cpu_model(text), Some("Some CPU 9"));
    assert_eq!(cpu_model("processor\t: 0\n"), None);
}

/// The first file of one of these names in a folder of PATH.
pub(super) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

/// The first line of what `--version` prints.
fn version(program: &Path) -> anyhow::Result<String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("{} --version", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Ticks per second of the times in `/proc/PID/stat`: `USER_HZ`, 100 on every architecture that
/// matters here (proc_pid_stat(5), asm-generic/param.h).
const TICKS_PER_S: f64 = 100.0;

/// Our own line.
const STAT: &str = "/proc/self/stat";

/// Processor time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ProcessorTime {
    pub(crate) user_s: f64,
    pub(crate) system_s: f64,
}

impl ProcessorTime {
    /// The time of all children, and theirs, that have been waited for.
    pub(crate) fn of_children() -> anyhow::Result<Self> {
        let line = fs::read_to_string(STAT).context(STAT)?;
        Self::parse(&line).with_context(|| format!("{STAT}: no times of children in {line:?}"))
    }

    /// `cutime` and `cstime`, the 16th and 17th field; the second may contain spaces.
    fn parse(line: &str) -> Option<Self> {
        let (_, after_name) = line.rsplit_once(')')?;
        let mut fields = after_name.split_whitespace().skip(13);
        let mut seconds = || Some(fields.next()?.parse::<f64>().ok()? / TICKS_PER_S);
        Some(Self { user_s: seconds()?, system_s: seconds()? })
    }

    /// The time since `earlier`.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self { user_s: self.user_s - earlier.user_s, system_s: self.system_s - earlier.system_s }
    }
}

#[test]
fn the_times_of_children_are_found_behind_any_name() {
    let line = "42 (a ) b) S 1 1 1 0 -1 4194304 100 0 0 0 7 8 150 25 20 0 1 0 487435 0";
    let time = ProcessorTime { user_s: 1.5, system_s: 0.25 };
    assert_eq!(ProcessorTime::parse(line), Some(time));
    assert_eq!(ProcessorTime::parse("42 (x) S 1"), None);
}

/// One figure: a median over the rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Footprint {
    pub(super) what: &'static str,
    pub(super) value: f64,
    pub(super) unit: &'static str,
}

/// Between two looks at the memory of a process.
const LOOK: Duration = Duration::from_millis(1);

/// The measured time of a run.
const MEASURED: Duration = Duration::from_secs(1);

/// One run.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Time beyond the measured second.
    start_ms: f64,
    /// Most memory resident.
    resident_mib: f64,
}

/// The runs.
const LOADS: [(BenchTarget, &str, [&str; 2]); 4] = [
    (BenchTarget::Null, "1", ["start-up, null, 1 outstanding", "memory, null, 1 outstanding"]),
    (
        BenchTarget::Null,
        "128",
        ["start-up, null, 128 outstanding", "memory, null, 128 outstanding"],
    ),
    (BenchTarget::Cached, "1", ["start-up, file, 1 outstanding", "memory, file, 1 outstanding"]),
    (
        BenchTarget::Cached,
        "128",
        ["start-up, file, 128 outstanding", "memory, file, 128 outstanding"],
    ),
];

/// All figures, on prepared targets.
pub(super) fn measure(bench: Bench<'_>) -> anyhow::Result<Vec<Footprint>> {
    let mut costs: [Vec<Cost>; LOADS.len()] = Default::default();
    for _ in 0..bench.rounds {
        for ((target, outstanding, _), costs) in LOADS.iter().zip(&mut costs) {
            costs.push(cost(bench, *target, outstanding)?);
            bench.stop.check()?;
        }
    }
    let figures = |((_, _, [start, memory]), costs): (&(_, _, [&'static str; 2]), &Vec<Cost>)| {
        let of = |value: fn(&Cost) -> f64| median(costs.iter().map(value)).unwrap_or_default();
        [
            Footprint { what: start, value: of(|cost| cost.start_ms), unit: "ms" },
            Footprint { what: memory, value: of(|cost| cost.resident_mib), unit: "MiB" },
        ]
    };
    Ok(LOADS.iter().zip(&costs).flat_map(figures).collect())
}

/// Runs Kneepoint for a second without a ramp.
fn cost(bench: Bench<'_>, target: BenchTarget, outstanding: &str) -> anyhow::Result<Cost> {
    let mut command = Command::new("taskset");
    command.args(["-c", &bench.programs.cpu.to_string()]).arg(&bench.programs.kneepoint);
    command.args(["run", "random-read", &bench.place.kneepoint_target(target), "--block=4KiB"]);
    command.args([&format!("--outstanding={outstanding}"), "--time=1s", "--ramp=0s", "--buffered"]);
    command.arg(format!("--store={}", bench.place.store().display()));
    // No one empties a pipe while it runs, so it gets none.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().context("taskset")?;
    let resident_kib = peak_kib(&mut child)?;
    let wall = started.elapsed();
    let status = child.wait()?;
    anyhow::ensure!(status.success(), "start-up on {}: {status}", target.name());
    Ok(Cost {
        start_ms: wall.saturating_sub(MEASURED).as_secs_f64() * 1e3,
        resident_mib: resident_kib as f64 / 1024.0,
    })
}

/// The last peak that could be read before the process ended.
fn peak_kib(child: &mut Child) -> anyhow::Result<u64> {
    let path = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    while child.try_wait()?.is_none() {
        // It may end between the two.
        let status = fs::read_to_string(&path).unwrap_or_default();
        peak_kib = resident_peak_kib(&status).unwrap_or(peak_kib);
        sleep(LOOK);
    }
    Ok(peak_kib)
}

/// `VmHWM`, which the kernel gives in KiB whatever it calls them (proc_pid_status(5)).
fn resident_peak_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn the_peak_is_found() {
    let status = "Name:\tx\nVmPeak:\t   9000 kB\nVmHWM:\t    5012 kB\nVmRSS:\t    100 kB\n";
    assert_eq!(resident_peak_kib(status), Some(5012));
    assert_eq!(resident_peak_kib("Name:\tx\nState:\tZ (zombie)\n"), None);
}
