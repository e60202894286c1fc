//! Judgements on trees in temporary directories: every rule, and what lies next to it.

use std::path::{Path, PathBuf};

use kneepoint_core::words::units::Bytes;

use super::evidence::{Content, Evidence, Probe};
use super::judgement::judge_probed;
use super::*;
use crate::facts::fake::FakeTree;
use crate::facts::{FileId, FileTarget, Subject, TargetFacts};
use crate::layout::fill;
use crate::layout::{FillProgress, Mark, write_mark};

const UUID: &str = "0b1c2d3e-0000-4000-8000-000000000001";

/// A tree with one disk, `sda`, whose node is stood in for by an empty file.
struct Bench {
    tree: FakeTree,
    node: PathBuf,
    signatures: Vec<Signature>,
    is_taken: bool,
    content: Content,
    _dir: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let tree = FakeTree::quiet();
        tree.disk("sda", "8:0");
        tree.partition("sda", "sda1", "8:1");
        let dir = tempfile::tempdir().unwrap();
        let node = dir.path().canonicalize().unwrap().join("node");
        std::fs::write(&node, "").unwrap();
        let (is_taken, content) = (false, Content::Blank);
        Self { tree, node, signatures: Vec::new(), is_taken, content, _dir: dir }
    }

    fn with_signature(mut self, identity: Option<&str>) -> Self {
        let identity =
            identity.and_then(|value| Identity::telling(IdentityKind::ContentUuid, value));
        let signature = Signature { format: Format::Ext, offset_bytes: 1080, identity };
        self.signatures.push(signature);
        // The kernel's own list of partitions is another reason; this disk has none.
        let part = self.tree.root().path("/sys/devices/pci0/ata1/block/sda/sda1");
        std::fs::remove_dir_all(part).unwrap();
        self
    }

    /// Judges the device of that number, named with `suffix` after its path.
    fn judge(&self, number: &str, suffix: Option<&str>) -> Judgement {
        let facts = self.tree.facts(number, &self.node);
        let overwrites: Vec<Overwrite> = suffix
            .map(|suffix| Overwrite::new(format!("{}{suffix}", self.node.display())).unwrap())
            .into_iter()
            .collect();
        let evidence =
            Evidence { origin: None, signatures: self.signatures.clone(), content: self.content };
        let probe = Probe { is_taken: self.is_taken, evidence: Ok(evidence), sequence: None };
        let device = &facts.stack().unwrap().tops()[0];
        judge_probed(&self.tree.root(), &facts.path, device, (probe, &overwrites))
    }

    /// The refusing reasons where the whole disk is named rightly.
    fn refusals(&self) -> Vec<Reason> {
        // The serial confirms the partitions that the kernel shows.
        self.tree.attribute("sda", "serial", "S1\n");
        refusals(&self.judge("8:0", Some("=S1")))
    }
}

fn refusals(judgement: &Judgement) -> Vec<Reason> {
    let refusing = |finding: &&WriteFinding| finding.effect == Effect::Refuses;
    let reasons: Vec<_> = judgement
        .findings()
        .iter()
        .filter(refusing)
        .map(|finding| finding.reason.clone())
        .collect();
    assert_eq!(reasons.is_empty(), matches!(judgement.decision(), Decision::Allowed(_)));
    reasons
}

fn mounted(device: &str, relation: Relation, mount_point: &str) -> Reason {
    let mount_point = PathBuf::from(mount_point);
    Reason::Mounted { device: device.to_owned(), relation, mount_point }
}

#[test]
fn an_idle_disk_that_is_named_may_be_written() {
    let bench = Bench::new();
    assert_eq!(bench.refusals(), []);
    let judgement = bench.judge("8:0", Some("=S1"));
    let consent = judgement.consent().unwrap();
    assert_eq!((consent.path(), consent.ground()), (bench.node.as_path(), Basis::Named));
}

#[test]
fn a_disk_that_nobody_named_is_refused_and_the_option_is_told() {
    let bench = Bench::new();
    let judgement = bench.judge("8:0", None);
    assert!(matches!(refusals(&judgement)[0], Reason::NotNamed { .. }));
    let fault = judgement.consent().unwrap_err();
    let option = format!("--overwrite {}", bench.node.display());
    assert!(fault.fix_hint().unwrap().contains(&option), "{fault:?}");
}

