//! What is mounted, in every mount namespace that can be seen.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use crate::facts::{DeviceNumber, Mount, SysRoot, node_path, number_of_node, parse_table};

use super::related::Involved;

/// The mounts of this process and of all others.
pub(super) struct Mounts {
    mounts: Vec<Known>,
}

/// A mount with the devices that it names.
struct Known {
    mount: Mount,
    named: Vec<(PathBuf, Option<DeviceNumber>)>,
}

impl Mounts {
    /// Reads the table of this process, which must be readable, and those of other processes as
    /// far as they are: a mount may exist in another namespace alone, or above a changed root.
    ///
    /// # Errors
    /// When the own table cannot be read, or a table is not of the documented form.
    pub(super) fn read(root: &SysRoot) -> io::Result<Self> {
        let mut lines = BTreeSet::new();
        add_lines(&mut lines, &std::fs::read(root.path("/proc/self/mountinfo"))?);
        let mut seen = BTreeSet::new();
        for process in root.dir("/proc").names()? {
            if !process.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let view = view(root, &process);
            if view.is_some() && !seen.insert(view) {
                continue;
            }
            if let Ok(table) = std::fs::read(root.path(format!("/proc/{process}/mountinfo"))) {
                add_lines(&mut lines, &table);
            }
        }
        let table = lines.into_iter().collect::<Vec<_>>().join(&b'\n');
        let mounts = parse_table(&table).map_err(io::Error::other)?;
        Ok(Self { mounts: mounts.into_iter().map(|mount| Known::new(root, mount)).collect() })
    }

    /// Where a device is mounted, whatever names it: its number, its path, a file system's option.
    pub(super) fn of(&self, device: &Involved) -> BTreeSet<PathBuf> {
        self.mounts
            .iter()
            .filter(|known| known.is_on(device))
            .map(|known| known.mount.mount_point.clone())
            .collect()
    }
}

impl Known {
    fn new(root: &SysRoot, mount: Mount) -> Self {
        let named = mount
            .named_devices()
            .into_iter()
            .filter(|path| path.is_absolute())
            .map(|path| (path.clone(), number_of_node(root, &path)))
            .collect();
        Self { mount, named }
    }

    fn is_on(&self, device: &Involved) -> bool {
        let node = node_path(&device.name);
        self.mount.number == device.number
            || self
                .named
                .iter()
                .any(|(path, number)| *number == Some(device.number) || *path == node)
    }
}

/// Adds the lines of a table.
fn add_lines(lines: &mut BTreeSet<Vec<u8>>, table: &[u8]) {
    lines.extend(
        table.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec),
    );
}

/// What a process sees of the mounts: its namespace and its root; nothing where that is hidden.
fn view(root: &SysRoot, process: &str) -> Option<(PathBuf, PathBuf)> {
    let link = |name: &str| std::fs::read_link(root.path(format!("/proc/{process}/{name}"))).ok();
    Some((link("ns/mnt")?, link("root")?))
}
