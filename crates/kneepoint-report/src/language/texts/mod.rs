//! Every text that a report can print, a module for each chapter, with all languages side by side.
//!
//! A text is a function of the language and of its values. The values come as text that the
//! language has already written; numbers that decide over singular and plural come as numbers. A
//! text that one language lacks does not compile.

/// Functions of short texts: `name: "in English" | "auf Deutsch";` gives words, `name(value: &str):
/// "{value} in English" | "{value} auf Deutsch";` a sentence around values.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident $(($($value:ident: $type:ty),+))?: $english:literal | $german:literal;)+) => {
        $(texts!(@text [$(#[$doc])*] $name [$($($value: $type),+)?] $english $german);)+
    };
    (@text [$($doc:tt)*] $name:ident [] $english:literal $german:literal) => {
        $($doc)*
        pub(crate) const fn $name(language: $crate::language::Language) -> &'static str {
            match language {
                $crate::language::Language::English => $english,
                $crate::language::Language::German => $german,
            }
        }
    };
    (@text [$($doc:tt)*] $name:ident [$($value:ident: $type:ty),+] $english:literal $german:literal) => {
        $($doc)*
        pub(crate) fn $name(language: $crate::language::Language, $($value: $type),+) -> String {
            match language {
                $crate::language::Language::English => format!($english),
                $crate::language::Language::German => format!($german),
            }
        }
    };
}

/// Functions of terms, or of titles of boxes, with their explanations: `name: "Term" | "Begriff" =>
/// "What it means." | "Was er bedeutet.";` gives both in a language.
macro_rules! terms {
    ($($name:ident: $term:literal | $begriff:literal => $english:literal | $german:literal;)+) => {$(
        pub(crate) const fn $name(
            language: $crate::language::Language,
        ) -> (&'static str, &'static str) {
            match language {
                $crate::language::Language::English => ($term, $english),
                $crate::language::Language::German => ($begriff, $german),
            }
        }
    )+};
}

pub(crate) mod abstract_text;
pub(crate) mod advice;
pub(crate) mod applications;
pub(crate) mod chapters;
pub(crate) mod classes;
pub(crate) mod common;
pub(crate) mod comparison;
pub(crate) mod conclusions;
pub(crate) mod copies;
pub(crate) mod environment;
pub(crate) mod factors;
pub(crate) mod figures;
pub(crate) mod findings;
pub(crate) mod front;
pub(crate) mod glossary;
pub(crate) mod hosts;
pub(crate) mod imported;
pub(crate) mod key_figures;
pub(crate) mod method;
pub(crate) mod parts;
pub(crate) mod processor;
pub(crate) mod profile;
pub(crate) mod published;
pub(crate) mod reproduction;
pub(crate) mod rounds;
pub(crate) mod scaling;
pub(crate) mod series;
pub(crate) mod sizing;
pub(crate) mod summary;
pub(crate) mod titles;
pub(crate) mod trust;
pub(crate) mod users;
