//! A ratio of two runs with its confidence interval, and the claims of a comparison as one family.

use super::Side;
use crate::analysis::estimate::{ALPHA, RelativeError, Value, whole};
use crate::measure::confidence::{two_sided_quantile, two_sided_tail};

/// Power of the smallest detectable difference: so often it would be found.
const POWER: f64 = 0.8;

/// The logarithm of a ratio, with its standard error where it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::analysis) struct Ratio {
    pub(in crate::analysis) log: f64,
    /// Absolute standard error of the logarithm.
    pub(in crate::analysis) spread: Option<RelativeError>,
}

impl Ratio {
    /// `other` as a multiple of `reference`; nothing where one is not positive.
    pub(in crate::analysis) fn of(reference: Value, other: Value) -> Option<Self> {
        let is_positive = reference.number > 0.0 && other.number > 0.0;
        is_positive.then(|| Self {
            log: libm::log(other.number / reference.number),
            spread: match (reference.spread, other.spread) {
                (Some(left), Some(right)) => Some(RelativeError::combined(&[left, right])),
                _ => None,
            },
        })
    }

    /// The reference as a multiple of the other.
    pub(in crate::analysis) fn inverse(self) -> Self {
        Self { log: -self.log, ..self }
    }

    /// The geometric mean of ratios whose errors are independent.
    pub(in crate::analysis) fn mean(ratios: &[Self]) -> Option<Self> {
        let count = ratios.len() as f64;
        let spreads: Option<Vec<RelativeError>> = ratios.iter().map(|ratio| ratio.spread).collect();
        (!ratios.is_empty()).then(|| Self {
            log: ratios.iter().map(|ratio| ratio.log).sum::<f64>() / count,
            spread: spreads.map(|spreads| {
                let sum = RelativeError::combined(&spreads);
                RelativeError { relative: sum.relative / count, ..sum }
            }),
        })
    }

    /// The change in percent.
    pub(in crate::analysis) fn percent(self) -> f64 {
        percent(self.log)
    }

    /// The 95 % confidence interval of the change in percent.
    pub(in crate::analysis) fn interval_percent(self) -> Option<[f64; 2]> {
        let spread = self.spread?;
        let reach = spread.quantile(ALPHA) * spread.relative;
        Some([percent(self.log - reach), percent(self.log + reach)])
    }

    /// Probability of at least such a difference, to either side, where there is none.
    pub(in crate::analysis) fn p_value(self) -> Option<f64> {
        let spread = self.spread?;
        Some(two_sided_tail(self.log / spread.relative, whole(spread.dof)))
    }

    /// Probability of lying at least as far to `side` of a change of `limit_percent` where the true
    /// change is that limit.
    pub(in crate::analysis) fn p_value_beyond(self, limit_percent: f64, side: Side) -> Option<f64> {
        let spread = self.spread?;
        let distance = match side {
            Side::Below => log_of_percent(limit_percent) - self.log,
            Side::Above => self.log - log_of_percent(limit_percent),
        };
        let tail = two_sided_tail(distance / spread.relative, whole(spread.dof)) / 2.0;
        Some(if distance > 0.0 { tail } else { 1.0 - tail })
    }

    /// The smallest change, in percent, that a test of probability of error `tail` finds in 80 of
    /// 100 comparisons like this one.
    pub(in crate::analysis) fn detectable_percent(self, tail: f64) -> Option<f64> {
        let spread = self.spread?;
        let power = two_sided_quantile(2.0 * (1.0 - POWER), whole(spread.dof));
        Some(percent((spread.quantile(tail) + power) * spread.relative))
    }
}

fn percent(log: f64) -> f64 {
    100.0 * libm::expm1(log)
}

/// The logarithm of a ratio that changes by `percent`; a fall by 100 % or more is no ratio.
fn log_of_percent(percent: f64) -> f64 {
    if percent <= -100.0 { f64::NEG_INFINITY } else { libm::log1p(percent / 100.0) }
}

