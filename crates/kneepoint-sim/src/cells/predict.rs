//! The number that a simulated system puts in place of a published one.
//!
//! A series of cells is measured as a run would measure it: the product's search raises the load on
//! all arrays until the rule is broken and narrows the bracket, its confidence rule ends each
//! point, and its analysis reads the curve off. All systems and all parameter values see the same
//! random numbers, so that two predictions differ by what is simulated and not by chance.

use std::collections::BTreeMap;

use kneepoint_core::analysis::summarize;
use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Point, Unwatched};
use kneepoint_core::load::LoadUnit;
use kneepoint_core::plan::{
    Arrivals, Caching, Engine, EnginePlan, KneeGoal, KneePlan, LoadGrid, OpenLoop, PLAN_SCHEMA,
    Plan, SearchPlan, SeriesPlan, StopRule, TargetKind, TargetPlan, Timing,
};
use kneepoint_core::point::point_result;
use kneepoint_core::result::{PointResult, SustainedStatus, Verdict};
use kneepoint_core::rule::Rule;
use kneepoint_core::search::{NextPoint, next_point};
use kneepoint_core::units::{Nanos, Percent};

use super::criterion::Criterion;
use super::series::CellSeries;
use crate::SimInstrument;
use crate::system::System;
use crate::target::SimTarget;

/// The seed of every prediction.
const SEED: u64 = 1;

/// The search rises over loads that grow by this factor.
const RISE: f64 = 3.0;

/// Where the peak is asked for, the load range is measured at these shares of its end.
const PEAK_SHARES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// Length of the recorder's intervals.
const INTERVAL: Nanos = Nanos::from_millis(20);

/// Shortest ramp; the data can make it longer.
const RAMP: Nanos = Nanos::from_millis(400);

/// How exactly a prediction is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Half-width of the 95 % confidence intervals at which a point ends.
    pub accuracy: Percent,
    /// Shortest virtual time to measure at each point.
    pub measure_min: Nanos,
    /// Longest.
    pub measure_max: Nanos,
}

impl Effort {
    /// What a table is validated with: 1 % at each point.
    ///
    /// # Panics
    /// Never: the numbers are in range.
    pub fn validation() -> Self {
        Self {
            accuracy: Percent::new(1.0).expect("1 % is a share"),
            measure_min: Nanos::from_secs(1),
            measure_max: Nanos::from_secs(30),
        }
    }
}

/// What a system does in place of a published number.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// I/Os per second of all arrays.
    pub iops: f64,
    /// Throughput of all arrays, MiB/s.
    pub mib_s: f64,
    /// Why the number is not what the criterion asks for, where it is not.
    pub remark: Option<String>,
}

/// Measures the curve of `series` on `system` and reads it off at each of its criteria.
///
/// # Errors
/// When the load does not fit the system, or a point failed.
pub fn predict(
    system: &System,
    series: &CellSeries<'_>,
    effort: &Effort,
) -> Result<Vec<Prediction>, Fault> {
    let targets = targets_of(system)?;
    let plan = plan(&targets, series, effort);
    let points = measure(&plan, SimInstrument::of_targets(targets)?)?;
    series.criteria.iter().map(|criterion| read_off(&points, *criterion)).collect()
}

/// One target per array.
fn targets_of(system: &System) -> Result<Vec<SimTarget>, Fault> {
    (0..system.array_count())
        .map(|array| {
            SimTarget::of_system(&format!("sim:{}#{array}", system.name), system.clone(), array)
        })
        .collect()
}

/// Measures every point that the plan's searches ask for.
fn measure(plan: &Plan, instrument: SimInstrument) -> Result<Vec<PointResult>, Fault> {
    let mut instrument = instrument;
    let mut measured = Vec::new();
    while let Some(NextPoint { series, load, repetition }) = next_point(plan, &measured) {
        let point = Point { plan, series, load, repetition };
        let outcome = instrument.run_point(&point, &mut Unwatched)?;
        let result = point_result(&point, &outcome);
        if result.verdict == Verdict::Failed {
            return Err(Fault::new(format!("the point at {load} failed"))
                .because(result.warnings.join("; ")));
        }
        measured.push(result);
    }
    Ok(measured)
}

