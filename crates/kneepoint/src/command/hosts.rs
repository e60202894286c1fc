//! `kneepoint hosts`: who belongs to the fleet.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use kneepoint_core::result::ClockOffset;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::{Difference, Span};
use kneepoint_device::clock::monotonic;
use kneepoint_net::wire::AgentState;
use kneepoint_net::{Access, OwnServer, Rights, There, clocks};

use super::manifest::manifest;
use crate::Outcome;
use crate::cli::{HostsArgs, HostsCommand, JoinArgs, NatsArgs};
use crate::fleet::kept::{Roster, usual_folder};
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
    let server = |own: &NatsArgs| -> Result<Option<OwnServer>, Fault> {
        Ok(own.server()?.or(args.nats.server()?))
    };
    match &args.command {
        Some(HostsCommand::Join(join_args)) => match server(&join_args.nats)? {
            Some(server) => tell_of(&state, &server),
            None => join(&state, join_args),
        },
        Some(HostsCommand::Manifest(manifest_args)) => manifest(&state, manifest_args),
        Some(HostsCommand::Remove { host }) => {
            Roster::open(&state)?.remove(host)?;
            print(format!("{host} is no longer in the fleet"))?;
            Ok(Outcome::Done)
        }
        Some(HostsCommand::List(list_args)) => list(&state, server(&list_args.nats)?.as_ref()),
        None => list(&state, args.nats.server()?.as_ref()),
    }
}

/// Prints a line, and waits until those have joined with it for whom it is good.
fn join(state: &Path, args: &JoinArgs) -> anyhow::Result<Outcome> {
    let mut roster = Roster::open(state)?;
    if let Some(address) = &args.address {
        roster.set_address(address)?;
    }
    let interrupt = Interrupt::listen("ending; the line is good no longer")?;
    let mut base = Base::start(roster, None)?;
    let lines = base.invite(vec![(Stay::Lasting, args.count.get())])?;
    lines.iter().try_for_each(|line| print_raw(&line.to_string()))?;
    let count = match args.count.get() {
        1 => "one host".to_owned(),
        several => format!("{several} hosts"),
    };
    tell(format!(
        "on the host: kneepoint agent --join LINE --target PATH. The line is a secret, good for {count} \
         and for {}; Ctrl-C ends it before",
        Span(args.valid)
    ));
    let (mut left, until) = (args.count.get(), Instant::now() + Duration::from_nanos(args.valid.0));
    while !interrupt.is_asked() {
        for host in base.receive()? {
            tell(format!("{host} has joined"));
            left -= 1;
        }
        if left == 0 {
            return Ok(Outcome::Done);
        }
        if Instant::now() > until {
            let missing = match (left, args.count.get()) {
                (left, count) if left == count => "no host joined with it".to_owned(),
                (left, count) => format!("{} of {count} hosts joined with it", count - left),
            };
            return Err(Fault::new("the line has expired")
                .because(missing)
                .fix("run `kneepoint hosts join` again, and paste the new line")
                .into());
        }
    }
    Ok(Outcome::CheckFailed)
}

/// Prints the key that agents on a server of the user's own obey, and what that server must let them do.
fn tell_of(state: &Path, server: &OwnServer) -> anyhow::Result<Outcome> {
    let key = Roster::open(state)?.key.public();
    let fleet = key.fleet();
    print(key.to_string())?;
    tell(format!(
        "on each host: kneepoint agent --nats {} --creds FILE --controller {key} --name NAME --target PATH",
        server.url
    ));
    let Rights { publish, subscribe } = Access::rights_of_agent(fleet, "NAME");
    tell(format!(
        "the server must let the agent of NAME publish {}, and subscribe to {}",
        publish.join(", "),
        subscribe.join(", ")
    ));
    let Rights { publish, subscribe } = Access::rights_of_controller(fleet);
    tell(format!(
        "and the controller publish {}, and subscribe to {}",
        publish.join(", "),
        subscribe.join(", ")
    ));
    Ok(Outcome::Done)
}

