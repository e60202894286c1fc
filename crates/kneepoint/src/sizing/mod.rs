//! Which systems sustain a load: what is tried, and how the candidates are shown.

mod choice;
mod table;

pub(crate) use choice::{demand, drives_max, server, shapes_of};
pub(crate) use table::{print_candidates, print_strokes};
