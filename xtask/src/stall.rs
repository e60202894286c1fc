//! A stall that really happens: a loop device that stops for a second while someone measures it.
//!
//! The same ten seconds at 1,000 IO/s for Kneepoint and for fio, side by side. It needs root, loop
//! devices, the first version of the blkio controller, and fio.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{fmt, fs};

use anyhow::Context;
use serde_json::Value;

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
    for measurer in all(kneepoint, &device) {
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
fn experiment(measurer: &Measurer, device: &LoopDevice) -> anyhow::Result<Option<StallReading>> {
    let group = ControlGroup::new()?;
    let started = Instant::now();
    let mut child = start(measurer, &group)?;
    sleep(BEFORE);
    // One byte per second is more than an hour for a block.
    group.limit_reads(&device.number, 1)?;
    sleep(STALL);
    group.limit_reads(&device.number, 0)?;
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

/// Size of the device: 64 MiB.
const BYTES: u64 = 64 << 20;

/// An attached device; it is detached, and its image removed, when the value goes out of scope.
#[derive(Debug)]
struct LoopDevice {
    /// A folder that goes away with the device.
    folder: PathBuf,
    /// Its node in `/dev`.
    node: PathBuf,
    /// Its number, `major:minor`.
    number: String,
}

impl LoopDevice {
    /// Makes a folder with an image, and attaches it.
    fn new() -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("kneepoint-stall-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        let node = PathBuf::new();
        let mut device = Self { folder, node, number: String::new() };
        let image = device.folder.join("image");
        File::create_new(&image)?.set_len(BYTES)?;
        device.node = attach(&image)?;
        let name = device.node.file_name().context("a device has a name")?;
        let file = Path::new("/sys/class/block").join(name).join("dev");
        device.number = fs::read_to_string(&file)?.trim().to_owned();
        Ok(device)
    }
}

/// Attaches an image to a free device.
fn attach(image: &Path) -> anyhow::Result<PathBuf> {
    let output = Command::new("losetup").args(["--find", "--show"]).arg(image).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "losetup (needs root and loop devices): {errors}");
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        if self.node != Path::new("") {
            let _ = Command::new("losetup").arg("--detach").arg(&self.node).status();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Where the first version of the controller is mounted.
const CONTROLLER: &str = "/sys/fs/cgroup/blkio";

/// Its own group; it ends with everything in it when the value goes out of scope.
#[derive(Debug)]
struct ControlGroup {
    folder: PathBuf,
}

impl ControlGroup {
    /// An empty group.
    fn new() -> anyhow::Result<Self> {
        let folder = Path::new(CONTROLLER).join(format!("kneepoint-stall-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| {
            format!("{}: the stall needs root and the blkio controller there", folder.display())
        })?;
        Ok(Self { folder })
    }

    /// The file that takes and lists members.
    fn members(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Limits what the members read of the device, in bytes per second; 0 takes the limit away, and
    /// what waits goes on at once.
    fn limit_reads(&self, device: &str, bytes_per_s: u32) -> anyhow::Result<()> {
        let rule = format!("{device} {bytes_per_s}");
        let file = self.folder.join("blkio.throttle.read_bps_device");
        fs::write(&file, &rule).with_context(|| format!("{}: {rule}", file.display()))
    }

    /// Kills the members, which are children of this process and theirs.
    fn kill_all(&self) -> anyhow::Result<()> {
        for member in fs::read_to_string(self.members())?.lines() {
            Command::new("kill").args(["-KILL", member]).status()?;
        }
        Ok(())
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = self.kill_all();
        // A group stays until its last member has been collected.
        for _ in 0..50 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            sleep(Duration::from_millis(20));
        }
    }
}

/// A program and where its result tells response times.
#[derive(Debug)]
struct Measurer {
    /// Its name in the table.
    name: &'static str,
    /// The command.
    words: Vec<String>,
    /// Where its JSON has the number of I/Os, and the times.
    places: [&'static str; 2],
    /// The names of the times there: mean, p50, p90, p95, p99, p99.9, max.
    names: &'static str,
    /// Milliseconds in a unit of them.
    unit_ms: f64,
}

/// Response times in milliseconds.
#[derive(Debug)]
struct StallReading {
    ios: u64,
    /// Mean, p50, p90, p95, p99, p99.9, max.
    times_ms: [f64; 7],
}

/// Every run of fio.
const FIO: &str = "fio --name=stall --readonly --direct=1 --rw=randread --bs=4k --time_based \
                   --runtime=10 --rate_iops=1000 --lat_percentiles=1 --output-format=json";
/// Ways to have fio offer a rate.
const FIO_WAYS: [(&str, &str); 5] = [
    ("fio, io_uring, depth 1", "--ioengine=io_uring --iodepth=1"),
    ("fio, io_uring, depth 32", "--ioengine=io_uring --iodepth=32"),
    ("fio, io_uring, depth 2048", "--ioengine=io_uring --iodepth=2048"),
    ("fio, offload, depth 1", "--ioengine=psync --iodepth=1 --io_submit_mode=offload"),
    ("fio, offload, depth 32", "--ioengine=psync --iodepth=32 --io_submit_mode=offload"),
];

/// All measurers, on the device.
fn all(kneepoint: &Path, device: &LoopDevice) -> Vec<Measurer> {
    let node = device.node.display().to_string();
    let store = device.folder.join("kneepoint.db").display().to_string();
    let program = kneepoint.display().to_string();
    let options = "--block 4KiB --rate 1000 --arrivals constant --time 10s --json -";
    let words = [&program, "run", "random-read", &node, "--store", &store];
    let words = words.into_iter().chain(options.split(' '));
    let own = Measurer {
        name: "Kneepoint",
        words: words.map(str::to_owned).collect(),
        places: ["/points/0/operations", "/points/0/latency_ms"],
        names: "mean p50 p90 p95 p99 p99_9 max",
        unit_ms: 1.0,
    };
    let file = format!("--filename={node}");
    let peers = FIO_WAYS.map(|(name, way)| {
        let words = FIO.split(' ').chain([file.as_str()]).chain(way.split(' '));
        Measurer {
            name,
            words: words.map(str::to_owned).collect(),
            places: ["/jobs/0/read/total_ios", "/jobs/0/read/lat_ns"],
            names: "mean 50.000000 90.000000 95.000000 99.000000 99.900000 max",
            unit_ms: 1e-6,
        }
    });
    std::iter::once(own).chain(peers).collect()
}

impl Measurer {
    /// The command as it would be typed.
    fn command_line(&self) -> String {
        self.words.join(" ")
    }

    /// The response times in what it printed.
    fn read(&self, printed: &[u8]) -> anyhow::Result<StallReading> {
        // fio may print notes before its JSON.
        let start = printed.iter().position(|byte| *byte == b'{').unwrap_or_default();
        let json = &printed[start..];
        let result: Value = serde_json::from_slice(json).context(self.command_line())?;
        let [ios, times] = self.places.map(|place| result.pointer(place).unwrap_or(&Value::Null));
        let number = |name: &str| {
            let value = times.get(name).or_else(|| times["percentile"].get(name));
            value.and_then(Value::as_f64).map(|time| time * self.unit_ms)
        };
        let mut times_ms = [0.0; 7];
        for (time, name) in times_ms.iter_mut().zip(self.names.split(' ')) {
            *time = number(name).with_context(|| format!("{}: no {name}", self.command_line()))?;
        }
        Ok(StallReading { ios: ios.as_u64().context("a number of I/Os")?, times_ms })
    }
}

impl fmt::Display for StallReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.ios)?;
        self.times_ms.iter().try_for_each(|time| match *time {
            time if time < 10.0 => write!(f, " | {time:.3} ms"),
            time => write!(f, " | {time:.0} ms"),
        })
    }
}
