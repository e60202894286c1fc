//! The loop against a backend whose every step is checked.

mod flush;
mod think;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use proptest::prelude::*;

use super::*;
use crate::load::backend::{Direction, FLUSH_CLASS, Flush, Io};
use crate::load::record::interval::Tally;
use crate::load::stream::{Stream, assign};
use crate::plan::tests::{io_profile, plan_of};
use crate::plan::{Arrivals, OpenLoop, StopRule};
use crate::spec::profile::ResolvedProfile;
use crate::words::load::{LoadLevel, LoadUnit};
use crate::words::units::Percent;

/// Completes every I/O after a fixed time, in virtual time, and checks the loop's manners.
#[derive(Default)]
struct Strict {
    now: Nanos,
    service: Nanos,
    in_flight: BTreeSet<u32>,
    /// Most that were in flight at once since this was reset.
    in_flight_most: usize,
    pending: BinaryHeap<Reverse<(Nanos, u32, i32)>>,
    issued: Vec<Io>,
    /// When each flush was asked for, and how many writes had completed by then.
    flushes: Vec<(Nanos, usize)>,
    /// Writes that have completed.
    written: usize,
    /// Every n-th I/O fails with this result.
    failing: Option<(usize, i32)>,
    /// I/Os from this number on never complete.
    hanging_from: Option<usize>,
}

impl Backend for Strict {
    fn now(&self) -> Nanos {
        self.now
    }

    fn submit(&mut self, io: Io) {
        assert!(self.in_flight.insert(io.slot), "slot {} is in flight already", io.slot);
        assert!(io.bytes > 0);
        self.in_flight_most = self.in_flight_most.max(self.in_flight.len());
        let number = self.issued.len();
        self.issued.push(io);
        if self.hanging_from.is_some_and(|first| number >= first) {
            return;
        }
        let failed = self.failing.filter(|(every, _)| (number + 1).is_multiple_of(*every));
        let result = failed.map_or(io.bytes as i32, |(_, result)| result);
        self.pending.push(Reverse((self.now + self.service, io.slot, result)));
    }

    fn flush(&mut self, flush: Flush) {
        assert!(self.in_flight.insert(flush.slot), "slot {} is in flight already", flush.slot);
        self.in_flight_most = self.in_flight_most.max(self.in_flight.len());
        self.flushes.push((self.now, self.written));
        self.pending.push(Reverse((self.now + self.service + self.service, flush.slot, 0)));
    }

    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        assert!(deadline > self.now, "the loop waits for something in the future");
        match self.pending.peek().copied() {
            Some(Reverse((at, ..))) if at <= deadline => {
                self.now = at;
                while let Some(Reverse((next, slot, result))) = self.pending.peek().copied() {
                    if next > at {
                        break;
                    }
                    self.pending.pop();
                    assert!(self.in_flight.remove(&slot));
                    // A flush brings nothing.
                    self.written += usize::from(result > 0);
                    done.push(Completion { slot, at, result });
                }
            }
            _ => self.now = deadline,
        }
    }
}

/// Keeps all intervals and stops after some.
struct Keep {
    records: Vec<IntervalRecord>,
    stop_after: usize,
}

impl Watch for Keep {
    fn interval(&mut self, record: IntervalRecord) -> Flow {
        self.records.push(record);
        if self.records.len() == self.stop_after { Flow::Stop } else { Flow::Continue }
    }
}

/// Drives one worker over `targets` targets with `slots` outstanding each for one second.
fn run(backend: &mut Strict, plan: &Plan, slots: u32) -> (Driven, Vec<IntervalRecord>) {
    let profile = plan.series[0].profile.storage().unwrap();
    let workers = assign(plan, LoadLevel::outstanding(slots), 7);
    let streams = |worker: &WorkerPlan| {
        worker.streams.iter().map(|stream| Stream::new(profile, stream).unwrap()).collect()
    };
    let mut keep = Keep { records: Vec::new(), stop_after: 10 };
    let duty = WorkerTask::new(plan, &workers[0], Nanos::ZERO);
    let driven = drive(backend, &duty, streams(&workers[0]), &mut keep);
    (driven, keep.records)
}

fn backend(service: Nanos) -> Strict {
    Strict { service, ..Strict::default() }
}

fn total(records: &[IntervalRecord]) -> Tally {
    let mut total = Tally::EMPTY;
    for record in records {
        total.merge(&record.total());
    }
    total
}

fn line_of(profile: &mut ResolvedProfile) -> &mut crate::spec::profile::ResolvedLine {
    &mut profile.lines[0]
}

