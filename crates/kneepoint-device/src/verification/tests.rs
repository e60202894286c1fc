//! Faults put into verified data, thousands of each kind: all are found, and called what they are.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::process::Command;

use kneepoint_core::load::backend::{Backend, Content, Direction, Io};
use kneepoint_core::load::drive::WRONG_DATA;
use kneepoint_core::plan::MemoryPages;
use kneepoint_core::result::warning::DataFault::{self, *};
use kneepoint_core::spec::catalog;
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Bytes;
use kneepoint_testkit::{has_tools, skipped};
use rand_core::Rng as _;

use super::examination::{Account, Examination, Known, examine_open};
use super::ledger::{Ledger, LedgerSubject, WriteEnd};
use super::sector::SECTOR;
use super::{Basis, Ledgers, Verifying};
use crate::buffer::BufferNeeds;
use crate::clock::Clock;
use crate::engine::{Descriptors, SyncBackend};
use crate::layout::{FillProgress, Ink, fill_with};

/// Faults of each kind.
const FAULTS: usize = 1000;

/// Bytes that are verified.
const SIZE: u64 = 64 << 10;

/// Bytes of a unit.
const UNIT: u64 = 4096;

/// A part of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    offset: u64,
    bytes: u64,
}

/// A target with its ledger, and a backend that verifies.
struct Target<'a> {
    file: &'a File,
    ledgers: Ledgers,
    backend: Verifying<SyncBackend<'a>>,
    rng: Rng,
}

impl<'a> Target<'a> {
    fn new(file: &'a File, journal: &Path, descriptors: &'a [i32]) -> Self {
        let subject = subject(journal);
        let ledger = Ledger::begin(subject, 4711).unwrap();
        let ink = Ink::Verified(ledger.identity);
        fill_with(ink, file, (Bytes(0), Bytes(SIZE)), &FillProgress::default()).unwrap();
        ledger.laid_out().unwrap();
        let ledgers = Ledgers::from(vec![ledger]);
        let profile = catalog::profile("file-server").unwrap().resolve_io(None).unwrap();
        let needs = BufferNeeds { slots: 1, profile: &profile, pages: MemoryPages::Small, seed: 1 };
        let inner = SyncBackend::new(Descriptors(descriptors), needs, Clock::default()).unwrap();
        let backend = Verifying::new(inner, &ledgers, (1, profile.block_bytes_max()));
        Self { file, ledgers, backend, rng: seed::rng(7) }
    }

    fn number(&mut self, below: u64) -> u64 {
        self.rng.next_u64() % below
    }

    /// Some units, `units_max` at the most.
    fn part(&mut self, units_max: u64) -> Part {
        let units = 1 + self.number(units_max);
        let first = self.number(SIZE / UNIT - units + 1);
        Part { offset: first * UNIT, bytes: units * UNIT }
    }

    /// Some units that have nothing to do with `other`, as long.
    fn part_beside(&mut self, other: Part) -> Part {
        loop {
            let first = self.number((SIZE - other.bytes) / UNIT + 1);
            let part = Part { offset: first * UNIT, ..other };
            if part.offset + part.bytes <= other.offset || other.offset + other.bytes <= part.offset
            {
                return part;
            }
        }
    }

    fn issue(&mut self, direction: Direction, part: Part) -> i32 {
        let (offset, bytes) = (part.offset, part.bytes as u32);
        let content = Content::Unique(0);
        self.backend.submit(Io { slot: 0, target: 0, direction, offset, bytes, content });
        let mut done = Vec::new();
        let now = self.backend.now();
        self.backend.wait(now, &mut done);
        done[0].result
    }

    fn write(&mut self, part: Part) {
        assert_eq!(self.issue(Direction::Write, part), part.bytes as i32);
    }

    /// What a read during the run finds.
    fn read(&mut self, part: Part) -> Vec<(DataFault, u64)> {
        let result = self.issue(Direction::Read, part);
        let wrong = self.ledgers[0].take_wrong();
        let expected = if wrong.is_empty() { part.bytes as i32 } else { WRONG_DATA };
        assert_eq!(result, expected);
        wrong.iter().map(|sector| (sector.fault, sector.offset)).collect()
    }

    /// What is on the device, past all verification.
    fn content(&self, part: Part) -> Vec<u8> {
        let mut content = vec![0; part.bytes as usize];
        self.file.read_exact_at(&mut content, part.offset).unwrap();
        content
    }

