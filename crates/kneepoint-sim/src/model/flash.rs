//! One solid-state drive: channels and dies, page mapping, write cache, garbage collection.
//!
//! Neighbouring pages lie on neighbouring dies; within a die pages are mapped one by one. When a
//! die runs out of erased blocks, the block with the fewest valid pages is moved and erased (greedy
//! garbage collection). How much that costs follows from the spare area and from what was written
//! before, as on a real drive (X. Hu et al., "Write amplification analysis in flash-based solid
//! state drives", SYSTOR 2009).

use std::collections::VecDeque;

use kneepoint_core::words::seed::{self, Rng};
use rand_core::Rng as _;

use super::parts::{ByteTime, Server, ns_of_us};
use crate::system::System;
use crate::system::parameter::Key;
use crate::system::setting::FlashState;

/// Not mapped.
const NONE: u32 = u32::MAX;
/// In place of the number of valid pages: the block is erased.
const ERASED: u16 = u16::MAX;
/// Erased blocks of a die below which garbage is collected.
const ERASED_MIN: usize = 2;
/// How often the capacity is overwritten at random before a drive counts as steady.
const STEADY_ROUNDS: u64 = 1;

/// The writes that wore in a steady drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wear {
    /// Everything in order: the blocks that are overwritten next hold nothing else.
    Sequential,
    /// Pages at random: every block holds some that are still valid.
    Random,
}

/// Properties that all solid-state drives of a system share.
#[derive(Debug, Clone)]
pub(super) struct FlashModel {
    channels: u32,
    dies: u32,
    page_bytes: u64,
    block_pages: u32,
    die_blocks: u32,
    logical_pages: u32,
    read_ns: u64,
    program_ns: u64,
    erase_ns: u64,
    overhead_ns: u64,
    channel: ByteTime,
    port: ByteTime,
    cache_bytes: u64,
    state: FlashState,
}

impl FlashModel {
    /// The drives of `system`.
    pub(super) fn new(system: &System) -> Self {
        let value = |key| system.value(key);
        let us = |key| ns_of_us(value(key));
        let channels = value(Key::FlashChannels) as u32;
        let dies = channels * value(Key::FlashDies) as u32;
        let page_bytes = (value(Key::FlashPage) * 1024.0) as u64;
        let block_pages = value(Key::FlashBlock) as u32;
        let logical_pages = (system.drive.capacity.0 / page_bytes).max(1);
        let physical = logical_pages as f64 * (1.0 + value(Key::FlashSpare));
        let blocks = physical / f64::from(block_pages) / f64::from(dies);
        // At least the erased blocks that garbage collection needs beyond the logical ones.
        let logical_blocks =
            logical_pages.div_ceil(u64::from(block_pages)).div_ceil(u64::from(dies));
        let die_blocks = (blocks as u64).max(logical_blocks + 4);
        Self {
            channels,
            dies,
            page_bytes,
            block_pages,
            die_blocks: die_blocks as u32,
            logical_pages: logical_pages as u32,
            read_ns: us(Key::FlashRead),
            program_ns: us(Key::FlashProgram),
            erase_ns: us(Key::FlashErase),
            overhead_ns: us(Key::FlashOverhead),
            channel: ByteTime::of_rate(value(Key::FlashChannelRate)),
            port: ByteTime::of_rate(value(Key::LinkDrive)),
            cache_bytes: (value(Key::FlashCachePool) * 1024.0) as u64,
            state: system.settings.flash_state,
        }
    }
}

/// A die with its blocks.
#[derive(Debug, Default)]
struct Die {
    work: Server,
    /// The block that is written, and the next page of it.
    open: u32,
    next_page: u32,
    erased: Vec<u32>,
}

/// The state of one solid-state drive.
#[derive(Debug, Default)]
pub(super) struct Flash {
    processor: Server,
    port: Server,
    channels: Vec<Server>,
    dies: Vec<Die>,
    /// Physical page of each logical one.
    place: Vec<u32>,
    /// Logical page of each physical one.
    holds: Vec<u32>,
    /// Valid pages of each block.
    valid: Vec<u16>,
    /// Written data on its way to the dies: when it is there, and how much it is.
    cached: VecDeque<(u64, u32)>,
    cached_bytes: u64,
    in_flight: u32,
}

