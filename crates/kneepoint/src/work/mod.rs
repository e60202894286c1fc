//! What will be measured, on what, and what must be done before.

mod definition;
mod factors;
mod resolve;
mod target;
mod text;

pub(crate) use definition::{find as find_suite, own as own_suite, system_file};
pub(crate) use factors::{BlockPlan, block_plan, has_commands};
pub(crate) use resolve::{Prepared, prepare, prepare_again, targets_again};
pub(crate) use target::{RealTarget, TargetSetup, ground, inspect_target, refuse_misspelt};
pub(crate) use text::{TEXT_MAX, read_text};
