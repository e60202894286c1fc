//! A recorded trace as work: the I/Os of a profile one after the other as they were recorded, instead of drawn.
//!
//! A plan holds what names the trace and how it is brought onto the targets; the I/Os themselves are in memory
//! while it is measured, and are read again from the file by whoever takes up a stored plan.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::spec::grid::RATE_MIN;
use crate::words::fault::Fault;
use crate::words::number::Rounding;
use crate::words::units::Nanos;

/// Most I/Os of a trace that is replayed: they are held in memory, 24 bytes each.
pub const TRACE_IOS_MAX: u64 = 50_000_000;

/// A trace that is replayed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceWork {
    /// The file that it was read from.
    pub file: String,
    /// The part of the file that is replayed.
    pub part: TracePart,
    /// SHA-256 of the I/Os that are replayed, in lower-case hexadecimal digits.
    pub digest: String,
    /// How many they are.
    pub ios: u64,
    /// Writes among them.
    pub writes: u64,
    /// From the first to the last of them.
    pub span: Nanos,
    /// The end of the last byte that they use, all devices one behind the other.
    pub extent_bytes: u64,
    /// The largest of them, in bytes.
    pub bytes_max: u64,
    /// The power of two that divides all of their offsets and lengths, in bytes.
    pub trace_align_bytes: u64,
    /// Offsets are brought down to multiples of this, lengths up: a power of two, in bytes.
    pub align_bytes: u64,
    /// How addresses come onto a target of another size.
    pub fit: TraceFit,
    /// What of the file is not replayed as it was recorded; nothing is stored if there is none.
    #[serde(default, skip_serializing_if = "TraceReading::is_plain")]
    pub reading: TraceReading,
    /// The I/Os; nothing of them is stored with a plan.
    #[serde(skip)]
    pub records: TraceRecords,
}

/// The part of a trace that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TracePart {
    /// I/Os before this time are left out.
    pub from: Nanos,
    /// Those at or after this one, too; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Nanos>,
    /// Whether the events of requests to the device count, or those of programs to the kernel.
    pub event: TraceEvent,
}

crate::named! {
    /// Which event of an I/O counts, where a trace has several.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TraceEvent {
        /// It was handed to the device.
        #[default]
        Issued = "issued",
        /// A program asked for it.
        Queued = "queued",
    }
}

crate::named! {
    /// How the addresses of a trace come onto a target of another size.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum TraceFit {
        /// The remainder of the offset by the size of the target: what is near stays near, and a smaller target
        /// is used by several parts of the trace.
        #[default]
        Modulo = "modulo",
        /// The offset times the ratio of the sizes: what is spread stays spread, and runs of sequential I/Os
        /// get gaps or overlap.
        Scale = "scale",
    }
}

crate::named! {
    /// What a trace can have that is no I/O.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Unreplayed {
        /// Flushes.
        Flushes = "flushes",
        /// Requests that move no blocks: flushes, and commands to the device.
        Commands = "flushes and commands",
        /// Trims.
        Trims = "trims",
        /// Reads and writes without a length.
        Empty = "I/Os of no bytes",
        /// Events that the recorder could not store.
        Lost = "events that were lost as it was recorded",
    }
}

/// How much of it was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// What.
    pub what: Unreplayed,
    /// How many of them.
    pub count: u64,
}

/// What is not replayed as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TraceReading {
    /// What was left out.
    pub left_out: Vec<LeftOut>,
    /// I/Os whose time was before that of the I/O above them; they are replayed at its time.
    pub disordered: u64,
    /// Devices that are put one behind the other; 0 if the trace has one.
    pub devices_joined: u32,
}

impl TraceReading {
    /// Whether all is replayed as it was recorded.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// One I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceRecord {
    /// First byte, all devices one behind the other.
    pub offset: u64,
    /// Until the next I/O; until the first one after the last.
    pub gap: Nanos,
    /// Length in bytes.
    pub bytes: u32,
    /// Whether it writes.
    pub is_write: bool,
}

/// The I/Os of a trace; they are shared, in the memory that they were read into, and a trace that is equal
/// otherwise has the same.
#[derive(Clone, Default)]
pub struct TraceRecords(Option<Arc<Vec<TraceRecord>>>);

impl TraceRecords {
    /// These I/Os.
    pub fn new(records: Vec<TraceRecord>) -> Self {
        Self(Some(Arc::new(records)))
    }
}

impl PartialEq for TraceRecords {
    /// The digest tells traces apart.
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl fmt::Debug for TraceRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(records) => write!(f, "{} I/Os", records.len()),
            None => f.write_str("not loaded"),
        }
    }
}

/// I/Os with their times, as they are read.
#[derive(Debug, Default)]
pub struct TimedIos {
    records: Vec<TraceRecord>,
    last: Nanos,
}

impl TimedIos {
    /// No I/O yet, and the memory for `ios` of them.
    pub fn of(ios: u64) -> Self {
        let records = Vec::with_capacity(ios.min(TRACE_IOS_MAX) as usize);
        Self { records, last: Nanos::ZERO }
    }

