//! Load profiles as they are typed: the access specifications of Iometer, in TOML.
//!
//! ```toml
//! name = "database"
//! title = "Database (data transfer)"
//!
//! [[line]]
//! share = 100          # percent of the I/Os; all lines add up to 100
//! size = "8KiB"        # bytes of each I/O
//! read = 67            # percent; the rest writes
//! random = 100         # percent; the rest continues where the last I/O ended
//! ```
//!
//! For every I/O the line is drawn by share, then its direction by `read` and its position by
//! `random`. A line may also pause (`burst` I/Os, then `delay`) and align its random positions
//! (`align`). A profile may narrow the part of the target that it uses (`[address]`), make some
//! parts hotter than others (`[distribution]`) and say what written data looks like (`[data]`).
//! The work of users is a profile, too: `think = "250ms"` between a response and the next operation, and
//! an `[[operation]]` with `class`, `share` and `demand` (processor time) for each response class.
//! What is left out has one documented value.

mod check;
mod file;
mod resolve;
mod resolved;
mod summary;
mod users;

use crate::spec::document::Document;
use crate::spec::grid::Loads;
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::units::{Bytes, GIB, Nanos, Percent};
pub use resolved::{
    AddressRange, Band, DataPattern, Distribution, ResolvedLine, ResolvedProfile, SeriesProfile,
};

pub use users::{DEMAND_MAX, OPERATIONS_MAX, THINK_MAX, UserOperation, UserWork};

pub(crate) use check::{LoadKeys, block, check, checked_name, checked_title, prose};
pub(crate) use file::{ProfileFile, Value};

/// Most lines of a profile, as in Iometer.
pub const LINES_MAX: usize = 100;
/// Largest block, in bytes (1 GiB); the smallest is 1 byte.
pub const BLOCK_BYTES_MAX: u64 = GIB;
/// Most I/Os between two delays.
pub const BURST_MAX: u32 = 1_000_000;
/// Longest pause after a burst (1 hour).
pub const DELAY_MAX: Nanos = Nanos::from_secs(3600);
/// Most bands of a hot-band distribution.
pub const BANDS_MAX: usize = 100;
/// The skew of a Zipf distribution is below this, and above zero.
pub const ZIPF_THETA_END: f64 = 10.0;
/// Longest name of a profile or a suite, in characters.
pub const NAME_CHARS_MAX: usize = 64;
/// Longest title, in characters.
pub const TITLE_CHARS_MAX: usize = 120;
/// Bytes of a sector: the alignment `"sector"`, Iometer's own.
pub const SECTOR_BYTES: u64 = 512;

/// A load profile as typed. Made by [`Profile::parse`], which checks it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// Lower-case letters, digits and hyphens; how the command line calls it.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What it stands for and what is peculiar about it; may be empty.
    pub description: String,
    /// Where its numbers come from; may be empty.
    pub source: String,
    /// The load it is measured at when neither the command line nor a series says one.
    pub loads: Option<Loads>,
    /// 1 to [`LINES_MAX`] lines whose shares add up to 100 %; none if users work.
    pub lines: Vec<Line>,
    /// Part of the target that is used; the whole by default.
    pub range: AddressRange,
    /// Where random I/Os fall; anywhere alike by default.
    pub distribution: Distribution,
    /// What is written; neither compressible nor repeated by default.
    pub data: DataPattern,
    /// What users do; `None` for I/O.
    pub users: Option<TypedUsers>,
}

/// What users do, as typed.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedUsers {
    /// Mean pause between a response and the next operation, up to [`THINK_MAX`].
    pub think: Nanos,
    /// 1 to [`OPERATIONS_MAX`] operations whose shares add up to 100 %.
    pub operations: Vec<UserOperation>,
}

/// One line of a profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Share of the I/Os, above 0 %.
    pub share: Percent,
    /// Bytes of each I/O, 1 to [`BLOCK_BYTES_MAX`].
    pub size: Bytes,
    /// Share of reads; the rest writes.
    pub read: Percent,
    /// Share of I/Os at a new random position; the rest continue where the last I/O ended.
    pub random: Percent,
    /// I/Os between two delays, 1 to [`BURST_MAX`]; 1 by default.
    pub burst: u32,
    /// Pause after each burst, up to [`DELAY_MAX`]; none by default.
    pub delay: Nanos,
    /// What random positions are multiples of.
    pub align: Align,
}

/// What random positions are multiples of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// The size of the request itself (the default, as in Iometer 1.1).
    #[default]
    Request,
    /// 512 bytes, as in Iometer before 1.1.
    Sector,
    /// A size of its own, 1 byte to [`BLOCK_BYTES_MAX`].
    Size(Bytes),
}

impl Profile {
    /// Reads a profile; `file_name` is what faults call the text.
    ///
    /// # Errors
    /// When the text is not TOML, has keys or values that a profile doesn't have, or contradicts
    /// itself. The fault names file, line and column.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, Fault> {
        let document = Document::new(file_name, text);
        let file: ProfileFile = document.read()?;
        check(document, &file)
    }

    /// What its load levels count where nothing else is said.
    pub const fn load_unit(&self) -> LoadUnit {
        match self.users {
            Some(_) => LoadUnit::Users,
            None => LoadUnit::OutstandingIos,
        }
    }

    /// Refuses load levels of another kind of work.
    ///
    /// # Errors
    /// When I/O is to have users, or users are to be outstanding I/Os.
    pub fn check_loads(&self, loads: &Loads) -> Result<(), Fault> {
        let unit = loads.unit();
        if (unit == LoadUnit::Users) == self.users.is_some() {
            return Ok(());
        }
        let (what, instead) = match self.users {
            Some(_) => ("users work", "users"),
            None => ("it does I/O", "outstanding or rate"),
        };
        Err(Fault::new(format!("profile '{}' cannot be loaded by {}", self.name, unit.label()))
            .because(what)
            .fix(format!("give its load as {instead}")))
    }

    /// The one block size of the profile; none where lines differ in size.
    pub fn block(&self) -> Option<Bytes> {
        let first = self.lines.first()?.size;
        self.lines.iter().all(|line| line.size == first).then_some(first)
    }
}

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
pub(crate) mod tests;
