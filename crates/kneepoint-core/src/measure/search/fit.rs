//! Where the visits of a series cross a rule, from all of them near the crossing.
//!
//! Over a narrow range of loads response time is a straight line (in an open loop its reciprocal
//! is: exactly so in an M/M/1 queue), and so is throughput. Both lines are least-squares fits over
//! the same visits. Their errors are not independent: with a fixed number of outstanding I/Os a
//! visit with too high a throughput has too low a response time. So the error of a number at the
//! crossing is taken from one combination of both, number - k x response time, whose slope over the
//! load is zero if k is the quotient of the two slopes (the calibration problem of linear
//! regression; N. Draper and H. Smith, "Applied Regression Analysis", 1998, section 3.2).
//!
//! The scatter is that between visits, not that within them: a target that changes from one visit
//! to the next makes the interval wider, as it should. What changes more slowly than that makes
//! neighbouring visits alike; their correlation widens the interval as it does for batch means.

use std::collections::BTreeMap;

use crate::measure::confidence::two_sided_quantile;
use crate::measure::search::is_overloaded;
use crate::result::PointResult;
use crate::words::rule::{Metric, Rule};

/// A fit takes in the loads that differ from the crossing by no more than this share of it.
const WINDOW: f64 = 0.15;

/// The response time that an overloaded visit is taken to have: one that breaks every rule.
const OVERLOADED_MS: f64 = 1e9;

/// Correlation of neighbouring visits above this says that almost nothing is known.
const CORRELATION_MAX: f64 = 0.9;

/// This many neighbouring visits are taken together to see slow changes...
const BATCHES: [usize; 3] = [2, 4, 8];

/// ... if that leaves this many batches.
const BATCHES_MIN: usize = 5;

/// Standard deviation of what changes more slowly than a search takes, as a share of the number. No
/// visit sees it, and without it an interval may be narrower than what the next search gives.
const UNSEEN: f64 = 0.01;

/// The same of real targets. Searches one after another on a file of a quiet virtual machine differed
/// by this much more than their visits told; see docs/confidence.md.
const UNSEEN_OF_REAL: f64 = 0.02;

/// Steps in which the tangents of a bent scale are found: each leaves about the square of the error.
const TANGENTS: usize = 5;

/// A queue is always full if what was achieved over all visits differs from what was asked for by no
/// more than this share.
const FULL_WITHIN: f64 = 0.02;

/// A number from several visits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimated {
    /// The number.
    pub(crate) mean: f64,
    /// Its standard error; `None` if there are too few visits.
    pub(crate) error: Option<f64>,
    /// Degrees of freedom of the error, at least 1.
    pub(crate) dof: f64,
}

impl Estimated {
    /// The upper end of the 95 % confidence interval for a `side` of 1, the lower one for -1.
    pub(super) fn end(&self, side: f64) -> f64 {
        self.mean * (1.0 + side * self.relative_width())
    }

    /// Half-width of the 95 % confidence interval as a share of the number; infinite if it is not
    /// known.
    pub(crate) fn relative_width(&self) -> f64 {
        let width = |error| two_sided_quantile(0.05, self.dof as u32) * error / self.mean.abs();
        self.error.map_or(f64::INFINITY, width)
    }
}

/// The visits of one load.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Level<'a> {
    /// The load.
    pub(super) load: f64,
    /// Its visits in the order measured.
    pub(super) visits: Vec<&'a PointResult>,
}

impl Level<'_> {
    /// Measured time of all visits, seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.visits.iter().map(|visit| visit.measured_s).sum()
    }

    /// The mean of a number over the visits, weighted with their measured times.
    pub(super) fn mean(&self, number: impl Fn(&PointResult) -> f64) -> f64 {
        let sum: f64 = self.visits.iter().map(|visit| weight(visit) * number(visit)).sum();
        sum / self.visits.iter().map(|visit| weight(visit)).sum::<f64>()
    }

    /// Operations per second, with their error.
    pub(super) fn rate(&self) -> Estimated {
        mean_of(&self.visits, |visit| Some(visit.rate.mean)).unwrap_or(UNKNOWN)
    }
}

const UNKNOWN: Estimated = Estimated { mean: 0.0, error: None, dof: 1.0 };

