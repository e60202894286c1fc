//! Signatures on images made byte by byte, and on images made by the tools of this machine.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use kneepoint_testkit::has_tools;

use super::*;

const SIZE: u64 = 16 << 20;
const BYTES: [u8; 16] = *b"\x0b\x1c\x2d\x3e\x4f\x50\x41\x62\x83\x74\x95\xa6\xb7\xc8\xd9\xea";
const UUID: &str = "0b1c2d3e-4f50-4162-8374-95a6b7c8d9ea";

/// A sparse image with these bytes at these places.
fn image(size: u64, parts: &[(u64, &[u8])]) -> File {
    let file = tempfile::tempfile().unwrap();
    file.set_len(size).unwrap();
    for (offset, bytes) in parts {
        file.write_all_at(bytes, *offset).unwrap();
    }
    file
}

fn found(file: &File) -> Vec<Signature> {
    let size = file.metadata().unwrap().len();
    probe(&Image::new(file, size)).unwrap()
}

/// Checks that an image shows one format with that identity.
fn check(parts: &[(u64, &[u8])], format: Format, identity: Option<&str>) {
    let found = found(&image(SIZE, parts));
    assert_eq!(found.len(), 1, "{format:?}: {found:?}");
    assert_eq!(found[0].format, format);
    let value = found[0].identity.as_ref().map(|identity| identity.value.as_str());
    assert_eq!(value, identity, "{format:?}");
}

#[test]
fn an_empty_image_shows_nothing_at_any_size() {
    for size in [0, 511, 512, 4096, 70_000, SIZE] {
        assert_eq!(found(&image(size, &[])), [], "{size}");
    }
}

#[test]
fn file_systems_are_told_by_their_magic() {
    check(&[(1080, b"\x53\xef"), (1128, &BYTES)], Format::Ext, Some(UUID));
    check(&[(0, b"XFSB"), (32, &BYTES)], Format::Xfs, Some(UUID));
    check(&[(65600, b"_BHRfS_M"), (65568, &BYTES)], Format::Btrfs, Some(UUID));
    check(&[(1024, b"\x10\x20\xf5\xf2"), (1132, &BYTES)], Format::F2fs, Some(UUID));
    check(&[(65588, b"ReIsEr2Fs"), (65620, &BYTES)], Format::ReiserFs, Some(UUID));
    check(&[(0, b"hsqs")], Format::Squashfs, None);
    check(
        &[(32769, b"CD001"), (33598, b"2024053112000000")],
        Format::Iso9660,
        Some("2024-05-31-12-00-00-00"),
    );
    check(&[(2 << 20, b"\x5e\xf1\xab\x2f")], Format::Vmfs, None);
    check(&[(1 << 20, b"\x0d\xd0\x01\xc0")], Format::VmfsMember, None);
    check(&[(32768, b"JFS1"), (32904, &BYTES)], Format::Jfs, Some(UUID));
    check(&[(1030, b"\x34\x34"), (1176, &BYTES)], Format::Nilfs2, Some(UUID));
    check(&[(32, b"NXSB"), (72, &BYTES)], Format::Apfs, Some(UUID));
}