#[test]
fn nobody_is_told_to_overwrite_a_disk_that_is_in_use() {
    let bench = Bench::new();
    bench.tree.attribute("sda", "serial", "S1\n");
    bench.tree.line("/proc/self/mountinfo", "9 1 8:1 / / rw - ext4 /dev/sda1 rw");
    let judgement = bench.judge("8:0", None);
    assert!(refusals(&judgement).contains(&Reason::NotNamed { option: None }));
    let fault = judgement.consent().unwrap_err();
    assert!(fault.fix_hint().unwrap().contains("name another device"), "{fault:?}");
}

#[test]
fn naming_another_target_names_nothing() {
    let bench = Bench::new();
    let other = bench.node.with_file_name("other");
    std::fs::write(&other, "").unwrap();
    let facts = bench.tree.facts("8:0", &bench.node);
    let evidence = Evidence { origin: None, signatures: Vec::new(), content: Content::Blank };
    let probe = Probe { is_taken: false, evidence: Ok(evidence), sequence: None };
    let overwrites = [Overwrite::new(other).unwrap()];
    let device = &facts.stack().unwrap().tops()[0];
    let judgement = judge_probed(&bench.tree.root(), &facts.path, device, (probe, &overwrites));
    assert!(matches!(refusals(&judgement)[0], Reason::NotNamed { .. }));
}

#[test]
fn mounts_of_the_disk_and_of_its_partition_refuse() {
    let check = |line: &str, expected: Reason| {
        let bench = Bench::new();
        bench.tree.line("/proc/self/mountinfo", line);
        assert_eq!(bench.refusals(), [expected], "{line}");
    };
    let itself = Relation::Itself;
    let part = Relation::Partition;
    check("9 1 8:0 / /m rw - ext4 /dev/root rw", mounted("sda", itself, "/m"));
    check("9 1 8:1 / /m rw - ext4 /dev/root rw", mounted("sda1", part, "/m"));
    check("9 1 0:40 / /m rw - btrfs /dev/sda1 rw", mounted("sda1", part, "/m"));
    check("9 1 8:99 / /m rw - xfs /dev/sdx rw,logdev=/dev/sda1", mounted("sda1", part, "/m"));
    check(r"9 1 8:1 / /my\040disk rw - ext4 x rw", mounted("sda1", part, "/my disk"));
}

#[test]
fn a_mount_in_another_namespace_refuses() {
    let bench = Bench::new();
    bench.tree.file("/proc/77/mountinfo", "9 1 8:1 / /elsewhere rw - ext4 /dev/sda1 rw\n");
    assert_eq!(bench.refusals(), [mounted("sda1", Relation::Partition, "/elsewhere")]);
}

#[test]
fn a_partition_answers_for_itself_and_its_disk_but_not_for_its_neighbour() {
    let judge = |line: &str| {
        let bench = Bench::new();
        bench.tree.partition("sda", "sda2", "8:2");
        bench.tree.line("/proc/self/mountinfo", line);
        refusals(&bench.judge("8:1", Some("")))
    };
    assert_eq!(judge("9 1 8:2 / /m rw - ext4 /dev/sda2 rw"), []);
    let disk = judge("9 1 8:0 / /m rw - ext4 /dev/sda rw");
    assert_eq!(disk, [mounted("sda", Relation::Disk, "/m")]);
}

#[test]
fn swap_on_a_partition_refuses() {
    let bench = Bench::new();
    bench.tree.line("/proc/swaps", "/dev/sda1                 partition\t1048572\t0\t-2");
    let place = PathBuf::from("/dev/sda1");
    assert_eq!(bench.refusals(), [Reason::Swap { place, relation: Relation::Partition }]);
}

#[test]
fn arrays_and_mapped_devices_hold_what_they_are_built_on() {
    for holder in ["md0", "dm-3", "bcache0"] {
        let bench = Bench::new();
        bench.tree.virtual_disk(holder, "9:0");
        bench.tree.stack(holder, "sda1");
        let expected = Reason::Held {
            device: "sda1".to_owned(),
            relation: Relation::Partition,
            holder: holder.to_owned(),
        };
        assert_eq!(bench.refusals(), [expected]);
    }
}

