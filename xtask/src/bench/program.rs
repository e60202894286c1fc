//! Programs on PATH, and what they say about themselves.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// The first file of one of these names in a folder of PATH.
pub(super) fn find(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

/// The first line of what `--version` prints.
pub(super) fn version(program: &Path) -> anyhow::Result<String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("{} --version", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
