//! Configurations of Iometer (`.icf`), 1998 to 1.1.0.
//!
//! A line that begins with `'` is a key, and its values follow on the lines below; one that has a blank behind
//! the apostrophe is a caption. The sections TEST SETUP, RESULTS DISPLAY, ACCESS SPECIFICATIONS and
//! MANAGER LIST may each be missing. Files before 1998.05.21 have specifications without names, six numbers
//! a line. Sizes of disks are in sectors of 512 bytes, those of I/Os in bytes.

mod reader;
mod setup;
mod translate;

use kneepoint_core::words::fault::Fault;

use super::draft::Draft;
use super::{Conduct, Difference, JobText};

/// Whether a text is a configuration: its first line is a version, and a section follows.
pub(super) fn is_one(text: &str) -> bool {
    const SECTIONS: [&str; 4] =
        ["'TEST SETUP", "'RESULTS DISPLAY", "'ACCESS SPECIFICATIONS", "'MANAGER LIST"];
    let mut lines = super::lines::lines(text).filter(|line| !line.text.trim().is_empty());
    let is_versioned = lines.next().is_some_and(|line| starts(line.text.trim(), "Version "));
    is_versioned && lines.any(|line| SECTIONS.iter().any(|section| starts(line.text, section)))
}

/// Whether `text` begins with `start`, whatever the case of its letters.
fn starts(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

/// Reads a configuration.
pub(super) fn read(text: JobText<'_>) -> Result<(Draft, Conduct, Vec<Difference>), Fault> {
    translate::translate(text, reader::read(text)?)
}

#[cfg(test)]
mod tests;
