//! What is written on a device: file systems, RAID members, partition tables.
//!
//! Probing only reads. A magic that turns up by chance costs the user a typed serial; one that is
//! missed can cost them their data. So the checks are loose: no checksums, no plausibility beyond
//! the magic itself.

mod array_member;
mod boot_sector;
mod coding;
mod format;
mod identity;
mod image;
mod magic;
mod partition_table;
mod swap;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod yardstick;
mod zfs;

pub use format::Format;
pub use identity::{Identity, IdentityKind};
pub(super) use image::Image;

use std::io;

/// Something recognised on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// What it is.
    pub format: Format,
    /// Where its magic stands, in bytes from the start.
    pub offset_bytes: u64,
    /// The identity that it carries.
    pub identity: Option<Identity>,
}

/// Everything recognised on an image, in a fixed order, each format once.
///
/// # Errors
/// When a part of the image cannot be read: what is there is then not known.
pub(super) fn probe(image: &Image<'_>) -> io::Result<Vec<Signature>> {
    let mut found = Vec::new();
    for search in [
        partition_table::search,
        boot_sector::search,
        array_member::search,
        magic::search,
        swap::search,
        zfs::search,
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
