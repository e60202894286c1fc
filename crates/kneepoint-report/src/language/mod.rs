//! The languages that reports are written in: numbers, dates and all texts.

mod date;
mod number;
pub(crate) mod texts;
mod warning;

pub(crate) use warning::warning;

kneepoint_core::named! {
    /// A language that reports are written in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub enum Language {
        /// English, with a decimal point.
        #[default]
        English = "english",
        /// German, with a decimal comma.
        German = "german",
    }
}

impl Language {
    /// The code of the language (BCP 47): `en`, `de`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}
