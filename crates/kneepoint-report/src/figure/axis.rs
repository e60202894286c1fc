//! Axes: title, scale, range, and where their ticks stand.

use kneepoint_core::words::number::Count;

use crate::language::Language;

/// One axis of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The quantity, with its unit: `Response time in ms`.
    pub title: String,
    /// How values spread.
    pub scale: Scale,
    /// Values that must be within the axis besides the data.
    pub include: Vec<f64>,
    /// Where the axis is labelled.
    pub ticks: Ticks,
    /// Where the axis ends although there are values beyond; nothing if it shows them all.
    pub limit: Option<AxisLimit>,
}

/// The end of an axis that does not show all values: those beyond are arrows at its edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisLimit {
    /// The axis ends at the first tick from here on.
    pub value: f64,
    /// Unit of the values, for the labels of those beyond.
    pub unit: &'static str,
}

impl Axis {
    /// An axis that shows its data and chooses its own ticks.
    pub fn new(title: impl Into<String>, scale: Scale) -> Self {
        Self { title: title.into(), scale, include: Vec::new(), ticks: Ticks::Auto, limit: None }
    }

    /// The part of the scale that shows `values` and what the axis itself asks for.
    pub(super) fn domain(&self, values: impl Iterator<Item = f64>) -> Domain {
        let fixed = match &self.ticks {
            Ticks::Auto => &[][..],
            Ticks::At(ticks) => ticks,
        };
        let fixed = fixed.iter().map(|tick| tick.value);
        let all = values.chain(self.include.iter().copied()).chain(fixed);
        match self.limit {
            None => Domain::around(self.scale, all),
            Some(AxisLimit { value: limit, .. }) => {
                Domain::around(self.scale, all.map(|value| value.min(limit)))
            }
        }
    }

    /// The ticks within `domain`.
    pub(super) fn ticks_in(&self, domain: &Domain, language: Language) -> Vec<Tick> {
        match &self.ticks {
            Ticks::At(ticks) => {
                ticks.iter().filter(|tick| domain.contains(tick.value)).cloned().collect()
            }
            Ticks::Auto => labelled(self.scale, &domain.ticks(), language),
        }
    }
}

/// Where an axis is labelled.
#[derive(Debug, Clone, PartialEq)]
pub enum Ticks {
    /// At round numbers that suit the data.
    Auto,
    /// At these places.
    At(Vec<Tick>),
}

impl Ticks {
    /// At every doubling from `low` to `high` bytes, as binary sizes: `512`, `4 KiB`, `1 MiB`.
    pub fn binary_sizes(low: f64, high: f64) -> Self {
        const UNITS: [(f64, &str); 3] =
            [(1_073_741_824.0, "GiB"), (1_048_576.0, "MiB"), (1_024.0, "KiB")];
        let label = |bytes: f64| match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
            Some((unit, name)) => format!("{}\u{a0}{}", bytes / unit, name),
            None => bytes.to_string(),
        };
        let exponents = |value: f64| libm::floor(libm::log2(value.max(1.0)) + 1e-9) as i32;
        let first = exponents(low) + i32::from(libm::exp2(f64::from(exponents(low))) < low);
        let doublings = (first..=exponents(high)).map(|exponent| libm::exp2(exponent.into()));
        Self::At(doublings.map(|value| Tick { value, label: label(value) }).collect())
    }
}

/// A labelled place on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where.
    pub value: f64,
    /// The label.
    pub label: String,
}

/// Labels that agree in their decimals where ticks are evenly spaced.
pub(super) fn labelled(scale: Scale, values: &[f64], language: Language) -> Vec<Tick> {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let (unit, suffix) = magnitude(largest);
    let common = values.iter().map(|value| decimals_of(value / unit)).max().unwrap_or(0);
    let label = |value: f64| match scale {
        Scale::Linear if value == 0.0 => "0".to_owned(),
        Scale::Linear => format!("{}{suffix}", fixed(value / unit, common)),
        Scale::Log2 | Scale::Log10 | Scale::Ratio => {
            let (unit, suffix) = magnitude(value);
            format!("{}{suffix}", fixed(value / unit, decimals_of(value / unit)))
        }
    };
    let tick = |value: &f64| Tick { value: *value, label: language.written(&label(*value)) };
    values.iter().map(tick).collect()
}

/// The power of ten that labels are given in, so that they stay short.
fn magnitude(largest: f64) -> (f64, &'static str) {
    const UNITS: [(f64, &str); 4] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M")];
    match UNITS.iter().find(|(unit, _)| largest >= 5.0 * unit) {
        Some((unit, suffix)) => (*unit, suffix),
        None => (1.0, ""),
    }
}

