//! The lines of a text with their numbers, and numbers in them.

/// A line without what surrounds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLine<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    /// Without line ending and blanks behind.
    pub(super) text: &'a str,
}

/// All lines of `text`; they end in LF or CRLF.
pub(super) fn lines(text: &str) -> impl Iterator<Item = TextLine<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().map(|(index, line)| TextLine {
        number: index + 1,
        text: line.trim_end_matches(|char: char| char.is_whitespace() || char == '\0'),
    })
}

/// Levels as a grid is typed: `1,2,4`.
pub(super) fn level_list(levels: &[u64]) -> String {
    let levels: Vec<String> = levels.iter().map(u64::to_string).collect();
    levels.join(",")
}
