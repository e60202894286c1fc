//! A load profile with nothing left open, as a plan holds it.

use serde::{Deserialize, Serialize};

use super::check::check_block;
use super::{
    Align, BusinessWork, Durability, ExternalWork, FilesWork, Flushing, Line, MemberWork, Profile,
    SECTOR_BYTES, Script, ScriptWork, UserWork, Work, WriteKind,
};
use crate::spec::trace::TraceWork;
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::units::{Bytes, Nanos, Percent};

/// A load profile with nothing left open: what each operation of a series is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SeriesProfile {
    /// I/Os.
    Storage(ResolvedProfile),
    /// What users do.
    Users(UserWork),
    /// What users do at screens.
    Script(Box<ScriptWork>),
    /// Business operations.
    Business(BusinessWork),
    /// Copies of a program of Kneepoint's.
    Member(MemberWork),
    /// Copies of a program of the user's own.
    External(Box<ExternalWork>),
    /// Operations on files.
    Files(FilesWork),
}

impl SeriesProfile {
    /// The profile's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Storage(profile) => &profile.name,
            Self::Users(work) => &work.name,
            Self::Script(work) => &work.name,
            Self::Business(work) => &work.name,
            Self::Member(work) => &work.name,
            Self::External(work) => &work.name,
            Self::Files(work) => &work.name,
        }
    }

    /// The response classes of its operations, in the order in which they are recorded.
    pub fn classes(&self) -> Vec<ClassName> {
        match self {
            // The order of `Direction::index`, and others behind.
            Self::Storage(profile) => {
                let others = match (profile.writes_without_data(), profile.flush()) {
                    (true, _) => &[ClassName::TRIM, ClassName::ZEROES][..],
                    (false, Some(_)) => &[ClassName::FLUSH],
                    (false, None) => &[],
                };
                [&[ClassName::READ, ClassName::WRITE], others].concat()
            }
            Self::Users(work) => work.classes(),
            Self::Script(work) => work.script.classes(),
            Self::Business(work) => work.classes(),
            Self::Member(_) | Self::External(_) => vec![MemberWork::class_name()],
            Self::Files(work) => work.classes(),
        }
    }

    /// What each I/O looks like; `None` for work that is no I/O.
    pub const fn storage(&self) -> Option<&ResolvedProfile> {
        match self {
            Self::Storage(profile) => Some(profile),
            Self::Users(_)
            | Self::Script(_)
            | Self::Business(_)
            | Self::Member(_)
            | Self::External(_)
            | Self::Files(_) => None,
        }
    }

    /// What users do; `None` for other work.
    pub const fn users(&self) -> Option<&UserWork> {
        match self {
            Self::Users(work) => Some(work),
            Self::Storage(_)
            | Self::Script(_)
            | Self::Business(_)
            | Self::Member(_)
            | Self::External(_)
            | Self::Files(_) => None,
        }
    }

    /// What users do at screens; `None` for other work.
    pub fn script(&self) -> Option<&Script> {
        match self {
            Self::Script(work) => Some(&work.script),
            _ => None,
        }
    }

    /// The business operations; `None` for other work.
    pub const fn business(&self) -> Option<&BusinessWork> {
        match self {
            Self::Business(work) => Some(work),
            Self::Storage(_)
            | Self::Users(_)
            | Self::Script(_)
            | Self::Member(_)
            | Self::External(_)
            | Self::Files(_) => None,
        }
    }

    /// The program of Kneepoint's of which copies work; `None` for other work.
    pub const fn member(&self) -> Option<&MemberWork> {
        match self {
            Self::Member(work) => Some(work),
            Self::Storage(_)
            | Self::Users(_)
            | Self::Script(_)
            | Self::Business(_)
            | Self::External(_)
            | Self::Files(_) => None,
        }
    }

    /// The program of the user's own of which copies work; `None` for other work.
    pub fn external(&self) -> Option<&ExternalWork> {
        match self {
            Self::External(work) => Some(work),
            Self::Storage(_)
            | Self::Users(_)
            | Self::Script(_)
            | Self::Business(_)
            | Self::Member(_)
            | Self::Files(_) => None,
        }
    }

    /// The operations on files; `None` for other work.
    pub const fn files(&self) -> Option<&FilesWork> {
        match self {
            Self::Files(work) => Some(work),
            Self::Storage(_)
            | Self::Users(_)
            | Self::Script(_)
            | Self::Business(_)
            | Self::Member(_)
            | Self::External(_) => None,
        }
    }

    /// What an operation counts in the throughput: one, or the seconds that a copy's work takes on the
    /// reference machine.
    pub fn weight(&self) -> f64 {
        match self {
            Self::Member(work) => work.reference.as_secs_f64(),
            Self::External(work) => work.external.reference.as_secs_f64(),
            Self::Storage(_)
            | Self::Users(_)
            | Self::Script(_)
            | Self::Business(_)
            | Self::Files(_) => 1.0,
        }
    }

    /// Whether any operation writes to the targets.
    pub fn writes(&self) -> bool {
        let changes =
            |work: &FilesWork| work.tree.operations.iter().any(|part| part.kind.changes());
        self.storage().is_some_and(ResolvedProfile::writes) || self.files().is_some_and(changes)
    }

    /// Largest block in bytes; 0 where there are no blocks.
    pub fn block_bytes_max(&self) -> u64 {
        self.storage().map_or(0, ResolvedProfile::block_bytes_max)
    }
}

