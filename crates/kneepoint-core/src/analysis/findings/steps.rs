//! What throughput does at high loads: it stays, it still rises, or it falls.

use super::{Series, significant};
use crate::analysis::comparison::Ratio;
use crate::analysis::curve::{Curve, judged_by};
use crate::analysis::estimate::Value;
use crate::analysis::readout::collapse;
use crate::analysis::saturation::saturation;
use crate::result::{
    Bottleneck, Finding, HalfWidths, PRACTICAL_PERCENT, Plateau, PointResult, Quantity,
    SaturationStatus, Step, ThroughputUnit, is_practical,
};

/// Two loads differ by at least this ratio, or they would be one point.
const SPAN_MIN: f64 = 2.0;

/// A part of a simulated system that is busy for at least this share of the time, in percent, is
/// what limits it.
const BUSY_MIN_PERCENT: f64 = 90.0;

/// What each series does at high loads, where that is shown: at most one finding each.
pub(super) fn at_high_loads(series: &[Series<'_>]) -> Vec<Finding> {
    let kept = |step: fn(&Series<'_>) -> Option<(f64, Step)>| {
        significant(series.iter().filter_map(step).collect())
    };
    let falls = kept(fall).into_iter().map(Finding::Collapse);
    let gains = kept(gain).into_iter().map(Finding::Gain);
    let plateaus = series.iter().filter_map(plateau).map(Finding::Saturation);
    falls.chain(gains).chain(plateaus).collect()
}

/// The plateau of a series beyond its saturation knee, where it is shown with 95 % confidence: the
/// change from the knee to every higher load is less than 5 % to either side. As all of them must
/// be, no correction for their number is needed.
fn plateau(series: &Series<'_>) -> Option<Plateau> {
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
        let values = plateau.iter().map(|load| curve.at(*load, quantity).map(|mark| mark.value));
        values.collect::<Option<Vec<Value>>>().map(|values| Value::mean(&values))
    };
    let (rate, volume) = (mean(Quantity::Iops)?, mean(Quantity::Throughput));
    Some(Plateau {
        series: series.name.to_owned(),
        unit: curve.unit()?,
        from_load,
        to_load,
        rise_percent_max,
        rate_unit: series.points.first()?.rate.unit,
        rate: rate.number,
        volume: volume.map(|volume| volume.number),
        ci95: HalfWidths {
            rate: rate.ci95(),
            volume: volume.and_then(Value::ci95),
            latency_ms: None,
        },
        bottleneck: bottleneck(&series.points, to_load),
    })
}

/// The upper end of the intervals of all changes from `from` to `higher` loads, in percent; `None`
/// where throughput does not stay, or one is not known, or rests on a disturbed point.
fn largest_rise(curve: &Curve<'_>, from: f64, higher: &[f64]) -> Option<f64> {
    let mut largest = f64::NEG_INFINITY;
    for load in higher {
        let [low, high] = ratio(curve, Quantity::Iops, [from, *load])?.interval_percent()?;
        if low < -PRACTICAL_PERCENT || high > PRACTICAL_PERCENT {
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

/// The rise of a series that has not saturated, over the last doubling of its load. Where a rate is offered,
/// throughput rises with it as long as the target keeps up, which says nothing of where it ends.
fn gain(series: &Series<'_>) -> Option<(f64, Step)> {
    let curve = &series.curve;
    if curve.unit()?.is_offered() {
        return None;
    }
    saturation(curve).filter(|knee| knee.status == SaturationStatus::Rising)?;
    let levels = curve.levels();
    let last = *levels.last()?;
    let before = levels.into_iter().rfind(|load| SPAN_MIN * load <= last)?;
    step(series, [before, last]).filter(|(_, step)| step.percent > 0.0)
}

/// The fall of a series beyond its peak. It is that to the lowest of several loads, each of which is
/// a test.
fn fall(series: &Series<'_>) -> Option<(f64, Step)> {
    let curve = &series.curve;
    let (peak, levels) = (curve.peak_index()?, curve.levels());
    let lowest = collapse(curve, peak)?.load;
    let tests = (levels.len() - peak - 1) as f64;
    let (p_value, step) = step(series, [levels[peak], lowest])?;
    Some(((p_value * tests).min(1.0), step))
}

/// The change between two loads, and the probability of such a one by chance; nothing for one that
/// does not matter, or rests on a disturbed point.
fn step(series: &Series<'_>, loads: [f64; 2]) -> Option<(f64, Step)> {
    let curve = &series.curve;
    let quantity = judged_by(curve);
    let ratio = ratio(curve, quantity, loads)?;
    let [from, to] = loads.map(|load| curve.at(load, quantity).map(|mark| mark.value));
    let (from, to) = (from?, to?);
    let step = Step {
        series: series.name.to_owned(),
        unit: curve.unit()?,
        from_load: loads[0],
        to_load: loads[1],
        rate_unit: match quantity {
            Quantity::Throughput => ThroughputUnit::MibPerS,
            Quantity::Iops | Quantity::Latency(_) => series.points.first()?.rate.unit,
        },
        from: from.number,
        to: to.number,
        ci95: [from.ci95(), to.ci95()],
        percent: ratio.percent(),
        interval_percent: ratio.interval_percent()?,
    };
    is_practical(step.percent).then_some((ratio.p_value()?, step))
}

/// The throughput at the second load as a multiple of that at the first; nothing if one rests on a
/// point that something disturbed, or that no claim can rest on.
fn ratio(curve: &Curve<'_>, quantity: Quantity, loads: [f64; 2]) -> Option<Ratio> {
    let [from, to] = loads.map(|load| curve.at(load, quantity));
    let (from, to) = (from?, to?);
    let is_disturbed = from.rests_on_disturbed() || to.rests_on_disturbed();
    let are_grounded = loads.iter().all(|load| curve.is_grounded(*load));
    if is_disturbed || !are_grounded { None } else { Ratio::of(from.value, to.value) }
}
