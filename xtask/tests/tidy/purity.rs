//! Core and sim have no effects.

use std::fs;

use toml::Table;
use xtask::workspace_root;

use crate::finding::{Finding, assert_none};
use crate::source::of_crate;
use crate::tokens::names;

/// The crates without effects.
const PURE: [&str; 2] = ["kneepoint-core", "kneepoint-sim"];

/// What they must not touch.
const BANNED: [&str; 9] = [
    "std::fs",
    "std::net",
    "std::os",
    "std::thread",
    "std::env",
    "std::process",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::io::stdin",
];

/// What their clippy.toml must ban, so that the editor says it first.
const BANNED_BY_CLIPPY: [(&str, &[&str]); 2] = [
    (
        "disallowed-types",
        &[
            "std::time::Instant",
            "std::time::SystemTime",
            "std::fs::File",
            "std::collections::HashMap",
            "std::collections::HashSet",
        ],
    ),
    (
        "disallowed-methods",
        &["std::thread::spawn", "std::thread::sleep", "std::env::var", "f64::ln", "f64::powf"],
    ),
];

#[test]
fn core_and_sim_have_no_effects() {
    let mut findings = Vec::new();
    for file in PURE.iter().flat_map(|name| of_crate(name)) {
        for name in names(file) {
            if BANNED.iter().any(|banned| name.is_in(banned)) {
                let what = format!("{} in a crate without effects", name.path);
                findings.push(Finding { path: file.path.clone(), line: name.line, what });
            }
        }
    }
    assert_none(&findings, "let the caller hand in the value, or move the code to another crate");
}

#[test]
fn clippy_bans_the_same_for_both() {
    let mut findings = Vec::new();
    for name in PURE {
        let path = format!("crates/{name}/clippy.toml");
        let text = fs::read_to_string(workspace_root().join(&path)).unwrap();
        let rules: Table = text.parse().unwrap();
        for (key, banned) in BANNED_BY_CLIPPY {
            let entries =
                rules.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
            let has = |wanted: &str| {
                entries
                    .iter()
                    .any(|entry| entry.get("path").and_then(|p| p.as_str()) == Some(wanted))
            };
            findings.extend(banned.iter().filter(|wanted| !has(wanted)).map(|wanted| Finding {
                path: path.clone(),
                line: 1,
                what: format!("{wanted} is missing in {key}"),
            }));
        }
    }
    assert_none(&findings, "add it, with the reason");
}
