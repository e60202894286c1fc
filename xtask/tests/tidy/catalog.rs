//! Whatever is in `profiles/`, `suites/` and `systems/` is shipped.

use std::collections::BTreeSet;
use std::fs;

use kneepoint_core::spec::catalog::{CAMPAIGNS, PROFILES, SUITES, Shipped};
use kneepoint_sim::system::shipped::SHIPPED_SYSTEMS;
use xtask::workspace_root;

use crate::finding::{Finding, assert_none};

#[test]
fn every_profile_and_suite_is_in_the_catalog() {
    let mut findings = missing("profiles", PROFILES);
    let suites: Vec<Shipped> = SUITES.iter().chain(CAMPAIGNS).copied().collect();
    findings.extend(missing("suites", &suites));
    assert_none(&findings, "name it in crates/kneepoint-core/src/spec/catalog.rs");
}

#[test]
fn every_system_is_shipped() {
    let shipped: BTreeSet<&str> = SHIPPED_SYSTEMS.iter().map(|file| file.path).collect();
    let mut findings = not_among("systems", &shipped);
    findings.extend(not_among("systems/drive", &shipped));
    assert_none(&findings, "name it in crates/kneepoint-sim/src/system/shipped.rs");
}

fn missing(folder: &str, shipped: &[Shipped]) -> Vec<Finding> {
    not_among(folder, &shipped.iter().map(|file| file.path).collect())
}

fn not_among(folder: &str, shipped: &BTreeSet<&str>) -> Vec<Finding> {
    let entries = fs::read_dir(workspace_root().join(folder)).unwrap();
    let paths =
        entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy()));
    paths
        .filter(|path| path.ends_with(".toml") && !shipped.contains(path.as_str()))
        .map(|path| Finding { path, line: 1, what: "is not in the catalog".to_owned() })
        .collect()
}
