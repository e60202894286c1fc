//! Swap space, and systems that hibernate in it (include/linux/swap.h, kernel/power/swap.c).

use std::io;

use super::coding::Coding;
use super::{Format, Image, Signature};

/// Sizes of a page: the magic ends the first one.
const PAGES: [u64; 5] = [4096, 8192, 16384, 32768, 65536];
/// Both versions of swap space, then hibernation by the kernel, by its older and by other tools.
const MAGICS: [&[u8]; 6] =
    [b"SWAPSPACE2", b"SWAP-SPACE", b"S1SUSPEND", b"S2SUSPEND", b"ULSUSPEND", b"LINHIB0001"];
const MAGIC_BYTES: usize = 10;
/// After 1024 bytes for boot code and three numbers.
const UUID_OFFSET: u64 = 1036;

/// Looks at the end of the first page.
pub(super) fn search(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    for page_bytes in PAGES {
        let offset_bytes = page_bytes - MAGIC_BYTES as u64;
        let Some(bytes) = image.bytes(offset_bytes, MAGIC_BYTES)? else { break };
        if MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
            let uuid = image.bytes(UUID_OFFSET, Coding::Uuid.length())?;
            let identity = uuid.and_then(|bytes| Coding::Uuid.read(&bytes));
            return Ok(vec![Signature { format: Format::Swap, offset_bytes, identity }]);
        }
    }
    Ok(Vec::new())
}
