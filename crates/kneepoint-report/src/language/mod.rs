//! The languages that reports are written in: numbers, dates and, in one catalog each, all texts.

pub(crate) mod catalog;
mod date;
mod english;
mod german;
mod number;
mod warning;

pub(crate) use warning::warning;

use catalog::Catalog;

/// A language that reports are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Language {
    /// English, with a decimal point.
    #[default]
    English,
    /// German, with a decimal comma.
    German,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// The code of the language (BCP 47): `en`, `de`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Every text of the language.
    pub(crate) fn catalog(self) -> &'static Catalog {
        match self {
            Self::English => &english::CATALOG,
            Self::German => &german::CATALOG,
        }
    }

    /// The English name of the language in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "english",
            Self::German => "german",
        }
    }
}
