//! `unsafe` only in the device crate, and forbidden by the others in this many words.

use std::fs;

use xtask::workspace_root;

use crate::finding::{Finding, assert_none};
use crate::source::{all, crate_names};
use crate::tokens::names;

/// The one crate that may have unsafe code.
const UNSAFE_CRATE: &str = "kneepoint-device";

#[test]
fn unsafe_stands_only_in_the_device_crate() {
    let mut findings = Vec::new();
    for file in all() {
        if file.path.starts_with(&format!("crates/{UNSAFE_CRATE}/")) {
            continue;
        }
        let found = names(file).into_iter().filter(|name| name.path == "unsafe");
        findings.extend(found.map(|name| Finding {
            path: file.path.clone(),
            line: name.line,
            what: "unsafe code outside the device crate".to_owned(),
        }));
    }
    assert_none(&findings, "use a safe interface, or move the code to crates/kneepoint-device");
}

#[test]
fn every_other_crate_forbids_unsafe() {
    let mut findings = Vec::new();
    let folders = crate_names().into_iter().filter(|name| name != UNSAFE_CRATE);
    let folders = folders.map(|name| format!("crates/{name}")).chain(["xtask".to_owned()]);
    for folder in folders {
        for root in ["lib.rs", "main.rs"] {
            let path = format!("{folder}/src/{root}");
            let Ok(text) = fs::read_to_string(workspace_root().join(&path)) else { continue };
            if !text.lines().any(|line| line == "#![forbid(unsafe_code)]") {
                let what = "the crate does not forbid unsafe code".to_owned();
                findings.push(Finding { path, line: 1, what });
            }
        }
    }
    assert_none(&findings, "add #![forbid(unsafe_code)] below the module's documentation");
}