impl Flash {
    /// A drive in the state that the system asks for.
    pub(super) fn new(model: &FlashModel, seed: u64, wear: Wear) -> Self {
        let pages = model.dies as usize * (model.die_blocks * model.block_pages) as usize;
        let die = |number: u32| Die {
            open: number * model.die_blocks,
            erased: (1..model.die_blocks)
                .rev()
                .map(|block| number * model.die_blocks + block)
                .collect(),
            ..Die::default()
        };
        let mut flash = Self {
            channels: vec![Server::default(); model.channels as usize],
            dies: (0..model.dies).map(die).collect(),
            place: vec![NONE; model.logical_pages as usize],
            holds: vec![NONE; pages],
            valid: vec![ERASED; (model.dies * model.die_blocks) as usize],
            ..Self::default()
        };
        for die in &flash.dies {
            flash.valid[die.open as usize] = 0;
        }
        if model.state == FlashState::Steady {
            flash.wear_in(model, &mut seed::rng(seed), wear);
        }
        flash
    }

    /// Writes everything once, and over and over at random where asked to, in no time.
    fn wear_in(&mut self, model: &FlashModel, rng: &mut Rng, wear: Wear) {
        for page in 0..model.logical_pages {
            self.write_page(model, page);
        }
        if wear == Wear::Sequential {
            return;
        }
        for _ in 0..u64::from(model.logical_pages) * STEADY_ROUNDS {
            let page = (u64::from(rng.next_u64() as u32) * u64::from(model.logical_pages)) >> 32;
            self.write_page(model, page as u32);
        }
    }

    /// Takes a read; returns when its data is in the controller's reach.
    pub(super) fn read(&mut self, model: &FlashModel, span: Span, now: u64) -> u64 {
        let Span { bytes, .. } = span;
        self.in_flight += 1;
        let begin = self.processor.reserve(now, model.overhead_ns);
        let mut end = self.port.reserve(begin, model.port.of(bytes));
        for page in model.pages(span) {
            let number = page % model.dies;
            let read = self.dies[number as usize].work.reserve(begin, model.read_ns);
            let channel = &mut self.channels[(number % model.channels) as usize];
            end = end.max(channel.reserve(read, model.channel.of(model.page_bytes as u32)));
        }
        end
    }

    /// Takes a write; returns when it is acknowledged.
    pub(super) fn write(&mut self, model: &FlashModel, span: Span, now: u64) -> u64 {
        let Span { bytes, .. } = span;
        self.in_flight += 1;
        let begin = self.processor.reserve(now, model.overhead_ns);
        let mut taken = begin.max(self.port.reserve(now, model.port.of(bytes)));
        while let Some((done, bytes_done)) = self.cached.front().copied() {
            if done > taken && self.cached_bytes + u64::from(bytes) <= model.cache_bytes {
                break;
            }
            taken = taken.max(done);
            self.cached_bytes -= u64::from(bytes_done);
            self.cached.pop_front();
        }
        let mut end = taken;
        for page in model.pages(span) {
            end = end.max(self.program(model, (page, span), taken));
        }
        self.cached.push_back((end, bytes));
        self.cached_bytes += u64::from(bytes);
        taken
    }

    /// Programs a page with the time that it takes, reading its old content first where only a
    /// part is new.
    fn program(&mut self, model: &FlashModel, (page, span): (u32, Span), from: u64) -> u64 {
        let (number, moved) = self.write_page(model, page);
        let mut work_ns = model.program_ns;
        if !model.is_whole(span, page) {
            work_ns += model.read_ns;
        }
        if let Some(moved) = moved {
            work_ns += model.erase_ns + u64::from(moved) * (model.read_ns + model.program_ns);
        }
        let channel = &mut self.channels[(number % model.channels) as usize];
        let there = channel.reserve(from, model.channel.of(model.page_bytes as u32));
        self.dies[number as usize].work.reserve(there, work_ns)
    }

    /// Maps a page again; returns its die, and how many pages garbage collection moved for it.
    fn write_page(&mut self, model: &FlashModel, page: u32) -> (u32, Option<u32>) {
        let page = page as usize % self.place.len();
        let number = page as u32 % model.dies;
        self.forget(model, page);
        self.append(model, number, page as u32);
        let mut moved = None;
        while self.dies[number as usize].erased.len() < ERASED_MIN {
            match self.collect(model, number) {
                Some(pages) => moved = Some(moved.unwrap_or(0) + pages),
                None => break,
            }
        }
        (number, moved)
    }

