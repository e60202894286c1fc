//! Members whose work is floating-point numbers of 64 bits.

pub(crate) mod bodies;
pub(crate) mod dense;
pub(crate) mod fourier;
pub(crate) mod lattice;
pub(crate) mod molecules;
pub(crate) mod rays;
pub(crate) mod sparse;
mod vector;
