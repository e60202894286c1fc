//! Pauses between a completion and the next I/O in its place.

use super::*;

/// A plan whose I/Os pause for `think`.
fn thinking(think: Nanos) -> Plan {
    let mut plan = plan_of("null:", 1);
    io_profile(&mut plan).think = think;
    plan
}

#[test]
fn each_outstanding_io_pauses_by_itself_after_it_has_completed() {
    // One second, in turns of 1 ms in flight and 4 ms of pause.
    for slots in [1, 8] {
        let mut backend = backend(Nanos::from_millis(1));
        let (driven, records) = run(&mut backend, &thinking(Nanos::from_millis(4)), slots);
        let sum = total(&records);
        assert_eq!(sum.operations, 200 * u64::from(slots));
        assert_eq!((sum.latency_min, sum.latency_max), (Nanos(1_000_000), Nanos(1_000_000)));
        assert_eq!((driven.lost, driven.errors.count()), (0, 0));
    }
}

#[test]
fn a_longer_response_time_adds_to_the_pause() {
    let rate = |service: u64| {
        let mut backend = backend(Nanos::from_millis(service));
        let (_, records) = run(&mut backend, &thinking(Nanos::from_millis(5)), 1);
        total(&records).operations
    };
    assert_eq!((rate(5), rate(15)), (100, 50));
}

#[test]
fn pauses_end_with_a_load_that_is_lowered_and_begin_again_with_one_that_is_raised() {
    let plan = thinking(Nanos::from_millis(3));
    let mut course = Course::new(plan, Nanos::from_millis(1), LoadLevel::outstanding(8));
    for slots in [8, 2, 16, 1] {
        course.change(LoadLevel::outstanding(slots));
        course.run(1);
        let (operations, most) = course.run(2);
        // In intervals of 100 ms, each in turns of 4 ms.
        let expected = 25 * u64::from(slots);
        assert!(
            operations.iter().all(|count| count.abs_diff(expected) <= u64::from(slots)),
            "{slots}: {operations:?}"
        );
        assert!(most <= slots as usize, "{slots}: {most}");
    }
    let driven = course.driver.drain(&mut course.backend);
    assert_eq!((driven.lost, course.backend.in_flight.len()), (0, 0));
}
