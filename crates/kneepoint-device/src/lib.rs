//! Real I/O on Linux: the only crate with unsafe code and the only real clock.
//!
//! [`facts`] tells what a target and the machine are, [`consent`] decides what may be written.

pub mod consent;
pub mod facts;
