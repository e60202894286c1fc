//! The JSON of fio (`--output-format=json` and `json+`): read from fio 2.1 on, written in the shape of
//! fio 3.

mod read;
mod write;

use serde_json::{Map, Value};

pub use read::{json_of, read};
pub use write::{Piece, pieces, write};

/// The percentiles that fio writes unless it is told others.
const PERCENTILES: [f64; 17] = [
    1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
    99.99,
];

/// The directions of a job's sections, which are the names of response classes as well.
const DIRECTIONS: [&str; 3] = ["read", "write", "trim"];

/// A percentile as fio's keys have it.
fn percentile_key(percent: f64) -> String {
    format!("{percent:.6}")
}

/// A number of a section, which fio writes as a number and some scripts as text.
fn number(section: &Map<String, Value>, key: &str) -> Option<f64> {
    let value = section.get(key)?;
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    (number.is_finite() && number >= 0.0).then_some(number)
}
