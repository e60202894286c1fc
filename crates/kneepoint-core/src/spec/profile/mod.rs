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
//! parts hotter than others (`[distribution]`), say what written data looks like (`[data]`) and how it is
//! made durable (`[durability]`).
//! The work of users is a profile, too: `think = "250ms"` between a response and the next operation, and
//! an `[[operation]]` with `class`, `share` and `demand` (processor time) for each response class; at screens
//! they follow a script (`[[start]]`, `[[work]]`, `[[end]]`). So are
//! business operations: `remote = 1` (percent of order lines that another warehouse supplies) and a
//! `[[transaction]]` with `class` and `share` for each of those that are done. Copies of a program have
//! `member = "chess"`, its name, and `flags`, `"base"` or `"peak"`; those of the user's own program, which
//! a `[[member]]` of the same file defines, have its name alone. Operations on files have `[files]`, which says
//! how many there are and how large, and a `[[files.operation]]` with `class` and `share` for each.
//! What is left out has one documented value.

mod business;
mod check;
mod external;
mod files;
mod keys;
mod member;
mod positions;
mod resolved;
mod runcpu;
mod script;
mod script_text;
mod written;

pub use business::{BusinessWork, Transaction, TransactionShare, TypedBusiness};
pub(crate) use check::{
    ProfileFile, Value, block, check, checked_name, checked_title, loads, prose,
};
pub use external::{CopyPlaces, ExternalMember, ExternalWork, OutputCheck, Places};
pub(crate) use external::{MemberFile, members, profile_of};
pub use files::{FileOperation, FileOperationShare, FileSync, FileTree, FilesWork, Preallocation};
pub use keys::{Chord, symbol_of};
pub use member::{
    FlagSet, MemberClass, MemberScale, MemberWork, ReferenceMachine, TypedMember, member_names,
};
pub use resolved::{
    AddressRange, Band, DataPattern, Distribution, ResolvedLine, ResolvedProfile, SeriesProfile,
};
pub use runcpu::Runcpu;
pub use script::{
    Action, PACE_MAX, ROUNDS_MAX, Region, SCRIPT_TEXT_MAX, STEP_TIME_MAX, STEPS_MAX, Script,
    ScriptStep, ScriptWork, Until,
};
use serde::{Deserialize, Serialize};
pub use written::{Durability, FLUSH_EVERY_MAX, FlushCall, Flushing, WriteKind, WriteSync};

use super::document::Document;
use super::grid::Loads;
use super::trace::TraceWork;
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::units::{Bytes, GIB, KIB, MIB, Nanos, Percent};

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
/// The Pareto distribution's share of hot positions is at most this, and above zero: at this, positions are alike.
pub const PARETO_H_MAX: f64 = 0.5;
/// Most bytes that are left out between two sequential I/Os (1 GiB).
pub const GAP_BYTES_MAX: u64 = GIB;
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
    /// 1 to [`LINES_MAX`] lines whose shares add up to 100 %; none if nothing does I/O.
    pub lines: Vec<Line>,
    /// Part of the target that is used; the whole by default.
    pub range: AddressRange,
    /// Where random I/Os fall; anywhere alike by default.
    pub distribution: Distribution,
    /// What is written; neither compressible nor repeated by default.
    pub data: DataPattern,
    /// How it is made durable; left to the target by default.
    pub durability: Durability,
    /// Pause after each I/O, from its completion to the one that takes its place; zero for none.
    pub think: Nanos,
    /// A trace whose I/Os are issued as they were recorded, while the lines say what it is on average; `None`
    /// to draw from the lines.
    pub trace: Option<Box<TraceWork>>,
    /// What it does.
    pub work: Work,
}

