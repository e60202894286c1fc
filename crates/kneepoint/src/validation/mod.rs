//! Published tables against simulated systems.

mod anomaly;
mod document;
mod parallel;
mod predicted;
mod table;

pub(crate) use anomaly::Anomalies;
pub(crate) use document::document;
pub use document::{CellResult, ScoreResult, TableResult, VALIDATE_SCHEMA, ValidationDocument};
pub(crate) use parallel::{Workers, in_parallel};
pub(crate) use predicted::predict_all;
pub(crate) use table::validation_text;
