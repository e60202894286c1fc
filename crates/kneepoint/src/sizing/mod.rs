//! Which systems sustain a load: what is tried, and how the candidates are shown.

mod choice;
mod page;
mod table;

pub(crate) use choice::{demand, drives_max, server, shapes_of};
pub(crate) use page::{STROKES_OF_PAGE, Studied, page};
pub(crate) use table::{candidates_text, strokes_text};
