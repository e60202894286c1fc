//! The command line of fleets: agents and hosts.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueHint};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_net::{OwnServer, PublicKey, ServerUrl};

use super::run::typed;
use crate::fleet::{AllowedTarget, RootConsent};
use crate::work::{TEXT_MAX, read_text};

/// `kneepoint guard-server`, which the program calls itself: see [`kneepoint_net::guard`].
#[derive(Debug, Args)]
pub(crate) struct GuardArgs {
    /// The server
    pub(crate) program: std::ffi::OsString,
    /// Its configuration
    pub(crate) config: std::ffi::OsString,
    /// File for what it says
    pub(crate) log: std::ffi::OsString,
}

/// Where keys are kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct StateArgs {
    /// Folder for keys and what belongs to them; no other user may read it (default:
    /// ~/.local/state/kneepoint)
    #[arg(long, value_name = "DIR", env = "KNEEPOINT_STATE", value_hint = ValueHint::DirPath)]
    pub(crate) state: Option<PathBuf>,
}

/// A NATS server of the user's own.
#[derive(Debug, Clone, Args)]
pub(crate) struct NatsArgs {
    /// Talk over a NATS server of your own instead of one that the controller starts: tls://HOST:PORT, or
    /// nats://HOST:PORT, which is encrypted only if the server asks for it
    #[arg(long, value_name = "URL", value_parser = typed::<ServerUrl>, help_heading = "Hosts")]
    pub(crate) nats: Option<ServerUrl>,
    /// File with what that server lets in with: credentials (.creds), or the seed of an nkey
    #[arg(long, value_name = "FILE", requires = "nats", value_hint = ValueHint::FilePath,
          help_heading = "Hosts")]
    pub(crate) creds: Option<PathBuf>,
    /// File with the authorities that may have signed that server's certificate, PEM (default: those of
    /// the system)
    #[arg(long, value_name = "FILE.pem", requires = "nats", value_hint = ValueHint::FilePath,
          help_heading = "Hosts")]
    pub(crate) nats_ca: Option<PathBuf>,
}

impl NatsArgs {
    /// The server, if one was named.
    ///
    /// # Errors
    /// When its credentials cannot be read.
    pub(crate) fn server(&self) -> Result<Option<OwnServer>, Fault> {
        let Some(url) = self.nats.clone() else { return Ok(None) };
        let credentials = self.creds.as_ref().map(|file| {
            let shown = file.display();
            let text = read_text(file, TEXT_MAX).map_err(|error| {
                Fault::new(format!("cannot read {shown}"))
                    .because(error)
                    .fix("name the file with the credentials of NATS")
            })?;
            text.parse().map_err(|fault: Fault| fault.behind(shown))
        });
        let authorities = self.nats_ca.clone();
        Ok(Some(OwnServer { url, credentials: credentials.transpose()?, authorities }))
    }
}

/// Whether agents may run as root.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct RootArgs {
    /// Let agents run as root, which they refuse otherwise; ssh passes it on to those that it starts
    #[arg(long, help_heading = "Safety")]
    pub(crate) allow_root: bool,
}

impl RootArgs {
    /// Whether they may.
    pub(crate) const fn consent(self) -> RootConsent {
        RootConsent::of_option(self.allow_root)
    }
}

