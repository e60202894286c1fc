//! Output at the terminal: data on standard output, progress and errors on standard error.

pub(crate) mod between;
pub(crate) mod comparison;
pub(crate) mod effects;
pub(crate) mod flushes;
pub(crate) mod heading;
pub(crate) mod junit;
pub(crate) mod live;
pub(crate) mod print;
pub(crate) mod progress;
pub(crate) mod reference;
pub(crate) mod result;
mod rounds;
pub(crate) mod rule;
#[cfg(test)]
mod sentences;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod trace;
pub(crate) mod usage;
pub(crate) mod user_counts;
pub(crate) mod verification;
