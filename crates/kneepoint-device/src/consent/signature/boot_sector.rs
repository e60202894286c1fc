//! What a boot sector can be: a FAT, exFAT or NTFS file system, or the partition table of a disk.
//!
//! Sources: Microsoft's FAT specification (fatgen103) and exFAT specification; the kernel's
//! fs/ntfs3/ntfs.h; for the table, block/partitions/msdos.c.

use std::io;

use super::coding::Coding;
use super::{Format, Image, Signature};

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

/// Looks at the first sector.
pub(super) fn search(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let Some(sector) = image.bytes(0, SECTOR)? else { return Ok(Vec::new()) };
    let found = named(&sector).or_else(|| ends_in_mark(&sector).then(|| unnamed(&sector)));
    Ok(found.into_iter().collect())
}

fn named(sector: &[u8]) -> Option<Signature> {
    let (offset, _, format, coding, serial) =
        NAMES.iter().find(|(offset, name, ..)| sector[*offset..].starts_with(name))?;
    let identity = coding.read(&sector[*serial..]);
    Some(Signature { format: *format, offset_bytes: *offset as u64, identity })
}

fn ends_in_mark(sector: &[u8]) -> bool {
    sector[510..] == [0x55, 0xaa]
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

/// Whether the sector begins with a jump and holds the parameters that a FAT must have.
fn has_fat_parameters(sector: &[u8]) -> bool {
    let sector_bytes = u16::from_le_bytes([sector[11], sector[12]]);
    let (cluster_sectors, tables, media) = (sector[13], sector[16], sector[21]);
    matches!(sector[0], 0xeb | 0xe9)
        && matches!(sector_bytes, 512 | 1024 | 2048 | 4096)
        && cluster_sectors.is_power_of_two()
        && matches!(tables, 1 | 2)
        && media >= 0xf0
}
