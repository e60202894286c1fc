//! The words that every room shares: units, load levels, rules, numbers as they are printed, seeds
//! and faults. Raw numbers do not cross a border; a [`fault::Fault`] says what failed, why, and what to do.

pub mod class;
pub mod distinct;
pub mod fault;
pub mod load;
mod named;
pub mod number;
pub mod printable;
pub mod rule;
pub mod seed;
pub mod storage_class;
pub mod units;
