//! Devices held back by the blkio controller: one that really stops for a second.
//!
//! `cargo xtask stall` does the same beside fio.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use kneepoint_testkit::skipped;
use serde_json::Value;

use crate::loop_bench::{self, Loop};
use crate::program::Bench;
use crate::result::{check_points, number, points};

/// A control group whose members' reads can be stopped.
struct ControlGroup(PathBuf);

impl ControlGroup {
    /// A new group; nothing, with the reason said, if there is no such controller.
    fn new() -> Option<Self> {
        let name = format!("kneepoint-test-{}", std::process::id());
        let folder = Path::new("/sys/fs/cgroup/blkio").join(name);
        if let Err(error) = fs::create_dir(&folder) {
            skipped(format_args!("no blkio controller of the first version: {error}"));
            return None;
        }
        let group = Self(folder);
        if !group.limit_file().exists() {
            skipped("the blkio controller does not throttle");
            return None;
        }
        Some(group)
    }

    fn limit_file(&self) -> PathBuf {
        self.0.join("blkio.throttle.read_bps_device")
    }

    /// Words before a command that make it a member.
    fn enter(&self) -> [String; 4] {
        let enter = "members=$0; echo $$ > \"$members\" && exec \"$@\"";
        let members = self.0.join("cgroup.procs");
        ["sh", "-c", enter, members.to_str().unwrap()].map(str::to_owned)
    }

    fn limit_reads(&self, number: &str, bytes_per_s: u64) {
        fs::write(self.limit_file(), format!("{number} {bytes_per_s}")).unwrap();
    }

    /// Stops all reads of the device with that number for that long: at one byte per second a
    /// block takes more than an hour.
    fn stop_reads(&self, number: &str, time: Duration) {
        self.limit_reads(number, 1);
        sleep(time);
        self.limit_reads(number, 0);
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn a_stall_of_a_second_is_seen_by_all_requests_that_were_due_in_it() {
    let Some(place) = loop_bench::Bench::new(&[]) else { return };
    let Some(group) = ControlGroup::new() else { return };
    let device = Loop::attach(&place.image("stalling", 16), &[]);
    let number = number_of(&device.node);
    let bench = Bench::new();
    let arguments = ["run", "random-read", device.name(), "--block", "4KiB", "--rate", "1000"];
    let timing = ["--arrivals", "constant", "--time", "10s", "--json", "result.json"];
    let mut command = bench.command_through(
        &group.enter().each_ref().map(String::as_str),
        &[&arguments[..], &timing].concat(),
    );
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_secs(5));
    group.stop_reads(&number, Duration::from_secs(1));
    let said = bench.said(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = serde_json::from_str(&bench.read("result.json")).unwrap();
    check_points(&result);
    check_stall(&points(&result)[0]);
}

/// The number of a device, `major:minor`.
fn number_of(node: &Path) -> String {
    let name = node.file_name().unwrap().to_str().unwrap();
    fs::read_to_string(format!("/sys/class/block/{name}/dev")).unwrap().trim().to_owned()
}

/// A tenth of the requests was due in the stall and is late by up to a second: the 95th percentile
/// is in the middle of it, the 99th a tenth before its end. A busy machine adds to that.
fn check_stall(point: &Value) {
    let latency = |name: &str| number(&point["latency_ms"][name]);
    assert!((9_000.0..=10_100.0).contains(&number(&point["operations"])), "{point}");
    assert!(latency("p50") < 100.0, "{point}");
    assert!((400.0..2_000.0).contains(&latency("p95")), "{point}");
    assert!((800.0..3_000.0).contains(&latency("p99")), "{point}");
    assert!(latency("max") >= 950.0, "{point}");
    assert!(latency("mean") >= 40.0, "{point}");
}

#[test]
fn a_limit_on_the_disk_under_a_loop_device_is_told() {
    let Some(place) = loop_bench::Bench::new(&["mkfs.ext4"]) else { return };
    let Some(group) = ControlGroup::new() else { return };
    let inner = place.image("disk", 32);
    let disk = Loop::attach(&inner, &[]);
    loop_bench::run("mkfs.ext4", &["-q", disk.name()]);
    let mounted_at = place.mount_point();
    let _mounted = loop_bench::mount(&disk.node, &mounted_at);
    let image = mounted_at.join("image");
    fs::write(&image, vec![7; 4 << 20]).unwrap();
    let device = Loop::attach(&image, &[]);
    // So high that it limits nothing.
    group.limit_reads(&number_of(&disk.node), 1 << 40);
    let bench = Bench::new();
    let arguments = ["run", "random-read", device.name(), "--outstanding", "1", "--time", "100ms"];
    let options = ["--ramp", "0s", "--json", "-"];
    let through = group.enter();
    let through = through.each_ref().map(String::as_str);
    let said = bench.said(
        bench.command_through(&through, &[&arguments[..], &options].concat()).output().unwrap(),
    );
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let result: Value = serde_json::from_str(&said.stdout).unwrap();
    let warnings = result["warnings"].to_string();
    let name = disk.node.file_name().unwrap().to_str().unwrap();
    assert!(warnings.contains(&format!("1099511627776 bytes/s for {name} in ")), "{warnings}");
}
