//! `kneepoint sessions`: desktop sessions on this machine that others use.

use std::thread;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use kneepoint_server::desktop::{LentSessions, stop_lent};

use crate::Outcome;
use crate::cli::{SessionsArgs, SessionsCommand, StartSessionsArgs, StopSessionsArgs};
use crate::output::print::{print_raw, tell};
use crate::session::Interrupt;

/// How often it is looked whether sessions are still wanted, and still there.
const LOOK: Duration = Duration::from_millis(100);

/// Starts or stops sessions.
pub(crate) fn sessions(args: &SessionsArgs) -> anyhow::Result<Outcome> {
    match &args.command {
        SessionsCommand::Start(args) => start(args),
        SessionsCommand::Stop(args) => stop(args),
    }
}

/// Starts sessions, and keeps them until the user wants no more.
fn start(args: &StartSessionsArgs) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::listen("ending the sessions")?;
    let mut lent = LentSessions::begin(&target(args), args.port)?;
    let mut last = args.port;
    for _ in 0..args.users {
        if interrupt.is_asked() {
            return Ok(Outcome::Done);
        }
        last = lent.start()?;
    }
    print_raw(&format!("vnc://localhost:{}", args.port))?;
    tell(format!(
        "{} sessions with {} at ports {} to {last}; Ctrl-C or `kneepoint sessions stop` ends them",
        args.users,
        lent.application(),
        args.port
    ));
    while !interrupt.is_asked() {
        if !lent.are_running() {
            return Err(Fault::new("the sessions have ended")
                .because("their guard was ended")
                .fix("start them again")
                .into());
        }
        thread::sleep(LOOK);
    }
    Ok(Outcome::Done)
}

/// The sessions as a target names them.
fn target(args: &StartSessionsArgs) -> String {
    let mut target =
        format!("vnc:temp?application={}&geometry={}", args.application, args.geometry);
    if let Some(cpu) = args.cpu {
        target += &format!("&cpu={cpu}");
    }
    if let Some(dir) = &args.dir {
        target += &format!("&dir={}", dir.display());
    }
    target
}

/// Ends the sessions that other commands keep.
fn stop(args: &StopSessionsArgs) -> anyhow::Result<Outcome> {
    let parent = args.dir.clone().unwrap_or_else(std::env::temp_dir);
    match stop_lent(&parent)? {
        0 => tell(format!("no sessions of `sessions start` are in {}", parent.display())),
        1 => tell("the sessions are ended"),
        several => tell(format!("the sessions of {several} commands are ended")),
    }
    Ok(Outcome::Done)
}
