//! The smallest system of a shape that sustains a load.

use kneepoint_core::analysis::summarize;
use kneepoint_core::plan::SeriesPlan;
use kneepoint_core::result::PointResult;
use kneepoint_core::spec::grid::{KneeGoal, KneePlan, LoadGrid, SearchPlan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::units::{Bytes, Percent};

use super::demand::{Demand, MARGIN_UNCALIBRATED_PERCENT};
use super::shape::Shape;
use crate::system::System;
use crate::system::setting::Calibration;
use crate::trial::{Effort, Trial, rising, series_plan};

/// Outstanding I/Os per array up to which it is measured what a candidate sustains.
const OUTSTANDING_MAX: f64 = 512.0;

/// A system that sustains the load.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The smallest system of its shape.
    pub found: Found,
    /// Mean response time at the load that is asked for, ms.
    pub response_ms: f64,
    /// I/Os per second that it sustains at the rule.
    pub sustained_iops: f64,
    /// That above what is asked for, percent.
    pub headroom_percent: f64,
    /// The kind of part that is busiest there, with its utilisation.
    pub limit: String,
}

/// The smallest system of a shape that does what is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The name of its target: what `kneepoint run` takes.
    pub target: String,
    /// Everything but its number of drives.
    pub shape: Shape,
    /// The system.
    pub system: System,
    /// The drive's name.
    pub drive: String,
    /// All drives.
    pub drives: u32,
    /// Bytes that can be stored on all of them.
    pub usable: Bytes,
    /// Share of each drive's capacity that holds the data, percent.
    pub stroke_percent: f64,
    /// Added to the load before it was tried, percent.
    pub margin_percent: f64,
}

/// The smallest system of `shape` with at most `drives_max` drives that does what `demand` asks;
/// `None` where there is none.
///
/// # Errors
/// When the load does not fit the system.
pub fn smallest(shape: &Shape, demand: &Demand, drives_max: u32) -> Result<Option<Found>, Fault> {
    let counts = shape.counts(drives_max);
    let mut failing = 0;
    let mut meeting = counts.len();
    while failing < meeting {
        let middle = usize::midpoint(failing, meeting);
        match meets(shape, demand, counts[middle])? {
            true => meeting = middle,
            false => failing = middle + 1,
        }
    }
    Ok(counts.get(meeting).and_then(|drives| found(shape, demand, *drives)))
}

/// Whether this many drives hold the capacity and meet the rule at the load and its margin.
fn meets(shape: &Shape, demand: &Demand, drives: u32) -> Result<bool, Fault> {
    let Some(found) = found(shape, demand, drives) else { return Ok(false) };
    let rate = demand.iops * (1.0 + found.margin_percent / 100.0);
    let point = offered(&found.system, demand, rate)?;
    Ok(point.is_some_and(|point| sustains(&point, demand)))
}

/// The system with `drives` drives; `None` where the data do not fit.
pub(super) fn found(shape: &Shape, demand: &Demand, drives: u32) -> Option<Found> {
    let mut whole = shape.with(drives, 100.0)?;
    whole.layout.file = None;
    let usable: u64 = (0..whole.array_count()).map(|array| whole.array_bytes(array).0).sum();
    let needed = demand.capacity.map(|capacity| 100.0 * capacity.0 as f64 / usable as f64);
    if needed.is_some_and(|percent| percent > 100.0) {
        return None;
    }
    let stroke_percent = demand.stroke_percent.or(needed).unwrap_or(100.0).clamp(0.1, 100.0);
    let mut system = shape.with(drives, stroke_percent)?;
    system.layout.file = None;
    let margin_percent = demand.margin_percent.unwrap_or_else(|| margin_percent(&system));
    Some(Found {
        target: shape.target_with(drives, stroke_percent),
        shape: shape.clone(),
        drive: shape.drive.clone(),
        drives,
        usable: Bytes(usable),
        stroke_percent,
        margin_percent,
        system,
    })
}

/// The model's own error, percent.
fn margin_percent(system: &System) -> f64 {
    match (&system.validation, system.calibration) {
        (Some(validation), Calibration::Calibrated) => validation.mean_error_percent,
        _ => MARGIN_UNCALIBRATED_PERCENT,
    }
}

/// The point at which `rate` I/Os per second are offered to all arrays together.
fn offered(system: &System, demand: &Demand, rate: f64) -> Result<Option<PointResult>, Fault> {
    let arrays = f64::from(system.array_count());
    let loads = LoadGrid { unit: LoadUnit::OfferedIops, levels: vec![rate / arrays] };
    let plan = series_plan("offered", &demand.profile, Vec::new(), SearchPlan::Grid);
    let series = vec![SeriesPlan { loads, ..plan }];
    let points = Trial { system, series, rules: Vec::new() }.measure(&Effort::comparison())?;
    Ok(points.into_iter().next())
}

/// Whether a point meets the rule without falling behind.
fn sustains(point: &PointResult, demand: &Demand) -> bool {
    let is_overloaded = point.open_loop.is_some_and(|open| open.overloaded);
    let limit = demand.rule.line_ms();
    !is_overloaded && limit.is_some_and(|(metric, limit)| point.latency_ms.of(metric) <= limit)
}

/// Measures what a system does beyond what is asked.
///
/// # Errors
/// When the load does not fit the system.
pub fn candidate(found: &Found, demand: &Demand) -> Result<Candidate, Fault> {
    let asked = offered(&found.system, demand, demand.iops)?;
    let sustained = sustained(&found.system, demand)?;
    Ok(Candidate {
        found: found.clone(),
        response_ms: asked.and_then(|point| demand.rule.value_ms(&point)).unwrap_or(f64::NAN),
        sustained_iops: sustained.iops,
        headroom_percent: 100.0 * (sustained.iops / demand.iops - 1.0),
        limit: sustained.limit,
    })
}

/// What a system sustains, and what limits it there.
pub(super) struct SustainedLoad {
    /// I/Os per second; the highest that was measured where no load breaks the rule.
    pub(super) iops: f64,
    /// The busiest kind of part.
    pub(super) limit: String,
}

/// The highest load in a closed loop that meets the rule of `demand`.
pub(super) fn sustained(system: &System, demand: &Demand) -> Result<SustainedLoad, Fault> {
    let effort = Effort::comparison();
    let tolerance = Percent::new(3.0 * effort.accuracy.get()).unwrap_or(Percent::FULL);
    let search = SearchPlan::Knee(KneePlan { goal: KneeGoal::Rules, tolerance });
    let levels = [&[1.0], &rising(OUTSTANDING_MAX)[..]].concat();
    let series = vec![series_plan("sustained", &demand.profile, levels, search)];
    let points = Trial { system, series, rules: vec![demand.rule] }.measure(&effort)?;
    let summaries = summarize(&points, &[demand.rule]);
    let crossing = summaries.first().and_then(|summary| summary.sustained.met()?.rate);
    let best = points.iter().max_by(|a, b| a.rate.mean.total_cmp(&b.rate.mean));
    let iops = crossing.map_or_else(|| best.map_or(0.0, |point| point.rate.mean), |rate| rate.mean);
    // The busiest part shows best at the point nearest to the crossing.
    let nearest = points
        .iter()
        .min_by(|a, b| (a.rate.mean - iops).abs().total_cmp(&(b.rate.mean - iops).abs()));
    let part = nearest.and_then(|point| point.simulated.as_ref()?.bottleneck());
    let limit = part
        .map_or_else(String::new, |part| format!("{} {:.0} %", part.name, part.highest_percent));
    Ok(SustainedLoad { iops, limit })
}
