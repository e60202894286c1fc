//! Members that are benchmarks of a licensed tree, which the tree's own `runcpu` builds, runs and verifies:
//!
//! ```toml
//! [[member]]
//! name = "mcf"
//! title = "505.mcf_r, base"
//! class = "integer"
//! reference = "the reference machine of the tree"
//! reference_seconds = 1616               # as the tree has it
//!
//! [member.runcpu]
//! tree = "/opt/cpu2017"                  # where the owner has installed it
//! config = "mine.cfg"                    # a file of its folder config
//! benchmark = "505.mcf_r"
//! tune = "base"                          # or "peak"
//! size = "ref"                           # the default; "test" and "train" do less
//! ```
//!
//! Nothing of the tree is a part of Kneepoint. What it builds and writes goes to the member's folder
//! (`--output_root`), so that the tree stays as it is.

use serde::{Deserialize, Serialize};

use super::Value;
use crate::spec::document::{Document, Entry};
use crate::words::fault::Fault;

/// Starts `runcpu` in the environment that the tree's own `shrc` makes.
const SCRIPT: &str = "cd \"$1\" && . ./shrc && shift && exec runcpu \"$@\"";

/// Sets of flags of the tree.
const TUNES: [&str; 2] = ["base", "peak"];

/// Sizes of the work, of which `ref` is the one that reference times are of.
const SIZES: [&str; 3] = ["ref", "train", "test"];

/// A benchmark of a tree, of which `runcpu` starts as many copies as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runcpu {
    /// Where the tree is.
    pub tree: String,
    /// The file with the compilers and flags.
    pub config: String,
    /// The benchmark: `505.mcf_r`.
    pub benchmark: String,
    /// `base` or `peak`.
    pub tune: String,
    /// `ref`, `train` or `test`.
    pub size: String,
}

impl Runcpu {
    /// The command that builds the benchmark in `{build}`.
    pub(super) fn build(&self) -> Vec<String> {
        self.command(&["--action=build"])
    }

    /// The command that runs and verifies `{copies}` copies, and writes a result file below `{build}`.
    pub(super) fn run(&self) -> Vec<String> {
        let size = format!("--size={}", self.size);
        self.command(&["--action=validate", &size, "--copies={copies}", "--output_format=raw"])
    }

    fn command(&self, options: &[&str]) -> Vec<String> {
        let own = [format!("--config={}", self.config), format!("--tune={}", self.tune)];
        let words = ["sh", "-c", SCRIPT, "runcpu"].map(str::to_owned).into_iter();
        let words = words.chain([self.tree.clone()]).chain(own);
        let always = ["--noreportable", "--iterations=1", "--output_root={build}"];
        let words =
            words.chain(always.into_iter().chain(options.iter().copied()).map(str::to_owned));
        words.chain([self.benchmark.clone()]).collect()
    }
}

/// `[member.runcpu]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuncpuFile {
    tree: Value,
    config: Value,
    benchmark: Value,
    tune: Value,
    size: Option<Value>,
}

/// The benchmark of a tree that `file` names.
///
/// # Errors
/// When a value cannot be one.
pub(super) fn runcpu(document: Document, file: &RuncpuFile) -> Result<Runcpu, Fault> {
    let word = |key, value| plain(Entry::new(document, key, value));
    let one_of = |key, value, known: &[&str]| {
        let entry = Entry::new(document, key, value);
        let text = entry.text();
        match known.contains(&text) {
            true => Ok(text.to_owned()),
            false => Err(entry
                .fault(format!("'{}' is no {key} of runcpu", text.escape_debug()))
                .fix(format!("use one of {}", known.join(", ")))),
        }
    };
    let tree = Entry::new(document, "tree", &file.tree);
    if !tree.text().starts_with('/') {
        return Err(tree
            .fault("the tree has no absolute path")
            .fix("write the folder that has its shrc: tree = \"/opt/cpu2017\""));
    }
    Ok(Runcpu {
        tree: plain(tree)?,
        config: word("config", &file.config)?,
        benchmark: benchmark(Entry::new(document, "benchmark", &file.benchmark))?,
        tune: one_of("tune", &file.tune, &TUNES)?,
        size: file
            .size
            .as_ref()
            .map_or(Ok("ref".to_owned()), |size| one_of("size", size, &SIZES))?,
    })
}

/// A text that means nothing else in a command: no option and no placeholder.
fn plain(entry: Entry) -> Result<String, Fault> {
    let text = entry.one_line()?;
    match text.is_empty() || text.starts_with('-') || text.contains(['{', '}']) {
        true => Err(entry
            .fault(format!("'{}' is no name", text.escape_debug()))
            .fix("name a file or folder without braces, which does not begin with a hyphen")),
        false => Ok(text),
    }
}

/// The name of a benchmark: a number, a dot, letters, digits and underlines.
fn benchmark(entry: Entry) -> Result<String, Fault> {
    let text = entry.text();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_benchmark = text.split_once('.').is_some_and(|(number, name)| {
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number && !name.is_empty() && name.bytes().all(is_word)
    });
    match (is_benchmark, text.ends_with("_s")) {
        (false, _) => Err(entry
            .fault(format!("'{}' is no benchmark", text.escape_debug()))
            .fix("name one with its number: benchmark = \"505.mcf_r\"")),
        (true, true) => Err(entry
            .fault(format!("'{text}' is measured with threads"))
            .because("the load is the number of copies, which such benchmarks do not have")
            .fix("name the one for rates: its name ends with _r")),
        (true, false) => Ok(text.to_owned()),
    }
}
