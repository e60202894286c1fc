//! The condition that a published number was read off at.

use kneepoint_core::words::rule::{Metric, Rule};
use kneepoint_core::words::units::Nanos;

use super::row::Row;
use super::stroke;
use super::words::{SHARE, Token, has, is_unsaid, number_before, squash, tokens};

/// Most outstanding I/Os per array that a row may ask for.
const OUTSTANDING_MAX: f64 = 65_536.0;

/// Words for the mean response time.
const RESPONSE_TIME: &str = "rt art response latency responsetime";

/// The condition that a number was read off at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Criterion {
    /// Where the mean response time reaches the rule's limit.
    Rule(Rule),
    /// The highest throughput of the paper's range of loads.
    Peak,
    /// At this many outstanding I/Os per array.
    Outstanding(u32),
}

impl Criterion {
    /// The criterion of a row: `avg_rt_20ms`, `peak`, `at_qd` with the number in another column.
    /// `table_ms` is the response time at which the row's paper reads its tables off, where it has
    /// one: what a row means that speaks of no other.
    ///
    /// # Errors
    /// A sentence's end that says what was not understood.
    pub(super) fn of(row: &Row, table_ms: Option<f64>) -> Result<Self, String> {
        let text = row.get("criterion");
        let words = tokens(text);
        if let Some(limit_ms) = limit_ms(&words) {
            return rule(limit_ms, text);
        }
        let squashed = squash(text);
        if let Some(limit_ms) = table_ms.filter(|_| means_table(row, &words)) {
            return rule(limit_ms, text);
        }
        if ["peak", "max", "saturat", "highest"].iter().any(|word| squashed.contains(word)) {
            return Ok(Self::Peak);
        }
        let is_depth =
            has(&words, "qd queue depth at load n fixed ios") || squashed.contains("outstanding");
        if is_depth || squashed.is_empty() {
            return outstanding(row, &words);
        }
        Err(format!("the criterion '{text}' is none of avg_rt_..ms, peak, at_outstanding"))
    }
}

/// The response time that a criterion speaks of: a number before `ms`, or one after a word for it.
fn limit_ms(words: &[Token]) -> Option<f64> {
    let with_unit = words.windows(2).find_map(|pair| {
        number_before(pair, "ms msec millisecond milliseconds")
            .or_else(|| Some(number_before(pair, "s sec second seconds")? * 1000.0))
    });
    let has_word = has(words, RESPONSE_TIME);
    with_unit.or_else(|| words.iter().filter(|_| has_word).find_map(Token::number))
}

/// Whether a criterion is that of all tables of its paper: it says so, or it says only that the
/// number is a share of another.
fn means_table(row: &Row, words: &[Token]) -> bool {
    let is_open = ["criterion", "outstanding_ios"].iter().all(|column| is_unsaid(row.get(column)));
    has(words, "threshold table sustained knee")
        || has(words, SHARE)
        || (is_open && stroke::is_share(row))
}

fn rule(limit_ms: f64, text: &str) -> Result<Criterion, String> {
    match limit_ms > 0.0 && limit_ms <= 60_000.0 {
        true => {
            let limit = Nanos((limit_ms * 1e6).round() as u64);
            Ok(Criterion::Rule(Rule::on(Metric::Mean, limit)))
        }
        false => Err(format!("the criterion '{text}' has no usable response time")),
    }
}

/// The outstanding I/Os of the row's own column, or else of the criterion's text.
fn outstanding(row: &Row, words: &[Token]) -> Result<Criterion, String> {
    let column = row.get("outstanding_ios");
    let number = tokens(column).iter().chain(words).find_map(Token::number);
    match number {
        Some(number) if number.fract() == 0.0 && (1.0..=OUTSTANDING_MAX).contains(&number) => {
            Ok(Criterion::Outstanding(number as u32))
        }
        Some(number) => Err(format!("{number} is no number of outstanding I/Os")),
        None if row.get("criterion").is_empty() => Err("the criterion is not given".to_owned()),
        None => Err("the number of outstanding I/Os is not given".to_owned()),
    }
}
