//! What is kept of every completed I/O: exact sums, histograms, intervals.

pub mod bucket;
pub mod histogram;
pub mod interval;
pub mod merger;
pub mod readout;
pub mod recorder;
pub mod straddler;
pub mod tally;
