//! A measurement of one simulated system outside of a run: what validation, calibration and sizing
//! have in common.

use std::cell::Cell;
use std::collections::BTreeMap;

use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{
    Keeper, KeptPlace, Memory, Observer, Outcome, Ready, Run, Stop, Testbed, Unwatched,
};
use kneepoint_core::plan::resolve::{Draft, Site, Wishes, timing};
use kneepoint_core::plan::{Plan, SeriesPlan, Timing};
use kneepoint_core::result::{Environment, PointResult, Warning};
use kneepoint_core::spec::grid::{LoadGrid, SearchPlan};
use kneepoint_core::spec::profile::{ResolvedProfile, SeriesProfile};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Rule;
use kneepoint_core::words::units::{Nanos, Percent};

use crate::system::System;
use crate::system::setting::WriteCache;
use crate::testbed::SimTestbed;

/// The seed of every trial: all systems and all values of parameters see the same random numbers.
const SEED: u64 = 1;

/// A search rises over loads that grow by this factor, from the second on.
const RISE: f64 = 4.0;

/// I/Os per second of an array that the first point of a trial counts on when it decides how long
/// it may take.
const RATE_EXPECTED: f64 = 1000.0;

/// A point of writes to a write-back cache goes on for this many times more I/Os than others, and
/// for [`WRITE_BACK_MIN`] at least: destaging comes in waves.
const WRITE_BACK_FACTOR: f64 = 2.0;

/// Shortest virtual time to measure writes to a write-back cache.
const WRITE_BACK_MIN: Nanos = Nanos::from_secs(4);

/// Shortest ramp there.
const WRITE_BACK_RAMP: Nanos = Nanos::from_secs(1);

/// I/Os in flight come back in virtual time, however long they take.
const DRAIN_MAX: Nanos = Nanos::from_secs(3600);

/// Shortest ramp; the data can make it longer.
const RAMP: Nanos = Nanos::from_millis(400);

/// How exactly a system is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Half-width of the 95 % confidence intervals at which a point ends.
    pub accuracy: Percent,
    /// Shortest ramp; the data can make it longer.
    pub ramp: Nanos,
    /// Shortest virtual time to measure at each point.
    pub measure_min: Nanos,
    /// Longest.
    pub measure_max: Nanos,
    /// A point ends at the latest when about this many I/Os have completed, but not before
    /// `measure_min`.
    pub operations_max: f64,
}

impl Effort {
    /// The effort of a validation: 1 % at each point.
    ///
    /// # Panics
    /// Never: the numbers are in range.
    pub fn validation() -> Self {
        Self {
            accuracy: Percent::new(1.0).expect("1 % is a share"),
            ramp: RAMP,
            measure_min: Nanos::from_secs(1),
            measure_max: Nanos::from_secs(40),
            operations_max: 60_000.0,
        }
    }

    /// The effort of a trial of a calibration: fewer I/Os, as every trial sees the same ones.
    ///
    /// # Panics
    /// Never: the numbers are in range.
    pub fn calibration() -> Self {
        Self {
            accuracy: Percent::new(2.0).expect("2 % is a share"),
            measure_max: Nanos::from_secs(20),
            operations_max: 20_000.0,
            ..Self::validation()
        }
    }

    /// The effort of a comparison of many systems: 3 % at each point.
    ///
    /// # Panics
    /// Never: the numbers are in range.
    pub fn comparison() -> Self {
        Self {
            accuracy: Percent::new(3.0).expect("3 % is a share"),
            measure_max: Nanos::from_secs(10),
            operations_max: 8_000.0,
            ..Self::validation()
        }
    }

    /// The phases of a point in which about `rate` I/Os per second complete.
    fn timing(&self, rate: f64) -> Result<Timing, Fault> {
        Ok(Timing { drain_max: DRAIN_MAX, ..timing(&self.wishes(rate), None)? })
    }

    /// The wishes for a point in which about `rate` I/Os per second complete.
    fn wishes(&self, rate: f64) -> Wishes {
        let enough = Nanos::from_secs_f64(self.operations_max / rate.max(1.0));
        Wishes {
            accuracy: Some(self.accuracy),
            ramp: Some(self.ramp),
            min_time: Some(self.measure_min),
            max_time: Some(enough.clamp(self.measure_min, self.measure_max)),
            ..Wishes::default()
        }
    }
}

