//! Simulated storage systems in virtual time.
//!
//! A simulated system stands behind the same [`Backend`](kneepoint_core::load::backend::Backend)
//! seam as a real device and is driven by the same loop, only its clock jumps from event to event.
//! The crate is as pure as the core: the same plan and seed give the same numbers on every machine.
//!
//! There are storage subsystems of drives, arrays, caches, controllers and links (`system`
//! describes them, `model` is what they do), and the analytic reference systems, whose answers
//! queueing theory knows: they check the measurer.

#![forbid(unsafe_code)]

pub mod analytic;
mod assembly;
pub mod cells;
mod instrument;
mod model;
mod published;
pub mod sizing;
pub mod system;
mod target;
mod testbed;
pub mod trial;
mod users;

pub use assembly::Assembly;
pub use instrument::SimInstrument;
pub use model::{SystemBackend, Wear};
pub use system::System;
pub use target::{Files, Model, SYSTEMS, SimTarget};
pub use testbed::{Host, SimTestbed};
