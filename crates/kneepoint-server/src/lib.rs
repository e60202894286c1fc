//! Loads of a server that are not block I/O.
//!
//! - [`business`]: business operations on warehouses in memory, one thread each.
//! - [`files`]: operations on files in directories, on one thread for each that is outstanding.
//! - [`desktop`]: users at the screens of a desktop server.
//! - [`postgres`]: the same in a database, on one connection each.
//! - `processor`: copies of member programs, each a process.
//! - [`testbed`]: this machine as a testbed for them.
//!
//! Threads and the clock are real here. What only the kernel knows of the machine comes from
//! whoever makes the testbed ([`testbed::Surroundings`]).

#![forbid(unsafe_code)]

pub mod business;
mod calm;
mod clerk;
mod crew;
pub mod desktop;
pub mod files;
#[cfg(test)]
mod fixture;
mod guard;
mod instrument;
pub mod postgres;
mod processor;
mod target;
pub mod testbed;
