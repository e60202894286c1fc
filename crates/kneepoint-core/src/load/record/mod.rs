//! What is kept of every completed I/O: exact sums, histograms, intervals.

pub mod histogram;
pub mod interval;
pub mod recorder;
