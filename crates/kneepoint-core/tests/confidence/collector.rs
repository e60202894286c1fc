//! What the stop rules make of simple series.

use kneepoint_core::load::drive::Flow;
use kneepoint_core::load::record::interval::{IntervalRecord, Shape};
use kneepoint_core::measure::confidence::{Occupancy, Stability};
use kneepoint_core::measure::measurement::{Collector, Measurement};
use kneepoint_core::plan::{StopRule, Timing};
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::units::{Nanos, Percent};

fn timing(stop: StopRule) -> Timing {
    let ramp = Nanos::from_millis(200);
    Timing { ramp, interval: Nanos::from_millis(20), stop, drain_max: Nanos::ZERO }
}

fn confidence() -> StopRule {
    StopRule::Confidence {
        accuracy: Percent::new(5.0).unwrap(),
        drift: Percent::new(10.0).unwrap(),
        measure_min: Nanos::from_secs(1),
        measure_max: Nanos::from_secs(4),
    }
}

/// The measurement of intervals with as many I/Os as `operations` says.
fn measure(stop: StopRule, operations: impl Fn(u64) -> u64) -> Measurement {
    let mut collector =
        Collector::new(&timing(stop), Occupancy::Varying, 1, &[ClassName::READ, ClassName::WRITE]);
    for index in 0.. {
        let mut record = IntervalRecord::empty(index, Shape::io(1));
        (0..operations(index)).for_each(|_| record.classes[0].add(4096, Nanos(1_000), Nanos::ZERO));
        if collector.push(record) == Flow::Stop {
            break;
        }
    }
    collector.finish()
}

#[test]
fn a_fixed_time_is_kept_to_the_interval_and_has_confidence_intervals() {
    let stop = StopRule::FixedTime { measure: Nanos::from_secs(2) };
    let found = measure(stop, |index| 10 + index % 3);
    assert_eq!((found.ramp_count, found.intervals.len()), (10, 100));
    assert_eq!(found.assessment.stability, Stability::TimeLimit);
    assert!(found.iops_ci95().unwrap() > 0.0);
    assert!((found.mib_s_ci95().unwrap() * 256.0 - found.iops_ci95().unwrap()).abs() < 1e-9);
    assert_eq!(found.latency_ms_ci95(), Some(0.0));
}

#[test]
fn too_few_intervals_or_ios_have_no_confidence_interval() {
    let short = StopRule::FixedTime { measure: Nanos::from_millis(300) };
    assert_eq!(measure(short, |_| 100).iops_ci95(), None);
    let found = measure(confidence(), |index| u64::from(index % 50 == 0));
    assert_eq!(found.iops_ci95(), None);
    assert_eq!(found.intervals.len(), 200, "measured to the end");
}

#[test]
fn an_accurate_point_ends_at_the_shortest_time() {
    let found = measure(confidence(), |index| 100 + index % 3);
    assert_eq!(found.assessment.stability, Stability::Steady);
    assert_eq!((found.ramp_count, found.intervals.len()), (10, 50));
}

#[test]
fn a_point_that_keeps_rising_drifts() {
    let found = measure(confidence(), |index| 100 + index);
    assert_eq!(found.assessment.stability, Stability::Drifting);
}

#[test]
fn a_point_that_was_stopped_from_outside_keeps_what_it_has() {
    let mut collector = Collector::new(
        &timing(confidence()),
        Occupancy::Varying,
        1,
        &[ClassName::READ, ClassName::WRITE],
    );
    collector.push(IntervalRecord::empty(0, Shape::io(1)));
    let found = collector.finish();
    assert_eq!((found.ramp_count, found.intervals.len()), (1, 0));
    let nothing = Collector::new(
        &timing(confidence()),
        Occupancy::Varying,
        1,
        &[ClassName::READ, ClassName::WRITE],
    )
    .finish();
    assert_eq!(nothing.measured(), Nanos::ZERO);
}
