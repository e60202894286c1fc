//! Operations on files: as many threads as operations are outstanding create, extend, read, look up, rename and
//! delete files of directories, and list these.
//!
//! What is done next is [`ThreadFiles`]'s; the calls, and the directories with their mark, are behind
//! [`FileGround`](kneepoint_core::measure::FileGround).

mod counter;
mod instrument;
mod testbed;
#[cfg(test)]
mod tests;

pub use testbed::{FilesTestbed, FindGround};

pub(crate) use counter::FileCounter;
pub(crate) use instrument::FilesInstrument;

#[cfg(doc)]
use kneepoint_core::load::files::ThreadFiles;
