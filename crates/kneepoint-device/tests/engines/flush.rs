//! Durable writes on real files.

use std::num::NonZeroU32;

use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::{Instrument, Point, Unwatched};
use kneepoint_core::plan::{Caching, Engine, Plan, StopRule};
use kneepoint_core::spec::profile::{
    Durability, FlushCall, Flushing, ResolvedProfile, SeriesProfile, WriteSync,
};
use kneepoint_core::words::class::ClassName;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::DeviceInstrument;

use super::{file, plan};

/// The engines that do I/O and can wait for flushes.
const ENGINES: [Engine; 4] = [Engine::IoUring, Engine::IoUringSqPoll, Engine::Libaio, Engine::Sync];

/// A plan of random writes that are made durable.
fn durable(engine: Engine, durability: Durability) -> Plan {
    let mut plan = plan("random-write", engine, 1);
    let SeriesProfile::Storage(profile) = &mut plan.series[0].profile else {
        panic!("the profile does I/O")
    };
    profile.durability = durability;
    // On a busy disk a write that is durable may take longer than a short point.
    plan.timing.stop = StopRule::FixedTime { measure: Nanos::from_millis(500) };
    plan
}

/// Flushes by `call` after every `every` writes.
fn flushing(call: FlushCall, every: u32) -> Durability {
    let every = NonZeroU32::new(every).unwrap();
    Durability { sync: None, flush: Some(Flushing { call, every }) }
}

/// Writes, flushes and errors of `plan` at `slots` outstanding I/Os, with the first error; `None` if the
/// engine is not there.
fn counts(plan: &Plan, slots: u32) -> Option<([u64; 2], u64, String)> {
    let point = Point {
        plan,
        series: &plan.series[0],
        load: LoadLevel::outstanding(slots),
        repetition: 0,
        visit: None,
        before: DriftBefore::default(),
    };
    let outcome = match DeviceInstrument::new(vec![file()]).run_point(&point, &mut Unwatched) {
        Ok(outcome) => outcome,
        Err(fault) => {
            kneepoint_testkit::skipped(format_args!("an engine is not there: {fault}"));
            return None;
        }
    };
    assert_eq!(outcome.lost, 0);
    let classes = &outcome.measurement.classes;
    let of = |name| classes.iter().find(|class| class.name == name).map(|class| class.tally);
    let writes = of(ClassName::WRITE).unwrap();
    let flushes = of(ClassName::FLUSH).unwrap_or_default();
    assert_eq!(outcome.measurement.total().operations, writes.operations);
    let sample = outcome.error_samples.first().map(ToString::to_string).unwrap_or_default();
    Some(([writes.operations, flushes.operations], outcome.error_count(), sample))
}

#[test]
fn every_engine_flushes_after_as_many_writes() {
    for engine in ENGINES {
        for (call, every, slots) in
            [(FlushCall::Fdatasync, 1, 1), (FlushCall::Fsync, 8, 1), (FlushCall::Fdatasync, 2, 5)]
        {
            let plan = durable(engine, flushing(call, every));
            let Some(([writes, flushes], errors, sample)) = counts(&plan, slots) else { continue };
            assert_eq!(errors, 0, "{engine:?}: {sample}");
            assert!(flushes > 0, "{engine:?}: {writes} writes");
            // Those that are not yet flushed when the time ends, or were not when it began.
            let open = u64::from(slots * every) + u64::from(slots);
            let expected = writes / u64::from(every);
            assert!(expected.abs_diff(flushes) <= open, "{engine:?}: {writes}, {flushes}");
        }
    }
}

#[test]
fn what_the_page_cache_holds_is_flushed_where_the_engine_has_a_call_for_it() {
    for engine in [Engine::IoUring, Engine::IoUringSqPoll, Engine::Sync] {
        for (call, every) in [(FlushCall::SyncFileRange, 4), (FlushCall::SyncFileRangeWrite, 2)] {
            let mut plan = durable(engine, flushing(call, every));
            plan.engine.caching = Caching::Buffered;
            let Some(([writes, flushes], errors, sample)) = counts(&plan, 2) else { continue };
            assert_eq!(errors, 0, "{engine:?}: {sample}");
            let expected = writes / u64::from(every);
            let open = u64::from(2 * every) + 2;
            assert!(
                flushes > 0 && expected.abs_diff(flushes) <= open,
                "{engine:?}: {writes}, {flushes}"
            );
        }
    }
}

#[test]
fn every_engine_writes_what_is_durable_at_once() {
    for engine in ENGINES {
        for sync in [WriteSync::Dsync, WriteSync::Sync] {
            let durability = Durability { sync: Some(sync), flush: None };
            let plan = durable(engine, durability);
            let Some(([writes, flushes], errors, sample)) = counts(&plan, 2) else { continue };
            assert_eq!((errors, flushes), (0, 0), "{engine:?}: {sample}");
            assert!(writes > 0, "{engine:?}");
        }
    }
}

/// That the profile says nothing of durability changes no entry.
#[test]
fn profiles_that_say_nothing_flush_nothing() {
    let plan = plan("random-write", Engine::Sync, 1);
    assert_eq!(plan.series[0].profile.storage().map(ResolvedProfile::flush), Some(None));
    let ([writes, flushes], ..) = counts(&plan, 1).unwrap();
    assert!(writes > 0 && flushes == 0);
}
