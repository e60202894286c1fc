//! Quantiles of Student's t distribution.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// Up to this many degrees of freedom the probability is an exact sum, which has half as many terms;
/// beyond, the approximation by the normal distribution is as good as the arithmetic.
const SUMMED_MAX: u32 = 200;

/// Nothing lies farther out than this, whatever the degrees of freedom; its square is finite.
const T_MAX: f64 = 1e150;

/// Probability that |t| with `dof` degrees of freedom stays below `t`, 0 to 1.
fn probability_within(t: f64, dof: u32) -> f64 {
    match dof > SUMMED_MAX {
        true => libm::erf(normal_deviate(t, dof) * FRAC_1_SQRT_2),
        false => summed(t, dof),
    }
}

/// The deviate of the normal distribution that is exceeded as often as `t` is, for many degrees of
/// dof.
///
/// The asymptotic series of G. W. Hill, "Algorithm 395: Student's t-distribution", Communications of
/// the ACM 13, 1970. Beyond [`SUMMED_MAX`] degrees of freedom the probability is off by less than
/// 1e-13.
fn normal_deviate(t: f64, dof: u32) -> f64 {
    let nu = f64::from(dof);
    let a = nu - 0.5;
    let b = 48.0 * a * a;
    let y = a * libm::log1p(t * t / nu);
    let rest = ((-0.4 * y - 3.3) * y - 24.0) * y - 85.5;
    ((rest / (0.8 * y * y + 100.0 + b) + y + 3.0) / b + 1.0) * libm::sqrt(y)
}

/// As [`probability_within`], in a time that grows with the degrees of freedom.
///
/// The finite trigonometric sums of Abramowitz and Stegun, "Handbook of Mathematical Functions",
/// 1964, formulas 26.7.3 and 26.7.4: exact for whole degrees of freedom, in the angle
/// atan(t / sqrt(dof)).
fn summed(t: f64, dof: u32) -> f64 {
    let nu = f64::from(dof);
    let hypotenuse = libm::sqrt(nu + t * t);
    let (sine, cosine) = (t / hypotenuse, libm::sqrt(nu) / hypotenuse);
    let mut sum = 0.0;
    let odd = dof % 2;
    let mut term = if odd == 1 { cosine } else { 1.0 };
    for step in 0..dof / 2 {
        sum += term;
        let index = f64::from(2 * step + odd);
        term *= cosine * cosine * (index + 1.0) / (index + 2.0);
    }
    if odd == 1 { FRAC_2_PI * (libm::atan2(sine, cosine) + sine * sum) } else { sine * sum }
}

/// Probability that |t| with `dof` degrees of freedom lies beyond the size of `t`; 1 for none.
pub fn two_sided_tail(t: f64, dof: u32) -> f64 {
    if dof == 0 {
        return 1.0;
    }
    match t.abs() {
        t if t.is_nan() => 1.0,
        t if t > T_MAX => 0.0,
        t if dof > SUMMED_MAX => libm::erfc(normal_deviate(t, dof) * FRAC_1_SQRT_2),
        t => (1.0 - summed(t, dof)).clamp(0.0, 1.0),
    }
}

/// The t that |t| exceeds with probability `tail` (0 to 1, both tails together), for `dof`
/// degrees of freedom; infinite for none.
pub fn two_sided_quantile(tail: f64, dof: u32) -> f64 {
    if dof == 0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while probability_within(high, dof) < 1.0 - tail {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..50 {
        let middle = low.midpoint(high);
        match probability_within(middle, dof) < 1.0 - tail {
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
        let check = |tail: f64, dof: u32, printed: f64| {
            let t = two_sided_quantile(tail, dof);
            assert!((t - printed).abs() < 6e-4, "t({tail}, {dof}) is {t}, printed {printed}");
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
        for dof in [1, 4, 15, 64, SUMMED_MAX + 1, 100_000] {
            for tail in [0.5, 0.05, 0.001] {
                let back = two_sided_tail(-two_sided_quantile(tail, dof), dof);
                assert!((back - tail).abs() < 1e-9, "{tail} {dof}: {back}");
            }
        }
        for dof in [15, 100_000] {
            assert_eq!(two_sided_tail(f64::INFINITY, dof), 0.0);
            assert_eq!(two_sided_tail(1e200, dof), 0.0);
        }
        assert_eq!(two_sided_tail(3.0, 0), 1.0);
    }

    /// The sum rounds at each of its terms, which is what the limit grows with.
    #[test]
    fn the_approximation_is_the_sum_as_far_as_that_can_be_told() {
        for dof in [SUMMED_MAX, SUMMED_MAX + 1, 300, 1001, 10_000, 100_001] {
            let limit = 1e-13 + 1e-16 * f64::from(dof);
            for step in 1..=200 {
                let t = 0.05 * f64::from(step);
                let (near, exact) = (probability_within(t, dof), summed(t, dof));
                assert!((near - exact).abs() < limit, "{dof}, {t}: {near} is not {exact}");
            }
        }
    }

    /// What is exact to 1e-13 in the probability is exact to more than 1e-6 in the quantile where
    /// one in 100,000 lies beyond it.
    #[test]
    fn quantiles_fall_smoothly_into_the_approximation_and_on_to_the_normal_distribution() {
        for (tail, normal) in [(0.5, 0.674_489_750), (0.05, 1.959_963_985), (1e-5, 4.417_173_413)] {
            let quantile = |dof| two_sided_quantile(tail, dof);
            let falls: Vec<f64> = (SUMMED_MAX - 2..SUMMED_MAX + 3)
                .map(|dof| quantile(dof) - quantile(dof + 1))
                .collect();
            for pair in falls.windows(2) {
                assert!(pair[1] > 0.0 && (pair[1] / pair[0] - 1.0).abs() < 0.02, "{falls:?}");
            }
            // The first term of the expansion: Abramowitz and Stegun, 26.7.5.
            let expected = normal + (normal * normal * normal + normal) / 4.0 / 100_000.0;
            assert!((quantile(100_000) - expected).abs() < 1e-6, "{tail}");
        }
    }
}
