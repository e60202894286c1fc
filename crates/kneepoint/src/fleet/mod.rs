//! Fleets as this program makes them: what its agents measure with, and how they are started.

mod allowance;
mod base;
mod child;
mod definitions;
mod guests;
pub(crate) mod kept;
mod launch;
mod metering;
mod root;
mod workshop;

pub(crate) use allowance::{Allowance, AllowedTarget};
pub(crate) use base::Base;
pub(crate) use definitions::Definitions;
pub(crate) use guests::Stay;
pub(crate) use metering::{HERE, OwnDesktop};
pub(crate) use root::RootConsent;
pub(crate) use workshop::{Machine, SharedMachine};

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Draft, Wishes};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::clock::monotonic;
use kneepoint_device::consent::Overwrite;
use kneepoint_device::file_copy::ground_of;
use kneepoint_net::{
    Fleet, FleetRequest, LocalAgents, OwnServer, Patience, Reach, There, Workshop, dealt, is_name,
    split_host,
};

use self::allowance::path_of;
use self::kept::{Roster, usual_folder};
use self::launch::{Crew, Launched};
use self::metering::MeteredAgents;
use crate::output::print::tell;
use crate::session::Interrupt;
use crate::work::{is_desktop, refuse_server};

/// The hosts of a fleet, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hosts {
    /// This number of agents in this process.
    Local(usize),
    /// Hosts that have joined, or that agents are started on over ssh.
    Named(Vec<String>),
}

/// More agents than this in one process measure each other.
const LOCAL_MAX: usize = 4096;

/// What the names of agents in this process begin with.
const LOCAL: &str = "local";

/// Whether `host` is the name of an agent in this process.
pub(crate) fn is_local(host: &str) -> bool {
    host.strip_prefix(LOCAL).is_some_and(|number| number.parse::<usize>().is_ok())
}

impl FromStr for Hosts {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let wrong = |why: &str| {
            Fault::new(format!("'{text}' names no hosts"))
                .because(why)
                .fix("write local:4 for four agents in this process, or the names of hosts: a,b,c")
        };
        if let Some(count) = text.strip_prefix("local:") {
            return match count.parse() {
                Ok(count) if (1..=LOCAL_MAX).contains(&count) => Ok(Self::Local(count)),
                _ => Err(wrong(&format!("a number from 1 to {LOCAL_MAX} belongs behind local:"))),
            };
        }
        let names: Vec<String> = text.split(',').map(str::to_owned).collect();
        for (index, name) in names.iter().enumerate() {
            if !is_name(name) || is_local(name) {
                return Err(wrong(&format!("'{name}' cannot be the name of a host")));
            }
            if names[..index].contains(name) {
                return Err(wrong(&format!("{name} stands there twice")));
            }
        }
        Ok(Self::Named(names))
    }
}

impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local(count) => write!(f, "local:{count}"),
            Self::Named(names) => f.write_str(&names.join(",")),
        }
    }
}

impl Hosts {
    /// Their names.
    fn names(&self) -> Vec<String> {
        match self {
            Self::Local(count) => (1..=*count).map(|number| format!("{LOCAL}{number}")).collect(),
            Self::Named(names) => names.clone(),
        }
    }
}

/// The name of the one fleet on a bus of this process.
const FLEET: &str = "local";

/// Agents that have joined connect within this time of each other.
const PRESENT: Duration = Duration::from_secs(15);

/// Those that are started follow each other within this time.
const LAUNCH: Duration = Duration::from_secs(60);

/// The way to the hosts of a fleet.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Way<'a> {
    /// A server of the user's own; `None` for one that is started.
    pub(crate) server: Option<&'a OwnServer>,
    /// Whether agents that are started may run as root.
    pub(crate) root: RootConsent,
    /// Ends the wait for agents.
    pub(crate) interrupt: Option<&'a Interrupt>,
}

impl Way<'_> {
    /// Goes on unless the user wants to stop.
    fn go_on(&self) -> Result<(), Fault> {
        match self.interrupt.is_some_and(Interrupt::is_asked) {
            true => Err(Fault::new("stopped while agents were waited for")),
            false => Ok(()),
        }
    }
}

