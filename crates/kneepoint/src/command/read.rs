//! Text files that the user named.

use std::path::Path;

use kneepoint_core::words::fault::Fault;

use crate::work::{TEXT_MAX, read_text};

/// The text of a file; `fix` is the advice where it cannot be read.
pub(super) fn text(path: &Path, fix: &str) -> Result<String, Fault> {
    read_text(path, TEXT_MAX).map_err(|error| {
        Fault::new(format!("cannot read {}", path.display())).because(error).fix(fix)
    })
}
