//! The text of a file, its lines with their numbers, and numbers in them.

use kneepoint_core::words::fault::Fault;

/// A line without what surrounds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLine<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    /// Without line ending and blanks behind.
    pub(super) text: &'a str,
}

/// The text of the file `name`: UTF-8, or else Latin-1, in which tools of other times and systems write names.
///
/// # Errors
/// When it is UTF-16, or no text.
pub fn decoded(name: &str, bytes: Vec<u8>) -> Result<String, Fault> {
    let is_wide = match bytes.as_slice() {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        // Every other byte of the first letters is 0.
        [0, b, 0, d, ..] | [b, 0, d, 0, ..] => *b != 0 && *d != 0,
        _ => false,
    };
    let fault = || Fault::new(format!("cannot read {name}"));
    if is_wide {
        return Err(fault().because("its text is UTF-16").fix("save it as UTF-8"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if error.as_bytes().contains(&0) => {
            Err(fault().because("it is no text").fix("is it the right file?"))
        }
        Err(error) => Ok(error.into_bytes().into_iter().map(char::from).collect()),
    }
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
