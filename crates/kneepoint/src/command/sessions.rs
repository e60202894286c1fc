//! `kneepoint sessions`: desktop sessions on this machine that others use.

use std::thread;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use kneepoint_server::desktop::{AccountPlan, LentAccounts, LentSessions, stop_lent};

use crate::Outcome;
use crate::cli::{
    ProtocolChoice, SessionsArgs, SessionsCommand, StartSessionsArgs, StopSessionsArgs,
};
use crate::output::print::{print_raw, tell};
use crate::rdp::RDP_PASSWORD;
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
    match args.protocol {
        ProtocolChoice::Vnc => start_screens(args),
        ProtocolChoice::Rdp => start_accounts(args),
    }
}

/// The port of the first screen, and that of the server of accounts, if no one says.
const PORT: u16 = 5901;
const RDP_PORT: u16 = 3390;

fn start_screens(args: &StartSessionsArgs) -> anyhow::Result<Outcome> {
    let interrupt = Interrupt::listen(ENDING)?;
    let port = args.port.unwrap_or(PORT);
    let mut lent = LentSessions::begin(&target(args), port)?;
    let mut last = port;
    for _ in 0..args.users {
        if interrupt.is_asked() {
            return Ok(Outcome::Done);
        }
        last = lent.start()?;
    }
    print_raw(&format!("vnc://localhost:{port}"))?;
    let application = lent.application();
    tell(match args.users {
        1 => format!("a session with {application} at port {port}; {UNTIL_ONE}"),
        users => format!("{users} sessions with {application} at ports {port} to {last}; {UNTIL}"),
    });
    keep(&interrupt, || lent.are_running())
}

/// What is said when sessions end, and until when they are there.
const ENDING: &str = "ending the sessions";
const UNTIL: &str = "Ctrl-C or `kneepoint sessions stop` ends them";
const UNTIL_ONE: &str = "Ctrl-C or `kneepoint sessions stop` ends it";

fn start_accounts(args: &StartSessionsArgs) -> anyhow::Result<Outcome> {
    if let Some(geometry) = &args.geometry {
        return Err(Fault::new(format!("sessions over RDP are not {geometry} by themselves"))
            .because("users ask for the size of their screens when they log on")
            .fix("leave --geometry out, and name it in their target: rdp://...?geometry=1024x768")
            .into());
    }
    let interrupt = Interrupt::listen(ENDING)?;
    let plan = AccountPlan {
        parent: args.dir.clone().unwrap_or_else(std::env::temp_dir),
        application: args.application.clone(),
        users: args.users,
        cpu: args.cpu,
        port: args.port.unwrap_or(RDP_PORT),
    };
    let password = std::env::var(RDP_PASSWORD).unwrap_or_default();
    let mut lent = LentAccounts::start(&plan, &password)?;
    print_raw(&lent.target())?;
    let (application, port) = (&args.application, plan.port);
    tell(match args.users {
        1 => format!("an account for sessions with {application} at port {port}; {UNTIL_ONE}"),
        users => {
            format!("{users} accounts for sessions with {application} at port {port}; {UNTIL}")
        }
    });
    keep(&interrupt, || lent.are_there())
}

/// Keeps sessions until the user wants no more.
fn keep(interrupt: &Interrupt, mut are_there: impl FnMut() -> bool) -> anyhow::Result<Outcome> {
    while !interrupt.is_asked() {
        if !are_there() {
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
    let mut target = format!("vnc:temp?application={}", args.application);
    if let Some(geometry) = &args.geometry {
        target += &format!("&geometry={geometry}");
    }
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