#[test]
fn the_queue_stays_full_and_every_io_completes_once() {
    let plan = plan_of("null:", 2);
    let mut backend = backend(Nanos::from_millis(1));
    let (driven, records) = run(&mut backend, &plan, 4);
    assert_eq!(records.len(), 10);
    assert_eq!(driven.in_flight_max, 8);
    assert_eq!(driven.lost, 0);
    assert!(backend.in_flight.is_empty(), "everything was drained");
    // 8 in flight, 1 ms each: 8,000 in a second; those that complete at its very end belong to
    // the next interval.
    assert_eq!(total(&records).operations, 8 * 999);
    let mean = total(&records).latency_ns_mean();
    assert!((mean - 1e6).abs() < 1.0, "{mean}");
}

#[test]
fn completions_belong_to_the_interval_in_which_they_complete() {
    let plan = plan_of("null:", 1);
    let mut backend = backend(Nanos::from_millis(250));
    let (_, records) = run(&mut backend, &plan, 1);
    let operations: Vec<u64> = records.iter().map(|record| record.total().operations).collect();
    assert_eq!(operations, [0, 0, 1, 0, 0, 1, 0, 1, 0, 0]);
    let indexes: Vec<u64> = records.iter().map(|record| record.index).collect();
    assert_eq!(indexes, (0..10).collect::<Vec<_>>());
}

#[test]
fn failed_ios_are_counted_named_and_leave_the_rates_alone() {
    let plan = plan_of("null:", 1);
    let mut backend = Strict { failing: Some((100, -5)), ..backend(Nanos::from_millis(10)) };
    let (driven, records) = run(&mut backend, &plan, 4);
    let failed: u64 = records.iter().map(IntervalRecord::error_count).sum();
    assert_eq!(failed, 3);
    assert_eq!(driven.errors.count(), 4);
    assert_eq!(driven.errors.counts().collect::<Vec<_>>(), [(0, 4)]);
    assert_eq!(total(&records).operations, 4 * 99 - 3);
    let sample = driven.errors.samples()[0].to_string();
    assert!(sample.starts_with("read of 4096 bytes at offset "), "{sample}");
    assert!(sample.contains("Input/output error"), "{sample}");
}

#[test]
fn more_errors_than_allowed_end_the_point_at_once() {
    let plan = plan_of("null:", 1);
    let mut backend = Strict { failing: Some((1, 0)), ..backend(Nanos::from_millis(1)) };
    let (driven, records) = run(&mut backend, &plan, 1);
    assert_eq!(driven.errors.count(), plan.errors_max + 1);
    assert!(driven.errors.exceeded());
    assert!(records.is_empty(), "the point ended within its first interval");
    assert!(driven.errors.samples()[0].to_string().contains("only 0 bytes"));
}

#[test]
fn a_target_that_hangs_is_given_up_after_the_drain() {
    let mut plan = plan_of("null:", 1);
    plan.timing.drain_max = Nanos::from_secs(3);
    let mut backend = Strict { hanging_from: Some(100), ..backend(Nanos::from_millis(10)) };
    let (driven, records) = run(&mut backend, &plan, 2);
    assert_eq!(driven.lost, 2);
    assert_eq!(records.len(), 10, "time goes on without completions");
    assert_eq!(backend.now, Nanos::from_secs(4));
}

#[test]
fn a_burst_is_followed_by_its_delay() {
    let mut plan = plan_of("null:", 1);
    let line = line_of(io_profile(&mut plan));
    line.burst = 5;
    line.delay = Nanos::from_millis(100);
    let mut backend = backend(Nanos(1_000));
    let (_, records) = run(&mut backend, &plan, 1);
    // Five I/Os, then 100 ms from the last of them: ten bursts in a second.
    let operations = total(&records).operations;
    assert!((45..=50).contains(&operations), "{operations}");
}

#[test]
fn one_seed_gives_one_sequence() {
    let plan = plan_of("null:", 1);
    let issued = |service| {
        let mut backend = backend(Nanos(service));
        run(&mut backend, &plan, 3);
        backend.issued.iter().map(|io| (io.direction, io.offset, io.bytes)).collect::<Vec<_>>()
    };
    let (slow, fast) = (issued(20_000_000), issued(5_000_000));
    assert!(fast.len() > slow.len());
    assert_eq!(slow[..], fast[..slow.len()], "the sequence does not depend on the target's speed");
}

