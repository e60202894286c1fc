//! What a system would do if its data were spread over more or less of each drive.

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::candidate::sustained;
use super::demand::Demand;
use crate::system::System;

/// A system at one stroke.
#[derive(Debug, Clone, PartialEq)]
pub struct StrokeRow {
    /// Share of each drive's capacity that holds the data, percent.
    pub stroke_percent: f64,
    /// Bytes of data.
    pub data: Bytes,
    /// I/Os per second that it sustains at the rule.
    pub sustained_iops: f64,
    /// The same as a share of that at the first stroke of the table.
    pub multiplier: f64,
}

/// What `system` sustains at each of `strokes_percent`, as in the tables of multipliers of the
/// FAStT900 paper (fastt900, tables 2 and 6).
///
/// # Errors
/// When the load does not fit the system.
pub fn stroke_table(
    system: &System,
    demand: &Demand,
    strokes_percent: &[f64],
) -> Result<Vec<StrokeRow>, Fault> {
    let mut rows: Vec<StrokeRow> = Vec::new();
    for stroke_percent in strokes_percent {
        let spread = system.with_query(&system.name, &format!("stroke={stroke_percent}%"))?;
        let data = (0..spread.array_count()).map(|array| spread.array_bytes(array).0).sum();
        let iops = sustained(&spread, demand)?.iops;
        let first = rows.first().map_or(iops, |row| row.sustained_iops);
        rows.push(StrokeRow {
            stroke_percent: *stroke_percent,
            data: Bytes(data),
            sustained_iops: iops,
            multiplier: iops / first,
        });
    }
    Ok(rows)
}
