//! The workspace's Rust files, parsed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use syn::{Attribute, Item, Meta};
use xtask::workspace_root;

/// A Rust file.
pub(crate) struct Source {
    /// Path from the workspace's root, with `/`.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
    /// Whether it is compiled for tests only.
    pub(crate) is_test: bool,
}

/// Every Rust file of the workspace, sorted by path; read once.
pub(crate) fn all() -> &'static [Source] {
    static FILES: OnceLock<Vec<Source>> = OnceLock::new();
    FILES.get_or_init(read)
}

fn read() -> Vec<Source> {
    let root = workspace_root();
    let mut paths = Vec::new();
    for folder in ["crates", "xtask", "fuzz/fuzz_targets"] {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let with_text = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    let files: Vec<(PathBuf, String)> = paths.into_iter().map(with_text).collect();
    let tests = test_modules(&files);
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
    let is_test = |path: &Path| {
        tests.iter().any(|test| path.starts_with(test) || path == test.with_extension("rs"))
            || path.components().any(|part| part.as_os_str() == "tests")
    };
    files
        .into_iter()
        .map(|(path, text)| Source { path: name(&path), is_test: is_test(&path), text })
        .collect()
}

/// The files of `crates/NAME/src` that go into the product, tests left out.
pub(crate) fn of_crate(name: &str) -> impl Iterator<Item = &'static Source> + use<> {
    let prefix = format!("crates/{name}/src/");
    all().iter().filter(move |file| file.path.starts_with(&prefix) && !file.is_test)
}

/// The names of the crates in `crates/`, sorted.
pub(crate) fn crate_names() -> Vec<String> {
    let entries = fs::read_dir(workspace_root().join("crates")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
}

/// Modules in files of their own that are declared with `#[cfg(test)]`, without `.rs`.
fn test_modules(files: &[(PathBuf, String)]) -> BTreeSet<PathBuf> {
    let mut modules = BTreeSet::new();
    for (path, text) in files {
        let stem = path.file_stem().unwrap_or_default();
        let folder = match stem.to_str() {
            Some("mod" | "lib" | "main") => path.parent().unwrap().to_owned(),
            _ => path.with_extension(""),
        };
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        modules.extend(file.items.iter().filter_map(|item| match item {
            Item::Mod(module) if is_test(&module.attrs) && module.content.is_none() => {
                Some(folder.join(module.ident.to_string()))
            }
            _ => None,
        }));
    }
    modules
}

/// Whether an item is compiled for tests only.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        Meta::Path(path) => path.is_ident("test"),
        Meta::NameValue(_) => false,
    })
}