/// A load profile (access specification) with nothing left open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedProfile {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Lines whose shares add up to 100 %.
    pub lines: Vec<ResolvedLine>,
    /// Part of the target that is used.
    pub range: AddressRange,
    /// Where random I/Os fall within the range.
    pub distribution: Distribution,
    /// What is written.
    pub data: DataPattern,
    /// How it is made durable.
    #[serde(default, skip_serializing_if = "Durability::is_none")]
    pub durability: Durability,
    /// Pause after each I/O, from its completion to the one that takes its place; zero for none.
    #[serde(default, skip_serializing_if = "is_no_time")]
    pub think: Nanos,
    /// The trace whose I/Os are issued, while the lines say what it is on average; `None` to draw from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Box<TraceWork>>,
}

impl ResolvedProfile {
    /// Mean of `value` over the lines, weighted by share.
    fn weighted(&self, value: impl Fn(&ResolvedLine) -> f64) -> f64 {
        self.lines.iter().map(|line| line.share.fraction() * value(line)).sum()
    }

    /// Mean block size in bytes.
    pub fn block_bytes_mean(&self) -> f64 {
        self.weighted(|line| line.block_bytes as f64)
    }

    /// Largest block in bytes.
    pub fn block_bytes_max(&self) -> u64 {
        let of_lines = self.lines.iter().map(|line| line.block_bytes);
        let of_trace = self.trace.iter().map(|trace| trace.issued_bytes_max());
        of_lines.chain(of_trace).max().unwrap_or(0)
    }

    /// Share of I/Os that read, in percent.
    pub fn read_percent(&self) -> f64 {
        self.weighted(|line| line.read.get())
    }

    /// Share of I/Os that go to a random position, in percent.
    pub fn random_percent(&self) -> f64 {
        self.weighted(|line| line.random.get())
    }

    /// Whether any I/O of the profile writes.
    pub fn writes(&self) -> bool {
        let by_trace = self.trace.as_ref().is_some_and(|trace| trace.writes > 0);
        by_trace || self.lines.iter().any(|line| line.share.get() > 0.0 && line.read.get() < 100.0)
    }

