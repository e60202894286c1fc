//! One number in all runs, and how it differs from the reference.
use super::pairing::PairedSeries;
use super::ratio::{Ratio, adjusted};
use super::{ComparedFigure, Difference};
use crate::analysis::curve::{Curve, RESPONSE_TIMES, judged_by};
use crate::analysis::estimate::{RelativeError, Value};
use crate::analysis::mark::{Bound, Mark, Reservation};
use crate::result::{Measure, Place, Quantity, Significance};
use crate::words::load::LoadUnit;
use crate::words::rule::{Metric, Rule};

/// Claims of a whole comparison are false with at most this probability as far as the intervals of
/// the points are true. Those of short measurements are too narrow by a little, and the rest up to
/// 5 % is the margin for that: `docs/comparison.md` has the rates that were measured.
const ALPHA_FAMILY: f64 = 0.02;

/// Families of tests among which that is divided: figures of whole series, and single loads.
const FAMILIES: f64 = 2.0;

/// Which number of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot<'a> {
    pub(super) measure: Measure,
    /// The rule of a sustained throughput.
    pub(super) rule: Option<&'a Rule>,
    /// One load; `None` for all that the runs share.
    pub(super) load: Option<f64>,
}

impl<'a> Spot<'a> {
    /// A number of a whole series.
    pub(super) const fn whole(place: Place, quantity: Quantity, rule: Option<&'a Rule>) -> Self {
        Self { measure: Measure { place, quantity }, rule, load: None }
    }

    /// A number at one load.
    const fn at(load: f64, quantity: Quantity) -> Self {
        let measure = Measure { place: Place::EqualLoad, quantity };
        Self { measure, rule: None, load: Some(load) }
    }
}

/// A change against the reference that was not compared with others yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Change {
    pub(super) ratio: Ratio,
    pub(super) bound: Bound,
    /// What something else can have changed of it at the most, as the logarithm of a ratio.
    pub(super) shift: f64,
}

/// A number in all runs before the tests are compared with one another.
#[derive(Debug)]
pub(super) struct PendingFigure {
    figure: ComparedFigure,
    pub(super) marks: Vec<Option<Mark>>,
    pub(super) changes: Vec<Option<Change>>,
}

/// The rate whose test is that of the number at `spot` of `series`, too: at a fixed number of
/// outstanding I/Os the mean response time is that number over the rate (Little's law), so that both
/// differ together. `None` for a number that is tested by itself.
fn tested_by(series: &PairedSeries<'_>, spot: &Spot<'_>) -> Option<Measure> {
    let is_closed = series.unit() == LoadUnit::OutstandingIos
        && !series.pauses
        && !series.curves.iter().flatten().any(Curve::flushes);
    let is_mean = spot.measure.quantity == Quantity::Latency(Metric::Mean);
    let follows = spot.measure.place == Place::EqualLoad && is_mean;
    let is_same = is_closed && follows && judge(series) == Quantity::Iops;
    is_same.then_some(Measure { quantity: Quantity::Iops, ..spot.measure })
}

/// The figures of a whole series: at every rule, at the peak, over equal loads.
pub(super) fn of_series(series: &PairedSeries<'_>) -> Vec<PendingFigure> {
    let judge = judge(series);
    let mut spots: Vec<Spot<'_>> =
        series.rules.iter().map(|rule| Spot::whole(Place::Sustained, judge, Some(rule))).collect();
    spots.push(Spot::whole(Place::Peak, judge, None));
    spots.push(Spot::whole(Place::EqualLoad, judge, None));
    let times = RESPONSE_TIMES.map(Quantity::Latency);
    spots.extend(times.map(|time| Spot::whole(Place::EqualLoad, time, None)));
    spots.iter().map(|spot| PendingFigure::of(series, spot)).collect()
}

/// The same at every load.
pub(super) fn of_loads(series: &PairedSeries<'_>) -> Vec<PendingFigure> {
    let judge = judge(series);
    let quantities = [judge].into_iter().chain(RESPONSE_TIMES.map(Quantity::Latency));
    let quantities: Vec<Quantity> = quantities.collect();
    let levels = series.levels.iter();
    let spots =
        levels.flat_map(|load| quantities.iter().map(|quantity| Spot::at(*load, *quantity)));
    spots.map(|spot| PendingFigure::of(series, &spot)).collect()
}

