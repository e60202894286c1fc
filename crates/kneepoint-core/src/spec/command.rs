//! Commands of the user's own: programs with their arguments, no shell.

use std::ops::Range;

use super::document::{Document, Entry};
use super::profile::Value;
use crate::words::fault::Fault;

/// The program and its arguments that the list of `key` names; `owner` is where the table begins that has it.
///
/// # Errors
/// When it names no program, or has control characters other than line breaks.
pub(super) fn command(
    document: Document,
    owner: Range<usize>,
    (key, values): (&'static str, &[Value]),
) -> Result<Vec<String>, Fault> {
    let words: Vec<String> = values
        .iter()
        .map(|value| Entry::new(document, key, value).prose())
        .collect::<Result<_, _>>()?;
    match words.first().is_some_and(|program| !program.is_empty()) {
        true => Ok(words),
        false => Err(document
            .fault(owner, format!("{key}: it names no program"))
            .fix(format!("write {key} = [\"program\", \"argument\"]"))),
    }
}

/// `words` with every placeholder replaced by its value.
pub fn filled(words: &[String], places: &[(&str, &str)]) -> Vec<String> {
    words.iter().map(|word| fill(word, places)).collect()
}

/// `text` with every placeholder replaced by its value, in one pass: a value may look like a placeholder.
pub fn fill(text: &str, places: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        match places.iter().find_map(|(name, value)| Some((rest.strip_prefix(name)?, value))) {
            Some((after, value)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled + rest
}

/// A command as it would be typed, for people.
pub fn shown(words: &[String]) -> String {
    let word = |word: &String| match word.is_empty() || word.contains(char::is_whitespace) {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_in_one_pass() {
        let places = [("{copy}", "{folder}"), ("{folder}", "/f")];
        assert_eq!(fill("a{copy}-{folder}/{other}{", &places), "a{folder}-/f/{other}{");
        assert_eq!(fill("", &places), "");
    }

    #[test]
    fn words_with_blanks_are_quoted() {
        let words = ["sh", "-c", "echo a", ""].map(str::to_owned);
        assert_eq!(shown(&words), "sh -c 'echo a' ''");
    }
}
