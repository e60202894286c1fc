//! The shipped systems: every file can be read, printed and run, and one point is always the same.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod rig;

use kneepoint_sim::system::shipped::SHIPPED_SYSTEMS;
use kneepoint_sim::{SimTarget, System, SystemBackend, Wear};
use proptest::prelude::*;
use rig::{load, measure};

#[test]
fn every_shipped_system_is_what_its_file_says() {
    for shipped in SHIPPED_SYSTEMS {
        let system = shipped.system().unwrap();
        assert_eq!(system.name, shipped.name);
        for parameter in system.parameters.declared() {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.value), "{}: {}", shipped.name, parameter.name);
        }
        let again = System::parse(&system.to_toml(), shipped.path).unwrap();
        assert_eq!(again, system);
        assert_eq!(again.to_toml(), system.to_toml());
    }
}

#[test]
fn every_disk_system_can_be_built() {
    for shipped in SHIPPED_SYSTEMS.iter().filter(|shipped| !shipped.name.contains("ssd")) {
        let system = shipped.system().unwrap();
        SystemBackend::default().add_system(&system, Wear::Sequential);
    }
}

proptest! {
    /// A damaged file is a system or a fault, never a panic; what can be read survives printing.
    #[test]
    fn any_damage_is_a_system_or_a_fault(
        which in 0..SHIPPED_SYSTEMS.len(), at in 0.0..1.0f64, cut in 0usize..40, put in "[ -~]{0,12}",
    ) {
        let text = SHIPPED_SYSTEMS[which].text;
        let start = (at * text.len() as f64) as usize;
        let end = (start + cut).min(text.len());
        prop_assume!(text.is_char_boundary(start) && text.is_char_boundary(end));
        let damaged = format!("{}{put}{}", &text[..start], &text[end..]);
        if let Ok(system) = System::parse(&damaged, "damaged.toml") {
            let again = System::parse(&system.to_toml(), "printed.toml").unwrap();
            prop_assert_eq!(again.to_toml(), system.to_toml());
        }
    }

    #[test]
    fn any_query_is_an_answer(query in "[a-z_.0-9=&%]{0,40}") {
        let _ = SimTarget::expand(&format!("sim:fastt900?{query}"), &|_| unreachable!());
        let _ = SimTarget::expand(&format!("sim:fastt900?drives={query}"), &|_| unreachable!());
        let _ = SimTarget::expand(&format!("sim:fastt900?param.{query}"), &|_| unreachable!());
    }
}

#[test]
fn uncalibrated_systems_warn() {
    let (result, _) = measure("sim:sx940-lsi1064", load("random-read", "8KiB", 2), 1);
    assert!(result.warnings.iter().any(|warning| warning.text().starts_with("uncalibrated")));
    let (result, _) = measure("sim:fastt900?drives=10", load("random-read", "8KiB", 2), 1);
    assert!(!result.warnings.iter().any(|warning| warning.text().starts_with("uncalibrated")));
}

/// The same plan gives the same numbers, on this machine and on every other.
#[test]
fn a_point_is_the_same_everywhere() {
    let run = || {
        let target = "sim:fastt900?drives=20&write_cache=on&param.disk.seek_average=3&\
                      param.disk.rate=60&param.controller.kib=5&param.disk.ageing=0.2";
        measure(target, load("oltp", "8KiB", 20), 2)
    };
    let (first, second) = (run(), run());
    assert_eq!(first.0, second.0);
    assert_eq!(first.1.measurement, second.1.measurement);
    // Changes only with the model or with the shipped file; then it is to be written again.
    let total = first.1.measurement.total();
    let found = format!("{} I/Os, {} ns", total.operations, total.latency_ns_mean() as u64);
    assert_eq!(found, "7990 I/Os, 10009098 ns");
}
