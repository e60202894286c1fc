//! Formats that are told by fixed bytes at a fixed place.

use std::io;

use super::coding::Coding;
use super::{Format, Image, Signature};

/// Bytes at a place that tell a format.
struct Magic {
    format: Format,
    /// Where the bytes stand, from the start of the device.
    offset: u64,
    bytes: &'static [u8],
    /// Form and place of the identity, from the start of the device.
    identity: Option<(Coding, u64)>,
}

/// A magic whose format carries a UUID.
const fn uuid(format: Format, offset: u64, bytes: &'static [u8], uuid_offset: u64) -> Magic {
    Magic { format, offset, bytes, identity: Some((Coding::Uuid, uuid_offset)) }
}

/// A magic whose format carries no identity, or one that is not read here.
const fn bare(format: Format, offset: u64, bytes: &'static [u8]) -> Magic {
    Magic { format, offset, bytes, identity: None }
}

/// A label of LVM2, in one of the first four sectors: lib/label/label.h and
/// lib/format_text/layout.h of LVM2; 32 bytes of label header, then the volume's identity.
const fn lvm(offset: u64) -> Magic {
    let identity = Some((Coding::Lvm, offset + 32));
    Magic { format: Format::Lvm, offset, bytes: b"LABELONE", identity }
}

/// A header of LUKS: the LUKS2 on-disk format specification, sections 2.1 and 2.2; LUKS1 has its
/// UUID at the same place.
const fn luks(offset: u64, bytes: &'static [u8]) -> Magic {
    let identity = Some((Coding::Text(40), offset + 168));
    Magic { format: Format::Luks, offset, bytes, identity }
}

const SECOND_LUKS: &[u8] = b"SKUL\xba\xbe";
/// The bcache magic: drivers/md/bcache/bcache_ondisk.h.
const BCACHE: &[u8] = b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81";
/// The bcachefs magic: fs/bcachefs/bcachefs_format.h.
const BCACHEFS: &[u8] = b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef";
/// The magic of Stratis: its design document, section on the static header.
const STRATIS: &[u8] = b"!Stra0tis\x86\xff\x02^\x41rh";

