//! A bench for simulated systems: one profile on one system, for a fixed virtual time.

#![allow(dead_code, reason = "each test uses a part of the rig")]

use std::collections::BTreeMap;

use kneepoint_core::measure::confidence::DriftBefore;
use kneepoint_core::measure::point::point_result;
use kneepoint_core::measure::{Instrument, Outcome, Point, Unwatched};
use kneepoint_core::plan::{
    Arrivals, Caching, Engine, EnginePlan, OpenLoop, PLAN_SCHEMA, Plan, SeriesPlan, StopRule,
    TargetKind, TargetPlan, Timing,
};
use kneepoint_core::result::PointResult;
use kneepoint_core::spec::catalog;
use kneepoint_core::spec::grid::{LoadGrid, SearchPlan};
use kneepoint_core::words::load::{LoadLevel, LoadUnit};
use kneepoint_core::words::units::Nanos;
use kneepoint_sim::{SimInstrument, SimTarget};

/// What is measured, as in the papers: a profile and a block size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) profile: &'static str,
    /// Where the profile's own is not meant.
    pub(crate) block: Option<&'static str>,
    /// I/Os per array.
    pub(crate) outstanding: u32,
}

/// `outstanding` I/Os of `profile` with blocks of `block`.
pub(crate) const fn load(profile: &'static str, block: &'static str, outstanding: u32) -> Load {
    Load { profile, block: Some(block), outstanding }
}

/// Measures `load` on `target` for `seconds` after half a second.
pub(crate) fn measure(target: &str, load: Load, seconds: u64) -> (PointResult, Outcome) {
    let plan = plan(target, load, seconds);
    let level = LoadLevel::outstanding(load.outstanding);
    let point = Point {
        plan: &plan,
        series: &plan.series[0],
        load: level,
        repetition: 0,
        visit: None,
        before: DriftBefore::default(),
    };
    let outcome = SimInstrument::new(&plan).unwrap().run_point(&point, &mut Unwatched).unwrap();
    (point_result(&point, &outcome), outcome)
}

/// IO/s of `load` on `target`.
pub(crate) fn iops(target: &str, load: Load) -> f64 {
    measure(target, load, 4).0.rate.mean
}

/// MiB/s of `load` on `target`.
pub(crate) fn mib_s(target: &str, load: Load) -> f64 {
    measure(target, load, 4).0.mib_s().unwrap_or(0.0)
}

/// A plan of one point.
pub(crate) fn plan(target: &str, load: Load, seconds: u64) -> Plan {
    let profile = catalog::profile(load.profile).unwrap();
    let block = load.block.map(|block| block.parse().unwrap());
    let series = SeriesPlan {
        name: load.profile.to_owned(),
        profile: profile.resolve(block).unwrap(),
        factors: BTreeMap::new(),
        settings: BTreeMap::new(),
        loads: LoadGrid {
            unit: LoadUnit::OutstandingIos,
            levels: vec![f64::from(load.outstanding)],
        },
        search: SearchPlan::Grid,
        together: None,
    };
    Plan {
        schema: PLAN_SCHEMA.to_owned(),
        work: "test".to_owned(),
        title: "Test".to_owned(),
        seed: 1,
        targets: SimTarget::expand(target, &|_| unreachable!())
            .unwrap()
            .iter()
            .map(|name| target_plan(name))
            .collect(),
        first_target: 0,
        share: kneepoint_core::plan::HostShare::WHOLE,
        engine: EnginePlan {
            engine: Engine::Sim,
            caching: Caching::Direct,
            memory_pages: None,
            workers: 1,
        },
        series: vec![series],
        factors: None,
        repetitions: 1,
        rounds: None,
        rules: Vec::new(),
        reference: None,
        target_class: None,
        open_loop: OpenLoop { arrivals: Arrivals::Exponential, in_flight_max: 64 },
        precondition: None,
        verification: None,
        timing: Timing {
            ramp: Nanos::from_millis(500),
            interval: Nanos::from_millis(100),
            stop: StopRule::FixedTime { measure: Nanos::from_secs(seconds) },
            drain_max: Nanos::from_secs(3600),
        },
        errors_max: 0,
        foreign_cpu_max: None,
        file_copy: None,
        omissions: Vec::new(),
    }
}

fn target_plan(name: &str) -> TargetPlan {
    TargetPlan {
        target: name.to_owned(),
        host: String::new(),
        kind: TargetKind::Sim,
        size_bytes: SimTarget::parse(name).unwrap().size.0,
        alignment_bytes: 1,
    }
}
