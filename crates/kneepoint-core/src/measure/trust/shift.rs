//! A sudden and lasting change of level within a point: throttling, or its end.

use crate::result::{ThroughputUnit, Warning};
use crate::words::units::Nanos;

/// The two levels differ by at least this factor.
const RATIO_MIN: f64 = 1.25;

/// Each level lasts for at least this share of the series.
const SHARE_MIN: f64 = 0.2;

/// Shortest series that is looked at, in intervals: each level then has at least five.
const LENGTH_MIN: usize = 25;

/// The difference of the levels in standard errors. Without any change, the best of all splits of
/// a hundred independent normal values stays below 3.5 in 99 of 100 series (by simulation; the
/// statistic is that of D. M. Hawkins, "Testing a sequence of observations for a shift in
/// location", JASA 72, 1977). Twice that leaves room for an error in the estimated correlation.
const SCORE_MIN: f64 = 8.0;

/// Two levels must leave at most this share of the squares that a straight line leaves: a slow
/// drift is not a shift.
const LINE_SHARE_MAX: f64 = 0.7;

/// Estimates of the correlation are not trusted above this.
const CORRELATION_MAX: f64 = 0.8;

/// Two levels and where the second begins.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Split {
    start: usize,
    before: f64,
    after: f64,
    /// Sum of the squares around both levels.
    rest: f64,
}

/// A change of level in operations per interval; `unit` is that of their rate.
pub(super) fn finding(
    counts: &[f64],
    (interval, unit): (Nanos, ThroughputUnit),
) -> Option<Warning> {
    let split = level_shift(counts)?;
    let seconds = interval.as_secs_f64();
    Some(Warning::LevelShift {
        at_s: seconds * split.start as f64,
        before_rate: split.before / seconds,
        after_rate: split.after / seconds,
        unit,
    })
}

/// The change of level, where there is one beyond doubt.
fn level_shift(counts: &[f64]) -> Option<Split> {
    if counts.len() < LENGTH_MIN {
        return None;
    }
    let split = best_split(counts)?;
    let (low, high) = (split.before.min(split.after), split.before.max(split.after));
    let is_large = high > 0.0 && high >= RATIO_MIN * low;
    let is_sudden = split.rest <= LINE_SHARE_MAX * rest_of_line(counts);
    (is_large && is_sudden && score(counts, &split) >= SCORE_MIN).then_some(split)
}

/// The split that leaves the least squares.
fn best_split(counts: &[f64]) -> Option<Split> {
    let length = counts.len();
    let shortest = (libm::ceil(SHARE_MIN * length as f64) as usize).max(1);
    let total: f64 = counts.iter().sum();
    let squares: f64 = counts.iter().map(|count| count * count).sum();
    let mut sum: f64 = counts[..shortest].iter().sum();
    let mut best: Option<Split> = None;
    let starts = counts.iter().enumerate().take(length - shortest + 1).skip(shortest);
    for (start, count) in starts {
        let (first, second) = (start as f64, (length - start) as f64);
        let (before, after) = (sum / first, (total - sum) / second);
        let rest = (squares - first * before * before - second * after * after).max(0.0);
        if best.is_none_or(|split| rest < split.rest) {
            best = Some(Split { start, before, after, rest });
        }
        sum += count;
    }
    best
}

/// The difference of the levels in standard errors, corrected for the correlation of what is left.
fn score(counts: &[f64], split: &Split) -> f64 {
    let level = |index: usize| if index < split.start { split.before } else { split.after };
    let rest: Vec<f64> =
        counts.iter().enumerate().map(|(index, count)| count - level(index)).collect();
    let scatter: f64 = rest.iter().map(|value| value * value).sum();
    let products: f64 = rest.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let difference = (split.after - split.before).abs();
    // Levels without any scatter are certain; rounding alone must not be divided by.
    if scatter <= 1e-18 * difference * difference {
        return f64::INFINITY;
    }
    let correlation = (products / scatter).clamp(0.0, CORRELATION_MAX);
    let inflation = (1.0 + correlation) / (1.0 - correlation);
    let (first, all) = (split.start as f64, counts.len() as f64);
    let variance = scatter / (all - 2.0) * inflation * (1.0 / first + 1.0 / (all - first));
    difference / libm::sqrt(variance)
}

/// Sum of the squares around the straight line through the series.
fn rest_of_line(counts: &[f64]) -> f64 {
    let length = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / length;
    let place = |index: usize| index as f64 - (length - 1.0) / 2.0;
    let spread = length * (length * length - 1.0) / 12.0;
    let along: f64 =
        counts.iter().enumerate().map(|(index, count)| place(index) * (count - mean)).sum();
    let scatter: f64 = counts.iter().map(|count| (count - mean) * (count - mean)).sum();
    scatter - along * along / spread
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A series around `level(index)` with a scatter of +-10 % from a fixed generator.
    fn series(length: usize, level: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut state = 12_345_u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64 / (1_u64 << 24) as f64 - 0.5
        };
        (0..length).map(|index| level(index) * (1.0 + 0.2 * noise())).collect()
    }

    #[test]
    fn a_lasting_change_is_found_where_it_is() {
        let check = |length: usize, at: usize, factor: f64| {
            let counts = series(length, |index| if index < at { 1000.0 } else { 1000.0 * factor });
            let split = level_shift(&counts).unwrap_or_else(|| panic!("{length} {at} {factor}"));
            assert!(split.start.abs_diff(at) <= 1, "{split:?}");
            let error = (split.after - factor * split.before).abs();
            assert!(error < 0.05 * split.before, "{split:?}");
        };
        check(30, 10, 0.5);
        check(100, 30, 0.3);
        check(100, 75, 0.7);
        check(300, 100, 1.5);
        check(50, 25, 0.0);
    }

    #[test]
    fn other_courses_are_no_shift() {
        let check = |name: &str, counts: Vec<f64>| assert_eq!(level_shift(&counts), None, "{name}");
        check("level", series(100, |_| 1000.0));
        check("too small", series(100, |index| if index < 50 { 1000.0 } else { 900.0 }));
        check("too short", series(20, |index| if index < 10 { 1000.0 } else { 100.0 }));
        check("slow drift", series(100, |index| 1000.0 + 10.0 * index as f64));
        check("a dip", series(100, |index| if (40..50).contains(&index) { 10.0 } else { 1000.0 }));
        check("waves", series(100, |index| if index / 10 % 2 == 0 { 1000.0 } else { 500.0 }));
        check("at the end", series(100, |index| if index < 90 { 1000.0 } else { 500.0 }));
        check("nothing", vec![0.0; 100]);
        check("constant", vec![7.0; 100]);
    }

    #[test]
    fn the_text_names_the_time_and_the_levels() {
        let counts: Vec<f64> = (0..100).map(|index| if index < 40 { 50.0 } else { 20.0 }).collect();
        let text =
            finding(&counts, (Nanos::from_millis(100), ThroughputUnit::Iops)).unwrap().text();
        assert!(text.starts_with("level shift: 4.0 s"), "{text}");
        assert!(text.contains("fell from 500") && text.contains("to 200"), "{text}");
    }
}
