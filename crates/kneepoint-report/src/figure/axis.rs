//! Axes: title, scale, range and the text of the ticks.

use kneepoint_core::words::number::Count;

use super::scale::{Domain, Scale};
use crate::language::Language;

/// One axis of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is shown, with its unit: `Response time in ms`.
    pub title: String,
    /// How values spread.
    pub scale: Scale,
    /// Values that must be within the axis besides the data.
    pub include: Vec<f64>,
    /// Where the axis is labelled.
    pub ticks: Ticks,
}

impl Axis {
    /// An axis that shows its data and chooses its own ticks.
    pub fn new(title: impl Into<String>, scale: Scale) -> Self {
        Self { title: title.into(), scale, include: Vec::new(), ticks: Ticks::Auto }
    }

    /// The part of the scale that shows `values` and what the axis itself asks for.
    pub(super) fn domain(&self, values: impl Iterator<Item = f64>) -> Domain {
        let fixed = match &self.ticks {
            Ticks::Auto => &[][..],
            Ticks::At(ticks) => ticks,
        };
        let fixed = fixed.iter().map(|tick| tick.value);
        Domain::around(self.scale, values.chain(self.include.iter().copied()).chain(fixed))
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
        Scale::Log2 | Scale::Log10 => {
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
    if value.abs() >= 1e6 {
        return format!("{value:.1e}");
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse::<u64>().map_or_else(|_| whole.to_owned(), |n| Count(n).to_string());
    let sign = if value < 0.0 { "-" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

#[cfg(test)]
mod tests {
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
        check(Scale::Linear, &[-2.0, 0.0, 2.0], &["-2", "0", "2"]);
        check(Scale::Linear, &[0.0, 5e6, 1e7], &["0", "5M", "10M"]);
        check(Scale::Linear, &[0.0, 1e300], &["0", "1.0e285P"]);
    }

    #[test]
    fn labels_over_decades_have_the_decimals_they_need() {
        check(Scale::Log10, &[0.01, 1.0, 100.0, 1e4], &["0.01", "1", "100", "10,000"]);
        check(Scale::Log2, &[0.5, 1.0, 2.0], &["0.5", "1", "2"]);
    }
}