/// Visits by rising load.
pub(super) fn levels<'a>(visits: &[&'a PointResult]) -> Vec<Level<'a>> {
    let mut levels: BTreeMap<u64, Level<'a>> = BTreeMap::new();
    for visit in visits {
        let load = visit.load.value;
        // Loads are positive: their bits have their order.
        let level = levels.entry(load.to_bits());
        level.or_insert(Level { load, visits: Vec::new() }).visits.push(visit);
    }
    levels.into_values().collect()
}

/// The weight of a visit: its measured time.
fn weight(visit: &PointResult) -> f64 {
    visit.measured_s.max(f64::MIN_POSITIVE)
}

/// How visits are judged by a rule.
#[derive(Debug, Clone, Copy)]
struct VisitJudge<'r> {
    rule: &'r Rule,
    /// Whether the mean response time is that of a queue that is always full.
    is_by_little: bool,
}

impl<'r> VisitJudge<'r> {
    /// How `visits` of one series are judged by `rule`.
    fn of(visits: &[&PointResult], rule: &'r Rule) -> Self {
        let is_mean = rule.metric == Metric::Mean && rule.class.is_none();
        Self { rule, is_by_little: is_mean && is_always_full(visits) }
    }

    /// The response time that the rule looks at, milliseconds; that of an overloaded visit has no
    /// bound.
    fn value(&self, visit: &PointResult) -> Option<f64> {
        let value = match self.is_by_little {
            true => Some(full_queue_ms(visit)),
            false => self.rule.value_ms(visit),
        };
        let value = value.filter(|value| *value > 0.0 && value.is_finite())?;
        Some(if is_overloaded(visit) { OVERLOADED_MS } else { value })
    }
}

/// Whether the queue of `visits` of one series was always full.
///
/// Then the mean response time of all I/Os is the length of the queue over the rate (Little's law). That
/// of the I/Os which completed in a visit differs from it by what was in flight at both ends, which is
/// much of a short visit.
pub(crate) fn is_always_full(visits: &[&PointResult]) -> bool {
    let total = |number: &dyn Fn(&PointResult) -> f64| -> f64 {
        visits.iter().map(|visit| weight(visit) * number(visit)).sum()
    };
    let full = total(&|visit| visit.load.value);
    let achieved =
        total(&|visit| visit.storage.map_or(0.0, |storage| storage.achieved_outstanding));
    let is_closed = visits.iter().all(|visit| !visit.load.unit.is_offered());
    // Flushes have their part of the queue, and none in the mean response time.
    let is_closed = is_closed && visits.iter().all(|visit| !visit.flushes());
    is_closed && (achieved - full).abs() <= FULL_WITHIN * full
}

/// The mean response time of a queue that is always full, milliseconds.
pub(crate) fn full_queue_ms(point: &PointResult) -> f64 {
    let targets = point.targets.len().max(1) as f64;
    1e3 * point.load.value * targets / point.rate.mean
}

/// A response time on the scale on which it is a straight line over the load, rising with it.
fn straightened(visit: &PointResult, value_ms: f64) -> f64 {
    if visit.load.unit.is_offered() { -1.0 / value_ms } else { value_ms }
}

/// Neighbouring loads on both sides of a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sides {
    /// The highest load that meets the rule; `None` if the lowest breaks it.
    pub(super) meets: Option<f64>,
    /// The lowest load that breaks it; `None` if the highest meets it.
    pub(super) breaks: Option<f64>,
    /// Where the line between them crosses the rule.
    pub(super) crossing: Option<f64>,
}

