//! What runs on each host: an agent, which measures the part of every point that belongs to its host.

mod calls;
mod local;
mod overseen;

pub use local::LocalAgents;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

use kneepoint_core::measure::Testbed;
use kneepoint_core::plan::Plan;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use self::calls::Desk;
use self::overseen::{Line, Turn};
use crate::bus::{Bus, Message};
use crate::wire::{Command, LookRequest, Numbered, Request, command_subject, word_subject};

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

    /// The monotonic clock that points are measured by.
    fn now(&self) -> Nanos;

    /// Which machine this is: the same for all agents of one.
    fn machine(&self) -> String;
}

/// An agent of a fleet.
pub struct Agent<'a> {
    host: String,
    bus: Arc<dyn Bus>,
    fleet: String,
    workshop: &'a dyn Workshop,
}

impl<'a> Agent<'a> {
    /// The agent of `host`, for the controller of `fleet`.
    pub fn new((fleet, host): (&str, &str), bus: Arc<dyn Bus>, workshop: &'a dyn Workshop) -> Self {
        Self { host: host.to_owned(), bus, fleet: fleet.to_owned(), workshop }
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
        let subject = word_subject(&agent.fleet, &agent.host);
        let line = Arc::new(Line::new(Arc::clone(&agent.bus), subject));
        let (queue, calls) = channel();
        let ear = Arc::clone(&line);
        let workshop = agent.workshop;
        thread::scope(|scope| {
            thread::Builder::new()
                .name(format!("agent-{}", agent.host))
                .spawn_scoped(scope, move || hear(&commands, &ear, &queue, workshop))
                .map_err(|error| {
                    Fault::new("cannot start an agent").because(error).fix("end other programs")
                })?;
            let mut desk = Desk::new(workshop, &line);
            // Ends when whoever hears has ended.
            for (turn, request) in calls {
                desk.answer(turn, request);
            }
            Ok(())
        })
    }
}

/// Hears the controller until the bus is closed, and says meanwhile that the agent is there.
fn hear(
    commands: &Receiver<Message>,
    line: &Line,
    queue: &Sender<(Turn, Request)>,
    workshop: &dyn Workshop,
) {
    loop {
        match commands.recv_timeout(line.alive_every()) {
            Ok(message) => {
                let Ok(command) = serde_json::from_slice::<Numbered<Command>>(&message.payload)
                else {
                    continue;
                };
                for call in line.receive(command, workshop.now()) {
                    if queue.send(call).is_err() {
                        return;
                    }
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return line.abandon(),
        }
        let now = workshop.now();
        line.look(now);
        line.say_alive(now);
    }
}
