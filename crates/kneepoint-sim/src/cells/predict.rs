//! The number that a simulated system puts in place of a published one, and how far it is from
//! that.
//!
//! A series of cells is measured as a run would measure it: the product's search raises the load on
//! all arrays until the rule is broken and narrows the bracket, its confidence rule ends each
//! point, and its analysis reads the curve off. All systems and all parameter values see the same
//! random numbers, so that two predictions differ by what is simulated and not by chance.

use kneepoint_core::analysis::summarize;
use kneepoint_core::plan::SeriesPlan;
use kneepoint_core::result::{PointResult, SustainedStatus};
use kneepoint_core::spec::grid::{KneeGoal, KneePlan, SearchPlan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::rule::Rule;
use kneepoint_core::words::units::Percent;

use super::cell::{CellSeries, Criterion};
use crate::system::System;
use crate::trial::{Effort, Trial, rising, series_plan};

/// The name of all series of a curve.
const CURVE: &str = "curve";

/// Where the peak is asked for, this many of the highest levels are measured in any case.
const PEAK_LEVELS: usize = 2;

/// The search ends when the throughputs on both sides of a rule differ by no more than this many
/// times the accuracy of a point: between them the curve is straight enough.
const TOLERANCE: f64 = 4.0;

/// The number of a simulated system in place of a published one.
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
    let levels = rising(f64::from(series.first.outstanding_max));
    let measure = |levels: Vec<f64>| {
        let series_plans = series_plans(series, levels, effort);
        Trial { system, series: series_plans, rules: series.rules() }.measure(effort)
    };
    let mut points = measure(levels.clone())?;
    if series.rules().iter().any(|rule| breaks_at_once(&points, rule)) {
        points = measure([&[1.0], &levels[..]].concat())?;
    }
    series.criteria.iter().map(|criterion| read_off(&points, *criterion)).collect()
}

/// True if the smallest load that was measured breaks a rule.
fn breaks_at_once(points: &[PointResult], rule: &Rule) -> bool {
    let summaries = summarize(points, &[*rule]);
    summaries.iter().any(|summary| summary.sustained.status == SustainedStatus::NoneMeets)
}

/// A search for the rules over `levels`, and the loads that must be measured whatever it finds.
/// Both bear one name: a load that both need is measured once, and all points are one curve.
fn series_plans(series: &CellSeries<'_>, levels: Vec<f64>, effort: &Effort) -> Vec<SeriesPlan> {
    let mut plans = Vec::new();
    let profile = &series.first.profile;
    let mut fixed: Vec<f64> = series.loads().into_iter().map(f64::from).collect();
    if series.criteria.contains(&Criterion::Peak) {
        fixed.extend(levels.iter().rev().take(PEAK_LEVELS));
    }
    fixed.sort_by(f64::total_cmp);
    fixed.dedup();
    if !series.rules().is_empty() {
        let tolerance = Percent::new(TOLERANCE * effort.accuracy.get()).unwrap_or(Percent::FULL);
        let knee = KneePlan { goal: KneeGoal::Rules, tolerance, answer: None };
        plans.push(series_plan(CURVE, profile, levels, SearchPlan::Knee(knee)));
    }
    if !fixed.is_empty() {
        plans.push(series_plan(CURVE, profile, fixed, SearchPlan::Grid));
    }
    plans
}

/// The number of the curve through all points at a criterion.
fn read_off(points: &[PointResult], criterion: Criterion) -> Result<Prediction, Fault> {
    let point = match criterion {
        Criterion::Rule(rule) => return at_rule(points, rule),
        Criterion::Outstanding(load) => {
            points.iter().find(|point| point.load == LoadLevel::outstanding(load))
        }
        Criterion::Peak => best(points),
    };
    point.map(|point| of_point(point, None)).ok_or_else(nothing_measured)
}