/// `kneepoint agent`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("fleet").args(["join", "join_file", "nats"])))]
pub(crate) struct AgentArgs {
    /// Join the fleet whose `kneepoint hosts join` printed this line, and stay in it. `-` reads the line
    /// from standard input: then the agent keeps no key, and ends when the input does
    #[arg(long, value_name = "LINE")]
    pub(crate) join: Option<String>,
    /// File with the line to join with. As with --join, a host that has joined with this line goes on
    /// as what it was
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) join_file: Option<PathBuf>,
    /// The key of the controller, which `kneepoint hosts join --nats URL` prints: only what is signed with
    /// it is done
    #[arg(long, value_name = "KEY", requires = "nats", value_parser = typed::<PublicKey>,
          help_heading = "Hosts")]
    pub(crate) controller: Option<PublicKey>,
    #[command(flatten)]
    pub(crate) nats: NatsArgs,
    /// The name of this host in the fleet (default: its host name up to the first point)
    #[arg(long, value_name = "NAME", requires = "fleet")]
    pub(crate) name: Option<String>,
    /// Targets and limits that this host allows, a TOML file; without one, and without --target,
    /// nothing but simulated systems is measured here
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath, help_heading = "Safety")]
    pub(crate) allow: Option<PathBuf>,
    /// Allow this target, or a folder with all below it: read it, write what Kneepoint made there (the
    /// default), or overwrite what it did not make. A server at whose screens users may work is named as the
    /// controller names it: vnc://server:5901
    #[arg(long, value_name = "PATH[:read|:write|:overwrite]", value_parser = typed::<AllowedTarget>,
          help_heading = "Safety")]
    pub(crate) target: Vec<AllowedTarget>,
    /// Settings that a controller may vary here by commands of this host: a TOML file with a [[factor]]
    /// for each, as docs/factors.md describes them. No command comes from a controller
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath, help_heading = "Safety")]
    pub(crate) definitions: Option<PathBuf>,
    /// Keep what this host measures of each point in this folder, a line of JSON for each in points.jsonl
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) record: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) root: RootArgs,
    #[command(flatten)]
    pub(crate) state: StateArgs,
}

/// `kneepoint hosts`.
#[derive(Debug, Args)]
pub(crate) struct HostsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<HostsCommand>,
    #[command(flatten)]
    pub(crate) nats: NatsArgs,
    #[command(flatten)]
    pub(crate) state: StateArgs,
}

/// What is to be done with the hosts.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum HostsCommand {
    /// Print a line with which hosts can join, and wait for them; with --nats, print what agents on that
    /// server are started with
    Join(JoinArgs),
    /// List the hosts: version, state, clock, what they allow
    List(ListArgs),
    /// Print a manifest for Kubernetes: an agent on every node, with what it connects with and a policy for
    /// its network
    Manifest(ManifestArgs),
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
    /// The number of hosts that the line is good for
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) count: std::num::NonZeroUsize,
    /// How long the line can be used
    #[arg(long, value_name = "TIME", value_parser = typed::<Nanos>, default_value = "1h")]
    pub(crate) valid: Nanos,
    #[command(flatten)]
    pub(crate) nats: NatsArgs,
}

/// `kneepoint hosts manifest`.
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("way").args(["join_file", "nats"]).required(true)))]
pub(crate) struct ManifestArgs {
    /// The image that holds kneepoint as its program
    #[arg(long, value_name = "IMAGE")]
    pub(crate) image: String,
    /// File with the line that `kneepoint hosts join --count NODES` printed
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) join_file: Option<PathBuf>,
    /// The key of the controller (default: the one of this machine)
    #[arg(long, value_name = "KEY", requires = "nats", value_parser = typed::<PublicKey>,
          help_heading = "Hosts")]
    pub(crate) controller: Option<PublicKey>,
    #[command(flatten)]
    pub(crate) nats: NatsArgs,
    /// A folder of each node, as for `kneepoint agent --target`; the user of the agent must be able to use
    /// it
    #[arg(long, value_name = "DIR[:read|:write|:overwrite]", value_parser = typed::<AllowedTarget>,
          required = true, help_heading = "Safety")]
    pub(crate) target: Vec<AllowedTarget>,
    /// Number of the user and the group that the agent runs as
    #[arg(long, value_name = "UID", default_value_t = 65532, help_heading = "Safety",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) user: u32,
    /// The namespace, which must be there
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(crate) namespace: String,
}

/// `kneepoint hosts list`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) nats: NatsArgs,
}
