//! What runs on each host: an agent, which measures the part of every point that belongs to its host.

mod calls;
mod course;
mod line;
mod local;
mod reporter;
mod turn;

pub use course::HostPoint;
pub use local::LocalAgents;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use kneepoint_core::measure::Testbed;
use kneepoint_core::measure::metering::{MeterRequest, ServerReading};
use kneepoint_core::plan::Plan;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use serde::Serialize;

use self::calls::Desk;
use self::line::{Line, Silence};
use self::turn::Turn;
use crate::bus::{Bus, Message};
use crate::key::{PublicKey, SecretKey};
use crate::priority::hurry;
use crate::seal::{Gate, Hold, Refused};
use crate::wire::{Command, LookRequest, Numbered, Refusal, Request, command_subject};

/// Targets as a host found them.
pub struct Looked<'a> {
    /// Where they are measured.
    pub testbed: Box<dyn Testbed + 'a>,
    /// Bytes that are written to each target before it is measured; nothing where none is real.
    pub layout_bytes: Vec<u64>,
}

/// What an agent measures with, which its host decides.
pub trait Workshop: Sync {
    /// Looks at targets but changes nothing.
    ///
    /// # Errors
    /// When one of them can't be measured so, or may not be.
    fn look<'a>(&'a self, request: &LookRequest) -> Result<Looked<'a>, Fault>;

    /// Looks again at the targets of a plan but changes nothing.
    ///
    /// # Errors
    /// When one of them is no longer what it was, or may not be measured.
    fn look_again<'a>(&'a self, plan: &Plan) -> Result<Box<dyn Testbed + 'a>, Fault>;

    /// The plan with the commands that this host has for what the plan varies: none comes with it.
    ///
    /// # Errors
    /// When it has commands, or varies what is not defined here.
    fn defined(&self, plan: Box<Plan>) -> Result<Box<Plan>, Fault> {
        match plan.has_commands() {
            false => Ok(plan),
            true => Err(Fault::new("a plan with commands is not taken")
                .because("an agent runs commands from its host's own file alone")),
        }
    }

    /// Where the settings that a plan varies stand: the name of the factor, and the place.
    ///
    /// # Errors
    /// When one of them cannot be changed here.
    fn settings(&self, _plan: &Plan) -> Result<Vec<(String, String)>, Fault> {
        Ok(Vec::new())
    }

    /// The monotonic clock that points are measured by.
    fn now(&self) -> Nanos;

    /// Which machine this is: the same for all agents of one.
    fn machine(&self) -> String;

    /// Lets a plan be taken, or one of its loads be measured, if the host allows it.
    ///
    /// # Errors
    /// When it is beyond what the host allows.
    fn permit(&self, plan: &Plan, load: Option<LoadLevel>) -> Result<(), Fault>;

    /// Reads what the machine of a server does.
    ///
    /// # Errors
    /// When it is not this one, or the host does not allow it.
    fn meter(&self, asked: &MeterRequest) -> Result<ServerReading, Fault> {
        Err(Fault::new(format!("{} is not metered here", asked.server)))
    }

    /// Lets a run that has used so much go on, if the host allows it. It is asked after every interval of a
    /// point.
    ///
    /// # Errors
    /// When a limit of the host is passed.
    fn within_limits(&self, _used: Used) -> Result<(), Fault> {
        Ok(())
    }

    /// What a controller may use here, for people.
    fn targets(&self) -> Vec<String>;

    /// Something that the host's own record of its agent must tell.
    fn record(&self, event: &AgentEvent);

    /// Whether the host keeps what it measures of each point.
    fn keeps_points(&self) -> bool {
        false
    }

    /// Keeps what was measured here of a point.
    fn keep_point(&self, _point: &HostPoint) {}
}

/// What a run has used of a host so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    /// Bytes that were written to its targets.
    pub bytes_written: u64,
    /// Time since its first plan.
    pub time: Nanos,
}

/// What a host keeps on record of its agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum AgentEvent {
    /// A controller began a run.
    Joined {
        /// What the controller calls it.
        run: String,
    },
    /// A plan was taken.
    Adopted {
        /// Its hash.
        plan: String,
        /// The targets.
        targets: Vec<String>,
    },
    /// What the machine of a server does was read, for the first time in a session.
    Metered {
        /// The server.
        server: String,
    },
    /// The controller has gone, or was lost.
    Left {
        /// Bytes that were written to the targets in its run.
        bytes_written: u64,
    },
    /// A setting is not what it was before the run.
    NotPutBack {
        /// Which one and why.
        fault: Fault,
    },
    /// A command was not done.
    Refused {
        /// What and why.
        fault: Fault,
    },
}

/// An agent of a fleet.
pub struct Agent<'a> {
    host: String,
    bus: Arc<dyn Bus>,
    fleet: String,
    controller: PublicKey,
    key: Arc<SecretKey>,
    workshop: &'a dyn Workshop,
}

impl<'a> Agent<'a> {
    /// The agent of `host` in `fleet`, for whoever signs with `controller`'s key; it signs what it says with
    /// its own one.
    pub fn new(
        (fleet, host): (&str, &str),
        (bus, controller, key): (Arc<dyn Bus>, PublicKey, Arc<SecretKey>),
        workshop: &'a dyn Workshop,
    ) -> Self {
        Self { host: host.to_owned(), bus, fleet: fleet.to_owned(), controller, key, workshop }
    }

