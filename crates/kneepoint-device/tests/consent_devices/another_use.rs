//! Devices that hold something unknown, or something else than when they were judged.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::process::Command;

use kneepoint_core::plan::Caching;
use kneepoint_core::words::units::Bytes;
use kneepoint_device::consent::{Mode, Reason, open};
use kneepoint_device::layout::{FillProgress, fill};

use kneepoint_testkit::skipped;

use crate::loop_bench::{Bench, Loop, checksums, run};
use crate::{judge_named, refusals};

/// Writes to the image before it is attached.
fn write(image: &std::path::Path, offset: u64, bytes: &[u8]) {
    let file = OpenOptions::new().write(true).open(image).unwrap();
    file.write_all_at(bytes, offset).unwrap();
}

#[test]
fn unknown_content_is_written_over_only_where_its_fingerprint_is_typed() {
    let Some(bench) = Bench::new(&[]) else { return };
    let image = bench.image("unknown", 16);
    write(&image, 5 << 10, b"precious");
    let disk = Loop::attach(&image, &[]);
    let before = checksums(&[&image]);
    let judgement = judge_named(&disk.node, &[""]);
    let found = refusals(&judgement);
    assert!(matches!(found[..], [Reason::UnknownContent { .. }]), "{found:?}");
    let fault = judgement.consent().unwrap_err();
    let hint = fault.fix_hint().unwrap();
    let print = hint.rsplit('=').next().unwrap();
    assert!(print.starts_with("content-"), "{hint}");
    let judgement = judge_named(&disk.node, &[&format!("={print}")]);
    let consent = judgement.consent().unwrap();
    assert_eq!(checksums(&[&image]), before, "something was written");
    drop(open(&disk.node, Mode::ReadWrite(consent), Caching::Buffered).unwrap());
    // A later write of others makes it another content.
    let node = OpenOptions::new().write(true).open(&disk.node).unwrap();
    node.write_all_at(b"later", 9 << 10).unwrap();
    node.sync_all().unwrap();
    let fault = open(&disk.node, Mode::ReadWrite(consent), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("content is not what it was"), "{fault}");
}

#[test]
fn a_device_that_kneepoint_filled_needs_no_identity() {
    let Some(bench) = Bench::new(&[]) else { return };
    let disk = Loop::attach(&bench.image("filled", 16), &[]);
    let node: File = OpenOptions::new().read(true).write(true).open(&disk.node).unwrap();
    fill(&node, Bytes(0), Bytes(12 << 20), &FillProgress::default()).unwrap();
    drop(node);
    assert_eq!(refusals(&judge_named(&disk.node, &[""])), Vec::<&Reason>::new());
}

#[test]
fn another_file_in_the_same_loop_device_is_not_written() {
    let Some(bench) = Bench::new(&[]) else { return };
    let disk = Loop::attach(&bench.image("blank", 16), &[]);
    let precious = bench.image("precious", 16);
    let judgement = judge_named(&disk.node, &[""]);
    let consent = judgement.consent().unwrap();
    run("losetup", &["--detach", disk.name()]);
    let attached = Command::new("losetup").arg(disk.name()).arg(&precious).output().unwrap();
    if !attached.status.success() {
        skipped(String::from_utf8_lossy(&attached.stderr));
        return;
    }
    let fault = open(&disk.node, Mode::ReadWrite(consent), Caching::Buffered).unwrap_err();
    assert!(fault.to_string().contains("something took its place"), "{fault}");
}

#[test]
fn a_file_system_that_was_made_after_the_judgement_is_not_written_over() {
    let Some(bench) = Bench::new(&["mkfs.ext4"]) else { return };
    let disk = Loop::attach(&bench.image("late", 64), &[]);
    let judgement = judge_named(&disk.node, &[""]);
    let consent = judgement.consent().unwrap();
    run("mkfs.ext4", &["-q", disk.name()]);
    let before = checksums(&[&disk.image]);
    let fault = open(&disk.node, Mode::ReadWrite(consent), Caching::Direct).unwrap_err();
    assert!(fault.to_string().contains("recognised"), "{fault}");
    assert_eq!(checksums(&[&disk.image]), before, "something was written");
}

#[test]
fn a_minix_file_system_is_content_although_its_magic_is_not_known() {
    let Some(bench) = Bench::new(&["mkfs.minix"]) else { return };
    let image = bench.image("minix", 16);
    run("mkfs.minix", &[image.to_str().unwrap()]);
    let disk = Loop::attach(&image, &[]);
    assert!(!refusals(&judge_named(&disk.node, &[""])).is_empty());
}
