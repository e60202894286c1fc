//! Members of RAID arrays, whose metadata often stand at the end of a device.

use std::io;

use super::coding::uuid;
use super::{Format, Identity, IdentityKind, Image, Signature};

/// include/uapi/linux/raid/md_p.h: `MD_SB_MAGIC`.
const MD_MAGIC: u32 = 0xa92b_4efc;
/// The SNIA's Common RAID Disk Data Format, section 5.3.
const DDF_MAGIC: u32 = 0xde11_de11;
/// mdadm, super-intel.c: `MPB_SIGNATURE`.
const INTEL_MAGIC: &[u8] = b"Intel Raid ISM Cfg Sig. ";

/// Looks for metadata of md, DDF and Intel's firmware.
pub(super) fn search(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    found.extend(md_old(image)?);
    found.extend(md_new(image)?);
    found.extend(firmware(image)?);
    Ok(found)
}

/// Version 0.90: in the last whole 64 KiB, words in the byte order of the machine that made it;
/// the UUID's first word is word 5, the others are words 13 to 15.
fn md_old(image: &Image<'_>) -> io::Result<Option<Signature>> {
    let Some(offset) = (image.size_bytes() & !0xffff).checked_sub(0x1_0000) else {
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
    let near_end = (image.size_bytes() / 512).checked_sub(16).map(|sector| (sector & !7) * 512);
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
        let last = (image.size_bytes() / bytes).checked_sub(sectors)?;
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
