//! The source in the page cache, or out of it.

use std::fs::File;
use std::io::{self, Read};

use kneepoint_core::measure::{Observer, Stop};
use kneepoint_core::plan::FileSet;
use kneepoint_core::result::Warning;
use kneepoint_core::spec::file_copy::CopyCache;
use rustix::fs::{Advice, OFlags, fadvise};

use super::folder::Folder;
use super::source::CHUNK;
use super::trouble;
use crate::observe::cached_bytes;

/// So much of the source may be on the wrong side of the page cache without a warning.
const TOLERANCE: f64 = 0.01;

/// Brings every file of the source into the page cache, or drops it from there; gives what is to be
/// said of it.
pub(super) fn prepare(
    source: &Folder,
    (set, cache): (&FileSet, CopyCache),
    observer: &dyn Observer,
) -> Result<Option<Warning>, Stop> {
    let mut chunk = vec![0; CHUNK];
    let mut cached = Some(0);
    for file in &set.files {
        observer.go_on()?;
        let opened = source.open_file(&file.path, OFlags::RDONLY).and_then(|file| {
            match cache {
                CopyCache::Cached => read_all(&file, &mut chunk)?,
                CopyCache::Uncached => fadvise(&file, 0, None, Advice::DontNeed)?,
            }
            Ok(file)
        });
        let opened =
            opened.map_err(|error| trouble("reading", &source.path_of(&file.path), &error))?;
        let bytes = cached_bytes(&opened).map(|bytes| bytes.min(file.bytes));
        cached = cached.zip(bytes).map(|(sum, bytes)| sum + bytes);
    }
    Ok(cached.and_then(|cached| warning(cache, cached as f64 / set.bytes() as f64)))
}

fn read_all(mut file: &File, chunk: &mut [u8]) -> io::Result<()> {
    while file.read(chunk)? > 0 {}
    Ok(())
}

/// What is to be said where `share` of the source is cached.
fn warning(cache: CopyCache, share: f64) -> Option<Warning> {
    let cached_percent = (100.0 * share).round();
    match cache {
        CopyCache::Cached if share < 1.0 - TOLERANCE => {
            Some(Warning::SourceNotCached { cached_percent })
        }
        CopyCache::Uncached if share > TOLERANCE => Some(Warning::SourceCached { cached_percent }),
        CopyCache::Cached | CopyCache::Uncached => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_on_the_wrong_side_is_told() {
        assert_eq!(warning(CopyCache::Cached, 1.0), None);
        assert_eq!(warning(CopyCache::Uncached, 0.0), None);
        let told = |cache, share| warning(cache, share).unwrap();
        let some = Warning::SourceNotCached { cached_percent: 50.0 };
        assert_eq!(told(CopyCache::Cached, 0.5), some);
        let all = Warning::SourceCached { cached_percent: 100.0 };
        assert_eq!(told(CopyCache::Uncached, 1.0), all);
    }
}
