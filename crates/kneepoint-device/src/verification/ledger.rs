//! The generations of a target while it is written: which each unit has, and which is on its way.
//!
//! Every write is of a generation that no other write has. A unit has two words. `state` is the newest
//! generation that was issued, how many writes are in flight, and whether they met; `before` is the
//! oldest that may still be there. So a unit is
//!
//! * *settled* with nothing in flight: it has the newest generation, and nothing else will do;
//! * *in flight*: it has any from `before` to the newest, whole sectors of each;
//! * *unsettled* after writes that were in flight at once, or one that failed: the same, until the next
//!   write that is alone and ends well, or until it is [read](super::settlement) after the point.
//!
//! Which of the writes that were in flight at once may have come last is kept [beside](super::overlap).

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kneepoint_core::words::fault::Fault;

use super::header::{GENERATION_END, Header, State};
use super::journal::{Journal, Purpose, UNIT_WORDS, boot, sum, unit_of};
use super::mapping::Mapping;
use super::overlap::Overlaps;
use super::sector::{Expected, Identity, SECTOR, WrongSector};
use super::settlement::settle;
use super::synced;

/// Writes in flight on a unit are counted in the low bits of its state.
const COUNT: u64 = 0x7fff;

/// Set once writes to a unit met, or one failed.
const UNSETTLED: u64 = 0x8000;

/// The generation stands above.
const GENERATION_SHIFT: u32 = 16;

/// Generations that are set aside at once, so that those given after a power failure are new.
const RESERVE: u64 = 1 << 40;

/// Wrong sectors of a point that are kept.
const WRONG_MAX: usize = 1024;

/// The state of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnitState(pub(super) u64);

impl UnitState {
    const fn new(generation: u64, flags: u64) -> Self {
        Self(generation << GENERATION_SHIFT | flags)
    }

    const fn generation(self) -> u64 {
        self.0 >> GENERATION_SHIFT
    }

    const fn in_flight(self) -> u64 {
        self.0 & COUNT
    }

    const fn is_unsettled(self) -> bool {
        self.0 & UNSETTLED != 0
    }

    /// The only generation that the unit may have; nothing if there are several.
    pub(super) fn settled(self) -> Option<u64> {
        (self.in_flight() == 0 && !self.is_unsettled()).then_some(self.generation())
    }

    /// With one more write in flight. One whose generation was given before that of a write that has ended
    /// already comes after it all the same.
    const fn begun(self, generation: u64) -> Self {
        match (generation > self.generation(), self.in_flight()) {
            (true, 0) => Self::new(generation, 1),
            (true, count) => Self::new(generation, (count + 1) | UNSETTLED),
            (false, count) => Self::new(self.generation(), (count + 1) | UNSETTLED),
        }
    }

    /// With one fewer, which ended so.
    const fn ended(self, end: WriteEnd) -> Self {
        let failed = matches!(end, WriteEnd::Unknown);
        let flag = if failed || self.is_unsettled() { UNSETTLED } else { 0 };
        Self::new(self.generation(), self.in_flight().saturating_sub(1) | flag)
    }

    /// After its process ended: what was in flight may have arrived or not.
    const fn abandoned(self) -> Self {
        let met = self.in_flight() > 0 || self.is_unsettled();
        Self::new(self.generation(), if met { UNSETTLED } else { 0 })
    }

    /// What the unit may have.
    pub(super) const fn expected(self, before: u64) -> Expected {
        let newest = self.generation();
        let is_settled = self.in_flight() == 0 && !self.is_unsettled();
        Expected { oldest: if is_settled { newest } else { before }, newest, before }
    }
}

/// How a write ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteEnd {
    /// All of it was written.
    Done,
    /// It failed: any part of it may have been written.
    Unknown,
}

/// What a ledger is opened for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LedgerSubject<'a> {
    /// The target, as the user named it.
    pub(crate) target: &'a str,
    /// Where its journal is.
    pub(crate) journal: &'a Path,
    /// Bytes of the target, from its start.
    pub(crate) size_bytes: u64,
    /// Bytes that have a generation together.
    pub(crate) unit_bytes: u64,
    /// Of the plan.
    pub(crate) seed: u64,
    /// Of the plan.
    pub(crate) plan_hash: &'a str,
}