fn plan(targets: &[SimTarget], series: &CellSeries<'_>, effort: &Effort) -> Plan {
    let target = |target: &SimTarget| TargetPlan {
        target: target.name.clone(),
        kind: TargetKind::Sim,
        size_bytes: target.size.0,
        alignment_bytes: 1,
    };
    let drift = Percent::new(2.0 * effort.accuracy.get()).unwrap_or(Percent::FULL);
    Plan {
        schema: PLAN_SCHEMA.to_owned(),
        work: series.first.profile.name.clone(),
        title: series.first.profile.title.clone(),
        seed: SEED,
        targets: targets.iter().map(target).collect(),
        engine: EnginePlan { engine: Engine::Sim, caching: Caching::Direct, workers: 1 },
        series: series_plans(series, effort),
        repetitions: 1,
        rules: series.rules(),
        open_loop: OpenLoop { arrivals: Arrivals::Exponential, in_flight_max: 1024 },
        precondition: None,
        timing: Timing {
            ramp: RAMP,
            interval: INTERVAL,
            stop: StopRule::Confidence {
                accuracy: effort.accuracy,
                drift,
                measure_min: effort.measure_min,
                measure_max: effort.measure_max,
            },
            drain_max: Nanos::from_secs(3600),
        },
        errors_max: 0,
        omissions: Vec::new(),
    }
}

/// A search for the rules, and the loads that must be measured whatever it finds.
fn series_plans(series: &CellSeries<'_>, effort: &Effort) -> Vec<SeriesPlan> {
    let outstanding_max = f64::from(series.first.outstanding_max);
    let mut plans = Vec::new();
    let plan = |name: &str, levels: Vec<f64>, search: SearchPlan| SeriesPlan {
        name: name.to_owned(),
        profile: series.first.profile.clone(),
        factors: BTreeMap::new(),
        loads: LoadGrid { unit: LoadUnit::OutstandingIos, levels },
        search,
    };
    let mut fixed: Vec<f64> = series.loads().into_iter().map(f64::from).collect();
    if series.wants_peak() {
        fixed.extend(PEAK_SHARES.map(|share| (share * outstanding_max).round()));
    }
    fixed.sort_by(f64::total_cmp);
    fixed.dedup();
    if !fixed.is_empty() {
        plans.push(plan("fixed", fixed, SearchPlan::Grid));
    }
    if !series.rules().is_empty() {
        let tolerance = Percent::new(2.5 * effort.accuracy.get()).unwrap_or(Percent::FULL);
        let knee = KneePlan { goal: KneeGoal::Rules, tolerance };
        plans.push(plan("knee", rising(outstanding_max), SearchPlan::Knee(knee)));
    }
    plans
}

/// Loads from 1 to `last`, each about [`RISE`] times the one before.
fn rising(last: f64) -> Vec<f64> {
    let mut levels: Vec<f64> = Vec::new();
    let mut level = 1.0;
    while level < last {
        levels.push(level);
        level *= RISE;
    }
    levels.push(last);
    levels
}

/// The number of the curve through all points at a criterion.
fn read_off(points: &[PointResult], criterion: Criterion) -> Result<Prediction, Fault> {
    match criterion {
        Criterion::Rule(rule) => at_rule(points, rule),
        Criterion::Outstanding(load) => points
            .iter()
            .find(|point| point.outstanding == Some(load))
            .map(|point| of_point(point, None))
            .ok_or_else(nothing_measured),
        Criterion::Peak => {
            best(points).map(|point| of_point(point, None)).ok_or_else(nothing_measured)
        }
    }
}

fn at_rule(points: &[PointResult], rule: Rule) -> Result<Prediction, Fault> {
    let one_curve: Vec<PointResult> =
        points.iter().map(|point| PointResult { series: String::new(), ..point.clone() }).collect();
    let summaries = summarize(&one_curve, &[rule]);
    let sustained =
        summaries.first().map(|summary| summary.sustained).ok_or_else(nothing_measured)?;
    let outermost = |remark: String| {
        let by_load =
            |a: &&PointResult, b: &&PointResult| a.load().value.total_cmp(&b.load().value);
        let point = match sustained.status {
            SustainedStatus::BelowFirst => points.iter().min_by(by_load),
            _ => best(points),
        };
        point.map(|point| of_point(point, Some(remark))).ok_or_else(nothing_measured)
    };
    match (sustained.status, sustained.iops, sustained.throughput_mib_s) {
        (_, Some(iops), Some(mib_s)) => Ok(Prediction { iops, mib_s, remark: None }),
        (SustainedStatus::BelowFirst, ..) => {
            outermost(format!("even one outstanding I/O breaks {rule}; that one is given"))
        }
        _ => outermost(format!("no load of the range breaks {rule}; the highest number is given")),
    }
}

/// The point of highest throughput; of equals the one with the lower load.
fn best(points: &[PointResult]) -> Option<&PointResult> {
    let better = |best: &&PointResult, next: &&PointResult| next.iops.mean > best.iops.mean;
    points.iter().reduce(|best, next| if better(&best, &next) { next } else { best })
}

fn of_point(point: &PointResult, remark: Option<String>) -> Prediction {
    Prediction { iops: point.iops.mean, mib_s: point.throughput_mib_s.mean, remark }
}

fn nothing_measured() -> Fault {
    Fault::new("nothing was measured").because("the series has no criterion")
}
