//! The model: drives, arrays, caches, controllers and links as a discrete-event simulation.
//!
//! Serial resources (processors, links) are reserved in the order of asking; drives keep real
//! queues. docs/simulator.md describes the model with its formulas and sources.

mod ahead;
mod destage;
mod dirty;
mod disk;
mod drive;
mod engine;
mod flash;
mod flush;
mod geometry;
mod host;
mod parts;
mod update;

pub use engine::SystemBackend;
pub use flash::Wear;
