//! Runs on real block devices: loop devices that the tests make themselves, as root.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::program::Bench;

/// One test at a time: loop devices are few.
static TURN: Mutex<()> = Mutex::new(());

/// The rest of a short run.
const SHORT: [&str; 8] =
    ["--time", "100ms", "--ramp", "0s", "--outstanding", "1", "--buffered", "--quick"];

/// An attached loop device, detached at the end.
struct Loop {
    node: String,
    _turn: MutexGuard<'static, ()>,
}

impl Loop {
    /// Attaches the file; nothing, with the reason on the terminal, where that cannot be done.
    fn attach(image: &Path) -> Option<Self> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        if fs::metadata("/proc/self").unwrap().uid() != 0
            || !Path::new("/dev/loop-control").exists()
        {
            println!("skipped: not root, or no loop devices");
            return None;
        }
        match Command::new("losetup").args(["--find", "--show"]).arg(image).output() {
            Ok(output) if output.status.success() => {
                let node = String::from_utf8(output.stdout).unwrap().trim().to_owned();
                Some(Self { node, _turn: turn })
            }
            other => {
                println!("skipped: {other:?}");
                None
            }
        }
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.node]).status();
    }
}

/// An empty image of that many MiB.
fn image(bench: &Bench, name: &str, mib: u64) -> PathBuf {
    let path = bench.path(name);
    File::create(&path).unwrap().set_len(mib << 20).unwrap();
    path
}

#[test]
fn runs_on_a_device_one_after_another_are_all_accepted() {
    let bench = Bench::new();
    let Some(disk) = Loop::attach(&image(&bench, "image", 32)) else { return };
    for number in 0..10 {
        let named = ["run", "random-write", &disk.node, "--overwrite", &disk.node];
        let said = bench.run(&[&named[..], &SHORT].concat());
        assert_eq!(said.code, Some(0), "run {number}: {}", said.stderr);
    }
}