fn at_rule(points: &[PointResult], rule: Rule) -> Result<Prediction, Fault> {
    let summaries = summarize(points, &[rule]);
    let sustained =
        summaries.first().map(|summary| summary.sustained).ok_or_else(nothing_measured)?;
    let outermost = |remark: String| {
        let by_load = |a: &&PointResult, b: &&PointResult| a.load.value.total_cmp(&b.load.value);
        let point = match sustained.status {
            SustainedStatus::NoneMeets => points.iter().min_by(by_load),
            _ => best(points),
        };
        point.map(|point| of_point(point, Some(remark))).ok_or_else(nothing_measured)
    };
    match (sustained.status, sustained.rate, sustained.volume) {
        (SustainedStatus::Met, Some(rate), Some(volume)) => {
            Ok(Prediction { iops: rate.mean, mib_s: volume.mean, remark: None })
        }
        (SustainedStatus::NoneMeets, ..) => {
            outermost(format!("even one outstanding I/O breaks {rule}; that one is given"))
        }
        _ => outermost(format!("no load of the range breaks {rule}; the highest number is given")),
    }
}

/// The point of highest throughput; of equals the one with the lower load.
fn best(points: &[PointResult]) -> Option<&PointResult> {
    let better = |best: &&PointResult, next: &&PointResult| next.rate.mean > best.rate.mean;
    points.iter().reduce(|best, next| if better(&best, &next) { next } else { best })
}

fn of_point(point: &PointResult, remark: Option<String>) -> Prediction {
    Prediction { iops: point.rate.mean, mib_s: point.mib_s().unwrap_or(0.0), remark }
}

fn nothing_measured() -> Fault {
    Fault::new("nothing was measured").because("the series has no criterion")
}

/// Predictions that differ by at most this from the published number are close, in percent.
pub const CLOSE_PERCENT: f64 = 10.0;

/// Errors of a set of cells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score {
    /// Cells that were predicted.
    pub cells: usize,
    /// Mean of the absolute errors, percent.
    pub mean_abs_error_percent: f64,
    /// Their median, percent.
    pub median_abs_error_percent: f64,
    /// Share of cells with an absolute error of at most [`CLOSE_PERCENT`], percent.
    pub within_10_percent: f64,
    /// The largest absolute error, percent.
    pub max_abs_error_percent: f64,
}

impl Score {
    /// The score of signed errors in percent; all zero where there are none.
    pub fn of(errors_percent: impl IntoIterator<Item = f64>) -> Self {
        let mut sizes: Vec<f64> = errors_percent.into_iter().map(f64::abs).collect();
        sizes.sort_by(f64::total_cmp);
        let count = sizes.len();
        let Some(max) = sizes.last().copied() else { return Self::default() };
        let close = sizes.iter().filter(|size| **size <= CLOSE_PERCENT).count();
        Self {
            cells: count,
            mean_abs_error_percent: sizes.iter().sum::<f64>() / count as f64,
            median_abs_error_percent: (sizes[(count - 1) / 2] + sizes[count / 2]) / 2.0,
            within_10_percent: 100.0 * close as f64 / count as f64,
            max_abs_error_percent: max,
        }
    }
}

/// The error of a prediction in percent of the published number; positive where it is too high.
pub fn error_percent(predicted: f64, published: f64) -> f64 {
    100.0 * (predicted / published - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_few_errors() {
        let score = Score::of([-4.0, 2.0, 20.0, -10.0]);
        assert_eq!(score.cells, 4);
        assert_eq!(score.mean_abs_error_percent, 9.0);
        assert_eq!(score.median_abs_error_percent, 7.0);
        assert_eq!(score.within_10_percent, 75.0);
        assert_eq!(score.max_abs_error_percent, 20.0);
        assert_eq!(Score::of([3.0]).median_abs_error_percent, 3.0);
        assert_eq!(Score::of([]), Score::default());
        assert_eq!(error_percent(110.0, 100.0).round(), 10.0);
    }
}
