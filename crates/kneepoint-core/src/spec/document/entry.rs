//! A value with its key and its place.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;

use super::scalar::Scalar;
use super::{Document, rest_of};
use crate::words::fault::Fault;
use crate::words::units::Percent;

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
        self.document.fault(self.span(), format!("{}: {what}", self.key))
    }

    /// Puts place and key before `fault`.
    pub fn place(&self, fault: Fault) -> Fault {
        let placed = self.fault(fault.what());
        rest_of(fault, placed)
    }

    /// The value as a size, a time span, a rule: whatever is read from text.
    ///
    /// # Errors
    /// When the text is no `T`.
    pub fn parse<T: FromStr<Err = Fault>>(&self) -> Result<T, Fault> {
        self.text().parse().map_err(|fault| self.place(fault))
    }

    /// The value as a percentage: a bare number (`67`, `66.5`) or a text with its sign (`"67%"`).
    ///
    /// # Errors
    /// When it is neither, or not between 0 and 100.
    pub fn percent(&self) -> Result<Percent, Fault> {
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
    pub fn whole(&self) -> Result<u32, Fault> {
        self.text().parse().map_err(|_| {
            self.fault(format!("'{}' is not a whole number", self.text())).fix("write it as 8")
        })
    }

    /// The value as a number, with or without decimals.
    ///
    /// # Errors
    /// When it isn't a finite number.
    pub fn number(&self) -> Result<f64, Fault> {
        self.text().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            self.fault(format!("'{}' is not a number", self.text())).fix("write it as 0.99")
        })
    }

    /// The value as text on one line, without line breaks or other control characters.
    ///
    /// # Errors
    /// When it holds one.
    pub fn one_line(&self) -> Result<String, Fault> {
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
    pub fn prose(&self) -> Result<String, Fault> {
        let text = self.text().replace("\r\n", "\n");
        if text.chars().any(|char| char.is_control() && char != '\n') {
            Err(self.fault("a control character is in it").fix("use plain text"))
        } else {
            Ok(text)
        }
    }
}
