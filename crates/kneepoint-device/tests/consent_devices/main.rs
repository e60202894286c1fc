//! Judging and opening real block devices: loop devices that the tests make themselves.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod another_use;
mod facts;
mod loop_bench;
mod loop_files;

use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use kneepoint_core::plan::Caching;
use kneepoint_device::consent::{
    Decision, Effect, Format, Judgement, Mode, Overwrite, Reason, Relation, inspection, judge, open,
};
use kneepoint_device::facts::{SysRoot, target};

use loop_bench::{
    Bench, Loop, checksums, mark, mount, mount_read_only, run, set_read_only, swap_on,
};

/// Judges a target, named with each suffix after its path.
fn judge_named(path: &Path, suffixes: &[&str]) -> Judgement {
    let root = SysRoot::default();
    let facts = target(&root, path).unwrap();
    let overwrites: Vec<_> = suffixes
        .iter()
        .map(|suffix| Overwrite::new(format!("{}{suffix}", path.display())).unwrap())
        .collect();
    let judgement = judge(&root, &facts, &overwrites);
    let text = inspection(&facts, &judgement);
    let answer = match judgement.decision() {
        Decision::Allowed(_) => "yes",
        Decision::Refused => "no",
    };
    assert!(
        text.lines().any(|line| {
            line.strip_prefix("may be written").is_some_and(|rest| rest.trim().starts_with(answer))
        }),
        "{text}"
    );
    judgement
}

fn refusals(judgement: &Judgement) -> Vec<&Reason> {
    let findings = judgement.findings().iter();
    findings
        .filter(|finding| finding.effect == Effect::Refuses)
        .map(|finding| &finding.reason)
        .collect()
}

/// Checks that a device is refused for a reason, also to those who name its UUID, that it still
/// opens for reading, and that all of this writes nothing.
fn check_refused(device: &Path, images: &[&Path], is_expected: impl Fn(&Reason) -> bool) {
    let before = checksums(images);
    let uuid =
        run("sh", &["-c", "blkid -p -o value -s UUID \"$0\" || true", device.to_str().unwrap()]);
    let confirmed = format!("={uuid}");
    for suffixes in [&[][..], &[""], &[confirmed.as_str()]] {
        let judgement = judge_named(device, suffixes);
        let found = refusals(&judgement);
        assert!(found.iter().any(|reason| is_expected(reason)), "{suffixes:?}: {found:?}");
        assert!(judgement.consent().is_err());
    }
    open(device, Mode::ReadOnly, Caching::Buffered).unwrap();
    assert_eq!(checksums(images), before, "something was written");
}

fn is_mounted(relation: Relation, place: &Path) -> impl Fn(&Reason) -> bool {
    move |reason| {
        matches!(reason, Reason::Mounted { relation: found, mount_point, .. }
            if *found == relation && mount_point == place)
    }
}

#[test]
fn a_mounted_file_system_is_refused_and_reading_it_is_warned_of() {
    let Some(bench) = Bench::new(&["mkfs.ext4", "blkid"]) else { return };
    let disk = Loop::attach(&bench.image("ext4", 64), &[]);
    run("mkfs.ext4", &["-q", "-E", "lazy_itable_init=0", disk.name()]);
    let place = bench.mount_point();
    let _mounted = mount(&disk.node, &place);
    check_refused(&disk.node, &[&disk.image], is_mounted(Relation::Itself, &place));
    let opened = open(&disk.node, Mode::ReadOnly, Caching::Direct).unwrap();
    assert!(opened.warnings[0].text().contains("in use"), "{:?}", opened.warnings);
}