#[test]
fn a_sequential_stream_reads_every_block_in_order() {
    let mut plan = plan_of("null:", 1);
    line_of(io_profile(&mut plan)).random = Percent::ZERO;
    let mut backend = backend(Nanos::from_millis(1));
    run(&mut backend, &plan, 4);
    let offsets: Vec<u64> = backend.issued.iter().map(|io| io.offset).collect();
    let expected: Vec<u64> = (0..offsets.len() as u64).map(|n| n % 256 * 4096).collect();
    assert_eq!(offsets, expected);
}

#[test]
fn a_gap_is_left_out_between_sequential_ios() {
    let offsets = |gap_bytes: u64| {
        let mut plan = plan_of("null:", 1);
        let line = line_of(io_profile(&mut plan));
        (line.random, line.gap_bytes) = (Percent::ZERO, gap_bytes);
        let mut backend = backend(Nanos::from_millis(1));
        run(&mut backend, &plan, 4);
        backend.issued.iter().map(|io| io.offset).collect::<Vec<u64>>()
    };
    let even = offsets(3 * 4096);
    let expected: Vec<u64> = (0..even.len() as u64).map(|n| n % 64 * 16384).collect();
    assert_eq!(even, expected, "one block of four, and from the start again");
    // What is no multiple of the alignment is moved up to the next one.
    assert_eq!(offsets(3 * 4096 - 100), even);
}

/// A loop at one load after the other, in intervals of 100 ms.
struct Course {
    plan: Plan,
    backend: Strict,
    driver: Driver<Stream>,
}

impl Course {
    fn new(mut plan: Plan, service: Nanos, load: LoadLevel) -> Self {
        plan.open_loop = OpenLoop { arrivals: Arrivals::Constant, in_flight_max: 64 };
        let worker = &assign(&plan, load, 7)[0];
        let profile = plan.series[0].profile.storage().unwrap();
        let streams = worker.streams.iter().map(|stream| Stream::new(profile, stream).unwrap());
        let task = WorkerTask::new(&plan, worker, Nanos::ZERO);
        let driver = Driver::new(&task, streams.collect());
        Self { backend: backend(service), driver, plan }
    }

    /// Goes on at `load`.
    fn change(&mut self, load: LoadLevel) {
        let worker = &assign(&self.plan, load, 7)[0];
        self.driver.change(&WorkerTask::new(&self.plan, worker, self.backend.now()));
    }

    /// Runs for some intervals; gives what completed in each, and the most that were in flight.
    fn run(&mut self, intervals: usize) -> (Vec<u64>, usize) {
        let mut keep = Keep { records: Vec::new(), stop_after: intervals };
        self.backend.in_flight_most = self.backend.in_flight.len();
        self.driver.run(&mut self.backend, &mut keep);
        let operations = keep.records.iter().map(|record| record.total().operations);
        (operations.collect(), self.backend.in_flight_most)
    }
}

#[test]
fn a_higher_load_fills_up_at_once_and_a_lower_one_lets_ios_come_back() {
    let outstanding = LoadLevel::outstanding;
    let mut course = Course::new(plan_of("null:", 2), Nanos::from_millis(40), outstanding(2));
    assert_eq!(course.run(3), (vec![8, 8, 12], 4));
    course.change(outstanding(8));
    // The four of the former load come back at 320 ms, those beside them at 340 ms, and so on.
    assert_eq!(course.run(3), (vec![32, 36, 44], 16));
    course.change(outstanding(3));
    // Four came back just now, twelve are in flight until 620 ms: six of those are replaced.
    assert_eq!(course.run(3), (vec![4 + 12 + 6, 18, 12], 12));
    assert_eq!(course.run(3).1, 6, "not more than asked for once they are back");
}

#[test]
fn a_load_that_rises_again_keeps_what_had_not_come_back() {
    let outstanding = LoadLevel::outstanding;
    let mut course = Course::new(plan_of("null:", 2), Nanos::from_millis(43), outstanding(8));
    course.run(1);
    assert_eq!(course.backend.in_flight.len(), 16);
    course.change(outstanding(1));
    course.change(outstanding(6));
    course.run(1);
    assert_eq!(course.backend.in_flight.len(), 12);
    let driven = course.driver.drain(&mut course.backend);
    assert_eq!((driven.lost, course.backend.in_flight.len()), (0, 0));
}

#[test]
fn arrivals_follow_the_new_rate_from_the_change_on() {
    let offered = |value| LoadLevel { value, unit: LoadUnit::OfferedIops };
    let mut course = Course::new(plan_of("null:", 1), Nanos::from_millis(1), offered(500.0));
    course.run(2);
    // One more is due at the end of the fifth interval.
    for (rate, expected) in [(1_000.0, 499), (200.0, 99)] {
        let before = course.backend.issued.len();
        course.change(offered(rate));
        course.run(5);
        assert_eq!(course.backend.issued.len() - before, expected, "{rate}");
    }
}

