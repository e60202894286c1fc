//! Facts of targets, read from trees in temporary directories and from this machine.

use std::path::Path;

use kneepoint_core::plan::TargetKind;

use super::fake::FakeTree;
use super::*;

#[test]
fn a_partition_shows_its_disks_drive_and_settings() {
    let tree = FakeTree::quiet();
    tree.disk("sda", "8:0");
    tree.partition("sda", "sda1", "8:1");
    tree.attribute("sda", "device/vendor", "ATA     \n");
    tree.attribute("sda", "device/model", "Samsung SSD 870\n");
    tree.attribute("sda", "device/rev", "3B6Q\n");
    tree.attribute("sda", "device/wwid", "naa.5002538f\n");
    tree.attribute("sda", "device/vpd_pg80", "\0\u{0}\0\u{8}S6PNNM0T");
    tree.attribute("sda", "queue/rotational", "0\n");
    tree.attribute("sda", "queue/scheduler", "none [mq-deadline] bfq\n");
    tree.attribute("sda", "queue/write_cache", "write back\n");
    tree.attribute("sda1", "uevent", "DEVTYPE=partition\nPARTUUID=1234-01\n");

    let facts = tree.facts("8:1", Path::new("/dev/sda1"));
    let device = &facts.stack().unwrap().tops()[0];
    assert_eq!(device.drive.serial.as_deref(), Some("S6PNNM0T"));
    assert_eq!(device.drive.transport, Some(Transport::Ata));
    let DeviceClass::Partition(partition) = &device.class else { panic!("{:?}", device.class) };
    assert_eq!((partition.index, partition.start_bytes), (1, 2048 * 512));
    assert_eq!(partition.uuid.as_deref(), Some("1234-01"));
    assert_eq!(partition.disk.name, "sda");

    let shown = facts.environment("/dev/sda1");
    assert_eq!(shown.kind, TargetKind::Block);
    assert_eq!(shown.size_bytes, 1 << 30);
    assert_eq!(shown.device["model"], "Samsung SSD 870");
    assert_eq!(shown.device["rotational"], "no");
    assert_eq!(shown.settings["scheduler"], "mq-deadline");
    assert_eq!(shown.settings["write_cache"], "write back");
    assert!(shown.device.keys().all(|key| !key.starts_with("sda.")), "{:?}", shown.device);
}

#[test]
fn an_array_is_followed_down_to_the_drives_of_its_members() {
    let tree = FakeTree::quiet();
    tree.disk("sda", "8:0");
    tree.partition("sda", "sda1", "8:1");
    tree.disk("sdb", "8:16");
    tree.attribute("sdb", "device/model", "WD\n");
    tree.virtual_disk("md0", "9:0");
    tree.attribute("md0", "md/level", "raid1\n");
    tree.attribute("md0", "md/raid_disks", "2\n");
    tree.attribute("md0", "md/chunk_size", "65536\n");
    tree.attribute("md0", "md/array_state", "clean\n");
    tree.stack("md0", "sda1");
    tree.stack("md0", "sdb");

    let facts = tree.facts("9:0", Path::new("/dev/md0"));
    let names: Vec<_> =
        facts.stack().unwrap().devices().iter().map(|device| device.name.as_str()).collect();
    assert_eq!(names, ["md0", "sda1", "sdb", "sda"]);
    assert_eq!(facts.counted_devices(), ["9:0".parse().unwrap()]);
    let shown = facts.environment("/dev/md0").device;
    assert_eq!(shown["raid_level"], "raid1");
    assert_eq!(shown["raid_chunk_bytes"], "65536");
    assert_eq!(shown["members"], "sda1, sdb");
    assert_eq!(shown["sdb.model"], "WD");
    assert_eq!(shown["sda1.disk"], "sda");
}

#[test]
fn a_mapped_device_tells_name_and_uuid() {
    let tree = FakeTree::quiet();
    tree.virtual_disk("dm-0", "252:0");
    tree.attribute("dm-0", "dm/name", "vg-data\n");
    tree.attribute("dm-0", "dm/uuid", "LVM-abc\n");
    let shown = tree.facts("252:0", Path::new("/dev/dm-0")).environment("x").device;
    assert_eq!((shown["dm_name"].as_str(), shown["dm_uuid"].as_str()), ("vg-data", "LVM-abc"));
}