/// A system and what is measured on it.
#[derive(Debug, Clone)]
pub struct Trial<'a> {
    /// The system; each of its arrays is a target.
    pub system: &'a System,
    /// The series to measure.
    pub series: Vec<SeriesPlan>,
    /// Rules that searches look for.
    pub rules: Vec<Rule>,
}

impl Trial<'_> {
    /// Measures every point that the series ask for.
    ///
    /// # Errors
    /// When a load does not fit the system, or a point failed.
    pub fn measure(&self, effort: &Effort) -> Result<Vec<PointResult>, Fault> {
        let effort = self.adapted(effort);
        let systems = SimTestbed::of_system(self.system)?;
        let plan = self.plan(&effort, &systems)?;
        let rate = Cell::new(plan.targets.len() as f64 * RATE_EXPECTED);
        let mut bench = Bench { systems, plan: plan.clone(), effort, rate: &rate };
        let mut rated = Rated { memory: Memory::default(), rate: &rate };
        let measured = Run::new(&plan).measure(&mut bench, &mut rated, &mut Unwatched);
        match measured.err().and_then(Stop::into_fault) {
            None => Ok(rated.memory.points),
            Some(fault) => Err(fault),
        }
    }

    /// More effort where a write-back cache is written: destaging comes in waves.
    fn adapted(&self, effort: &Effort) -> Effort {
        let is_cached = self.system.settings.write_cache != WriteCache::Off
            && self.series.iter().any(|series| series.profile.writes());
        match is_cached {
            false => *effort,
            true => Effort {
                ramp: WRITE_BACK_RAMP,
                measure_min: WRITE_BACK_MIN.max(effort.measure_min),
                measure_max: WRITE_BACK_MIN.max(effort.measure_max),
                operations_max: WRITE_BACK_FACTOR * effort.operations_max,
                ..*effort
            },
        }
    }

    fn plan(&self, effort: &Effort, systems: &SimTestbed<'_>) -> Result<Plan, Fault> {
        let wishes = Wishes {
            rules: self.rules.clone(),
            seed: SEED,
            errors_max: 0,
            ..effort.wishes(self.system.array_count().into())
        };
        let names = (self.system.name.as_str(), self.system.title.as_str());
        Draft::of_series(names, self.series.clone(), &wishes)?.resolve(&systems.site(&wishes))
    }
}

/// A system on which each point lasts as long as the rate of the one before says.
struct Bench<'a> {
    systems: SimTestbed<'a>,
    plan: Plan,
    effort: Effort,
    /// I/Os per second of the last point.
    rate: &'a Cell<f64>,
}

impl Testbed for Bench<'_> {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        self.systems.site(wishes)
    }

    fn prepare<'a>(
        &'a mut self,
        _plan: &'a Plan,
        next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        self.plan.timing = self.effort.timing(self.rate.get())?;
        self.systems.prepare(&self.plan, next, observer)
    }

    fn environment(&self, plan: &Plan) -> Environment {
        self.systems.environment(plan)
    }
}

/// Keeps the points, and tells the bench their rate.
struct Rated<'a> {
    memory: Memory,
    rate: &'a Cell<f64>,
}

impl Keeper for Rated<'_> {
    fn points(&self) -> &[PointResult] {
        self.memory.points()
    }

    fn keep(
        &mut self,
        result: PointResult,
        outcome: &Outcome,
        place: KeptPlace,
    ) -> Result<(), Fault> {
        self.rate.set(result.rate.mean);
        self.memory.keep(result, outcome, place)
    }

    fn warn(&mut self, warnings: &[Warning]) -> Result<(), Fault> {
        self.memory.warn(warnings)
    }
}

/// A series of a closed loop: outstanding I/Os per array.
pub fn series_plan(
    name: &str,
    profile: &ResolvedProfile,
    levels: Vec<f64>,
    search: SearchPlan,
) -> SeriesPlan {
    SeriesPlan {
        name: name.to_owned(),
        profile: SeriesProfile::Storage(profile.clone()),
        factors: BTreeMap::new(),
        settings: BTreeMap::new(),
        loads: LoadGrid { unit: LoadUnit::OutstandingIos, levels },
        search,
        together: None,
    }
}

/// Loads from 2 to `last`, each four times the one before: few points until a bracket is found.
pub fn rising(last: f64) -> Vec<f64> {
    let mut levels: Vec<f64> = Vec::new();
    let mut level = 2.0;
    while level < last {
        levels.push(level);
        level *= RISE;
    }
    levels.push(last);
    levels
}
