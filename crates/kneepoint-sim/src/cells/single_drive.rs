//! The simulated drive that stands for a single disk of a row.

use super::drive::DriveText;

/// The name of the simulated drive after `sim:`.
pub(super) fn system(_drive: &DriveText) -> Result<String, String> {
    Err("single drives are not there yet".to_owned())
}
