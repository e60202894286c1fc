//! Where each format has what tells it: fixed bytes at a fixed place for most, a place that depends
//! on the size of the device or of a block for others.

use std::io;

use super::identity::{Coding, uuid};
use super::{Format, Identity, IdentityKind, Image, Signature};

/// Bytes at a place that tell a format.
struct Magic {
    format: Format,
    /// Where the bytes stand, from the start of the device.
    offset: u64,
    bytes: &'static [u8],
    /// Form and place of the identity, from the start of the device.
    identity: Option<(Coding, u64)>,
}

impl Magic {
    /// The same with an identity of that form at that place.
    const fn with(self, coding: Coding, offset: u64) -> Self {
        Self { identity: Some((coding, offset)), ..self }
    }
}

/// A magic whose format carries a UUID.
const fn with_uuid(format: Format, offset: u64, bytes: &'static [u8], uuid_offset: u64) -> Magic {
    bare(format, offset, bytes).with(Coding::Uuid, uuid_offset)
}

/// A magic whose format carries no identity, or one that is not read here.
const fn bare(format: Format, offset: u64, bytes: &'static [u8]) -> Magic {
    Magic { format, offset, bytes, identity: None }
}

/// A label of LVM2, in one of the first four sectors: lib/label/label.h and
/// lib/format_text/layout.h of LVM2; 32 bytes of label header, then the volume's identity.
const fn lvm(offset: u64) -> Magic {
    bare(Format::Lvm, offset, b"LABELONE").with(Coding::Lvm, offset + 32)
}

/// A header of LUKS: the LUKS2 on-disk format specification, sections 2.1 and 2.2; LUKS1 has its
/// UUID at the same place.
const fn luks(offset: u64, bytes: &'static [u8]) -> Magic {
    bare(Format::Luks, offset, bytes).with(Coding::Text(40), offset + 168)
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
    with_uuid(Format::Ext, 1024 + 56, b"\x53\xef", 1024 + 104),
    // fs/xfs/libxfs/xfs_format.h: XFS_SB_MAGIC, UUID at 32.
    with_uuid(Format::Xfs, 0, b"XFSB", 32),
    // include/uapi/linux/btrfs_tree.h: first superblock at 64 KiB, magic at 64, UUID at 32.
    with_uuid(Format::Btrfs, 65536 + 64, b"_BHRfS_M", 65536 + 32),
    // include/linux/f2fs_fs.h and uapi/linux/magic.h: 0xF2F52010 at 1024, UUID at 108.
    with_uuid(Format::F2fs, 1024, b"\x10\x20\xf5\xf2", 1024 + 108),
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
    with_uuid(Format::Bcache, 4096 + 24, BCACHE, 4096 + 40),
    with_uuid(Format::Bcachefs, 4096 + 24, BCACHEFS, 4096 + 56),
    // fs/squashfs/squashfs_fs.h: SQUASHFS_MAGIC in either byte order.
    bare(Format::Squashfs, 0, b"hsqs"),
    bare(Format::Squashfs, 0, b"sqsh"),
    // fs/reiserfs/reiserfs.h: superblock at 64 KiB or, of old, at 8 KiB; magic at 52, UUID at 84.
    with_uuid(Format::ReiserFs, 65536 + 52, b"ReIsErFs", 65536 + 84),
    with_uuid(Format::ReiserFs, 65536 + 52, b"ReIsEr2Fs", 65536 + 84),
    with_uuid(Format::ReiserFs, 65536 + 52, b"ReIsEr3Fs", 65536 + 84),
    bare(Format::ReiserFs, 8192 + 52, b"ReIsErFs"),
    // fs/jfs/jfs_superblock.h: JFS_MAGIC at 32 KiB, UUID at 136.
    with_uuid(Format::Jfs, 32768, b"JFS1", 32768 + 136),
    // include/uapi/linux/nilfs2_ondisk.h: 0x3434 at 1024 + 6, UUID at 152.
    with_uuid(Format::Nilfs2, 1024 + 6, b"\x34\x34", 1024 + 152),
    // fs/erofs/erofs_fs.h: 0xE0F5E1E2 at 1024, UUID at 48.
    with_uuid(Format::Erofs, 1024, b"\xe2\xe1\xf5\xe0", 1024 + 48),
    // include/uapi/linux/gfs2_ondisk.h: GFS2_MAGIC at 64 KiB in big-endian order, UUID at 256.
    with_uuid(Format::Gfs2, 65536, b"\x01\x16\x19\x70", 65536 + 256),
    // fs/ocfs2/ocfs2_fs.h: OCFS2_SUPER_BLOCK_SIGNATURE in block 2 of 512 to 4096 bytes.
    bare(Format::Ocfs2, 1024, b"OCFSV2"),
    bare(Format::Ocfs2, 2048, b"OCFSV2"),
    bare(Format::Ocfs2, 4096, b"OCFSV2"),
    bare(Format::Ocfs2, 8192, b"OCFSV2"),
    // Apple File System Reference, nx_superblock_t: NX_MAGIC at 32, UUID at 72.
    with_uuid(Format::Apfs, 32, b"NXSB", 72),
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
    with_uuid(Format::Verity, 0, b"verity\0\0", 16),
    // Two copies of the static header, magic at 4.
    bare(Format::Stratis, 512 + 4, STRATIS),
    bare(Format::Stratis, 512 * 9 + 4, STRATIS),
    // ECMA-119: primary volume descriptor in sector 16, identifier at 1, modified at 830.
    bare(Format::Iso9660, 32769, b"CD001").with(Coding::Date, 32768 + 830),
    // ECMA-167, part 2: volume structure descriptors from sector 16.
    bare(Format::Udf, 32769, b"BEA01"),
    bare(Format::Udf, 32769 + 2048, b"NSR0"),
    // Ceph, src/os/bluestore/BlueStore.cc: label of the block device, its UUID in the second line.
    bare(Format::Bluestore, 0, b"bluestore block device").with(Coding::Text(36), 23),
    // libblkid, oracleasm: ORCLDISK at 32.
    bare(Format::OracleAsm, 32, b"ORCLDISK"),
    // libblkid, vmfs: the file system at 2 MiB, the volume at 1 MiB with its identity at 532.
    bare(Format::Vmfs, 2 << 20, b"\x5e\xf1\xab\x2f"),
    bare(Format::VmfsMember, 1 << 20, b"\x0d\xd0\x01\xc0").with(Coding::Text(35), (1 << 20) + 532),
    // fs/ext4/ext4.h: the copy of the superblock in block group 1 of 1 KiB blocks survives a
    // quick wipe of the start.
    with_uuid(Format::Ext, 8193 * 1024 + 56, b"\x53\xef", 8193 * 1024 + 104),
];