    /// What its writes do, each kind once.
    pub fn write_kinds(&self) -> Vec<WriteKind> {
        let writing = self.lines.iter().filter(|line| line.read.get() < 100.0);
        let mut kinds: Vec<WriteKind> = writing.map(|line| line.write).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Whether some of its writes carry no data: they trim or write zeroes.
    pub fn writes_without_data(&self) -> bool {
        self.write_kinds().iter().any(|kind| !kind.is_data())
    }

    /// Whether it pauses, so that fewer I/Os may be outstanding than a load lets be.
    pub fn pauses(&self) -> bool {
        self.think > Nanos::ZERO || self.lines.iter().any(|line| line.delay > Nanos::ZERO)
    }

    /// The flushes between its writes; `None` if there are none.
    pub const fn flush(&self) -> Option<Flushing> {
        self.durability.flush
    }

    /// Whether sequential access prevails, so that MiB/s is the figure to judge by.
    pub fn is_sequential(&self) -> bool {
        self.random_percent() < 50.0
    }
}

/// One line of an access specification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedLine {
    /// Share of I/Os that follow this line.
    pub share: Percent,
    /// Bytes of each I/O.
    pub block_bytes: u64,
    /// Share of reads; the rest writes.
    pub read: Percent,
    /// What the writes do.
    #[serde(default, skip_serializing_if = "WriteKind::is_data")]
    pub write: WriteKind,
    /// Share of I/Os that go to a new random position; the rest continue where the last I/O ended.
    pub random: Percent,
    /// I/Os between two delays.
    pub burst: u32,
    /// Pause after each burst.
    pub delay: Nanos,
    /// Random offsets are multiples of this, in bytes.
    pub align_bytes: u64,
    /// Bytes that are left out before the I/O that continues where this one ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub gap_bytes: u64,
}

/// Whether nothing is left out, which plans do not say.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_no_time(time: &Nanos) -> bool {
    *time == Nanos::ZERO
}

fn is_zero(bytes: &u64) -> bool {
    *bytes == 0
}

/// The part of a target that I/O falls into, as fractions of its size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AddressRange {
    /// First byte, as a share of the size.
    pub start: Percent,
    /// End, as a share of the size; above `start`.
    pub end: Percent,
}

impl AddressRange {
    /// The whole target.
    pub const WHOLE: Self = Self { start: Percent::ZERO, end: Percent::FULL };
}

/// Where random I/Os fall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Distribution {
    /// Every position is as likely as any other.
    Uniform,
    /// Bands of the range, each with its share of the I/Os; uniform within a band.
    HotBand(Vec<Band>),
    /// The k-th most popular position is hit in proportion to 1 / k^theta; popular positions are
    /// scattered over the range.
    Zipf {
        /// Skew, above 0 and below 10; 0.99 is customary.
        theta: f64,
    },
    /// The most popular positions, this share of all, get all random I/Os but this share, and so do those among
    /// them; popular positions are scattered over the range.
    Pareto {
        /// The share, above 0 and at most 0.5; 0.2 is the rule of 80 and 20.
        h: f64,
    },
}

/// A part of the address range and the share of random I/Os that fall into it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// Size of the band as a share of the range.
    pub range: Percent,
    /// Share of random I/Os.
    pub access: Percent,
}

/// What written data looks like to a device that compresses or deduplicates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataPattern {
    /// Share of each block that compresses away.
    pub compressible: Percent,
    /// Share of blocks that repeat earlier content.
    pub duplicate: Percent,
}

