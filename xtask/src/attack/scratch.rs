//! The folder of a case, and what must still be so after it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::case::{Case, STORE};
use super::execution::{Confinement, run};
use super::finding::findings;

/// What the file of others holds.
const PRECIOUS: &[u8] = b"a file of others\n";

/// What a case came to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What is wrong, a sentence each.
    pub(super) wrong: Vec<String>,
    /// Exit codes of its commands.
    pub(super) codes: Vec<i32>,
}

/// A folder with the files of a case, and a folder of others beside it.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Writes the files.
    pub(super) fn new(folder: &Path, case: &Case) -> anyhow::Result<Self> {
        let scratch = Self { folder: folder.to_owned() };
        fs::create_dir(folder)?;
        fs::create_dir(scratch.work())?;
        fs::create_dir(scratch.outside())?;
        fs::write(scratch.outside().join("precious"), PRECIOUS)?;
        for (name, bytes) in case.inputs.iter().chain(&case.stores) {
            fs::write(scratch.work().join(name), bytes)?;
        }
        Ok(scratch)
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    fn outside(&self) -> PathBuf {
        self.folder.join("outside")
    }

    /// Runs the commands. `witness` is a run of the sound store: its id and export.
    pub(super) fn run(
        &self,
        case: &Case,
        program: &Path,
        witness: &(String, Vec<u8>),
    ) -> anyhow::Result<Outcome> {
        let confinement = Confinement::new(program, &self.work());
        let mut outcome = Outcome::default();
        let wrong = &mut outcome.wrong;
        for words in &case.commands {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let said = run(&confinement, &words)?;
            outcome.codes.extend(said.ending.code);
            let named = |finding| format!("`{}`: {finding}", words.join(" ").escape_debug());
            wrong.extend(findings(&said).into_iter().map(named));
        }
        wrong.extend(self.changed_inputs(case));
        wrong.extend(self.changed_outside()?);
        if case.uses(STORE) {
            let (id, before) = witness;
            let said = run(&confinement, &["export", id, "--histograms", "--store", STORE])?;
            if said.stdout != *before {
                let errors = String::from_utf8_lossy(&said.stderr);
                let errors = errors.escape_debug();
                wrong.push(format!("another run of the store is not what it was: {errors}"));
            }
        }
        Ok(outcome)
    }

    fn changed_inputs(&self, case: &Case) -> Vec<String> {
        let is_same = |name: &str, bytes: &[u8]| {
            fs::read(self.work().join(name)).is_ok_and(|now| now == bytes)
        };
        let changed = case.inputs.iter().filter(|(name, bytes)| !is_same(name, bytes));
        changed.map(|(name, _)| format!("the input {name} was changed")).collect()
    }

    /// Files made or changed beside the folder of the case.
    fn changed_outside(&self) -> anyhow::Result<Vec<String>> {
        let mut wrong = Vec::new();
        let mut names = Vec::new();
        for folder in [&self.folder, &self.outside()] {
            for entry in fs::read_dir(folder)? {
                names.push(entry?.file_name().to_string_lossy().into_owned());
            }
        }
        names.retain(|name| {
            !["work", "work.out", "work.err", "outside", "precious"].contains(&&**name)
        });
        if !names.is_empty() {
            wrong.push(format!("made outside of its folder: {names:?}"));
        }
        if fs::read(self.outside().join("precious")).ok().as_deref() != Some(PRECIOUS) {
            wrong.push("a file of others was changed".to_owned());
        }
        Ok(wrong)
    }

    /// Removes the folder.
    pub(super) fn remove(self) -> anyhow::Result<()> {
        fs::remove_dir_all(&self.folder).with_context(|| self.folder.display().to_string())
    }

    /// Keeps the files as they were before the case, with its commands as a script.
    pub(super) fn keep(self, place: &Path, program: &Path, case: &Case) -> anyhow::Result<()> {
        self.remove()?;
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        fs::create_dir_all(place.parent().unwrap_or(place))?;
        let kept = Self::new(place, case)?;
        let mut script = String::from("cd \"$(dirname \"$0\")/work\"\n");
        for words in &case.commands {
            script += &quoted(&program.display().to_string());
            for word in words {
                write!(script, " {}", quoted(word))?;
            }
            script.push('\n');
        }
        Ok(fs::write(kept.folder.join("commands.sh"), script)?)
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is found wrong with a shell that does as the script says.
    #[track_caller]
    fn check(name: &str, script: &str, expected: &[&str]) {
        let folder = std::env::temp_dir().join(format!("attack-{}-{name}", std::process::id()));
        let case = Case {
            inputs: vec![("input.toml", b"sound".to_vec())],
            commands: vec![vec!["-c".to_owned(), script.to_owned()]],
            ..Case::default()
        };
        let scratch = Scratch::new(&folder, &case).unwrap();
        let outcome = scratch.run(&case, Path::new("/bin/sh"), &Default::default()).unwrap();
        scratch.remove().unwrap();
        let are_found =
            expected.iter().zip(&outcome.wrong).all(|(part, wrong)| wrong.contains(part));
        assert!(are_found && outcome.wrong.len() == expected.len(), "{:?}", outcome.wrong);
    }

    #[test]
    fn harm_to_files_is_found() {
        check("harmless", "echo x > new; exit 1", &[]);
        check("input", "echo x > input.toml", &["the input input.toml was changed"]);
        check("removed", "rm input.toml", &["the input input.toml was changed"]);
        check("outside", "echo x > ../outside/new", &["made outside of its folder: [\"new\"]"]);
        check("beside", "mkdir ../beside", &["made outside of its folder: [\"beside\"]"]);
        check("others", "echo x > ../outside/precious", &["a file of others was changed"]);
    }

    #[test]
    fn bounds_are_kept_and_ends_are_found() {
        check("killed", "kill -SEGV $$", &["it was ended by signal 11"]);
        check("code", "exit 101", &["it ended with exit code 101"]);
        check("raw", "printf '\\033[2J'", &["stdout has a raw \\u{1b} at byte 0"]);
        check("memory", "test $(ulimit -v) -eq 2097152 && test $(ulimit -t) -eq 30", &[]);
    }
}