    fn put(&self, part: Part, content: &[u8]) {
        assert_eq!(part.bytes as usize, content.len());
        self.file.write_all_at(content, part.offset).unwrap();
    }

    fn known(&self, known: Known) -> Account {
        let identity = self.ledgers[0].identity;
        Account { identity, size_bytes: SIZE, unit_bytes: UNIT, known }
    }

    fn examine_by(&self, known: Known) -> Examination {
        self.known(known).examine(("target", self.file), &mut |_| {}).unwrap()
    }

    /// What is found afterwards.
    fn examine(&self) -> Examination {
        self.examine_by(Known::Live(self.ledgers[0].words()))
    }

    /// Puts a fault of a kind somewhere; gives the sectors that are wrong, and how.
    fn spoil(&mut self, fault: DataFault) -> Vec<(DataFault, u64)> {
        let part = self.part(4);
        let all = |fault, part: Part| sectors(part).map(move |offset| (fault, offset));
        match fault {
            BitFlip => {
                let bit = self.number(8 * part.bytes);
                let mut content = self.content(part);
                content[(bit / 8) as usize] ^= 1 << (bit % 8);
                self.put(part, &content);
                vec![(fault, part.offset + bit / 8 / SECTOR as u64 * SECTOR as u64)]
            }
            LostWrite => {
                let before = self.content(part);
                self.write(part);
                self.put(part, &before);
                all(fault, part).collect()
            }
            TornWrite => self.tear(part),
            MisdirectedWrite => {
                let there = self.part_beside(part);
                let before = self.content(part);
                self.write(part);
                self.put(there, &self.content(part));
                self.put(part, &before);
                all(fault, there).chain(all(LostWrite, part)).collect()
            }
            StaleData => {
                let before = self.content(part);
                self.write(part);
                self.write(part);
                self.put(part, &before);
                all(fault, part).collect()
            }
            DuplicatedWrite => {
                let there = self.part_beside(part);
                self.write(part);
                self.put(there, &self.content(part));
                all(fault, there).collect()
            }
            ForeignData => {
                let mut content = vec![0; part.bytes as usize];
                if self.number(4) > 0 {
                    self.rng.fill_bytes(&mut content);
                }
                self.put(part, &content);
                all(fault, part).collect()
            }
        }
    }

    /// Writes a part, and puts back what was there before of some sectors, but not of all.
    fn tear(&mut self, part: Part) -> Vec<(DataFault, u64)> {
        let before = self.content(part);
        self.write(part);
        let all: Vec<u64> = sectors(part).collect();
        let kept = self.number(all.len() as u64) as usize;
        let torn = self.number(all.len() as u64) as usize;
        let is_torn = |number: usize| number != kept && (number == torn || number % 3 == torn % 3);
        let mut spoilt = Vec::new();
        for (number, offset) in
            all.iter().copied().enumerate().filter(|(number, _)| is_torn(*number))
        {
            let sector = Part { offset, bytes: SECTOR as u64 };
            self.put(sector, &before[number * SECTOR..(number + 1) * SECTOR]);
            spoilt.push((TornWrite, offset));
        }
        spoilt
    }
}

fn subject(journal: &Path) -> LedgerSubject<'_> {
    let (size_bytes, unit_bytes) = (SIZE, UNIT);
    LedgerSubject { target: "target", journal, size_bytes, unit_bytes, seed: 1, plan_hash: "ab" }
}

fn sectors(part: Part) -> impl Iterator<Item = u64> {
    (part.offset..part.offset + part.bytes).step_by(SECTOR)
}

/// The sectors of what was found.
fn found(examination: &Examination) -> Vec<(DataFault, u64)> {
    let places = examination.places.iter();
    let of_place = |place: &super::Place| {
        let fault = place.fault;
        let part = Part { offset: place.offset.0, bytes: place.bytes.0 };
        sectors(part).map(move |offset| (fault, offset))
    };
    places.flat_map(of_place).collect()
}

/// What a read of one part tells: not where a misdirected write is missing, or that it is not.
fn as_read(fault: DataFault) -> DataFault {
    if fault == DuplicatedWrite { MisdirectedWrite } else { fault }
}

