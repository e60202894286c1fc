//! Quantiles of Student's t distribution.

use std::f64::consts::FRAC_2_PI;

/// Probability that |t| with `freedom` degrees of freedom stays below `t`, 0 to 1.
///
/// The finite trigonometric sums of Abramowitz and Stegun, "Handbook of Mathematical Functions",
/// 1964, formulas 26.7.3 and 26.7.4: exact for whole degrees of freedom, in the angle
/// atan(t / sqrt(freedom)).
fn probability_within(t: f64, freedom: u32) -> f64 {
    let nu = f64::from(freedom);
    let hypotenuse = libm::sqrt(nu + t * t);
    let (sine, cosine) = (t / hypotenuse, libm::sqrt(nu) / hypotenuse);
    let mut sum = 0.0;
    let odd = freedom % 2;
    let mut term = if odd == 1 { cosine } else { 1.0 };
    for step in 0..freedom / 2 {
        sum += term;
        let index = f64::from(2 * step + odd);
        term *= cosine * cosine * (index + 1.0) / (index + 2.0);
    }
    if odd == 1 { FRAC_2_PI * (libm::atan2(sine, cosine) + sine * sum) } else { sine * sum }
}

/// Probability that |t| with `freedom` degrees of freedom lies beyond the size of `t`; 1 for none.
pub fn two_sided_tail(t: f64, freedom: u32) -> f64 {
    if freedom == 0 {
        return 1.0;
    }
    match t.abs() {
        t if t.is_nan() => 1.0,
        t if t.is_infinite() => 0.0,
        t => (1.0 - probability_within(t, freedom)).clamp(0.0, 1.0),
    }
}

/// The t that |t| exceeds with probability `tail` (0 to 1, both tails together), for `freedom`
/// degrees of freedom; infinite for none.
pub fn two_sided_quantile(tail: f64, freedom: u32) -> f64 {
    if freedom == 0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while probability_within(high, freedom) < 1.0 - tail {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..50 {
        let middle = low.midpoint(high);
        match probability_within(middle, freedom) < 1.0 - tail {
            true => low = middle,
            false => high = middle,
        }
    }
    low.midpoint(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the printed tables (e.g. Fisher and Yates, 1938).
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let check = |tail: f64, freedom: u32, printed: f64| {
            let t = two_sided_quantile(tail, freedom);
            assert!((t - printed).abs() < 6e-4, "t({tail}, {freedom}) is {t}, printed {printed}");
        };
        check(0.05, 1, 12.706);
        check(0.05, 2, 4.303);
        check(0.05, 3, 3.182);
        check(0.05, 10, 2.228);
        check(0.05, 29, 2.045);
        check(0.05, 120, 1.980);
        check(0.10, 9, 1.833);
        check(0.01, 15, 2.947);
        check(0.01, 30, 2.750);
        assert_eq!(two_sided_quantile(0.05, 0), f64::INFINITY);
    }

    #[test]
    fn the_tail_undoes_the_quantile() {
        for freedom in [1, 4, 15, 64] {
            for tail in [0.5, 0.05, 0.001] {
                let back = two_sided_tail(-two_sided_quantile(tail, freedom), freedom);
                assert!((back - tail).abs() < 1e-9, "{tail} {freedom}: {back}");
            }
        }
        assert_eq!(two_sided_tail(f64::INFINITY, 15), 0.0);
        assert_eq!(two_sided_tail(3.0, 0), 1.0);
    }

    #[test]
    fn many_degrees_of_freedom_approach_the_normal_distribution() {
        assert!((two_sided_quantile(0.05, 100_000) - 1.959_96).abs() < 1e-4);
    }
}