    /// Adds the next I/O of the trace `name`: its time since the first one, no earlier than that of the last;
    /// first byte, length, and whether it writes.
    ///
    /// # Errors
    /// When there are more than [`TRACE_IOS_MAX`].
    pub fn push(
        &mut self,
        (name, at): (&str, Nanos),
        (offset, bytes, is_write): (u64, u32, bool),
    ) -> Result<(), Fault> {
        if self.records.len() as u64 >= TRACE_IOS_MAX {
            return Err(Fault::new(format!("{name} has more than {TRACE_IOS_MAX} I/Os"))
                .because("the I/Os that are replayed are held in memory, 24 bytes each")
                .fix("replay a part of it: --trace-from 1h --trace-until 2h"));
        }
        if let Some(before) = self.records.last_mut() {
            before.gap = at.since(self.last);
        }
        self.last = at;
        self.records.push(TraceRecord { offset, gap: Nanos::ZERO, bytes, is_write });
        Ok(())
    }

    /// The I/Os as work, not yet brought onto a target.
    ///
    /// # Errors
    /// When there are none.
    pub fn as_work(
        mut self,
        name: &str,
        part: TracePart,
        fit: TraceFit,
    ) -> Result<TraceWork, Fault> {
        let ios = self.records.len() as u64;
        let span = self.last;
        let Some(last) = self.records.last_mut() else {
            return Err(Fault::new(format!("there is no I/O in that part of {name}"))
                .fix("`kneepoint trace describe` tells how long it is"));
        };
        last.gap = Nanos(span.0 / ios.saturating_sub(1).max(1));
        let records = &self.records;
        let end = |record: &TraceRecord| record.offset.saturating_add(u64::from(record.bytes));
        let bits = records.iter().fold(0, |bits, it| bits | it.offset | u64::from(it.bytes));
        Ok(TraceWork {
            file: name.to_owned(),
            part,
            digest: digest(records),
            ios,
            writes: records.iter().filter(|record| record.is_write).count() as u64,
            span,
            extent_bytes: records.iter().map(end).max().unwrap_or(0),
            bytes_max: records.iter().map(|record| u64::from(record.bytes)).max().unwrap_or(0),
            trace_align_bytes: 1 << bits.trailing_zeros().min(30),
            align_bytes: 1,
            fit,
            reading: TraceReading::default(),
            records: TraceRecords::new(self.records),
        })
    }
}

/// A rate as it is typed and stored: to five significant digits or, below 10 IO/s, to thousandths.
pub fn rounded_rate(rate_per_s: f64) -> f64 {
    let decimals = match rate_per_s {
        rate if rate < 100.0 => 3,
        rate if rate < 10_000.0 => 1,
        _ => 0,
    };
    Rounding::Nearest.at(rate_per_s, decimals).max(RATE_MIN)
}