/// Decimals that `value` needs, at most six.
fn decimals_of(value: f64) -> usize {
    let tolerance = value.abs() * 1e-6;
    let mut scaled = value.abs();
    let mut decimals = 0;
    let mut allowed = tolerance;
    while decimals < 6 && (scaled - scaled.round()).abs() > allowed {
        scaled *= 10.0;
        allowed *= 10.0;
        decimals += 1;
    }
    decimals
}

/// `value` with fixed decimals and grouped digits; beyond all units as a power of ten.
fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= 1e7 {
        return format!("{value:.1e}");
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse::<u64>().map_or_else(|_| whole.to_owned(), |n| Count(n).to_string());
    let sign = if value < 0.0 { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// How values spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart; the axis starts at zero unless values are negative.
    Linear,
    /// Doublings are equally far apart; only positive values can be shown.
    Log2,
    /// Decades are equally far apart; only positive values can be shown.
    Log10,
    /// Equal factors are equally far apart, on both sides of 1; only positive values can be shown.
    Ratio,
}

impl Scale {
    /// True if `value` has a place on this scale.
    pub fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }

    /// The value in the scale's own measure, in which distances are even.
    fn forward(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Log2 | Self::Ratio => libm::log2(value),
            Self::Log10 => libm::log10(value),
        }
    }
}

/// The smallest and the largest of the values that the scale shows; nothing if it shows none.
pub(super) fn extent(scale: Scale, values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let shown = values.into_iter().filter(|value| scale.shows(*value));
    let ends = |(low, high): (f64, f64), value: (f64, f64)| (low.min(value.0), high.max(value.1));
    shown.map(|value| (value, value)).reduce(ends)
}

/// The part of a scale that an axis shows; `low < high`, both finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Domain {
    pub(super) scale: Scale,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Domain {
    /// A domain that shows all `values` and ends at round numbers.
    pub(super) fn around(scale: Scale, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(scale, values).unwrap_or((1.0, 1.0));
        match scale {
            Scale::Linear => Self::linear(low, high),
            Scale::Log2 => Self::log2(low, high),
            Scale::Log10 => Self::log10(low, high),
            Scale::Ratio => Self::ratio(low.min(1.0), high.max(1.0)),
        }
    }

    fn linear(low: f64, high: f64) -> Self {
        let (low, high) = (low.min(0.0), high.max(0.0));
        let high = if low == high { 1.0 } else { high };
        let step = nice_step((high - low) / TICKS_LINEAR);
        let domain = |low: f64, high: f64| Self { scale: Scale::Linear, low, high };
        domain(libm::floor(low / step) * step, libm::ceil(high / step - 1e-9) * step)
    }

    /// Ends at the values, unless fewer than two doublings lie between them.
    fn log2(low: f64, high: f64) -> Self {
        let (low, high) = if low == high { (low / 2.0, high * 2.0) } else { (low, high) };
        let (below, above) = (libm::floor(libm::log2(low)), libm::ceil(libm::log2(high)));
        let inside = [libm::ceil(libm::log2(low)), libm::floor(libm::log2(high))];
        let (low, high) = match inside[0] < inside[1] {
            true => (low, high),
            false => (libm::exp2(below), libm::exp2(above.max(below + 1.0))),
        };
        Self { scale: Scale::Log2, low, high }
    }

    /// Ends at 1, 2 or 5 times a power of ten, and spans at least a factor of ten.
    fn log10(low: f64, high: f64) -> Self {
        let steps: Vec<f64> = one_two_five(low / 10.0, high * 10.0).collect();
        let below = |limit: f64| steps.iter().rev().find(|step| **step <= limit * (1.0 + 1e-9));
        let above = |limit: f64| steps.iter().find(|step| **step >= limit * (1.0 - 1e-9));
        let low = below(low).copied().unwrap_or(low / 2.0);
        let high = above(high.max(low * 10.0)).copied().unwrap_or(high * 2.0);
        Self { scale: Scale::Log10, low, high }
    }

    /// Ends at round factors beyond the values, and holds 1 between.
    fn ratio(low: f64, high: f64) -> Self {
        let (low, high) = (low.min(0.95), high.max(1.05));
        let ticks = ratio_ticks(low, high);
        let (first, last) = (ticks.first().copied(), ticks.last().copied());
        let (low, high) = (first.unwrap_or(low), last.unwrap_or(high));
        Self { scale: Scale::Ratio, low, high }
    }

    /// True if `value` is within the domain.
    pub(super) fn contains(&self, value: f64) -> bool {
        self.scale.shows(value) && (0.0..=1.0).contains(&self.fraction(value))
    }

    /// Where `value` lies: 0 at the low end, 1 at the high end.
    pub(super) fn fraction(&self, value: f64) -> f64 {
        let [low, high, value] = [self.low, self.high, value].map(|v| self.scale.forward(v));
        (value - low) / (high - low)
    }

    /// Values at which the axis is labelled.
    pub(super) fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => self.ticks_linear(),
            Scale::Log2 => self.ticks_log2(),
            Scale::Log10 => self.ticks_log10(),
            Scale::Ratio => {
                let ticks = ratio_ticks(self.low, self.high).into_iter();
                let is_within = |tick: &f64| {
                    *tick >= self.low * (1.0 - 1e-9) && *tick <= self.high * (1.0 + 1e-9)
                };
                ticks.filter(is_within).collect()
            }
        }
    }

    fn ticks_linear(&self) -> Vec<f64> {
        let step = nice_step((self.high - self.low) / TICKS_LINEAR);
        let first = libm::ceil(self.low / step - 1e-9);
        let last = libm::floor(self.high / step + 1e-9);
        (0..=(last - first) as usize).map(|index| (first + index as f64) * step).collect()
    }

    fn ticks_log2(&self) -> Vec<f64> {
        let first = libm::ceil(libm::log2(self.low) - 1e-9);
        let last = libm::floor(libm::log2(self.high) + 1e-9);
        let count = (last - first).max(0.0) as usize + 1;
        let stride = count.div_ceil(TICKS_LOG_MAX);
        (0..count).step_by(stride).map(|index| libm::exp2(first + index as f64)).collect()
    }

    fn ticks_log10(&self) -> Vec<f64> {
        let ticks: Vec<f64> = one_two_five(self.low, self.high).collect();
        if ticks.len() <= TICKS_LOG_MAX {
            return ticks;
        }
        let decades: Vec<f64> = ticks.into_iter().filter(|tick| is_decade(*tick)).collect();
        let stride = decades.len().div_ceil(TICKS_LOG_MAX);
        decades.into_iter().step_by(stride).collect()
    }
}

