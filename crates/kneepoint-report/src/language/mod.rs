//! The languages that reports are written in: numbers, dates and all texts.

mod date;
mod number;
pub(crate) mod texts;
mod warning;

pub(crate) use warning::warning;

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

    /// The English name of the language in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "english",
            Self::German => "german",
        }
    }
}
