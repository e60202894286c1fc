//! Parameter files of vdbench: hosts (`hd=`), storage (`sd=`), workloads (`wd=`) and runs (`rd=`).
//!
//! A run is one or more workloads at a time, each with its share of the I/Os (`skew`), which is what the lines of a
//! profile are; on different storage they are members of one moment. File systems (`fsd=`, `fwd=`) are refused: their loads are files and folders, not blocks.

mod conduct;
mod load;
mod moment;
mod reader;
mod sequence;
mod source;
mod translate;
mod value;

use kneepoint_core::words::fault::Fault;

use super::draft::Draft;
use super::lines::lines;
use super::{Conduct, Difference, JobText, Surroundings};

/// Whether a text is a parameter file: it defines storage, a workload or a run.
pub(super) fn is_one(text: &str) -> bool {
    const FIRST: [&str; 6] = ["hd=", "sd=", "wd=", "rd=", "fsd=", "fwd="];
    let mut lines = lines(text).map(|line| line.text.trim());
    lines.any(|line| FIRST.iter().any(|first| line.starts_with(first) && line.contains(',')))
}

/// Reads a parameter file.
pub(super) fn read(
    text: JobText<'_>,
    surroundings: &dyn Surroundings,
) -> Result<(Draft, Conduct, Vec<Difference>), Fault> {
    translate::translate(&reader::read(text, surroundings)?)
}

#[cfg(test)]
mod tests;
