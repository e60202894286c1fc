//! One stream: the next I/O, again and again.

use std::num::NonZeroU32;
use std::ops::Range;

use rand_core::Rng as _;

use super::offset::{Positions, Span};
use super::replay::Replay;
use crate::load::backend::{Content, Direction};
use crate::plan::{Arrivals, Engine, Plan};
use crate::spec::profile::{ResolvedLine, ResolvedProfile, WriteKind};
use crate::words::fault::Fault;
use crate::words::load::LoadLevel;
use crate::words::seed::{self, Rng};
use crate::words::units::{Bytes, Nanos, Percent};

/// Number of blocks that duplicate content is drawn from.
pub const DUPLICATE_POOL: u64 = 8;

/// The next I/O of a stream, not yet in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// Read or write.
    pub direction: Direction,
    /// First byte.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u32,
    /// What a write carries.
    pub content: Content,
    /// Pause before the next I/O of this stream; zero except at the end of a burst. Of a trace in an open loop,
    /// the time to the next arrival as it would be at one I/O per second.
    pub delay: Nanos,
}

/// What holds for all I/Os of a stream, which the loop asks once.
#[derive(Debug, Clone, Copy, Default)]
pub struct StreamHabits {
    /// How many writes are made durable together, by a flush after the last of them; `None` if none are.
    pub flush_every: Option<NonZeroU32>,
    /// The pause after each I/O, from its completion to the one that takes its place; zero for none.
    pub think: Nanos,
    /// Whether some writes carry no data.
    pub writes_without_data: bool,
}

/// Where a lane of the load loop gets its next I/O from.
pub trait Source {
    /// Draws the next I/O.
    fn draw(&mut self) -> Drawn;

    /// What holds for all of them. Whoever passes on the I/Os of another source passes this on as a whole.
    fn habits(&self) -> StreamHabits {
        StreamHabits::default()
    }
}

/// The I/Os of one target as one worker issues them.
#[derive(Debug, Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "there are few, and an indirection would cost every I/O"
)]
pub enum Stream {
    /// Drawn as a profile says.
    Drawn(Mix),
    /// Replayed as they were recorded.
    Replayed(Replay),
}

impl Stream {
    /// The stream of `plan` under `profile`.
    ///
    /// # Errors
    /// When the address range does not hold even one block, or a trace is not in memory.
    pub fn new(profile: &ResolvedProfile, plan: &StreamPlan) -> Result<Self, Fault> {
        match &profile.trace {
            None => Mix::new(profile, plan).map(Self::Drawn),
            Some(trace) => Replay::new(trace, plan).map(Self::Replayed),
        }
    }
}

impl Source for Stream {
    #[inline]
    fn draw(&mut self) -> Drawn {
        match self {
            Self::Drawn(mix) => mix.draw(),
            Self::Replayed(replay) => replay.draw(),
        }
    }

    fn habits(&self) -> StreamHabits {
        match self {
            Self::Drawn(mix) => mix.habits(),
            Self::Replayed(replay) => replay.habits(),
        }
    }
}

/// I/Os that are drawn from the lines of a profile.
#[derive(Debug, Clone)]
pub struct Mix {
    rng: Rng,
    picker: LinePicker,
    lines: Vec<Line>,
    duplicate: Chance,
    start: u64,
    end: u64,
    position: u64,
    serial: u64,
    habits: StreamHabits,
}

/// One line of the access specification, ready to draw from.
#[derive(Debug, Clone)]
struct Line {
    bytes: u32,
    align: u64,
    gap: u64,
    read: Chance,
    write: WriteKind,
    random: Chance,
    positions: Positions,
    burst: u32,
    burst_left: u32,
    delay: Nanos,
}

impl Mix {
    /// The stream of `plan` under `profile`.
    ///
    /// # Errors
    /// When the address range does not hold even one block.
    fn new(profile: &ResolvedProfile, plan: &StreamPlan) -> Result<Self, Fault> {
        let (start, end) = byte_range(profile, plan.size_bytes);
        let lines = profile
            .lines
            .iter()
            .map(|line| Line::new(line, profile, (start, end)))
            .collect::<Result<Vec<_>, _>>()?;
        let position = start + (end - start) / u64::from(plan.share_count) * u64::from(plan.share);
        Ok(Self {
            rng: seed::rng(plan.seed),
            picker: LinePicker::new(profile),
            duplicate: Chance::new(profile.data.duplicate),
            serial: (u64::from(plan.target) << 48) | (u64::from(plan.share) << 40),
            lines,
            start,
            end,
            position,
            habits: StreamHabits {
                flush_every: profile.flush().map(|flush| flush.every),
                think: profile.think,
                writes_without_data: profile.writes_without_data(),
            },
        })
    }

