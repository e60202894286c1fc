//! The disk stroke as a row calls it: in a note, a workload, a name; and numbers that are shares of
//! others: the multipliers of a stroke, the ratio of two systems.

use super::row::{PERCENT, Row, SHARE, Token, has, is_unsaid, squash, tokens};

/// Units of numbers that are no stroke.
const OTHER_UNITS: &str = "k kb kib ms gb drives rpm ios";

/// Words after which a number is a stroke.
const STROKE: &str = "stroke strokes stroked";

/// Words that may stand between a percent and what it is a percentage of.
const BETWEEN: &str = "of the a total disk disks drive drives s each full used is";

/// Words before a number that something is compared with.
const REFERENCE: &str = "relative compared vs versus against than baseline reference normalized";

/// How many words after a word of reference may stand before the number.
const REFERENCE_WORDS: usize = 3;

/// A published number above this is a rate, whatever the row calls it.
const SHARE_MAX: f64 = 5.0;

/// The stroke that the FAStT900 paper's multipliers are relative to, in percent of the capacity.
pub(super) const BASE_PERCENT: f64 = 8.0;

/// Columns for the stroke alone.
const OWN_COLUMNS: [&str; 3] = ["stroke", "stroke_pct", "stroke_percent"];

/// Other columns that may speak of the stroke, the plainest first.
const SPEAKING_COLUMNS: [&str; 9] =
    ["access", "workload", "subsystem", "drives", "cache", "drive_type", "criterion", "note", "id"];

/// Columns that may call the number a share.
const SHARE_COLUMNS: [&str; 6] = ["criterion", "workload", "table", "access", "note", "id"];

/// Columns that may say which stroke a share is of, the plainest first.
const SHARE_STROKE_COLUMNS: [&str; 7] =
    ["criterion", "access", "workload", "subsystem", "note", "table", "id"];

/// The stroke that a row names, in percent of the drives' capacity, above 0 to 100; `share` is the
/// row's number, where it is one. An error says what was not understood.
pub(super) fn of(row: &Row, share: Option<f64>) -> Result<Option<f64>, String> {
    let own = OWN_COLUMNS.iter().map(|column| row.get(column)).find(|text| !is_unsaid(text));
    if let Some(own) = own {
        return of_column(own).map(Some);
    }
    let named =
        || SPEAKING_COLUMNS.iter().find_map(|column| percents_of_stroke(row.get(column)).next());
    Ok(share.and_then(|_| of_share(row)).or_else(named))
}

/// Reads its own column: `30`, `30 %`, `0.3`, `full`, `stroke 30 %`.
fn of_column(text: &str) -> Result<f64, String> {
    let percent = match tokens(text).as_slice() {
        [Token::Number(share)] if *share < 1.0 => Some(share * 100.0),
        [Token::Number(number)] => Some(*number),
        [Token::Number(number), unit] if unit.is(PERCENT) => Some(*number),
        [word] if word.is("full") => Some(100.0),
        _ => percents_of_stroke(text).next(),
    };
    percent
        .filter(is_percentage)
        .ok_or_else(|| format!("'{text}' is no stroke in percent of the capacity"))
}

/// The stroke that a share is of, in percent; `None` where the row names no other than that which
/// all shares are relative to.
fn of_share(row: &Row) -> Option<f64> {
    let other = |percent: &f64| *percent != BASE_PERCENT;
    let texts = || SHARE_STROKE_COLUMNS.iter().map(|column| row.get(column));
    let named = texts().find_map(|text| percents_of_stroke(text).find(other));
    named.or_else(|| texts().find_map(|text| percents(text).find(other)))
}

