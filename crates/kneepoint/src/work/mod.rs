//! From the command line to a plan: what will be measured, on what, and what must be done before.

mod blocks;
mod definition;
mod factors;
mod file_copy;
mod precondition;
mod resolve;
mod target;
mod text;
mod timing;

pub(crate) use definition::{find as find_suite, own as own_suite, system_file};
pub(crate) use factors::{BlockPlan, block_plan, has_commands};
pub(crate) use file_copy::ground;
pub(crate) use resolve::{Prepared, Search, prepare, prepare_again, targets_again};
pub(crate) use target::{RealTarget, TargetSetup, inspect_target, refuse_misspelt};
pub(crate) use text::{TEXT_MAX, read_text};
