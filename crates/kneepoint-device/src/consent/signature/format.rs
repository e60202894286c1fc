//! Names of what can be recognised on a device.

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
    /// Whether it is told by two bytes, which random data has once in 65,536 times.
    pub(in crate::consent) const fn has_short_magic(self) -> bool {
        matches!(self, Self::Ext | Self::Fat | Self::Hfs | Self::Mbr | Self::Nilfs2)
    }
}
