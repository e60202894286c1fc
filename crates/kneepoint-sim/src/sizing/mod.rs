//! Which simulated system sustains a load: the smallest number of drives of every kind of drive,
//! RAID level and cache setting.
//!
//! A candidate is tried with the load that is asked for, offered at random intervals whatever the
//! system answers, with the model's own error on top as a margin. The smallest number of drives
//! that meets the rule and holds the capacity is found by bisection, and what that system sustains
//! beyond is measured by the same search as everywhere.

mod candidate;
mod demand;
mod growth;
mod server;
mod shape;
mod stroke;

pub use candidate::{Candidate, Found, candidate, smallest};
pub use demand::Demand;
pub use growth::{GrowthPoint, growth};
pub use server::{Server, servers};
pub use shape::{Choice, Shape, shapes};
pub use stroke::{StrokeRow, stroke_table};
