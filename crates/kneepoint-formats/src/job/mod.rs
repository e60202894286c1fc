//! Jobs of other tools, as load profiles and suites.
//!
//! [`JobFormat::told`] tells what a text is, [`read`] turns it into a [`Job`]: the text of a profile or suite,
//! how it is measured, and every difference between what the file says and what Kneepoint does. What
//! cannot be said at all is a fault that names file, line and what to do.

mod draft;
mod fio;
mod icf;
mod lines;
mod surroundings;
mod vdbench;
mod write;

use std::fmt;

use kneepoint_core::plan::{Arrivals, Caching, Engine, MemoryPages};
use kneepoint_core::spec::document::TEXT_BYTES_MAX;
use kneepoint_core::spec::suite::Suite;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

pub(crate) use draft::{Draft, DraftLine, DraftLoad, DraftSeries};
pub(crate) use fio::file_names;
pub use lines::decoded;
use surroundings::Beside;
pub use surroundings::{NoSurroundings, Surroundings};
pub use write::{WrittenJob, write};

/// A format of jobs that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobFormat {
    /// A configuration of Iometer (`.icf`), 1998 to 1.1.0.
    Iometer,
    /// A job file of fio.
    Fio,
    /// A parameter file of vdbench.
    Vdbench,
}

/// How the format of a text was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// By the ending of its name.
    Ending,
    /// By its content.
    Content,
}

impl JobFormat {
    /// The format of the text of the file `name`; `None` for texts of Kneepoint and of no known format.
    pub fn told(name: &str, text: &str) -> Option<(Self, ToldBy)> {
        if icf::is_one(text) {
            return Some((Self::Iometer, ToldBy::Content));
        }
        if fio::is_one(text) {
            return Some((Self::Fio, ToldBy::Content));
        }
        if vdbench::is_one(text) {
            return Some((Self::Vdbench, ToldBy::Content));
        }
        Self::of_ending(name).map(|format| (format, ToldBy::Ending))
    }

    /// The format that the ending of a name stands for.
    pub fn of_ending(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "icf" => Some(Self::Iometer),
            "fio" => Some(Self::Fio),
            "vdb" | "vdbench" | "parm" => Some(Self::Vdbench),
            _ => None,
        }
    }

    /// What a file of the format is, with its article.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Iometer => "an Iometer configuration",
            Self::Fio => "a fio job file",
            Self::Vdbench => "a vdbench parameter file",
        }
    }
}

/// The text of a job, with the name that faults call it by.
#[derive(Debug, Clone, Copy)]
pub struct JobText<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Its content.
    pub text: &'a str,
}

impl JobText<'_> {
    /// A fault about a line, counted from 1.
    fn fault(&self, line: usize, what: impl fmt::Display) -> Fault {
        Fault::new(what.to_string()).behind(format_args!("{}:{line}", self.file))
    }

    /// The place of a line, counted from 1.
    fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.file)
    }
}

/// What a file asks for that Kneepoint does in another way, or not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// File and line.
    pub place: String,
    /// The difference, as a sentence without its full stop.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// How a job is measured, as far as its file says; options of the command line, not part of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conduct {
    /// Time to measure each point.
    pub time: Option<Nanos>,
    /// Warm-up of each point.
    pub ramp: Option<Nanos>,
    /// Threads that drive the load.
    pub workers: Option<u32>,
    /// How I/O is issued.
    pub engine: Option<Engine>,
    /// Past the page cache or through it.
    pub caching: Option<Caching>,
    /// Pages of memory that the buffers of I/Os lie in.
    pub memory_pages: Option<MemoryPages>,
    /// Spacing of I/Os that are offered at a rate.
    pub arrivals: Option<Arrivals>,
}

impl Conduct {
    /// The options of `kneepoint run` that say the same, such as `--time 60s --workers 2`.
    pub fn options(&self) -> String {
        let mut options = Vec::new();
        options.extend(self.time.map(|time| format!("--time {time}")));
        options.extend(self.ramp.map(|ramp| format!("--ramp {ramp}")));
        options.extend(self.workers.map(|workers| format!("--workers {workers}")));
        options.extend(self.engine.map(|engine| format!("--engine {}", engine.name())));
        if self.caching == Some(Caching::Buffered) {
            options.push("--buffered".to_owned());
        }
        if self.memory_pages == Some(MemoryPages::Huge) {
            options.push("--huge-pages".to_owned());
        }
        if self.arrivals == Some(Arrivals::Constant) {
            options.push("--arrivals constant".to_owned());
        }
        options.join(" ")
    }
}

/// A job that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its format.
    pub format: JobFormat,
    /// How that was told.
    pub told: ToldBy,
    /// The same as a profile or suite in TOML.
    pub toml: String,
    /// What that text says.
    pub suite: Suite,
    /// How it is measured.
    pub conduct: Conduct,
    /// What is not the same, in the order of the file.
    pub differences: Vec<Difference>,
}

/// Reads the job of a file, whose format was told.
///
/// # Errors
/// When the text is not of the format, or says what cannot be said here; the fault names file and line.
pub fn read(
    (format, told): (JobFormat, ToldBy),
    text: JobText<'_>,
    surroundings: &dyn Surroundings,
) -> Result<Job, Fault> {
    if text.text.len() > TEXT_BYTES_MAX {
        return Err(Fault::new(format!("{}: the file is longer than 1 MiB", text.file))
            .fix("is it the right file?"));
    }
    let (draft, conduct, differences) = match format {
        JobFormat::Iometer => icf::read(text)?,
        JobFormat::Fio => fio::read(text, &Beside(surroundings))?,
        JobFormat::Vdbench => vdbench::read(text, &Beside(surroundings))?,
    };
    let (toml, suite) = draft.written(text, conduct)?;
    Ok(Job { format, told, toml, suite, conduct, differences })
}

#[cfg(test)]
mod tests;
