//! Names of what can be recognised on a device.

/// A file system, RAID member, encrypted volume or partition table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Apple's file system.
    Apfs,
    /// A cache or backing device of bcache.
    Bcache,
    /// The file system built on bcache.
    Bcachefs,
    /// A volume encrypted by Windows.
    BitLocker,
    /// An object store of Ceph.
    Bluestore,
    /// btrfs.
    Btrfs,
    /// RAID metadata of the SNIA's disk data format.
    Ddf,
    /// Enhanced read-only file system.
    Erofs,
    /// Extended FAT.
    ExFat,
    /// ext2, ext3 or ext4, or their external journal.
    Ext,
    /// Flash-friendly file system.
    F2fs,
    /// FAT with 12, 16 or 32 bits.
    Fat,
    /// Global file system 2.
    Gfs2,
    /// GUID partition table.
    Gpt,
    /// Apple's older file systems.
    Hfs,
    /// RAID metadata of Intel's firmware.
    IntelRaid,
    /// A device-mapper integrity volume.
    Integrity,
    /// A compact disc's file system.
    Iso9660,
    /// Journaled file system.
    Jfs,
    /// Encrypted volume, version 1 or 2.
    Luks,
    /// LVM2 physical volume.
    Lvm,
    /// Partition table in the boot record.
    Mbr,
    /// Member of a software RAID.
    MdMember,
    /// Log-structured file system.
    Nilfs2,
    /// Windows' file system.
    Ntfs,
    /// Oracle's cluster file system 2.
    Ocfs2,
    /// A disk of Oracle's automatic storage management.
    OracleAsm,
    /// Partitions that the kernel knows, from a table that is not recognised here.
    Partitioned,
    /// ReiserFS.
    ReiserFs,
    /// Compressed read-only file system.
    Squashfs,
    /// A member of a Stratis pool.
    Stratis,
    /// Swap space, or a hibernated system in it.
    Swap,
    /// Universal disk format.
    Udf,
    /// A virtual data optimizer volume.
    Vdo,
    /// Hash tree of a verified volume.
    Verity,
    /// VMware's file system.
    Vmfs,
    /// A disk of VMware's volume manager.
    VmfsMember,
    /// XFS.
    Xfs,
    /// Member of a ZFS pool.
    ZfsMember,
}

impl Format {
    /// Whether it is told by two bytes, which random data has once in 65,536 times.
    pub(in crate::consent) const fn has_short_magic(self) -> bool {
        matches!(self, Self::Ext | Self::Fat | Self::Hfs | Self::Mbr | Self::Nilfs2)
    }

    /// The format in words, as in "holds ...".
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apfs => "an APFS container",
            Self::Bcache => "a bcache device",
            Self::Bcachefs => "a bcachefs file system",
            Self::BitLocker => "a BitLocker volume",
            Self::Bluestore => "a Ceph object store",
            Self::Btrfs => "a btrfs file system",
            Self::Ddf => "DDF RAID metadata",
            Self::Erofs => "an EROFS file system",
            Self::ExFat => "an exFAT file system",
            Self::Ext => "an ext2/ext3/ext4 file system",
            Self::F2fs => "an F2FS file system",
            Self::Fat => "a FAT file system",
            Self::Gfs2 => "a GFS2 file system",
            Self::Gpt => "a GPT partition table",
            Self::Hfs => "an HFS file system",
            Self::IntelRaid => "Intel RAID metadata",
            Self::Integrity => "a dm-integrity volume",
            Self::Iso9660 => "an ISO 9660 file system",
            Self::Jfs => "a JFS file system",
            Self::Luks => "a LUKS encrypted volume",
            Self::Lvm => "an LVM physical volume",
            Self::Mbr => "an MBR partition table or boot record",
            Self::MdMember => "a member of an md array",
            Self::Nilfs2 => "a NILFS2 file system",
            Self::Ntfs => "an NTFS file system",
            Self::Ocfs2 => "an OCFS2 file system",
            Self::OracleAsm => "an Oracle ASM disk",
            Self::Partitioned => "partitions",
            Self::ReiserFs => "a ReiserFS file system",
            Self::Squashfs => "a squashfs file system",
            Self::Stratis => "a member of a Stratis pool",
            Self::Swap => "swap space",
            Self::Udf => "a UDF file system",
            Self::Vdo => "a VDO volume",
            Self::Verity => "a dm-verity hash tree",
            Self::Vmfs => "a VMFS file system",
            Self::VmfsMember => "a VMFS disk",
            Self::Xfs => "an XFS file system",
            Self::ZfsMember => "a member of a ZFS pool",
        }
    }
}
