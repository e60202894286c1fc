//! What tests find on the machine they run on, and how they say that it is not enough.
//!
//! The test harness shows nothing that a passed test prints, so a test that skips itself looks like
//! one that proved something. [`skipped`] writes past the harness, and keeps the skip for the
//! summary at the end of `cargo test --workspace` (`xtask/tests/unproven.rs`).

#![forbid(unsafe_code)]

mod fuse;
mod record;

use std::fmt::Display;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::panic::Location;
use std::path::PathBuf;

pub use fuse::{Trouble, TroubledFile};
pub use record::{Skip, record, skips};

/// Says that the running test is skipped, at least in part, and why.
///
/// The test is known by its thread: call this on the thread on which the harness started it.
#[track_caller]
pub fn skipped(reason: impl Display) {
    let thread = std::thread::current();
    let test = match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => Location::caller().to_string(),
    };
    let skip = Skip::new(test, &reason.to_string());
    // The harness captures what the printing macros write, and nothing else. One call writes the
    // whole line, since other tests write at the same time.
    let line = format!("skipped: {}: {}\n", skip.test, skip.reason);
    let _ = std::io::stderr().write_all(line.as_bytes());
    skip.keep();
}

/// Whether the PATH has all of these programs; says that the test is skipped if it lacks one.
#[track_caller]
pub fn has_tools(names: &[&str]) -> bool {
    let missing: Vec<&str> =
        names.iter().filter(|name| find_tool(name).is_none()).copied().collect();
    if !missing.is_empty() {
        skipped(format_args!("not on the PATH: {}", missing.join(", ")));
    }
    missing.is_empty()
}

/// A program on the PATH; `None` if there is no such file that can be executed.
pub fn find_tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| {
        const EXECUTE: u32 = 0o111;
        let metadata = std::fs::metadata(file);
        metadata.is_ok_and(|found| found.is_file() && found.permissions().mode() & EXECUTE != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_and_missed() {
        assert!(find_tool("sh").is_some_and(|path| path.ends_with("sh")));
        assert!(has_tools(&["sh"]) && has_tools(&[]));
        assert_eq!(find_tool("no-such-program"), None);
        assert_eq!(find_tool("."), None, "a folder is no program");
    }
}
