//! The store as its users see it: a file that keeps what it was given.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its makers of samples too")]

mod crash;
mod damage;
mod fixture;
mod foreign;
mod lifecycle;
mod permission;
mod process;
mod roundtrip;
mod sample;
mod sharing;
mod space;