/// What a profile does, as typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// The I/Os of its lines.
    Io,
    /// What users do.
    Users(TypedUsers),
    /// What users do at screens.
    Script(Box<Script>),
    /// Business operations.
    Business(TypedBusiness),
    /// Copies of a program of Kneepoint's.
    Member(TypedMember),
    /// Copies of a program of the user's own.
    External(Box<ExternalMember>),
    /// Operations on files.
    Files(FileTree),
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
    /// What the writes do.
    pub write: WriteKind,
    /// Share of I/Os at a new random position; the rest continue where the last I/O ended.
    pub random: Percent,
    /// I/Os between two delays, 1 to [`BURST_MAX`]; 1 by default.
    pub burst: u32,
    /// Pause after each burst, up to [`DELAY_MAX`]; none by default.
    pub delay: Nanos,
    /// What random positions are multiples of.
    pub align: Align,
    /// Bytes that are left out before the I/O that continues where this one ended; none by default.
    pub gap: Bytes,
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
        check(document, &file, &[])
    }

    /// What its load levels count where nothing else is said.
    pub const fn load_unit(&self) -> LoadUnit {
        match self.work {
            Work::Io => LoadUnit::OutstandingIos,
            Work::Users(_) | Work::Script(_) => LoadUnit::Users,
            Work::Business(_) => LoadUnit::Warehouses,
            Work::Member(_) | Work::External(_) => LoadUnit::Copies,
            Work::Files(_) => LoadUnit::OutstandingOperations,
        }
    }

    /// Whether it does I/O.
    pub const fn does_io(&self) -> bool {
        matches!(self.work, Work::Io)
    }

    /// `loads` as this profile counts them: what is outstanding is operations on files where they are the
    /// work.
    #[must_use]
    pub fn own_loads(&self, loads: Loads) -> Loads {
        match (loads.unit(), &self.work) {
            (LoadUnit::OutstandingIos, Work::Files(_)) => loads.counting(self.load_unit()),
            _ => loads,
        }
    }

    /// What it does, as a clause.
    const fn manner(&self) -> &'static str {
        match self.work {
            Work::Io => "it does I/O",
            Work::Users(_) | Work::Script(_) => "users work",
            Work::Business(_) => "warehouses do business",
            Work::Member(_) | Work::External(_) => "copies of a program work",
            Work::Files(_) => "files are created, looked up and deleted as a whole",
        }
    }

    /// Refuses load levels of another kind of work.
    ///
    /// # Errors
    /// When I/O is to have users or warehouses, or these are to be outstanding I/Os.
    pub fn check_loads(&self, loads: &Loads) -> Result<(), Fault> {
        let own = self.load_unit();
        let unit = match (&self.work, loads.unit()) {
            (Work::Files(_), LoadUnit::OutstandingIos) => own,
            (_, unit) => unit,
        };
        let is_of_io = matches!(unit, LoadUnit::OutstandingIos | LoadUnit::OfferedIops);
        if unit == own || self.does_io() && is_of_io {
            return Ok(());
        }
        let instead = match own {
            LoadUnit::OutstandingIos | LoadUnit::OfferedIops => "outstanding or rate",
            LoadUnit::OutstandingOperations => "outstanding",
            LoadUnit::Users => "users",
            LoadUnit::Warehouses => "warehouses",
            LoadUnit::Copies => "copies",
        };
        Err(Fault::new(format!("profile '{}' cannot be loaded by {}", self.name, unit.label()))
            .because(self.manner())
            .fix(format!("give its load as {instead}")))
    }

    /// The one block size of the profile; none where lines differ in size.
    pub fn block(&self) -> Option<Bytes> {
        let first = self.lines.first()?.size;
        self.lines.iter().all(|line| line.size == first).then_some(first)
    }
}

/// Longest pause between two operations of a user (1 hour).
pub const THINK_MAX: Nanos = Nanos::from_secs(3600);
/// Longest processor time of an operation (1 hour).
pub const DEMAND_MAX: Nanos = Nanos::from_secs(3600);
/// Most response classes of a profile.
pub const OPERATIONS_MAX: usize = 16;

/// The work of users with nothing left open. Each user pauses, then does an operation, whose response
/// is awaited before the next pause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserWork {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Mean pause between a response and the next operation, exponentially distributed.
    pub think: Nanos,
    /// One operation for each response class; their shares add up to 100 %.
    pub operations: Vec<UserOperation>,
}

/// What users do, one class of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserOperation {
    /// The response class that it is timed as.
    pub class: ClassName,
    /// Share of all operations.
    pub share: Percent,
    /// Processor time that it takes where nothing else runs.
    pub demand: Nanos,
}

impl UserWork {
    /// The response classes, in the order of the operations.
    pub fn classes(&self) -> Vec<ClassName> {
        self.operations.iter().map(|operation| operation.class).collect()
    }

    /// Mean processor time of an operation, in nanoseconds.
    pub fn demand_ns_mean(&self) -> f64 {
        let parts = self.operations.iter();
        parts.map(|operation| operation.share.fraction() * operation.demand.0 as f64).sum()
    }
}