/// The generations of a target.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// The target, as the user named it.
    pub(crate) target: String,
    pub(crate) identity: Identity,
    unit_shift: u32,
    map: Mapping,
    next: AtomicU64,
    overlaps: Mutex<Overlaps>,
    journal: Mutex<Journal>,
    wrong: Mutex<Vec<WrongSector>>,
}

impl Ledger {
    /// The ledger of a target that is about to be laid out with generation 0.
    ///
    /// # Errors
    /// When its journal cannot be written.
    pub(crate) fn begin(subject: LedgerSubject<'_>, run: u64) -> Result<Self, Fault> {
        let identity = Identity { run, seed: subject.seed };
        let header = Header {
            sequence: 0,
            state: State::LayingOut,
            identity,
            size_bytes: subject.size_bytes,
            unit_bytes: subject.unit_bytes,
            plan_hash: subject.plan_hash.to_owned(),
            boot: boot(),
            reserved: RESERVE,
            next: 1,
            list: 0,
            list_sum: 0,
            map_sum: 0,
        };
        let journal = Journal::create(subject.journal, header)?;
        Self::of(journal, (subject.target, Overlaps::default()))
    }

    /// The ledger of a target that a run of the same plan has written; nothing if there is none.
    ///
    /// # Errors
    /// When its journal cannot be read or written.
    pub(crate) fn go_on(subject: LedgerSubject<'_>) -> Result<Option<Self>, Fault> {
        let Some(mut journal) = Journal::open(subject.journal, Purpose::Writing)? else {
            return Ok(None);
        };
        let header = &journal.header;
        let is_same = header.plan_hash == subject.plan_hash
            && header.identity.seed == subject.seed
            && (header.size_bytes, header.unit_bytes) == (subject.size_bytes, subject.unit_bytes);
        if !is_same || !matches!(header.state, State::Open | State::Closed) {
            return Ok(None);
        }
        let map = journal.map()?;
        journal.check_map(map.words().iter().map(|word| word.load(Ordering::SeqCst)))?;
        let mut overlaps = Overlaps::default();
        journal.header.next = match is_live(header) {
            // A unit that was settled may have had a newer write before.
            true => abandon(map.words(), &mut overlaps).max(header.next),
            false => restore(map.words(), &journal.list()?, header.reserved),
        };
        let left = GENERATION_END - journal.header.reserved;
        journal.header.reserved += RESERVE.min(left);
        (journal.header.state, journal.header.boot) = (State::Open, boot());
        journal.renew()?;
        drop(map);
        Self::of(journal, (subject.target, overlaps)).map(Some)
    }

    fn of(journal: Journal, (target, overlaps): (&str, Overlaps)) -> Result<Self, Fault> {
        let header = &journal.header;
        Ok(Self {
            target: target.to_owned(),
            identity: header.identity,
            unit_shift: header.unit_bytes.trailing_zeros(),
            map: journal.map()?,
            next: AtomicU64::new(header.next),
            overlaps: Mutex::new(overlaps),
            journal: Mutex::new(journal),
            wrong: Mutex::new(Vec::new()),
        })
    }

    /// The units that a transfer covers.
    #[inline]
    pub(super) const fn units(&self, offset: u64, bytes: u32) -> Range<usize> {
        let end = offset + bytes as u64;
        (offset >> self.unit_shift) as usize..(end >> self.unit_shift) as usize
    }

    /// Sectors of a unit.
    pub(super) const fn unit_sectors(&self) -> usize {
        (1 << self.unit_shift) / SECTOR
    }

    /// Notes a write to `units` that is about to be issued; gives its generation.
    #[inline]
    pub(super) fn begin_write(&self, units: Range<usize>) -> u64 {
        let generation = self.next.fetch_add(1, Ordering::SeqCst);
        for unit in units {
            let (before, state) = unit_of(self.map.words(), unit);
            let mut now = state.load(Ordering::SeqCst);
            loop {
                let seen = UnitState(now);
                if seen.settled().is_none_or(|settled| settled > generation) {
                    self.begin_beside(unit, generation);
                    break;
                }
                before.store(seen.generation(), Ordering::SeqCst);
                let begun = seen.begun(generation).0;
                match state.compare_exchange(now, begun, Ordering::SeqCst, Ordering::SeqCst) {
                    Ok(_) => break,
                    Err(other) => now = other,
                }
            }
        }
        generation
    }