    fn forget(&mut self, model: &FlashModel, page: usize) {
        let old = std::mem::replace(&mut self.place[page], NONE);
        if old != NONE {
            self.holds[old as usize] = NONE;
            self.valid[(old / model.block_pages) as usize] -= 1;
        }
    }

    /// Puts a page at the end of a die's open block.
    fn append(&mut self, model: &FlashModel, number: u32, page: u32) {
        let die = &mut self.dies[number as usize];
        if die.next_page == model.block_pages
            && let Some(block) = die.erased.pop()
        {
            (die.open, die.next_page) = (block, 0);
            self.valid[block as usize] = 0;
        }
        let physical = die.open * model.block_pages + die.next_page;
        die.next_page += 1;
        self.place[page as usize] = physical;
        self.holds[physical as usize] = page;
        self.valid[die.open as usize] += 1;
    }

    /// Empties the block of a die with the fewest valid pages; returns how many were moved.
    fn collect(&mut self, model: &FlashModel, number: u32) -> Option<u32> {
        let die = &self.dies[number as usize];
        let blocks = number * model.die_blocks..(number + 1) * model.die_blocks;
        let closed = blocks.filter(|block| *block != die.open);
        let victim = closed.min_by_key(|block| self.valid[*block as usize])?;
        let valid = u32::from(self.valid[victim as usize]);
        if valid >= model.block_pages {
            // Nothing but erased and full blocks.
            return None;
        }
        let first = victim * model.block_pages;
        for physical in first..first + model.block_pages {
            let page = self.holds[physical as usize];
            if page != NONE {
                self.forget(model, page as usize);
                self.append(model, number, page);
            }
        }
        self.valid[victim as usize] = ERASED;
        self.dies[number as usize].erased.push(victim);
        Some(valid)
    }

    /// When the last of the written data is on its die.
    pub(super) fn programmed_at(&self) -> u64 {
        self.cached.iter().map(|(done, _)| *done).max().unwrap_or(0)
    }

    /// Ends a command.
    pub(super) fn finish(&mut self) {
        self.in_flight -= 1;
    }

    /// Commands in flight.
    pub(super) fn load(&self) -> usize {
        self.in_flight as usize
    }

    /// Time that the mean die has worked until `now`, in ns.
    pub(super) fn busy_ns(&self, now: u64) -> u64 {
        let sum: u64 = self.dies.iter().map(|die| die.work.busy_ns(now)).sum();
        sum / self.dies.len().max(1) as u64
    }
}

/// Bytes of the drive that a command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) bytes: u32,
}

impl FlashModel {
    /// Logical pages of a stretch.
    fn pages(&self, Span { start, bytes }: Span) -> std::ops::RangeInclusive<u32> {
        let last = start + u64::from(bytes.max(1)) - 1;
        (start / self.page_bytes) as u32..=(last / self.page_bytes) as u32
    }

    /// True if nothing of a page's old content is left.
    fn is_whole(&self, Span { start, bytes }: Span, page: u32) -> bool {
        let first = u64::from(page) * self.page_bytes;
        start <= first && first + self.page_bytes <= start + u64::from(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(state: &str) -> FlashModel {
        let query = format!("flash_state={state}&param.flash.page=64");
        let system = System::shipped("drive/ssd-sata25-32").unwrap().with_query("x", &query);
        FlashModel::new(&system.unwrap())
    }

    #[test]
    fn every_logical_page_has_one_place_however_much_was_moved() {
        let model = model("steady");
        let flash = Flash::new(&model, 1, Wear::Random);
        let mut valid = 0;
        for (page, physical) in flash.place.iter().enumerate() {
            assert_eq!(flash.holds[*physical as usize], page as u32);
            valid += 1;
        }
        let counts = flash.valid.iter().filter(|count| **count != ERASED);
        assert_eq!(counts.map(|count| u32::from(*count)).sum::<u32>(), valid);
        assert!(flash.dies.iter().all(|die| !die.erased.is_empty()));
    }

    #[test]
    fn random_writes_are_slower_on_a_worn_in_drive() {
        let time = |state: &str| {
            let model = model(state);
            let mut flash = Flash::new(&model, 1, Wear::Random);
            let mut now = 0;
            for number in 0..4000u64 {
                let start = number * 7919 % 400_000 * 65_536;
                now = flash.write(&model, Span { start, bytes: 65_536 }, now);
                flash.finish();
            }
            now
        };
        let (fresh, steady) = (time("fresh"), time("steady"));
        assert!(steady > fresh * 3 / 2, "{fresh} ns fresh, {steady} ns steady");
    }
}
