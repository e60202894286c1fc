//! No text of the product recommends the kernel's file `queue/write_cache` to turn a cache off: it
//! leaves the drive's cache on and only stops the flushes that make data safe.

use std::fs;
use std::path::Path;

use xtask::workspace_root;

/// What such advice begins with.
const ADVICE: [&str; 4] = [
    "write 'write through'",
    "writing 'write through'",
    "echo write through",
    "echo 'write through'",
];

#[test]
fn no_text_turns_a_cache_off_by_the_file_of_the_kernel() {
    let root = workspace_root();
    let mut found = Vec::new();
    for folder in ["crates", "docs", "suites", "examples"] {
        search(&root.join(folder), &mut found);
    }
    found.extend(advice(&root.join("README.md")));
    assert!(found.is_empty(), "{found:?} recommend queue/write_cache; name hdparm, sdparm, nvme");
}

fn search(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            search(&path, found);
        } else {
            found.extend(advice(&path));
        }
    }
}

fn advice(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let is_advice = ADVICE.iter().any(|advice| text.contains(advice));
    is_advice.then(|| path.display().to_string())
}