    /// Notes a write to a unit that was not settled.
    #[cold]
    fn begin_beside(&self, unit: usize, generation: u64) {
        // Whoever finds a unit unsettled, or leaves it so, has the lock.
        let mut overlaps = self.overlaps();
        let (before, state) = unit_of(self.map.words(), unit);
        let mut now = state.load(Ordering::SeqCst);
        loop {
            let seen = UnitState(now);
            if let Some(settled) = seen.settled() {
                before.store(settled.min(generation), Ordering::SeqCst);
            }
            let begun = seen.begun(generation);
            match state.compare_exchange(now, begun.0, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) if seen.in_flight() > 0 => {
                    return overlaps.join(unit, (seen.generation(), generation));
                }
                Ok(_) if begun.is_unsettled() => return overlaps.follow(unit, generation),
                Ok(_) => return overlaps.settle(unit),
                Err(other) => now = other,
            }
        }
    }

    /// Notes that the write of a generation to `units` has ended so.
    #[inline]
    pub(super) fn end_write(&self, units: Range<usize>, (generation, end): (u64, WriteEnd)) {
        for unit in units {
            let state = unit_of(self.map.words(), unit).1;
            let mut now = state.load(Ordering::SeqCst);
            loop {
                let seen = UnitState(now);
                if seen.is_unsettled() || end == WriteEnd::Unknown {
                    self.end_beside(unit, (generation, end));
                    break;
                }
                let ended = seen.ended(end).0;
                match state.compare_exchange(now, ended, Ordering::SeqCst, Ordering::SeqCst) {
                    Ok(_) => break,
                    Err(other) => now = other,
                }
            }
        }
    }

    /// Notes that a write to a unit has ended that leaves it unsettled.
    #[cold]
    fn end_beside(&self, unit: usize, (generation, end): (u64, WriteEnd)) {
        let mut overlaps = self.overlaps();
        let state = unit_of(self.map.words(), unit).1;
        let _ = state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |now| {
            Some(UnitState(now).ended(end).0)
        });
        match end {
            WriteEnd::Done => overlaps.end(unit, generation),
            WriteEnd::Unknown => overlaps.fail(unit, generation),
        }
    }

    fn overlaps(&self) -> MutexGuard<'_, Overlaps> {
        self.overlaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state of a unit now.
    #[inline]
    pub(super) fn state(&self, unit: usize) -> UnitState {
        UnitState(unit_of(self.map.words(), unit).1.load(Ordering::SeqCst))
    }

    /// What a unit may have that has been in `state` for the whole of a read; nothing if a write was in
    /// flight meanwhile.
    #[inline]
    pub(super) fn expected(&self, unit: usize, state: UnitState) -> Option<Expected> {
        if state.in_flight() > 0 {
            return None;
        }
        let expected = match state.is_unsettled() {
            true => self.may_have(unit),
            false => state.expected(unit_of(self.map.words(), unit).0.load(Ordering::SeqCst)),
        };
        (self.state(unit) == state).then_some(expected)
    }

    /// What a unit may have that nothing is in flight to.
    #[cold]
    pub(super) fn may_have(&self, unit: usize) -> Expected {
        let overlaps = self.overlaps();
        let before = unit_of(self.map.words(), unit).0.load(Ordering::SeqCst);
        let range = self.state(unit).expected(before);
        let last = overlaps.last(unit).unwrap_or_default();
        let oldest = last.iter().copied().min().unwrap_or(range.oldest);
        let newest = last.iter().copied().max().unwrap_or(range.newest);
        Expected { oldest, newest, before: before.min(oldest) }
    }

    /// The generations of which an unsettled unit has one; nothing if that is not known.
    pub(super) fn last(&self, unit: usize) -> Option<Vec<u64>> {
        self.overlaps().last(unit).map(<[u64]>::to_vec)
    }

    /// The units that are unsettled, and to which nothing is in flight.
    pub(super) fn unsettled(&self) -> Vec<usize> {
        self.overlaps().units().filter(|unit| self.state(*unit).in_flight() == 0).collect()
    }

    /// Notes wrong sectors.
    #[cold]
    pub(super) fn note(&self, wrong: Vec<WrongSector>) {
        let mut noted = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        let room = WRONG_MAX.saturating_sub(noted.len());
        noted.extend(wrong.into_iter().take(room));
    }

    /// The wrong sectors that were noted since the last call; the first ones if there are many.
    pub(crate) fn take_wrong(&self) -> Vec<WrongSector> {
        std::mem::take(&mut *self.wrong.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that the target is laid out, and that this is durable.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub(crate) fn laid_out(&self) -> Result<(), Fault> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.header.state = State::Open;
        let list = vec![0; journal.header.units()];
        journal.write_list(&list)
    }

    /// Notes durably that runs write again.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub(crate) fn reopen(&self) -> Result<(), Fault> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        if journal.header.state == State::Open {
            return Ok(());
        }
        journal.header.state = State::Open;
        journal.renew()
    }

    /// Makes durable what was written to the target until now, and settles what is in doubt. Nothing may be
    /// in flight, but for what was lost.
    ///
    /// # Errors
    /// When that fails, or the journal cannot be written.
    pub(crate) fn secure(&self, target: &File) -> Result<(), Fault> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let mut list: Vec<u64> =
            (0..journal.header.units()).map(|unit| self.oldest(unit)).collect();
        synced(target)?;
        let found = settle(self, target)?;
        for (unit, generation) in &found {
            list[*unit] = *generation;
        }
        let next = self.next.load(Ordering::SeqCst);
        journal.header.next = next;
        if journal.header.reserved - next < RESERVE / 2 {
            journal.header.reserved = (next + RESERVE).min(GENERATION_END);
        }
        // The next generation is on stable storage before the map forgets which was the newest.
        journal.write_list(&list)?;
        let mut overlaps = self.overlaps();
        for (unit, generation) in found {
            let state = unit_of(self.map.words(), unit).1;
            state.store(UnitState::new(generation, 0).0, Ordering::SeqCst);
            overlaps.settle(unit);
        }
        Ok(())
    }

    /// The same, and that nothing more is written.
    ///
    /// # Errors
    /// As [`Self::secure`].
    pub(crate) fn close(&self, target: &File) -> Result<(), Fault> {
        self.secure(target)?;
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.header.state = State::Closed;
        journal.header.map_sum =
            sum(self.map.words().iter().map(|word| word.load(Ordering::SeqCst)));
        journal.renew()
    }

    /// The words of the live map.
    #[cfg(test)]
    pub(super) fn words(&self) -> Vec<u64> {
        self.map.words().iter().map(|word| word.load(Ordering::SeqCst)).collect()
    }

    /// The oldest generation that a unit may have.
    pub(super) fn oldest(&self, unit: usize) -> u64 {
        let (before, state) = unit_of(self.map.words(), unit);
        loop {
            let now = state.load(Ordering::SeqCst);
            let oldest = UnitState(now).expected(before.load(Ordering::SeqCst)).oldest;
            if state.load(Ordering::SeqCst) == now {
                return oldest;
            }
        }
    }
}