/// Looks for every magic of the table.
pub(super) fn fixed(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    for magic in &MAGICS {
        if image.holds(magic.offset, magic.bytes)? {
            let identity = match magic.identity {
                Some((coding, offset)) => image.identity(coding, offset)?,
                None => None,
            };
            found.push(Signature { format: magic.format, offset_bytes: magic.offset, identity });
        }
    }
    Ok(found)
}

/// Place of the disk's GUID in the header (UEFI specification, section 5.3.2).
const GUID_OFFSET: u64 = 56;

/// Looks for GUID partition tables: the header in the second block and its copy in the last, for
/// both customary sizes of a block.
pub(super) fn partition_tables(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    for block_bytes in [512, 4096] {
        let last = (image.size_bytes / block_bytes).saturating_sub(1) * block_bytes;
        for offset in [block_bytes, last] {
            if image.holds(offset, b"EFI PART")? {
                let identity = image.identity(Coding::MixedUuid, offset + GUID_OFFSET)?;
                found.push(Signature { format: Format::Gpt, offset_bytes: offset, identity });
            }
        }
    }
    Ok(found)
}

const SECTOR: usize = 512;

/// Names that tell a file system: where they stand, what it is, and where its serial is.
const NAMES: [(usize, &[u8], Format, Coding, usize); 6] = [
    (3, b"NTFS    ", Format::Ntfs, Coding::LongVolumeSerial, 72),
    (3, b"EXFAT   ", Format::ExFat, Coding::VolumeSerial, 100),
    (82, b"FAT32   ", Format::Fat, Coding::VolumeSerial, 67),
    (54, b"FAT16   ", Format::Fat, Coding::VolumeSerial, 39),
    (54, b"FAT12   ", Format::Fat, Coding::VolumeSerial, 39),
    (54, b"FAT     ", Format::Fat, Coding::VolumeSerial, 39),
];

/// Looks at the first sector: a boot sector can be a FAT, exFAT or NTFS file system, or the
/// partition table of a disk.
///
/// Sources: Microsoft's FAT specification (fatgen103) and exFAT specification; the kernel's
/// fs/ntfs3/ntfs.h; for the table, block/partitions/msdos.c.
pub(super) fn boot_sectors(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let Some(sector) = image.bytes(0, SECTOR)? else { return Ok(Vec::new()) };
    let is_marked = sector[510..] == [0x55, 0xaa];
    let found = named(&sector).or_else(|| is_marked.then(|| unnamed(&sector)));
    Ok(found.into_iter().collect())
}