#[test]
fn a_mounted_partition_refuses_itself_and_the_disk_but_not_its_neighbour() {
    let Some(bench) = Bench::new(&["mkfs.ext4", "blkid", "sfdisk", "partx"]) else { return };
    let image = bench.image("parts", 64);
    run(
        "sh",
        &["-c", "printf 'label: gpt\\n,32M\\n,16M\\n' | sfdisk -q \"$0\"", image.to_str().unwrap()],
    );
    let disk = Loop::attach_partitioned(&image);
    let (first, second) = (disk.partition(1), disk.partition(2));
    run("mkfs.ext4", &["-q", "-E", "lazy_itable_init=0", first.to_str().unwrap()]);
    let place = bench.mount_point();
    let _mounted = mount(&first, &place);
    check_refused(&first, &[&image], is_mounted(Relation::Itself, &place));
    check_refused(&disk.node, &[&image], is_mounted(Relation::Partition, &place));
    assert_eq!(refusals(&judge_named(&second, &[""])), Vec::<&Reason>::new());
}

#[test]
fn swapped_on_space_is_refused() {
    let Some(bench) = Bench::new(&["mkswap", "swapon", "blkid"]) else { return };
    let disk = Loop::attach(&bench.image("swap", 16), &[]);
    run("mkswap", &["-q", disk.name()]);
    let _on = swap_on(&disk.node);
    check_refused(&disk.node, &[&disk.image], |reason| matches!(reason, Reason::Swap { .. }));
}

#[test]
fn every_device_of_a_mounted_btrfs_is_refused() {
    let Some(bench) = Bench::new(&["mkfs.btrfs", "blkid"]) else { return };
    let disks = [1, 2].map(|index| Loop::attach(&bench.image(&format!("b{index}"), 160), &[]));
    run("mkfs.btrfs", &["-q", "-f", "-d", "raid1", disks[0].name(), disks[1].name()]);
    let place = bench.mount_point();
    let _mounted = mount(&disks[0].node, &place);
    let images = [disks[0].image.as_path(), disks[1].image.as_path()];
    for disk in &disks {
        let is_member = |reason: &Reason| matches!(reason, Reason::BtrfsMember { .. });
        check_refused(&disk.node, &images, is_member);
    }
    facts::check_file_on_btrfs(&place, &disks);
}

#[test]
fn a_device_shown_by_a_loop_device_is_refused() {
    let Some(bench) = Bench::new(&["blkid"]) else { return };
    let lower = Loop::attach(&bench.image("lower", 16), &[]);
    let upper = Loop::attach(&lower.node, &[]);
    let name = upper.name().trim_start_matches("/dev/").to_owned();
    check_refused(&lower.node, &[&lower.image], |reason| {
        *reason == Reason::LoopBacking { loop_device: name.clone(), relation: Relation::Itself }
    });
    assert_eq!(refusals(&judge_named(&upper.node, &[""])), Vec::<&Reason>::new());
}

#[test]
fn a_mount_below_a_loop_device_refuses_it() {
    let Some(bench) = Bench::new(&["mkfs.ext4", "blkid"]) else { return };
    let lower = Loop::attach(&bench.image("lower", 64), &[]);
    run("mkfs.ext4", &["-q", "-E", "lazy_itable_init=0", lower.name()]);
    let upper = Loop::attach(&lower.node, &[]);
    let place = bench.mount_point();
    let _mounted = mount(&lower.node, &place);
    check_refused(&upper.node, &[&lower.image], is_mounted(Relation::Backing, &place));
}

#[test]
fn two_loop_devices_on_one_file_refuse_each_other() {
    let Some(bench) = Bench::new(&["blkid"]) else { return };
    let image = bench.image("shared", 16);
    let first = Loop::attach(&image, &[]);
    let _second = Loop::attach(&image, &[]);
    check_refused(&first.node, &[&image], |reason| {
        matches!(reason, Reason::LoopBacking { relation: Relation::Backing, .. })
    });
}

#[test]
fn the_file_behind_a_loop_device_is_refused_under_any_name() {
    let Some(bench) = Bench::new(&["blkid"]) else { return };
    let disk = Loop::attach(&bench.image("behind", 16), &[]);
    let other_name = disk.image.with_file_name("hard link");
    std::fs::hard_link(&disk.image, &other_name).unwrap();
    for path in [&disk.image, &other_name] {
        check_refused(path, &[&disk.image], |reason| {
            matches!(reason, Reason::LoopBacking { relation: Relation::Itself, .. })
        });
    }
}

