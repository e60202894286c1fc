//! Overload: what is left of the peak at twice and at four times the load of the saturation knee.

use super::curve::Curve;
use crate::result::{Overload, PointResult};

/// The multiples of the load of the knee.
const MULTIPLES: [u32; 2] = [2, 4];

/// Throughput at the multiples of the knee's load that do not lie beyond what was measured.
pub(super) fn overload(curve: &Curve<'_>) -> Vec<Overload> {
    let Some(knee) = curve.peak_index() else { return Vec::new() };
    let points = curve.points();
    let (load, peak) = (points[knee].load.value, points[knee].rate.mean);
    let at = |times: u32| {
        let load = f64::from(times) * load;
        let (rate, is_interpolated) = rate_at(&points, load)?;
        // Beyond the knee nothing is higher than the interval of the peak.
        let peak_percent = (100.0 * rate / peak).min(100.0);
        (peak > 0.0).then_some(Overload { times, load, rate, peak_percent, is_interpolated })
    };
    MULTIPLES.into_iter().filter_map(at).collect()
}

/// The rate at a load, and whether it is on the line between the two neighbours of `points`, which
/// are in rising order; nothing beyond them.
fn rate_at(points: &[&PointResult], load: f64) -> Option<(f64, bool)> {
    let above = points.partition_point(|point| point.load.value < load);
    let high = points.get(above)?;
    if high.load.value == load {
        return Some((high.rate.mean, false));
    }
    let low = points.get(above.checked_sub(1)?)?;
    let part = (load - low.load.value) / (high.load.value - low.load.value);
    Some((low.rate.mean + part * (high.rate.mean - low.rate.mean), true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::tests::point;

    /// Times, percent of the peak, and whether that was interpolated, of a series with these rates.
    fn of(rates: &[(u32, f64)]) -> Vec<(u32, f64, bool)> {
        let points: Vec<PointResult> =
            rates.iter().map(|(load, iops)| point(*load, *iops, 0.01)).collect();
        let found = overload(&Curve::of(points.iter()));
        found.iter().map(|at| (at.times, at.peak_percent.round(), at.is_interpolated)).collect()
    }

    #[test]
    fn what_is_left_of_the_peak_is_read_at_twice_and_at_four_times_its_load() {
        let found = of(&[(32, 100.0), (64, 200.0), (128, 190.0), (256, 146.0)]);
        assert_eq!(found, [(2, 95.0, false), (4, 73.0, false)]);
    }

    #[test]
    fn between_two_loads_it_is_interpolated() {
        let found = of(&[(1, 100.0), (9, 200.0), (17, 200.0), (25, 100.0)]);
        assert_eq!(found, [(2, 94.0, true)]);
    }

    #[test]
    fn nothing_is_more_than_all_of_the_peak() {
        let of = |share: f64| {
            let points = [(1, 100.0), (2, 280.0), (4, 300.0), (8, 250.0)];
            let points = points.map(|(load, iops)| point(load, iops, share));
            overload(&Curve::of(points.iter())).into_iter().map(|at| at.peak_percent).collect()
        };
        // The interval of the second load reaches the third, which is 7 % higher.
        let found: Vec<f64> = of(0.1);
        assert_eq!((found[0], found[1].round()), (100.0, 89.0));
        let found: Vec<f64> = of(0.01);
        assert_eq!(found[0].round(), 83.0);
    }

    proptest::proptest! {
        #[test]
        fn no_share_is_above_all(
            rates in proptest::collection::vec(1.0..1e4_f64, 1..8),
            share in 0.0..0.5_f64,
        ) {
            let points: Vec<PointResult> =
                rates.iter().enumerate().map(|(at, iops)| point(1 << at, *iops, share)).collect();
            let found = overload(&Curve::of(points.iter()));
            proptest::prop_assert!(found.iter().all(|at| (0.0..=100.0).contains(&at.peak_percent)));
        }
    }

    #[test]
    fn beyond_the_highest_load_nothing_is_said() {
        assert_eq!(of(&[(1, 100.0), (2, 200.0), (3, 195.0)]), []);
        assert_eq!(of(&[(1, 100.0), (2, 200.0), (4, 400.0)]), []);
        assert_eq!(of(&[]), []);
    }
}