/// Puts in every kind of fault many times, and looks at each while the run goes on and afterwards.
fn check_every_fault(file: &File, journal: &Path) {
    let descriptors = [file.as_raw_fd()];
    let mut target = Target::new(file, journal, &descriptors);
    for fault in DataFault::ALL {
        for number in 0..FAULTS {
            let mut spoilt = target.spoil(fault);
            spoilt.sort_by_key(|(_, offset)| *offset);
            let seen = target.examine();
            assert_eq!(found(&seen), spoilt, "{fault:?} {number}: {:?}", seen.places);
            let whole = Part { offset: 0, bytes: SIZE };
            let read: Vec<_> =
                spoilt.iter().map(|(fault, offset)| (as_read(*fault), *offset)).collect();
            assert_eq!(target.read(whole), read, "{fault:?} {number} while the run goes on");
            for (_, offset) in spoilt {
                target.write(Part { offset: offset / UNIT * UNIT, bytes: UNIT });
            }
        }
        assert_eq!(found(&target.examine()), [], "all is well again after {fault:?}");
    }
}

#[test]
fn every_fault_in_a_file_is_found_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(folder.path().join("target"))
        .unwrap();
    check_every_fault(&file, &folder.path().join("target.verify"));
}

/// A loop device, taken down at the end.
struct LoopDevice(String);

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.0]).status();
    }
}

#[test]
fn every_fault_on_a_loop_device_is_found_and_named() {
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        return skipped("not root");
    }
    if !Path::new("/dev/loop-control").exists() {
        return skipped("no loop devices");
    }
    if !has_tools(&["losetup"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("image");
    File::create(&image).unwrap().set_len(SIZE).unwrap();
    let attached = Command::new("losetup").args(["--find", "--show"]).arg(&image).output().unwrap();
    if !attached.status.success() {
        return skipped("no loop device is free");
    }
    let device = LoopDevice(String::from_utf8(attached.stdout).unwrap().trim().to_owned());
    let file = File::options().read(true).write(true).open(&device.0).unwrap();
    check_every_fault(&file, &folder.path().join("loop.verify"));
}

/// What a run leaves that was killed while it wrote to a part: any sector old or new.
#[test]
fn what_was_in_flight_at_a_kill_is_old_or_new_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let mut target = Target::new(&file, &folder.path().join("journal"), &descriptors);
    for _ in 0..FAULTS {
        let part = target.part(4);
        let oldest = target.content(part);
        target.write(part);
        let before = target.content(part);
        target.write(part);
        let ledger = &target.ledgers[0];
        let after = target.content(part);
        // The same write again, but it has not ended.
        let units = ledger.units(part.offset, part.bytes as u32);
        let generation = ledger.begin_write(units.clone());
        let mut written = after.clone();
        super::stamp(&mut written, ledger.identity, (part.offset, generation));
        for (number, offset) in sectors(part).enumerate() {
            let source = if target.number(2) == 0 { &after } else { &written };
            let sector = Part { offset, bytes: SECTOR as u64 };
            target.put(sector, &source[number * SECTOR..][..SECTOR]);
        }
        let seen = target.examine();
        assert_eq!((found(&seen), seen.in_doubt), (Vec::new(), Bytes(part.bytes)));
        for too_old in [&before, &oldest] {
            let number = target.number(part.bytes / SECTOR as u64);
            let offset = part.offset + number * SECTOR as u64;
            let sector = Part { offset, bytes: SECTOR as u64 };
            let at = number as usize * SECTOR;
            target.put(sector, &too_old[at..at + SECTOR]);
            assert_eq!(found(&target.examine()), [(StaleData, offset)]);
            target.put(sector, &written[at..at + SECTOR]);
        }
        target.ledgers[0].end_write(units, (generation, WriteEnd::Done));
        target.write(part);
    }
    assert_eq!(found(&target.examine()), []);
}

/// What the loss of power leaves: everything that was secured, and of what was written later any sector of
/// any write.
#[test]
fn what_was_secured_survives_the_loss_of_power() {
    let folder = tempfile::tempdir().unwrap();
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let mut target = Target::new(&file, &folder.path().join("journal"), &descriptors);
    let whole = Part { offset: 0, bytes: SIZE };
    for _ in 0..FAULTS {
        let part = target.part(4);
        let too_old = target.content(part);
        target.write(part);
        let list: Vec<u64> =
            (0..(SIZE / UNIT) as usize).map(|unit| target.ledgers[0].oldest(unit)).collect();
        let mut images = vec![target.content(whole)];
        for _ in 0..3 {
            let later = target.part(4);
            target.write(later);
            images.push(target.content(whole));
        }
        for (number, offset) in sectors(whole).enumerate() {
            let image = &images[target.number(4) as usize];
            let sector = Part { offset, bytes: SECTOR as u64 };
            target.put(sector, &image[number * SECTOR..][..SECTOR]);
        }
        let end = 1 << 40;
        assert_eq!(found(&target.examine_by(Known::Oldest(list.clone(), end))), []);
        target.put(part, &too_old);
        let lost: Vec<_> = sectors(part).map(|offset| (LostWrite, offset)).collect();
        assert_eq!(found(&target.examine_by(Known::Oldest(list, end))), lost);
        for unit in 0..SIZE / UNIT {
            target.write(Part { offset: unit * UNIT, bytes: UNIT });
        }
    }
}

