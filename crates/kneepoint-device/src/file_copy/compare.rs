//! Whether a copy is what it should be.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::plan::FileSet;
use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Bytes;
use rand_core::Rng as _;
use rustix::fs::OFlags;

use super::folder::Folder;
use super::source::CHUNK;
use super::trouble;
use crate::layout::shares_blocks;

/// Compares every byte of the copy in `root` with what the seed gives, not with the source: so the
/// source is checked as well.
pub(super) fn compare(root: &Folder, set: &FileSet, observer: &dyn Observer) -> Result<(), Stop> {
    let (mut read, mut wanted) = (vec![0; CHUNK], vec![0; CHUNK]);
    for file in &set.files {
        observer.go_on()?;
        let path = root.path_of(&file.path);
        let same = root
            .open_file(&file.path, OFlags::RDONLY)
            .and_then(|opened| is_same(&opened, (file.bytes, file.seed), [&mut read, &mut wanted]))
            .map_err(|error| trouble("reading", &path, &error))?;
        if !same {
            let why = "its content is not that of the source as it was written";
            return Err(differs(&path, why).into());
        }
    }
    Ok(())
}

/// A copy that is none.
pub(super) fn differs(path: &Path, why: &str) -> Fault {
    Fault::new(format!("{} is no true copy", path.display()))
        .because(why)
        .fix("do not trust this storage before you know why; remove the directory of the file copy")
}

fn is_same(
    mut file: &File,
    (bytes, seed): (u64, u64),
    [read, wanted]: [&mut [u8]; 2],
) -> io::Result<bool> {
    let mut rng = seed::rng(seed);
    let mut left = bytes;
    while left > 0 {
        let length = left.min(CHUNK as u64) as usize;
        let (read, wanted) = (&mut read[..length], &mut wanted[..length]);
        file.read_exact(read)?;
        rng.fill_bytes(wanted);
        if read != wanted {
            return Ok(false);
        }
        left -= length as u64;
    }
    Ok(true)
}

/// What is to be said where the file system shares the blocks of source and copy: nothing was
/// copied then. Looks at the largest file.
pub(super) fn sharing_warning(root: &Folder, set: &FileSet) -> Option<Warning> {
    let largest = set.files.iter().max_by_key(|file| file.bytes)?;
    let file = root.open_file(&largest.path, OFlags::RDONLY).ok()?;
    let shares = shares_blocks(&file, Bytes(largest.bytes)).ok()?;
    shares.then_some(Warning::SharedBlocks)
}