fn list(state: &Path, server: Option<&OwnServer>) -> anyhow::Result<Outcome> {
    let roster = Roster::open(state)?;
    let known = roster.hosts().to_vec();
    if known.is_empty() && server.is_none() {
        print("no host has joined; `kneepoint hosts join` prints a line to join with")?;
        return Ok(Outcome::Done);
    }
    let base = Base::start(roster, server)?;
    let joined: Vec<(String, String)> =
        known.into_iter().map(|known| (known.host, known.joined_at)).collect();
    let is_enough = |present: &BTreeMap<String, There>| {
        // On another server any number of hosts can be there.
        server.is_none() && joined.iter().all(|(host, _)| present.contains_key(host))
    };
    let present = base.present(is_enough, ROLL_CALL)?;
    let hosts = match server {
        None => joined,
        Some(_) => present.keys().map(|host| (host.clone(), String::new())).collect(),
    };
    if hosts.is_empty() {
        print(format!("no agent of this fleet was heard within {} s", ROLL_CALL.as_secs()))?;
        return Ok(Outcome::Done);
    }
    for (host, _) in &hosts {
        if let Some(There::Other(version)) = present.get(host) {
            tell(version.fault(host).to_string());
        }
    }
    let table = table(&base, &hosts, &present)?;
    print_page(Page::of_output(), |width| table.fitted(width))?;
    Ok(Outcome::Done)
}

/// A line for each host, with when it joined.
fn table(
    base: &Base,
    hosts: &[(String, String)],
    present: &BTreeMap<String, There>,
) -> Result<TextTable, Fault> {
    let same = |name: &String| present.get(name).and_then(There::same);
    let is_free = |name: &String| same(name).is_some_and(|there| there.state == AgentState::Free);
    let free: Vec<&str> = hosts
        .iter()
        .map(|(name, _)| name)
        .filter(|name| is_free(name))
        .map(String::as_str)
        .collect();
    let clocks = clocks(base.reach(present)?, monotonic, &free)?;
    let titles = ["Host", "State", "Version", "Clock", "Joined (UTC)", "Allows"];
    let mut table = TextTable::of(&titles, &[]);
    table.may_break(&["Allows"]);
    for (host, joined_at) in hosts {
        let clock = free.iter().position(|name| name == host).map(|place| &clocks[place]);
        let clock = clock.map_or_else(String::new, clock_text);
        let there = present.get(host);
        table.row(vec![
            host.clone(),
            there.map_or("not there", state_text).to_owned(),
            there.map(version).unwrap_or_default(),
            clock,
            joined_at.clone(),
            same(host).map(|there| there.targets.join(", ")).unwrap_or_default(),
        ]);
    }
    Ok(table)
}

/// How far a clock is ahead, and how well that is known.
fn clock_text(clock: &ClockOffset) -> String {
    let ahead = Difference(clock.offset_us / 1e6, 3);
    format!("{ahead} s ±{:.2} ms", clock.bound_us / 1e3)
}

const fn state_text(there: &There) -> &'static str {
    match there {
        There::Same(presence) => match presence.state {
            AgentState::Free => "free",
            AgentState::Busy => "serves a run",
        },
        There::Other(_) => "other version",
    }
}

fn version(there: &There) -> String {
    match there {
        There::Same(presence) => presence.version.clone(),
        There::Other(other) => other.version.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_with_ours_has_no_sign() {
        let text = |offset_us| clock_text(&ClockOffset { offset_us, bound_us: 149.0 });
        assert_eq!(text(-12.5), "0.000 s ±0.15 ms");
        assert_eq!(text(12.5), "0.000 s ±0.15 ms");
        assert_eq!(text(-3_600e6), "-3600.000 s ±0.15 ms");
        assert_eq!(text(2_500.0), "+0.003 s ±0.15 ms");
    }
}
