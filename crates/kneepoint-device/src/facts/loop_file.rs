//! Loop devices and the files behind them.

use std::io;
use std::path::{Path, PathBuf};

use super::{DeviceNumber, SysDir, SysRoot};

/// The file that a loop device shows as a disk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoopFile {
    /// Path of the file when it was attached; absent where nothing is attached. The kernel adds
    /// ` (deleted)` to the name of a file that is gone.
    pub backing: Option<PathBuf>,
    /// First byte of the file that the device shows.
    pub offset_bytes: u64,
}

impl LoopFile {
    /// Reads the `loop` directory of a loop device's sysfs directory.
    pub(super) fn read(device: &SysDir) -> Self {
        let attached = device.dir("loop");
        Self {
            backing: attached.raw_line("backing_file").map(PathBuf::from),
            offset_bytes: attached.value("offset").unwrap_or(0),
        }
    }
}

/// An attached loop device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LoopDevice {
    /// Kernel name, `loop0`.
    pub(crate) name: String,
    /// The device's number.
    pub(crate) number: DeviceNumber,
    /// The file behind it.
    pub(crate) backing: PathBuf,
}

impl LoopDevice {
    /// The backing file's path without the mark of a file that is gone.
    pub(crate) fn backing_path(&self) -> &Path {
        self.backing
            .to_str()
            .and_then(|text| text.strip_suffix(" (deleted)"))
            .map_or(self.backing.as_path(), Path::new)
    }
}

/// All loop devices that have a file attached.
///
/// # Errors
/// When `/sys/block` cannot be listed, or an attached device cannot be read.
pub(crate) fn loop_devices(root: &SysRoot) -> io::Result<Vec<LoopDevice>> {
    let block = root.dir("/sys/block");
    let mut found = Vec::new();
    for name in block.names()?.into_iter().filter(|name| name.starts_with("loop")) {
        let device = block.dir(&name);
        let Some(backing) = LoopFile::read(&device).backing else { continue };
        let number = device
            .value("dev")
            .ok_or_else(|| io::Error::other(format!("/sys/block/{name}/dev cannot be read")))?;
        found.push(LoopDevice { name, number, backing });
    }
    Ok(found)
}