/// Where `levels` meet and break `rule`, if response time is taken to rise with the load: means that
/// fall are chance and are pooled with their neighbours (isotonic regression; R. Barlow et al.,
/// "Statistical Inference under Order Restrictions", 1972). `None` without anything to judge.
pub(super) fn sides(levels: &[Level<'_>], rule: &Rule) -> Option<Sides> {
    let limit_ms = rule.limit.as_millis_f64()?;
    let first = levels.first()?.visits.first()?;
    let all: Vec<&PointResult> =
        levels.iter().flat_map(|level| level.visits.iter().copied()).collect();
    let judge = VisitJudge::of(&all, rule);
    // Weight, sum of weighted values, loads.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    let mut loads = Vec::new();
    for level in levels {
        let judged: Vec<(f64, f64)> = level
            .visits
            .iter()
            .filter_map(|visit| Some((weight(visit), judge.value(visit)?)))
            .collect();
        if judged.is_empty() {
            continue;
        }
        loads.push(level.load);
        let weights: f64 = judged.iter().map(|(weight, _)| weight).sum();
        let sum: f64 = judged.iter().map(|(weight, value)| weight * value).sum();
        pools.push((weights, sum, 1));
        while let [.., (w0, s0, n0), (w1, s1, n1)] = pools[..]
            && s0 / w0 > s1 / w1
        {
            pools.truncate(pools.len() - 2);
            pools.push((w0 + w1, s0 + s1, n0 + n1));
        }
    }
    let values: Vec<f64> =
        pools.iter().flat_map(|(weight, sum, count)| vec![sum / weight; *count]).collect();
    let above = values.iter().position(|value| *value > limit_ms);
    let below = above.map_or(values.len(), |above| above).checked_sub(1);
    let crossing = below.zip(above).map(|(below, above)| {
        let at = |value| straightened(first, value);
        let part = (at(limit_ms) - at(values[below])) / (at(values[above]) - at(values[below]));
        let (low, high) = (loads[below], loads[above]);
        let saturated = levels.iter().find(|level| level.load == high).and_then(saturated_at);
        let high = saturated.filter(|load| (low..high).contains(load)).unwrap_or(high);
        low + part * (high - low)
    });
    (!values.is_empty()).then(|| Sides {
        meets: below.map(|below| loads[below]),
        breaks: above.map(|above| loads[above]),
        crossing,
    })
}

/// The load at which response time has no bound, if visits of `level` were overloaded: what they delivered.
fn saturated_at(level: &Level<'_>) -> Option<f64> {
    let overloaded: Vec<&PointResult> =
        level.visits.iter().copied().filter(|visit| is_overloaded(visit)).collect();
    mean_of(&overloaded, |visit| Some(visit.rate.mean / visit.targets.len().max(1) as f64))
        .map(|delivered| delivered.mean)
}

/// The line of a rule's response time over the load, near where it crosses the limit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fit<'a> {
    /// The visits that it goes through, in the order measured.
    pub(super) visits: Vec<&'a PointResult>,
    /// Their response times on the scale on which the line is straight.
    values: Vec<f64>,
    line: Line,
    limit: f64,
    /// The load at which the limit is reached.
    pub(crate) load: f64,
}

/// `values` on the scale on which they are a straight line. The scale is bent, so that the mean of
/// what scatters is not where its own mean is: each value is taken along the tangent at the line itself,
/// which is found in a few steps (iteratively reweighted least squares; P. McCullagh, J. Nelder,
/// "Generalized Linear Models", 1989, section 2.5).
fn straightened_about(visits: &[&PointResult], values: Vec<f64>) -> Option<Vec<f64>> {
    if !visits.first()?.load.unit.is_offered() {
        return Some(values);
    }
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    let mut straight: Vec<f64> =
        visits.iter().zip(&values).map(|(visit, value)| straightened(visit, *value)).collect();
    for _ in 0..TANGENTS {
        let line = Line::through(visits, &straight)?;
        let tangent = |(visit, value): (&&PointResult, &f64)| {
            let at = line.at(visit.load.value);
            // Where the line has no response time the slowest visit stands for it.
            let middle = if at < 0.0 { (-1.0 / at).clamp(least, most) } else { most };
            straightened(visit, middle) + (value - middle) / (middle * middle)
        };
        straight = visits.iter().zip(&values).map(tangent).collect();
    }
    Some(straight)
}

/// A weighted least-squares line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Line {
    /// Weighted means.
    x_mean: f64,
    y_mean: f64,
    /// Sum of squares of x, for weights of mean 1.
    squares: f64,
    slope: f64,
}

impl Line {
    /// The line through `y` over the loads of `visits`; `None` with a single load.
    fn through(visits: &[&PointResult], y: &[f64]) -> Option<Self> {
        let total: f64 = visits.iter().map(|visit| weight(visit)).sum();
        let share = |visit: &PointResult| weight(visit) / total;
        let x_mean: f64 = visits.iter().map(|visit| share(visit) * visit.load.value).sum();
        let y_mean: f64 = visits.iter().zip(y).map(|(visit, y)| share(visit) * y).sum();
        let count = visits.len() as f64;
        let (mut squares, mut products) = (0.0, 0.0);
        for (visit, y) in visits.iter().zip(y) {
            let x = visit.load.value - x_mean;
            squares += count * share(visit) * x * x;
            products += count * share(visit) * x * (y - y_mean);
        }
        let slope = products / squares;
        (squares > 0.0).then_some(Self { x_mean, y_mean, squares, slope })
    }

