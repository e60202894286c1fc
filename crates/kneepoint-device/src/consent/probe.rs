//! Looks at what is written on a device, reading alone.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use crate::facts::{BlockDevice, DeviceNumber};

use super::signature::{self, Image, Signature};

/// What probing found.
#[derive(Debug)]
pub(super) struct Probe {
    /// Whether the kernel lets a second user have the device to itself.
    pub(super) claim: Claim,
    /// What is on it, or why that could not be found out.
    pub(super) signatures: Result<Vec<Signature>, String>,
}

/// Whether a device can be had exclusively.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// Nobody has it.
    Free,
    /// Somebody has: a mount, swap, an array, a pool, whether or not sysfs shows it.
    Taken,
}

/// Opens the node of a device for reading and looks for signatures.
pub(super) fn device(path: &Path, device: &BlockDevice) -> Probe {
    let (claim, file) = match open_reading(path, OFlags::EXCL) {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            (Claim::Taken, open_reading(path, OFlags::empty()))
        }
        file => (Claim::Free, file),
    };
    let signatures = file.and_then(|file| {
        check_node(&file, device.number)?;
        signature::probe(&Image::new(&file, device.size_bytes))
    });
    Probe { claim, signatures: signatures.map_err(|error| error.to_string()) }
}

fn open_reading(path: &Path, extra: OFlags) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | extra;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    File::options().read(true).custom_flags(flags).open(path)
}

fn check_node(file: &File, number: DeviceNumber) -> io::Result<()> {
    let meta = file.metadata()?;
    let is_judged =
        meta.file_type().is_block_device() && DeviceNumber::from_raw(meta.rdev()) == number;
    is_judged.then_some(()).ok_or_else(|| io::Error::other("another device took its place"))
}
