//! `kneepoint hosts`: who belongs to the fleet.

use std::path::Path;
use std::time::{Duration, Instant};

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::Span;
use kneepoint_device::clock::monotonic;
use kneepoint_net::clocks;
use kneepoint_net::wire::{AgentState, Presence};

use crate::Outcome;
use crate::cli::{HostsArgs, HostsCommand, JoinArgs};
use crate::fleet::kept::{KnownHost, Roster, usual_folder};
use crate::fleet::{Base, Stay};
use crate::output::print::{print, print_page, print_raw, tell};
use crate::output::table::TextTable;
use crate::output::text::Page;
use crate::session::Interrupt;

/// Agents say every half second that they are there.
const ROLL_CALL: Duration = Duration::from_secs(3);

/// Does what is asked of the hosts.
pub(crate) fn hosts(args: &HostsArgs) -> anyhow::Result<Outcome> {
    let state = args.state.state.clone().unwrap_or_else(usual_folder);
    match &args.command {
        Some(HostsCommand::Join(join_args)) => join(&state, join_args),
        Some(HostsCommand::Remove { host }) => {
            Roster::open(&state)?.remove(host)?;
            print(format!("{host} is no longer in the fleet"))?;
            Ok(Outcome::Done)
        }
        Some(HostsCommand::List) | None => list(&state),
    }
}

/// Prints a line, and waits until someone has joined with it.
fn join(state: &Path, args: &JoinArgs) -> anyhow::Result<Outcome> {
    let mut roster = Roster::open(state)?;
    if let Some(address) = &args.address {
        roster.set_address(address)?;
    }
    let interrupt = Interrupt::listen("ending; the line is good no longer")?;
    let mut base = Base::start(roster)?;
    let line = base.invite(Stay::Lasting)?;
    print_raw(&line.to_string())?;
    tell(format!(
        "on the host: kneepoint agent --join LINE --target PATH. The line is a secret, good for one \
         host and for {}; Ctrl-C ends it before",
        Span(args.valid)
    ));
    let until = Instant::now() + Duration::from_nanos(args.valid.0);
    while !interrupt.is_asked() {
        if let Some(host) = base.receive()? {
            tell(format!("{host} has joined"));
            return Ok(Outcome::Done);
        }
        if Instant::now() > until {
            return Err(Fault::new("the line has expired")
                .because("no host joined with it")
                .fix("run `kneepoint hosts join` again, and paste the new line")
                .into());
        }
    }
    Ok(Outcome::CheckFailed)
}

fn list(state: &Path) -> anyhow::Result<Outcome> {
    let roster = Roster::open(state)?;
    let known = roster.hosts().to_vec();
    if known.is_empty() {
        print("no host has joined; `kneepoint hosts join` prints a line to join with")?;
        return Ok(Outcome::Done);
    }
    let base = Base::start(roster)?;
    let names: Vec<String> = known.iter().map(|known| known.host.clone()).collect();
    let present = base.present(&names, ROLL_CALL)?;
    let free: Vec<&str> = names
        .iter()
        .filter(|name| present.get(*name).is_some_and(|there| there.state == AgentState::Free))
        .map(String::as_str)
        .collect();
    let clocks = clocks(base.reach()?, monotonic, &free)?;
    let titles = ["Host", "State", "Version", "Clock", "Joined (UTC)", "Allows"];
    let mut table = TextTable::of(&titles, &[]);
    table.may_break(&["Allows"]);
    for KnownHost { host, joined_at, .. } in &known {
        let clock = free.iter().position(|name| name == host).map(|place| &clocks[place]);
        let clock = clock.map_or_else(String::new, |clock| {
            format!("{:+.3} s ±{:.2} ms", clock.offset_us / 1e6, clock.bound_us / 1e3)
        });
        let there = present.get(host);
        table.row(vec![
            host.clone(),
            there.map_or("not there", state_text).to_owned(),
            there.map(|there| there.version.clone()).unwrap_or_default(),
            clock,
            joined_at.clone(),
            there.map(|there| there.targets.join(", ")).unwrap_or_default(),
        ]);
    }
    print_page(Page::of_output(), |width| table.fitted(width))?;
    Ok(Outcome::Done)
}

const fn state_text(presence: &Presence) -> &'static str {
    match presence.state {
        AgentState::Free => "free",
        AgentState::Busy => "serves a run",
    }
}