#[test]
fn a_file_on_btrfs_lies_on_every_member() {
    let tree = FakeTree::quiet();
    tree.disk("sda", "8:0");
    tree.disk("sdb", "8:16");
    tree.btrfs("uuid-1", &["sda", "sdb"]);
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().canonicalize().unwrap();
    let line = format!("9 1 0:77 / {} rw - btrfs /dev/sdb rw,subvol=/", place.display());
    tree.line("/proc/self/mountinfo", &line);
    std::fs::write(place.join("f"), [0u8; 8192]).unwrap();

    let facts = target(&tree.root(), &place.join("f")).unwrap();
    let shown = facts.environment("f");
    assert_eq!(shown.device["members"], "sda, sdb");
    assert_eq!(shown.device["sda.class"], "disk");
    assert_eq!(facts.counted_devices().len(), 2);
    assert!(shown.file_system.starts_with("btrfs /dev/sdb on "), "{}", shown.file_system);
    assert_eq!(shown.size_bytes, 8192);
}

#[test]
fn host_managed_and_empty_devices_are_refused() {
    let tree = FakeTree::quiet();
    tree.disk("sda", "8:0");
    let device = || BlockDevice::read(&tree.root(), "8:0".parse().unwrap()).unwrap();
    let check = || super::target::check_drivable(Path::new("/dev/sda"), &device());
    assert!(check().is_ok());
    tree.attribute("sda", "queue/zoned", "host-managed\n");
    assert!(check().unwrap_err().to_string().contains("host-managed zoned"));
    tree.attribute("sda", "queue/zoned", "none\n");
    tree.attribute("sda", "size", "0\n");
    assert!(check().unwrap_err().to_string().contains("no size"));
}

#[test]
fn kinds_that_are_not_storage_are_refused_with_the_reason() {
    let root = SysRoot::default();
    let dir = tempfile::tempdir().unwrap();
    let check = |path: &Path, reason: &str| {
        let fault = target(&root, path).unwrap_err();
        assert!(fault.to_string().contains(reason), "{path:?}: {fault}");
    };
    check(dir.path(), "a directory");
    check(Path::new("/dev/null"), "a character device");
    let socket = dir.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    check(&socket, "a socket");
    let link = dir.path().join("link");
    std::os::unix::fs::symlink(dir.path().join("gone"), &link).unwrap();
    check(&link, "leads nowhere");
    check(&dir.path().join("no/file"), "directory");
    check(&dir.path().join("new/"), "names a directory");
    check(Path::new("/dev/no-such-disk"), "no device of that name");
    check(Path::new("/proc/version"), "is not storage");
}

#[test]
fn a_missing_file_is_a_target_in_its_directory() {
    let dir = tempfile::tempdir().unwrap();
    let facts = target(&SysRoot::default(), &dir.path().join("new")).unwrap();
    assert!(matches!(facts.subject, Subject::Missing(_)));
    assert_eq!(facts.path, dir.path().canonicalize().unwrap().join("new"));
    assert_eq!(facts.size_bytes(), 0);
}

#[test]
fn a_real_file_is_found_through_a_link_with_its_file_system() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("f");
    std::fs::write(&file, [1u8; 4096]).unwrap();
    let link = dir.path().join("l");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let facts = target(&SysRoot::default(), &link).unwrap();
    assert_eq!(facts.path, file.canonicalize().unwrap());
    let file_system = facts.file_system().expect("this machine has a mount table");
    assert!(file_system.free_bytes > 0);
    let alignment = direct_alignment(&facts);
    assert!(alignment.offset_bytes.is_power_of_two(), "{alignment:?}");
    for number in facts.counted_devices() {
        let line = std::fs::read_to_string(format!("/sys/dev/block/{number}/stat")).unwrap();
        assert!(DeviceCounters::parse(&line).unwrap().reads > 0);
    }
}

#[test]
fn without_word_from_the_kernel_the_largest_logical_block_decides() {
    let tree = FakeTree::quiet();
    tree.disk("sda", "8:0");
    tree.attribute("sda", "queue/logical_block_size", "4096\n");
    let facts = tree.facts("8:0", Path::new("/nowhere"));
    let expected = DirectAlignment {
        offset_bytes: 4096,
        memory_bytes: 4096,
        source: AlignmentSource::LogicalBlock,
    };
    assert_eq!(direct_alignment(&facts), expected);
}
