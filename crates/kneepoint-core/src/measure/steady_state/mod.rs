//! Steady state for flash: rounds of fixed length until the last of them agree.
//!
//! A flash drive that was just erased is fast; under writes it slows down over minutes or hours
//! until its garbage collection keeps pace. The test for the end of that is the one of the SNIA
//! Solid State Storage Performance Test Specification, version 2.0.2 (2020), section 2.1.24: over
//! a window of rounds the tracked variable (here the IO/s of each round) stays within a range and
//! its least-squares line changes by little, both as shares of the window's mean.
//!
//! [`Determination`] is the test, [`Rounds`] applies it while a point runs, [`Convergence`] is
//! what is left of it in the measurement.

mod convergence;
mod determination;
mod rounds;

pub use convergence::Convergence;
pub(crate) use convergence::{convergence_result, convergence_warning};
pub use determination::Determination;
pub use rounds::Rounds;
#[cfg(test)]
pub(crate) use rounds::tests;
