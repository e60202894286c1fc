//! The binary's inside: the command line, the glue between the crates, terminal output, exit
//! codes. A library only so that the generated reference can be made from the types of the command
//! line and of its documents.

#![forbid(unsafe_code)]

mod calibration;
pub mod cli;
mod command;
mod destination;
mod fleet;
mod job;
mod machine;
mod output;
mod parallel;
mod password_file;
mod rdp;
mod recording;
mod session;
mod sizing;
mod trace;
pub mod validation;
mod work;

pub use command::live::{LIVE_SCHEMA, LiveDocument, LiveSide};

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

/// Exit code of wrong usage or environment; clap uses the same.
const EXIT_USAGE: u8 = 2;

/// How a command ended that ran at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Everything was done.
    Done,
    /// A point failed, the run was not finished, or a condition of a comparison failed.
    CheckFailed,
}

/// Runs the command that the user typed.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return output::usage::show(&error),
    };
    // Where the handler cannot be set, the kernel ends the process at the limit.
    let _ = session::survive_file_size_limit();
    match dispatch(cli.command) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::CheckFailed) => ExitCode::FAILURE,
        Err(error) => {
            output::print::show_error(&error);
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Run(args) => command::run::run(&args),
        Command::Plan(args) => command::plan::plan(&args),
        Command::Knee(args) => command::run::knee(&args),
        Command::Resume(args) => command::resume::resume(&args),
        Command::Runs(args) => command::runs::runs(&args),
        Command::Show(args) => command::runs::show(&args),
        Command::Compare(args) => command::compare::compare(&args),
        Command::Report(args) => command::report::report(&args),
        Command::Export(args) => command::export::export(&args),
        Command::Import(args) => command::import::import(&args),
        Command::Convert(args) => command::convert::convert(&args),
        Command::Trace(args) => command::trace::trace(&args),
        Command::Label(args) => command::runs::label(&args),
        Command::Delete(args) => command::runs::delete(&args),
        Command::Catalog(args) => command::catalog::catalog(&args),
        Command::Calibrate(args) => command::calibrate::calibrate(&args),
        Command::Size(args) => command::size::size(&args),
        Command::Validate(args) => command::validate::validate(&args),
        Command::Inspect(args) => command::inspect::inspect(&args),
        Command::Verify(args) => command::verify::verify(&args),
        Command::Agent(args) => command::agent::agent(&args),
        Command::Hosts(args) => command::hosts::hosts(&args),
        Command::Sessions(args) => command::sessions::sessions(&args),
        Command::Record(args) => command::record::record(&args),
        Command::GuardServer(args) => command::guards::server(&args),
        Command::GuardDatabase(args) => command::guards::database(&args),
        Command::GuardDesktops(args) => command::guards::desktops(args),
        Command::GuardAccounts(args) => command::guards::accounts(args),
        Command::Completions(args) => command::completions(&args),
    }
}
