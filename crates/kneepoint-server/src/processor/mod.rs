//! The processor suite: copies of member programs, each its own process, that begin together.
//!
//! The members are in programs beside this one, a program for each set of flags, so that a compiler's flags
//! can be compared with nothing else changed. What a copy has computed is compared with the digest that the
//! plan has, not with what the program says of itself.
//!
//! Members can also be programs of the user's own, whose commands a file that the user names has.

mod attempts;
mod copy;
mod external;
mod instrument;
mod own;
mod places;
mod programs;
mod runcpu;
mod waits;
mod workshop;

pub(crate) use instrument::ProcessorInstrument;
pub(crate) use places::{CPUS, check_cpus};
