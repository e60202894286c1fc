//! The drive behind a disk: who made it, which one it is, how it is attached, and the class of
//! storage that it makes of a target.
//!
//! Sources: the kernel's Documentation/ABI for sysfs-block, sysfs-class-nvme and scsi; SPC-4 for
//! the vital product data page 80h.

use std::path::Path;

use kneepoint_core::words::storage_class::{StorageClass, TargetClass};

use super::sys_root::trimmed;
use super::{BlockDevice, DeviceClass, SysDir, TargetFacts};

/// Identity and nature of a drive; what its driver does not tell is absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DriveFacts {
    /// Maker, where it is told apart from the model (SCSI).
    pub vendor: Option<String>,
    /// Model name.
    pub model: Option<String>,
    /// Serial number.
    pub serial: Option<String>,
    /// Firmware revision.
    pub firmware: Option<String>,
    /// World-wide identity.
    pub wwid: Option<String>,
    /// How the drive is attached.
    pub transport: Option<Transport>,
    /// True if it stores on platters, as the kernel sees it; a hypervisor's disk often claims to.
    pub is_rotating: Option<bool>,
    /// True if the medium can be taken out while the drive stays.
    pub is_removable: Option<bool>,
}

kneepoint_core::named! {
    /// How a drive is attached.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Transport {
        /// Serial or parallel ATA.
        Ata = "ata",
        /// Serial attached SCSI.
        Sas = "sas",
        /// Fibre Channel.
        FibreChannel = "fc",
        /// SCSI over TCP.
        Iscsi = "iscsi",
        /// Universal serial bus.
        Usb = "usb",
        /// A paravirtual device of a hypervisor.
        Virtio = "virtio",
        /// A memory card or soldered flash.
        Mmc = "mmc",
        /// NVMe on the machine's own bus.
        NvmePcie = "nvme-pcie",
        /// NVMe over TCP.
        NvmeTcp = "nvme-tcp",
        /// NVMe over remote direct memory access.
        NvmeRdma = "nvme-rdma",
        /// NVMe over Fibre Channel.
        NvmeFc = "nvme-fc",
    }
}

impl Transport {
    fn of_nvme(word: &str) -> Option<Self> {
        let name = format!("nvme-{word}");
        Self::ALL.into_iter().find(|transport| transport.name() == name)
    }

    /// Reads the transport off the chain of parents in the device's sysfs path.
    fn of_path(path: &Path) -> Option<Self> {
        path.iter().filter_map(|part| part.to_str()).find_map(|part| match part {
            _ if is_numbered(part, "ata") => Some(Self::Ata),
            _ if is_numbered(part, "usb") => Some(Self::Usb),
            _ if is_numbered(part, "virtio") => Some(Self::Virtio),
            _ if is_numbered(part, "mmc") => Some(Self::Mmc),
            _ if is_numbered(part, "session") => Some(Self::Iscsi),
            _ if part.starts_with("rport-") => Some(Self::FibreChannel),
            _ if part.starts_with("end_device-") => Some(Self::Sas),
            _ => None,
        })
    }
}

impl DriveFacts {
    /// Reads the facts of the disk whose resolved sysfs directory is given.
    pub(super) fn read(disk: &SysDir) -> Self {
        let device = disk.dir("device");
        Self {
            // Of SCSI; virtio and NVMe give a bus number there, which names no maker.
            vendor: device.text("vendor").filter(|vendor| !vendor.starts_with("0x")),
            model: device.text("model").or_else(|| device.text("name")),
            // The block driver's own, the controller's, or the SCSI unit serial page.
            serial: disk
                .text("serial")
                .or_else(|| device.text("serial"))
                .or_else(|| unit_serial_page(&device)),
            firmware: ["firmware_rev", "rev", "fwrev"].iter().find_map(|name| device.text(name)),
            wwid: disk.text("wwid").or_else(|| device.text("wwid")),
            transport: device
                .text("transport")
                .and_then(|word| Transport::of_nvme(&word))
                .or_else(|| Transport::of_path(&disk.path)),
            is_rotating: disk.value::<u8>("queue/rotational").map(|flag| flag != 0),
            is_removable: disk.value::<u8>("removable").map(|flag| flag != 0),
        }
    }
}

/// The text of vital product data page 80h: a header of four bytes, the last two its length.
fn unit_serial_page(device: &SysDir) -> Option<String> {
    let page = std::fs::read(device.path.join("vpd_pg80")).ok()?;
    let length = usize::from(u16::from_be_bytes([*page.get(2)?, *page.get(3)?]));
    trimmed(page.get(4..4 + length)?)
}

/// True if `part` is `prefix` followed by a number.
fn is_numbered(part: &str, prefix: &str) -> bool {
    part.strip_prefix(prefix)
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

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
        let turns =
            |drive: &&&BlockDevice| drive.drive.is_rotating == Some(true) && !drive.is_virtual();
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
    match drive.drive.is_rotating {
        Some(false) => format!("{name} is not rotational"),
        Some(true) => format!(
            "assumed: {name} is a virtual disk, whose claim to rotate says nothing of what is below it"
        ),
        None => format!("assumed: {name} does not say whether it rotates"),
    }
}

impl BlockDevice {
    /// True if it is a hypervisor's disk (virtio, Xen, or a model that says so), or a file shown as
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
    use super::*;

    #[test]
    fn the_transport_is_read_off_the_parents() {
        let check = |path: &str, transport| {
            assert_eq!(Transport::of_path(Path::new(path)), transport, "{path}");
        };
        check("/sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda", Some(Transport::Ata));
        check("/sys/devices/pci0/0000:00:02.0/virtio1/block/vda", Some(Transport::Virtio));
        check("/sys/devices/pci0/usb2/2-1/2-1:1.0/host6/block/sdb", Some(Transport::Usb));
        check("/sys/devices/pci0/host1/port-1:0/end_device-1:0/block/sdc", Some(Transport::Sas));
        check("/sys/devices/platform/host2/session1/block/sdd", Some(Transport::Iscsi));
        check("/sys/devices/virtual/block/loop0", None);
    }
}

#[cfg(test)]
mod medium_tests {
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
