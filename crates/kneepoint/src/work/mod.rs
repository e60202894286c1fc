//! What will be measured, on what, and what must be done before.

mod definition;
mod resolve;

pub(crate) use definition::{TEXT_MAX, read_text};
pub(crate) use definition::{find as find_suite, own as own_suite, system_file};
pub(crate) use resolve::{ResolvedRun, prepare, prepare_again};
