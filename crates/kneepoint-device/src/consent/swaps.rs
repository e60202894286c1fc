//! What is swapped on (`/proc/swaps`, described in proc(5)).

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::facts::{SysRoot, unescape};

/// Paths of all swap devices and files; none on a kernel without swapping.
///
/// # Errors
/// When the table exists but cannot be read.
pub(super) fn places(root: &SysRoot) -> io::Result<Vec<PathBuf>> {
    let table = match std::fs::read(root.path("/proc/swaps")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        table => table?,
    };
    let rows = table.split(|byte| *byte == b'\n').skip(1).filter(|row| !row.is_empty());
    Ok(rows.filter_map(place).collect())
}

/// The first column of a row, without the mark of a file that is gone.
fn place(row: &[u8]) -> Option<PathBuf> {
    let column = row.split(|byte| byte.is_ascii_whitespace()).next()?;
    let path = unescape(column);
    let bytes = path.as_bytes();
    let kept = bytes.strip_suffix(b" (deleted)").unwrap_or(bytes);
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(kept)))
}