/// Checks that a file is refused for a reason although it is named.
fn check_file_refused(file: &Path, is_expected: impl Fn(&Reason) -> bool) {
    let root = SysRoot::default();
    let facts = target(&root, file).unwrap();
    let judgement = judge(&root, &facts, &[Overwrite::new(file).unwrap()]);
    let found = refusals(&judgement);
    assert!(found.iter().any(|reason| is_expected(reason)), "{found:?}");
}

#[test]
fn a_swap_file_is_refused() {
    let Some(bench) = Bench::new(&["mkswap", "swapon"]) else { return };
    let file = bench.image("swap file", 0);
    std::fs::write(&file, vec![0; 4 << 20]).unwrap();
    run("chmod", &["600", file.to_str().unwrap()]);
    run("mkswap", &["-q", file.to_str().unwrap()]);
    let _on = swap_on(&file);
    check_file_refused(&file, |reason| matches!(reason, Reason::Swap { .. }));
}

#[test]
fn files_that_are_marked_against_writing_are_refused() {
    let Some(bench) = Bench::new(&["chattr"]) else { return };
    for (attribute, reason) in [('i', Reason::Immutable), ('a', Reason::AppendOnly)] {
        let file = bench.image("marked", 1);
        let _marked = mark(&file, attribute);
        check_file_refused(&file, |found| *found == reason);
    }
}

#[test]
fn files_on_a_read_only_mount_are_refused() {
    let Some(bench) = Bench::new(&["mkfs.ext4"]) else { return };
    let disk = Loop::attach(&bench.image("ro mount", 64), &[]);
    run("mkfs.ext4", &["-q", disk.name()]);
    let place = bench.mount_point();
    let _mounted = mount(&disk.node, &place);
    let file = place.join("f");
    std::fs::write(&file, "f").unwrap();
    run("mount", &["-o", "remount,ro", place.to_str().unwrap()]);
    check_file_refused(&file, |reason| matches!(reason, Reason::ReadOnlyFileSystem { .. }));
    check_file_refused(&place.join("new"), |reason| {
        matches!(reason, Reason::ReadOnlyFileSystem { .. })
    });
}

#[test]
fn a_read_only_device_is_refused() {
    let Some(bench) = Bench::new(&["blkid"]) else { return };
    let disk = Loop::attach(&bench.image("ro", 16), &["--read-only"]);
    check_refused(&disk.node, &[&disk.image], |reason| *reason == Reason::ReadOnlyDevice);
}

#[test]
fn an_idle_file_system_may_be_overwritten_by_those_who_type_its_uuid() {
    let Some(bench) = Bench::new(&["mkfs.ext4", "blkid"]) else { return };
    let disk = Loop::attach(&bench.image("idle", 64), &[]);
    let uuid = "0b1c2d3e-4f50-4162-8374-95a6b7c8d9ea";
    run("mkfs.ext4", &["-q", "-U", uuid, disk.name()]);
    let before = checksums(&[&disk.image]);

    let judgement = judge_named(&disk.node, &[""]);
    let [Reason::Signature { signature, .. }] = refusals(&judgement)[..] else {
        panic!("{judgement:?}")
    };
    assert_eq!(signature.format, Format::Ext);
    let fault = judgement.consent().unwrap_err();
    let option = format!("--overwrite {}={uuid}", disk.name());
    assert!(fault.fix_hint().unwrap().contains(&option), "{fault:?}");

    let wrong = judge_named(&disk.node, &["=0b1c2d3e-0000-0000-0000-000000000000"]);
    assert!(refusals(&wrong).iter().any(|found| matches!(found, Reason::WrongIdentity { .. })));

    let judgement = judge_named(&disk.node, &[&format!("={uuid}")]);
    let consent = judgement.consent().unwrap();
    let opened = open(&disk.node, Mode::ReadWrite(consent), Caching::Direct).unwrap();
    consent.check(&opened.file).unwrap();
    let second = open(&disk.node, Mode::ReadWrite(consent), Caching::Direct).unwrap_err();
    assert!(second.to_string().contains("something else uses"), "{second}");
    drop(opened);
    assert_eq!(checksums(&[&disk.image]), before, "something was written");
}