fn named(sector: &[u8]) -> Option<Signature> {
    let (offset, _, format, coding, serial) =
        NAMES.iter().find(|(offset, name, ..)| sector[*offset..].starts_with(name))?;
    let identity = coding.read(&sector[*serial..]);
    Some(Signature { format: *format, offset_bytes: *offset as u64, identity })
}

/// A marked sector without a name: an old FAT where its parameters make sense, else a boot record.
fn unnamed(sector: &[u8]) -> Signature {
    if has_fat_parameters(sector) {
        return Signature { format: Format::Fat, offset_bytes: 510, identity: None };
    }
    // The disk identifier stands before the table of four entries of 16 bytes at 446.
    let identity = Coding::DiskId.read(&sector[440..]);
    Signature { format: Format::Mbr, offset_bytes: 510, identity }
}

/// True if the sector begins with a jump and holds the parameters that a FAT must have.
fn has_fat_parameters(sector: &[u8]) -> bool {
    let sector_bytes = u16::from_le_bytes([sector[11], sector[12]]);
    let (cluster_sectors, tables, media) = (sector[13], sector[16], sector[21]);
    matches!(sector[0], 0xeb | 0xe9)
        && matches!(sector_bytes, 512 | 1024 | 2048 | 4096)
        && cluster_sectors.is_power_of_two()
        && matches!(tables, 1 | 2)
        && media >= 0xf0
}

/// Sizes of a page: the magic ends the first one.
const PAGES: [u64; 5] = [4096, 8192, 16384, 32768, 65536];
/// Both versions of swap space, then hibernation by the kernel, by its older and by other tools.
const SWAP_MAGICS: [&[u8]; 6] =
    [b"SWAPSPACE2", b"SWAP-SPACE", b"S1SUSPEND", b"S2SUSPEND", b"ULSUSPEND", b"LINHIB0001"];
const MAGIC_BYTES: usize = 10;
/// After 1024 bytes for boot code and three numbers.
const SWAP_UUID_OFFSET: u64 = 1036;

/// Looks for swap space, and systems that hibernate in it, at the end of the first page
/// (include/linux/swap.h, kernel/power/swap.c).
pub(super) fn swap_spaces(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    for page_bytes in PAGES {
        let offset_bytes = page_bytes - MAGIC_BYTES as u64;
        let Some(bytes) = image.bytes(offset_bytes, MAGIC_BYTES)? else { break };
        if SWAP_MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
            let identity = image.identity(Coding::Uuid, SWAP_UUID_OFFSET)?;
            return Ok(vec![Signature { format: Format::Swap, offset_bytes, identity }]);
        }
    }
    Ok(Vec::new())
}

/// include/uapi/linux/raid/md_p.h: `MD_SB_MAGIC`.
const MD_MAGIC: u32 = 0xa92b_4efc;
/// The SNIA's Common RAID Disk Data Format, section 5.3.
const DDF_MAGIC: u32 = 0xde11_de11;
/// mdadm, super-intel.c: `MPB_SIGNATURE`.
const INTEL_MAGIC: &[u8] = b"Intel Raid ISM Cfg Sig. ";

/// Looks for members of RAID arrays, whose metadata is often at the end of a device: of md, DDF and
/// Intel's firmware.
pub(super) fn array_members(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = firmware(image)?;
    found.splice(..0, md_old(image)?.into_iter().chain(md_new(image)?));
    Ok(found)
}

/// Version 0.90: in the last whole 64 KiB, words in the byte order of the machine that made it;
/// the UUID's first word is word 5, the others are words 13 to 15.
fn md_old(image: &Image<'_>) -> io::Result<Option<Signature>> {
    let Some(offset) = (image.size_bytes & !0xffff).checked_sub(0x1_0000) else {
        return Ok(None);
    };
    let Some(bytes) = image.bytes(offset, 64)? else { return Ok(None) };
    let little = word(&bytes, 0, u32::from_le_bytes) == MD_MAGIC;
    if !little && word(&bytes, 0, u32::from_be_bytes) != MD_MAGIC {
        return Ok(None);
    }
    let decode = if little { u32::from_le_bytes } else { u32::from_be_bytes };
    let words = [5, 13, 14, 15].map(|index| word(&bytes, index, decode).to_be_bytes());
    Ok(Some(member(offset, &words.concat())))
}

fn word(bytes: &[u8], index: usize, decode: fn([u8; 4]) -> u32) -> u32 {
    let start = index * 4;
    decode([bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]])
}

