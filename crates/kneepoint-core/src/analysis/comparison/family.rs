//! Many tests at once: what is called significant among them.
//!
//! Of twenty comparisons of equal things one differs beyond its 95 % interval by chance. Holm's
//! procedure (S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
//! Journal of Statistics 6, 1979) keeps the probability that any of a family of tests is falsely
//! significant below a limit, whatever their dependence.

/// The p-values as Holm's procedure adjusts them, in the order given: significant is what is not
/// above the limit that holds for all of them together.
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
    use proptest::prelude::*;

    use super::*;

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