#[test]
fn a_closed_journal_and_one_of_a_killed_run_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (file, journal) = (tempfile::tempfile().unwrap(), folder.path().join("journal"));
    let descriptors = [file.as_raw_fd()];
    let examine = |basis| examine_open(("target", &file), (&journal, basis), &mut |_| {});
    assert!(examine(Basis::AsLeft).unwrap_err().to_string().contains("nothing to verify"));
    let mut target = Target::new(&file, &journal, &descriptors);
    for _ in 0..20 {
        let part = target.part(4);
        target.write(part);
    }
    assert!(examine(Basis::AsLeft).unwrap_err().to_string().contains("in use"));
    drop(target);
    let killed = examine(Basis::AsLeft).unwrap();
    assert_eq!((found(&killed), killed.in_doubt), (Vec::new(), Bytes(0)));
    let without_power = examine(Basis::AfterPowerLoss).unwrap();
    assert_eq!((found(&without_power), without_power.in_doubt), (Vec::new(), Bytes(SIZE)));
    let ledger = Ledger::go_on(subject(&journal)).unwrap().unwrap();
    ledger.close(&file).unwrap();
    drop(ledger);
    let closed = examine(Basis::AfterPowerLoss).unwrap();
    assert_eq!((found(&closed), closed.in_doubt), (Vec::new(), Bytes(0)));
    let mut damaged = std::fs::read(&journal).unwrap();
    // The state of unit 5 is said to be in doubt.
    damaged[8192 + 16 * 5 + 9] ^= 0x80;
    std::fs::write(&journal, &damaged).unwrap();
    let refused = examine(Basis::AsLeft).unwrap_err().to_string();
    assert!(refused.contains("cannot be read"), "the target is not blamed: {refused}");
    damaged[8192 + 16 * 5 + 9] ^= 0x80;
    std::fs::write(&journal, &damaged[..damaged.len() - 1]).unwrap();
    assert!(examine(Basis::AsLeft).unwrap_err().to_string().contains("cannot be read"));
}

/// Writes to a part that meet: all are noted before the first one ends. Gives their generations.
fn meet(target: &Target<'_>, part: Part, count: usize) -> Vec<u64> {
    let ledger = &target.ledgers[0];
    let units = ledger.units(part.offset, part.bytes as u32);
    let generations: Vec<u64> = (0..count).map(|_| ledger.begin_write(units.clone())).collect();
    for generation in &generations {
        ledger.end_write(units.clone(), (*generation, WriteEnd::Done));
    }
    generations
}

/// What a write of a generation brings to a part.
fn content_of(target: &Target<'_>, part: Part, generation: u64) -> Vec<u8> {
    let mut content = target.content(part);
    super::stamp(&mut content, target.ledgers[0].identity, (part.offset, generation));
    content
}

#[test]
fn writes_that_met_are_settled_on_what_came_last_and_its_loss_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let mut target = Target::new(&file, &folder.path().join("journal"), &descriptors);
    for _ in 0..FAULTS / 10 {
        let part = target.part(4);
        target.write(part);
        let before = target.content(part);
        let met = meet(&target, part, 3);
        let last = met[target.number(3) as usize];
        let came_last = content_of(&target, part, last);
        target.put(part, &came_last);
        let doubt = target.examine();
        assert_eq!((found(&doubt), doubt.in_doubt), (Vec::new(), Bytes(part.bytes)));
        target.ledgers[0].secure(&file).unwrap();
        assert_eq!(target.ledgers[0].take_wrong(), [], "any of them may have come last");
        let settled = target.examine();
        assert_eq!((found(&settled), settled.in_doubt), (Vec::new(), Bytes(0)));
        let lost = |fault| sectors(part).map(|offset| (fault, offset)).collect::<Vec<_>>();
        let others = met.iter().filter(|generation| **generation != last);
        for other in others.map(|other| content_of(&target, part, *other)).chain([before]) {
            target.put(part, &other);
            let expected: Vec<u64> = lost(LostWrite).iter().map(|(_, offset)| *offset).collect();
            let seen = found(&target.examine());
            assert_eq!(seen.iter().map(|(_, offset)| *offset).collect::<Vec<_>>(), expected);
        }
        target.put(part, &came_last);
    }
}

