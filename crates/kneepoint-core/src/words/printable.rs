//! Text of others made fit to be shown: names, labels and values that could steer a terminal, break
//! a line or turn the direction of writing are spelled out instead.

use std::borrow::Cow;

/// Whether a character only shows itself. Control characters (C0, DEL, C1) act on a terminal;
/// separators of lines and marks of direction (U+200E, U+200F, U+061C, U+202A to U+202E, U+2066 to
/// U+2069) change how the text around them reads.
pub const fn is_printable(letter: char) -> bool {
    !matches!(letter,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}')
}

/// `text` with every character that is not printable spelled out: `\n`, `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    printable_but(text, &[])
}

/// As [`printable`], but leaves the characters `kept` as they are.
pub fn printable_but<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    let stays = |letter: char| is_printable(letter) || kept.contains(&letter);
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match stays(letter) {
            true => spelled.push(letter),
            false => spelled.extend(letter.escape_default()),
        }
    }
    Cow::Owned(spelled)
}

/// `text` with U+FFFD for every character that is not printable, line feeds and tabs excepted: for
/// documents, whose formats have no common way to spell a character out.
pub fn replaced(text: String) -> String {
    let stays = |letter: char| is_printable(letter) || matches!(letter, '\n' | '\t');
    match text.chars().all(stays) {
        true => text,
        false => {
            text.chars().map(|letter| if stays(letter) { letter } else { '\u{fffd}' }).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_spelled_out() {
        let check = |text: &str, shown: &str| assert_eq!(printable(text), shown);
        check("database/8KiB, ü, 日本, 😀", "database/8KiB, ü, 日本, 😀");
        check("\u{1b}]0;owned\u{7}", "\\u{1b}]0;owned\\u{7}");
        check("a\nb\r\tc\0", "a\\nb\\r\\tc\\u{0}");
        check("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}");
        check(
            "\u{202e}gpj.exe\u{2066}\u{200f}\u{61c}",
            "\\u{202e}gpj.exe\\u{2066}\\u{200f}\\u{61c}",
        );
        check("one\u{2028}two", "one\\u{2028}two");
    }

    #[test]
    fn documents_get_a_replacement() {
        let check = |text: &str, shown: &str| assert_eq!(replaced(text.to_owned()), shown);
        check("<p>\n\tü</p>", "<p>\n\tü</p>");
        check("a\u{1b}[31m\u{202e}b\0", "a\u{fffd}[31m\u{fffd}b\u{fffd}");
    }

    #[test]
    fn characters_can_be_kept() {
        assert_eq!(printable_but("a\n\u{1b}", &['\n']), "a\n\\u{1b}");
    }
}
