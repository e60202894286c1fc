//! What is written, and how it is made durable.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::check::{ProfileFile, Value};
use super::{DataPattern, Line};
use crate::spec::document::{Document, Entry, did_you_mean};
use crate::words::fault::Fault;
use crate::words::units::Percent;

/// Most writes between two flushes.
pub const FLUSH_EVERY_MAX: u32 = 1_000_000;

crate::named! {
    /// What a write does.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum WriteKind {
        /// It carries data.
        #[default]
        Data = "data",
        /// The blocks are given back (a hole in a file, a discard of a device).
        Trim = "trim",
        /// The blocks become zeroes, without data that would be sent.
        Zeroes = "zeroes",
    }
}

impl WriteKind {
    /// Whether it carries data, which is the default.
    pub const fn is_data(&self) -> bool {
        matches!(self, Self::Data)
    }
}

/// What the writes of a line do, `read` of whose I/Os are none.
pub(super) fn write_kind(
    document: Document,
    value: &Option<Value>,
    read: Percent,
) -> Result<WriteKind, Fault> {
    let kind = document.optional("write", value, |entry| {
        let known = WriteKind::ALL.into_iter().find(|kind| kind.name() == entry.text());
        let kind = known.ok_or_else(|| {
            let words = WriteKind::ALL.map(WriteKind::name);
            let fix = did_you_mean(entry.text(), words);
            entry
                .fault(format!("'{}' is nothing that a write does", entry.text().escape_debug()))
                .fix(fix.unwrap_or_else(|| format!("use {}", words.join(" or "))))
        })?;
        match read == Percent::FULL {
            true => Err(entry
                .fault("nothing of the line is written")
                .fix("remove 'write', or lower 'read'")),
            false => Ok(kind),
        }
    })?;
    Ok(kind.unwrap_or_default())
}

crate::named! {
    /// How far a write has come when it completes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum WriteSync {
        /// Its data is on stable storage, as with `O_DSYNC`.
        Dsync = "dsync",
        /// So are the times of the file, as with `O_SYNC`.
        Sync = "sync",
    }
}

crate::named! {
    /// The call that flushes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum FlushCall {
        /// The data, and what it takes to find it again.
        Fdatasync = "fdatasync",
        /// The times of the file, too.
        Fsync = "fsync",
        /// What the page cache holds of the file is written to the device and waited for (`sync_file_range` with
        /// all its flags). What it takes to find the data again is not, nor does the device empty its own cache.
        SyncFileRange = "sync_file_range",
        /// That is only begun, and not waited for (`sync_file_range` with `SYNC_FILE_RANGE_WRITE`).
        SyncFileRangeWrite = "sync_file_range_write",
    }
}

impl FlushCall {
    /// Whether what it has flushed survives a loss of power; else it only empties the page cache.
    pub const fn is_durable(self) -> bool {
        match self {
            Self::Fdatasync | Self::Fsync => true,
            Self::SyncFileRange | Self::SyncFileRangeWrite => false,
        }
    }
}

/// Flushes between writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flushing {
    /// The call.
    pub call: FlushCall,
    /// It follows the completion of this many writes of a stream.
    pub every: NonZeroU32,
}

/// How written data is made durable; by default it is left to the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Durability {
    /// How far each write has come when it completes; left out for as far as the target wants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<WriteSync>,
    /// Flushes between writes; left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush: Option<Flushing>,
}

impl Durability {
    /// The flush that only empties the page cache.
    pub fn writeback(&self) -> Option<FlushCall> {
        self.flush.map(|flush| flush.call).filter(|call| !call.is_durable())
    }

    /// Whether it is left to the target.
    pub const fn is_none(&self) -> bool {
        self.sync.is_none() && self.flush.is_none()
    }

    /// What is done for it, a phrase each: `fdatasync after every 8 writes`.
    pub fn phrases(&self) -> impl Iterator<Item = String> {
        let sync = self.sync.map(|sync| format!("each write {}", sync.name()));
        let flush = self.flush.map(|Flushing { call, every }| match every.get() {
            1 => format!("{} after each write", call.name()),
            every => format!("{} after every {every} writes", call.name()),
        });
        sync.into_iter().chain(flush)
    }
}