impl Profile {
    /// The profile with nothing left open; `block` replaces the size of a profile that has one.
    ///
    /// # Errors
    /// When `block` is given for a profile that mixes sizes or has no blocks, or is not 1 byte to 1 GiB.
    pub fn resolve(&self, block: Option<Bytes>) -> Result<SeriesProfile, Fault> {
        if let Some(block) = block {
            self.check_replacement(block)?;
        }
        let (name, title) = (self.name.clone(), self.title.clone());
        Ok(match &self.work {
            Work::Io => {
                let lines = self.lines.iter().map(|line| line.resolve(block.unwrap_or(line.size)));
                SeriesProfile::Storage(ResolvedProfile {
                    name,
                    title,
                    lines: lines.collect(),
                    range: self.range,
                    distribution: self.distribution.clone(),
                    data: self.data,
                    durability: self.durability,
                    think: self.think,
                    trace: self.trace.clone(),
                })
            }
            Work::Users(users) => SeriesProfile::Users(UserWork {
                name,
                title,
                think: users.think,
                operations: users.operations.clone(),
            }),
            Work::Script(script) => SeriesProfile::Script(Box::new(ScriptWork {
                name,
                title,
                script: (**script).clone(),
            })),
            Work::Business(business) => SeriesProfile::Business(BusinessWork {
                name,
                title,
                remote: business.remote,
                // As on one processor; a plan says how many there are.
                peak_warehouses: 1,
                transactions: business.transactions.clone(),
            }),
            Work::Member(typed) => {
                let work = MemberWork::new((&name, &title), typed);
                SeriesProfile::Member(work.ok_or_else(|| {
                    Fault::new(format!("there is no member program '{}'", typed.member))
                })?)
            }
            Work::External(member) => SeriesProfile::External(Box::new(ExternalWork {
                name,
                title,
                external: (**member).clone(),
            })),
            Work::Files(tree) => {
                SeriesProfile::Files(FilesWork { name, title, tree: tree.clone() })
            }
        })
    }

    /// The same for a profile of I/Os.
    ///
    /// # Errors
    /// As [`Self::resolve`], and when the profile does no I/O.
    pub fn resolve_io(&self, block: Option<Bytes>) -> Result<ResolvedProfile, Fault> {
        match self.resolve(block)? {
            SeriesProfile::Storage(profile) => Ok(profile),
            SeriesProfile::Users(_)
            | SeriesProfile::Script(_)
            | SeriesProfile::Business(_)
            | SeriesProfile::Member(_)
            | SeriesProfile::External(_)
            | SeriesProfile::Files(_) => {
                Err(Fault::new(format!("profile '{}' does no I/O", self.name))
                    .because(format!("{}, and nothing is read or written in blocks", self.manner()))
                    .fix("choose a profile of I/Os: `kneepoint catalog profiles`"))
            }
        }
    }

    /// Name of the series that the profile makes with `block`: `database/8KiB`; a profile that
    /// mixes sizes makes `iometer-file-server/mix`, and the work of users has its own name.
    pub fn series_name(&self, block: Option<Bytes>) -> String {
        match block.or_else(|| self.block()) {
            None if !self.does_io() => self.name.clone(),
            Some(size) => format!("{}/{size}", self.name),
            None => format!("{}/mix", self.name),
        }
    }

    /// Refuses block sizes that can't take the place of the profile's own.
    fn check_replacement(&self, block: Bytes) -> Result<(), Fault> {
        if !self.does_io() {
            return Err(Fault::new(format!("profile '{}' can't take a block size", self.name))
                .because(format!("{}, and nothing is read or written in blocks", self.manner()))
                .fix("leave the block size out"));
        }
        if self.trace.is_some() {
            return Err(Fault::new(format!("the trace '{}' can't take a block size", self.name))
                .because("its I/Os have the sizes that were recorded")
                .fix("leave the block size out"));
        }
        if self.block().is_none() {
            return Err(Fault::new(format!("profile '{}' can't take a block size", self.name))
                .because("its lines mix block sizes")
                .fix("leave the block size out, or choose a profile that has one size"));
        }
        check_block(block).map(|_| ())
    }
}

impl Line {
    /// The line with blocks of `size`.
    fn resolve(&self, size: Bytes) -> ResolvedLine {
        ResolvedLine {
            share: self.share,
            block_bytes: size.0,
            read: self.read,
            write: self.write,
            random: self.random,
            burst: self.burst,
            delay: self.delay,
            align_bytes: match self.align {
                Align::Request => size.0,
                Align::Sector => SECTOR_BYTES,
                Align::Size(bytes) => bytes.0,
            },
            gap_bytes: self.gap.0,
        }
    }
}
