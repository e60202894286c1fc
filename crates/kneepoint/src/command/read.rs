//! Text files that the user named.

use std::path::Path;

use kneepoint_core::fault::Fault;

/// The text of a file; `fix` is the advice where it cannot be read.
pub(super) fn text(path: &Path, fix: &str) -> Result<String, Fault> {
    std::fs::read_to_string(path).map_err(|error| {
        Fault::new(format!("cannot read {}", path.display())).because(error).fix(fix)
    })
}