#[test]
fn every_member_of_a_mounted_btrfs_is_in_use() {
    let bench = Bench::new();
    bench.tree.disk("sdb", "8:16");
    bench.tree.btrfs(UUID, &["sdb", "sda1"]);
    bench.tree.line("/proc/self/mountinfo", "9 1 0:40 / /m rw - btrfs /dev/sdb rw");
    let expected = Reason::BtrfsMember {
        device: "sda1".to_owned(),
        relation: Relation::Partition,
        uuid: UUID.to_owned(),
    };
    assert_eq!(bench.refusals(), [expected]);
}

#[test]
fn a_loop_device_on_a_partition_refuses_the_disk() {
    let bench = Bench::new();
    bench.tree.virtual_disk("loop4", "7:4");
    bench.tree.attribute("loop4", "loop/backing_file", "/dev/sda1\n");
    let expected =
        Reason::LoopBacking { loop_device: "loop4".to_owned(), relation: Relation::Partition };
    assert_eq!(bench.refusals(), [expected]);
}

#[test]
fn two_loop_devices_on_one_file_refuse_each_other() {
    let bench = Bench::new();
    for (name, number) in [("loop4", "7:4"), ("loop5", "7:5")] {
        bench.tree.virtual_disk(name, number);
        bench.tree.attribute(name, "loop/backing_file", "/images/disk one.img\n");
    }
    let expected =
        Reason::LoopBacking { loop_device: "loop5".to_owned(), relation: Relation::Backing };
    assert_eq!(refusals(&bench.judge("7:4", Some(""))), [expected]);
}

#[test]
fn the_same_drive_by_another_path_is_in_use_too() {
    let bench = Bench::new();
    bench.tree.disk("sdb", "8:16");
    bench.tree.attribute("sda", "wwid", "naa.1\n");
    bench.tree.attribute("sdb", "wwid", "naa.1\n");
    bench.tree.line("/proc/self/mountinfo", "9 1 8:16 / /m rw - ext4 /dev/sdb rw");
    assert_eq!(bench.refusals(), [mounted("sdb", Relation::Twin, "/m")]);
    bench.tree.attribute("sdb", "wwid", "naa.2\n");
    assert_eq!(bench.refusals(), []);
}

#[test]
fn what_the_kernel_alone_knows_refuses() {
    let mut bench = Bench::new();
    bench.is_taken = true;
    assert_eq!(bench.refusals(), [Reason::Busy]);
    let bench = Bench::new();
    bench.tree.attribute("sda", "ro", "1\n");
    assert_eq!(bench.refusals(), [Reason::ReadOnlyDevice]);
}

#[test]
fn what_cannot_be_found_out_refuses() {
    let check = |path: &str| {
        let bench = Bench::new();
        let gone = bench.tree.root().path(path);
        if gone.is_dir() {
            std::fs::remove_dir_all(gone).unwrap();
        } else {
            std::fs::remove_file(gone).unwrap();
        }
        let found = bench.refusals();
        assert!(matches!(found[..], [Reason::Unknown { .. }, ..]), "{path}: {found:?}");
    };
    check("/proc/self/mountinfo");
    check("/sys/block");
    check("/sys/devices/pci0/ata1/block/sda/holders");
    check("/sys/devices/pci0/ata1/block/sda/sda1/dev");
    let bench = Bench::new();
    bench.tree.line("/proc/self/mountinfo", "not a mount");
    assert!(matches!(bench.refusals()[..], [Reason::Unknown { .. }]));
}

#[test]
fn content_that_cannot_be_probed_refuses() {
    let bench = Bench::new();
    let facts = bench.tree.facts("8:0", &bench.node);
    // The node is a file here: looking at it through the real probe must not pass for the device.
    let overwrites = [Overwrite::new(&bench.node).unwrap()];
    let judgement = judge(&bench.tree.root(), &facts, &overwrites);
    let found = refusals(&judgement);
    let unknown =
        |reason: &Reason| matches!(reason, Reason::Unknown { what: "what is written on it", .. });
    assert!(found.iter().any(unknown), "{found:?}");
}

