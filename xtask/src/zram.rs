//! Compressed RAM disks.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context;

/// Adds a device when it is read, and says its number.
const ADD: &str = "/sys/class/zram-control/hot_add";
/// Removes the device whose number is written to it.
const REMOVE: &str = "/sys/class/zram-control/hot_remove";

/// How often, and how long apart, something is tried that others may delay for a moment.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// Our own zram device (Documentation/admin-guide/blockdev/zram.rst); it is removed when the
/// value goes out of scope.
#[derive(Debug)]
pub(crate) struct Zram {
    number: String,
    /// Its node in `/dev`.
    node: PathBuf,
}

impl Zram {
    /// A new, empty device.
    pub(crate) fn new(bytes: u64) -> anyhow::Result<Self> {
        let number = fs::read_to_string(ADD)
            .with_context(|| format!("{ADD}: this needs root and the module zram"))?;
        let number = number.trim().to_owned();
        let device = Self { node: PathBuf::from(format!("/dev/zram{number}")), number };
        let size = format!("/sys/block/zram{}/disksize", device.number);
        fs::write(&size, bytes.to_string()).with_context(|| size.clone())?;
        let appeared = tried(|| device.node.exists());
        anyhow::ensure!(appeared, "{} did not appear", device.node.display());
        Ok(device)
    }

    /// Its node in `/dev`.
    pub(crate) fn node(&self) -> &Path {
        &self.node
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        // It stays for as long as someone, such as udev, has it open.
        tried(|| fs::write(REMOVE, &self.number).is_ok());
    }
}

/// Tries something for a few seconds; true if it succeeds.
fn tried(attempt: impl Fn() -> bool) -> bool {
    (0..TRIES).any(|_| {
        let done = attempt();
        if !done {
            sleep(PAUSE);
        }
        done
    })
}
