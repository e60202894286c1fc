//! What Kneepoint costs besides I/O: the time to start, and memory.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::case::TargetKind;
use super::round::Bench;
use super::summary::median;

/// One figure: a median over the rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Footprint {
    pub(super) what: &'static str,
    pub(super) value: f64,
    pub(super) unit: &'static str,
}

/// Between two looks at the memory of a process.
const LOOK: Duration = Duration::from_millis(1);

/// What the runs measure.
const MEASURED: Duration = Duration::from_secs(1);

/// One run.
#[derive(Debug, Clone, Copy)]
struct Cost {
    /// Time beyond the measured second.
    start_ms: f64,
    /// Most memory resident.
    resident_mib: f64,
}

/// What is run.
const LOADS: [(TargetKind, &str, [&str; 2]); 4] = [
    (TargetKind::Null, "1", ["start-up, null, 1 outstanding", "memory, null, 1 outstanding"]),
    (TargetKind::Null, "128", ["start-up, null, 128 outstanding", "memory, null, 128 outstanding"]),
    (TargetKind::Cached, "1", ["start-up, file, 1 outstanding", "memory, file, 1 outstanding"]),
    (
        TargetKind::Cached,
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
fn cost(bench: Bench<'_>, target: TargetKind, outstanding: &str) -> anyhow::Result<Cost> {
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
    anyhow::ensure!(status.success(), "start-up on {target}: {status}");
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
