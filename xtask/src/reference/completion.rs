//! What shells can complete.

use clap_complete::{Shell, generate};

use super::GeneratedFile;

/// The shells and the names that their files must have.
const SHELLS: [(Shell, &str); 3] =
    [(Shell::Bash, "kneepoint.bash"), (Shell::Zsh, "_kneepoint"), (Shell::Fish, "kneepoint.fish")];

/// A completion script for each shell: what `kneepoint completions` prints.
pub(super) fn files() -> Vec<GeneratedFile> {
    SHELLS.iter().map(|(shell, name)| file(*shell, name)).collect()
}

fn file(shell: Shell, name: &str) -> GeneratedFile {
    let mut script = Vec::new();
    let mut command = <kneepoint::cli::Cli as clap::CommandFactory>::command();
    generate(shell, &mut command, "kneepoint", &mut script);
    let text = String::from_utf8_lossy(&script).into_owned();
    GeneratedFile::new(&format!("completions/{name}"), text)
}
