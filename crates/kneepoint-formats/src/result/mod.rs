//! Results: what other tools measured, as runs, and runs as what other tools write.
//!
//! A module per format, each with what reads it and what writes it; `docs/formats.md` describes them. `frame` has runs
//! as tables.
//! [`read`] tells by its content which format a file has, [`reading`] has what all of them give.

pub mod fio;
pub mod frame;
pub mod hlog;
pub mod iometer;
mod levels;
pub mod reading;
pub mod time;
pub mod vdbench;

use kneepoint_core::result::{PointResult, RunDocument};
use kneepoint_core::words::fault::Fault;

pub use reading::{Naming, Reading, Start, document};

/// The result in `content`; `None` if it has none of the formats that are read.
///
/// # Errors
/// When it has one of them, and something in it is not as that format has it.
pub fn read(content: &[u8]) -> Option<Result<Reading, Fault>> {
    let text = String::from_utf8_lossy(content);
    let text = text.trim_start_matches('\u{feff}');
    if iometer::is_result(text) {
        Some(iometer::read(text))
    } else if vdbench::is_result(text) {
        Some(vdbench::read(text))
    } else {
        fio::json_of(text).map(|json| fio::read(&json))
    }
}

/// The points of a run, all of which are of I/O, or what is wrong.
fn io_points<'a>(
    document: &'a RunDocument,
    format: &str,
) -> Result<impl Iterator<Item = &'a PointResult> + Clone, Fault> {
    let points = document.points.iter();
    if let Some(other) = points.clone().find(|point| point.storage.is_none()) {
        return Err(Fault::new(format!(
            "a run of other work than I/O cannot be written as {format}"
        ))
        .because(format!("'{}' has no blocks, reads and writes", other.key()))
        .fix("end the file's name in .json or .csv"));
    }
    if document.points.is_empty() {
        return Err(Fault::new(format!("run {} cannot be written as {format}", document.run.id))
            .because("it has no points"));
    }
    Ok(points)
}
