//! The tidy rules: what the compiler and clippy cannot check about this workspace.
//!
//! Each rule is a test; a finding names file and line, what is wrong there, and the fix.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod catalog;
mod dependencies;
mod files;
mod finding;
mod gate;
mod length;
mod links;
mod package;
mod printing;
mod prose;
mod purity;
mod rooms;
mod source;
mod star;
mod tokens;
mod traits;
mod unsafety;
mod write_cache;
