//! The Debian package takes files that are there.

use std::fs;
use std::path::Path;

use toml::Table;
use xtask::workspace_root;

use crate::finding::{Finding, assert_none};

const MANIFEST: &str = "crates/kneepoint/Cargo.toml";

/// The files that a path names, in which `*` in the name stands for any characters.
fn matches(folder: &Path, path: &str) -> usize {
    let path = folder.join(path);
    let name = path.file_name().unwrap().to_string_lossy();
    let Some((start, end)) = name.split_once('*') else {
        return usize::from(path.is_file());
    };
    let Ok(entries) = fs::read_dir(path.parent().unwrap()) else { return 0 };
    let fits = |name: &str| name.starts_with(start) && name.ends_with(end);
    entries.filter(|entry| fits(&entry.as_ref().unwrap().file_name().to_string_lossy())).count()
}

#[test]
fn everything_that_is_packed_exists() {
    let folder = workspace_root().join(MANIFEST).parent().unwrap().to_owned();
    let text = fs::read_to_string(workspace_root().join(MANIFEST)).unwrap();
    let manifest: Table = text.parse().unwrap();
    let deb = &manifest["package"]["metadata"]["deb"];
    let assets = deb["assets"].as_array().unwrap().iter();
    let sources = assets.map(|asset| asset[0].as_str().unwrap());
    let packed = sources.chain([deb["license-file"][0].as_str().unwrap()]);
    let missing = packed
        .filter(|source| !source.starts_with("target/") && matches(&folder, source) == 0)
        .map(|source| Finding {
            path: MANIFEST.to_owned(),
            line: text.lines().position(|line| line.contains(source)).map_or(1, |line| line + 1),
            what: format!("nothing is called {source}"),
        });
    assert_none(&missing.collect::<Vec<_>>(), "correct the assets under [package.metadata.deb]");
    let manuals = workspace_root().join("docs/reference/man");
    assert_eq!(
        fs::read_dir(manuals).unwrap().count(),
        matches(&folder, "../../docs/reference/man/*.1")
    );
}
