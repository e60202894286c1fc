//! The star of dependencies: no crate sees a sibling but core.

use crate::dependencies::{Manifest, manifests};
use crate::finding::{Finding, assert_none};

/// The crate in the middle.
const CENTRE: &str = "kneepoint-core";

/// The crates that put the others together.
const GLUE: [&str; 2] = ["kneepoint", "xtask"];

#[test]
fn crates_depend_on_no_sibling_but_core() {
    let manifests = manifests();
    let siblings: Vec<&str> = manifests.iter().map(|manifest| manifest.name.as_str()).collect();
    let mut findings = Vec::new();
    for manifest in manifests.iter().filter(|manifest| !GLUE.contains(&manifest.name.as_str())) {
        let seen = manifest.dependencies.iter();
        let wrong =
            seen.filter(|name| siblings.contains(&name.as_str()) && name.as_str() != CENTRE);
        findings.extend(wrong.map(|name| finding(manifest, name)));
    }
    assert_none(&findings, "let the binary put the two together, or move what both need to core");
}

#[test]
fn the_binary_is_needed_by_nobody_but_the_chores() {
    let manifests = manifests();
    let rest = manifests.iter().filter(|manifest| manifest.name != "xtask");
    let wrong =
        rest.filter(|manifest| manifest.dependencies.iter().any(|name| name == "kneepoint"));
    let findings: Vec<Finding> = wrong.map(|manifest| finding(manifest, "kneepoint")).collect();
    assert_none(&findings, "move what is needed out of the binary");
}

fn finding(manifest: &Manifest, dependency: &str) -> Finding {
    Finding {
        path: manifest.path.clone(),
        line: manifest.line_of(dependency),
        what: format!("{} depends on {dependency}", manifest.name),
    }
}
