//! Numbers that are shares of others: the multipliers of a stroke, the ratio of two systems.

use super::row::Row;
use super::stroke;
use super::words::{squash, tokens};

/// Words for numbers that are shares of others.
pub(super) const WORDS: [&str; 9] = [
    "multiplier",
    "multipliers",
    "relative",
    "scaling",
    "factor",
    "ratio",
    "share",
    "normalized",
    "normalised",
];

/// A published number above this is a rate, whatever the row calls it.
const SHARE_MAX: f64 = 5.0;

/// The stroke that the FAStT900 paper's multipliers are relative to, in percent of the capacity.
pub(super) const BASE_STROKE_PERCENT: f64 = 8.0;

/// Columns that may call the number a share.
const COLUMNS: [&str; 6] = ["criterion", "workload", "table", "access", "note", "id"];

/// Columns that may say which stroke a share is of, the plainest first.
const STROKE_COLUMNS: [&str; 7] =
    ["criterion", "access", "workload", "subsystem", "note", "table", "id"];

/// Whether a row calls its number a share.
pub(super) fn is_called(row: &Row) -> bool {
    COLUMNS.iter().any(|column| calls_share(row.get(column)))
}

fn calls_share(text: &str) -> bool {
    let squashed = squash(text);
    tokens(text).iter().any(|token| token.is_any(&WORDS))
        || WORDS.iter().any(|word| squashed.contains(&format!("stroke{word}")))
}

/// The share that a row publishes, 1 for the same: its `iops`, or the `mbps` of a row without.
/// Percentages are written with their sign; the number may stand in the note alone.
pub(super) fn of(row: &Row) -> Option<f64> {
    if !is_called(row) {
        return None;
    }
    let share = match (row.get("iops"), row.get("mbps")) {
        // Rows of streaming publish rates below the limit as well.
        ("", mbps) if !mbps.is_empty() && !calls_share(row.get("criterion")) => {
            percent_or_number(mbps).filter(|_| mbps.ends_with('%'))
        }
        ("", "") => of_note(row.get("note")),
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

/// The number after `multiplier` in a note: `stroke 30 %, multiplier 0.74`.
fn of_note(note: &str) -> Option<f64> {
    let words = tokens(note);
    let after = |pair: &[super::words::Token]| match pair[0].is_any(&WORDS) {
        true => pair[1].number(),
        false => None,
    };
    words.windows(2).find_map(after)
}

/// The stroke that a share is of, in percent; `None` where the row names no other than that which
/// all shares are relative to.
pub(super) fn stroke_percent(row: &Row) -> Option<f64> {
    let other = |percent: &f64| *percent != BASE_STROKE_PERCENT;
    let texts = || STROKE_COLUMNS.iter().map(|column| row.get(column));
    let named = texts().find_map(|text| stroke::percents_of_stroke(text).into_iter().find(other));
    named.or_else(|| texts().find_map(|text| stroke::percents(text).into_iter().find(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_understood_however_they_are_written() {
        let check = |fields: &[(&str, &str)], share: Option<f64>| {
            assert_eq!(of(&Row::with(fields)), share, "{fields:?}");
        };
        check(&[("criterion", "stroke_multiplier"), ("iops", "0.74")], Some(0.74));
        check(&[("note", "multiplier for 30 % stroke"), ("iops", "0.74")], Some(0.74));
        check(&[("criterion", "ratio"), ("iops", "74 %")], Some(0.74));
        check(&[("criterion", "multiplier"), ("mbps", "0.74")], Some(0.74));
        check(&[("note", "stroke 30 %, multiplier = 0.74")], Some(0.74));
        check(&[("note", "multiplier of 30 % stroke"), ("iops", "7400")], None);
        check(&[("note", "scaling"), ("mbps", "2.9")], None);
        check(&[("note", ""), ("iops", "0.74")], None);
    }

    #[test]
    fn the_stroke_of_a_share_is_not_that_of_its_base() {
        let check = |fields: &[(&str, &str)], percent: Option<f64>| {
            assert_eq!(stroke_percent(&Row::with(fields)), percent, "{fields:?}");
        };
        check(&[("criterion", "multiplier_vs_8pct_stroke"), ("note", "stroke 30 %")], Some(30.0));
        check(&[("note", "stroke 8 % is 1.00, 30 % stroke")], Some(30.0));
        check(&[("criterion", "multiplier"), ("id", "fastt900-t2-raid5-30pct")], Some(30.0));
        check(&[("note", "30 % relative to 8 % stroke")], Some(30.0));
        check(&[("criterion", "multiplier"), ("note", "8 % stroke")], None);
    }
}
