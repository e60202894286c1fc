//! Chores of the project: the reference that is generated from the code and checked in, and
//! experiments beside other tools, and an attack on the program.
//!
//! The tidy rules are tests of this crate (`cargo test -p xtask`).

#![forbid(unsafe_code)]

pub mod attack;
pub mod bench;
pub mod drift;
pub mod fleet;
mod folder;
pub mod jobs;
pub mod members;
pub mod reference;
pub mod reference_machine;
pub mod simulator;
pub mod stall;
mod stop;
pub mod verification;
mod zram;

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}
