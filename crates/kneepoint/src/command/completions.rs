//! `kneepoint completions`: what the shell can complete.

use clap::CommandFactory;
use clap_complete::generate;

use crate::Outcome;
use crate::cli::{Cli, CompletionsArgs};
use crate::output::print::print_script;

/// Prints the completion script.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "kneepoint", &mut script);
    print_script(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}
