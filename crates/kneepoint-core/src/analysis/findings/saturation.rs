//! That throughput stays where it is beyond the saturation knee.

use super::series::Series;
use crate::analysis::comparison::Ratio;
use crate::analysis::curve::Curve;
use crate::analysis::saturation::saturation;
use crate::result::{Bottleneck, Plateau, PointResult, Quantity, SaturationStatus};

/// A change by this much, in percent, from the knee to a higher load counts as none: the step at
/// which the search for a peak ends, too (Single Disk, 2011).
const CHANGE_MAX_PERCENT: f64 = 5.0;

/// The plateau spans at least this ratio of loads, or it would be one point.
const SPAN_MIN: f64 = 2.0;

/// A part of a simulated system that is busy for at least this share of the time, in percent, is
/// what limits it.
const BUSY_MIN_PERCENT: f64 = 90.0;

/// The plateau of a series beyond its saturation knee, where it is shown with 95 % confidence: for
/// every higher load the interval of the rise ends below 5 %, and none shows a fall by more. As all
/// of them must, no correction for their number is needed.
pub(super) fn of(series: &Series<'_>) -> Option<Plateau> {
    let curve = &series.curve;
    let knee = saturation(curve).filter(|knee| knee.status == SaturationStatus::Reached)?;
    let levels = curve.levels();
    let plateau: Vec<f64> = levels.into_iter().filter(|load| *load >= knee.load).collect();
    let (from_load, to_load) = (*plateau.first()?, *plateau.last()?);
    if to_load < SPAN_MIN * from_load {
        return None;
    }
    let rise_percent_max = largest_rise(curve, from_load, &plateau[1..])?;
    let mean = |quantity| {
        let numbers: Option<Vec<f64>> = plateau
            .iter()
            .map(|load| curve.at(*load, quantity).map(|mark| mark.value.number))
            .collect();
        numbers.map(|numbers| numbers.iter().sum::<f64>() / plateau.len() as f64)
    };
    Some(Plateau {
        series: series.name.to_owned(),
        unit: curve.unit()?,
        from_load,
        to_load,
        rise_percent_max,
        rate_unit: series.points.first()?.rate.unit,
        rate: mean(Quantity::Iops)?,
        volume: mean(Quantity::Throughput),
        bottleneck: bottleneck(&series.points, to_load),
    })
}

/// The upper end of the intervals of all rises from `from` to `higher` loads, in percent; `None`
/// where throughput does not stay, or one is not known, or rests on a disturbed point.
fn largest_rise(curve: &Curve<'_>, from: f64, higher: &[f64]) -> Option<f64> {
    let start = curve.at(from, Quantity::Iops)?;
    let mut largest = f64::NEG_INFINITY;
    for load in higher {
        let next = curve.at(*load, Quantity::Iops)?;
        if start.rests_on_disturbed() || next.rests_on_disturbed() {
            return None;
        }
        let [_, high] = Ratio::of(start.value, next.value)?.interval_percent()?;
        if !(-CHANGE_MAX_PERCENT..=CHANGE_MAX_PERCENT).contains(&high) {
            return None;
        }
        largest = largest.max(high);
    }
    Some(largest)
}

fn bottleneck(points: &[&PointResult], load: f64) -> Option<Bottleneck> {
    let point = points.iter().find(|point| point.load.value == load)?;
    let part = point.simulated.as_ref()?.bottleneck()?;
    (part.highest_percent >= BUSY_MIN_PERCENT).then(|| Bottleneck {
        part: part.name.clone(),
        count: part.count,
        busy_percent: part.highest_percent,
    })
}
