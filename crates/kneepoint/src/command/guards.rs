//! Commands that no one types: the program as the guard of what another of its processes has started.

use kneepoint_core::words::fault::Fault;
use kneepoint_server::desktop::{AccountPlan, ScreenPlaces, SessionPlan};
use kneepoint_server::{desktop, postgres};

use crate::Outcome;
use crate::cli::{GuardAccountsArgs, GuardArgs, GuardDatabaseArgs, GuardDesktopsArgs};
use crate::output::print::print_raw;
use crate::session::outlive_signals;

/// Runs the server of a fleet until standard input is closed.
pub(crate) fn server(args: &GuardArgs) -> anyhow::Result<Outcome> {
    let GuardArgs { program, config, log } = args;
    guarding(|| kneepoint_net::guard((program, config, log), |pid| say(pid.to_string())))
}

/// Runs a database server of a run's own until standard input is closed.
pub(crate) fn database(args: &GuardDatabaseArgs) -> anyhow::Result<Outcome> {
    guarding(|| postgres::guard((&args.programs, &args.parent), &args.settings, say))
}

/// Runs desktop sessions of a run's own until standard input is closed.
pub(crate) fn desktops(args: GuardDesktopsArgs) -> anyhow::Result<Outcome> {
    let GuardDesktopsArgs { parent, application, geometry, cpu, port } = args;
    let places = port.parse().map_or(ScreenPlaces::Sockets, ScreenPlaces::PortsFrom);
    let plan = SessionPlan { parent, application, geometry, cpu, places };
    guarding(|| desktop::guard(&plan, say))
}

/// Makes accounts, and keeps them until standard input is closed.
pub(crate) fn accounts(args: GuardAccountsArgs) -> anyhow::Result<Outcome> {
    let GuardAccountsArgs { parent, application, users, cpu, port } = args;
    let plan = AccountPlan { parent, application, users, cpu: cpu.parse().ok(), port };
    guarding(|| desktop::guard_accounts(&plan, say))
}

fn guarding(guard: impl FnOnce() -> Result<(), Fault>) -> anyhow::Result<Outcome> {
    outlive_signals()?;
    guard()?;
    Ok(Outcome::Done)
}

fn say(line: String) {
    // Whoever does not hear it has gone, and with it what keeps a guard running.
    let _ = print_raw(&line);
}
