//! A value as it was typed, bare or in quotes.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

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
