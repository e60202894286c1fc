//! What is sound before it is changed: shipped files, and results of small simulated runs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::execution::{Confinement, run};

/// Everything that cases are made of.
#[derive(Debug)]
pub(super) struct Material {
    /// Files that are shipped.
    pub(super) profiles: Vec<String>,
    pub(super) suites: Vec<String>,
    pub(super) systems: Vec<String>,
    /// The head of a table of published numbers, and its rows.
    pub(super) cells: (String, Vec<String>),
    /// Runs as `export` writes them, with their response times.
    pub(super) documents: Vec<Value>,
    /// A store with these runs.
    pub(super) store: Vec<u8>,
    /// The first run in the store: its id, and what `export` prints of it.
    pub(super) witness: (String, Vec<u8>),
}

/// The runs of the store. The first is the one that must never change.
const RUNS: [&[&str]; 3] = [
    &["run", "database", "sim:fastt900", "--outstanding", "1,8", "--label", "witness"],
    &["run", "random-read", "sim:analytic/mm1?service=1ms", "--repeat", "2", "--outstanding", "1"],
    &["run", "stream-write", "null:", "--rate", "1000", "--label", "other"],
];

impl Material {
    /// Reads the shipped files and makes the runs in `folder`.
    pub(super) fn gather(root: &Path, folder: &Path, program: &Path) -> anyhow::Result<Self> {
        fs::create_dir(folder).with_context(|| folder.display().to_string())?;
        let confinement = Confinement::new(program, folder);
        for words in RUNS {
            let timing = ["--time", "100ms", "--ramp", "5ms", "--size", "16MiB"];
            told(&confinement, &[words, &timing[..]].concat())?;
        }
        let mut documents = Vec::new();
        let list: Value = serde_json::from_slice(&told(&confinement, &["runs", "--json"])?)?;
        for run in list.as_array().or(list["runs"].as_array()).context("no list of runs")? {
            let id = run["id"].as_str().context("a run has no id")?;
            let json = told(&confinement, &["export", id, "--histograms"])?;
            documents.push((id.to_owned(), json));
        }
        let parsed = documents.iter().map(|(_, json)| serde_json::from_slice(json));
        let table = fs::read_to_string(root.join("systems/data/calibration.csv"))?;
        let mut rows = table.lines().map(str::to_owned);
        Ok(Self {
            profiles: shipped(&root.join("profiles"))?,
            suites: shipped(&root.join("suites"))?,
            systems: shipped(&root.join("systems"))?,
            cells: (rows.next().unwrap_or_default(), rows.collect()),
            documents: parsed.collect::<Result<_, _>>()?,
            store: fs::read(folder.join("kneepoint.db"))?,
            witness: documents.into_iter().next_back().context("no run was stored")?,
        })
    }
}

/// What the program prints; it must succeed.
fn told(confinement: &Confinement, words: &[&str]) -> anyhow::Result<Vec<u8>> {
    let said = run(confinement, words)?;
    let errors = String::from_utf8_lossy(&said.stderr);
    anyhow::ensure!(said.ending.code == Some(0), "{words:?}: {errors}");
    Ok(said.stdout)
}

/// The TOML files of a folder, by name.
fn shipped(folder: &Path) -> anyhow::Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    let read =
        |path: PathBuf| fs::read_to_string(&path).with_context(|| path.display().to_string());
    paths.into_iter().map(read).collect()
}
