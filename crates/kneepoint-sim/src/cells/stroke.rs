//! The disk stroke as a row calls it: in a note, a workload, a name.

use super::words::{Token, tokens};

/// Words that mean a percent.
const PERCENT: [&str; 4] = ["%", "pct", "percent", "prozent"];

/// Units of numbers that are no stroke.
const OTHER_UNITS: [&str; 8] = ["k", "kb", "kib", "ms", "gb", "drives", "rpm", "ios"];

/// Words after which a number is a stroke.
const STROKE: [&str; 3] = ["stroke", "strokes", "stroked"];

/// Words that may stand between a percent and what it is a percentage of.
const BETWEEN: [&str; 13] = [
    "of", "the", "a", "total", "disk", "disks", "drive", "drives", "s", "each", "full", "used",
    "is",
];

/// Words before a number that something is compared with.
const REFERENCE: [&str; 9] = [
    "relative",
    "compared",
    "vs",
    "versus",
    "against",
    "than",
    "baseline",
    "reference",
    "normalized",
];

/// How many words after a word of reference may stand before the number.
const REFERENCE_WORDS: usize = 3;

/// Share of the drives' capacity that `text` says is used, in percent above 0 to 100: `stroke 30 %`,
/// `30% stroke`, `stroke=30`, `full stroke`, `15 % of the capacity`. A stroke that the text only
/// compares with is none: `relative to 8 % stroke`.
pub(super) fn percent(text: &str) -> Option<f64> {
    percents_of_stroke(text).first().copied()
}

/// All of them, those before or after the word `stroke` first.
pub(super) fn percents_of_stroke(text: &str) -> Vec<f64> {
    let tokens = tokens(text);
    let strokes = tokens.iter().enumerate().filter(|(_, token)| token.is_any(&STROKE));
    let of_stroke =
        strokes.filter_map(|(at, _)| before(&tokens[..at]).or_else(|| after(&tokens[at + 1..])));
    of_stroke.chain(of_capacity(&tokens)).filter(|percent| is_share(*percent)).collect()
}

/// All numbers with a percent sign that nothing is only compared with.
pub(super) fn percents(text: &str) -> Vec<f64> {
    let tokens = tokens(text);
    let ends = (2..=tokens.len()).filter_map(|end| match &tokens[..end] {
        [head @ .., Token::Number(number), unit] if unit.is_any(&PERCENT) => {
            (!is_reference(head)).then_some(*number)
        }
        _ => None,
    });
    ends.filter(|percent| is_share(*percent)).collect()
}

/// What a column of its own says: `30`, `30 %`, `0.3`, `full`, `stroke 30 %`.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn of_column(text: &str) -> Result<f64, String> {
    let words = tokens(text);
    let percent = match words.as_slice() {
        [Token::Number(share)] if *share < 1.0 => Some(share * 100.0),
        [Token::Number(number)] => Some(*number),
        [Token::Number(number), unit] if unit.is_any(&PERCENT) => Some(*number),
        [word] if word.is_any(&["full"]) => Some(100.0),
        _ => percent(text),
    };
    percent
        .filter(|percent| is_share(*percent))
        .ok_or_else(|| format!("'{text}' is no stroke in percent of the capacity"))
}

fn is_share(percent: f64) -> bool {
    (0.1..=100.0).contains(&percent)
}

/// Whether what follows these tokens is only compared with.
fn is_reference(tokens: &[Token]) -> bool {
    tokens.iter().rev().take(REFERENCE_WORDS).any(|token| token.is_any(&REFERENCE))
}

/// `30 % disk stroke`, `full stroke`; the tokens end before "stroke".
fn before(tokens: &[Token]) -> Option<f64> {
    let is_full = tokens.last().is_some_and(|last| last.is_any(&["full"]));
    percent_at_end(tokens).or(is_full.then_some(100.0))
}

/// `stroke 30 %`, `stroke=30`, `stroke: 0.3` is none; the tokens begin after "stroke".
fn after(tokens: &[Token]) -> Option<f64> {
    let skipped = tokens.iter().take_while(|token| token.is_any(&BETWEEN)).count();
    match &tokens[skipped..] {
        [Token::Number(number), unit, ..] if unit.is_any(&PERCENT) => Some(*number),
        [Token::Number(_), unit, ..] if unit.is_any(&OTHER_UNITS) => None,
        // A bare number is a percentage unless it is too small to be one: a multiplier is.
        [Token::Number(number), ..] if *number >= 2.0 => Some(*number),
        _ => None,
    }
}

/// `8 % of each drive's capacity`.
fn of_capacity(tokens: &[Token]) -> Option<f64> {
    let capacities = tokens.iter().enumerate();
    let mut capacities = capacities.filter(|(_, token)| token.is_any(&["capacity"]));
    capacities.find_map(|(at, _)| percent_at_end(&tokens[..at]))
}

/// The percentage that tokens end in, with at most a few small words after it.
fn percent_at_end(tokens: &[Token]) -> Option<f64> {
    let small = tokens.iter().rev().take_while(|token| token.is_any(&BETWEEN)).count();
    match &tokens[..tokens.len() - small] {
        [head @ .., Token::Number(number), unit] if unit.is_any(&PERCENT) => {
            (!is_reference(head)).then_some(*number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_are_understood_however_they_are_written() {
        for text in [
            "stroke 30 %",
            "stroke=30%",
            "30% stroke",
            "30 % disk stroke",
            "30 percent of the full stroke",
            "fastt900-t2-raid5-stroke30-8k",
            "disk stroke of 30 pct",
            "uses 30% of each drive's capacity",
            "stroke_30pct",
        ] {
            assert_eq!(percent(text), Some(30.0), "{text}");
        }
        assert_eq!(percent("full stroke"), Some(100.0));
        assert_eq!(percent("Full-stroke random read"), Some(100.0));
    }

    #[test]
    fn other_numbers_are_no_strokes() {
        for text in [
            "printed IOps '27 / 90'",
            "stroke multiplier 0.85",
            "15000 rpm",
            "0.3 % apart",
            "",
            "stroke",
            "stroke-8k",
            "relative to 8 % stroke",
            "compared with the 8 % stroke",
        ] {
            assert_eq!(percent(text), None, "{text}");
        }
    }

    #[test]
    fn a_column_of_its_own_needs_no_words() {
        for text in ["30", "30 %", "30%", "0.3", "30 pct", "stroke 30 %"] {
            assert_eq!(of_column(text), Ok(30.0), "{text}");
        }
        assert_eq!(of_column("full"), Ok(100.0));
        assert!(of_column("long").is_err() && of_column("130").is_err());
    }
}