/// Agents, and how they are reached. They end with it, or wait for the next controller.
enum Agents {
    /// In this process.
    Local(LocalAgents),
    /// On other hosts. Whoever was started ends before the server does.
    Hosts { _crew: Crew, base: Box<Base>, present: BTreeMap<String, There> },
}

impl Agents {
    fn reach(&self) -> Result<Reach, Fault> {
        match self {
            Self::Local(agents) => Ok(agents.reach()),
            Self::Hosts { base, present, .. } => base.reach(present),
        }
    }

    /// Those of the hosts with these targets, which are overwritten where that was typed.
    fn of(hosts: &[(String, Vec<String>)], typed: Typed<'_>, way: Way<'_>) -> Result<Self, Fault> {
        let names: Vec<String> = hosts.iter().map(|(host, _)| host.clone()).collect();
        match (names.iter().all(|name| is_local(name)), way.server) {
            (true, None) => Self::local(&names, typed.overwrite),
            (true, Some(_)) => Err(Fault::new("agents in this process use no server")
                .fix("leave out --nats, or name hosts instead of local:N")),
            (false, _) => Self::on_hosts(hosts, typed, way),
        }
    }

    fn local(hosts: &[String], overwrite: &[String]) -> Result<Self, Fault> {
        let overwrites: Result<Vec<Overwrite>, Fault> =
            overwrite.iter().map(|text| without_host(text, hosts).parse()).collect();
        let workshop: Arc<dyn Workshop + Send + Sync> = Arc::new(Machine::own(overwrites?));
        LocalAgents::start(FLEET, hosts, &workshop).map(Self::Local)
    }

    fn on_hosts(
        hosts: &[(String, Vec<String>)],
        typed: Typed<'_>,
        way: Way<'_>,
    ) -> Result<Self, Fault> {
        let mut base = Base::start(Roster::open(&usual_folder())?, way.server)?;
        let has_joined = |host: &String| {
            // Who belongs to a fleet on a server of the user's own is decided there.
            way.server.is_some() || base.roster().hosts().iter().any(|known| known.host == *host)
        };
        let (joined, strange): (Vec<_>, Vec<_>) =
            hosts.iter().partition(|(host, _)| has_joined(host));
        refuse_overwrites(typed.overwrite, &joined)?;
        let crew = launch(&mut base, (&strange, typed), way)?;
        let names: Vec<String> = hosts.iter().map(|(host, _)| host.clone()).collect();
        let is_enough = |present: &BTreeMap<String, There>| {
            way.go_on().is_err()
                || names.iter().all(|host| present.contains_key(host))
                || refuse_other_versions(present, &names).is_err()
        };
        let present = base.present(is_enough, PRESENT)?;
        way.go_on()?;
        refuse_other_versions(&present, &names)?;
        let missing: Vec<&str> =
            names.iter().filter(|host| !present.contains_key(*host)).map(String::as_str).collect();
        match missing.is_empty() {
            true => {
                base.close_list();
                Ok(Self::Hosts { _crew: crew, base: Box::new(base), present })
            }
            false => Err(Fault::new(format!("not there: {}", missing.join(", ")))
                .because(format!("no word came from them within {} s", PRESENT.as_secs()))
                .fix("start `kneepoint agent` there, and look whether a firewall is in between")),
        }
    }
}

/// Refuses those of `hosts` whose agents would not understand what they are told.
fn refuse_other_versions(present: &BTreeMap<String, There>, hosts: &[String]) -> Result<(), Fault> {
    let other = hosts.iter().find_map(|host| match present.get(host)? {
        There::Other(version) => Some(version.fault(host)),
        There::Same(_) => None,
    });
    other.map_or(Ok(()), Err)
}

/// What a target is called on its host, whether one of `hosts` stands before it or not.
fn without_host<'a>(name: &'a str, hosts: &[String]) -> &'a str {
    split_host(name, hosts).map_or(name, |(_, own)| own)
}

/// The server whose screens users of all hosts work at; `None` if something else is measured.
fn of_all(names: &[String], hosts: &[String]) -> Option<String> {
    let bare = distinct(names.iter().map(|name| without_host(name, hosts).to_owned()));
    let [server] = &bare[..] else { return None };
    is_desktop(&bare).then(|| server.clone())
}

