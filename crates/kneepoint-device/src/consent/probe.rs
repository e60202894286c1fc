//! Looks at what is written on a target, reading alone.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use crate::facts::{BlockDevice, DeviceNumber, FileId, disk_sequence};

use super::evidence::Evidence;

/// What probing found.
#[derive(Debug)]
pub(super) struct Probe {
    /// Whether the kernel lets a second user have the device to itself.
    pub(super) claim: Claim,
    /// What is on it, or why that could not be found out.
    pub(super) evidence: Result<Evidence, String>,
    /// Which medium is in it; absent where the kernel does not number them.
    pub(super) sequence: Option<u64>,
}

/// Whether a device can be had exclusively.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// No one has it.
    Free,
    /// Someone has: a mount, swap, an array, a pool, whether or not sysfs shows it.
    Taken,
}

/// For how long a device that is busy for no known reason is asked for again, and how often: the
/// kernel lets go of what a process held a moment after its end.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(20);

/// Opens the node of a device for reading and looks at what is on it. Where the device is busy and
/// `is_explained` knows no reason, it is asked for again for up to a second.
pub(super) fn device(
    path: &Path,
    device: &BlockDevice,
    is_explained: impl FnOnce() -> bool,
) -> Probe {
    let (claim, file) = match open_exclusively(path, is_explained) {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
            (Claim::Taken, open_reading(path, OFlags::empty()))
        }
        file => (Claim::Free, file),
    };
    let sequence = file.as_ref().ok().and_then(disk_sequence);
    let evidence = file.and_then(|file| {
        check_node(&file, device.number)?;
        Evidence::of_device(&file, device.size_bytes)
    });
    Probe { claim, evidence: evidence.map_err(|error| error.to_string()), sequence }
}

fn open_exclusively(path: &Path, is_explained: impl FnOnce() -> bool) -> io::Result<File> {
    let is_busy = |opened: &io::Result<File>| {
        opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
    };
    let mut opened = open_reading(path, OFlags::EXCL);
    if !is_busy(&opened) || is_explained() {
        return opened;
    }
    let end = Instant::now() + PATIENCE;
    while is_busy(&opened) && Instant::now() < end {
        std::thread::sleep(PAUSE);
        opened = open_reading(path, OFlags::EXCL);
    }
    opened
}

/// Opens a file for reading and looks at it, if it is the one that is meant.
pub(super) fn file(path: &Path, id: FileId) -> io::Result<Evidence> {
    let file = open_reading(path, OFlags::NOCTTY)?;
    let meta = file.metadata()?;
    if !meta.is_file() || FileId::of(&meta) != id {
        return Err(io::Error::other("something took its place"));
    }
    Evidence::of_file(&file)
}

/// Opens without ever waiting, also where a pipe took the place of a file.
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
