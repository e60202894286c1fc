//! The store as a file, looked at before SQLite may touch it. The only module that uses `std::fs`.
//!
//! SQLite changes a file merely by being asked for another journal, so a file that is not ours
//! has to be recognised from the outside.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::schema::APPLICATION_ID;
use crate::trouble::Trouble;

/// What lies at a store's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// No file, or one without a byte: room for a new store.
    Nothing,
    /// A file that a Kneepoint store begins with.
    Store,
}

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER_BYTES: usize = 100;
const APPLICATION_ID_AT: usize = 68;

/// Says what lies at `path`, or why it can be no store.
pub(crate) fn look(path: &Path) -> Result<Content, Trouble> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return look_around(path),
        Err(error) => return Err(error.into()),
    };
    if metadata.is_dir() {
        return Err(Trouble::Foreign("it is a directory"));
    }
    if !metadata.is_file() {
        return Err(Trouble::Foreign("it is not a regular file"));
    }
    let mut header = Vec::with_capacity(HEADER_BYTES);
    File::open(path)?.take(HEADER_BYTES as u64).read_to_end(&mut header)?;
    judge(&header)
}

/// Nothing is at `path`: could something be?
fn look_around(path: &Path) -> Result<Content, Trouble> {
    match path.parent() {
        Some(parent) if !parent.is_dir() => Err(Trouble::NoDirectory(parent.to_owned())),
        _ => Ok(Content::Nothing),
    }
}

/// Judges a file by its first bytes.
fn judge(header: &[u8]) -> Result<Content, Trouble> {
    if header.is_empty() {
        return Ok(Content::Nothing);
    }
    if !MAGIC.starts_with(&header[..header.len().min(MAGIC.len())]) {
        return Err(Trouble::Foreign("it is not an SQLite database"));
    }
    if header.len() < HEADER_BYTES {
        return Err(Trouble::Damage("it ends within its header".to_owned()));
    }
    match header[APPLICATION_ID_AT..APPLICATION_ID_AT + 4] == APPLICATION_ID.to_be_bytes() {
        true => Ok(Content::Store),
        false => Err(Trouble::Foreign("it is an SQLite database of another program")),
    }
}

/// Whether a write-ahead log with content lies beside the store at `path`.
pub(crate) fn has_log(path: &Path) -> bool {
    let mut name = OsString::from(path);
    name.push("-wal");
    fs::metadata(PathBuf::from(name)).is_ok_and(|log| log.len() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_judged_by_its_first_bytes() {
        let header = |application_id: u32| {
            let mut bytes = [0u8; HEADER_BYTES];
            bytes[..16].copy_from_slice(MAGIC);
            bytes[APPLICATION_ID_AT..][..4].copy_from_slice(&application_id.to_be_bytes());
            bytes
        };
        assert!(matches!(judge(&[]), Ok(Content::Nothing)));
        assert!(matches!(judge(&header(APPLICATION_ID)), Ok(Content::Store)));
        assert!(matches!(judge(&header(0)), Err(Trouble::Foreign(_))));
        assert!(matches!(judge(&header(APPLICATION_ID)[..40]), Err(Trouble::Damage(_))));
        assert!(matches!(judge(b"series,iops\n"), Err(Trouble::Foreign(_))));
        assert!(matches!(judge(b"S"), Err(Trouble::Damage(_))));
    }
}