/// I/Os per second, or MiB per second for sequential access.
pub(super) fn judge(series: &PairedSeries<'_>) -> Quantity {
    series.curves.iter().flatten().next().map_or(Quantity::Iops, judged_by)
}

impl PendingFigure {
    /// Where the number stands, and at which rule.
    pub(super) fn number(&self) -> (Place, Option<&str>) {
        (self.figure.measure.place, self.figure.rule.as_deref())
    }

    /// The number at `spot` in all runs of `series`.
    pub(super) fn of(series: &PairedSeries<'_>, spot: &Spot<'_>) -> Self {
        let is_average = spot.measure.place == Place::EqualLoad && spot.load.is_none();
        let (marks, changes) = match is_average {
            true => averages(series, spot.measure.quantity),
            false => single(series, spot),
        };
        let figure = ComparedFigure {
            measure: spot.measure,
            rule: spot.rule.map(ToString::to_string),
            load: spot.load,
            tested_by: tested_by(series, spot),
            load_count: is_average.then_some(series.levels.len() as u32),
            readings: marks.iter().map(|mark| mark.as_ref().map(Mark::reading)).collect(),
            differences: Vec::new(),
        };
        Self { figure, marks, changes }
    }
}

type Marks = Vec<Option<Mark>>;
type Changes = Vec<Option<Change>>;

/// A number that stands at one place of each curve.
fn single(series: &PairedSeries<'_>, spot: &Spot<'_>) -> (Marks, Changes) {
    let Measure { place, quantity } = spot.measure;
    let marks: Marks = series
        .curves
        .iter()
        .map(|curve| match (curve, spot.load) {
            (Some(curve), Some(load)) => curve.at(load, quantity),
            (Some(curve), None) => curve.read(place, quantity, spot.rule),
            (None, _) => None,
        })
        .collect();
    let mut changes = changes(&marks);
    if let Some(load) = spot.load {
        for (run, change) in changes.iter_mut().enumerate() {
            let Some(change) = change else { continue };
            change.ratio.spread = spread_of(series, (run, load, quantity), change.ratio);
        }
    }
    (marks, changes)
}

/// The error of a ratio at one load: that of pairs for runs that share their random numbers. A point
/// that has no error by itself, because something is wrong with it, gets none here.
fn spread_of(
    series: &PairedSeries<'_>,
    (run, load, quantity): (usize, f64, Quantity),
    ratio: Ratio,
) -> Option<RelativeError> {
    let own = ratio.spread?;
    Some(series.paired_spread(run, load, quantity).unwrap_or(own))
}

/// Every mark against the first; nothing for the first itself.
fn changes(marks: &[Option<Mark>]) -> Changes {
    let Some((Some(reference), others)) = marks.split_first() else {
        return marks.iter().map(|_| None).collect();
    };
    let change = |other: &Option<Mark>| {
        let other = other.as_ref()?;
        Some(Change {
            ratio: Ratio::of(reference.value, other.value)?,
            bound: Bound::of_change(reference.bound, other.bound)?,
            shift: reference.shift + other.shift,
        })
    };
    [None].into_iter().chain(others.iter().map(change)).collect()
}

/// The averages over the loads that all runs have.
fn averages(series: &PairedSeries<'_>, quantity: Quantity) -> (Marks, Changes) {
    let by_run: Vec<Option<Vec<Mark>>> = series
        .curves
        .iter()
        .map(|curve| {
            let curve = curve.as_ref()?;
            series.levels.iter().map(|level| curve.at(*level, quantity)).collect()
        })
        .collect();
    let marks: Marks =
        by_run.iter().map(|marks| marks.as_deref().and_then(geometric_mean)).collect();
    let Some((Some(reference), others)) = by_run.split_first() else {
        return (marks, by_run.iter().map(|_| None).collect());
    };
    let change = |(run, other): (usize, &Option<Vec<Mark>>)| {
        let other = other.as_ref()?;
        let pairs = reference.iter().zip(other).zip(&series.levels);
        let ratio = |((left, right), level): ((&Mark, &Mark), &f64)| {
            let ratio = Ratio::of(left.value, right.value)?;
            Some(Ratio { spread: spread_of(series, (run, *level, quantity), ratio), ..ratio })
        };
        let ratios: Option<Vec<Ratio>> = pairs.map(ratio).collect();
        Some(Change {
            ratio: Ratio::mean(&ratios?)?,
            bound: Bound::Exact,
            shift: reference.iter().chain(other).map(|mark| mark.shift).sum::<f64>()
                / reference.len().max(1) as f64,
        })
    };
    let others = (1..).zip(others);
    let changes = [None].into_iter().chain(others.map(change)).collect();
    (marks, changes)
}