    /// Content of the next write.
    #[inline]
    fn content(&mut self) -> Content {
        if self.duplicate.draw(&mut self.rng) {
            return Content::Duplicate((self.rng.next_u64() % DUPLICATE_POOL) as u32);
        }
        self.serial += 1;
        Content::Unique(self.serial)
    }
}

impl Source for Mix {
    #[inline]
    fn draw(&mut self) -> Drawn {
        let index = self.picker.draw(&mut self.rng);
        let line = &mut self.lines[index];
        let offset = if line.random.draw(&mut self.rng) {
            line.positions.draw(&mut self.rng)
        } else {
            line.follow(self.position, self.start, self.end)
        };
        self.position = offset + u64::from(line.bytes) + line.gap;
        let is_read = line.read.draw(&mut self.rng);
        let (bytes, write) = (line.bytes, line.write);
        let delay = line.count_burst();
        let (direction, content) = if is_read {
            (Direction::Read, Content::Unique(0))
        } else {
            let content = match write {
                WriteKind::Data => self.content(),
                WriteKind::Trim => Content::Trim,
                WriteKind::Zeroes => Content::Zeroes,
            };
            (Direction::Write, content)
        };
        Drawn { direction, offset, bytes, content, delay }
    }

    fn habits(&self) -> StreamHabits {
        self.habits
    }
}

impl Line {
    fn new(
        line: &ResolvedLine,
        profile: &ResolvedProfile,
        (start, end): (u64, u64),
    ) -> Result<Self, Fault> {
        let span = Span { start, end, block: line.block_bytes, align: line.align_bytes };
        let positions = Positions::new(span, &profile.distribution).ok_or_else(|| {
            Fault::new(format!("the address range is too small for profile '{}'", profile.name))
                .because(format!(
                    "{} bytes hold no aligned block of {}",
                    end - start,
                    Bytes(line.block_bytes)
                ))
                .fix("use a larger target, or a wider address range in the profile")
        })?;
        // What an I/O moved comes back as a signed number.
        let bytes = i32::try_from(line.block_bytes).map_err(|_| {
            Fault::new(format!("a block of {} is too large", Bytes(line.block_bytes)))
                .fix("use blocks below 2 GiB")
        })? as u32;
        Ok(Self {
            bytes,
            align: line.align_bytes,
            gap: line.gap_bytes,
            read: Chance::new(line.read),
            write: line.write,
            random: Chance::new(line.random),
            positions,
            burst: line.burst.max(1),
            burst_left: line.burst.max(1),
            delay: line.delay,
        })
    }

    /// The sequential offset after `position`: aligned, and back to the start at the end.
    #[inline]
    fn follow(&self, position: u64, start: u64, end: u64) -> u64 {
        let next = round_up(position, self.align);
        if next + u64::from(self.bytes) <= end { next } else { round_up(start, self.align) }
    }

    /// Counts an I/O of a burst; the delay after it, zero within a burst.
    #[inline]
    fn count_burst(&mut self) -> Nanos {
        if self.delay == Nanos::ZERO {
            return Nanos::ZERO;
        }
        self.burst_left -= 1;
        if self.burst_left > 0 {
            return Nanos::ZERO;
        }
        self.burst_left = self.burst;
        self.delay
    }
}

/// The next multiple of `align`, without a division where it is a power of two.
#[inline]
fn round_up(value: u64, align: u64) -> u64 {
    if align.is_power_of_two() {
        (value + align - 1) & !(align - 1)
    } else {
        value.next_multiple_of(align)
    }
}

/// First byte and end of the profile's part of a target.
fn byte_range(profile: &ResolvedProfile, size_bytes: u64) -> (u64, u64) {
    let at = |fraction: f64| (size_bytes as f64 * fraction) as u64;
    let end = if profile.range.end.get() >= 100.0 {
        size_bytes
    } else {
        at(profile.range.end.fraction())
    };
    (at(profile.range.start.fraction()), end)
}