/// The p-values as Holm's procedure adjusts them, in the order given: significant is what is not
/// above the limit that holds for all of them together.
///
/// Of twenty comparisons of equal things one differs beyond its 95 % interval by chance. Holm's
/// procedure (S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
/// Journal of Statistics 6, 1979) keeps the probability that any of a family of tests is falsely
/// significant below a limit, whatever their dependence.
pub(in crate::analysis) fn adjusted(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|left, right| p_values[*left].total_cmp(&p_values[*right]));
    let mut adjusted = vec![1.0; count];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        let own = p_values[index] * (count - rank) as f64;
        largest = largest.max(own.min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(number: f64, relative: f64) -> Value {
        Value { number, spread: Some(RelativeError { relative, dof: 30.0 }) }
    }

    #[test]
    fn a_ratio_has_an_interval_around_it() {
        let ratio = Ratio::of(value(100.0, 0.01), value(110.0, 0.01)).unwrap();
        assert!((ratio.percent() - 10.0).abs() < 1e-9);
        let [low, high] = ratio.interval_percent().unwrap();
        assert!(low < 7.0 && low > 6.5 && high > 13.0 && high < 13.5, "{low} {high}");
        assert!(ratio.p_value().unwrap() < 1e-6);
    }

    /// A difference and its inverse are the same finding.
    #[test]
    fn the_test_does_not_depend_on_which_run_is_the_reference() {
        let (left, right) = (value(100.0, 0.02), value(107.0, 0.03));
        let there = Ratio::of(left, right).unwrap().p_value().unwrap();
        let back = Ratio::of(right, left).unwrap().p_value().unwrap();
        assert!((there - back).abs() < 1e-12);
    }

    #[test]
    fn a_limit_is_judged_from_both_sides() {
        let ratio = Ratio::of(value(100.0, 0.01), value(90.0, 0.01)).unwrap();
        let beyond = |limit, side| ratio.p_value_beyond(limit, side).unwrap();
        assert!(beyond(-5.0, Side::Below) < 0.01);
        assert!(beyond(-5.0, Side::Above) > 0.99);
        assert!(beyond(-15.0, Side::Above) < 0.01);
        let at_limit = beyond(ratio.percent(), Side::Below);
        assert!((at_limit - 0.5).abs() < 1e-6, "{at_limit}");
    }

    #[test]
    fn the_detectable_difference_grows_with_the_error_and_with_strictness() {
        let coarse = Ratio::of(value(100.0, 0.05), value(100.0, 0.05)).unwrap();
        let fine = Ratio::of(value(100.0, 0.01), value(100.0, 0.01)).unwrap();
        let find = |ratio: Ratio, tail| ratio.detectable_percent(tail).unwrap();
        assert!(find(coarse, 0.05) > 4.0 * find(fine, 0.05));
        assert!(find(fine, 0.001) > find(fine, 0.05));
    }

    #[test]
    fn a_mean_of_ratios_is_known_better_than_each() {
        let one = Ratio::of(value(100.0, 0.02), value(105.0, 0.02)).unwrap();
        let mean = Ratio::mean(&[one; 4]).unwrap();
        assert!((mean.log - one.log).abs() < 1e-12);
        assert!((mean.spread.unwrap().relative / one.spread.unwrap().relative - 0.5).abs() < 1e-9);
        assert_eq!(Ratio::mean(&[]), None);
    }

    /// The example of Holm's paper in the form of adjusted p-values, worked by hand.
    #[test]
    fn the_smallest_is_multiplied_by_all_the_next_by_one_less() {
        let found = adjusted(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(adjusted(&[]), Vec::<f64>::new());
    }

    proptest! {
        #[test]
        fn adjusting_keeps_the_order_and_never_makes_smaller(
            p_values in proptest::collection::vec(0.0..1.0_f64, 1..40),
        ) {
            let found = adjusted(&p_values);
            for (index, own) in p_values.iter().enumerate() {
                prop_assert!(found[index] >= *own && found[index] <= 1.0);
                for (other, theirs) in p_values.iter().enumerate() {
                    prop_assert!(own > theirs || found[index] <= found[other]);
                }
            }
        }
    }
}
