//! Every dependency is named once, with its reason.

use std::fs;

use toml::Table;
use xtask::workspace_root;

use crate::finding::{Finding, assert_none};
use crate::source::crate_names;

/// Where the reasons stand.
const REASONS: &str = "docs/dependencies.md";

/// The manifest of a member of the workspace.
pub(crate) struct Manifest {
    /// Path from the workspace's root.
    pub(crate) path: String,
    /// Name of the crate.
    pub(crate) name: String,
    /// Names of everything that it depends on, tests and build included.
    pub(crate) dependencies: Vec<String>,
    /// Names of what its tests alone depend on.
    pub(crate) for_tests: Vec<String>,
    text: String,
    table: Table,
}

impl Manifest {
    fn read(folder: &str) -> Self {
        let path = format!("{folder}/Cargo.toml");
        let text = fs::read_to_string(workspace_root().join(&path)).unwrap();
        let table: Table = text.parse().unwrap();
        let name = table["package"]["name"].as_str().unwrap().to_owned();
        let dependencies = sections(&table).flat_map(|section| section.keys().cloned()).collect();
        let for_tests = table.get("dev-dependencies").and_then(toml::Value::as_table);
        let for_tests = for_tests.into_iter().flat_map(|section| section.keys().cloned()).collect();
        Self { path, name, dependencies, for_tests, text, table }
    }

    /// The line on which a dependency is named.
    pub(crate) fn line_of(&self, dependency: &str) -> usize {
        line_of(&self.text, dependency)
    }
}

/// The manifests of all members of the workspace.
pub(crate) fn manifests() -> Vec<Manifest> {
    let folders = crate_names().into_iter().map(|name| format!("crates/{name}"));
    folders.chain(["xtask".to_owned()]).map(|folder| Manifest::read(&folder)).collect()
}

fn sections(manifest: &Table) -> impl Iterator<Item = &Table> {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .iter()
        .filter_map(|name| manifest.get(*name).and_then(toml::Value::as_table))
}

fn line_of(text: &str, key: &str) -> usize {
    let is_key =
        |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', '.', '=']));
    text.lines().position(is_key).map_or(1, |index| index + 1)
}

#[test]
fn every_dependency_has_its_reason() {
    let root = workspace_root();
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let reasons = fs::read_to_string(root.join(REASONS)).unwrap();
    let table: Table = manifest.parse().unwrap();
    let named = table["workspace"]["dependencies"].as_table().unwrap();
    let named: Vec<&str> = named
        .iter()
        .filter(|(_, entry)| entry.get("path").is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    let reasoned: Vec<(usize, &str)> = (1..)
        .zip(reasons.lines())
        .filter_map(|(line, text)| Some((line, text.strip_prefix("| `")?.split_once("` |")?.0)))
        .collect();
    let mut findings: Vec<Finding> = named
        .iter()
        .filter(|name| !reasoned.iter().any(|(_, reasoned)| reasoned == *name))
        .map(|name| Finding {
            path: "Cargo.toml".to_owned(),
            line: line_of(&manifest, name),
            what: format!("{name} has no line in {REASONS}"),
        })
        .collect();
    findings.extend(reasoned.iter().filter(|(_, name)| !named.contains(name)).map(
        |(line, name)| {
            let what = format!("{name} is no dependency of the workspace");
            Finding { path: REASONS.to_owned(), line: *line, what }
        },
    ));
    assert_none(&findings, "say why it is needed, what it weighs and what would replace it");
}

#[test]
fn members_take_their_dependencies_from_the_workspace() {
    let mut findings = Vec::new();
    for manifest in manifests() {
        for (name, entry) in sections(&manifest.table).flatten() {
            if entry.get("workspace").and_then(toml::Value::as_bool) != Some(true) {
                findings.push(Finding {
                    path: manifest.path.clone(),
                    line: manifest.line_of(name),
                    what: format!("{name} is not taken from the workspace"),
                });
            }
        }
    }
    assert_none(&findings, "name it in [workspace.dependencies] and write NAME.workspace = true");
}