impl Profile {
    /// The profile in one line: `8 KiB, 67 % read, 100 % random`.
    ///
    /// Shares are means over the lines; for a mix of sizes the smallest, the largest and the mean
    /// size are given. What departs from the defaults is named behind.
    pub fn summary(&self) -> String {
        match &self.work {
            Work::Io => {}
            Work::Users(users) => return of_users(users),
            Work::Script(script) => return of_script(script),
            Work::Business(business) => return of_business(business),
            Work::Member(typed) => {
                return format!("copies of {}, {} flags", typed.member, typed.flags.name());
            }
            Work::External(member) => return format!("copies of {}", member.name),
            Work::Files(tree) => return tree.summary(),
        }
        let mut parts = vec![self.sizes(), format!("{} read", percent(self.mean(reads)))];
        parts.push(match self.mean(randoms) {
            0.0 => "sequential".to_owned(),
            random => format!("{} random", percent(random)),
        });
        parts.extend(self.place());
        if self.lines.iter().any(|line| line.delay > Nanos::ZERO) {
            parts.push("with pauses".to_owned());
        }
        if self.lines.iter().any(|line| line.gap > Bytes(0)) {
            parts.push("with gaps".to_owned());
        }
        if self.think > Nanos::ZERO {
            parts.push(format!("{} of think time", self.think));
        }
        parts.extend(self.durability.phrases());
        parts.join(", ")
    }

    /// The block size, or the sizes of a mix.
    fn sizes(&self) -> String {
        if let Some(size) = self.block() {
            return bytes(size.0 as f64);
        }
        let sizes = || self.lines.iter().map(|line| line.size);
        let end = |size: Option<Bytes>| bytes(size.map_or(0.0, |size| size.0 as f64));
        let mean = bytes(self.mean(|line| line.size.0 as f64));
        format!("{} to {} (mean {mean})", end(sizes().min()), end(sizes().max()))
    }

    /// Where on the target I/O falls, as far as it isn't everywhere alike.
    fn place(&self) -> Vec<String> {
        let AddressRange { start, end } = self.range;
        let range = match self.range {
            AddressRange::WHOLE => None,
            _ => Some(format!("from {} to {}", percent(start.get()), percent(end.get()))),
        };
        let distribution = match &self.distribution {
            Distribution::Uniform => None,
            Distribution::HotBand(bands) => Some(format!("in {} bands", bands.len())),
            Distribution::Zipf { theta } => Some(format!("zipf {theta}")),
            Distribution::Pareto { h } => Some(format!("pareto {h}")),
        };
        range.into_iter().chain(distribution).collect()
    }

    /// Mean of `value` over the lines, weighted by share.
    fn mean(&self, value: impl Fn(&Line) -> f64) -> f64 {
        self.lines.iter().map(|line| line.share.fraction() * value(line)).sum()
    }
}

/// The work of users: `users pause 250ms; keystroke 95 %, open 5 %`.
fn of_users(users: &TypedUsers) -> String {
    let operation = |operation: &UserOperation| {
        format!("{} {}", operation.class, percent(operation.share.get()))
    };
    let operations: Vec<String> = users.operations.iter().map(operation).collect();
    format!("users pause {}; {}", users.think, operations.join(", "))
}

/// What users do at screens: `users at screens, 230 strokes a minute; logon, keystroke`.
fn of_script(script: &Script) -> String {
    let classes: Vec<String> = script.classes().iter().map(ClassName::to_string).collect();
    format!("users at screens, {} strokes a minute; {}", script.pace, classes.join(", "))
}

/// Business operations: `warehouses; new-order 30.3 %, payment 30.3 %`.
fn of_business(business: &TypedBusiness) -> String {
    let transaction =
        |part: &TransactionShare| format!("{} {}", part.kind.name(), percent(part.share.get()));
    let transactions: Vec<String> = business.transactions.iter().map(transaction).collect();
    format!("warehouses; {}", transactions.join(", "))
}

/// Share of reads in percent.
fn reads(line: &Line) -> f64 {
    line.read.get()
}

/// Share of random I/Os in percent.
fn randoms(line: &Line) -> f64 {
    line.random.get()
}

/// A percentage with at most two decimals: `67 %`, `66.67 %`.
fn percent(percent: f64) -> String {
    format!("{} %", two_decimals(percent))
}

/// A size with at most two decimals: `512 B`, `11.08 KiB`.
fn bytes(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= MIB as f64 => format!("{} MiB", two_decimals(bytes / MIB as f64)),
        bytes if bytes >= KIB as f64 => format!("{} KiB", two_decimals(bytes / KIB as f64)),
        bytes => format!("{} B", two_decimals(bytes)),
    }
}

/// Rounded to at most two decimals.
fn two_decimals(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
mod fault_tests;
