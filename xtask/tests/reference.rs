//! The generated reference that is checked in is what the code generates.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use xtask::{drift, reference, workspace_root};

#[test]
fn the_generated_reference_is_up_to_date() {
    let drifted = drift::find(&workspace_root(), &reference::files().unwrap()).unwrap();
    let lines: Vec<String> = drifted.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{}\n{}", lines.join("\n"), drift::FIX);
}

#[test]
fn every_command_has_a_manual_page() {
    let files = reference::files().unwrap();
    for name in ["kneepoint", "kneepoint-run", "kneepoint-plan", "kneepoint-export"] {
        let page = files.iter().find(|file| file.path.ends_with(&format!("man/{name}.1"))).unwrap();
        assert!(page.text.contains(".SH SYNOPSIS"), "{name}");
    }
}
