//! A stall that really happens: a loop device that stops for a second while someone measures it.
//!
//! The same ten seconds at 1,000 IO/s for Kneepoint and for fio, side by side. It needs root, loop
//! devices, the first version of the blkio controller, and fio.

mod control_group;
mod loop_device;
mod measurer;

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Context;

use control_group::ControlGroup;
use loop_device::LoopDevice;
use measurer::{Measurer, Reading};

/// From the start of the measurer to the stall: inside its ten seconds, whatever its warm-up.
const BEFORE: Duration = Duration::from_secs(5);

/// How long the device stands still.
const STALL: Duration = Duration::from_secs(1);

/// A measurer that has not ended by then hangs.
const PATIENCE: Duration = Duration::from_secs(25);

/// Runs the experiment with every measurer; the table in Markdown, with the commands.
///
/// # Errors
/// Where the machine lacks something, or a measurer cannot be started.
pub fn table(kneepoint: &Path) -> anyhow::Result<String> {
    let device = LoopDevice::new()?;
    let mut table = String::from(
        "| measurer | I/Os | mean | p50 | p90 | p95 | p99 | p99.9 | max |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    let mut commands = String::new();
    for measurer in measurer::all(kneepoint, &device) {
        let row = match experiment(&measurer, &device)? {
            Some(reading) => reading.to_string(),
            None => format!("no result: it hung until it was killed after {PATIENCE:?}"),
        };
        writeln!(table, "| {} | {row} |", measurer.name)?;
        writeln!(commands, "    {}", measurer.command_line())?;
    }
    Ok(format!("{table}\n{commands}"))
}

/// One measurer through one stall; `None` where it hangs.
fn experiment(measurer: &Measurer, device: &LoopDevice) -> anyhow::Result<Option<Reading>> {
    let group = ControlGroup::new()?;
    let started = Instant::now();
    let mut child = start(measurer, &group)?;
    sleep(BEFORE);
    group.stop_reads(device.number())?;
    sleep(STALL);
    group.release_reads(device.number())?;
    while child.try_wait()?.is_none() {
        if started.elapsed() > PATIENCE {
            group.kill_all()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{}: {errors}", measurer.command_line());
    measurer.read(&output.stdout).map(Some)
}

/// Starts a measurer as a member of the group.
fn start(measurer: &Measurer, group: &ControlGroup) -> anyhow::Result<Child> {
    Command::new("sh")
        .args(["-c", "echo $$ > \"$0\" && exec \"$@\""])
        .arg(group.members())
        .args(&measurer.words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| measurer.command_line())
}
