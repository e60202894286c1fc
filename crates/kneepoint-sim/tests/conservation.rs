//! Nothing gets lost, nothing is done twice, no part works more than all the time.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod rig;

use std::collections::BTreeSet;

use kneepoint_core::load::backend::{Backend, Content, Direction, Io};
use kneepoint_core::spec::catalog;
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::{Assembly, System, SystemBackend};
use proptest::prelude::*;
use rig::{load, measure};

/// A backend of `target`, each array a target, without the analytic systems.
fn backend(target: &str) -> (System, SystemBackend) {
    let (name, query) = target.split_once('?').unwrap();
    let system = System::shipped(name).unwrap().with_query(target, query).unwrap();
    let profile = catalog::profile("oltp").unwrap().resolve_io(None).unwrap();
    let backend = Assembly::of_system(&system).backend(&profile);
    (system, backend)
}

/// An I/O of 8 KiB in `slot`, on position `number` of its array.
fn io(system: &System, slot: u32, (number, direction): (u64, Direction)) -> Io {
    let target = slot % system.array_count();
    let positions = system.array_bytes(target).0 / 8192;
    let offset = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % positions * 8192;
    Io { slot, target, direction, offset, bytes: 8192, content: Content::Unique(number) }
}

/// Submits `count` I/Os at once and waits for all; returns disk reads and writes per I/O.
fn run(target: &str, direction: Direction, count: u32) -> [f64; 2] {
    let (system, mut backend) = backend(target);
    for slot in 0..count {
        backend.submit(io(&system, slot, (u64::from(slot), direction)));
    }
    let mut done = Vec::new();
    let mut seen = BTreeSet::new();
    let mut last = Nanos::ZERO;
    while seen.len() < count as usize {
        backend.wait(Nanos::from_secs(3600), &mut done);
        assert!(!done.is_empty(), "{target}: {} of {count} came back", seen.len());
        for completion in done.drain(..) {
            assert!(seen.insert(completion.slot), "{target}: slot {} twice", completion.slot);
            assert!(completion.at >= last, "{target}: time runs backwards");
            assert_eq!(completion.result, 8192);
            last = completion.at;
        }
    }
    backend.wait(Nanos::from_secs(7200), &mut done);
    assert!(done.is_empty(), "{target}: something came back unasked");
    assert!(backend.simulated().parts.iter().all(|part| part.highest_percent <= 100.0));
    backend.disk_operations().map(|operations| operations as f64 / f64::from(count))
}

/// Disk operations per host I/O that fits a strip.
#[test]
fn raid_levels_take_exactly_their_operations() {
    let check = |raid: &str, direction, expected: [f64; 2]| {
        let target = format!("fastt900?drives=24&drives_per_array=12&{raid}");
        assert_eq!(run(&target, direction, 500), expected, "{raid} {direction:?}");
    };
    let levels =
        ["jbod", "raid0", "raid1", "raid1e", "raid5", "raid6", "raid10", "raid50", "raid60"];
    for level in levels {
        check(&format!("raid={level}"), Direction::Read, [1.0, 0.0]);
    }
    for (level, reads, writes) in [
        ("jbod", 0.0, 1.0),
        ("raid0", 0.0, 1.0),
        ("raid1", 0.0, 2.0),
        ("raid1e", 0.0, 2.0),
        ("raid5", 2.0, 2.0),
        ("raid6", 3.0, 3.0),
        ("raid10", 0.0, 2.0),
        ("raid50", 2.0, 2.0),
        ("raid60", 3.0, 3.0),
    ] {
        check(&format!("raid={level}"), Direction::Write, [reads, writes]);
    }
}

