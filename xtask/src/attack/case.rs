//! A case: files, some of them changed, and the commands that meet them; and what is sound before
//! it is changed: shipped files, and results of small simulated runs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::execution::{Ending, run};
use super::mutation::Dice;
use super::{line, mutation};

/// The sound store of a case.
pub(super) const STORE: &str = "good.db";

/// A file of others beside the folder of a case.
pub(super) const PRECIOUS: &str = "../outside/precious";

/// One attack.
#[derive(Debug, Default)]
pub(super) struct AttackCase {
    /// The subject of the attack.
    pub(super) kind: &'static str,
    /// Files that are read, and must stay as they are.
    pub(super) inputs: Vec<(&'static str, Vec<u8>)>,
    /// Stores that may change.
    pub(super) stores: Vec<(&'static str, Vec<u8>)>,
    /// The commands, one after the other.
    pub(super) commands: Vec<Vec<String>>,
}

/// Options that keep a run short.
const SHORT: &str = "--time 100ms --ramp 1ms --outstanding 1,2 --repeat 1 --size 1MiB";

impl AttackCase {
    /// The case that the dice give.
    pub(super) fn draw(dice: &mut Dice, material: &Material) -> Self {
        let mut case = match dice.below(22) {
            0..=3 => Self::work(dice, "profile", &material.profiles),
            4..=6 => Self::work(dice, "suite", &material.suites),
            7..=9 => Self::system(dice, material),
            10..=13 => Self::document(dice, material),
            14..=16 => Self::store(dice, material),
            17 => Self::cells(dice, material),
            18..=19 => Self::job(dice, material),
            _ => Self { kind: "command line", commands: line::draw(dice), ..Self::default() },
        };
        if case.uses(STORE) {
            case.stores.push((STORE, material.store.clone()));
        }
        case
    }

    /// True if a command names this file.
    pub(super) fn uses(&self, name: &str) -> bool {
        self.commands.iter().flatten().any(|word| word == name)
    }

    fn command(&mut self, words: &str) {
        self.commands.push(words.split(' ').map(str::to_owned).collect());
    }

    /// A changed profile or suite.
    fn work(dice: &mut Dice, kind: &'static str, shipped: &[String]) -> Self {
        const TARGETS: [&str; 4] =
            ["sim:analytic/mm1?service=1ms", "sim:fastt900", "null:", "./t.dat"];
        let file = changed(dice, shipped);
        let mut case = Self { kind, inputs: vec![("input.toml", file)], ..Self::default() };
        let target = dice.pick(&TARGETS);
        // Many points on a target in real time take long.
        let measured = if kind == "profile" { target } else { TARGETS[dice.below(2)] };
        match dice.below(4) {
            0 => case.command(&format!("plan ./input.toml {target}")),
            1 => case.command(&format!("plan ./input.toml {target} --json --size 64MiB")),
            2 => case.command(&format!("run ./input.toml {measured} {SHORT} --store {STORE}")),
            _ => {
                case.command(&format!(
                    "run ./input.toml {measured} {SHORT} --store new.db --json o.json"
                ));
                case.command("report --store new.db -o r.html");
            }
        }
        case
    }

    /// A changed job of another tool.
    fn job(dice: &mut Dice, material: &Material) -> Self {
        const OUTPUTS: [&str; 3] = ["o.toml", "o.icf", "o.fio"];
        let inputs = vec![("input.job", changed(dice, &material.jobs))];
        let mut case = Self { kind: "job", inputs, ..Self::default() };
        match dice.below(3) {
            0 => case.command(&format!("convert input.job -o {}", dice.pick(&OUTPUTS))),
            1 => case.command("plan ./input.job ./t.dat --json --size 64MiB"),
            _ => case.command(&format!("run ./input.job null: {SHORT} --store new.db")),
        }
        case
    }

    /// A changed system file.
    fn system(dice: &mut Dice, material: &Material) -> Self {
        let file = changed(dice, &material.systems);
        let inputs = vec![("system.toml", file)];
        let mut case = Self { kind: "system", inputs, ..Self::default() };
        match dice.below(3) {
            0 => case.command("plan database sim:./system.toml"),
            1 => case.command("inspect sim:./system.toml"),
            _ => {
                let timing = "--time 100ms --ramp 1ms --outstanding 1,8 --repeat 1";
                case.command(&format!("run oltp sim:./system.toml {timing} --store new.db"));
                case.command("show --store new.db --wide");
            }
        }
        case
    }

    /// A changed result, imported and read again.
    fn document(dice: &mut Dice, material: &Material) -> Self {
        let sound = &material.documents[dice.below(material.documents.len())];
        let inputs = vec![("run.json", mutation::document(dice, sound))];
        let mut case = Self { kind: "document", inputs, ..Self::default() };
        if dice.chance(25) {
            case.command(&format!("import run.json --store {STORE}"));
            case.command(&format!("runs --store {STORE} --json"));
            return case;
        }
        case.command("import run.json --store new.db");
        for _ in 0..2 {
            case.command(&reader(dice, "new.db"));
        }
        case
    }

    /// A store with changed bytes.
    fn store(dice: &mut Dice, material: &Material) -> Self {
        let broken = mutation::bytes(dice, &material.store);
        let mut case =
            Self { kind: "store", stores: vec![("broken.db", broken)], ..Self::default() };
        match dice.below(8) {
            0 => case.command(&format!("import broken.db --store {STORE}")),
            1 => case.command("import broken.db --store new.db"),
            2 => case.command("label other x --store broken.db"),
            3 => case.command("delete other --store broken.db"),
            4 => case.command(&format!("run database null: {SHORT} --store broken.db")),
            _ => {}
        }
        case.command(&reader(dice, "broken.db"));
        case
    }

    /// A changed table of published numbers: two rows, so that simulating them is short.
    fn cells(dice: &mut Dice, material: &Material) -> Self {
        let (head, rows) = &material.cells;
        let row = |dice: &mut Dice| rows[dice.below(rows.len())].clone();
        let table = format!("{head}\n{}\n", row(dice));
        let other = row(dice).replace(',', "\n");
        let inputs = vec![("cells.csv", mutation::text(dice, &table, &other))];
        let mut case = Self { kind: "cells", inputs, ..Self::default() };
        case.command("validate cells.csv --threads 1 --json o.json");
        case
    }
}

/// One of the files, changed.
fn changed(dice: &mut Dice, shipped: &[String]) -> Vec<u8> {
    let sound = &shipped[dice.below(shipped.len())];
    let other = &shipped[dice.below(shipped.len())];
    mutation::text(dice, sound, other)
}

/// A command that reads a store.
fn reader(dice: &mut Dice, store: &str) -> String {
    const READERS: [&str; 12] = [
        "runs",
        "runs --json",
        "show",
        "show witness --wide",
        "show --json",
        "export --histograms",
        "export -o o.csv",
        "export --intervals",
        "report -o r.html --figures figures",
        "report -o r.md --language de",
        "compare last last",
        "compare witness last --points --different-profiles",
    ];
    format!("{} --store {store}", dice.pick(&READERS))
}

/// Everything that cases are made of.
#[derive(Debug)]
pub(super) struct Material {
    /// Files that are shipped.
    pub(super) profiles: Vec<String>,
    pub(super) suites: Vec<String>,
    pub(super) systems: Vec<String>,
    /// Jobs of other tools.
    pub(super) jobs: Vec<String>,
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
        let told = |words: &[&str]| told(program, folder, words);
        for words in RUNS {
            let timing = ["--time", "100ms", "--ramp", "5ms", "--size", "16MiB"];
            told(&[words, &timing[..]].concat())?;
        }
        let mut documents = Vec::new();
        let list: Value = serde_json::from_slice(&told(&["runs", "--json"])?)?;
        for run in list.as_array().or(list["runs"].as_array()).context("no list of runs")? {
            let id = run["id"].as_str().context("a run has no id")?;
            let json = told(&["export", id, "--histograms"])?;
            documents.push((id.to_owned(), json));
        }
        let parsed = documents.iter().map(|(_, json)| serde_json::from_slice(json));
        let table = fs::read_to_string(root.join("systems/data/calibration.csv"))?;
        let mut rows = table.lines().map(str::to_owned);
        Ok(Self {
            profiles: shipped(&root.join("profiles"), &["toml"])?,
            suites: shipped(&root.join("suites"), &["toml"])?,
            systems: shipped(&root.join("systems"), &["toml"])?,
            jobs: shipped(&root.join("examples/jobs"), &["icf", "fio", "vdb"])?,
            cells: (rows.next().unwrap_or_default(), rows.collect()),
            documents: parsed.collect::<Result<_, _>>()?,
            store: fs::read(folder.join("kneepoint.db"))?,
            witness: documents.into_iter().next_back().context("no run was stored")?,
        })
    }
}

/// Runs the program, which must succeed, and returns its output.
fn told(program: &Path, folder: &Path, words: &[&str]) -> anyhow::Result<Vec<u8>> {
    let said = run(program, folder, words)?;
    let errors = String::from_utf8_lossy(&said.stderr);
    anyhow::ensure!(said.ending == Ending::Code(0), "{words:?}: {errors}");
    Ok(said.stdout)
}

/// The files of a folder with one of these endings, by name.
fn shipped(folder: &Path, endings: &[&str]) -> anyhow::Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    let is_meant = |path: &PathBuf| {
        path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known))
    };
    paths.retain(is_meant);
    paths.sort();
    let read =
        |path: PathBuf| fs::read_to_string(&path).with_context(|| path.display().to_string());
    paths.into_iter().map(read).collect()
}
