//! The class of storage behind a target: whether what it lies on turns.

use kneepoint_core::words::storage_class::{StorageClass, TargetClass};

use super::{BlockDevice, DeviceClass, Surface, TargetFacts, Transport};

/// Models of hypervisors' disks that are attached like real ones, in lower case.
const VIRTUAL_MODELS: [&str; 7] = [
    "qemu harddisk",
    "virtual disk",
    "vmware virtual",
    "vbox harddisk",
    "persistentdisk",
    "blockvolume",
    "xen virtual",
];

impl TargetFacts {
    /// The class of the storage below the target, from the drives at the bottom of its stack: one
    /// that turns decides. What shows no drive, or nothing that can be believed, is taken for
    /// flash, and the reason says so.
    pub fn storage_class(&self) -> TargetClass {
        let devices = self.stack().map_or(&[][..], |stack| stack.devices());
        let drives: Vec<&BlockDevice> =
            devices.iter().filter(|device| device.below.is_empty()).collect();
        let turns = |drive: &&&BlockDevice| drive.turns() && !drive.is_virtual();
        match (drives.iter().find(turns), drives.first()) {
            (Some(disk), _) => TargetClass {
                class: StorageClass::Rotational,
                because: format!("{} is rotational", disk.name),
            },
            (None, Some(first)) => flash(of_drive(first)),
            (None, None) => flash(self.without_drive()),
        }
    }

    /// Why a target without a drive is taken for flash.
    fn without_drive(&self) -> String {
        match self.file_system().map(|found| found.mount.fs_type.as_str()) {
            Some("tmpfs" | "ramfs") => "its file system is in memory".to_owned(),
            Some(name) => format!("assumed: {name} shows no drive"),
            None => "assumed: no drive is known".to_owned(),
        }
    }
}

fn flash(because: String) -> TargetClass {
    TargetClass { class: StorageClass::Flash, because }
}

/// Why a drive is taken for flash.
fn of_drive(drive: &BlockDevice) -> String {
    let name = &drive.name;
    match drive.drive.surface {
        Some(Surface::SolidState) => format!("{name} is not rotational"),
        Some(Surface::Rotating) => format!(
            "assumed: {name} is a virtual disk, whose claim to rotate says nothing of what is below it"
        ),
        None => format!("assumed: {name} does not say whether it rotates"),
    }
}

impl BlockDevice {
    /// Whether the kernel takes it for a disk that turns.
    fn turns(&self) -> bool {
        self.drive.surface == Some(Surface::Rotating)
    }

    /// Whether it is a hypervisor's disk (virtio, Xen, or a model that says so), or a file shown as
    /// a disk whose own drive is not known.
    fn is_virtual(&self) -> bool {
        let model = self.drive.model.as_deref().unwrap_or_default().to_lowercase();
        self.drive.transport == Some(Transport::Virtio)
            || matches!(self.class, DeviceClass::Loop(_))
            || ["vd", "xvd"].iter().any(|prefix| self.name.starts_with(prefix))
            || VIRTUAL_MODELS.iter().any(|known| model.starts_with(known))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::facts::fake::FakeTree;

    /// The class of a target on the device `number`.
    fn class(tree: &FakeTree, number: &str) -> String {
        tree.facts(number, Path::new("/dev/x")).storage_class().to_string()
    }

    #[test]
    fn the_drives_at_the_bottom_decide() {
        let tree = FakeTree::quiet();
        tree.disk("sda", "8:0");
        tree.attribute("sda", "queue/rotational", "1\n");
        tree.partition("sda", "sda1", "8:1");
        tree.disk("sdb", "8:16");
        tree.attribute("sdb", "queue/rotational", "0\n");
        assert_eq!(class(&tree, "8:1"), "rotational (sda is rotational)");
        assert_eq!(class(&tree, "8:16"), "flash (sdb is not rotational)");
        tree.virtual_disk("md0", "9:0");
        tree.stack("md0", "sdb");
        assert_eq!(class(&tree, "9:0"), "flash (sdb is not rotational)");
        tree.stack("md0", "sda1");
        assert_eq!(class(&tree, "9:0"), "rotational (sda is rotational)");
    }

    #[test]
    fn a_virtual_disk_that_claims_to_rotate_is_not_believed() {
        let tree = FakeTree::quiet();
        tree.disk("vda", "254:0");
        tree.attribute("vda", "queue/rotational", "1\n");
        assert!(class(&tree, "254:0").starts_with("flash (assumed: vda is a virtual disk"));
        tree.disk("sdc", "8:32");
        tree.attribute("sdc", "queue/rotational", "1\n");
        tree.attribute("sdc", "device/model", "QEMU HARDDISK   \n");
        assert!(class(&tree, "8:32").starts_with("flash (assumed: sdc is a virtual disk"));
    }
}