/// `[data]`.
pub(super) fn data(document: Document, file: &ProfileFile) -> Result<DataPattern, Fault> {
    let none = DataPattern { compressible: Percent::ZERO, duplicate: Percent::ZERO };
    let Some(given) = &file.data else { return Ok(none) };
    let percent = |key, value| document.optional(key, value, Entry::percent);
    Ok(DataPattern {
        compressible: percent("compressible", &given.compressible)?.unwrap_or(Percent::ZERO),
        duplicate: percent("duplicate", &given.duplicate)?.unwrap_or(Percent::ZERO),
    })
}

/// `[durability]` of a profile with these `lines`.
///
/// # Errors
/// When a value is none of those that can be, nothing is said, or nothing is written.
pub(super) fn durability(
    document: Document,
    file: &ProfileFile,
    lines: &[Line],
) -> Result<Durability, Fault> {
    let Some(given) = &file.durability else { return Ok(Durability::default()) };
    let values = given.get_ref();
    let sync = document.optional("sync", &values.sync, |entry| {
        let known = WriteSync::ALL.into_iter().find(|sync| sync.name() == entry.text());
        known.ok_or_else(|| unknown(entry, &WriteSync::ALL.map(WriteSync::name)))
    })?;
    let call = document.optional("flush", &values.flush, |entry| {
        let known = FlushCall::ALL.into_iter().find(|call| call.name() == entry.text());
        known.ok_or_else(|| unknown(entry, &FlushCall::ALL.map(FlushCall::name)))
    })?;
    let every = document.optional("flush_every", &values.flush_every, every)?;
    let flush = (call.is_some() || every.is_some()).then_some(Flushing {
        call: call.unwrap_or(FlushCall::Fdatasync),
        every: every.unwrap_or(NonZeroU32::MIN),
    });
    let durability = Durability { sync, flush };
    if durability.is_none() {
        return Err(document
            .fault(given.span(), "[durability] says nothing")
            .fix("add sync = \"dsync\" or flush = \"fdatasync\", or remove it"));
    }
    if let (Some(sync), Some(call)) = (sync, durability.writeback()) {
        return Err(document
            .fault(given.span(), format!("{} has nothing to flush", call.name()))
            .because(format!(
                "with sync = \"{}\" no write leaves anything in the page cache that is not on the device, too",
                sync.name()
            ))
            .fix("remove 'sync' or 'flush'"));
    }
    if lines.iter().all(|line| line.read == Percent::FULL) {
        return Err(document
            .fault(given.span(), "nothing is written that could be made durable")
            .fix("remove [durability], or lower 'read' of a line"));
    }
    if lines.iter().any(|line| !line.write.is_data()) {
        return Err(document
            .fault(given.span(), "writes without data are not made durable here")
            .because("trims, zeroes and flushes are not timed in one profile")
            .fix("remove [durability], or 'write' of the lines"));
    }
    Ok(durability)
}

/// Refuses a word that is none of `words`.
fn unknown(entry: Entry, words: &[&'static str]) -> Fault {
    let text = entry.text();
    let fix = did_you_mean(text, words.iter().copied());
    entry
        .fault(format!("'{}' is no way to make writes durable", text.escape_debug()))
        .fix(fix.unwrap_or_else(|| format!("use {}", words.join(" or "))))
}

/// Writes between two flushes.
fn every(entry: Entry) -> Result<NonZeroU32, Fault> {
    let every = entry.whole()?;
    NonZeroU32::new(every).filter(|every| every.get() <= FLUSH_EVERY_MAX).ok_or_else(|| {
        entry
            .fault(format!("a flush after every {every} writes"))
            .fix(format!("use 1 to {FLUSH_EVERY_MAX}"))
    })
}

/// `[data]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DataFile {
    compressible: Option<Value>,
    duplicate: Option<Value>,
}

/// `[durability]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DurabilityFile {
    sync: Option<Value>,
    flush: Option<Value>,
    flush_every: Option<Value>,
}

/// `[durability]` as it is read.
pub(super) type GivenDurability = Option<Spanned<DurabilityFile>>;