/// Whether the live map holds: the journal was closed, or the machine has run since.
pub(super) fn is_live(header: &Header) -> bool {
    let is_same_boot = !header.boot.is_empty() && header.boot == boot();
    header.state == State::Closed || (header.state == State::Open && is_same_boot)
}

/// Notes of all units that nothing is in flight any more; gives the next generation.
fn abandon(words: &[AtomicU64], overlaps: &mut Overlaps) -> u64 {
    let mut newest = 0;
    for unit in 0..words.len() / UNIT_WORDS {
        let state = unit_of(words, unit).1;
        let left = UnitState(state.load(Ordering::SeqCst)).abandoned();
        state.store(left.0, Ordering::SeqCst);
        newest = newest.max(left.generation());
        if left.is_unsettled() {
            overlaps.leave(unit);
        }
    }
    newest + 1
}

/// Makes a live map of a list, for what may have been written after it; gives the next generation.
fn restore(words: &[AtomicU64], list: &[u64], reserved: u64) -> u64 {
    for (unit, oldest) in list.iter().enumerate() {
        let (before, state) = unit_of(words, unit);
        before.store(*oldest, Ordering::SeqCst);
        state.store(UnitState::new(reserved - 1, UNSETTLED).0, Ordering::SeqCst);
    }
    reserved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ledger of four units.
    fn ledger(folder: &Path) -> Ledger {
        let ledger = Ledger::begin(subject(&folder.join("journal")), 77).unwrap();
        ledger.laid_out().unwrap();
        ledger
    }

    fn subject(journal: &Path) -> LedgerSubject<'_> {
        LedgerSubject {
            target: "k.dat",
            journal,
            size_bytes: 4 * 4096,
            unit_bytes: 4096,
            seed: 1,
            plan_hash: "ab",
        }
    }

    fn expected(ledger: &Ledger, unit: usize) -> (u64, u64, u64) {
        let before = unit_of(ledger.map.words(), unit).0.load(Ordering::SeqCst);
        let Expected { oldest, newest, before } = ledger.state(unit).expected(before);
        (oldest, newest, before)
    }

    #[test]
    fn a_unit_is_in_flight_and_then_settled() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = ledger(folder.path());
        assert_eq!(expected(&ledger, 1), (0, 0, 0));
        assert_eq!(ledger.begin_write(ledger.units(4096, 8192)), 1);
        let in_flight = ledger.state(1);
        assert_eq!(expected(&ledger, 1), (0, 1, 0));
        assert_eq!(ledger.expected(1, in_flight), None, "a read sees either");
        ledger.end_write(1..3, (1, WriteEnd::Done));
        assert_eq!(expected(&ledger, 2), (1, 1, 0));
        assert_eq!(ledger.expected(1, in_flight), None, "it changed while it was read");
        assert_eq!(expected(&ledger, 3), (0, 0, 0));
    }

    #[test]
    fn writes_that_meet_or_fail_leave_a_unit_unsettled_until_one_ends_well() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = ledger(folder.path());
        let done = |generation, end| ledger.end_write(0..1, (generation, end));
        assert_eq!((ledger.begin_write(0..1), ledger.begin_write(0..1)), (1, 2));
        done(1, WriteEnd::Done);
        done(2, WriteEnd::Done);
        assert_eq!(expected(&ledger, 0), (0, 2, 0), "what a kill would leave in doubt");
        let known = ledger.expected(0, ledger.state(0));
        assert_eq!(known, Some(Expected { oldest: 1, newest: 2, before: 0 }), "either came last");
        assert_eq!((ledger.unsettled(), ledger.last(0)), (vec![0], Some(vec![1, 2])));
        ledger.begin_write(0..1);
        assert_eq!(expected(&ledger, 0), (0, 3, 0));
        done(3, WriteEnd::Done);
        assert_eq!((expected(&ledger, 0), ledger.unsettled()), ((3, 3, 0), Vec::new()));
        ledger.begin_write(0..1);
        done(4, WriteEnd::Unknown);
        assert_eq!((expected(&ledger, 0), ledger.unsettled()), ((3, 4, 3), vec![0]));
        assert_eq!(ledger.last(0), None, "any part of it may be there");
    }

    #[test]
    fn a_write_that_begins_after_a_newer_one_comes_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = ledger(folder.path());
        // A thread that was held up between its number and its note.
        let late = ledger.next.fetch_add(1, Ordering::SeqCst);
        let newer = ledger.begin_write(0..1);
        ledger.end_write(0..1, (newer, WriteEnd::Done));
        ledger.begin_beside(0, late);
        ledger.end_write(0..1, (late, WriteEnd::Done));
        assert_eq!((late, newer, ledger.last(0)), (1, 2, Some(vec![1])));
        let known = ledger.expected(0, ledger.state(0));
        assert_eq!(known, Some(Expected { oldest: 1, newest: 1, before: 1 }));
    }

    #[test]
    fn a_killed_run_leaves_what_was_in_flight_old_or_new() {
        let folder = tempfile::tempdir().unwrap();
        let killed = ledger(folder.path());
        killed.begin_write(0..1);
        killed.end_write(0..1, (1, WriteEnd::Done));
        killed.begin_write(1..2);
        drop(killed);
        let path = folder.path().join("journal");
        let again = Ledger::go_on(subject(&path)).unwrap().unwrap();
        assert_eq!([0, 1].map(|unit| expected(&again, unit)), [(1, 1, 0), (0, 2, 0)]);
        assert_eq!(again.begin_write(2..3), 3, "no generation is given twice");
        drop(again);
        let other = LedgerSubject { plan_hash: "cd", ..subject(&path) };
        assert!(Ledger::go_on(other).unwrap().is_none(), "another plan has to lay out again");
    }

    #[test]
    fn after_a_power_failure_only_the_list_holds() {
        let folder = tempfile::tempdir().unwrap();
        let lost = ledger(folder.path());
        lost.begin_write(0..1);
        lost.end_write(0..1, (1, WriteEnd::Done));
        lost.secure(&tempfile::tempfile().unwrap()).unwrap();
        lost.begin_write(1..2);
        lost.end_write(1..2, (2, WriteEnd::Done));
        let mut journal = lost.journal.lock().unwrap();
        journal.header.boot = "another".to_owned();
        journal.renew().unwrap();
        drop(journal);
        drop(lost);
        let again = Ledger::go_on(subject(&folder.path().join("journal"))).unwrap().unwrap();
        let newest = RESERVE - 1;
        assert_eq!(
            [0, 1].map(|unit| expected(&again, unit)),
            [(1, newest, 1), (0, newest, 0)],
            "the second write may be lost"
        );
        assert_eq!(again.begin_write(2..3), RESERVE);
    }

    #[test]
    fn a_journal_replaces_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        std::fs::write(&path, "precious").unwrap();
        let refused = Ledger::begin(subject(&path), 1).unwrap_err();
        assert!(refused.to_string().contains("is in the way"), "{refused}");
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
    }

    #[test]
    fn a_journal_of_another_version_is_told_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        drop(ledger(folder.path()));
        let first = Header::first_version();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[..8192].fill(0);
        bytes[..first.len()].copy_from_slice(first.as_bytes());
        std::fs::write(&path, bytes).unwrap();
        let refused = Ledger::go_on(subject(&path)).unwrap_err();
        assert!(refused.to_string().contains("another version of Kneepoint wrote it"), "{refused}");
        assert!(Ledger::begin(subject(&path), 1).is_ok(), "a new run lays the target out again");
    }

    #[test]
    fn a_closed_journal_whose_map_has_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, target) = (folder.path().join("journal"), tempfile::tempfile().unwrap());
        let ledger = ledger(folder.path());
        let write = ledger.begin_write(0..2);
        ledger.end_write(0..2, (write, WriteEnd::Done));
        ledger.close(&target).unwrap();
        drop(ledger);
        let intact = std::fs::read(&path).unwrap();
        for bit in 0..8 * 4 * 16 {
            let mut damaged = intact.clone();
            damaged[8192 + bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, damaged).unwrap();
            let refused = Ledger::go_on(subject(&path)).unwrap_err();
            assert!(refused.to_string().contains("its map of generations is damaged"), "{bit}");
            let journal = Journal::open(&path, Purpose::Reading).unwrap().unwrap();
            assert!(journal.live().unwrap_err().to_string().contains("is damaged"), "{bit}");
        }
        std::fs::write(&path, intact).unwrap();
        assert!(Ledger::go_on(subject(&path)).unwrap().is_some());
    }

    #[test]
    fn two_do_not_write_one_journal() {
        let folder = tempfile::tempdir().unwrap();
        let first = ledger(folder.path());
        let path = folder.path().join("journal");
        let refused = Ledger::go_on(subject(&path)).unwrap_err();
        assert!(refused.to_string().contains("is in use"), "{refused}");
        drop(first);
        assert!(Ledger::go_on(subject(&path)).unwrap().is_some());
    }
}