    /// Its height at a load.
    fn at(&self, load: f64) -> f64 {
        self.y_mean + self.slope * (load - self.x_mean)
    }
}

impl<'a> Fit<'a> {
    /// The line of `rule` through those of `visits`, in the order measured, that are near its
    /// crossing; `None` if no two of them lie on both sides of it, or response time does not rise
    /// there.
    pub(super) fn of(visits: &[&'a PointResult], rule: &Rule, sides: &Sides) -> Option<Self> {
        let (meets, breaks) = (sides.meets?, sides.breaks?);
        let judge = VisitJudge::of(visits, rule);
        let mut near = sides.crossing?;
        let mut fit = None;
        // The window follows the crossing; it has settled after one step or two.
        for _ in 0..3 {
            let is_near = |visit: &&&PointResult| {
                let load = visit.load.value;
                let is_side = load == meets || load == breaks;
                is_side || (load / near - 1.0).abs() <= WINDOW
            };
            let found = Self::through(visits.iter().filter(is_near).copied(), &judge)?;
            near = found.load.clamp(meets, breaks);
            fit = Some(found);
        }
        fit
    }

    /// The line through the first `count` visits alone.
    pub(super) fn first(&self, count: usize) -> Option<Self> {
        Self::of_line(self.visits[..count].to_vec(), self.values[..count].to_vec(), self.limit)
    }

    fn through(
        visits: impl Iterator<Item = &'a PointResult>,
        judge: &VisitJudge<'_>,
    ) -> Option<Self> {
        let judged: Vec<(&PointResult, f64)> = visits
            .filter(|visit| !is_overloaded(visit))
            .filter_map(|visit| Some((visit, judge.value(visit)?)))
            .collect();
        let (visits, values): (Vec<&PointResult>, Vec<f64>) = judged.into_iter().unzip();
        let limit = straightened(visits.first()?, judge.rule.limit.as_millis_f64()?);
        let values = straightened_about(&visits, values)?;
        Self::of_line(visits, values, limit)
    }

    fn of_line(visits: Vec<&'a PointResult>, values: Vec<f64>, limit: f64) -> Option<Self> {
        let line = Line::through(&visits, &values).filter(|line| line.slope > 0.0)?;
        let load = line.x_mean + (limit - line.y_mean) / line.slope;
        Some(Self { visits, values, line, limit, load })
    }

    /// The visits that the line goes through, in the order measured.
    pub(crate) fn visits(&self) -> &[&'a PointResult] {
        &self.visits
    }

    /// The visited loads next to the crossing.
    pub(crate) fn loads(&self) -> [f64; 2] {
        let loads = || self.visits.iter().map(|visit| visit.load.value);
        let below = loads().filter(|load| *load <= self.load).fold(f64::NAN, f64::max);
        let above = loads().filter(|load| *load >= self.load).fold(f64::NAN, f64::min);
        let [least, most] = [loads().fold(f64::NAN, f64::min), loads().fold(f64::NAN, f64::max)];
        [if below.is_nan() { least } else { below }, if above.is_nan() { most } else { above }]
    }

    /// A number of the visits at the crossing; `None` if one of them does not have it.
    pub(crate) fn at(&self, number: impl Fn(&PointResult) -> Option<f64>) -> Option<Estimated> {
        let numbers: Vec<f64> =
            self.visits.iter().map(|visit| number(visit)).collect::<Option<_>>()?;
        let line = Line::through(&self.visits, &numbers)?;
        let quotient = line.slope / self.line.slope;
        let combined: Vec<f64> = numbers
            .iter()
            .zip(&self.values)
            .map(|(number, value)| number - quotient * value)
            .collect();
        let off = self.load - self.line.x_mean;
        let leverage = 1.0 / self.visits.len() as f64 + off * off / self.line.squares;
        let mean = line.y_mean + quotient * (self.limit - self.line.y_mean);
        Some(scattered(mean, (&self.visits, &combined), (2.0, leverage)))
    }
}

/// The mean of a number over `visits` of one load; `None` if one of them does not have it, or there
/// are none.
pub(crate) fn mean_of(
    visits: &[&PointResult],
    number: impl Fn(&PointResult) -> Option<f64>,
) -> Option<Estimated> {
    let numbers: Vec<f64> = visits.iter().map(|visit| number(visit)).collect::<Option<_>>()?;
    let total: f64 = visits.iter().map(|visit| weight(visit)).sum();
    let sum: f64 = visits.iter().zip(&numbers).map(|(visit, number)| weight(visit) * number).sum();
    let count = visits.len() as f64;
    (!visits.is_empty()).then(|| scattered(sum / total, (visits, &numbers), (1.0, 1.0 / count)))
}

/// `mean` with the error that the scatter of `values` about their own mean gives it: their variance
/// times `leverage`, after `parameters` were fitted to them.
fn scattered(
    mean: f64,
    (visits, values): (&[&PointResult], &[f64]),
    (parameters, leverage): (f64, f64),
) -> Estimated {
    let count = values.len() as f64;
    let dof = count - parameters;
    if dof < 1.0 {
        return Estimated { mean, error: None, dof: 1.0 };
    }
    let total: f64 = visits.iter().map(|visit| weight(visit)).sum();
    let shares: Vec<f64> = visits.iter().map(|visit| weight(visit) / total).collect();
    let centre: f64 = shares.iter().zip(values).map(|(share, value)| share * value).sum();
    let off: Vec<f64> = shares
        .iter()
        .zip(values)
        .map(|(share, value)| libm::sqrt(share * count) * (value - centre))
        .collect();
    let variance = off.iter().map(|off| off * off).sum::<f64>() / dof;
    let (factor, dof) = correlation(&off, dof);
    let seen = variance * leverage * factor;
    let unseen = unseen_share(visits.iter().copied()) * mean;
    Estimated { mean, error: Some(libm::sqrt(seen + unseen * unseen)), dof }
}

/// Standard deviation of what no visit of `visits` sees, as a share of a number that is read off them.
pub fn unseen_share<'p>(visits: impl IntoIterator<Item = &'p PointResult>) -> f64 {
    // Only visits of real targets have a time of day.
    let is_real = visits.into_iter().any(|visit| !visit.started_at.is_empty());
    if is_real { UNSEEN_OF_REAL } else { UNSEEN }
}

