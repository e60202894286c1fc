//! Job files of fio: sections of `option=value`, `[global]` before those it applies to.
//!
//! Jobs run at the same time unless `stonewall` divides them. Kneepoint measures one profile after the other,
//! so jobs side by side are refused unless they do the same. Options that only concern what fio prints are
//! left out, which is listed; options that are not known here are refused by name.

mod job;
mod option;
mod sections;
mod translate;
mod value;

pub(super) use job::range_word;
pub(crate) use value::file_names;

use kneepoint_core::spec::profile::WriteKind;
use kneepoint_core::words::fault::Fault;

use super::draft::Draft;
use super::lines::lines;
use super::{Conduct, Difference, JobText, Surroundings};

/// Options that hardly any job lacks; other files with sections have others.
const TYPICAL: [&str; 10] = [
    "rw",
    "readwrite",
    "bs",
    "blocksize",
    "ioengine",
    "iodepth",
    "numjobs",
    "bssplit",
    "time_based",
    "filename",
];

/// Whether a text is a job file: it begins with a section, and has a typical option.
pub(super) fn is_one(text: &str) -> bool {
    let significant = || {
        lines(text)
            .map(|line| line.text.trim())
            .filter(|line| !line.is_empty() && !line.starts_with([';', '#']))
    };
    let is_section =
        |line: &str| line.starts_with('[') && !line.starts_with("[[") && line.contains(']');
    let is_typical = |line: &str| {
        let key = line.split('=').next().unwrap_or_default().trim();
        TYPICAL.contains(&key)
    };
    significant().next().is_some_and(is_section) && significant().any(is_typical)
}

/// Reads a job file.
pub(super) fn read(
    text: JobText<'_>,
    surroundings: &dyn Surroundings,
) -> Result<(Draft, Conduct, Vec<Difference>), Fault> {
    let sections = sections::read(text, surroundings)?;
    let mut jobs = Vec::new();
    for section in &sections {
        jobs.push(job::FioJob::of(section)?);
    }
    check_trims(&jobs)?;
    translate::translate(text, jobs)
}

/// Refuses jobs of which one trims and another one reads: a run would refuse them, too.
fn check_trims(jobs: &[job::FioJob]) -> Result<(), Fault> {
    let trimming = jobs.iter().find(|job| job.work.writes.contains(&WriteKind::Trim));
    let reading = jobs.iter().find(|job| job.work.read > 0.0);
    let (Some(trimming), Some(reading)) = (trimming, reading) else { return Ok(()) };
    Err(Fault::new(format!(
        "{}: job '{}' trims, and job '{}' of this file reads",
        trimming.place, trimming.name, reading.name
    ))
    .because("blocks that were trimmed are answered without the medium, and reads of them say nothing of it")
    .fix("put the jobs that trim into another file, and run it after this one"))
}

#[cfg(test)]
mod tests;
