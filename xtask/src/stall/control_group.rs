//! A control group that can stop the reads of its members
//! (Documentation/admin-guide/cgroup-v1/blkio-controller.rst).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context;

/// Where the first version of the controller is mounted.
const CONTROLLER: &str = "/sys/fs/cgroup/blkio";

/// A group of its own; it ends with everything in it when the value goes out of scope.
#[derive(Debug)]
pub(super) struct ControlGroup {
    folder: PathBuf,
}

impl ControlGroup {
    /// An empty group.
    pub(super) fn new() -> anyhow::Result<Self> {
        let folder = Path::new(CONTROLLER).join(format!("kneepoint-stall-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| {
            format!("{}: the stall needs root and the blkio controller there", folder.display())
        })?;
        Ok(Self { folder })
    }

    /// The file that takes and lists members.
    pub(super) fn members(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Lets no read of the members through to the device: one byte per second is more than an hour
    /// for a block.
    pub(super) fn stop_reads(&self, device: &str) -> anyhow::Result<()> {
        self.limit_reads(&format!("{device} 1"))
    }

    /// Takes the limit away; what waits goes on at once.
    pub(super) fn release_reads(&self, device: &str) -> anyhow::Result<()> {
        self.limit_reads(&format!("{device} 0"))
    }

    fn limit_reads(&self, rule: &str) -> anyhow::Result<()> {
        let file = self.folder.join("blkio.throttle.read_bps_device");
        fs::write(&file, rule).with_context(|| format!("{}: {rule}", file.display()))
    }

    /// Kills the members, which are children of this process and theirs.
    pub(super) fn kill_all(&self) -> anyhow::Result<()> {
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