/// A yes or no with a fixed probability, true to one part in 2^32.
#[derive(Debug, Clone, Copy)]
struct Chance {
    /// Draws below this say yes.
    threshold: u64,
}

impl Chance {
    /// Yes in `percent` % of the draws.
    pub(super) fn new(percent: Percent) -> Self {
        Self { threshold: (percent.fraction() * (1u64 << 32) as f64).round() as u64 }
    }

    /// Draws; takes no number from the generator where the answer is certain.
    #[inline]
    pub(super) fn draw(self, rng: &mut Rng) -> bool {
        match self.threshold {
            0 => false,
            t if t >= 1 << 32 => true,
            t => rng.next_u64() >> 32 < t,
        }
    }
}

/// Picks lines in proportion to their shares.
#[derive(Debug, Clone)]
struct LinePicker {
    /// Upper bound of each line's share of the 32-bit numbers; the last is 2^32.
    bounds: Vec<u64>,
}

impl LinePicker {
    pub(super) fn new(profile: &ResolvedProfile) -> Self {
        let mut sum = 0.0;
        let mut bounds: Vec<u64> = profile
            .lines
            .iter()
            .map(|line| {
                sum += line.share.fraction();
                (sum * (1u64 << 32) as f64).round() as u64
            })
            .collect();
        if let Some(last) = bounds.last_mut() {
            *last = 1 << 32;
        }
        Self { bounds }
    }

    /// The index of the line that the next I/O follows.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> usize {
        if self.bounds.len() == 1 {
            return 0;
        }
        let number = rng.next_u64() >> 32;
        self.bounds.partition_point(|bound| *bound <= number)
    }
}

/// One worker's part of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerPlan {
    /// The streams that this worker drives.
    pub streams: Vec<StreamPlan>,
    /// Response classes of all series together if several are measured at the same moment; `None` for
    /// those of the streams.
    pub classes: Option<u32>,
}

impl WorkerPlan {
    /// Slots of all streams: the most I/Os that the worker has in flight.
    pub fn slot_count(&self) -> u32 {
        self.streams.iter().map(|stream| stream.slots).sum()
    }

    /// A worker of the streams of one series.
    pub const fn of(streams: Vec<StreamPlan>) -> Self {
        Self { streams, classes: None }
    }

    /// From the first to the last of the targets under which the worker records, others between them
    /// included.
    pub fn seats(&self) -> Range<u32> {
        let seats = || self.streams.iter().map(|stream| stream.seat.number);
        seats().min().unwrap_or(0)..seats().max().map_or(0, |last| last + 1)
    }
}

/// One target's load, or a share of it, on one worker.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamPlan {
    /// Number of the stream within the point; workers that carry the same number draw from one
    /// stream together.
    pub number: u32,
    /// Index into the plan's targets.
    pub target: u32,
    /// Bytes of the target that may be used.
    pub size_bytes: u64,
    /// Which share of the target's load this is, below `share_count`.
    pub share: u32,
    /// Number of streams that share the target.
    pub share_count: u32,
    /// Most I/Os in flight.
    pub slots: u32,
    /// Open loop: how I/Os arrive; `None` for a closed loop, where a completion is replaced.
    pub arrivals: Option<ArrivalPlan>,
    /// The stream's own seed.
    pub seed: u64,
    /// Where its I/Os are recorded.
    pub seat: Seat,
}

/// Where the I/Os of a stream are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seat {
    /// Number of its series among those that are measured at the same moment, from 0.
    pub member: u32,
    /// Number of its target among those of all these series; of one series that of the target.
    pub number: u32,
    /// Index of its first response class among those of all these series.
    pub first_class: u32,
}

impl Seat {
    /// That of a stream on `target` that belongs to the only series.
    pub const fn alone(target: u32) -> Self {
        Self { member: 0, number: target, first_class: 0 }
    }
}

/// How the I/Os of a stream arrive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArrivalPlan {
    /// I/Os per second, above zero.
    pub rate_per_s: f64,
    /// Spacing.
    pub spacing: Arrivals,
}

