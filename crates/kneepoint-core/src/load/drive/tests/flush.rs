//! Flushes between writes.

use std::num::NonZeroU32;

use super::*;
use crate::spec::profile::{FlushCall, Flushing};

/// A plan of writes with a flush after every `every` of them.
fn flushing(every: u32) -> Plan {
    let mut plan = plan_of("null:", 1);
    let profile = io_profile(&mut plan);
    line_of(profile).read = Percent::ZERO;
    let every = NonZeroU32::new(every).unwrap();
    profile.durability.flush = Some(Flushing { call: FlushCall::Fdatasync, every });
    plan
}

/// The class of flushes over all intervals.
fn flushes(records: &[IntervalRecord]) -> Tally {
    let mut sum = Tally::EMPTY;
    records.iter().for_each(|record| sum.merge(&record.classes[FLUSH_CLASS]));
    sum
}

#[test]
fn a_flush_follows_the_completion_of_as_many_writes_and_counts_apart() {
    let mut backend = backend(Nanos::from_millis(1));
    let (driven, records) = run(&mut backend, &flushing(4), 1);
    // Four writes of 1 ms and a flush of 2 ms: six in 6 ms.
    let (writes, flushes) = (total(&records), flushes(&records));
    assert_eq!((writes.operations, flushes.operations), (667, 166));
    assert_eq!((writes.latency_max, flushes.latency_min), (Nanos(1_000_000), Nanos(2_000_000)));
    assert_eq!((writes.bytes, flushes.bytes), (667 * 4096, 0));
    assert!(
        backend
            .flushes
            .iter()
            .enumerate()
            .all(|(number, (_, written))| { *written == 4 * (number + 1) })
    );
    assert_eq!((driven.lost, driven.errors.count()), (0, 0));
    let of_target: u64 =
        records.iter().flat_map(IntervalRecord::target_totals).map(|t| t.operations).sum();
    assert_eq!(of_target, writes.operations, "nor is it in the numbers of a target");
}

#[test]
fn every_outstanding_io_writes_and_then_flushes() {
    let mut backend = backend(Nanos::from_millis(1));
    let (driven, records) = run(&mut backend, &flushing(1), 8);
    assert_eq!(driven.in_flight_max, 8, "a flush is one of those in flight");
    assert_eq!(backend.in_flight_most, 8);
    // Eight times 1 ms and 2 ms in turns.
    assert_eq!(total(&records).operations, 8 * 333);
    assert_eq!(flushes(&records).operations, 8 * 333);
}

#[test]
fn reads_are_not_counted_to_the_next_flush() {
    let mut plan = flushing(1);
    line_of(io_profile(&mut plan)).read = Percent::new(50.0).unwrap();
    let mut backend = backend(Nanos::from_millis(1));
    run(&mut backend, &plan, 1);
    let written = backend.issued.iter().filter(|io| io.direction == Direction::Write).count();
    assert!(written > 100 && backend.issued.len() > written + 100);
    assert!(written.abs_diff(backend.flushes.len()) <= 1);
}

#[test]
fn profiles_without_flushes_have_no_class_for_them() {
    let mut backend = backend(Nanos::from_millis(1));
    let (_, records) = run(&mut backend, &plan_of("null:", 1), 1);
    assert!(backend.flushes.is_empty());
    assert!(records.iter().all(|record| record.classes.len() == 2 && record.uncounted == 0));
}

#[test]
fn a_flush_delays_no_arrival_of_an_open_loop() {
    let mut course = Course::new(
        flushing(1),
        Nanos::from_millis(1),
        LoadLevel { value: 100.0, unit: LoadUnit::OfferedIops },
    );
    let (operations, most) = course.run(10);
    assert!(operations[1..].iter().all(|count| *count == 10), "{operations:?}");
    assert_eq!(most, 1, "a flush of 2 ms is over before the next write is due");
    assert!(course.backend.flushes.len() >= 98);
}

#[test]
fn flushes_end_with_a_load_that_is_lowered() {
    let mut course = Course::new(flushing(1), Nanos::from_millis(1), LoadLevel::outstanding(8));
    course.run(2);
    course.change(LoadLevel::outstanding(2));
    course.run(1);
    let (operations, most) = course.run(2);
    assert_eq!(most, 2);
    assert!(operations.iter().all(|count| (64..=68).contains(count)), "{operations:?}");
    let driven = course.driver.drain(&mut course.backend);
    assert_eq!(driven.lost, 0);
    assert!(course.backend.in_flight.is_empty());
}

#[test]
fn a_flush_that_fails_is_an_error_with_its_own_words() {
    let fault = IoFault { target: 0, direction: Direction::Write, offset: 0, bytes: 0, result: -5 };
    assert!(fault.to_string().starts_with("flush: Input/output error"), "{fault}");
}
