//! Whether colours can be told from the paper and from each other: in light, in the dark, in grey.

use super::legend::Look;

/// Relative luminance (WCAG 2.2).
pub(super) fn luminance(colour: &str) -> f64 {
    let channel = |from: usize| {
        let value = u8::from_str_radix(&colour[from..from + 2], 16).unwrap();
        let share = f64::from(value) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { libm::pow((share + 0.055) / 1.055, 2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/// Contrast of two colours (WCAG 2.2), from 1 to 21.
pub(super) fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Lines need this contrast with the paper (WCAG 2.2, 1.4.11).
const LINE_CONTRAST: f64 = 3.0;
/// In grey, two colours with this contrast are different tones.
const TONE_CONTRAST: f64 = 1.15;

const STYLE: &str = include_str!("../html/style.css");

/// The first colour behind `name` in a part of the style sheet.
fn colour<'s>(style: &'s str, name: &str) -> &'s str {
    let (_, rest) = style.split_once(name).unwrap_or_else(|| panic!("{name} is in the style"));
    let (_, rest) = rest.split_once('#').expect("a colour");
    &rest[..rest.find(';').expect("its end")]
}

/// A colour of three digits with all six.
fn whole(digits: &str) -> String {
    match digits.len() {
        3 => format!("#{}", digits.chars().flat_map(|digit| [digit; 2]).collect::<String>()),
        _ => format!("#{digits}"),
    }
}

/// Paper and the colours of all series, on light screens and on dark ones.
fn schemes() -> [(String, Vec<String>); 2] {
    let (light, dark) = STYLE.split_once("prefers-color-scheme: dark").expect("a dark style");
    let ink = |style: &str| whole(colour(style, "--ink: "));
    let in_light = (0..7).map(|index| match Look::new(index, 0).colour {
        "currentColor" => ink(light),
        colour => colour.to_owned(),
    });
    let in_dark = (0..7).map(|index| match index {
        6 => ink(dark),
        _ => whole(colour(dark, &format!(".kp-s{index} {{ stroke: "))),
    });
    let paper = |style: &str| whole(colour(style, "--paper: "));
    [(paper(light), in_light.collect()), (paper(dark), in_dark.collect())]
}

#[test]
fn every_series_can_be_seen_on_light_and_on_dark_screens() {
    for (paper, colours) in schemes() {
        for colour in colours {
            let found = contrast(&paper, &colour);
            assert!(found >= LINE_CONTRAST, "{colour} on {paper}: {found:.2}");
        }
    }
}

#[test]
fn series_differ_in_tone_or_in_dashes() {
    for (_, colours) in schemes() {
        for (left, right) in (0..7).flat_map(|right| (0..right).map(move |left| (left, right))) {
            let tones = contrast(&colours[left], &colours[right]);
            let dashes = [left, right].map(|index| Look::of(index).dash);
            let differ = tones >= TONE_CONTRAST || dashes[0] != dashes[1];
            assert!(differ, "{} {}: {tones:.2}, {dashes:?}", colours[left], colours[right]);
        }
    }
}

#[test]
fn neighbours_differ_in_tone() {
    for (_, colours) in schemes() {
        for pair in colours.windows(2) {
            let tones = contrast(&pair[0], &pair[1]);
            assert!(tones >= TONE_CONTRAST || pair[1] == colours[6], "{pair:?}: {tones:.2}");
        }
    }
}