/// The geometric mean of marks, whose ratio between runs is the mean of the ratios.
fn geometric_mean(marks: &[Mark]) -> Option<Mark> {
    let count = marks.len() as f64;
    let is_positive = !marks.is_empty() && marks.iter().all(|mark| mark.value.number > 0.0);
    let spreads: Option<Vec<RelativeError>> = marks.iter().map(|mark| mark.value.spread).collect();
    let logs: f64 = marks.iter().map(|mark| libm::log(mark.value.number)).sum();
    // By rising load, so what is equal stands together.
    let mut reservations: Vec<Reservation> =
        marks.iter().flat_map(|mark| mark.reservations.iter().copied()).collect();
    reservations.dedup();
    is_positive.then(|| Mark {
        value: Value {
            number: libm::exp(logs / count),
            spread: spreads.map(|spreads| {
                let sum = RelativeError::combined(&spreads);
                RelativeError { relative: sum.relative / count, ..sum }
            }),
        },
        bound: Bound::Exact,
        reservations,
        shift: marks.iter().map(|mark| mark.shift).sum::<f64>() / count,
    })
}

impl Change {
    /// Probability of such a change between equal runs of which something else changed as much as it
    /// can have. A bound is evidence only on its own side.
    pub(super) fn p_value(&self) -> Option<f64> {
        let left = (self.ratio.log.abs() - self.shift).max(0.0);
        let p_value = Ratio { log: left, ..self.ratio }.p_value()?;
        let is_evidence = match self.bound {
            Bound::Exact => true,
            Bound::AtMost => self.ratio.log < 0.0,
            Bound::AtLeast => self.ratio.log > 0.0,
        };
        Some(if is_evidence { p_value } else { 1.0 })
    }

    fn significance(&self, adjusted: Option<f64>) -> Significance {
        match adjusted {
            Some(p_value) if p_value <= ALPHA_FAMILY => Significance::Significant,
            _ if self.shift > 0.0 => Significance::Disturbed,
            None => Significance::Unknown,
            Some(_) if self.bound != Bound::Exact => Significance::Unknown,
            Some(_) => Significance::NotSignificant,
        }
    }

    fn difference(&self, adjusted: Option<f64>, tests: usize) -> Difference {
        let level = ALPHA_FAMILY / FAMILIES / tests.max(1) as f64;
        Difference {
            percent: self.ratio.percent(),
            interval_percent: self.ratio.interval_percent(),
            bound: self.bound,
            p_value: self.p_value(),
            adjusted_p_value: adjusted,
            significance: self.significance(adjusted),
            detectable_percent: self.ratio.detectable_percent(level),
        }
    }
}

/// Holds the tests of one family against one another; returns their number.
pub(super) fn finish(drafts: Vec<Vec<PendingFigure>>) -> (Vec<Vec<ComparedFigure>>, u32) {
    let own = drafts.iter().flatten().filter(|draft| draft.figure.tested_by.is_none());
    let all = own.flat_map(|draft| &draft.changes);
    let p_values: Vec<f64> = all.flatten().filter_map(Change::p_value).collect();
    let mut adjusted = adjusted(&p_values).into_iter().map(|p_value| (p_value * FAMILIES).min(1.0));
    let mut of_rate: Vec<Option<f64>> = Vec::new();
    let mut figure = |draft: PendingFigure| {
        let PendingFigure { mut figure, changes, .. } = draft;
        if figure.tested_by.is_none() {
            let mut next = |change: &Change| change.p_value().and_then(|_| adjusted.next());
            of_rate = changes.iter().map(|change| next(change.as_ref()?)).collect();
        }
        let differences = changes
            .iter()
            .zip(&of_rate)
            .map(|(change, p_value)| Some(change.as_ref()?.difference(*p_value, p_values.len())));
        figure.differences = differences.collect();
        figure
    };
    let mut finished = Vec::new();
    for series in drafts {
        finished.push(series.into_iter().map(&mut figure).collect());
    }
    (finished, p_values.len() as u32)
}
