//! The command line of fleets: agents and hosts.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};
use kneepoint_core::words::units::Nanos;

use super::run::typed;
use crate::fleet::AllowedTarget;

/// Where keys are kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct StateArgs {
    /// Folder for keys and what belongs to them; no other user may read it (default:
    /// ~/.local/state/kneepoint)
    #[arg(long, value_name = "DIR", env = "KNEEPOINT_STATE", value_hint = ValueHint::DirPath)]
    pub(crate) state: Option<PathBuf>,
}

/// `kneepoint agent`.
#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    /// Join the fleet whose `kneepoint hosts join` printed this line, and stay in it. `-` reads the line
    /// from standard input: then the agent keeps no key, and ends when the input does
    #[arg(long, value_name = "LINE")]
    pub(crate) join: Option<String>,
    /// The name of this host in the fleet (default: its host name up to the first point)
    #[arg(long, value_name = "NAME", requires = "join")]
    pub(crate) name: Option<String>,
    /// Targets and limits that this host allows, a TOML file; without one, and without --target,
    /// nothing but simulated systems is measured here
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath, help_heading = "Safety")]
    pub(crate) allow: Option<PathBuf>,
    /// Allow this target, or a folder with all below it: read it, write what Kneepoint made there (the
    /// default), or overwrite what it did not make
    #[arg(long, value_name = "PATH[:read|:write|:overwrite]", value_parser = typed::<AllowedTarget>,
          help_heading = "Safety")]
    pub(crate) target: Vec<AllowedTarget>,
    #[command(flatten)]
    pub(crate) state: StateArgs,
}

/// `kneepoint hosts`.
#[derive(Debug, Args)]
pub(crate) struct HostsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<HostsCommand>,
    #[command(flatten)]
    pub(crate) state: StateArgs,
}

/// What is to be done with the hosts.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum HostsCommand {
    /// Print a line with which one host can join, and wait for it
    Join(JoinArgs),
    /// List the hosts: version, state, clock, what they allow
    List,
    /// Let a host go: its agent is not let in any more
    Remove {
        /// Its name
        #[arg(value_name = "NAME")]
        host: String,
    },
}

/// `kneepoint hosts join`.
#[derive(Debug, Clone, Args)]
pub(crate) struct JoinArgs {
    /// Host name or address, and port, at which agents reach this machine; it is kept. Unless it is
    /// this machine alone (127.0.0.1), the server listens on all of its addresses
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) address: Option<String>,
    /// How long the line can be used
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, default_value = "1h")]
    pub(crate) valid: Nanos,
}
