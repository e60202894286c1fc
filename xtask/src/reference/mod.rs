//! The reference that is generated from the code.

mod catalog;
mod command_line;
mod schema;
mod system;

use clap::{Command, CommandFactory};
use kneepoint::cli::Cli;

/// Folder of everything that is generated, from the workspace's root.
pub const FOLDER: &str = "docs/reference";

/// A file as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Path from the workspace's root.
    pub path: String,
    /// Its whole content.
    pub text: String,
}

impl GeneratedFile {
    /// A file called `name` in [`FOLDER`].
    fn new(name: &str, text: String) -> Self {
        Self { path: format!("{FOLDER}/{name}"), text }
    }
}

/// All generated files.
///
/// # Errors
/// When a shipped profile, suite or system cannot be read, or a renderer fails.
pub fn files() -> anyhow::Result<Vec<GeneratedFile>> {
    let mut files = vec![command_line::file(), catalog::file()?];
    files.extend(schema::files()?);
    files.extend(command_line::manual()?);
    files.extend(command_line::completions());
    Ok(files)
}

/// The command line, complete: every command knows its full name.
fn command() -> Command {
    // What is generated is the same whatever it was generated from.
    let mut command = Cli::command().disable_help_subcommand(true).long_version(None);
    command.build();
    command
}

/// The commands that are shown, in their order.
fn visible_subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}
