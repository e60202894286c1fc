//! The saturation knee of a curve: the load from which on more load gives no more throughput.

use super::curve::Curve;
use super::estimate::Value;
use crate::result::{HalfWidths, Quantity, Saturation, SaturationStatus};

/// The peak of a curve as the load at which it saturates.
///
/// If only the highest load reaches it, throughput still rises there, and nothing is known of where
/// it stops. `None` with fewer than two loads.
pub(super) fn saturation(curve: &Curve<'_>) -> Option<Saturation> {
    let points = curve.points();
    let last = points.len().checked_sub(1).filter(|last| *last > 0)?;
    let knee = curve.peak_index()?;
    let status = if knee == last { SaturationStatus::Rising } else { SaturationStatus::Reached };
    let point = points[knee];
    let number = |quantity| curve.at(point.load.value, quantity).map(|mark| mark.value);
    let (rate, volume) = (number(Quantity::Iops)?, number(Quantity::Throughput));
    let is_overloaded = crate::measure::search::is_overloaded(point);
    Some(Saturation {
        load: point.load.value,
        rate: rate.number,
        volume: volume.map(|volume| volume.number),
        latency_ms: (!is_overloaded).then_some(point.latency_ms.mean),
        status,
        ci95: HalfWidths {
            rate: rate.ci95(),
            volume: volume.and_then(Value::ci95),
            ..HalfWidths::of(point)
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Estimate, Latency, PointResult, Throughput};
    use crate::words::load::LoadLevel;

    /// The saturation of a series that has these rates at 1, 2, 4, ... outstanding I/Os, each known
    /// within 2 %.
    fn of(rates: &[f64]) -> Option<Saturation> {
        within(0.02, rates)
    }

    /// The same, each known within `share`.
    fn within(share: f64, rates: &[f64]) -> Option<Saturation> {
        let point = |(index, iops): (usize, &f64)| PointResult {
            load: LoadLevel::outstanding(1 << index),
            rate: Throughput::iops(Estimate { mean: *iops, ci95: Some(share * iops) }),
            latency_ms: Latency { mean: index as f64, ..Latency::default() },
            ..PointResult::default()
        };
        let points: Vec<PointResult> = rates.iter().enumerate().map(point).collect();
        saturation(&Curve::of(points.iter()))
    }

    #[test]
    fn the_smallest_load_that_reaches_the_highest_throughput_is_the_knee() {
        let found = of(&[100.0, 190.0, 297.0, 300.0, 302.0, 301.0]).unwrap();
        assert_eq!((found.load, found.rate, found.latency_ms), (4.0, 297.0, Some(2.0)));
        assert_eq!(found.status, SaturationStatus::Reached);
        let collapsing = of(&[100.0, 190.0, 100.0, 50.0]).unwrap();
        assert_eq!((collapsing.load, collapsing.status), (2.0, SaturationStatus::Reached));
    }

    #[test]
    fn a_throughput_that_is_hardly_known_has_not_stopped_rising() {
        let found = within(0.5, &[100.0, 135.0, 148.0, 150.0]).unwrap();
        assert_eq!((found.load, found.status), (4.0, SaturationStatus::Reached));
    }

    #[test]
    fn what_still_rises_at_the_highest_load_has_not_saturated() {
        let found = of(&[100.0, 190.0, 380.0]).unwrap();
        assert_eq!((found.load, found.status), (4.0, SaturationStatus::Rising));
        assert_eq!(of(&[100.0]), None);
        assert_eq!(of(&[]), None);
    }
}
