//! Published table cells: from the rows of a CSV file to what is to be simulated.
//!
//! A cell is one number of a published table, with the system that it was measured on, the load,
//! and the condition that it was read off at. Papers write the same thing in many ways, so reading
//! goes in two steps: [`parse`] is strict about the file (columns, fields per row), [`Cell::of`] is
//! generous about the words in it, and whatever it cannot understand it says in a sentence. No row
//! is ever dropped.
//!
//! Nothing here opens a file or knows a published number beforehand: the value of a row is carried
//! along to be compared at the end, and decides nothing about what is simulated.

mod cell;
mod drive;
mod predict;
mod row;
mod stroke;
mod subsystem;

pub use cell::{Cell, CellSeries, Criterion, Published, group};
pub use drive::DriveCatalog;
pub use predict::{CLOSE_PERCENT, Prediction, Score, error_percent, predict};
pub use row::{CELL_BYTES_MAX, CellTable, Row, parse};
