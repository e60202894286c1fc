//! Lines that are too long, broken at blanks.

use std::ops::Range;

/// A continued line is indented so far beyond the first.
const HANG: usize = 2;

/// A value that begins no further to the right keeps its lines below each other.
const VALUE_MAX: usize = 32;

/// What stands on one line of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Blanks before it.
    pub(super) indent: usize,
    /// Its place in the whole line, in bytes.
    pub(super) place: Range<usize>,
}

/// A line broken at blanks, so that no part is longer than `columns`. A word that is longer than
/// that alone is left where it is.
pub(super) fn parts(line: &str, columns: usize) -> Vec<Part> {
    let hang = indentation(line);
    let length = |place: Range<usize>| line[place].chars().count();
    let mut parts = vec![Part { indent: 0, place: 0..0 }];
    let mut is_begun = false;
    for (at, word) in words(line) {
        let end = at + word.len();
        let is_hopeless = length(at..end) > columns;
        match parts.last_mut() {
            Some(last)
                if !is_begun
                    || is_hopeless
                    || last.indent + length(last.place.start..end) <= columns =>
            {
                last.place.end = end;
            }
            _ => {
                let indent = hang.min(columns.saturating_sub(length(at..end)));
                parts.push(Part { indent, place: at..end });
            }
        }
        is_begun = true;
    }
    parts
}

/// The words of a line, each with the place where it begins.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    line.split(' ').filter_map(move |word| {
        let begin = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((begin, word))
    })
}

/// Blanks before whatever does not fit on the first line: below the value where a line is a name, a
/// gap and a value, otherwise a little further than the line itself.
fn indentation(line: &str) -> usize {
    let own = line.len() - line.trim_start().len();
    let name = line[own..].find("  ").map(|at| own + at);
    let value = name.and_then(|at| Some(at + line[at..].find(|letter| letter != ' ')?));
    match value.map(|at| line[..at].chars().count()) {
        Some(value) if value <= VALUE_MAX => value,
        _ => own + HANG,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_blanks() {
        let check = |line: &str, columns: usize, expected: &[&str]| {
            let shown = |part: Part| " ".repeat(part.indent) + &line[part.place];
            let found: Vec<String> = parts(line, columns).into_iter().map(shown).collect();
            assert_eq!(found, expected, "{line}");
        };
        check("one two three", 13, &["one two three"]);
        check("one two three", 12, &["one two", "  three"]);
        check("one two three", 6, &["one", "  two", " three"]);
        check("one two three", 5, &["one", "  two", "three"]);
        check("  one two", 6, &["  one", "   two"]);
        check("kind  a file of it", 12, &["kind  a file", "      of it"]);
        // There is no line that such a word fits on.
        check("incomprehensibilities", 10, &["incomprehensibilities"]);
        check("is incomprehensibilities it", 10, &["is incomprehensibilities", "  it"]);
        check("", 10, &[""]);
    }

    #[test]
    fn values_stay_below_each_other() {
        let check = |line: &str, expected: usize| assert_eq!(indentation(line), expected);
        check("a sentence", 2);
        check("  a sentence", 4);
        check("kind     a file", 9);
        check("  kind     a file", 11);
        check(&format!("{}  far", "x".repeat(40)), 2);
    }
}
