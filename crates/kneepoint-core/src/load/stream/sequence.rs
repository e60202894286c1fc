//! One stream: the next I/O, again and again.

use rand_core::Rng as _;

use super::assign::StreamPlan;
use super::mix::{Chance, LinePicker};
use super::offset::{Positions, Span};
use crate::load::backend::{Content, Direction};
use crate::spec::profile::{ResolvedLine, ResolvedProfile};
use crate::words::fault::Fault;
use crate::words::seed::{self, Rng};
use crate::words::units::{Bytes, Nanos};

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
    /// Pause before the next I/O of this stream; zero except at the end of a burst.
    pub delay: Nanos,
}

/// Where a lane of the load loop gets its next I/O from.
pub trait Source {
    /// Draws the next I/O.
    fn draw(&mut self) -> Drawn;
}

/// The I/Os of one target as one worker issues them.
#[derive(Debug, Clone)]
pub struct Stream {
    rng: Rng,
    picker: LinePicker,
    lines: Vec<Line>,
    duplicate: Chance,
    start: u64,
    end: u64,
    position: u64,
    serial: u64,
}

/// One line of the access specification, ready to draw from.
#[derive(Debug, Clone)]
struct Line {
    bytes: u32,
    align: u64,
    read: Chance,
    random: Chance,
    positions: Positions,
    burst: u32,
    burst_left: u32,
    delay: Nanos,
}

impl Stream {
    /// The stream of `plan` under `profile`.
    ///
    /// # Errors
    /// When the address range does not hold even one block.
    pub fn new(profile: &ResolvedProfile, plan: &StreamPlan) -> Result<Self, Fault> {
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

impl Source for Stream {
    #[inline]
    fn draw(&mut self) -> Drawn {
        let index = self.picker.draw(&mut self.rng);
        let line = &mut self.lines[index];
        let offset = if line.random.draw(&mut self.rng) {
            line.positions.draw(&mut self.rng)
        } else {
            line.follow(self.position, self.start, self.end)
        };
        self.position = offset + u64::from(line.bytes);
        let is_read = line.read.draw(&mut self.rng);
        let bytes = line.bytes;
        let delay = line.count_burst();
        let (direction, content) = if is_read {
            (Direction::Read, Content::Unique(0))
        } else {
            (Direction::Write, self.content())
        };
        Drawn { direction, offset, bytes, content, delay }
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
            read: Chance::new(line.read),
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
