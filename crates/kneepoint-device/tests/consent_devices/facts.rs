//! Facts of real devices.

use std::os::unix::fs::FileExt;
use std::path::Path;

use kneepoint_core::plan::Caching;
use kneepoint_device::consent::{Mode, open};
use kneepoint_device::facts::{
    AlignmentSource, DeviceClass, DeviceCounters, SysRoot, direct_alignment, target,
};

use super::loop_bench::{Bench, Loop, mount, run};

/// A file on a btrfs of several devices lies on all of them.
pub(crate) fn check_file_on_btrfs(place: &Path, disks: &[Loop]) {
    let file = place.join("f");
    std::fs::write(&file, [7; 8192]).unwrap();
    let facts = target(&SysRoot::default(), &file).unwrap();
    let mut tops: Vec<_> =
        facts.stack().unwrap().tops().iter().map(|device| device.node()).collect();
    tops.sort();
    let mut expected: Vec<_> = disks.iter().map(|disk| disk.node.clone()).collect();
    expected.sort();
    assert_eq!(tops, expected);
    assert_eq!(facts.file_system().unwrap().mount.fs_type, "btrfs");
}

#[test]
fn a_file_on_a_partition_is_followed_down_and_its_reads_are_counted() {
    let Some(bench) = Bench::new(&["mkfs.xfs", "sfdisk", "partx"]) else { return };
    let image = bench.image("parts", 400);
    run("sh", &["-c", "printf 'label: dos\\n,\\n' | sfdisk -q \"$0\"", image.to_str().unwrap()]);
    let disk = Loop::attach_partitioned(&image);
    let part = disk.partition(1);
    run("mkfs.xfs", &["-q", part.to_str().unwrap()]);
    let place = bench.mount_point();
    let _mounted = mount(&part, &place);
    let file = place.join("f");
    std::fs::write(&file, vec![7; 1 << 20]).unwrap();
    rustix::fs::sync();

    let root = SysRoot::default();
    let facts = target(&root, &file).unwrap();
    let devices = facts.stack().unwrap().devices();
    assert_eq!(devices[0].node(), part);
    assert!(matches!(devices[0].class, DeviceClass::Partition(_)));
    assert_eq!(devices[1].node(), disk.node);
    let DeviceClass::Loop(shown) = &devices[1].class else { panic!("{:?}", devices[1].class) };
    assert_eq!(shown.backing.as_deref(), Some(image.as_path()));
    let environment = facts.environment("f");
    assert!(environment.file_system.starts_with("xfs "), "{}", environment.file_system);
    assert!(environment.settings.contains_key("read_ahead_kb"), "{:?}", environment.settings);

    let alignment = direct_alignment(&facts);
    assert!(matches!(alignment.source, AlignmentSource::Kernel | AlignmentSource::LogicalBlock));
    let stat = format!("/sys/dev/block/{}/stat", facts.counted_devices()[0]);
    let counters = || DeviceCounters::parse(&std::fs::read_to_string(&stat).unwrap()).unwrap();
    let before = counters();
    read_directly(&file, 16);
    let after = counters();
    assert!((after - before).bytes_read() >= 16 * 4096, "{:?}", after - before);
}

/// Reads that many blocks of 4 KiB past the page cache.
fn read_directly(file: &Path, blocks: u64) {
    let opened = open(file, Mode::ReadOnly, Caching::Direct).unwrap();
    let mut room = vec![0; 2 * 4096];
    let start = room.as_ptr().align_offset(4096);
    for block in 0..blocks {
        let buffer = &mut room[start..start + 4096];
        opened.file.read_exact_at(buffer, block * 4096).unwrap();
        assert_eq!(buffer[0], 7);
    }
}
