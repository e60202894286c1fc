//! Says from which commit the program was built, for `kneepoint --version`.
//!
//! Optimised builds ask git once for every change of the sources; others are not told, or every
//! commit would compile the whole program again. Without git, or outside of the project's own
//! repository, nothing is claimed. `KNEEPOINT_COMMIT` names the commit of sources that come without
//! their repository.

#![allow(clippy::print_stdout, reason = "this is how cargo is told")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variable with the commit, for those who build from an archive.
const COMMIT: &str = "KNEEPOINT_COMMIT";

/// What the program is made of, from the root of the workspace.
const SOURCES: [&str; 6] = ["Cargo.toml", "Cargo.lock", "crates", "profiles", "suites", "systems"];

fn main() {
    println!("cargo::rerun-if-env-changed={COMMIT}");
    println!("cargo::rerun-if-changed=build.rs");
    let version = variable("CARGO_PKG_VERSION").unwrap_or_default();
    let build = variable(COMMIT).or_else(|| match variable("PROFILE").as_deref() {
        Some("release") => commit(),
        _ => Some("debug build".to_owned()),
    });
    let text = build.map_or(version.clone(), |build| format!("{version} ({build})"));
    println!("cargo::rustc-env=KNEEPOINT_VERSION={text}");
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The commit that is checked out, and whether the sources differ from it.
fn commit() -> Option<String> {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).ancestors().nth(2)?.to_owned();
    let top = PathBuf::from(git(&root, &["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    let head = git(&root, &["rev-parse", "--short=10", "HEAD"])?;
    let status = [&["status", "--porcelain", "--"], &SOURCES[..]].concat();
    let changes = git(&root, &status)?;
    // The log of HEAD grows with every commit and checkout.
    for name in ["HEAD", "logs/HEAD"] {
        watch(&root.join(git(&root, &["rev-parse", "--git-path", name])?));
    }
    SOURCES.iter().for_each(|source| watch(&root.join(source)));
    Some(if changes.is_empty() { head } else { format!("{head}, changed") })
}

/// Lets cargo run this again when something changes; a path that does not exist would always.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// What git prints, or nothing if it fails or is not there.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    // Asking for the state must not write to the repository.
    let mut git = Command::new("git");
    let output = git.arg("--no-optional-locks").args(arguments).current_dir(root).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
