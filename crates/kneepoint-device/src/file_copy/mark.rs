//! The mark of a directory: Kneepoint made it, and which file set is in it.

use kneepoint_core::spec::file_copy::{DIRECTORIES_MAX, FILES_MAX, FileSetPlan};
use kneepoint_core::words::seed;

/// Name of the file that holds the mark.
pub(super) const MARK_NAME: &str = "KNEEPOINT-FILE-COPY";

/// Longest mark that is read, in bytes.
pub(super) const MARK_BYTES_MAX: u64 = 4096;

/// First line of every mark.
const MAGIC: &str = "KNEEPOINT FILE COPY 1";

/// What a directory says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// The file set in `source`.
    pub(super) set: FileSetPlan,
    /// The seed that drew it.
    pub(super) seed: u64,
    /// Whether all of it was written.
    pub(super) complete: bool,
}

impl Mark {
    pub(super) fn to_text(self) -> String {
        let FileSetPlan { bytes, files, directories } = self.set;
        let state = if self.complete { "complete" } else { "filling" };
        let body = format!(
            "{MAGIC}\nbytes={bytes}\nfiles={files}\ndirectories={directories}\nseed={}\n\
             state={state}\n",
            self.seed
        );
        format!("{body}check={:016x}\n", seed::derive(0, &body, bytes))
    }

    /// Reads a mark; `None` for anything that is not exactly one.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) {
            return None;
        }
        let mut value = |key: &str| lines.next()?.strip_prefix(key)?.strip_prefix('=');
        let set = FileSetPlan {
            bytes: value("bytes")?.parse().ok()?,
            files: value("files")?.parse().ok()?,
            directories: value("directories")?.parse().ok()?,
        };
        let seed = value("seed")?.parse().ok()?;
        let mark = Self { set, seed, complete: value("state")? == "complete" };
        let is_possible = set.files <= FILES_MAX && set.directories <= DIRECTORIES_MAX;
        (is_possible && mark.to_text() == text).then_some(mark)
    }
}