#[test]
fn volumes_and_stores_are_told_by_their_magic() {
    let lvm = b"CZ0q3RPlbQ1Pd7RB3vTc0xF1ymU8bW2a";
    let shown = "CZ0q3R-PlbQ-1Pd7-RB3v-Tc0x-F1ym-U8bW2a";
    for label in [0, 512, 1024, 1536] {
        check(&[(label, b"LABELONE"), (label + 32, lvm)], Format::Lvm, Some(shown));
    }
    let text = UUID.as_bytes();
    check(&[(0, b"LUKS\xba\xbe\0\x01"), (168, text)], Format::Luks, Some(UUID));
    check(&[(0, b"LUKS\xba\xbe\0\x02"), (168, text)], Format::Luks, Some(UUID));
    check(&[(0x8000, b"SKUL\xba\xbe\0\x02"), (0x8000 + 168, text)], Format::Luks, Some(UUID));
    check(
        &[
            (4120, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81"),
            (4136, &BYTES),
        ],
        Format::Bcache,
        Some(UUID),
    );
    check(
        &[(0, format!("bluestore block device\n{UUID}\n").as_bytes())],
        Format::Bluestore,
        Some(UUID),
    );
    check(&[(32, b"ORCLDISK")], Format::OracleAsm, None);
}

#[test]
fn swap_space_ends_the_first_page_of_any_size() {
    for page in [4096, 8192, 16384, 65536] {
        check(&[(page - 10, b"SWAPSPACE2"), (1036, &BYTES)], Format::Swap, Some(UUID));
    }
    check(&[(4086, b"S1SUSPEND\0"), (1036, &BYTES)], Format::Swap, Some(UUID));
}

#[test]
fn array_members_are_found_at_either_end() {
    let magic = 0xa92b_4efc_u32.to_le_bytes();
    let one = 1_u32.to_le_bytes();
    for start in [0, 4096, SIZE - 8192] {
        let parts: [(u64, &[u8]); 3] = [(start, &magic), (start + 4, &one), (start + 16, &BYTES)];
        check(&parts, Format::MdMember, Some(UUID));
    }
    let start = SIZE - 65536;
    let big = 0xa92b_4efc_u32.to_be_bytes();
    let tail = &BYTES[4..];
    let old: [(u64, &[u8]); 3] = [(start, &big), (start + 20, &BYTES[..4]), (start + 52, tail)];
    check(&old, Format::MdMember, Some(UUID));
    check(&[(SIZE - 512, b"\xde\x11\xde\x11")], Format::Ddf, None);
    check(&[(SIZE - 1024, b"Intel Raid ISM Cfg Sig. 1.3.00")], Format::IntelRaid, None);
}

#[test]
fn pools_are_told_by_any_label() {
    let magic = 0x00ba_b10c_u64;
    let name = b"\0\0\0\x09pool_guid\0\0\0\0\0\0\x08\0\0\0\x01\0\0\0\0\0\0\x30\x39";
    for label in [0, 256 << 10, SIZE - (512 << 10), SIZE - (256 << 10)] {
        let slot = label + (128 << 10) + 3 * 1024;
        let list = label + (16 << 10) + 40;
        check(&[(slot, &magic.to_le_bytes()), (list, name)], Format::ZfsMember, Some("12345"));
        check(&[(slot, &magic.to_be_bytes())], Format::ZfsMember, None);
    }
}

#[test]
fn partition_tables_are_found_even_where_only_the_copy_is_left() {
    let guid = "3e2d1c0b-504f-6241-8374-95a6b7c8d9ea";
    for header in [512, 4096, SIZE - 512, SIZE - 4096] {
        check(&[(header, b"EFI PART"), (header + 56, &BYTES)], Format::Gpt, Some(guid));
    }
    check(&[(440, b"\x78\x56\x34\x12"), (510, b"\x55\xaa")], Format::Mbr, Some("12345678"));
    check(&[(510, b"\x55\xaa")], Format::Mbr, None);
}

#[test]
fn boot_sectors_of_file_systems_are_not_taken_for_partition_tables() {
    let mark: (u64, &[u8]) = (510, b"\x55\xaa");
    let serial = b"\x78\x56\x34\x12";
    check(&[mark, (82, b"FAT32   "), (67, serial)], Format::Fat, Some("1234-5678"));
    check(&[mark, (54, b"FAT16   "), (39, serial)], Format::Fat, Some("1234-5678"));
    check(&[mark, (54, b"FAT12   "), (39, serial)], Format::Fat, Some("1234-5678"));
    check(&[mark, (3, b"EXFAT   "), (100, serial)], Format::ExFat, Some("1234-5678"));
    let long = b"\x08\x07\x06\x05\x04\x03\x02\x01";
    check(&[mark, (3, b"NTFS    "), (72, long)], Format::Ntfs, Some("0102030405060708"));
    let old: [(u64, &[u8]); 5] =
        [mark, (0, b"\xeb\x3c\x90"), (11, b"\x00\x02\x04"), (16, b"\x02"), (21, b"\xf8")];
    check(&old, Format::Fat, None);
}

#[test]
fn a_read_error_is_not_taken_for_an_empty_device() {
    let dir = File::open("/").unwrap();
    assert!(probe(&Image::new(&dir, SIZE)).is_err());
}

/// Runs a tool, which must succeed, and returns what it printed.
fn run(tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} {arguments:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Makes an image with a tool and compares what is found with the judgement of `blkid`.
fn compare(tool: &str, arguments: &[&str], format: Format, tag: &str) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("image");
    File::create(&path).unwrap().set_len(320 << 20).unwrap();
    let name = path.display().to_string();
    run(tool, &[arguments, &[name.as_str()]].concat());
    let found = found(&File::open(Path::new(&name)).unwrap());
    let signature = found.iter().find(|signature| signature.format == format);
    let signature = signature.unwrap_or_else(|| panic!("{tool}: {found:?}"));
    if has_tools(&["blkid"]) {
        let expected = run("blkid", &["-p", "-o", "value", "-s", tag, &name]);
        let identity = signature.identity.as_ref().unwrap();
        assert!(identity.is(&expected), "{tool}: {identity} is not {expected}");
    }
}

#[test]
fn real_images_are_told_as_blkid_tells_them() {
    let tools: [(&str, &[&str], Format); 5] = [
        ("mkfs.ext4", &["-q", "-F"], Format::Ext),
        ("mkfs.xfs", &["-q", "-f"], Format::Xfs),
        ("mkfs.btrfs", &["-q", "-f"], Format::Btrfs),
        ("mkfs.vfat", &[], Format::Fat),
        ("mkswap", &[], Format::Swap),
    ];
    for (tool, arguments, format) in tools {
        if has_tools(&[tool]) {
            compare(tool, arguments, format, "UUID");
        }
    }
}

#[test]
fn real_partition_tables_are_told_as_blkid_tells_them() {
    // The shell that starts it is everywhere.
    if !has_tools(&["sfdisk"]) {
        return;
    }
    for (label, format) in [("gpt", Format::Gpt), ("dos", Format::Mbr)] {
        let script = format!("printf 'label: {label}\\n,8M\\n' | sfdisk --quiet \"$0\"");
        compare("sh", &["-c", &script], format, "PTUUID");
    }
}