/// About this many intervals on a linear axis.
const TICKS_LINEAR: f64 = 5.0;

/// At most this many labels on a logarithmic axis.
const TICKS_LOG_MAX: usize = 12;

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that is at least `step`.
pub(super) fn nice_step(step: f64) -> f64 {
    let power = libm::exp10(libm::floor(libm::log10(step)));
    let nice = [1.0, 2.0, 2.5, 5.0].iter().find(|factor| **factor * power >= step * (1.0 - 1e-9));
    nice.map_or(10.0 * power, |factor| factor * power)
}

/// 1, 2 and 5 times every power of ten from `low` to `high`.
pub(super) fn one_two_five(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let first = libm::floor(libm::log10(low)) as i32;
    let last = libm::ceil(libm::log10(high)) as i32;
    (first..=last)
        .flat_map(|exponent| [1.0, 2.0, 5.0].map(|factor| factor * libm::exp10(exponent.into())))
        .filter(move |value| *value >= low * (1.0 - 1e-9) && *value <= high * (1.0 + 1e-9))
}

/// Round factors from the last one that is not above `low` to the first one that is not below
/// `high`: evenly spaced where they lie close together, and 1, 2 and 5 times powers of ten else.
fn ratio_ticks(low: f64, high: f64) -> Vec<f64> {
    let step = nice_step((high - low) / RATIO_TICKS);
    let (first, last) = (libm::floor(low / step + 1e-9), libm::ceil(high / step - 1e-9));
    if first >= 1.0 && high / low < RATIO_EVEN {
        return (0..=(last - first) as usize).map(|index| (first + index as f64) * step).collect();
    }
    let all: Vec<f64> = one_two_five(low / 10.0, high * 10.0).collect();
    let first = all.iter().rposition(|tick| *tick <= low * (1.0 + 1e-9)).unwrap_or(0);
    let last = all.iter().position(|tick| *tick >= high * (1.0 - 1e-9)).unwrap_or(all.len() - 1);
    let between = all[first..=last].to_vec();
    match between.len() > TICKS_LOG_MAX {
        true => between.into_iter().filter(|tick| is_decade(*tick)).collect(),
        false => between,
    }
}

/// About this many intervals on an axis of factors, evenly spaced below this range.
const RATIO_TICKS: f64 = 5.0;
const RATIO_EVEN: f64 = 3.0;

/// True if `value` is a power of ten.
fn is_decade(value: f64) -> bool {
    let exponent = libm::log10(value);
    (exponent - libm::round(exponent)).abs() < 1e-6
}

#[cfg(test)]
mod axis_tests {
    use super::*;

