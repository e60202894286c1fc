//! The options of `sessions` and `record`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::ForceArgs;

/// The text of `kneepoint sessions --help` after the options.
const EXAMPLES: &str = "\
Examples:
  kneepoint sessions start --users 40 --application mousepad
      40 sessions at ports 5901 to 5940 of this machine, until Ctrl-C
  kneepoint run medium-230 vnc://localhost:5901 --users 1..40
      in another terminal: users work at them
  kneepoint sessions stop
      ends them from elsewhere
  sudo KNEEPOINT_RDP_PASSWORD=... kneepoint sessions start --users 5 --protocol rdp
      accounts kp1 to kp5 of this machine, and xrdp that makes their sessions

A session is Xvnc of TigerVNC with the window manager openbox; super+e in it starts the application. Nothing
needs the rights of root but --cpu. The ports are open to programs of this machine alone, but to those of all
its users, and without a password: lend no session that shows what others may not see.

Sessions, their control group and their files, in a folder of their own, are gone after Ctrl-C or `sessions
stop`, and also if the process is killed; with rdp their accounts and homes, too. An account that is there
already is never used nor removed: the command refuses to start.";

/// `kneepoint sessions`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct SessionsArgs {
    /// What is to be done.
    #[command(subcommand)]
    pub(crate) command: SessionsCommand,
}

/// What is done with sessions.
#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// Start sessions, and keep them until Ctrl-C
    Start(StartSessionsArgs),
    /// End the sessions that `sessions start` keeps for this user
    Stop(StopSessionsArgs),
}

/// How users see sessions, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ProtocolChoice {
    /// A screen of TigerVNC at a port for each
    #[default]
    Vnc,
    /// Accounts of this machine, whose sessions xrdp makes
    Rdp,
}

/// `kneepoint sessions start`.
#[derive(Debug, Args)]
pub(crate) struct StartSessionsArgs {
    /// How many: one for each user
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) users: u16,
    /// The program that super+e starts, with a new file: mousepad, soffice or another one
    #[arg(long, value_name = "PROGRAM", default_value = "mousepad")]
    pub(crate) application: String,
    /// How users see them. With rdp each has an account of this machine, kp1, kp2 ..., which root alone can make,
    /// and whose password is in KNEEPOINT_RDP_PASSWORD
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value_t)]
    pub(crate) protocol: ProtocolChoice,
    /// Port of the first; each has the next one. With rdp the port of all (default: 5901, with rdp 3390)
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1024..))]
    pub(crate) port: Option<u16>,
    /// Size of the screens (default: 1024x768); with rdp it is the users' target that says it
    #[arg(long, value_name = "SIZE")]
    pub(crate) geometry: Option<String>,
    /// Processors that all have together, such as 0.2 (default: all that there are)
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<f64>,
    /// Folder in which that of the sessions is made (default: that of temporary files)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
}

/// `kneepoint sessions stop`.
#[derive(Debug, Args)]
pub(crate) struct StopSessionsArgs {
    /// Folder that `sessions start` was told (default: that of temporary files)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
}

/// The text of `kneepoint record --help` after the options.
const RECORD: &str = "\
Examples:
  kneepoint sessions start --users 1
  kneepoint record vnc://localhost:5901 -o letters.toml
      says at which address of this machine your viewer finds the screen
  vncviewer 127.0.0.1::5999
      in another terminal: work as users do, end as you began, close the viewer
  kneepoint run letters.toml vnc:temp --users 1..30
      the script, played by many

Keys, text and clicks become steps, longer pauses are kept, and the part of the screen that each step has
changed becomes the region in which its response is looked for. Steps before the screen first looks as it does
again later become [[start]], those after the last such moment [[end]], the rest is the [[work]] that is
repeated. What a script cannot say (drags, other buttons, the wheel) is left out, and told.";

/// `kneepoint record`.
#[derive(Debug, Args)]
#[command(after_long_help = RECORD)]
pub(crate) struct RecordScriptArgs {
    /// The server: vnc://HOST:PORT; its password is in KNEEPOINT_VNC_PASSWORD
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
    /// File for the script (.toml); `-` prints it
    #[arg(short, long, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Port of this machine at which the viewer is awaited; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 5999)]
    pub(crate) port: u16,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
}

/// `kneepoint guard-accounts`.
#[derive(Debug, Args)]
pub(crate) struct GuardAccountsArgs {
    /// Folder in which that of the server is made
    pub(crate) parent: PathBuf,
    /// The program that users start
    pub(crate) application: String,
    /// How many
    pub(crate) users: u16,
    /// Number of processors that they have together, or a dash for all
    pub(crate) cpu: String,
    /// Port of the server
    pub(crate) port: u16,
}

/// `kneepoint guard-desktops`.
#[derive(Debug, Args)]
pub(crate) struct GuardDesktopsArgs {
    /// Folder in which that of the sessions is made
    pub(crate) parent: PathBuf,
    /// The program that users start
    pub(crate) application: String,
    /// Size of the screens: 1024x768
    pub(crate) geometry: String,
    /// Number of processors that they have together, or a dash for all
    pub(crate) cpu: String,
    /// Port of the first screen, or a dash for sockets
    pub(crate) port: String,
}
