//! Loop devices and the files behind them.

use std::io;
use std::path::{Path, PathBuf};

use super::incarnation::{Shown, shown_by_loop};
use super::{DeviceNumber, SECTOR_BYTES, SysDir, SysRoot};

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
    /// The file behind it, by the path that it was attached by: in another mount namespace, perhaps,
    /// or of another name by now.
    backing: PathBuf,
    /// The file behind it; absent where this user may not ask.
    pub(crate) shown: Option<Shown>,
    /// Length of the file by what the device shows of it, in bytes; absent where it shows a part, or
    /// where that cannot be found out.
    length_bytes: Option<u64>,
}

impl LoopDevice {
    fn read(root: &SysRoot, name: String) -> io::Result<Option<Self>> {
        let device = root.dir("/sys/block").dir(&name);
        let LoopFile { backing: Some(backing), offset_bytes } = LoopFile::read(&device) else {
            return Ok(None);
        };
        let number = device
            .value("dev")
            .ok_or_else(|| io::Error::other(format!("/sys/block/{name}/dev cannot be read")))?;
        let shown = shown_by_loop(root, &name, number).ok();
        let is_part = device.value::<u64>("loop/sizelimit").is_none_or(|limit| limit > 0);
        let length = device.value::<u64>("size").map(|size| size * SECTOR_BYTES + offset_bytes);
        let length_bytes = length.filter(|_| !is_part);
        Ok(Some(Self { name, number, backing, shown, length_bytes }))
    }

    /// The backing file's path, without the mark that the kernel adds to the name of a file that is
    /// gone, unless a file is really called so.
    pub(crate) fn backing_path(&self, root: &SysRoot) -> &Path {
        if std::fs::symlink_metadata(root.path(&self.backing)).is_ok() {
            return &self.backing;
        }
        self.backing
            .to_str()
            .and_then(|text| text.strip_suffix(" (deleted)"))
            .map_or(self.backing.as_path(), Path::new)
    }

    /// Whether a file of that length can be the one behind it: loop devices show whole sectors.
    pub(crate) fn suits(&self, length_bytes: u64) -> bool {
        let sectors = |bytes: u64| bytes / SECTOR_BYTES;
        self.length_bytes.is_none_or(|length| sectors(length) == sectors(length_bytes))
    }
}

/// All loop devices that have a file attached.
///
/// # Errors
/// When `/sys/block` cannot be listed, or an attached device cannot be read.
pub(crate) fn loop_devices(root: &SysRoot) -> io::Result<Vec<LoopDevice>> {
    let names = root.dir("/sys/block").names()?;
    let names = names.into_iter().filter(|name| name.starts_with("loop"));
    names.filter_map(|name| LoopDevice::read(root, name).transpose()).collect()
}
