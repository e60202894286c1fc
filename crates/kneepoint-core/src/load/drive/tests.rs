//! The loop against a backend whose every step is checked.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use proptest::prelude::*;

use super::*;
use crate::load::backend::{Direction, Io};
use crate::load::record::interval::Tally;
use crate::load::stream::{Stream, assign};
use crate::plan::StopRule;
use crate::plan::tests::{io_profile, plan_of};
use crate::spec::profile::ResolvedProfile;
use crate::words::load::LoadLevel;
use crate::words::units::Percent;

/// Completes every I/O after a fixed time, in virtual time, and checks the loop's manners.
#[derive(Default)]
struct Strict {
    now: Nanos,
    service: Nanos,
    in_flight: BTreeSet<u32>,
    pending: BinaryHeap<Reverse<(Nanos, u32, i32)>>,
    issued: Vec<Io>,
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
        let number = self.issued.len();
        self.issued.push(io);
        if self.hanging_from.is_some_and(|first| number >= first) {
            return;
        }
        let failed = self.failing.filter(|(every, _)| (number + 1).is_multiple_of(*every));
        let result = failed.map_or(io.bytes as i32, |(_, result)| result);
        self.pending.push(Reverse((self.now + self.service, io.slot, result)));
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

proptest! {
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