#[test]
fn a_signature_needs_an_identity_of_the_device() {
    let bench = Bench::new().with_signature(Some(UUID));
    bench.tree.attribute("sda", "serial", "WD-1\n");
    bench.tree.attribute("sda", "wwid", "naa.5\n");
    let refused = |suffix: &str| !refusals(&bench.judge("8:0", Some(suffix))).is_empty();
    assert!(refused(""), "no identity typed");
    assert!(refused("=WD-2"), "another serial");
    assert!(refused("="), "an empty identity");
    assert!(!refused("=WD-1"));
    assert!(!refused("=wd-1"), "case does not matter");
    assert!(!refused("=NAA.5"));
    assert!(!refused(&format!("={}", UUID.to_uppercase())));
    let fault = bench.judge("8:0", Some("")).consent().unwrap_err();
    let option = format!("--overwrite {}=WD-1", bench.node.display());
    assert!(fault.fix_hint().unwrap().contains(&option), "{fault:?}");
}

#[test]
fn a_signature_on_a_device_without_identity_must_be_wiped_first() {
    let bench = Bench::new().with_signature(None);
    let judgement = bench.judge("8:0", Some(""));
    let [Reason::Signature { is_confirmed, option, .. }] = &refusals(&judgement)[..] else {
        panic!("{judgement:?}")
    };
    assert_eq!((*is_confirmed, option), (false, &None));
    assert!(judgement.consent().unwrap_err().fix_hint().unwrap().contains("wipefs"));
}

#[test]
fn a_wrong_identity_refuses_an_empty_disk() {
    let bench = Bench::new();
    bench.tree.attribute("sda", "serial", "S1\n");
    let found = refusals(&bench.judge("8:0", Some("=S2")));
    assert!(matches!(found[0], Reason::WrongIdentity { .. }), "{found:?}");
}

#[test]
fn partitions_of_an_unrecognised_table_count_as_a_signature() {
    let bench = Bench::new();
    bench.tree.attribute("sda", "serial", "S1\n");
    let found = refusals(&bench.judge("8:0", Some("")));
    let [Reason::Signature { signature, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(signature.format, Format::Partitioned);
}

#[test]
fn mapped_devices_and_partitions_have_identities_of_their_own() {
    let bench = Bench::new().with_signature(None);
    bench.tree.virtual_disk("dm-0", "252:0");
    bench.tree.attribute("dm-0", "dm/uuid", "LVM-AbC\n");
    assert_eq!(refusals(&bench.judge("252:0", Some("=lvm-abc"))), []);
    bench.tree.partition("sda", "sda3", "8:3");
    bench.tree.attribute("sda3", "uevent", "PARTUUID=aa-bb\n");
    assert_eq!(refusals(&bench.judge("8:3", Some("=AABB"))), []);
}

/// Judges a file with that content of `/proc/swaps` and `/sys/block`.
fn judge_file(tree: &FakeTree, file: &Path, named: &[&Path]) -> Vec<Reason> {
    let overwrites: Vec<_> = named.iter().map(|path| Overwrite::new(*path).unwrap()).collect();
    let meta = std::fs::metadata(file).unwrap();
    let facts = TargetFacts {
        path: file.to_owned(),
        subject: Subject::File(FileTarget {
            id: FileId::of(&meta),
            size_bytes: meta.len(),
            links: 1,
            user: 0,
            file_system: None,
        }),
    };
    refusals(&judge(&tree.root(), &facts, &overwrites))
}

fn some_file() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().canonicalize().unwrap().join("f");
    std::fs::write(&file, [0; 4096]).unwrap();
    (dir, file)
}

/// A test file beside `file`, as Kneepoint makes it.
fn own_file(file: &Path) -> PathBuf {
    let path = file.with_file_name("own");
    let (size, progress) = (Bytes(64 << 10), FillProgress::default());
    let own = std::fs::File::options().create_new(true).write(true).read(true).open(&path).unwrap();
    fill(&own, Bytes(0), size, &progress).unwrap();
    write_mark(&own, Mark { size, complete: true }).unwrap();
    path
}

#[test]
fn a_foreign_file_must_be_named_and_an_own_one_need_not() {
    let tree = FakeTree::quiet();
    let (_dir, file) = some_file();
    let other = file.with_file_name("g");
    std::fs::write(&other, "").unwrap();
    let not_named = |reasons: &[Reason]| matches!(reasons, [Reason::NotNamed { .. }]);
    assert!(not_named(&judge_file(&tree, &file, &[])));
    assert!(not_named(&judge_file(&tree, &file, &[&other])));
    assert_eq!(judge_file(&tree, &file, &[&file]), []);
    let own = own_file(&file);
    assert_eq!(judge_file(&tree, &own, &[]), []);
    let serial = PathBuf::from(format!("{}=S1", file.display()));
    let found = judge_file(&tree, &file, &[&serial]);
    assert!(matches!(found[..], [Reason::WrongIdentity { .. }]), "{found:?}");
}

#[test]
fn a_swap_file_is_refused_whoever_made_it() {
    let tree = FakeTree::quiet();
    let (_dir, file) = some_file();
    tree.line("/proc/swaps", &format!("{}\tfile\t1024\t0\t-2", file.display()));
    let own = own_file(&file);
    tree.line("/proc/swaps", &format!("{}\tfile\t1024\t0\t-2", own.display()));
    for file in [file, own] {
        let expected = Reason::Swap { place: file.clone(), relation: Relation::Itself };
        assert_eq!(judge_file(&tree, &file, &[&file]), [expected]);
    }
}

#[test]
fn the_file_behind_a_loop_device_is_refused_even_where_its_path_is_not_seen() {
    let (_dir, file) = some_file();
    for recorded in [file.display().to_string(), "/other/namespace/f (deleted)".to_owned()] {
        let tree = FakeTree::quiet();
        tree.virtual_disk("loop2", "7:2");
        tree.attribute("loop2", "loop/backing_file", &format!("{recorded}\n"));
        let expected =
            Reason::LoopBacking { loop_device: "loop2".to_owned(), relation: Relation::Itself };
        assert_eq!(judge_file(&tree, &file, &[&file]), [expected]);
    }
}

#[test]
fn a_file_that_nobody_may_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let (_dir, file) = some_file();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    let found = judge_file(&FakeTree::quiet(), &file, &[&file]);
    assert!(matches!(found[0], Reason::NoPermission { .. }), "{found:?}");
}

