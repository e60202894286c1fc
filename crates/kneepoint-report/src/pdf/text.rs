//! Running text as values.

use typst::foundations::{Array, IntoValue, Str, Value, array};

use crate::page::{Inline, Text};

/// Longest stretches without a space that are left as they are, on wide lines and in cells. What
/// is longer, a path or a name that someone else chose, may be broken after this many characters.
const STRETCH: usize = 70;
const CELL_STRETCH: usize = 28;

/// Running text: pairs of kind and words, for links a third with the section's id.
pub(super) fn inlines(text: &Text, ids: &[&str]) -> Value {
    parts(text, ids, shown)
}

/// Running text in narrow places.
pub(super) fn narrow_inlines(text: &Text, ids: &[&str]) -> Value {
    parts(text, ids, narrow)
}

fn parts(text: &Text, ids: &[&str], shown: impl Fn(&str) -> Str) -> Value {
    let inline = |inline: &Inline| match inline {
        Inline::Plain(words) | Inline::English(words) => array!["plain", shown(words)],
        Inline::Strong(words) => array!["strong", shown(words)],
        Inline::Code(words) => array!["code", shown(words)],
        Inline::Link { text, to } if ids.contains(&to.as_str()) => {
            array!["link", shown(text), to.as_str()]
        }
        Inline::Link { text, .. } => array!["plain", shown(text)],
    };
    text.0.iter().map(|part| inline(part).into_value()).collect::<Array>().into_value()
}

/// Words that may be broken anywhere where they are very long.
pub(super) fn shown(words: &str) -> Str {
    broken(&printed(words), STRETCH).into()
}

/// Words in a narrow place.
pub(super) fn narrow(words: &str) -> Str {
    broken(&printed(words), CELL_STRETCH).into()
}

/// The words alone, for readers who cannot see a figure.
pub(super) fn printed(words: &str) -> String {
    words.chars().filter_map(printable).collect()
}

/// Text in which every character counts: only what cannot be printed is taken out.
pub(super) fn listing(text: &str, line: usize) -> Str {
    let kept = text.chars().filter_map(|character| match character {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        other => printable(other),
    });
    broken(&kept.collect::<String>(), line).into()
}

/// Control characters become spaces; marks that turn the direction of writing are left out, since
/// they could make text read as something else.
fn printable(character: char) -> Option<char> {
    match character {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        '\u{2028}' | '\u{2029}' => Some(' '),
        other if other.is_control() => Some(' '),
        other => Some(other),
    }
}

/// Adds places to break a line at, after every `most` characters without a space.
fn broken(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut length = 0;
    for character in text.chars() {
        if length == most && !character.is_whitespace() {
            out.push('\u{200b}');
            length = 0;
        }
        length = if character.is_whitespace() { 0 } else { length + 1 };
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_stretches_may_be_broken() {
        assert_eq!(broken("abcdef", 3), "abc\u{200b}def");
        assert_eq!(broken("abc def", 3), "abc def");
        assert_eq!(shown("short").as_str(), "short");
    }

    #[test]
    fn what_cannot_be_printed_is_taken_out() {
        assert_eq!(shown("a\u{0}b\nc\u{202e}d").as_str(), "a b cd");
        assert_eq!(listing("a\tb\nc\u{7}", 90).as_str(), "a b\nc ");
    }
}