/// Where paths of kernel sources are cited, they are of Linux 6.1 to 6.12.
static MAGICS: [Magic; 52] = [
    // fs/ext4/ext4.h: superblock at 1024, magic 0xEF53 at 56, UUID at 104.
    uuid(Format::Ext, 1024 + 56, b"\x53\xef", 1024 + 104),
    // fs/xfs/libxfs/xfs_format.h: XFS_SB_MAGIC, UUID at 32.
    uuid(Format::Xfs, 0, b"XFSB", 32),
    // include/uapi/linux/btrfs_tree.h: first superblock at 64 KiB, magic at 64, UUID at 32.
    uuid(Format::Btrfs, 65536 + 64, b"_BHRfS_M", 65536 + 32),
    // include/linux/f2fs_fs.h and uapi/linux/magic.h: 0xF2F52010 at 1024, UUID at 108.
    uuid(Format::F2fs, 1024, b"\x10\x20\xf5\xf2", 1024 + 108),
    lvm(0),
    lvm(512),
    lvm(1024),
    lvm(1536),
    luks(0, b"LUKS\xba\xbe"),
    luks(0x4000, SECOND_LUKS),
    luks(0x8000, SECOND_LUKS),
    luks(0x1_0000, SECOND_LUKS),
    luks(0x2_0000, SECOND_LUKS),
    luks(0x4_0000, SECOND_LUKS),
    luks(0x8_0000, SECOND_LUKS),
    luks(0x10_0000, SECOND_LUKS),
    luks(0x20_0000, SECOND_LUKS),
    luks(0x40_0000, SECOND_LUKS),
    // Superblock at 4096, magic at 24, UUID at 40; bcachefs shows its second UUID, at 56.
    uuid(Format::Bcache, 4096 + 24, BCACHE, 4096 + 40),
    uuid(Format::Bcachefs, 4096 + 24, BCACHEFS, 4096 + 56),
    // fs/squashfs/squashfs_fs.h: SQUASHFS_MAGIC in either byte order.
    bare(Format::Squashfs, 0, b"hsqs"),
    bare(Format::Squashfs, 0, b"sqsh"),
    // fs/reiserfs/reiserfs.h: superblock at 64 KiB or, of old, at 8 KiB; magic at 52, UUID at 84.
    uuid(Format::ReiserFs, 65536 + 52, b"ReIsErFs", 65536 + 84),
    uuid(Format::ReiserFs, 65536 + 52, b"ReIsEr2Fs", 65536 + 84),
    uuid(Format::ReiserFs, 65536 + 52, b"ReIsEr3Fs", 65536 + 84),
    bare(Format::ReiserFs, 8192 + 52, b"ReIsErFs"),
    // fs/jfs/jfs_superblock.h: JFS_MAGIC at 32 KiB, UUID at 136.
    uuid(Format::Jfs, 32768, b"JFS1", 32768 + 136),
    // include/uapi/linux/nilfs2_ondisk.h: 0x3434 at 1024 + 6, UUID at 152.
    uuid(Format::Nilfs2, 1024 + 6, b"\x34\x34", 1024 + 152),
    // fs/erofs/erofs_fs.h: 0xE0F5E1E2 at 1024, UUID at 48.
    uuid(Format::Erofs, 1024, b"\xe2\xe1\xf5\xe0", 1024 + 48),
    // include/uapi/linux/gfs2_ondisk.h: GFS2_MAGIC at 64 KiB in big-endian order, UUID at 256.
    uuid(Format::Gfs2, 65536, b"\x01\x16\x19\x70", 65536 + 256),
    // fs/ocfs2/ocfs2_fs.h: OCFS2_SUPER_BLOCK_SIGNATURE in block 2 of 512 to 4096 bytes.
    bare(Format::Ocfs2, 1024, b"OCFSV2"),
    bare(Format::Ocfs2, 2048, b"OCFSV2"),
    bare(Format::Ocfs2, 4096, b"OCFSV2"),
    bare(Format::Ocfs2, 8192, b"OCFSV2"),
    // Apple File System Reference, nx_superblock_t: NX_MAGIC at 32, UUID at 72.
    uuid(Format::Apfs, 32, b"NXSB", 72),
    // fs/hfsplus/hfsplus_raw.h and fs/hfs/hfs.h: volume header at 1024.
    bare(Format::Hfs, 1024, b"H+"),
    bare(Format::Hfs, 1024, b"HX"),
    bare(Format::Hfs, 1024, b"BD"),
    // libbde, BitLocker Drive Encryption format: signature at 3 of the boot sector.
    bare(Format::BitLocker, 3, b"-FVE-FS-"),
    // Documentation/admin-guide/device-mapper/vdo-design.rst: geometry block.
    bare(Format::Vdo, 0, b"dmvdo001"),
    // drivers/md/dm-integrity.c: SB_MAGIC.
    bare(Format::Integrity, 0, b"integrt\0"),
    // cryptsetup, dm-verity superblock: signature, UUID at 16.
    uuid(Format::Verity, 0, b"verity\0\0", 16),
    // Two copies of the static header, magic at 4.
    bare(Format::Stratis, 512 + 4, STRATIS),
    bare(Format::Stratis, 512 * 9 + 4, STRATIS),
    // ECMA-119: primary volume descriptor in sector 16, identifier at 1, modified at 830.
    Magic {
        format: Format::Iso9660,
        offset: 32769,
        bytes: b"CD001",
        identity: Some((Coding::Date, 32768 + 830)),
    },
    // ECMA-167, part 2: volume structure descriptors from sector 16.
    bare(Format::Udf, 32769, b"BEA01"),
    bare(Format::Udf, 32769 + 2048, b"NSR0"),
    // Ceph, src/os/bluestore/BlueStore.cc: label of the block device, its UUID in the second line.
    Magic {
        format: Format::Bluestore,
        offset: 0,
        bytes: b"bluestore block device",
        identity: Some((Coding::Text(36), 23)),
    },
    // libblkid, oracleasm: ORCLDISK at 32.
    bare(Format::OracleAsm, 32, b"ORCLDISK"),
    // libblkid, vmfs: the file system at 2 MiB, the volume at 1 MiB with its identity at 532.
    bare(Format::Vmfs, 2 << 20, b"\x5e\xf1\xab\x2f"),
    Magic {
        format: Format::VmfsMember,
        offset: 1 << 20,
        bytes: b"\x0d\xd0\x01\xc0",
        identity: Some((Coding::Text(35), (1 << 20) + 532)),
    },
    // fs/ext4/ext4.h: the copy of the superblock in block group 1 of 1 KiB blocks survives a
    // quick wipe of the start.
    uuid(Format::Ext, 8193 * 1024 + 56, b"\x53\xef", 8193 * 1024 + 104),
];

/// Looks for every magic of the table.
pub(super) fn search(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    for magic in &MAGICS {
        if image.holds(magic.offset, magic.bytes)? {
            let identity = match magic.identity {
                Some((coding, offset)) => {
                    image.bytes(offset, coding.length())?.and_then(|bytes| coding.read(&bytes))
                }
                None => None,
            };
            found.push(Signature { format: magic.format, offset_bytes: magic.offset, identity });
        }
    }
    Ok(found)
}