/// Shares out the load on each target over the plan's workers.
///
/// With no more workers than targets every target belongs to one worker, so that its sequential
/// position is one. With more workers than targets a target's slots are split between several
/// workers, each a stream with its own sequential position, started at even distances.
/// Workers that would have nothing to do are left out.
///
/// The synchronous engine has one thread per I/O in flight: there every stream is driven by as
/// many workers as it has slots, which draw from it together.
///
/// In an open loop the offered rate is split in the same way.
pub fn assign(plan: &Plan, load: LoadLevel, point_seed: u64) -> Vec<WorkerPlan> {
    let slots = slots_per_target(plan, load);
    let target_count = plan.targets.len() as u32;
    let shares = (plan.engine.workers / target_count.max(1)).clamp(1, slots.max(1));
    let before = plan.first_target * shares;
    let streams = (0..target_count * shares).map(|number| {
        let (target, share) = (number / shares, number % shares);
        StreamPlan {
            number,
            target,
            size_bytes: plan.targets[target as usize].size_bytes,
            share,
            share_count: shares,
            slots: slots / shares + u32::from(share < slots % shares),
            arrivals: arrivals(plan, load, shares),
            seed: seed::derive(point_seed, "stream", u64::from(before + number)),
            seat: Seat::alone(target),
        }
    });
    match plan.engine.engine {
        Engine::Sync => one_worker_per_slot(streams),
        _ => round_robin(streams, plan.engine.workers.clamp(1, target_count.max(1) * shares)),
    }
}

/// Most I/Os in flight on one target.
pub fn slots_per_target(plan: &Plan, load: LoadLevel) -> u32 {
    match load.unit.is_offered() {
        true => plan.open_loop.in_flight_max.max(1),
        false => (load.value as u32).max(1),
    }
}

/// How the I/Os of one of `shares` streams of a target arrive.
fn arrivals(plan: &Plan, load: LoadLevel, shares: u32) -> Option<ArrivalPlan> {
    load.unit.is_offered().then(|| ArrivalPlan {
        rate_per_s: load.value / f64::from(shares),
        spacing: plan.open_loop.arrivals,
    })
}

/// As many workers per stream as it has slots.
fn one_worker_per_slot(streams: impl Iterator<Item = StreamPlan>) -> Vec<WorkerPlan> {
    let split = streams.flat_map(|stream| {
        let slots = stream.slots as usize;
        std::iter::repeat_n(StreamPlan { slots: 1, ..stream }, slots)
    });
    split.map(|stream| WorkerPlan::of(vec![stream])).collect()
}

/// Streams dealt out to `worker_count` workers in turn.
fn round_robin(streams: impl Iterator<Item = StreamPlan>, worker_count: u32) -> Vec<WorkerPlan> {
    let mut workers = vec![WorkerPlan::of(Vec::new()); worker_count as usize];
    for stream in streams {
        workers[(stream.number % worker_count) as usize].streams.push(stream);
    }
    workers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan_of;

    /// Checks target and slots of every stream of every worker.
    fn check(
        (engine, workers): (Engine, u32),
        targets: u32,
        slots: u32,
        expected: &[&[(u32, u32)]],
    ) {
        let mut plan = plan_of("null:", targets);
        plan.engine.engine = engine;
        plan.engine.workers = workers;
        let assigned = assign(&plan, LoadLevel::outstanding(slots), 1);
        let shape: Vec<Vec<(u32, u32)>> = assigned
            .iter()
            .map(|worker| {
                worker.streams.iter().map(|stream| (stream.target, stream.slots)).collect()
            })
            .collect();
        assert_eq!(shape, expected);
    }

    #[test]
    fn targets_and_slots_are_shared_out() {
        check((Engine::IoUring, 1), 1, 8, &[&[(0, 8)]]);
        check((Engine::IoUring, 1), 3, 2, &[&[(0, 2), (1, 2), (2, 2)]]);
        check((Engine::IoUring, 2), 3, 2, &[&[(0, 2), (2, 2)], &[(1, 2)]]);
        check((Engine::IoUring, 2), 1, 5, &[&[(0, 3)], &[(0, 2)]]);
        check((Engine::IoUring, 4), 1, 2, &[&[(0, 1)], &[(0, 1)]]);
        check((Engine::Sync, 1), 1, 3, &[&[(0, 1)], &[(0, 1)], &[(0, 1)]]);
    }

    #[test]
    fn workers_of_the_synchronous_engine_draw_from_one_stream() {
        let mut plan = plan_of("null:", 1);
        plan.engine.engine = Engine::Sync;
        let assigned = assign(&plan, LoadLevel::outstanding(3), 1);
        assert!(assigned.iter().all(|worker| worker.streams == assigned[0].streams));
    }
}
