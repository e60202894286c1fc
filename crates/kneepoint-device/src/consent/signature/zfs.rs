//! Members of ZFS pools (OpenZFS, include/sys/vdev_impl.h and uberblock_impl.h).
//!
//! A member has four labels of 256 KiB, two at each end. The second half of a label is a ring of
//! uberblocks, each in a slot of 1 KiB or a multiple; the list of names and values at 16 KiB holds
//! the pool's identity.

use std::io;

use super::{Format, Identity, IdentityKind, Image, Signature};

const LABEL_BYTES: u64 = 256 << 10;
const RING_OFFSET: u64 = 128 << 10;
const RING_BYTES: usize = 128 << 10;
const SLOT_BYTES: usize = 1 << 10;
const LIST_OFFSET: u64 = 16 << 10;
const LIST_BYTES: usize = 112 << 10;
/// `UBERBLOCK_MAGIC`, in the byte order of the machine that wrote it.
const MAGIC: u64 = 0x00ba_b10c;

/// Looks for an uberblock in each label.
pub(super) fn search(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let end = image.size_bytes() / LABEL_BYTES * LABEL_BYTES;
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
    slot.starts_with(&MAGIC.to_le_bytes()) || slot.starts_with(&MAGIC.to_be_bytes())
}

/// The value named `pool_guid`. The list is in XDR (RFC 4506): after the name, padded to a
/// multiple of four, stand the type, the number of values and the value, all big-endian.
fn pool_guid(list: &[u8]) -> Option<u64> {
    const NAME: &[u8] = b"\0\0\0\x09pool_guid\0\0\0";
    let start = list.windows(NAME.len()).position(|window| window == NAME)? + NAME.len();
    let value = list.get(start + 8..start + 16)?;
    Some(u64::from_be_bytes(value.try_into().ok()?))
}
