//! Runs on real block devices: loop devices that the tests make themselves, as root.

use crate::loop_bench::{Bench as LoopBench, Loop};
use crate::program::Bench;
use crate::result::points;

/// The rest of a short run.
const SHORT: [&str; 8] =
    ["--time", "100ms", "--ramp", "0s", "--outstanding", "1", "--buffered", "--quick"];

#[test]
fn runs_on_a_device_one_after_another_are_all_accepted() {
    let Some(images) = LoopBench::new(&[]) else { return };
    let bench = Bench::new();
    let disk = Loop::attach(&images.image("image", 32), &[]);
    for number in 0..10 {
        let named = ["run", "random-write", disk.name(), "--overwrite", disk.name()];
        let said = bench.run(&[&named[..], &SHORT].concat());
        assert_eq!(said.code, Some(0), "run {number}: {}", said.stderr);
    }
}

/// Reads that a device has completed (Documentation/block/stat.rst of the kernel: the first number).
fn reads_of(disk: &Loop) -> u64 {
    let name = disk.name().trim_start_matches("/dev/");
    let text = std::fs::read_to_string(format!("/sys/block/{name}/stat")).unwrap();
    text.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn sequential_ios_reach_a_device_in_the_size_that_they_have() {
    let Some(images) = LoopBench::new(&[]) else { return };
    let bench = Bench::new();
    let profile = "name = \"stream\"\ntitle = \"Stream\"\n[[line]]\nshare = 100\nsize = \"64KiB\"\nread = 100\nrandom = 0\n";
    bench.write("stream.toml", profile);
    let image = images.image("image", 64);
    std::fs::write(&image, vec![7_u8; 64 << 20]).unwrap();
    let disk = Loop::attach(&image, &[]);
    for engine in ["libaio", "io_uring"] {
        let run = ["run", "stream.toml", disk.name(), "--time=500ms", "--ramp=0s", "--json", "-"];
        let rest = ["--outstanding=8", "--engine", engine];
        let before = reads_of(&disk);
        let said = bench.run(&[&run[..], &rest].concat());
        if said.code == Some(2) && said.stderr.contains("cannot be used") {
            kneepoint_testkit::skipped(&said.stderr);
            continue;
        }
        assert_eq!(said.code, Some(0), "{engine}: {}", said.stderr);
        let result = serde_json::from_str(&said.stdout).unwrap();
        let issued = points(&result)[0]["operations"].as_u64().unwrap();
        let arrived = reads_of(&disk) - before;
        // Merged, there would be an eighth of them.
        assert!(arrived as f64 >= 0.9 * issued as f64, "{engine}: {arrived} of {issued}");
    }
}