/// A host that has joined decides itself what may be overwritten.
fn refuse_overwrites(overwrite: &[String], joined: &[&(String, Vec<String>)]) -> Result<(), Fault> {
    let names: Vec<String> = joined.iter().map(|(host, _)| host.clone()).collect();
    match overwrite.iter().find_map(|text| split_host(text, &names)) {
        None => Ok(()),
        Some((host, target)) => Err(Fault::new(format!("--overwrite has no effect on {host}"))
            .because("a host that has joined decides itself what may be overwritten")
            .fix(format!("allow it there: kneepoint agent --target {target}:overwrite"))),
    }
}

/// What a user has typed of the targets beside their names.
#[derive(Debug, Clone, Copy)]
struct Typed<'a> {
    /// Those that are overwritten although Kneepoint did not make them.
    overwrite: &'a [String],
    copies: Copies,
    /// The host whose agent does nothing but to meter a server.
    meter: Option<&'a str>,
}

/// Whether files are copied beside the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Copies {
    /// They are.
    Made,
    /// They are not.
    None,
}

impl Copies {
    const fn of(are_made: bool) -> Self {
        if are_made { Self::Made } else { Self::None }
    }
}

/// What an agent that is started on `host` may do with its targets, and beside them: whoever can start it
/// there could do the same by hand.
fn grants(host: &str, targets: &[String], typed: Typed<'_>) -> Vec<String> {
    let of_target = |target: &String| {
        let is_named = typed.overwrite.iter().any(|text| *text == format!("{host}:{target}"));
        let grant = match is_named {
            _ if typed.meter == Some(host) => "read",
            true => "overwrite",
            false => "write",
        };
        format!("{target}:{grant}")
    };
    let files = targets.iter().filter(|target| path_of(target) == Some(Path::new(target)));
    let beside = files.map(|target| format!("{}:write", ground_of(Path::new(target)).display()));
    let beside = beside.filter(|_| typed.copies == Copies::Made);
    targets.iter().map(of_target).chain(beside).collect()
}

/// Starts an agent on each of the hosts, and waits until all of them have joined.
fn launch(
    base: &mut Base,
    (hosts, typed): (&[&(String, Vec<String>)], Typed<'_>),
    way: Way<'_>,
) -> Result<Crew, Fault> {
    let stays = hosts.iter().map(|(host, _)| (Stay::Run(host.clone()), 1)).collect();
    let mut crew = Crew::default();
    if hosts.is_empty() {
        return Ok(crew);
    }
    for ((host, targets), line) in hosts.iter().zip(base.invite(stays)?) {
        way.go_on()?;
        let targets = grants(host, targets, typed);
        tell(format!("starting an agent on {host}"));
        crew.0.push(Launched::start(host, (&targets, way.root), &line)?);
    }
    let (mut missing, mut until) = (crew.0.len(), Instant::now() + LAUNCH);
    while missing > 0 {
        way.go_on()?;
        let joined = base.receive()?.len();
        if joined > 0 {
            (missing, until) = (missing - joined, Instant::now() + LAUNCH);
        }
        crew.0.iter_mut().try_for_each(Launched::check)?;
        if Instant::now() > until {
            return Err(Fault::new("not all agents that were started have joined")
                .because(format!("{missing} are missing, and for {} s none came", LAUNCH.as_secs()))
                .fix("look at what they said above; the same version must be there as here"));
        }
    }
    Ok(crew)
}

/// Hosts that are asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedHosts<'a> {
    /// Which.
    pub(crate) hosts: &'a Hosts,
    /// How long one that is lost is waited for.
    pub(crate) wait: Nanos,
    /// The way to them.
    pub(crate) way: Way<'a>,
}

/// A fleet and its agents, which end with it.
pub(crate) struct OwnFleet {
    pub(crate) fleet: Fleet,
    _agents: MeteredAgents,
}

