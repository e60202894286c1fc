//! The store as a file, looked at before SQLite may touch it. The only module that uses `std::fs`.
//!
//! SQLite changes a file merely by being asked for another journal, so a file that is not ours
//! has to be recognised from the outside.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;

use crate::error::StoreError;
use crate::schema::APPLICATION_ID;

/// The state of a store's path.
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
pub(crate) fn look(path: &Path) -> Result<Content, StoreError> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return look_around(path),
        Err(error) => return Err(error.into()),
    };
    if metadata.is_dir() {
        return Err(StoreError::Foreign("it is a directory"));
    }
    if !metadata.is_file() {
        return Err(StoreError::Foreign("it is not a regular file"));
    }
    let mut header = Vec::with_capacity(HEADER_BYTES);
    File::open(path)?.take(HEADER_BYTES as u64).read_to_end(&mut header)?;
    judge(&header)
}

/// Nothing is at `path`: could something be?
fn look_around(path: &Path) -> Result<Content, StoreError> {
    match path.parent() {
        Some(parent) if !parent.is_dir() => Err(StoreError::NoDirectory(parent.to_owned())),
        _ => Ok(Content::Nothing),
    }
}

/// Judges a file by its first bytes.
fn judge(header: &[u8]) -> Result<Content, StoreError> {
    if header.is_empty() {
        return Ok(Content::Nothing);
    }
    if !MAGIC.starts_with(&header[..header.len().min(MAGIC.len())]) {
        return Err(StoreError::Foreign("it is not an SQLite database"));
    }
    if header.len() < HEADER_BYTES {
        return Err(StoreError::Damage("it ends within its header".to_owned()));
    }
    match header[APPLICATION_ID_AT..APPLICATION_ID_AT + 4] == APPLICATION_ID.to_be_bytes() {
        true => Ok(Content::Store),
        false => Err(StoreError::Foreign("it is an SQLite database of another program")),
    }
}

/// The files that SQLite keeps beside a store, and the beginnings of each; an invalidated journal
/// is zero.
const BESIDE: [(&str, &[&[u8]]); 3] = [
    ("-wal", &[&[0x37, 0x7f, 0x06, 0x82], &[0x37, 0x7f, 0x06, 0x83]]),
    ("-journal", &[&[0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7], &[0; 8]]),
    // Shared memory: its version, 3007000, in the order of the processor's bytes.
    ("-shm", &[&3_007_000u32.to_le_bytes(), &3_007_000u32.to_be_bytes(), &[0; 4]]),
];

/// Refuses a store beside which files lie that are not SQLite's: it would take them for its own and
/// remove them. If there is no store at all, any such file belongs to something else.
pub(crate) fn check_beside(path: &Path, content: Content) -> Result<(), StoreError> {
    for (ending, beginnings) in BESIDE {
        let beside = beside(path, ending);
        let Ok(metadata) = fs::symlink_metadata(&beside) else { continue };
        let is_new = content == Content::Nothing && fs::symlink_metadata(path).is_err();
        // Another process may have made store and file at this very moment: then it is no stranger.
        if !is_new && metadata.is_file() && (metadata.len() == 0 || begins(&beside, beginnings)) {
            continue;
        }
        let name = beside.display();
        let why = match is_new {
            true => format!("{name} lies there, which SQLite would take for its own and remove"),
            false => format!("{name} is no file of SQLite, which would remove it"),
        };
        return Err(Fault::new(format!("{} is not used as a store", path.display()))
            .because(why)
            .fix("move that file away, or name another store with --store")
            .into());
    }
    Ok(())
}

fn begins(path: &Path, beginnings: &[&[u8]]) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut head));
    // A file that has just gone, or that ends within its mark, is of no harm: SQLite cuts its
    // shared memory to three bytes when the first process opens a store.
    read.is_err()
        || beginnings.iter().any(|known| head.starts_with(known) || known.starts_with(&head))
}

/// A file that lies beside the store at `path`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// The identity of a file, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    inode: (u64, u64),
    /// Bytes.
    pub(crate) length: u64,
}

impl FileIdentity {
    /// That of the file at `path`, which is not opened: closing it would take away the locks that
    /// SQLite has on it (man 2 fcntl). Nothing if nothing lies there.
    pub(crate) fn of(path: &Path) -> Result<Option<Self>, StoreError> {
        match fs::metadata(path) {
            Ok(metadata) => {
                let inode = (metadata.dev(), metadata.ino());
                Ok(Some(Self { inode, length: metadata.len() }))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// True if both are of the same file.
    pub(crate) fn is(self, other: Self) -> bool {
        self.inode == other.inode
    }
}

/// Makes an empty file of a random name beside `path`, readable by its owner alone.
pub(crate) fn make_beside(path: &Path) -> Result<PathBuf, StoreError> {
    let number = RandomState::new().build_hasher().finish();
    let made = beside(path, &format!(".{number:016x}.part"));
    // `create_new` follows no link.
    File::options().write(true).create_new(true).open(&made)?;
    Ok(made)
}

/// Gives the file `made` the name `path`, if nothing lies there, and its own name no longer.
pub(crate) fn put_in_place(made: &Path, path: &Path) -> Result<(), StoreError> {
    let linked = fs::hard_link(made, path);
    let _ = fs::remove_file(made);
    Ok(linked?)
}

/// True if a write-ahead log with content lies beside the store at `path`.
pub(crate) fn has_log(path: &Path) -> bool {
    fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_process_is_just_making_is_no_stranger() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("k.db-shm");
        let (_, beginnings) = BESIDE[2];
        for (content, is_known) in [(&[0_u8; 3][..], true), (b"", true), (b"ab", false)] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(begins(&path, beginnings), is_known, "{content:?}");
        }
    }

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
        assert!(matches!(judge(&header(0)), Err(StoreError::Foreign(_))));
        assert!(matches!(judge(&header(APPLICATION_ID)[..40]), Err(StoreError::Damage(_))));
        assert!(matches!(judge(b"series,iops\n"), Err(StoreError::Foreign(_))));
        assert!(matches!(judge(b"S"), Err(StoreError::Damage(_))));
    }
}