    /// Subscribes to what the controller says; from now on nothing of it is missed.
    ///
    /// # Errors
    /// When the bus is out of reach.
    pub fn listen(self) -> Result<Listening<'a>, Fault> {
        let commands = self.bus.subscribe(&command_subject(&self.fleet, &self.host))?;
        Ok(self.hearing(commands))
    }

    const fn hearing(self, commands: Receiver<Message>) -> Listening<'a> {
        Listening { agent: self, commands }
    }
}

/// An agent that hears its controller.
pub struct Listening<'a> {
    agent: Agent<'a>,
    commands: Receiver<Message>,
}

impl Listening<'_> {
    /// Does what the controller asks until the bus is closed.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn serve(self) -> Result<(), Fault> {
        let Self { agent, commands } = self;
        let line = Line::new((Arc::clone(&agent.bus), agent.key), (&agent.fleet, &agent.host));
        let gate = Gate::new(agent.controller.clone(), (&agent.fleet, &agent.host));
        let (queue, calls) = channel();
        let (line, workshop) = (&line, agent.workshop);
        let ear = Ear { line, gate, queue, workshop, is_alone: false };
        thread::scope(|scope| {
            thread::Builder::new()
                .name(format!("agent-{}", agent.host))
                .spawn_scoped(scope, move || ear.hear(&commands))
                .map_err(|error| {
                    Fault::new("cannot start an agent").because(error).fix("end other programs")
                })?;
            let mut desk = Desk::new(workshop, line);
            // Ends when whoever hears has ended.
            for task in calls {
                match task {
                    Task::Call(turn, request) => desk.answer(turn, request),
                    Task::PutBack => desk.put_back(),
                }
            }
            Ok(())
        })
    }
}

/// What an agent hears with.
struct Ear<'a> {
    line: &'a Line,
    gate: Gate,
    queue: Sender<Task>,
    workshop: &'a dyn Workshop,
    /// Whether the controller was not heard for the lease, and settings were put back.
    is_alone: bool,
}

/// What is to be worked on.
enum Task {
    /// A call of the controller.
    Call(Turn, Request),
    /// Settings are put back: the controller is not heard.
    PutBack,
}

impl Ear<'_> {
    /// Hears the controller until the bus is closed, and says meanwhile that the agent is there.
    fn hear(mut self, commands: &Receiver<Message>) {
        hurry();
        loop {
            let is_on = match commands.recv_timeout(self.line.alive_every()) {
                Ok(message) => self.take(&message),
                Err(RecvTimeoutError::Timeout) => true,
                Err(RecvTimeoutError::Disconnected) => return self.line.abandon(),
            };
            let now = self.workshop.now();
            let is_here = match self.line.look(now) {
                Silence::None => {
                    self.is_alone = false;
                    true
                }
                Silence::OfLease => self.be_alone(),
                Silence::Long => self.leave(),
            };
            if !is_on || !is_here {
                return;
            }
            self.line.say_alive(now, || self.workshop.targets());
        }
    }

    /// Takes a message; tells whether there is still someone who works on calls.
    fn take(&mut self, message: &Message) -> bool {
        let now = self.workshop.now();
        let before = self.gate.run().map(|(run, _)| run.to_owned());
        let hold = match self.line.look(now) {
            Silence::None => Hold::Firm,
            Silence::OfLease | Silence::Long => Hold::Loose,
        };
        let opened = self.gate.open(&message.payload, (now, hold));
        let run = self.gate.run().filter(|(run, _)| before.as_deref() != Some(run));
        let run = run.map(|(run, nonce)| (run.to_owned(), nonce.to_owned()));
        if let Some((run, nonce)) = run {
            if before.is_some() && !self.clear() {
                return false;
            }
            self.line.begin_run(&run, &nonce);
            self.workshop.record(&AgentEvent::Joined { run });
        }
        match opened {
            Ok(Numbered { message: Command::Leave, .. }) => self.leave(),
            Ok(command) => {
                let mut calls = self.line.receive(command, now).into_iter();
                calls.all(|(turn, request)| self.queue.send(Task::Call(turn, request)).is_ok())
            }
            Err(refused) => {
                self.refuse(refused, now);
                true
            }
        }
    }

    /// Says why a command is not done to whoever has signed it, and puts it on record.
    fn refuse(&self, Refused { caller, refusal }: Refused, now: Nanos) {
        if let Refusal::Fault(fault) | Refusal::Busy(fault) = &refusal {
            self.workshop.record(&AgentEvent::Refused { fault: fault.clone() });
        }
        if let Some(caller) = caller {
            self.line.refuse(&caller, refusal, now);
        }
    }

    /// The controller is gone. Tells whether there is still someone who works on calls.
    fn leave(&mut self) -> bool {
        if self.gate.run().is_none() {
            return true;
        }
        self.gate.leave();
        self.clear()
    }

    /// The controller was not heard for the lease: settings are put back once, whether it comes again or not.
    /// Tells whether there is still someone who does so.
    fn be_alone(&mut self) -> bool {
        if self.is_alone || self.gate.run().is_none() {
            return true;
        }
        self.is_alone = true;
        self.queue.send(Task::PutBack).is_ok()
    }

    /// Gives up what goes on, closes the targets and puts settings back. Tells whether there is still someone
    /// who does so.
    fn clear(&self) -> bool {
        let bytes_written = self.line.bytes_written();
        self.workshop.record(&AgentEvent::Left { bytes_written });
        self.queue.send(Task::Call(self.line.end_run(), Request::Finish)).is_ok()
    }
}