#[test]
fn arrivals_that_were_not_issued_are_forgotten_at_a_change() {
    let offered = |value| LoadLevel { value, unit: LoadUnit::OfferedIops };
    let mut course = Course::new(plan_of("null:", 1), Nanos::from_millis(640), offered(1_000.0));
    // 64 are in flight, 100 IO/s complete, 900 of a second wait.
    course.run(10);
    course.change(offered(10.0));
    course.run(10);
    let before = course.backend.issued.len();
    course.run(10);
    assert_eq!(course.backend.issued.len() - before, 10);
}

#[test]
fn a_pause_tells_of_what_is_in_flight_and_counts_errors_anew() {
    let outstanding = LoadLevel::outstanding;
    let mut course = Course::new(plan_of("null:", 1), Nanos::from_millis(70), outstanding(2));
    course.backend.failing = Some((3, -5));
    course.run(3);
    let now = course.backend.now();
    let paused = course.driver.pause(now);
    assert_eq!((paused.errors.count(), paused.lost), (2, 0));
    assert_eq!(paused.straddlers, course.driver.in_flight(now));
    let ages: Vec<u64> = paused.straddlers.iter().map(|io| io.latency.0 / 1_000_000).collect();
    assert_eq!(ages, [20, 20], "issued at 280 ms, looked at at 300 ms");
    course.change(outstanding(2));
    course.run(1);
    let straddler = course.driver.in_flight(course.backend.now())[0];
    assert_eq!(straddler.end, Nanos::from_millis(100), "since the change");
    assert_eq!(course.driver.pause(now).errors.count(), 1);
}

proptest! {
    #[test]
    fn loads_change_without_losing_anything(
        loads in prop::collection::vec(1..20u32, 1..8), service in 1_000_000..300_000_000u64,
    ) {
        let mut plan = plan_of("null:", 2);
        plan.engine.workers = 1;
        let mut course = Course::new(plan, Nanos(service), LoadLevel::outstanding(loads[0]));
        for load in &loads {
            course.change(LoadLevel::outstanding(*load));
            course.run(4);
            prop_assert_eq!(course.backend.in_flight.len() as u32, 2 * load);
        }
        let driven = course.driver.drain(&mut course.backend);
        prop_assert_eq!(driven.lost, 0);
        prop_assert!(course.backend.in_flight.is_empty());
    }

    #[test]
    fn mixes_get_their_shares(read in 0.0..=100.0f64, random in 0.0..=100.0f64) {
        let mut plan = plan_of("null:", 1);
        plan.timing.stop = StopRule::FixedTime { measure: Nanos::from_secs(1) };
        let line = line_of(io_profile(&mut plan));
        line.read = Percent::new(read).unwrap();
        line.random = Percent::new(random).unwrap();
        let mut backend = backend(Nanos(100_000));
        run(&mut backend, &plan, 1);
        let count = backend.issued.len() as f64;
        let reads = backend.issued.iter().filter(|io| io.direction == Direction::Read).count();
        let share = 100.0 * reads as f64 / count;
        prop_assert!((share - read).abs() < 3.0, "{share} % reads, {read} % asked for");
        let follows = |pair: &&[Io]| pair[1].offset == (pair[0].offset + 4096) % (1 << 20);
        let sequential = backend.issued.windows(2).filter(follows).count() as f64;
        let jumped = 100.0 * (1.0 - sequential / (count - 1.0));
        prop_assert!((jumped - random).abs() < 3.0, "{jumped} % random, {random} % asked for");
    }

    #[test]
    fn nothing_is_lost_whatever_the_shape(
        targets in 1..5u32, slots in 1..20u32, service in 1_000..50_000_000u64,
        burst in 1..10u32, delay in 0..20_000_000u64,
    ) {
        let mut plan = plan_of("null:", targets);
        let line = line_of(io_profile(&mut plan));
        line.burst = burst;
        line.delay = Nanos(delay);
        // Keeps the number of I/Os of a case bounded.
        let mut backend = backend(Nanos(service.max(u64::from(targets * slots) * 10_000)));
        let (driven, records) = run(&mut backend, &plan, slots);
        prop_assert_eq!(driven.lost, 0);
        prop_assert!(backend.in_flight.is_empty());
        prop_assert!(driven.in_flight_max <= targets * slots);
        prop_assert!(total(&records).operations <= backend.issued.len() as u64);
        prop_assert_eq!(records.len(), 10);
    }
}
