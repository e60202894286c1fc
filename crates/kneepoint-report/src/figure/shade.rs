//! Shades for values: one hue from pale to deep, so that more is darker in grey as well.

use super::axis::{Tick, labelled};
use super::scale::{Scale, nice_step, one_two_five};
use crate::language::Language;

/// The shades from the least to the most, evenly spaced in lightness (OKLCH, hue 248).
pub(super) const SHADES: [&str; 9] = [
    "#eaf5ff", "#c7dbef", "#a0c2e4", "#7aaad8", "#5891c6", "#3878b1", "#1e6097", "#0a4979",
    "#003359",
];

/// Colour of text on the pale shades, and on the deep ones.
pub(super) const INK: [&str; 2] = ["#1b2430", "#ffffff"];

/// From this shade on text is light.
pub(super) const DEEP_FROM: usize = 5;

/// At most this many steps: more could not be told apart.
const STEPS_MAX: usize = SHADES.len();

/// Steps of values, each with its shade.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Steps {
    /// The ends of the steps, one more than there are steps, rising.
    pub(super) bounds: Vec<Tick>,
}

impl Steps {
    /// Steps between round numbers that hold all `values` that the scale shows.
    pub(super) fn around(scale: Scale, values: &[f64], language: Language) -> Self {
        let shown = values.iter().copied().filter(|value| scale.shows(*value));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = match (low <= high, scale) {
            (true, _) => (low, high),
            (false, Scale::Linear) => (0.0, 1.0),
            (false, Scale::Log2 | Scale::Log10) => (1.0, 10.0),
        };
        let bounds = match scale {
            Scale::Linear => even(low, high),
            Scale::Log2 | Scale::Log10 => decades(low, high),
        };
        Self { bounds: labelled(scale, &bounds, language) }
    }

    /// Number of steps.
    pub(super) fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The shade of the step with this index; the deepest one is the last step's.
    pub(super) fn shade(&self, step: usize) -> usize {
        let last = self.len().saturating_sub(1).max(1);
        (step * (SHADES.len() - 1) + last / 2) / last
    }

    /// The shade of a value.
    pub(super) fn shade_of(&self, value: f64) -> usize {
        let inner = &self.bounds[1..self.bounds.len() - 1];
        self.shade(inner.iter().filter(|bound| value >= bound.value).count())
    }
}

/// Multiples of a round number.
fn even(low: f64, high: f64) -> Vec<f64> {
    let spread = if high > low { high - low } else { high.abs().max(1.0) };
    let step = nice_step(spread / (STEPS_MAX - 2) as f64);
    let first = libm::floor(low / step + 1e-9);
    let last = libm::ceil(high / step - 1e-9).max(first + 1.0);
    (0..=(last - first) as usize).map(|index| (first + index as f64) * step).collect()
}

/// 1, 2 and 5 times powers of ten; over many decades powers of ten alone, as many as are needed.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let fine: Vec<f64> = bracket(one_two_five(low / 10.0, high * 10.0), low, high);
    if fine.len() <= STEPS_MAX + 1 {
        return fine;
    }
    let (first, last) = (libm::floor(libm::log10(low)), libm::ceil(libm::log10(high)));
    let stride = libm::ceil((last - first) / STEPS_MAX as f64).max(1.0);
    let count = libm::ceil((last - first) / stride) as usize;
    (0..=count).map(|index| libm::exp10(first + stride * index as f64)).collect()
}

/// The part of rising `candidates` that just holds `low` and `high`; at least two.
fn bracket(candidates: impl Iterator<Item = f64>, low: f64, high: f64) -> Vec<f64> {
    let all: Vec<f64> = candidates.collect();
    let first = all.iter().rposition(|bound| *bound <= low * (1.0 + 1e-9)).unwrap_or(0);
    let last = all.iter().position(|bound| *bound >= high * (1.0 - 1e-9));
    let last = last.unwrap_or(all.len() - 1).max(first + 1).min(all.len() - 1);
    all[first..=last].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(scale: Scale, values: &[f64], bounds: &[f64]) {
        let steps = Steps::around(scale, values, Language::English);
        let found: Vec<f64> = steps.bounds.iter().map(|bound| bound.value).collect();
        assert_eq!(found.len(), bounds.len(), "{found:?}");
        assert!(
            found.iter().zip(bounds).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs()),
            "{found:?}"
        );
        assert!(steps.len() <= SHADES.len());
    }

    #[test]
    fn steps_lie_between_round_numbers() {
        check(Scale::Linear, &[120.0, 900.0], &[0.0, 200.0, 400.0, 600.0, 800.0, 1_000.0]);
        check(Scale::Linear, &[7.0], &[7.0, 8.0]);
        check(Scale::Linear, &[], &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        check(Scale::Log10, &[3.0, 40.0], &[2.0, 5.0, 10.0, 20.0, 50.0]);
        check(Scale::Log10, &[0.0, -1.0], &[1.0, 2.0, 5.0, 10.0]);
        check(Scale::Log10, &[1.0], &[1.0, 2.0]);
        check(Scale::Log10, &[1.0, 90_000.0], &[1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
    }

    #[test]
    fn more_is_never_paler_and_the_ends_of_the_scale_are_used() {
        let steps = Steps::around(Scale::Linear, &[0.0, 1_000.0], Language::English);
        let shades: Vec<usize> = (0..=100).map(|i| steps.shade_of(f64::from(i) * 10.0)).collect();
        assert!(shades.windows(2).all(|pair| pair[0] <= pair[1]), "{shades:?}");
        assert_eq!((shades[0], shades[100]), (0, SHADES.len() - 1));
    }

    /// Relative luminance (WCAG 2.2).
    fn luminance(colour: &str) -> f64 {
        let channel = |from: usize| {
            let value = u8::from_str_radix(&colour[from..from + 2], 16).unwrap();
            let share = f64::from(value) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { libm::pow((share + 0.055) / 1.055, 2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn shades_are_apart_in_grey_and_carry_their_text() {
        for pair in SHADES.windows(2) {
            assert!(contrast(pair[0], pair[1]) > 1.2, "{pair:?}");
            assert!(luminance(pair[0]) > luminance(pair[1]), "{pair:?}");
        }
        for (index, shade) in SHADES.iter().enumerate() {
            let ink = INK[usize::from(index >= DEEP_FROM)];
            assert!(contrast(shade, ink) >= 4.5, "{shade}: {}", contrast(shade, ink));
        }
    }

    #[test]
    fn the_style_sheet_restyles_every_shade_for_dark_screens() {
        let style = include_str!("../html/style.css");
        let dark = style.split("prefers-color-scheme: dark").nth(1).expect("a dark style");
        let mut last: Option<String> = None;
        for index in 0..SHADES.len() {
            let (_, rest) = dark.split_once(&format!(".kp-h{index} {{ fill: ")).expect("a rule");
            let colour = rest[..7].to_owned();
            let ink = if index >= DEEP_FROM { INK[0] } else { INK[1] };
            assert!(contrast(&colour, ink) >= 4.5, "{colour}: {}", contrast(&colour, ink));
            if let Some(last) = last {
                assert!(luminance(&last) < luminance(&colour), "{last} {colour}");
            }
            last = Some(colour);
        }
    }
}