#[test]
fn the_loss_of_all_writes_that_met_is_found_at_the_end_of_the_point() {
    let folder = tempfile::tempdir().unwrap();
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let mut target = Target::new(&file, &folder.path().join("journal"), &descriptors);
    let part = Part { offset: 2 * UNIT, bytes: 2 * UNIT };
    target.write(part);
    meet(&target, part, 2);
    let lost: Vec<_> = sectors(part).map(|offset| (LostWrite, offset)).collect();
    assert_eq!(target.read(part), lost, "a read in the run finds it as well");
    target.ledgers[0].secure(&file).unwrap();
    let wrong = target.ledgers[0].take_wrong();
    let wrong: Vec<_> = wrong.iter().map(|sector| (sector.fault, sector.offset)).collect();
    assert_eq!(wrong, lost);
    let seen = target.examine();
    assert_eq!((found(&seen), seen.in_doubt), (lost, Bytes(0)), "and so does what looks later");
}

#[test]
fn a_unit_that_has_sectors_of_several_writes_that_met_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let target = Target::new(&file, &folder.path().join("journal"), &descriptors);
    let part = Part { offset: 0, bytes: UNIT };
    let met = meet(&target, part, 2);
    let [first, second] = [0, 1].map(|number| content_of(&target, part, met[number]));
    target.put(part, &[&first[..1024], &second[1024..]].concat());
    target.ledgers[0].secure(&file).unwrap();
    assert_eq!(target.ledgers[0].take_wrong(), []);
    let seen = target.examine();
    assert_eq!((found(&seen), seen.in_doubt), (Vec::new(), Bytes(0)));
    assert_eq!(target.content(part)[40..508], first[40..508], "its data is the same");
    target.put(part, &second);
    assert_eq!(found(&target.examine()).len(), 8);
}

#[test]
fn a_generation_is_not_given_twice_after_an_older_one_came_last() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let target = Target::new(&file, &journal, &descriptors);
    let part = Part { offset: 0, bytes: UNIT };
    let met = meet(&target, part, 2);
    target.put(part, &content_of(&target, part, met[0]));
    target.ledgers[0].secure(&file).unwrap();
    assert_eq!(target.ledgers[0].state(0).settled(), Some(met[0]));
    drop(target);
    let again = Ledger::go_on(subject(&journal)).unwrap().unwrap();
    assert!(again.begin_write(0..1) > met[1]);
}

#[test]
fn what_a_kill_left_in_doubt_is_settled_by_the_run_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let target = Target::new(&file, &journal, &descriptors);
    target.ledgers[0].begin_write(3..4);
    assert_eq!(target.examine().in_doubt, Bytes(UNIT));
    drop(target);
    let again = Ledger::go_on(subject(&journal)).unwrap().unwrap();
    again.close(&file).unwrap();
    assert_eq!((again.take_wrong(), again.unsettled()), (Vec::new(), Vec::new()));
    drop(again);
    let seen = examine_open(("target", &file), (&journal, Basis::AsLeft), &mut |_| {}).unwrap();
    assert_eq!((found(&seen), seen.in_doubt), (Vec::new(), Bytes(0)));
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let file = tempfile::tempfile().unwrap();
    let descriptors = [file.as_raw_fd()];
    let mut target = Target::new(&file, &folder.path().join("journal"), &descriptors);
    let whole = target.examine();
    assert_eq!((whole.bytes, whole.unreadable.len(), whole.has_failed()), (Bytes(SIZE), 0, false));
    // A misdirected write whose home is gone: no one knows whether it is there as well.
    let (there, home) = (Part { offset: 0, bytes: UNIT }, Part { offset: 12 * UNIT, bytes: UNIT });
    target.write(home);
    target.put(there, &target.content(home));
    assert_eq!(found(&target.examine())[0].0, DuplicatedWrite);
    file.set_len(10 * UNIT + 700).unwrap();
    let seen = target.examine();
    let wrong: Vec<_> = sectors(there).map(|offset| (MisdirectedWrite, offset)).collect();
    assert_eq!((found(&seen), seen.bytes), (wrong, Bytes(10 * UNIT)));
    let told: Vec<String> = seen.unreadable.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["unreadable at byte 40960 (24576 bytes): the target ends at byte 41660"]);
    assert!(seen.has_failed());
}
