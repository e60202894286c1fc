//! The flat file of vdbench (`flatfile.html`, and the same as `.csv`) for raw I/O: a row per interval and
//! one with the averages of each run, by the names of its columns.

mod read;
mod write;

pub use read::{is_result, read};
pub use write::write;

/// The comment by which a flat file is known as one of Kneepoint.
const WRITTEN: &str = "* Written by Kneepoint";

/// The rate that stands for "as fast as it goes"; what is beyond it means the same.
const RATE_MAX: f64 = 999_900.0;

/// What vdbench writes for a value that is not known.
const UNKNOWN: &str = "n/a";

/// The columns that are written.
const COLUMNS: [&str; 25] = [
    "tod",
    "timestamp",
    "Run",
    "Interval",
    "reqrate",
    "rate",
    "MB/sec",
    "bytes/io",
    "read%",
    "resp",
    "read_resp",
    "write_resp",
    "resp_max",
    "resp_std",
    "xfersize",
    "threads",
    "rdpct",
    "rhpct",
    "whpct",
    "seekpct",
    "lunsize",
    "version",
    "compratio",
    "dedupratio",
    "queue_depth",
];