/// SHA-256 of the I/Os in lower-case hexadecimal digits.
fn digest(records: &[TraceRecord]) -> String {
    let mut sha = Sha256::new();
    for record in records {
        sha.update(record.offset.to_le_bytes());
        sha.update(record.gap.0.to_le_bytes());
        sha.update(record.bytes.to_le_bytes());
        sha.update([u8::from(record.is_write)]);
    }
    sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl TraceWork {
    /// Takes over the I/Os of `again`, the same trace read once more.
    ///
    /// # Errors
    /// When it is not the same.
    pub fn reload(&mut self, again: Self) -> Result<(), Fault> {
        if self.digest != again.digest {
            return Err(Fault::new(format!("the trace {} has changed", self.file))
                .because("its I/Os are not those that the run was begun with")
                .fix("restore the file, or begin a new run"));
        }
        self.records = again.records;
        Ok(())
    }

    /// The I/Os.
    ///
    /// # Errors
    /// When they are not in memory, as those of a stored plan are not.
    pub fn loaded(&self) -> Result<Arc<Vec<TraceRecord>>, Fault> {
        let records = self.records.0.as_ref().filter(|records| !records.is_empty());
        records.cloned().ok_or_else(|| {
            Fault::new(format!("the trace {} is not in memory here", self.file))
                .because("a plan names its trace and does not contain it")
                .fix("measure on the machine that has the file, without --hosts")
        })
    }

    /// Mean I/Os per second from the first to the last; `None` if all come at once.
    pub fn rate_per_s(&self) -> Option<f64> {
        let gaps = self.ios.saturating_sub(1) as f64;
        (self.span > Nanos::ZERO && gaps > 0.0).then(|| gaps / self.span.as_secs_f64())
    }

    /// How many I/Os a replay at `rate_per_s` is to issue before `time`; `None` if the trace has no times or is
    /// not in memory.
    pub fn arrivals_before(&self, time: Nanos, rate_per_s: f64) -> Option<u64> {
        let records = self.records.0.as_ref()?;
        // In the time of the trace itself.
        let own = time.0 as f64 * (rate_per_s / self.rate_per_s()?);
        let round: f64 = records.iter().map(|record| record.gap.0 as f64).sum();
        let rounds = (own / round).floor();
        let left = own - rounds * round;
        let mut at = 0.0;
        let begun = records.iter().take_while(|record| {
            let is_due = at < left;
            at += record.gap.0 as f64;
            is_due
        });
        Some(rounds as u64 * self.ios + begun.count() as u64)
    }

    /// Offsets and lengths are multiples of this as they are issued, a power of two, in bytes: those of an
    /// aligned trace stay aligned on a target that would take any sector.
    pub const fn replay_align_bytes(&self) -> u64 {
        match self.trace_align_bytes > self.align_bytes {
            true => self.trace_align_bytes,
            false => self.align_bytes,
        }
    }

    /// The largest I/O as it is issued, in bytes.
    pub const fn issued_bytes_max(&self) -> u64 {
        self.bytes_max.next_multiple_of(self.align_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ios_take_the_documented_memory_and_stay_in_it() {
        assert_eq!(size_of::<TraceRecord>(), 24);
        let mut ios = TimedIos::of(3);
        for at in 0..3 {
            ios.push(("a", Nanos(at)), (0, 512, false)).unwrap();
        }
        let (read, capacity) = (ios.records.as_ptr(), ios.records.capacity());
        let loaded = ios.as_work("a", TracePart::default(), TraceFit::Modulo).unwrap().loaded();
        let loaded = loaded.unwrap();
        assert_eq!((loaded.as_ptr(), loaded.capacity(), capacity), (read, 3, 3));
    }

    fn ios(times: &[u64]) -> TraceWork {
        let mut ios = TimedIos::default();
        for (number, at) in (0..).zip(times) {
            ios.push(("a.trace", Nanos(*at)), (number * 4096, 4096, number == 1)).unwrap();
        }
        ios.as_work("a.trace", TracePart::default(), TraceFit::Modulo).unwrap()
    }

    #[test]
    fn gaps_lead_to_the_next_io_and_back_to_the_first() {
        let work = ios(&[0, 10, 40]);
        let gaps: Vec<u64> = work.loaded().unwrap().iter().map(|record| record.gap.0).collect();
        assert_eq!(gaps, [10, 30, 20]);
        assert_eq!((work.ios, work.writes, work.span, work.extent_bytes), (3, 1, Nanos(40), 12288));
        assert_eq!((work.bytes_max, work.trace_align_bytes), (4096, 4096));
        assert!((work.rate_per_s().unwrap() - 5e7).abs() < 1.0);
        assert_eq!(ios(&[0]).rate_per_s(), None);
    }

    #[test]
    fn a_stored_trace_is_loaded_again_if_it_is_the_same() {
        let work = ios(&[0, 10]);
        let json = serde_json::to_string(&work).unwrap();
        let mut stored: TraceWork = serde_json::from_str(&json).unwrap();
        assert_eq!(stored, work);
        assert!(stored.loaded().is_err());
        let other = stored.reload(ios(&[0, 11])).unwrap_err();
        assert_eq!(other.what(), "the trace a.trace has changed");
        stored.reload(work).unwrap();
        assert_eq!(stored.loaded().unwrap().len(), 2);
    }

    #[test]
    fn what_is_not_replayed_is_stored_and_nothing_else_is() {
        let work = ios(&[0, 10]);
        assert!(!serde_json::to_string(&work).unwrap().contains("reading"));
        let left_out = vec![LeftOut { what: Unreplayed::Trims, count: 3 }];
        let reading = TraceReading { left_out, disordered: 1, devices_joined: 2 };
        let work = TraceWork { reading, ..work };
        let json = serde_json::to_string(&work).unwrap();
        let stored: TraceWork = serde_json::from_str(&json).unwrap();
        assert_eq!(stored.reading, work.reading);
        assert!(json.contains(r#""left_out":[{"what":"trims","count":3}]"#), "{json}");
    }

    #[test]
    fn arrivals_are_counted_over_several_rounds() {
        let work = ios(&[0, 10, 40]);
        let own = work.rate_per_s().unwrap();
        let before = |time, speed: f64| work.arrivals_before(Nanos(time), own * speed).unwrap();
        assert_eq!(
            [0, 1, 10, 11, 40, 41, 60, 61].map(|time| before(time, 1.0)),
            [0, 1, 1, 2, 2, 3, 3, 4]
        );
        assert_eq!([20, 21, 120].map(|time| before(time, 0.5)), [1, 2, 3]);
        assert_eq!(ios(&[0, 0]).arrivals_before(Nanos(5), 1.0), None);
    }

    #[test]
    fn an_empty_part_is_refused() {
        let work = TimedIos::default().as_work("a", TracePart::default(), TraceFit::Scale);
        assert_eq!(work.unwrap_err().what(), "there is no I/O in that part of a");
    }
}
