//! The pure heart of Kneepoint.
//!
//! Everything that decides *what* to issue, *what* was measured and *what it means* lives here,
//! as values and functions of values: load profiles, plans, the search over load levels, the one
//! I/O loop, the recorder, and the analysis. Nothing in this crate reads a clock, opens a file,
//! uses the network, starts a thread or contains unsafe code, so all of it can be tested with
//! systems whose answer is known.
//!
//! Data flow: [`profile`] (as typed) and [`suite`] -> [`plan`] (resolved) -> [`search`] yields
//! points -> a [`backend::Backend`] is driven by [`drive`] -> [`record`] -> [`measurement`] ->
//! [`result`] -> [`analysis`].

#![forbid(unsafe_code)]

pub mod analysis;
pub mod backend;
pub mod catalog;
pub mod confidence;
pub mod distinct;
pub mod document;
pub mod drive;
pub mod examination;
pub mod factor;
pub mod fault;
pub mod file_copy;
pub mod grid;
pub mod load;
pub mod measure;
pub mod measurement;
pub mod number;
mod overload;
pub mod plan;
pub mod point;
pub mod printable;
pub mod profile;
pub mod record;
pub mod result;
pub mod rule;
pub mod search;
pub mod seed;
pub mod series_key;
pub mod simulated;
mod stall;
pub mod steady_state;
pub mod storage_class;
pub mod stream;
pub mod suite;
pub mod trust;
pub mod units;
mod volume;
