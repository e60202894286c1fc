//! The record of skipped tests: one line each, in a file beside the test binaries.
//!
//! All test binaries of one `cargo test` have the same parent process, by which the lines of this
//! run are told from those of earlier ones.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};

/// A test that was skipped, at least in part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// What was missing.
    pub reason: String,
    /// Name of the test binary.
    pub binary: String,
    /// Name of the test as the harness takes it, or the place in the source if it is not known.
    pub test: String,
}

impl Skip {
    pub(crate) fn new(test: String, reason: &str) -> Self {
        let binary = executable().file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Cargo appends a hash.
        let binary = binary.rsplit_once('-').map_or(&*binary, |(name, _)| name).to_owned();
        Self { reason: reason.split_whitespace().collect::<Vec<_>>().join(" "), binary, test }
    }

    /// Appends the skip to the record. A record that cannot be written fails no test: the skip has
    /// been said.
    pub(crate) fn keep(&self) {
        let line = self.to_line(parent_id());
        let file = File::options().append(true).create(true).open(record());
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }

    fn to_line(&self, parent: u32) -> String {
        format!("{parent}\t{}\t{}\t{}\n", self.binary, self.test, self.reason)
    }

    fn from_line(line: &str, parent: u32) -> Option<Self> {
        let mut fields = line.splitn(4, '\t');
        let is_ours = fields.next()? == parent.to_string();
        let [binary, test, reason] =
            [fields.next()?, fields.next()?, fields.next()?].map(str::to_owned);
        is_ours.then_some(Self { reason, binary, test })
    }
}

fn executable() -> PathBuf {
    std::env::current_exe().unwrap_or_default()
}

/// The file that skips are kept in: parent process, test binary, test and reason, separated by
/// tabs.
pub fn record() -> PathBuf {
    // target/debug/deps/NAME-HASH
    let profile = executable().ancestors().nth(2).map(Path::to_owned);
    profile.unwrap_or_default().join("skipped-tests.tsv")
}

/// Returns the tests that were skipped since the same `cargo test` started, sorted by reason, and
/// forgets those of earlier ones.
pub fn skips() -> Vec<Skip> {
    let text = fs::read_to_string(record()).unwrap_or_default();
    let mut skips: Vec<Skip> =
        text.lines().filter_map(|line| Skip::from_line(line, parent_id())).collect();
    skips.sort();
    skips.dedup();
    let lines: String = skips.iter().map(|skip| skip.to_line(parent_id())).collect();
    let _ = fs::write(record(), lines);
    skips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let skip = Skip::new("module::test".to_owned(), "two\nlines\tand a tab");
        assert_eq!(skip.binary, "kneepoint_testkit");
        assert_eq!(skip.reason, "two lines and a tab");
        let line = skip.to_line(7);
        assert_eq!(Skip::from_line(line.trim_end(), 7), Some(skip));
        assert_eq!(Skip::from_line(line.trim_end(), 8), None, "of another run");
        assert_eq!(Skip::from_line("7\tbroken", 7), None);
    }

    #[test]
    fn the_record_lies_beside_the_binaries() {
        let record = record();
        let folder = record.parent().unwrap();
        assert!(executable().starts_with(folder) && folder.join("deps").is_dir());
    }
}