/// Content of others, as the samples show it.
fn foreign_content() -> Content {
    let file = tempfile::tempfile().unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, b"precious", 0).unwrap();
    Content::of(&file, 8).unwrap()
}

#[test]
fn unknown_content_needs_an_identity_of_the_device() {
    let mut bench = Bench::new().with_signature(None);
    bench.signatures.clear();
    bench.content = foreign_content();
    bench.tree.attribute("sda", "serial", "WD-1\n");
    let found = refusals(&bench.judge("8:0", Some("")));
    assert!(matches!(found[..], [Reason::UnknownContent { .. }]), "{found:?}");
    for suffix in [None, Some("")] {
        let fault = bench.judge("8:0", suffix).consent().unwrap_err();
        let option = format!("--overwrite {}=WD-1", bench.node.display());
        assert!(fault.fix_hint().unwrap().contains(&option), "{fault:?}");
    }
    assert_eq!(refusals(&bench.judge("8:0", Some("=WD-1"))), []);
    bench.content = Content::Own;
    assert_eq!(refusals(&bench.judge("8:0", Some(""))), []);
}

#[test]
fn content_is_named_by_its_fingerprint_where_a_device_has_no_identity() {
    let mut bench = Bench::new().with_signature(None);
    bench.content = foreign_content();
    let Content::Foreign(print) = bench.content else { panic!() };
    let print = format!("content-{print:08x}");
    for signatures in [bench.signatures.clone(), Vec::new()] {
        bench.signatures = signatures;
        let fault = bench.judge("8:0", Some("")).consent().unwrap_err();
        let option = format!("--overwrite {}={print}", bench.node.display());
        assert!(fault.fix_hint().unwrap().contains(&option), "{fault:?}");
        assert_eq!(refusals(&bench.judge("8:0", Some(&format!("={print}")))), []);
        let wrong = refusals(&bench.judge("8:0", Some("=content-00000000")));
        assert!(matches!(wrong[0], Reason::WrongIdentity { .. }), "{wrong:?}");
    }
}