/// By how much the correlation of visits widens the variance of their mean, and the degrees of
/// freedom that are left: as in a sequence whose correlation falls off by a factor per visit, or as
/// sums of several neighbours scatter more than independent ones do, whichever makes the wider
/// interval.
fn correlation(off: &[f64], dof: f64) -> (f64, f64) {
    let squares: f64 = off.iter().map(|off| off * off).sum();
    if squares <= 0.0 {
        return (1.0, dof);
    }
    let width =
        |(factor, dof): (f64, f64)| two_sided_quantile(0.05, dof as u32) * libm::sqrt(factor);
    let of_batches = BATCHES.iter().filter_map(|size| of_batches(off, *size, squares));
    of_batches.fold((of_neighbours(off, squares), dof), |widest, next| {
        if width(next) > width(widest) { next } else { widest }
    })
}

fn of_neighbours(off: &[f64], squares: f64) -> f64 {
    let products: f64 = off.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let found = products / squares;
    // The estimate is too low by about this (F. Marriott and J. Pope, "Bias in the estimation of
    // autocorrelations", Biometrika 41, 1954).
    let missing = (1.0 + 3.0 * found.max(0.0)) / off.len() as f64;
    let correlation = (found + missing).clamp(0.0, CORRELATION_MAX);
    (1.0 + correlation) / (1.0 - correlation)
}

