//! The score of business operations.
//!
//! Published benchmarks of business operations in memory raise the number of warehouses one by one, and take
//! the mean throughput from the number at which it is expected to be highest, that of the processors, to
//! twice as many: a server is judged under more load than it has processors for. The idea is theirs, the
//! operations are ours, and so the numbers cannot be compared.

use super::curve::Curve;
use crate::result::{Estimate, PointResult, Score};
use crate::spec::profile::BusinessWork;

/// The score of a curve over warehouses; `None` unless every number of them that it takes was measured.
pub(super) fn score(curve: &Curve<'_>, work: &BusinessWork) -> Option<Score> {
    let (from, to) = (work.peak_warehouses, work.peak_warehouses.checked_mul(2)?);
    let points: Vec<&PointResult> =
        (from..=to).map(|count| curve.point(f64::from(count))).collect::<Option<_>>()?;
    let count = points.len() as f64;
    let mean = points.iter().map(|point| point.rate.mean).sum::<f64>() / count;
    // The loads are measured apart, so their errors are independent.
    let squares: Option<f64> =
        points.iter().map(|point| point.rate.ci95.map(|width| width * width)).sum();
    let ci95 = squares.map(|squares| squares.sqrt() / count);
    Some(Score { rate: Estimate { mean, ci95 }, from, to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Throughput, Verdict};
    use crate::words::load::LoadLevel;
    use crate::words::units::Percent;

    fn of(rates: &[f64], peak_warehouses: u32) -> Option<Score> {
        let point = |(index, rate): (usize, &f64)| PointResult {
            load: LoadLevel::warehouses(index as u32 + 1),
            rate: Throughput::iops(Estimate { mean: *rate, ci95: Some(3.0) }),
            verdict: if *rate > 0.0 { Verdict::Steady } else { Verdict::Failed },
            ..PointResult::default()
        };
        let points: Vec<PointResult> = rates.iter().enumerate().map(point).collect();
        let work = BusinessWork {
            name: "business".to_owned(),
            title: "Business".to_owned(),
            remote: Percent::ZERO,
            peak_warehouses,
            transactions: Vec::new(),
        };
        score(&Curve::of(points.iter()), &work)
    }

    #[test]
    fn the_score_is_the_mean_from_the_expected_peak_to_twice_as_many() {
        let rates = [100.0, 200.0, 210.0, 190.0, 50.0];
        let score = of(&rates, 2).unwrap();
        assert_eq!((score.rate.mean, score.from, score.to), (200.0, 2, 4));
        // Three loads with 3 each: 3 * sqrt(3) / 3.
        assert!((score.rate.ci95.unwrap() - 3.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(of(&rates, 1).unwrap().rate.mean, 150.0);
    }

    #[test]
    fn there_is_no_score_without_all_of_its_loads() {
        assert_eq!(of(&[100.0, 200.0, 210.0], 2), None);
        assert_eq!(of(&[100.0, 200.0, 0.0, 190.0], 2), None);
        assert_eq!(of(&[100.0], u32::MAX), None);
    }
}
