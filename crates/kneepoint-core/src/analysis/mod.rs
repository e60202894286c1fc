//! What the points mean: sustained throughput, peak, warnings of a whole run.
//!
//! Analysis is pure and can be repeated on stored points at any time; it never changes them.

mod curve;
mod effects;
mod repetition;
mod summary;

pub use effects::{
    Effects, FactorEffect, Interaction, LevelEffect, Measure, Optimum, Significance, effects,
};
pub use summary::{summarize, summarize_plan};