/// The variance of sums of `size` neighbours as a multiple of what independent ones have, and its
/// degrees of freedom; `None` if there are too few sums to say.
fn of_batches(off: &[f64], size: usize, squares: f64) -> Option<(f64, f64)> {
    let sums: Vec<f64> = off.chunks_exact(size).map(|batch| batch.iter().sum()).collect();
    let dof = (sums.len().max(BATCHES_MIN) - 1) as f64;
    let of_sums = sums.iter().map(|sum: &f64| sum * sum).sum::<f64>() / dof;
    let independent = size as f64 * squares / (off.len() - 1) as f64;
    (sums.len() >= BATCHES_MIN).then_some((of_sums / independent, dof))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Estimate, Latency, StorageResult, Throughput};
    use crate::words::load::{LoadLevel, LoadUnit};

    /// A visit of 8 in `unit` with 1,600 operations per second, whose mean response time missed what was
    /// in flight at its ends.
    fn visit(unit: LoadUnit, achieved_outstanding: f64) -> PointResult {
        PointResult {
            load: LoadLevel { value: 8.0, unit },
            rate: Throughput::iops(Estimate { mean: 1600.0, ci95: None }),
            latency_ms: Latency { mean: 4.0, ..Latency::default() },
            storage: Some(StorageResult { achieved_outstanding, ..StorageResult::default() }),
            measured_s: 1.0,
            ..PointResult::default()
        }
    }

    fn value(visits: &[PointResult], rule: &str) -> f64 {
        let visits: Vec<&PointResult> = visits.iter().collect();
        let rule = rule.parse().unwrap();
        VisitJudge::of(&visits, &rule).value(visits[0]).unwrap()
    }

    #[test]
    fn a_full_queue_is_judged_by_its_length_and_one_with_pauses_by_what_was_measured() {
        let of = |unit, achieved: [f64; 2]| achieved.map(|achieved| visit(unit, achieved));
        let closed = |achieved| value(&of(LoadUnit::OutstandingIos, achieved), "mean<=20ms");
        // Little's law: 8 in flight at 1,600 per second.
        assert_eq!(closed([8.0, 8.0]), 5.0);
        assert_eq!(closed([7.0, 9.0]), 5.0, "over all visits");
        assert_eq!(closed([6.0, 6.0]), 4.0);
        assert_eq!(closed([8.0, 7.0]), 4.0);
        assert_eq!(value(&of(LoadUnit::OfferedIops, [8.0, 8.0]), "mean<=20ms"), 4.0);
        let percentile = value(
            &[PointResult {
                latency_ms: Latency { p99: Some(7.0), ..Latency::default() },
                ..visit(LoadUnit::OutstandingIos, 8.0)
            }],
            "p99<=20ms",
        );
        assert_eq!(percentile, 7.0, "only the mean follows from the length of the queue");
    }

    /// Reciprocal response times are a straight line, which a visit near saturation must not bend.
    #[test]
    fn a_visit_near_saturation_leaves_the_line_of_an_open_loop_where_it_is() {
        let at = |load: f64, factor: f64| PointResult {
            load: LoadLevel { value: load, unit: LoadUnit::OfferedIops },
            rate: Throughput::iops(Estimate { mean: load, ci95: None }),
            latency_ms: Latency { mean: factor * 1000.0 / (1000.0 - load), ..Latency::default() },
            measured_s: 1.0,
            ..PointResult::default()
        };
        let crossing = |visits: &[PointResult]| {
            let visits: Vec<&PointResult> = visits.iter().collect();
            let rule = "mean<=10ms".parse().unwrap();
            let sides = sides(&levels(&visits), &rule).unwrap();
            Fit::of(&visits, &rule, &sides).unwrap().load
        };
        let near: Vec<PointResult> =
            [860.0, 940.0, 860.0, 940.0, 880.0, 920.0].map(|load| at(load, 1.0)).into();
        assert!((crossing(&near) - 900.0).abs() < 0.01, "{}", crossing(&near));
        for factor in [0.5, 1.0, 3.0] {
            let found = crossing(&[near.clone(), vec![at(990.0, factor)]].concat());
            assert!((found / 900.0 - 1.0).abs() < 0.02, "{factor}: {found}");
        }
    }

    #[test]
    fn no_interval_is_narrower_than_what_no_visit_sees() {
        for count in [12, 1000] {
            let visits = vec![visit(LoadUnit::OutstandingIos, 8.0); count];
            let visits: Vec<&PointResult> = visits.iter().collect();
            let width = mean_of(&visits, |visit| Some(visit.rate.mean)).unwrap().relative_width();
            assert!((0.0195..0.0225).contains(&width), "{count} visits alike: {width}");
        }
    }
}
