//! The file formats of other tools, read and written.
//!
//! Everything here turns text or bytes into what `kneepoint-core` knows, or back: no files are
//! opened, no clock is read. What a format says and Kneepoint cannot say is listed, never
//! dropped in silence.

#![forbid(unsafe_code)]

/// Jobs: what other tools are told to do, as profiles and suites.
pub mod job;

pub mod result;

/// Traces: I/Os that other tools recorded.
pub mod trace;