impl OwnFleet {
    /// Finds agents, which look at the targets called `names` but change nothing.
    pub(crate) fn look(
        (names, overwrite): (&[String], &[String]),
        draft: &Draft<'_>,
        (wishes, asked): (&Wishes, AskedHosts<'_>),
    ) -> Result<Self, Fault> {
        let AskedHosts { hosts, wait, way } = asked;
        let request = draft.target_request();
        let known = hosts.names();
        refuse_server(names.iter().map(|name| without_host(name, &known)))?;
        let hosts = match of_all(names, &known) {
            Some(server) => known.iter().map(|host| (host.clone(), vec![server.clone()])).collect(),
            None => dealt(names, &known)?,
        };
        let typed = Typed { overwrite, copies: Copies::of(draft.copies_files()), meter: None };
        let agents = MeteredAgents::of(&hosts, typed, way)?;
        let patience = Patience { back: wait, ..Patience::USUAL };
        let (engine, caching, factors) = (wishes.engine, wishes.caching, draft.factors()?);
        let request = FleetRequest { hosts, request, engine, caching, factors };
        let mut fleet = Fleet::look(agents.reach()?, (monotonic, patience), &request)?;
        if let Some(metered) = agents.metered()? {
            fleet.meter_by(metered);
        }
        Ok(Self { fleet, _agents: agents })
    }

    /// Finds the agents of `plan`, which look at their targets again.
    pub(crate) fn look_again(
        plan: &Plan,
        overwrite: &[String],
        way: Way<'_>,
    ) -> Result<Self, Fault> {
        let of_host = |host: &str| {
            let own = plan.targets.iter().filter(|target| target.host == host);
            own.map(|target| target.target.clone()).collect()
        };
        let hosts: Vec<(String, Vec<String>)> =
            plan.hosts().into_iter().map(|host| (host.to_owned(), of_host(host))).collect();
        let typed = Typed { overwrite, copies: Copies::of(plan.file_copy.is_some()), meter: None };
        let agents = MeteredAgents::of(&hosts, typed, way)?;
        let reach = agents.reach()?;
        let mut fleet = Fleet::look_again(reach, (monotonic, Patience::USUAL), plan)?;
        if let Some(metered) = agents.metered()? {
            fleet.meter_by(metered);
        }
        Ok(Self { fleet, _agents: agents })
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use kneepoint_net::wire::PROTOCOL;

    use super::*;

    #[test]
    fn agents_of_other_versions_are_refused_by_their_names() {
        let said = |protocol| {
            let said = kneepoint_net::wire::Presence {
                protocol,
                version: "9.0.0".to_owned(),
                key: kneepoint_net::SecretKey::generate().public(),
                targets: Vec::new(),
                state: kneepoint_net::wire::AgentState::Free,
            };
            There::decode(&kneepoint_net::wire::encode(&said)).unwrap()
        };
        let [a, b] = ["a", "b"].map(str::to_owned);
        let (same, other) = (said(PROTOCOL), said(PROTOCOL + 1));
        let present = BTreeMap::from([(a.clone(), same), (b.clone(), other)]);
        refuse_other_versions(&present, slice::from_ref(&a)).unwrap();
        refuse_other_versions(&present, &[a.clone(), "c".to_owned()]).unwrap();
        let fault = refuse_other_versions(&present, &[a, b]).unwrap_err();
        assert_eq!(fault.what(), "b speaks another version of Kneepoint");
    }

    #[test]
    fn all_hosts_have_the_users_of_one_server() {
        let of = |names: &[&str]| {
            let owned: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            of_all(&owned, &["a".to_owned(), "b".to_owned()])
        };
        assert_eq!(of(&["vnc://s:5901"]).as_deref(), Some("vnc://s:5901"));
        assert_eq!(of(&["a:rdp://k%n@s", "b:rdp://k%n@s"]).as_deref(), Some("rdp://k%n@s"));
        assert_eq!(of(&["a:vnc://s:5901", "b:vnc://t:5901"]), None);
        assert_eq!(of(&["/data/k.dat"]), None);
    }

    #[test]
    fn hosts_are_read_as_written() {
        let hosts: Hosts = "local:3".parse().unwrap();
        assert_eq!((hosts.to_string().as_str(), hosts.names().len()), ("local:3", 3));
        assert_eq!("a,node-2".parse(), Ok(Hosts::Named(vec!["a".to_owned(), "node-2".to_owned()])));
        for wrong in ["local:0", "local:x", "local1", "", "local:100000", "a,,b", "a,a", "a b"] {
            assert!(wrong.parse::<Hosts>().is_err(), "{wrong}");
        }
    }
}
