//! Signatures on a device: file systems, RAID members, partition tables.
//!
//! Probing only reads. A magic that turns up by chance costs the user a typed serial; one that is
//! missed can cost them their data. So the checks are loose: no checksums, no plausibility beyond
//! the magic itself.

mod identity;
mod magic;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod yardstick;

pub use identity::{Identity, IdentityKind};

use identity::Coding;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Something recognised on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The format.
    pub format: Format,
    /// Where its magic stands, in bytes from the start.
    pub offset_bytes: u64,
    /// The identity that it carries.
    pub identity: Option<Identity>,
}

/// Everything recognised on an image, in a fixed order, each format once. Fails if a part of the image
/// cannot be read: what is there is then not known.
pub(super) fn probe(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    for search in [
        magic::partition_tables,
        magic::boot_sectors,
        magic::array_members,
        magic::fixed,
        magic::swap_spaces,
        magic::zfs_members,
    ] {
        found.extend(search(image)?);
    }
    let mut formats = Vec::new();
    found.retain(|signature: &Signature| {
        // A GUID partition table has a boot record before it, to keep older tools away.
        let is_guard = signature.format == Format::Mbr && formats.contains(&Format::Gpt);
        let is_new = !formats.contains(&signature.format) && !is_guard;
        formats.push(signature.format);
        is_new
    });
    Ok(found)
}

/// A readable device or file of known size.
pub(in crate::consent) struct Image<'a> {
    file: &'a File,
    size_bytes: u64,
}

impl<'a> Image<'a> {
    /// Looks at the first `size_bytes` of an open file.
    pub(in crate::consent) const fn new(file: &'a File, size_bytes: u64) -> Self {
        Self { file, size_bytes }
    }

    /// `length` bytes at `offset`; nothing where they lie beyond the end.
    fn bytes(&self, offset: u64, length: usize) -> io::Result<Option<Vec<u8>>> {
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > self.size_bytes) {
            return Ok(None);
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, offset)?;
        Ok(Some(bytes))
    }

    /// The identity of that form at `offset`; nothing where it says nothing.
    fn identity(&self, coding: Coding, offset: u64) -> io::Result<Option<Identity>> {
        Ok(self.bytes(offset, coding.length())?.and_then(|bytes| coding.read(&bytes)))
    }

    /// True if exactly these bytes are at `offset`.
    fn holds(&self, offset: u64, magic: &[u8]) -> io::Result<bool> {
        Ok(self.bytes(offset, magic.len())?.is_some_and(|bytes| bytes == magic))
    }
}

kneepoint_core::named! {
    /// A file system, RAID member, encrypted volume or partition table.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Format {
        /// Apple's file system.
        Apfs = "an APFS container",
        /// A cache or backing device of bcache.
        Bcache = "a bcache device",
        /// The file system built on bcache.
        Bcachefs = "a bcachefs file system",
        /// A volume encrypted by Windows.
        BitLocker = "a BitLocker volume",
        /// An object store of Ceph.
        Bluestore = "a Ceph object store",
        /// btrfs.
        Btrfs = "a btrfs file system",
        /// RAID metadata of the SNIA's disk data format.
        Ddf = "DDF RAID metadata",
        /// Enhanced read-only file system.
        Erofs = "an EROFS file system",
        /// Extended FAT.
        ExFat = "an exFAT file system",
        /// ext2, ext3 or ext4, or their external journal.
        Ext = "an ext2/ext3/ext4 file system",
        /// Flash-friendly file system.
        F2fs = "an F2FS file system",
        /// FAT with 12, 16 or 32 bits.
        Fat = "a FAT file system",
        /// Global file system 2.
        Gfs2 = "a GFS2 file system",
        /// GUID partition table.
        Gpt = "a GPT partition table",
        /// Apple's older file systems.
        Hfs = "an HFS file system",
        /// RAID metadata of Intel's firmware.
        IntelRaid = "Intel RAID metadata",
        /// A device-mapper integrity volume.
        Integrity = "a dm-integrity volume",
        /// A compact disc's file system.
        Iso9660 = "an ISO 9660 file system",
        /// Journaled file system.
        Jfs = "a JFS file system",
        /// Encrypted volume, version 1 or 2.
        Luks = "a LUKS encrypted volume",
        /// LVM2 physical volume.
        Lvm = "an LVM physical volume",
        /// Partition table in the boot record.
        Mbr = "an MBR partition table or boot record",
        /// Member of a software RAID.
        MdMember = "a member of an md array",
        /// Log-structured file system.
        Nilfs2 = "a NILFS2 file system",
        /// Windows' file system.
        Ntfs = "an NTFS file system",
        /// Oracle's cluster file system 2.
        Ocfs2 = "an OCFS2 file system",
        /// A disk of Oracle's automatic storage management.
        OracleAsm = "an Oracle ASM disk",
        /// Partitions that the kernel knows, from a table that is not recognised here.
        Partitioned = "partitions",
        /// ReiserFS.
        ReiserFs = "a ReiserFS file system",
        /// Compressed read-only file system.
        Squashfs = "a squashfs file system",
        /// A member of a Stratis pool.
        Stratis = "a member of a Stratis pool",
        /// Swap space, or a hibernated system in it.
        Swap = "swap space",
        /// Universal disk format.
        Udf = "a UDF file system",
        /// A virtual data optimizer volume.
        Vdo = "a VDO volume",
        /// Hash tree of a verified volume.
        Verity = "a dm-verity hash tree",
        /// VMware's file system.
        Vmfs = "a VMFS file system",
        /// A disk of VMware's volume manager.
        VmfsMember = "a VMFS disk",
        /// XFS.
        Xfs = "an XFS file system",
        /// Member of a ZFS pool.
        ZfsMember = "a member of a ZFS pool",
    }
}

impl Format {
    /// True if it is told by two bytes, which random data has once in 65,536 times.
    pub(in crate::consent) const fn has_short_magic(self) -> bool {
        matches!(self, Self::Ext | Self::Fat | Self::Hfs | Self::Mbr | Self::Nilfs2)
    }
}
