//! Files that people write: where each value stands, and faults that say so.
//!
//! Profiles and suites are TOML. Whoever types one wants to know the file, the line and the
//! column of a mistake, what is wrong there and what to write instead. So values are read together
//! with their place ([`Entry`]), and every fault about a value is made by the entry itself.

mod spelling;

use std::fmt::{self, Display};
use std::ops::Range;
use std::str::FromStr;

use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

pub use spelling::{did_you_mean, edit_distance, nearest};

use crate::words::fault::Fault;
use crate::words::units::Percent;

/// Longest text that is read, in bytes (1 MiB): far above what anybody types.
pub const TEXT_BYTES_MAX: usize = 1 << 20;

/// A TOML text with the name that faults call it by.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    file: &'a str,
    text: &'a str,
}

impl<'a> Document<'a> {
    /// The content `text` of the file named `file`.
    pub const fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text }
    }

    /// Reads the text into `T`.
    ///
    /// # Errors
    /// When the text is too long, is not TOML, or has keys or types that `T` doesn't have.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        if self.text.len() > TEXT_BYTES_MAX {
            return Err(Fault::new(format!("{}: the file is longer than 1 MiB", self.file))
                .fix("is it the right file?"));
        }
        toml::from_str(self.text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            self.place(span, spelling::toml_message(error.message()))
        })
    }

    /// Puts the place of `span` before `fault`: `my.toml:3:8: ...`.
    pub fn place(&self, span: Range<usize>, fault: Fault) -> Fault {
        let (line, column) = self.line_and_column(span.start);
        fault.behind(format_args!("{}:{line}:{column}", self.file))
    }

    /// What `read` makes of the value of `key`; `None` where it is left out.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn optional<T>(
        self,
        key: &'static str,
        value: &'a Option<Spanned<Scalar>>,
        read: impl FnOnce(Entry<'a>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        value.as_ref().map(|value| read(Entry::new(self, key, value))).transpose()
    }

    /// A fault at `span` that so far says only what is wrong.
    pub fn fault(&self, span: Range<usize>, what: impl Display) -> Fault {
        self.place(span, Fault::new(what.to_string()))
    }

    /// Line and column of a byte of the text, both counted from 1; columns count characters.
    fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let before: String = self
            .text
            .char_indices()
            .take_while(|(index, _)| *index < byte)
            .map(|(_, char)| char)
            .collect();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// One `key = value` of a document; faults about it name file, line, column and key.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    document: Document<'a>,
    key: &'static str,
    value: &'a Spanned<Scalar>,
}

impl<'a> Entry<'a> {
    /// The value of `key` in `document`.
    pub const fn new(
        document: Document<'a>,
        key: &'static str,
        value: &'a Spanned<Scalar>,
    ) -> Self {
        Self { document, key, value }
    }

    /// The value as typed.
    pub fn text(&self) -> &'a str {
        self.value.get_ref().text()
    }

    /// Where the value stands, in bytes of the text.
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// A fault about this value: `my.toml:3:8: size: ...`.
    pub fn fault(&self, what: impl Display) -> Fault {
        self.place(Fault::new(what.to_string()))
    }

    /// Puts place and key before `fault`.
    pub fn place(&self, fault: Fault) -> Fault {
        self.document.place(self.span(), fault.behind(self.key))
    }

    /// The value as a size, a time span, a rule: whatever is read from text.
    ///
    /// # Errors
    /// When the text is no `T`.
    pub fn parse<T: FromStr<Err = Fault>>(self) -> Result<T, Fault> {
        self.text().parse().map_err(|fault| self.place(fault))
    }

    /// The value as a percentage: a bare number (`67`, `66.5`) or a text with its sign (`"67%"`).
    ///
    /// # Errors
    /// When it is neither, or not between 0 and 100.
    pub fn percent(self) -> Result<Percent, Fault> {
        let percent = match self.value.get_ref() {
            Scalar::Bare(number) => number.parse::<f64>().map_or_else(
                |_| Err(Fault::new(format!("{number} is not a percentage"))),
                Percent::new,
            ),
            Scalar::Quoted(text) => text.parse(),
        };
        percent.map_err(|fault| self.place(fault))
    }

    /// The value as a whole number.
    ///
    /// # Errors
    /// When it isn't one, or larger than 2^32 - 1.
    pub fn whole(self) -> Result<u32, Fault> {
        self.text().parse().map_err(|_| {
            self.fault(format!("'{}' is not a whole number", self.text())).fix("write it as 8")
        })
    }

    /// The value as a number, with or without decimals.
    ///
    /// # Errors
    /// When it isn't a finite number.
    pub fn number(self) -> Result<f64, Fault> {
        self.text().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            self.fault(format!("'{}' is not a number", self.text())).fix("write it as 0.99")
        })
    }

    /// The value as text on one line, without line breaks or other control characters.
    ///
    /// # Errors
    /// When it holds one.
    pub fn one_line(self) -> Result<String, Fault> {
        if self.text().chars().any(char::is_control) {
            Err(self.fault("a control character is in it").fix("write it on one line"))
        } else {
            Ok(self.text().to_owned())
        }
    }

    /// The value as text of one or more lines; line breaks become `\n`.
    ///
    /// # Errors
    /// When it holds control characters other than line breaks.
    pub fn prose(self) -> Result<String, Fault> {
        let text = self.text().replace("\r\n", "\n");
        if text.chars().any(|char| char.is_control() && char != '\n') {
            Err(self.fault("a control character is in it").fix("use plain text"))
        } else {
            Ok(text)
        }
    }
}

/// A number or a quoted text, not yet read as a size, a percentage or a grid.
///
/// Kept as text, so that one reader per unit serves files and the command line alike:
/// `size = 512` and `size = "512"` are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scalar {
    /// A number without quotes.
    Bare(String),
    /// A text in quotes.
    Quoted(String),
}

impl Scalar {
    /// The value as typed, without quotes.
    pub fn text(&self) -> &str {
        match self {
            Self::Bare(text) | Self::Quoted(text) => text,
        }
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

/// Takes numbers and texts, nothing else.
struct ScalarVisitor;

impl de::Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a text")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Scalar, E> {
        Ok(Scalar::Bare(number.to_string()))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Scalar, E> {
        Ok(Scalar::Bare(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Scalar, E> {
        Ok(Scalar::Bare(number.to_string()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar::Quoted(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_from_one_and_in_characters() {
        let document = Document::new("a.toml", "ä = 1\nµb = 2\n");
        assert_eq!(document.line_and_column(0), (1, 1));
        assert_eq!(document.line_and_column(2), (1, 2));
        assert_eq!(document.line_and_column(7), (2, 1));
        assert_eq!(document.line_and_column(10), (2, 3));
        assert_eq!(document.line_and_column(999), (3, 1));
    }

    #[test]
    fn a_placed_fault_keeps_its_cause_and_its_fix() {
        let fault = Fault::new("no").because("reasons").fix("yes");
        let placed = Document::new("a.toml", "x").place(0..1, fault);
        assert_eq!(placed, Fault::new("a.toml:1:1: no").because("reasons").fix("yes"));
    }

    #[test]
    fn a_text_of_megabytes_is_refused() {
        let text = " ".repeat(TEXT_BYTES_MAX + 1);
        let fault = Document::new("a.toml", &text).read::<toml::Table>().unwrap_err();
        assert_eq!(fault.what(), "a.toml: the file is longer than 1 MiB");
    }
}
