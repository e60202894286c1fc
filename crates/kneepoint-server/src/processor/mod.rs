//! The processor suite: copies of member programs, each its own process, that begin together.
//!
//! The members are in programs beside this one, a program for each set of flags, so that a compiler's flags
//! can be compared with nothing else changed. What a copy has computed is compared with the digest that the
//! plan has, not with what the program says of itself.

mod copy;
mod instrument;
mod programs;

pub(crate) use instrument::ProcessorInstrument;
pub(crate) use programs::Programs;
