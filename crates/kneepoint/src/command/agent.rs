//! `kneepoint agent`: what runs on each host of a fleet.

use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use kneepoint_core::words::fault::Fault;
use kneepoint_net::wire::gone_subject;
use kneepoint_net::{
    Agent, Bus, Door, JoinLine, Knock, NatsBus, OwnServer, PublicKey, SecretKey, is_name,
};

use crate::Outcome;
use crate::cli::AgentArgs;
use crate::fleet::kept::{
    AgentRecord, Membership, PointsFile, settings_journal, signing_key, usual_folder,
};
use crate::fleet::{Allowance, Definitions, Machine, SharedMachine};
use crate::output::print::tell;
use crate::session::{Interrupt, this_process};
use crate::work::{TEXT_MAX, read_text};

/// What is answered to Ctrl-C.
const ENDING: &str = "ending; a point that is being measured fails";

/// How often it is looked whether the agent shall end.
const LOOK: Duration = Duration::from_millis(100);

/// A host's place in a fleet.
struct Seat {
    host: String,
    /// The key that commands are signed with.
    controller: PublicKey,
    /// What the agent signs its answers with.
    key: SecretKey,
    /// The way to the server.
    door: Door,
}

impl Seat {
    fn of(membership: &Membership) -> Result<Self, Fault> {
        let (host, controller) = (membership.host().to_owned(), membership.controller().clone());
        let key = membership.signing_key()?;
        Ok(Self { host, controller, key, door: membership.door()? })
    }

    /// That on a server of the user's own.
    fn on(server: &OwnServer, args: &AgentArgs, state: &Path) -> Result<Self, Fault> {
        let controller = args.controller.clone().ok_or_else(|| {
            Fault::new("the key of the controller is missing")
                .because("only what is signed with it is done")
                .fix("`kneepoint hosts join --nats URL` prints it there: --controller KEY")
        })?;
        let host = name(args.name.as_deref())?;
        // Who speaks for a host is decided by the server, which hands over this key's other half.
        let key = signing_key(state)?;
        Ok(Self { door: server.door(&host), host, controller, key })
    }
}

/// Serves the controller of the fleet until it shall end.
pub(crate) fn agent(args: &AgentArgs) -> anyhow::Result<Outcome> {
    args.root.consent().check()?;
    let state = args.state.state.clone().unwrap_or_else(usual_folder);
    let allowance = match &args.allow {
        Some(file) => Allowance::load(file)?,
        None => Allowance::default(),
    };
    let allowance = allowance.with(&args.target);
    let definitions = args.definitions.as_deref().map(Definitions::load).transpose()?;
    let points = args.record.as_deref().map(PointsFile::open).transpose()?;
    let is_over = Arc::new(AtomicBool::new(false));
    let seat = match args.nats.server()? {
        Some(server) => Seat::on(&server, args, &state)?,
        None => Seat::of(&membership(args, &state, &is_over)?)?,
    };
    let interrupt = Interrupt::listen(ENDING)?;
    tell(allowed(&allowance));
    let machine = Machine::shared(SharedMachine {
        allowance,
        definitions: definitions.unwrap_or_default(),
        record: AgentRecord::open(&state, &seat.controller)?,
        journal: settings_journal(&state)?,
        points,
    })?;
    serve(seat, &machine, move || interrupt.is_asked() || is_over.load(Ordering::Relaxed))?;
    Ok(Outcome::Done)
}

/// The place in a fleet that this host has joined, or joins now.
fn membership(
    args: &AgentArgs,
    state: &Path,
    is_over: &Arc<AtomicBool>,
) -> Result<Membership, Fault> {
    let line: JoinLine = match (args.join.as_deref(), &args.join_file) {
        (Some("-"), _) => return join_for_now(args.name.as_deref(), is_over),
        (Some(line), _) => line.parse()?,
        (None, Some(file)) => {
            let shown = file.display();
            let text = read_text(file, TEXT_MAX).map_err(|error| {
                Fault::new(format!("cannot read {shown}"))
                    .because(error)
                    .fix("name the file with the line that `kneepoint hosts join` printed")
            })?;
            text.parse().map_err(|fault: Fault| fault.behind(shown))?
        }
        (None, None) => return Membership::load(state),
    };
    Membership::check(state)?;
    if let Some(before) = Membership::joined_before(state, &line)? {
        tell(format!("{} has joined with this line before", before.host()));
        return Ok(before);
    }
    let membership = Membership::join(&line, &name(args.name.as_deref())?)?;
    membership.save(state)?;
    Ok(membership)
}

/// Connects and does what the controller asks.
fn serve(
    Seat { host, controller, key, door }: Seat,
    machine: &Machine,
    is_over: impl Fn() -> bool + Clone + Send + 'static,
) -> Result<(), Fault> {
    let fleet = controller.fleet().to_owned();
    tell(format!("{host}, of the fleet {fleet}: connecting to {}", door.address));
    let over = is_over.clone();
    let knock = Knock::While(Box::new(move || !over()));
    let connected = NatsBus::connect(door, knock, |text| tell(format!("note: {text}")));
    let bus = match connected {
        Ok(bus) => Arc::new(bus),
        // Whoever ends it while it waits knows why it is not connected.
        Err(_) if is_over() => return Ok(()),
        Err(fault) => return Err(fault),
    };
    tell("connected; waiting for the controller");
    let leave = (Arc::clone(&bus), gone_subject(&fleet, &host));
    let closing = move || {
        while !is_over() {
            thread::sleep(LOOK);
        }
        let (bus, gone) = leave;
        let _ = bus.publish(&gone, Vec::new());
        bus.close();
    };
    thread::Builder::new()
        .name("end".to_owned())
        .spawn(closing)
        .map_err(|error| Fault::new("cannot start an agent").because(error))?;
    Agent::new((&fleet, &host), (bus, controller, Arc::new(key)), machine).listen()?.serve()
}

/// Joins by a line from standard input, and for as long as that is open.
fn join_for_now(name_typed: Option<&str>, is_over: &Arc<AtomicBool>) -> Result<Membership, Fault> {
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| Fault::new("cannot read the line to join with").because(error))?;
    let line: JoinLine = line.parse()?;
    let is_over = Arc::clone(is_over);
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let mut rest = [0; 256];
            while io::stdin().lock().read(&mut rest).is_ok_and(|bytes| bytes > 0) {}
            is_over.store(true, Ordering::Relaxed);
        })
        .map_err(|error| Fault::new("cannot start an agent").because(error))?;
    Membership::join(&line, &name(name_typed)?)
}

/// The name of this host.
fn name(typed: Option<&str>) -> Result<String, Fault> {
    let own = || this_process().host.split('.').next().unwrap_or_default().to_owned();
    let name = typed.map_or_else(own, str::to_owned);
    match is_name(&name) {
        true => Ok(name),
        false => Err(Fault::new(format!("'{name}' cannot be the name of a host"))
            .because("letters, digits, '-', '_' and points are, 64 of them at most")
            .fix("give it another one: --name NAME")),
    }
}

fn allowed(allowance: &Allowance) -> String {
    let targets = allowance.targets();
    match targets.is_empty() {
        true => "allowed here: nothing but simulated systems; allow targets by --target PATH or --allow FILE".to_owned(),
        false => format!("allowed here: {}", targets.join(", ")),
    }
}
