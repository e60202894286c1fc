//! Whether a setting still belongs to the device that a run changed.
//!
//! The kernel gives names again, `sdb` or `loop0`, within one start of the machine and all the more
//! after the next. A value that was read from one device is not written to another.

use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use kneepoint_core::measure::journal::{Identity, Origin, Place};

use crate::facts::SysRoot;

/// What is known of the start of the machine in which a journal was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boot {
    /// It is this one.
    This,
    /// The machine was restarted since.
    Earlier,
    /// The journal does not say it, or the kernel does not.
    Unknown,
}

impl Boot {
    /// The start in which the journal was written, seen from the one with the id `here`.
    pub(super) fn of(origin: &Origin, here: &str) -> Self {
        match origin.boot_id.as_str() {
            "" => Self::Unknown,
            _ if here.is_empty() => Self::Unknown,
            boot if boot == here => Self::This,
            _ => Self::Earlier,
        }
    }
}

/// Whose setting stands at a place now; nothing if the kernel does not say it.
pub(super) fn of_place(root: &SysRoot, place: &Place) -> Option<Identity> {
    let device = root.dir(Path::new("/sys/block").join(&place.device));
    let inode = std::fs::symlink_metadata(root.path(&place.file)).ok()?.ino();
    Some(Identity { inode, number: device.text("dev")?, sequence: device.value("diskseq") })
}

/// The target of a command, if it is a block device.
pub(super) fn device_named(directory: &Path, target: &str) -> Option<String> {
    let metadata = std::fs::metadata(directory.join(target)).ok()?;
    metadata.file_type().is_block_device().then(|| target.to_owned())
}

/// Why a value is not written to a place, if there is a reason.
pub(super) fn doubt_of_place(
    root: &SysRoot,
    (place, identity): (&Place, Option<&Identity>),
    boot: Boot,
) -> Option<&'static str> {
    match (boot, identity) {
        (Boot::Earlier, _) => Some(RESTARTED),
        (Boot::Unknown, _) | (_, None) => Some(UNSAID),
        (Boot::This, Some(before)) if of_place(root, place).as_ref() == Some(before) => None,
        (Boot::This, Some(_)) => Some("another device, or none, has that name now"),
    }
}

/// Why a command is not run for the device that it names, if there is a reason. Within one start of
/// the machine there is none: the run's own commands may have made the device again.
pub(super) const fn doubt_of_device(device: Option<&String>, boot: Boot) -> Option<&'static str> {
    match (device, boot) {
        (Some(_), Boot::Earlier) => Some(RESTARTED),
        (Some(_), Boot::Unknown) => Some(UNSAID),
        (_, Boot::This) | (None, _) => None,
    }
}

const RESTARTED: &str =
    "the machine was restarted since, after which the kernel assigns new names and values";
const UNSAID: &str = "the journal does not say which device in which start of the machine it was";
