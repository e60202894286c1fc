//! Runs on real block devices: loop devices that the tests make themselves, as root.

use crate::loop_bench::{Bench as LoopBench, Loop};
use crate::program::Bench;

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
