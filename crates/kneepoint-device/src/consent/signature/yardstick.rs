//! The formats of libblkid (`blkid -k`, util-linux 2.38) and their treatment here: recognised by
//! its magic, or content like any other, which needs an identity as well.

use std::fs::File;
use std::os::unix::fs::FileExt;

use Treatment::{Content as Unknown, Magic};
use kneepoint_testkit::{has_tools, skipped};

use super::{Format, Image, probe};
use crate::consent::evidence::Content;

/// The treatment of a superblock.
enum Treatment {
    /// Its magic is known.
    Magic(Format),
    /// It is content that Kneepoint did not write: these bytes of it, as libblkid finds them.
    Content(i64, &'static [u8]),
}

/// Every name, with its treatment; a negative offset counts from the end of the device.
const KNOWN: &[(&str, Treatment)] = &[
    ("linux_raid_member", Magic(Format::MdMember)),
    ("ddf_raid_member", Magic(Format::Ddf)),
    ("isw_raid_member", Magic(Format::IntelRaid)),
    ("lsi_mega_raid_member", Unknown(-512, b"$XIDE$")),
    ("via_raid_member", Unknown(-512, b"\x55\xaa")),
    ("silicon_medley_raid_member", Unknown(-512 + 0x60, b"\x03\x00\x00\x00")),
    ("nvidia_raid_member", Unknown(-1024, b"NVIDIA")),
    ("promise_fasttrack_raid_member", Unknown(-63 * 512, b"Promise Technology, Inc.")),
    ("hpt45x_raid_member", Unknown(-11 * 512, b"\xf3\x7b\xc6\x5a")),
    ("hpt37x_raid_member", Unknown(4608 + 32, b"\xf0\x16\xc5\x5a")),
    ("adaptec_raid_member", Unknown(-512, b"\x37\xfc\x4d\x1e")),
    ("jmicron_raid_member", Unknown(-512, b"JM")),
    ("bcache", Magic(Format::Bcache)),
    ("ceph_bluestore", Magic(Format::Bluestore)),
    ("drbd", Unknown(-4096, b"\x83\x74\x02\x6b")),
    ("drbdmanage_control_volume", Unknown(0, b"$DRBDmgr=q")),
    ("drbdproxy_datalog", Unknown(16, b"DRBDdlh*")),
    ("LVM2_member", Magic(Format::Lvm)),
    ("LVM1_member", Unknown(0, b"HM")),
    ("DM_snapshot_cow", Unknown(0, b"SnAp")),
    ("DM_verity_hash", Magic(Format::Verity)),
    ("DM_integrity", Magic(Format::Integrity)),
    ("crypto_LUKS", Magic(Format::Luks)),
    ("VMFS_volume_member", Magic(Format::VmfsMember)),
    ("ubi", Unknown(0, b"UBI#")),
    ("vdo", Magic(Format::Vdo)),
    ("stratis", Magic(Format::Stratis)),
    ("BitLocker", Magic(Format::BitLocker)),
    ("vfat", Magic(Format::Fat)),
    ("swsuspend", Magic(Format::Swap)),
    ("swap", Magic(Format::Swap)),
    ("xfs", Magic(Format::Xfs)),
    ("xfs_external_log", Unknown(0, b"\xfe\xed\xba\xbe")),
    ("exfs", Unknown(0, b"EXFS")),
    ("ext4dev", Magic(Format::Ext)),
    ("ext4", Magic(Format::Ext)),
    ("ext3", Magic(Format::Ext)),
    ("ext2", Magic(Format::Ext)),
    ("jbd", Magic(Format::Ext)),
    ("reiserfs", Magic(Format::ReiserFs)),
    ("reiser4", Unknown(65536, b"ReIsEr4")),
    ("jfs", Magic(Format::Jfs)),
    ("udf", Magic(Format::Udf)),
    ("iso9660", Magic(Format::Iso9660)),
    ("zfs_member", Magic(Format::ZfsMember)),
    ("hfsplus", Magic(Format::Hfs)),
    ("hfs", Magic(Format::Hfs)),
    ("ufs", Unknown(65536 + 1372, b"\x19\x01\x54\x19")),
    ("hpfs", Unknown(8192, b"\x49\xe8\x95\xf9")),
    ("sysv", Unknown(512 + 0x1f8, b"\xfd\x18\x7e\x20")),
    ("xenix", Unknown(1024 + 0x3f8, b"\x2b\x55\x44")),
    ("ntfs", Magic(Format::Ntfs)),
    ("ReFS", Unknown(0, b"\0\0\0ReFS\0")),
    ("cramfs", Unknown(0, b"\x45\x3d\xcd\x28")),
    ("romfs", Unknown(0, b"-rom1fs-")),
    ("minix", Unknown(1024 + 0x10, b"\x8f\x13")),
    ("gfs", Magic(Format::Gfs2)),
    ("gfs2", Magic(Format::Gfs2)),
    ("ocfs", Unknown(8, b"OracleCFS")),
    ("ocfs2", Magic(Format::Ocfs2)),
    ("oracleasm", Magic(Format::OracleAsm)),
    ("vxfs", Unknown(1024, b"\xf5\xfc\x01\xa5")),
    ("squashfs", Magic(Format::Squashfs)),
    ("squashfs3", Magic(Format::Squashfs)),
    ("nss", Unknown(4096, b"SPB5")),
    ("btrfs", Magic(Format::Btrfs)),
    ("ubifs", Unknown(0, b"\x31\x18\x10\x06")),
    ("bfs", Unknown(0, b"\xce\xfa\xad\x1b")),
    ("VMFS", Magic(Format::Vmfs)),
    ("befs", Unknown(544, b"BFS1")),
    ("nilfs2", Magic(Format::Nilfs2)),
    ("exfat", Magic(Format::ExFat)),
    ("f2fs", Magic(Format::F2fs)),
    ("mpool", Unknown(0, b"mpoolDev")),
    ("apfs", Magic(Format::Apfs)),
    ("zonefs", Unknown(0, b"SFOZ")),
    ("erofs", Magic(Format::Erofs)),
];

/// Tables of partitions that libblkid knows beside GPT and MBR, and an image of TuxOnIce.
const TABLES: &[(&str, i64, &[u8])] = &[
    ("mac", 0, b"ER\x02\x00"),
    ("sgi", 0, b"\x0b\xe5\xa9\x41"),
    ("aix", 0, b"\xc9\xc2\xd4\xc1"),
    ("bsd", 512, b"\x57\x45\x56\x82"),
    ("sun", 508, b"\xda\xbe"),
    ("TuxOnIce", 0, b"\xed\xc3\x02\xe9\x98\x56\xe5\x0c"),
];

const SIZE: i64 = 64 << 20;

/// Checks that the bytes alone, on an otherwise empty device, ask for an identity.
fn check(name: &str, offset: i64, bytes: &[u8]) {
    let image = tempfile::tempfile().unwrap();
    image.set_len(SIZE as u64).unwrap();
    let offset = if offset < 0 { SIZE + offset } else { offset };
    image.write_all_at(bytes, offset as u64).unwrap();
    let content = Content::of(&image, SIZE as u64).unwrap();
    assert!(matches!(content, Content::Foreign(_)), "{name}: {content:?}");
}

#[test]
fn whatever_libblkid_knows_needs_an_identity() {
    for (name, treatment) in KNOWN {
        match treatment {
            // The magics have tests of their own; each of these must be a format at all.
            Magic(format) => assert!(!format.name().is_empty(), "{name}"),
            Unknown(offset, bytes) => check(name, *offset, bytes),
        }
    }
    for (name, offset, bytes) in TABLES {
        check(name, *offset, bytes);
    }
}

/// The output of `blkid`, if it is here.
fn blkid(option: &str) -> Option<String> {
    if !has_tools(&["blkid"]) {
        return None;
    }
    let said = std::process::Command::new("blkid").arg(option).output().unwrap();
    Some(String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned())
}

#[test]
fn no_format_that_libblkid_knows_is_missing() {
    let (Some(version), Some(names)) = (blkid("-V"), blkid("-k")) else { return };
    if !version.contains("2.38") {
        return skipped(format_args!("the list is of libblkid 2.38, this one is {version}"));
    }
    for name in names.lines() {
        assert!(KNOWN.iter().any(|(known, _)| *known == name), "{name}");
    }
}

#[test]
fn an_image_of_zeros_is_recognised_as_nothing() {
    let image: File = tempfile::tempfile().unwrap();
    image.set_len(SIZE as u64).unwrap();
    assert_eq!(probe(&Image::new(&image, SIZE as u64)).unwrap(), []);
    assert_eq!(Content::of(&image, SIZE as u64).unwrap(), Content::Blank);
}
