//! From the command line to a plan: what will be measured, on what, and what must be done before.

mod blocks;
mod definition;
mod precondition;
mod resolve;
mod target;
mod timing;

pub(crate) use definition::{find as find_suite, system_file};
pub(crate) use resolve::{Prepared, Search, prepare, prepare_again};
pub(crate) use target::{RealTarget, TargetSetup, inspect_target};