    fn check(scale: Scale, values: &[f64], labels: &[&str]) {
        let ticks = labelled(scale, values, Language::English);
        let found: Vec<&str> = ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(found, labels);
    }

    #[test]
    fn labels_of_an_even_axis_agree_in_their_decimals() {
        check(Scale::Linear, &[0.0, 0.2, 0.4], &["0", "0.2", "0.4"]);
        check(Scale::Linear, &[0.0, 2.5, 5.0], &["0", "2.5", "5.0"]);
        check(Scale::Linear, &[0.0, 5_000.0, 10_000.0], &["0", "5,000", "10,000"]);
        check(Scale::Linear, &[-2.0, 0.0, 2.0], &["−2", "0", "2"]);
        check(Scale::Linear, &[0.0, 5e6, 1e7], &["0", "5M", "10M"]);
        check(Scale::Linear, &[0.0, 1e300], &["0", "1.0e285P"]);
    }

    #[test]
    fn labels_over_decades_have_the_decimals_they_need() {
        check(Scale::Log10, &[0.01, 1.0, 100.0, 1e4], &["0.01", "1", "100", "10,000"]);
        check(Scale::Log2, &[0.5, 1.0, 2.0], &["0.5", "1", "2"]);
    }
}

#[cfg(test)]
mod scale_tests {
    use super::*;

    fn check(scale: Scale, values: &[f64], ends: (f64, f64), ticks: &[f64]) {
        let domain = Domain::around(scale, values.iter().copied());
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
        assert!(near(domain.low, ends.0) && near(domain.high, ends.1), "{domain:?}");
        let found = domain.ticks();
        assert_eq!(found.len(), ticks.len(), "{found:?}");
        assert!(found.iter().zip(ticks).all(|(a, b)| near(*a, *b)), "{found:?}");
        assert!(values.iter().filter(|v| scale.shows(**v)).all(|v| domain.contains(*v)));
    }

    #[test]
    fn linear_axes_start_at_zero_and_end_at_a_tick() {
        check(Scale::Linear, &[3.0, 47.0], (0.0, 50.0), &[0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        check(Scale::Linear, &[1_240.0], (0.0, 1_250.0), &[0.0, 250.0, 500.0, 750.0, 1e3, 1250.0]);
        check(Scale::Linear, &[-4.0, 4.0], (-4.0, 4.0), &[-4.0, -2.0, 0.0, 2.0, 4.0]);
        check(Scale::Linear, &[0.0], (0.0, 1.0), &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        check(Scale::Linear, &[], (0.0, 1.0), &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        check(Scale::Linear, &[9e11], (0.0, 1e12), &[0.0, 2e11, 4e11, 6e11, 8e11, 1e12]);
    }

    #[test]
    fn loads_double() {
        check(Scale::Log2, &[1.0, 16.0], (1.0, 16.0), &[1.0, 2.0, 4.0, 8.0, 16.0]);
        check(
            Scale::Log2,
            &[1.0, 9.0, 121.0],
            (1.0, 121.0),
            &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0],
        );
        check(Scale::Log2, &[8.0], (4.0, 16.0), &[4.0, 8.0, 16.0]);
        check(Scale::Log2, &[5.0, 7.0], (4.0, 8.0), &[4.0, 8.0]);
        check(Scale::Log2, &[3.0, 5.0], (2.0, 8.0), &[2.0, 4.0, 8.0]);
        assert!(Domain::around(Scale::Log2, [1.0, 1e9]).ticks().len() <= 12);
    }

    #[test]
    fn factors_spread_around_one() {
        check(Scale::Ratio, &[1.31, 1.59], (0.8, 1.6), &[0.8, 1.0, 1.2, 1.4, 1.6]);
        check(Scale::Ratio, &[1.0], (0.94, 1.06), &[0.95, 0.975, 1.0, 1.025, 1.05]);
        check(Scale::Ratio, &[0.3, 4.5], (0.2, 5.0), &[0.2, 0.5, 1.0, 2.0, 5.0]);
        check(Scale::Ratio, &[0.0, -1.0], (0.94, 1.06), &[0.95, 0.975, 1.0, 1.025, 1.05]);
    }

    #[test]
    fn decades_end_at_round_numbers_and_leave_out_what_has_no_logarithm() {
        check(Scale::Log10, &[0.0, 3.0, 40.0], (2.0, 50.0), &[2.0, 5.0, 10.0, 20.0, 50.0]);
        check(Scale::Log10, &[7.0], (5.0, 50.0), &[5.0, 10.0, 20.0, 50.0]);
        let wide = Domain::around(Scale::Log10, [0.001, 1e6]).ticks();
        assert_eq!(wide.len(), 10, "{wide:?}");
    }
}
