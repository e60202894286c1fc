//! Real I/O on Linux: the only crate with unsafe code and the only real clock.
//!
//! [`facts`] tells what a target and the machine are, [`consent`] decides what may be written,
//! [`engine`] holds the backends that issue I/O, [`DeviceInstrument`] drives them with one thread
//! per worker, and [`testbed`] makes ready for it.

#![deny(unsafe_op_in_unsafe_fn)]

pub mod buffer;
pub mod clock;
pub mod consent;
mod crew;
pub mod engine;
pub mod facts;
pub mod file_copy;
pub mod file_tree;
mod instrument;
pub mod layout;
mod new_file;
pub mod observe;
mod own_dir;
pub mod process;
pub mod settings;
pub mod testbed;
pub mod verification;
mod worker;

pub use crate::instrument::{DeviceInstrument, LEFT_BEHIND};
pub use crate::observe::{ObservedTarget, Surroundings, processor_pressure};
pub use crate::process::allowed_cpus;
