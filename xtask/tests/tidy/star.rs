//! The star of dependencies: no crate sees a sibling but core, and its tests their testkit.

use crate::dependencies::{Manifest, manifests};
use crate::finding::{Finding, assert_none};

/// The crate in the middle.
const CENTRE: &str = "kneepoint-core";

/// What tests share: no part of the product.
const TESTKIT: &str = "kneepoint-testkit";

/// The crates that put the others together.
const GLUE: [&str; 2] = ["kneepoint", "xtask"];

#[test]
fn crates_depend_on_no_sibling_but_core() {
    let manifests = manifests();
    let siblings: Vec<&str> = manifests.iter().map(|manifest| manifest.name.as_str()).collect();
    let mut findings = Vec::new();
    for manifest in manifests.iter().filter(|manifest| !GLUE.contains(&manifest.name.as_str())) {
        let seen = manifest.dependencies.iter();
        let allowed = [CENTRE, TESTKIT];
        let wrong = seen
            .filter(|name| siblings.contains(&name.as_str()) && !allowed.contains(&name.as_str()));
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

#[test]
fn the_testkit_is_for_tests_alone() {
    let manifests = manifests();
    let uses = |names: &[String]| names.iter().filter(|name| *name == TESTKIT).count();
    let wrong = manifests
        .iter()
        .filter(|manifest| uses(&manifest.dependencies) > uses(&manifest.for_tests));
    let findings: Vec<Finding> = wrong.map(|manifest| finding(manifest, TESTKIT)).collect();
    assert_none(&findings, "name it under [dev-dependencies]");
    let testkit = manifests.iter().find(|manifest| manifest.name == TESTKIT).unwrap();
    let seen = testkit.dependencies.iter().filter(|name| name.starts_with("kneepoint"));
    let findings: Vec<Finding> = seen.map(|name| finding(testkit, name)).collect();
    assert_none(&findings, "the testkit knows nothing of what is tested");
}

fn finding(manifest: &Manifest, dependency: &str) -> Finding {
    Finding {
        path: manifest.path.clone(),
        line: manifest.line_of(dependency),
        what: format!("{} depends on {dependency}", manifest.name),
    }
}
