//! The language of a report, as typed.

use clap::ValueEnum;
use kneepoint_report::Language;

/// The language of a report, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum LanguageChoice {
    /// English
    #[default]
    #[value(name = "en", alias = "english")]
    English,
    /// German
    #[value(name = "de", aliases = ["german", "deutsch"])]
    German,
}

impl LanguageChoice {
    /// The language that is meant.
    pub const fn language(self) -> Language {
        match self {
            Self::English => Language::English,
            Self::German => Language::German,
        }
    }
}
