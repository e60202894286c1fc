//! Where throughput stops rising.

use super::series::Series;
use super::{Bottleneck, Saturation};
use crate::analysis::comparison::{Mark, Quantity, Ratio};
use crate::result::PointResult;

/// A rise by this much, in percent, from one load to all higher ones counts as none: the step at
/// which the search for a peak ends, too (Single Disk, 2011).
const RISE_MAX_PERCENT: f64 = 5.0;

/// The plateau spans at least this ratio of loads, or it would be one point.
const SPAN_MIN: f64 = 2.0;

/// A part of a simulated system that is busy for at least this share of the time, in percent, is
/// what limits it.
const BUSY_MIN_PERCENT: f64 = 90.0;

/// The plateau of a series, where it is shown with 95 % confidence: for every load beyond its
/// beginning the interval of the rise ends below 5 %. As all of them must, no correction for their
/// number is needed.
pub(super) fn of(series: &Series<'_>) -> Option<Saturation> {
    let curve = &series.curve;
    let levels = curve.levels();
    let to_load = *levels.last()?;
    let marks: Option<Vec<Mark>> =
        levels.iter().map(|load| curve.at(*load, Quantity::Iops)).collect();
    let (from, rise_percent_max) = plateau(&levels, &marks?)?;
    let plateau = &levels[from..];
    let mean = |quantity| {
        let numbers: Option<Vec<f64>> = plateau
            .iter()
            .map(|load| curve.at(*load, quantity).map(|mark| mark.value.number))
            .collect();
        numbers.map(|numbers| numbers.iter().sum::<f64>() / plateau.len() as f64)
    };
    Some(Saturation {
        series: series.name.to_owned(),
        unit: curve.unit()?,
        from_load: levels[from],
        to_load,
        rise_percent_max,
        iops: mean(Quantity::Iops)?,
        throughput_mib_s: mean(Quantity::Throughput)?,
        bottleneck: bottleneck(&series.points, to_load),
    })
}

/// Index of the lowest load from which on throughput does not rise, and the largest rise from there
/// that the data leave possible, in percent.
fn plateau(levels: &[f64], marks: &[Mark]) -> Option<(usize, f64)> {
    let to_load = *levels.last()?;
    // What rises above one load mostly rises above the next one as well.
    let mut rising = marks.len() - 1;
    let starts = (0..marks.len()).filter(|index| to_load >= SPAN_MIN * levels[*index]);
    for start in starts {
        let is_flat = |index: usize| rise(&marks[start], &marks[index]).is_some();
        if rising > start && !is_flat(rising) {
            continue;
        }
        match (start + 1..marks.len()).rev().find(|index| !is_flat(*index)) {
            Some(index) => rising = index,
            None => {
                let rises = marks[start + 1..].iter().filter_map(|next| rise(&marks[start], next));
                return Some((start, rises.fold(f64::NEG_INFINITY, f64::max)));
            }
        }
    }
    None
}

/// The upper end of the interval of the rise from `start` to `next`, in percent; `None` where it is
/// too much or not known, or rests on a disturbed point.
fn rise(start: &Mark, next: &Mark) -> Option<f64> {
    if start.rests_on_disturbed() || next.rests_on_disturbed() {
        return None;
    }
    let ratio = Ratio::of(start.value, next.value)?;
    if ratio.percent() > RISE_MAX_PERCENT {
        return None;
    }
    let [_, high] = ratio.interval_percent()?;
    (high <= RISE_MAX_PERCENT).then_some(high)
}

fn bottleneck(points: &[&PointResult], load: f64) -> Option<Bottleneck> {
    let point = points.iter().find(|point| point.load().value == load)?;
    let part = point.simulated.as_ref()?.bottleneck()?;
    (part.highest_percent >= BUSY_MIN_PERCENT).then(|| Bottleneck {
        part: part.name.clone(),
        count: part.count,
        busy_percent: part.highest_percent,
    })
}