/// Version 1: near the end (1.0), at the start (1.1) or at 4 KiB (1.2); UUID at 16.
fn md_new(image: &Image<'_>) -> io::Result<Option<Signature>> {
    // From drivers/md/md.c, super_1_load: 8 KiB before the end, at a multiple of 4 KiB.
    let near_end = (image.size_bytes / 512).checked_sub(16).map(|sector| (sector & !7) * 512);
    for offset in [Some(0), Some(4096), near_end].into_iter().flatten() {
        let Some(bytes) = image.bytes(offset, 32)? else { continue };
        let is_first_version = word(&bytes, 1, u32::from_le_bytes) == 1;
        if word(&bytes, 0, u32::from_le_bytes) == MD_MAGIC && is_first_version {
            return Ok(Some(member(offset, &bytes[16..])));
        }
    }
    Ok(None)
}

fn member(offset_bytes: u64, array: &[u8]) -> Signature {
    let identity = Identity::telling(IdentityKind::ArrayUuid, uuid(array));
    Signature { format: Format::MdMember, offset_bytes, identity }
}

/// Metadata that a controller's firmware writes into the last sectors.
fn firmware(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let from_end = |sectors: u64, bytes: u64| {
        let last = (image.size_bytes / bytes).checked_sub(sectors)?;
        Some(last * bytes)
    };
    let places = [
        (from_end(1, 512), &DDF_MAGIC.to_be_bytes()[..], Format::Ddf),
        (from_end(1, 512), &DDF_MAGIC.to_le_bytes()[..], Format::Ddf),
        (from_end(257, 512), &DDF_MAGIC.to_be_bytes()[..], Format::Ddf),
        (from_end(257, 512), &DDF_MAGIC.to_le_bytes()[..], Format::Ddf),
        (from_end(2, 512), INTEL_MAGIC, Format::IntelRaid),
        (from_end(2, 4096), INTEL_MAGIC, Format::IntelRaid),
    ];
    let mut found = Vec::new();
    for (place, magic, format) in places {
        let Some(offset_bytes) = place else { continue };
        if image.holds(offset_bytes, magic)? {
            found.push(Signature { format, offset_bytes, identity: None });
        }
    }
    Ok(found)
}

const LABEL_BYTES: u64 = 256 << 10;
const RING_OFFSET: u64 = 128 << 10;
const RING_BYTES: usize = 128 << 10;
const SLOT_BYTES: usize = 1 << 10;
const LIST_OFFSET: u64 = 16 << 10;
const LIST_BYTES: usize = 112 << 10;
/// `UBERBLOCK_MAGIC`, in the byte order of the machine that wrote it.
const UBERBLOCK_MAGIC: u64 = 0x00ba_b10c;

/// Looks for members of ZFS pools, by an uberblock in each label (OpenZFS, include/sys/vdev_impl.h
/// and uberblock_impl.h).
///
/// A member has four labels of 256 KiB, two at each end. The second half of a label is a ring of
/// uberblocks, each in a slot of 1 KiB or a multiple; the list of names and values at 16 KiB holds
/// the pool's identity.
pub(super) fn zfs_members(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let end = image.size_bytes / LABEL_BYTES * LABEL_BYTES;
    let labels = [
        Some(0),
        Some(LABEL_BYTES),
        end.checked_sub(2 * LABEL_BYTES),
        end.checked_sub(LABEL_BYTES),
    ];
    for label in labels.into_iter().flatten() {
        let Some(ring) = image.bytes(label + RING_OFFSET, RING_BYTES)? else { continue };
        let Some(slot) = ring.chunks(SLOT_BYTES).position(is_uberblock) else { continue };
        let list = image.bytes(label + LIST_OFFSET, LIST_BYTES)?;
        let guid = list.and_then(|list| pool_guid(&list));
        return Ok(vec![Signature {
            format: Format::ZfsMember,
            offset_bytes: label + RING_OFFSET + (slot * SLOT_BYTES) as u64,
            identity: guid
                .and_then(|guid| Identity::telling(IdentityKind::ContentUuid, guid.to_string())),
        }]);
    }
    Ok(Vec::new())
}

fn is_uberblock(slot: &[u8]) -> bool {
    slot.starts_with(&UBERBLOCK_MAGIC.to_le_bytes())
        || slot.starts_with(&UBERBLOCK_MAGIC.to_be_bytes())
}

/// The value named `pool_guid`. The list is in XDR (RFC 4506): after the name, padded to a
/// multiple of four, stand the type, the number of values and the value, all big-endian.
fn pool_guid(list: &[u8]) -> Option<u64> {
    const NAME: &[u8] = b"\0\0\0\x09pool_guid\0\0\0";
    let start = list.windows(NAME.len()).position(|window| window == NAME)? + NAME.len();
    let value = list.get(start + 8..start + 16)?;
    Some(u64::from_be_bytes(value.try_into().ok()?))
}
