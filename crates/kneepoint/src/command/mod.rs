//! One module per command.

pub(crate) mod calibrate;
pub(crate) mod catalog;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod inspect;
pub(crate) mod label;
mod load_run;
pub(crate) mod plan;
mod plan_factors;
mod read;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod runs;
mod sheet;
pub(crate) mod show;
pub(crate) mod size;
pub(crate) mod validate;