#[test]
fn every_setting_gives_back_every_io_once() {
    let settings = [
        "write_cache=on",
        "write_cache=mirrored",
        "write_cache=on&param.cache.pool=0.1",
        "disk_cache=on",
        "read_ahead=on",
        "read_ahead=adaptive&io_policy=cached",
        "condition=degraded",
        "condition=degraded&write_cache=on",
        "raid=raid6&condition=degraded",
        "raid=raid10&condition=degraded",
        "host=linux",
        "param.link.throttle=3",
        "param.disk.queue=1&disk_cache=on&param.disk.cache_segments=1",
        "raid=raid10&drive=ssd-sata25-32&param.flash.page=64&stroke=1%",
    ];
    for setting in settings {
        for direction in [Direction::Read, Direction::Write] {
            run(&format!("fastt900?drives=20&{setting}"), direction, 400);
        }
    }
}

#[test]
fn parts_and_breakdown_add_up() {
    let (result, _) = measure("sim:fastt900?drives=20", load("oltp", "8KiB", 30), 3);
    let simulated = result.simulated.unwrap();
    assert!(simulated.parts.iter().all(|part| part.highest_percent <= 100.0));
    assert_eq!(simulated.bottleneck().unwrap().name, "drives");
    let part = &simulated.breakdown_ms;
    let sum = part.host_queue
        + part.write_cache
        + part.drive_queue
        + part.seek
        + part.rotation
        + part.transfer
        + part.links
        + part.controller;
    // The breakdown is over the whole point, the mean over the measured part of it.
    assert!(
        (sum / result.latency_ms.mean - 1.0).abs() < 0.05,
        "{sum} of {}",
        result.latency_ms.mean
    );
}

/// A system within the bounds of everything: any level, any settings, any parameters.
fn any_system() -> impl Strategy<Value = String> {
    let level = prop::sample::select(vec![
        "jbod", "raid0", "raid1", "raid1e", "raid5", "raid6", "raid10", "raid50", "raid60",
    ]);
    let cache = prop::sample::select(vec!["off", "on", "mirrored"]);
    let ahead = prop::sample::select(vec!["off", "on", "adaptive"]);
    let disk = prop::sample::select(vec!["off", "on"]);
    let condition = prop::sample::select(vec!["optimal", "degraded", "rebuilding"]);
    (level, 4u32..10, 1u32..4, (cache, ahead, disk, condition), 1u32..100, 2u32..9).prop_map(
        |(level, pairs, arrays, (cache, ahead, disk, condition), stroke, stripe)| {
            let (each, all) = (pairs * 2, pairs * 2 * arrays);
            let stripe = 4 << stripe;
            let condition = if matches!(level, "jbod" | "raid0") { "optimal" } else { condition };
            format!(
                "fastt900?drives={all}&drives_per_array={each}&raid={level}&write_cache={cache}\
                 &read_ahead={ahead}&disk_cache={disk}&condition={condition}&stroke={stroke}%\
                 &stripe={stripe}KiB"
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_system_gives_back_every_io_once(target in any_system(), is_write in any::<bool>()) {
        run(&target, if is_write { Direction::Write } else { Direction::Read }, 150);
    }

    #[test]
    fn any_parameters_in_bounds_work(
        name in prop::sample::select(vec!["fastt900", "serveraid-m5025", "drive/hdd-eco-sata25-5k4-160", "sx940-lsi1078"]),
        draws in prop::collection::vec(0.0..=1.0f64, 80),
    ) {
        let system = System::shipped(name).unwrap();
        let values: Vec<(&str, f64)> = system
            .parameters
            .declared()
            .iter()
            .zip(&draws)
            .map(|(parameter, draw)| (parameter.name, parameter.min + draw * (parameter.max - parameter.min)))
            .collect();
        // Seek times may contradict each other; that is a fault, not a panic.
        if let Ok(system) = system.with_parameters(&values) {
            let profile = catalog::profile("oltp").unwrap().resolve_io(None).unwrap();
            let mut backend = Assembly::of_system(&system).backend(&profile);
            for slot in 0..100 {
                let direction = if slot % 3 == 0 { Direction::Write } else { Direction::Read };
                backend.submit(io(&system, slot, (u64::from(slot), direction)));
            }
            let (mut done, mut count) = (Vec::new(), 0);
            while count < 100 {
                backend.wait(Nanos::from_secs(3600), &mut done);
                prop_assert!(!done.is_empty());
                count += done.drain(..).count();
            }
        }
    }
}
