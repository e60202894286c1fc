//! `.hlog`: the log of histograms that tools around HdrHistogram read (version 1.3, histograms in the
//! encoding V2, compressed).
//!
//! A row per point and response class: all response times of the measured time, in nanoseconds. Its tag
//! is `SERIES@LOAD/CLASS`, as in `database/8KiB@4/read`.

use std::time::Duration;

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
use kneepoint_core::result::{PointHistograms, PointResult, RunDocument};
use kneepoint_core::words::fault::Fault;

use super::time::epoch_ms;

/// Significant digits of a histogram, as the recorder keeps them.
const DIGITS: u8 = 3;

/// Nanoseconds of the unit in which tools print values: milliseconds.
const NANOS_SHOWN: f64 = 1e6;

/// Writes the response times of the points in full, which the document must have.
///
/// # Errors
/// When no point has them.
pub fn write(document: &RunDocument) -> Result<Vec<u8>, Fault> {
    let begin_ms = epoch_ms(&document.run.started_at).unwrap_or(0);
    let mut builder = IntervalLogWriterBuilder::new();
    builder
        .add_comment(&format!("[Logged with Kneepoint {}]", document.run.version))
        .add_comment("[Histogram log format version 1.3]")
        .add_comment(&format!("[StartTime: {:.3} (seconds since epoch)]", begin_ms as f64 / 1e3))
        .with_max_value_divisor(NANOS_SHOWN);
    let mut serializer = V2DeflateSerializer::new();
    let mut log = Vec::new();
    let unwritten = |error: &dyn std::fmt::Display| {
        Fault::new("the response times cannot be written as a log of histograms").because(error)
    };
    let mut writer =
        builder.begin_log_with(&mut log, &mut serializer).map_err(|error| unwritten(&error))?;
    let mut rows = 0;
    // Where points have no time of day, as in simulated time, one follows the other.
    let mut after_s = 0.0;
    for point in &document.points {
        let start_s = start_s(point, begin_ms).unwrap_or(after_s + point.ramp_s);
        after_s = start_s + point.measured_s;
        let Some(PointHistograms(classes)) = &point.histograms else { continue };
        for (class, pairs) in classes.iter().filter(|(_, pairs)| !pairs.is_empty()) {
            let tag = tag(point, class);
            let (start, length) = (seconds(start_s), seconds(point.measured_s));
            writer
                .write_histogram(&histogram(pairs)?, start, length, Tag::new(&tag))
                .map_err(|error| unwritten(&error))?;
            rows += 1;
        }
    }
    drop(writer);
    if rows == 0 {
        return Err(Fault::new(format!("run {} cannot be written as .hlog", document.run.id))
            .because("no point has its response times in full")
            .fix("end the file's name in .json or .csv"));
    }
    Ok(log)
}

/// Where the measured time of a point begins, in seconds after the run began; `None` if it is not known.
fn start_s(point: &PointResult, begin_ms: i64) -> Option<f64> {
    let from_begin = epoch_ms(&point.started_at)?.checked_sub(begin_ms)?;
    (from_begin >= 0).then(|| from_begin as f64 / 1e3 + point.ramp_s)
}

/// A time that is no number, or none that can be, is 0.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// The tag of a row: neither commas nor white space.
fn tag(point: &PointResult, class: &str) -> String {
    let tag = format!("{}@{}/{class}", point.key(), point.load.value);
    tag.replace(|letter: char| letter == ',' || letter.is_whitespace(), "_")
}

/// A histogram from pairs of microseconds and count.
fn histogram(pairs: &[(f64, u64)]) -> Result<hdrhistogram::Histogram<u64>, Fault> {
    let odd = |error: &dyn std::fmt::Display| {
        Fault::new("a point has response times that no histogram holds").because(error)
    };
    let mut histogram = hdrhistogram::Histogram::<u64>::new(DIGITS).map_err(|error| odd(&error))?;
    for (us, count) in pairs {
        let nanos = (us * 1e3).round().max(0.0) as u64;
        histogram.record_n(nanos, *count).map_err(|error| odd(&error))?;
    }
    Ok(histogram)
}
