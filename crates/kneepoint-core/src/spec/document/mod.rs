//! Files that people write: where each value stands, and faults that say so.
//!
//! Profiles and suites are TOML. Whoever types one wants to know the file, the line and the
//! column of a mistake, what is wrong there and what to write instead. So values are read together
//! with their place ([`Entry`]), and every fault about a value is made by the entry itself.

mod entry;
mod scalar;
mod spelling;
mod toml_message;

use std::fmt::Display;
use std::ops::Range;

use serde::de::DeserializeOwned;

pub use entry::Entry;
pub use scalar::Scalar;
pub use spelling::{did_you_mean, edit_distance, nearest};

use crate::words::fault::Fault;

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
            self.place(span, toml_message::toml_message(error.message()))
        })
    }

    /// Puts the place of `span` before `fault`: `my.toml:3:8: ...`.
    pub fn place(&self, span: Range<usize>, fault: Fault) -> Fault {
        let (line, column) = self.line_and_column(span.start);
        let placed = Fault::new(format!("{}:{line}:{column}: {}", self.file, fault.what()));
        rest_of(fault, placed)
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

/// Moves the cause and the fix of `from` over to `to`.
fn rest_of(from: Fault, to: Fault) -> Fault {
    let to = match from.why() {
        Some(why) => to.because(why),
        None => to,
    };
    match from.fix_hint() {
        Some(fix) => to.fix(fix),
        None => to,
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
