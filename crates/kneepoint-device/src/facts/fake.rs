//! A tree of `/proc` and `/sys` in a temporary directory, for tests.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::{DeviceNumber, DeviceStack, Subject, SysRoot, TargetFacts};

/// A tree that is removed with the value.
pub(crate) struct FakeTree {
    dir: tempfile::TempDir,
}

impl FakeTree {
    /// An empty tree.
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// A tree with empty tables and no device.
    pub(crate) fn quiet() -> Self {
        let tree = Self::new();
        tree.file("/proc/self/mountinfo", "1 0 0:2 / / rw - rootfs none rw\n");
        tree.file("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
        for dir in ["/sys/block", "/sys/class/block", "/sys/dev/block"] {
            fs::create_dir_all(tree.root().path(dir)).unwrap();
        }
        tree
    }

    /// The root to read the tree through.
    pub(crate) fn root(&self) -> SysRoot {
        SysRoot::new(self.dir.path())
    }

    /// Writes a file with the directories above it.
    pub(crate) fn file(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Adds a line to a file.
    pub(crate) fn line(&self, path: &str, line: &str) {
        let mut text = fs::read_to_string(self.root().path(path)).unwrap();
        text.push_str(line);
        text.push('\n');
        self.file(path, text);
    }

    /// A whole disk of 1 GiB; `number` such as `8:0`.
    pub(crate) fn disk(&self, name: &str, number: &str) {
        let dir = format!("/sys/devices/pci0/ata1/block/{name}");
        self.device(&dir, name, number);
        self.file(&format!("{dir}/queue/logical_block_size"), "512\n");
        self.link(&format!("/sys/block/{name}"), &dir);
    }

    /// A device without hardware: loop, md, dm, zram.
    pub(crate) fn virtual_disk(&self, name: &str, number: &str) {
        let dir = format!("/sys/devices/virtual/block/{name}");
        self.device(&dir, name, number);
        self.link(&format!("/sys/block/{name}"), &dir);
    }

    /// A partition of a disk made before.
    pub(crate) fn partition(&self, disk: &str, name: &str, number: &str) {
        let dir = format!("/sys/devices/pci0/ata1/block/{disk}/{name}");
        self.device(&dir, name, number);
        let index = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        self.file(&format!("{dir}/partition"), format!("{index}\n"));
        self.file(&format!("{dir}/start"), "2048\n");
    }

    /// Writes an attribute of a device made before.
    pub(crate) fn attribute(&self, name: &str, file: &str, text: &str) {
        self.file(&format!("/sys/class/block/{name}/{file}"), text);
    }

    /// Puts `upper` on top of `lower`.
    pub(crate) fn stack(&self, upper: &str, lower: &str) {
        let dir = |name: &str| self.root().path(format!("/sys/class/block/{name}"));
        symlink(dir(upper), dir(lower).join("holders").join(upper)).unwrap();
        symlink(dir(lower), dir(upper).join("slaves").join(lower)).unwrap();
    }

    /// A mounted btrfs with the devices of those names.
    pub(crate) fn btrfs(&self, uuid: &str, devices: &[&str]) {
        let list = self.root().path(format!("/sys/fs/btrfs/{uuid}/devices"));
        fs::create_dir_all(&list).unwrap();
        for name in devices {
            symlink(self.root().path(format!("/sys/class/block/{name}")), list.join(name)).unwrap();
        }
    }

    /// Facts of a device made before, as if its node were at `path`.
    pub(crate) fn facts(&self, number: &str, path: &Path) -> TargetFacts {
        let number: DeviceNumber = number.parse().unwrap();
        let stack = DeviceStack::under(&self.root(), number).unwrap();
        TargetFacts { path: path.to_owned(), subject: Subject::Block(stack) }
    }

    fn device(&self, dir: &str, name: &str, number: &str) {
        self.file(&format!("{dir}/dev"), format!("{number}\n"));
        self.file(&format!("{dir}/size"), "2097152\n");
        self.file(&format!("{dir}/ro"), "0\n");
        for below in ["holders", "slaves"] {
            fs::create_dir_all(self.root().path(format!("{dir}/{below}"))).unwrap();
        }
        self.link(&format!("/sys/class/block/{name}"), dir);
        self.link(&format!("/sys/dev/block/{number}"), dir);
    }

    fn link(&self, from: &str, to: &str) {
        let from = self.root().path(from);
        fs::create_dir_all(from.parent().unwrap()).unwrap();
        symlink(self.root().path(to), from).unwrap();
    }
}
