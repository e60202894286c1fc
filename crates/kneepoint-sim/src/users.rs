//! Users of a simulated desktop server: a reference system whose answer queueing theory knows.
//!
//! Each user pauses for an exponentially distributed time, then asks for an operation and waits for its
//! response. The server's processors are shared equally by the operations that are under way, none of
//! which uses more than one (processor sharing). This is a closed network of a delay and a station
//! whose rate depends on its load, so its stationary distribution is of product form and depends on the
//! operations' processor times only through their means (F. Baskett, K. M. Chandy, R. R. Muntz,
//! F. G. Palacios, "Open, Closed, and Mixed Networks of Queues with Different Classes of Customers",
//! Journal of the ACM 22, 1975); the mean response time of a class is in proportion to its processor
//! time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kneepoint_core::load::drive::{Flow, Watch};
use kneepoint_core::load::record::recorder::{Completed, Recorder};
use kneepoint_core::spec::profile::{UserOperation, UserWork};
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;
use rand_core::Rng as _;

/// A server of users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Desktop {
    /// Its processors, 1 to 65,536.
    pub processors: u32,
}

impl Desktop {
    /// What is wrong with the parameters, if anything.
    pub(crate) const fn check(&self) -> Result<(), &'static str> {
        match self.processors {
            0 => Err("it takes at least one processor"),
            65_537.. => Err("it takes at most 65,536 processors"),
            _ => Ok(()),
        }
    }
}

/// Users at work, in virtual time.
pub(crate) struct Session<'a> {
    work: &'a UserWork,
    processors: f64,
    rng: Rng,
    /// Nanoseconds since the start.
    now: f64,
    /// Processor time that each operation under way has had, if it was there from the start.
    served: f64,
    /// Ends of pauses.
    pausing: BinaryHeap<Reverse<Key>>,
    /// Operations under way, by what `served` is at their ends.
    active: BinaryHeap<Reverse<Key>>,
    /// What the operation of each user is, and when it was asked for.
    asked: Vec<(usize, f64)>,
}

/// A user at a moment, ordered by the moment; moments are not negative, so their bits have their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    moment_bits: u64,
    user: usize,
}

impl Key {
    const fn new(moment: f64, user: usize) -> Self {
        Self { moment_bits: moment.to_bits(), user }
    }

    const fn moment(self) -> f64 {
        f64::from_bits(self.moment_bits)
    }
}

impl<'a> Session<'a> {
    /// This many `users` at their first pause.
    pub(crate) fn new(desktop: Desktop, work: &'a UserWork, users: usize, seed: u64) -> Self {
        let mut session = Self {
            work,
            processors: f64::from(desktop.processors),
            rng: seed::rng(seed),
            now: 0.0,
            served: 0.0,
            pausing: BinaryHeap::with_capacity(users),
            active: BinaryHeap::with_capacity(users),
            asked: vec![(0, 0.0); users],
        };
        (0..users).for_each(|user| session.pause(user));
        session
    }

    /// Lets the users work until `watch` has seen enough, in intervals of `interval`.
    pub(crate) fn run<W: Watch>(&mut self, interval: Nanos, watch: &mut W) {
        let mut recorder = Recorder::new(0..1, self.work.operations.len());
        let mut end = interval.0 as f64;
        loop {
            let (moment, is_response) = self.next();
            while moment >= end {
                if watch.interval(recorder.close()) == Flow::Stop {
                    return;
                }
                end += interval.0 as f64;
            }
            self.advance(moment);
            match is_response {
                true => self.respond(&mut recorder),
                false => self.ask(),
            }
        }
    }

    /// When something happens next, and whether it is a response.
    fn next(&self) -> (f64, bool) {
        let pause = self.pausing.peek().map_or(f64::INFINITY, |Reverse(key)| key.moment());
        let response = self.active.peek().map_or(f64::INFINITY, |Reverse(key)| {
            self.now + (key.moment() - self.served).max(0.0) / self.rate()
        });
        (pause.min(response), response <= pause)
    }

    /// Processor time that each operation under way gets per time.
    fn rate(&self) -> f64 {
        (self.processors / self.active.len().max(1) as f64).min(1.0)
    }

    fn advance(&mut self, moment: f64) {
        self.served += (moment - self.now) * self.rate();
        self.now = moment;
    }

    /// The next user asks for an operation.
    fn ask(&mut self) {
        let Some(Reverse(Key { user, .. })) = self.pausing.pop() else { return };
        let class = self.draw_class();
        self.asked[user] = (class, self.now);
        let demand = self.work.operations[class].demand.0 as f64;
        self.active.push(Reverse(Key::new(self.served + demand, user)));
    }

    /// The next operation is done.
    fn respond(&mut self, recorder: &mut Recorder) {
        let Some(Reverse(Key { user, .. })) = self.active.pop() else { return };
        let (class, asked) = self.asked[user];
        let latency = Nanos((self.now - asked).round() as u64);
        recorder.complete(Completed { target: 0, class, bytes: 0, latency, lag: Nanos::ZERO });
        self.pause(user);
    }

    fn pause(&mut self, user: usize) {
        let pause = -libm::log(self.unit()) * self.work.think.0 as f64;
        self.pausing.push(Reverse(Key::new(self.now + pause, user)));
    }

    fn draw_class(&mut self) -> usize {
        let mut rest = self.unit();
        let shares = self.work.operations.iter().map(|operation: &UserOperation| operation.share);
        for (class, share) in shares.enumerate() {
            rest -= share.fraction();
            if rest <= 0.0 {
                return class;
            }
        }
        self.work.operations.len() - 1
    }

    /// Above 0, at most 1.
    fn unit(&mut self) -> f64 {
        ((self.rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }
}
