//! What people type: profiles, suites, campaigns, grids of load levels, factors and file copies, read
//! from TOML; and traces, as they were recorded.
//!
//! Unknown keys are errors, and every error names file, line and column. Nothing here knows a target.

pub mod campaign;
pub mod catalog;
pub mod command;
pub mod document;
pub mod factor;
pub mod file_copy;
pub mod grid;
pub mod profile;
pub mod suite;
pub mod trace;