/// Shares of the drives' capacity that `text` says are used, those before or after the word `stroke`
/// first: `stroke 30 %`, `30% stroke`, `stroke=30`, `full stroke`, `15 % of the capacity`. A stroke
/// that the text only compares with is none: `relative to 8 % stroke`.
pub(super) fn percents_of_stroke(text: &str) -> impl Iterator<Item = f64> + use<> {
    let tokens = tokens(text);
    let places = |word: &'static str| (0..tokens.len()).filter(|at| tokens[*at].is(word));
    let of_stroke =
        places(STROKE).filter_map(|at| before(&tokens[..at]).or_else(|| after(&tokens[at + 1..])));
    // `8 % of each drive's capacity`.
    let of_capacity = places("capacity").find_map(|at| percent_at_end(&tokens[..at]));
    of_stroke.chain(of_capacity).filter(is_percentage).collect::<Vec<_>>().into_iter()
}

/// All numbers with a percent sign that nothing is only compared with.
fn percents(text: &str) -> impl Iterator<Item = f64> + use<> {
    let tokens = tokens(text);
    (2..=tokens.len()).filter_map(move |end| percent_last(&tokens[..end])).filter(is_percentage)
}

fn is_percentage(percent: &f64) -> bool {
    (0.1..=100.0).contains(percent)
}

/// `30 % disk stroke`, `full stroke`; the tokens end before "stroke".
fn before(tokens: &[Token]) -> Option<f64> {
    let is_full = tokens.last().is_some_and(|last| last.is("full"));
    percent_at_end(tokens).or(is_full.then_some(100.0))
}

/// `stroke 30 %`, `stroke=30`, `stroke: 0.3` is none; the tokens begin after "stroke".
fn after(tokens: &[Token]) -> Option<f64> {
    let skipped = tokens.iter().take_while(|token| token.is(BETWEEN)).count();
    match &tokens[skipped..] {
        [Token::Number(number), unit, ..] if unit.is(PERCENT) => Some(*number),
        [Token::Number(_), unit, ..] if unit.is(OTHER_UNITS) => None,
        // A bare number is a percentage unless it is too small to be one: a multiplier is.
        [Token::Number(number), ..] if *number >= 2.0 => Some(*number),
        _ => None,
    }
}

/// The percentage that tokens end in, with at most a few small words after it.
fn percent_at_end(tokens: &[Token]) -> Option<f64> {
    let small = tokens.iter().rev().take_while(|token| token.is(BETWEEN)).count();
    percent_last(&tokens[..tokens.len() - small])
}

/// The percentage that tokens end in, unless something is only compared with it.
fn percent_last(tokens: &[Token]) -> Option<f64> {
    let [head @ .., Token::Number(number), unit] = tokens else { return None };
    let near = &head[head.len().saturating_sub(REFERENCE_WORDS)..];
    (unit.is(PERCENT) && !has(near, REFERENCE)).then_some(*number)
}

/// True if a row calls its number a share.
pub(super) fn is_share(row: &Row) -> bool {
    SHARE_COLUMNS.iter().any(|column| calls_share(row.get(column)))
}

fn calls_share(text: &str) -> bool {
    let squashed = squash(text);
    has(&tokens(text), SHARE)
        || SHARE.split(' ').any(|word| squashed.contains(&format!("stroke{word}")))
}

/// The share that a row publishes, 1 for the same: its `iops`, or the `mbps` of a row without.
/// Percentages are written with their sign; the number may stand in the note alone:
/// `stroke 30 %, multiplier 0.74`.
pub(super) fn share(row: &Row) -> Option<f64> {
    if !is_share(row) {
        return None;
    }
    let share = match (row.get("iops"), row.get("mbps")) {
        // Rows of streaming publish rates below the limit as well.
        ("", mbps) if !mbps.is_empty() && !calls_share(row.get("criterion")) => {
            percent_or_number(mbps).filter(|_| mbps.ends_with('%'))
        }
        ("", "") => tokens(row.get("note"))
            .windows(2)
            .find_map(|pair| pair[1].number().filter(|_| pair[0].is(SHARE))),
        ("", text) | (text, _) => percent_or_number(text),
    };
    share.filter(|share| *share > 0.0 && *share <= SHARE_MAX)
}

fn percent_or_number(text: &str) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
        None => text.parse().ok(),
    }
}
