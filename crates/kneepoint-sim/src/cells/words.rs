//! Words and numbers in what a paper calls things.

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// Letters, in lower case; a percent sign is a word of its own.
    Word(String),
    /// A number without sign: `30`, `2.5`.
    Number(f64),
}

impl Token {
    /// Whether this is one of `words`.
    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        matches!(self, Self::Word(word) if words.contains(&word.as_str()))
    }

    /// The number, if it is one.
    pub(super) const fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word(_) => None,
        }
    }
}

/// The words and numbers of `text` in their order. Letters and digits part without a separator:
/// `avg_rt_20ms` is `avg rt 20 ms`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '0'..='9' => number_length(rest),
            letter if letter.is_alphabetic() => {
                rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())
            }
            other => other.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        match piece.parse() {
            Ok(number) if first.is_ascii_digit() => tokens.push(Token::Number(number)),
            _ if first.is_alphabetic() || first == '%' => {
                tokens.push(Token::Word(piece.to_lowercase()));
            }
            _ => {}
        }
    }
    tokens
}

/// Bytes of the number that `text` begins with: digits, and a point with digits after it.
fn number_length(text: &str) -> usize {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        Some(decimals @ 1..) => whole + 1 + decimals,
        _ => whole,
    }
}

/// The letters and digits of `text`, in lower case, without anything between them.
pub(super) fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a field says nothing: it is empty, or says so.
pub(super) fn is_unsaid(text: &str) -> bool {
    const UNSAID: [&str; 9] = [
        "",
        "na",
        "nan",
        "null",
        "unknown",
        "unspecified",
        "notstated",
        "notgiven",
        "notapplicable",
    ];
    UNSAID.contains(&squash(text).as_str())
}

/// Takes the first of `phrases` out of a squashed text; says whether there was one.
pub(super) fn take(text: &mut String, phrases: &[&str]) -> bool {
    let found = phrases.iter().find_map(|phrase| Some((text.find(phrase)?, phrase.len())));
    if let Some((start, length)) = found {
        text.replace_range(start..start + length, "");
    }
    found.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_part() {
        let word = |text: &str| Token::Word(text.to_owned());
        assert_eq!(
            tokens("avg_RT-20ms, 2.5in 30% 15k."),
            [
                word("avg"),
                word("rt"),
                Token::Number(20.0),
                word("ms"),
                Token::Number(2.5),
                word("in"),
                Token::Number(30.0),
                word("%"),
                Token::Number(15.0),
                word("k"),
            ]
        );
    }

    #[test]
    fn phrases_are_taken_once() {
        let mut text = squash("Write cache ON, disk cache on");
        assert!(take(&mut text, &["diskcacheon"]));
        assert!(!take(&mut text, &["diskcacheon"]));
        assert_eq!(text, "writecacheon");
    }
}
