//! Rules in words, as reports write them. As arguments they stay as typed.

use kneepoint_report::Language;

/// A rule in running text, in the signs of a terminal: `within 20 ms`, `with p99 within 500 us`.
pub(crate) fn within(rule: &str) -> String {
    let words = Language::English.within(rule);
    words.replace('\u{a0}', " ").replace('≤', "<=").replace('µ', "u")
}

/// The same at the head of a column, short: `Within 20 ms`, `p99 within 500 us`.
pub(crate) fn within_title(rule: &str) -> String {
    let words = within(rule);
    if let Some(percentile) = words.strip_prefix("with ") {
        return percentile.to_owned();
    }
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}", first.to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_words_and_never_as_typed() {
        let check = |rule: &str, words: &str| assert_eq!(within(rule), words);
        check("mean<=20ms", "within 20 ms");
        check("p99.9<=500us", "with p99.9 within 500 us");
        check("write.p99<=5ms", "at write: p99 <= 5 ms");
        check("mean<=1.5x@5", "at mean <= 1.5 times that at load 5");
        assert_eq!(within_title("mean<=20ms"), "Within 20 ms");
        assert_eq!(within_title("p99<=1ms"), "p99 within 1 ms");
        // What is no rule is left as it is.
        check("fast enough", "at fast enough");
    }
}
