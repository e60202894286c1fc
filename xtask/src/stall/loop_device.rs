//! A loop device on its own image.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// Size of the device: 64 MiB.
const BYTES: u64 = 64 << 20;

/// An attached device; it is detached, and its image removed, when the value goes out of scope.
#[derive(Debug)]
pub(super) struct LoopDevice {
    folder: PathBuf,
    node: PathBuf,
    number: String,
}

impl LoopDevice {
    /// Makes a folder with an image, and attaches it.
    pub(super) fn new() -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("kneepoint-stall-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        let node = PathBuf::new();
        let mut device = Self { folder, node, number: String::new() };
        let image = device.folder().join("image");
        File::create_new(&image)?.set_len(BYTES)?;
        device.node = attach(&image)?;
        let name = device.node.file_name().context("a device has a name")?;
        let file = Path::new("/sys/class/block").join(name).join("dev");
        device.number = fs::read_to_string(&file)?.trim().to_owned();
        Ok(device)
    }

    /// A folder that goes away with the device.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its node in `/dev`.
    pub(super) fn node(&self) -> &Path {
        &self.node
    }

    /// Its number, `major:minor`.
    pub(super) fn number(&self) -> &str {
        &self.number
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
