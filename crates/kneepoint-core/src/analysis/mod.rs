//! What the points mean: sustained throughput, peak, warnings of a whole run.
//!
//! Analysis is pure and can be repeated on stored points at any time; it never changes them.

pub mod comparison;
mod curve;
pub mod findings;
mod repetition;
mod summary;

pub use summary::{summarize, summarize_plan};
