//! The members of the processor suite: programs that compute something known.
//!
//! Each member generates its input from a fixed seed, works on it on one thread, and gives an [`Output`]
//! whose digest is compared with the one that is kept in `expected.json`. Members touch no files and
//! no network.

#![forbid(unsafe_code)]

pub mod about;
mod floating;
mod integer;
mod member;
mod output;
mod random;
pub mod reference;
mod text;
pub mod usage;

pub use member::{Class, MEMBERS, Member, Scale, Verdict, member};
pub use output::Output;
