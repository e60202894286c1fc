//! The agent on the machine of a server, which tells what that machine does while users work at the server.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kneepoint_core::measure::metering::{MeterDepth, MeterRequest, ServerMeter, ServerReading};
use kneepoint_core::measure::{Stop, Unwatched};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::exchange::{Exchange, Reach};
use super::{Now, Patience, fault_of, out_of_step};
use crate::wire::{Answer, Request};

/// How long the agent is waited for: points go on without it, and one that is back is taken up at the next.
const PATIENCE: Patience = Patience { lease: Nanos::from_secs(6), back: Nanos::from_secs(2) };

/// An answer takes no longer than this: a greeting of one that is back, and a wait for one that is lost.
const LONGEST: Duration = Duration::from_secs(15);

/// What is asked, with its number.
type Ask = (u64, MeterRequest);

/// What was answered, with the number of what was asked.
type Reply = (u64, Result<ServerReading, Fault>);

/// The agent on the machine of a server.
///
/// A thread speaks to it, so that whoever measures waits for nothing while a point goes on.
pub struct AgentMeter {
    server: String,
    asks: Option<Sender<Ask>>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
    /// The number of the last thing that was asked.
    asked: u64,
    /// The number of what was asked when the point began.
    begun: Option<u64>,
}

impl AgentMeter {
    /// Greets the agent of `host`, and lets it read once what the machine of `server` does.
    ///
    /// # Errors
    /// When it does not answer, does not allow it, or is on another machine.
    pub fn begin(reach: Reach, now: Now, (host, server): (&str, &str)) -> Result<Self, Fault> {
        let exchange = Exchange::greet(reach, (now, PATIENCE), vec![(host, 0)]);
        let mut line = MeterLine { exchange: exchange.map_err(fault_of)? };
        let server = server.to_owned();
        line.read(MeterRequest { server: server.clone(), users: 1, depth: MeterDepth::All })?;
        let ((asks, asked), (reply, replies)) = (channel(), channel());
        let thread = thread::Builder::new()
            .name(format!("meter-{host}"))
            .spawn(move || line.serve(&asked, &reply))
            .map_err(|error| Fault::new(format!("cannot listen to {host}")).because(error))?;
        Ok(Self { server, asks: Some(asks), replies, thread: Some(thread), asked: 0, begun: None })
    }

    fn ask(&mut self, users: usize, depth: MeterDepth) -> u64 {
        self.asked += 1;
        let request = MeterRequest { server: self.server.clone(), users, depth };
        if let Some(asks) = &self.asks {
            // Whoever waits for the reply learns that no one is there any more.
            let _ = asks.send((self.asked, request));
        }
        self.asked
    }

    /// The reply to what was asked under this number.
    fn reply(&self, number: u64) -> Result<ServerReading, Fault> {
        loop {
            match self.replies.recv_timeout(LONGEST) {
                Ok((of, reading)) if of == number => return reading,
                // Of a point that was given up.
                Ok(_) => {}
                Err(_) => {
                    let why = format!("it was waited for for {} s", LONGEST.as_secs());
                    return Err(Fault::new("its agent did not answer").because(why));
                }
            }
        }
    }
}

impl ServerMeter for AgentMeter {
    fn begin(&mut self, users: usize) {
        self.begun = Some(self.ask(users, MeterDepth::Counters));
    }

    fn end(&mut self, users: usize) -> Result<[ServerReading; 2], Fault> {
        let begun = self.begun.take().ok_or_else(|| Fault::new("no interval of it came in"))?;
        let begin = self.reply(begun)?;
        let number = self.ask(users, MeterDepth::All);
        Ok([begin, self.reply(number)?])
    }
}

impl Drop for AgentMeter {
    fn drop(&mut self) {
        // The agent is told before those who carry messages end.
        self.asks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The line to the agent.
struct MeterLine {
    exchange: Exchange,
}

impl MeterLine {
    /// Answers what is asked, and keeps the agent meanwhile.
    fn serve(mut self, asks: &Receiver<Ask>, replies: &Sender<Reply>) {
        let mut closed: Option<Fault> = None;
        loop {
            let next = match &closed {
                None => asks.try_recv(),
                Some(_) => asks.recv().map_err(|_| TryRecvError::Disconnected),
            };
            match next {
                Ok((number, request)) => {
                    let reading = closed.clone().map_or_else(|| self.read(request), Err);
                    if replies.send((number, reading)).is_err() {
                        return;
                    }
                }
                Err(TryRecvError::Disconnected) => return,
                // Says that the controller is there.
                Err(TryRecvError::Empty) => match self.exchange.hear() {
                    // It is waited for when it is asked.
                    Ok(_) | Err(Stop::Lost { .. }) => {}
                    Err(stop) => closed = Some(fault_of(stop)),
                },
            }
        }
    }

    /// Asks the agent, which is greeted again if it was lost.
    fn read(&mut self, request: MeterRequest) -> Result<ServerReading, Fault> {
        let read = |line: &mut Self| {
            if !line.exchange.lost_hosts().is_empty() {
                line.exchange.greet_again(&mut Unwatched)?;
            }
            line.exchange.ask_one(0, Request::Meter(request), &mut Unwatched)
        };
        match read(self).map_err(fault_of)? {
            Answer::Metered(reading) => Ok(*reading),
            _ => Err(out_of_step("the agent of the server")),
        }
    }
}
