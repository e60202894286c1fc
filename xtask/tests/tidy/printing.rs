//! Only the binary prints, and only where its output is made; skipped tests say so.

use crate::finding::{Finding, assert_none};
use crate::source::{all, crate_names, of_crate};
use crate::tokens::names;

/// Macros that print.
const PRINTING: [&str; 5] = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];

#[test]
fn nothing_prints_by_macro() {
    let mut findings = Vec::new();
    for file in crate_names().iter().flat_map(|name| of_crate(name)) {
        for name in names(file).iter().filter(|name| PRINTING.contains(&name.path.as_str())) {
            let what = format!("{} panics on a closed pipe", name.path);
            findings.push(Finding { path: file.path.clone(), line: name.line, what });
        }
    }
    let fix = "return the text; in the binary use output::print, which takes a closed pipe well";
    assert_none(&findings, fix);
}

#[test]
fn a_skipped_test_says_so_past_the_harness() {
    let printed = PRINTING.map(|name| format!("{name}(\"skipped"));
    let mut findings = Vec::new();
    for file in all() {
        for (line, text) in (1..).zip(file.text.lines()) {
            if printed.iter().any(|start| text.contains(start)) {
                let what = "the harness hides what a passed test prints".to_owned();
                findings.push(Finding { path: file.path.clone(), line, what });
            }
        }
    }
    assert_none(&findings, "call kneepoint_testkit::skipped, or has_tools for a missing program");
}
