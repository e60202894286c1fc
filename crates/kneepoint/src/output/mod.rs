//! What the terminal shows: data on standard output, progress and errors on standard error.

pub(crate) mod comparison;
pub(crate) mod copies;
pub(crate) mod copy_progress;
pub(crate) mod count;
pub(crate) mod effects;
pub(crate) mod faults;
mod fitting;
pub(crate) mod heading;
mod lines;
pub(crate) mod pace;
pub(crate) mod preparation;
pub(crate) mod print;
pub(crate) mod progress;
pub(crate) mod result;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod usage;
mod verdict;
pub(crate) mod width;