#[test]
fn an_empty_device_that_is_named_takes_writes() {
    let Some(bench) = Bench::new(&[]) else { return };
    let disk = Loop::attach(&bench.image("empty", 16), &[]);
    assert!(matches!(refusals(&judge_named(&disk.node, &[]))[..], [Reason::NotNamed { .. }]));
    let judgement = judge_named(&disk.node, &[""]);
    let consent = judgement.consent().unwrap();
    let opened = open(&disk.node, Mode::ReadWrite(consent), Caching::Buffered).unwrap();
    opened.file.write_all_at(b"written", 4096).unwrap();
    opened.file.sync_all().unwrap();
    let image = std::fs::read(&disk.image).unwrap();
    assert_eq!(&image[4096..4103], b"written");
}

#[test]
fn a_device_that_was_mounted_after_the_judgement_is_not_opened() {
    let Some(bench) = Bench::new(&["mkfs.ext4", "blkid"]) else { return };
    let disk = Loop::attach(&bench.image("late", 64), &[]);
    run("mkfs.ext4", &["-q", "-E", "lazy_itable_init=0", disk.name()]);
    let uuid = run("blkid", &["-p", "-o", "value", "-s", "UUID", disk.name()]);
    let judgement = judge_named(&disk.node, &[&format!("={uuid}")]);
    let consent = judgement.consent().unwrap();
    let place = bench.mount_point();
    let _mounted = mount(&disk.node, &place);
    let before = checksums(&[&disk.image]);
    assert!(open(&disk.node, Mode::ReadWrite(consent), Caching::Direct).is_err());
    assert_eq!(checksums(&[&disk.image]), before);
}

#[test]
fn a_consent_opens_no_other_device() {
    let Some(bench) = Bench::new(&[]) else { return };
    let disks = [1, 2].map(|index| Loop::attach(&bench.image(&format!("d{index}"), 16), &[]));
    let judgement = judge_named(&disks[0].node, &[""]);
    let consent = judgement.consent().unwrap();
    assert!(open(&disks[1].node, Mode::ReadWrite(consent), Caching::Buffered).is_err());
    let other = open(&disks[1].node, Mode::ReadOnly, Caching::Buffered).unwrap();
    assert!(consent.check(&other.file).is_err());
}

#[test]
fn the_disk_of_this_machine_is_refused() {
    let Some(_bench) = Bench::new(&[]) else { return };
    let root = SysRoot::default();
    let facts = target(&root, Path::new("/etc/os-release")).unwrap();
    let Some(system) = facts.stack().and_then(|stack| stack.devices().first()) else {
        kneepoint_testkit::skipped("the root file system lies on no device");
        return;
    };
    let node: PathBuf = system.node();
    let judgement = judge_named(&node, &[""]);
    let is_mounted = |reason: &&Reason| matches!(reason, Reason::Mounted { .. });
    assert!(refusals(&judgement).iter().any(is_mounted), "{judgement:?}");
}

#[test]
fn a_typed_uuid_does_not_override_what_is_read_only() {
    let Some(bench) = Bench::new(&["mkfs.ext4", "blkid", "blockdev"]) else { return };
    let disk = Loop::attach(&bench.image("ro", 64), &[]);
    run("mkfs.ext4", &["-q", "-E", "lazy_itable_init=0", disk.name()]);
    let _read_only = set_read_only(&disk);
    check_refused(&disk.node, &[&disk.image], |reason| *reason == Reason::ReadOnlyDevice);
    let place = bench.mount_point();
    let _mounted = mount_read_only(&disk.node, &place);
    check_refused(&disk.node, &[&disk.image], is_mounted(Relation::Itself, &place));
}
