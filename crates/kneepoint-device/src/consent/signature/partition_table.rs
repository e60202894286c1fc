//! GUID partition tables (UEFI specification, section 5.3.2).

use std::io;

use super::coding::Coding;
use super::{Format, Image, Signature};

/// Place of the disk's GUID in the header.
const GUID_OFFSET: u64 = 56;

/// Looks for the header in the second block and its copy in the last, for both customary sizes
/// of a block.
pub(super) fn search(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    for block_bytes in [512, 4096] {
        let last = (image.size_bytes() / block_bytes).saturating_sub(1) * block_bytes;
        for offset in [block_bytes, last] {
            if image.holds(offset, b"EFI PART")? {
                let guid = image.bytes(offset + GUID_OFFSET, Coding::MixedUuid.length())?;
                found.push(Signature {
                    format: Format::Gpt,
                    offset_bytes: offset,
                    identity: guid.and_then(|bytes| Coding::MixedUuid.read(&bytes)),
                });
            }
        }
    }
    Ok(found)
}
