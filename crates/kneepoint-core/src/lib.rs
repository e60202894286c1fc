//! The pure heart of Kneepoint.
//!
//! Everything that decides *what* to issue, *what* was measured and *what it means* lives here,
//! as values and functions of values. Nothing in this crate reads a clock, opens a file,
//! uses the network, starts a thread or contains unsafe code, so all of it can be tested with
//! systems whose answer is known.
//!
//! Seven rooms, in the order of the data flow; each uses only those before it:
//! [`words`] that all share, [`spec`] (as typed) -> [`plan`] (resolved) -> [`load`] (what is issued,
//! and the loop that issues it) -> [`result`] (what is kept of it) <- [`measure`] (the run)
//! -> [`analysis`] (what it means).

#![forbid(unsafe_code)]

pub mod analysis;
pub mod load;
pub mod measure;
pub mod plan;
pub mod result;
pub mod spec;
pub mod words;
