//! All users at their screens: one thread plays them.

use std::sync::Arc;

use kneepoint_core::load::drive::{Flow, Watch};
use kneepoint_core::load::record::recorder::{Completed, Recorder};
use kneepoint_core::measure::{Coordinator, Observer, Stop};
use kneepoint_core::plan::HostShare;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Nanos;

use super::client::Door;
use super::net::{Arrival, Net, monotonic};
use super::playbook::Playbook;
use super::user::{Ending, Response, User, World};
use crate::testbed::Watcher;

/// How often it is looked around while nothing happens.
const LOOK: Nanos = Nanos::from_millis(50);

/// Time between the logons of two users who come to the same point.
const STAGGER: Nanos = Nanos::from_millis(200);

/// How long the users of a point may take until all of them work.
const SETTLE: Nanos = Nanos::from_secs(600);

/// How long users play before they are timed, once other hosts have been waited for.
pub(crate) const WARM_UP: Nanos = Nanos::from_secs(2);

/// The users, at their screens.
pub(crate) struct Floor<N> {
    pub(crate) net: N,
    door: Arc<dyn Door>,
    /// Which of all users play here.
    pub(crate) share: HostShare,
    users: Vec<User>,
    /// Those of them who work; the others stay logged on and rest.
    working: usize,
    /// When each user is to be woken.
    wakes: Vec<Nanos>,
    arrivals: Vec<Arrival>,
    responses: Vec<Response>,
}

/// Responses that did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Missing {
    /// Nothing had changed.
    pub(crate) lost: u64,
    /// Something else was there.
    pub(crate) mismatched: u64,
}

impl<N: Net> Floor<N> {
    /// No user yet; those who come do so through this door.
    pub(crate) fn new(net: N, door: Arc<dyn Door>) -> Self {
        Self {
            net,
            door,
            share: HostShare::WHOLE,
            users: Vec::new(),
            working: 0,
            wakes: Vec::new(),
            arrivals: Vec::new(),
            responses: Vec::new(),
        }
    }

    /// Brings the number of users who work to `count`: new ones come and play `book`, those who are too many
    /// rest where they are.
    pub(crate) fn seat(&mut self, count: usize, (book, seed): (&Arc<Playbook>, u64)) {
        let mut start = self.net.now();
        while self.users.len() < count {
            let seat = self.users.len();
            self.users.push(User::new((seat, self.share.number(seat)), book, (seed, start)));
            start = start + STAGGER;
        }
        self.working = count;
        self.note_wakes();
    }

    /// Lets all users rest where they are.
    pub(crate) fn rest(&mut self) {
        self.working = 0;
    }

    /// Notes when each user is to be woken, whatever was done to them.
    fn note_wakes(&mut self) {
        self.wakes.clear();
        self.wakes.extend(self.users.iter().map(User::wakes));
    }

    /// Lets all users end their round and their session.
    ///
    /// # Errors
    /// When one cannot, or the observer asks to stop.
    pub(crate) fn dismiss(&mut self, observer: &dyn Observer) -> Result<(), Stop> {
        let begun = self.net.now();
        self.working = self.users.len();
        self.users.iter_mut().for_each(|user| user.resume(begun));
        self.users.iter_mut().for_each(User::dismiss);
        self.note_wakes();
        while self.users.iter().any(|user| !user.is_away()) {
            observer.go_on()?;
            let now = self.net.now();
            if now.since(begun) > SETTLE {
                return Err(Fault::new("the users did not come to the end of their sessions")
                    .because(format!("they were waited for for {SETTLE}"))
                    .fix("end their applications yourself")
                    .into());
            }
            self.play_until(now + LOOK)?;
        }
        Ok(())
    }

    /// Takes all users away at once.
    pub(crate) fn clear(&mut self) {
        self.users.drain(..).for_each(|mut user| user.leave(&mut self.net));
        self.working = 0;
    }

    /// Plays until every user has begun to work.
    ///
    /// # Errors
    /// When one cannot, or the observer asks to stop.
    pub(crate) fn settle(&mut self, observer: &dyn Observer) -> Result<(), Stop> {
        let begun = self.net.now();
        self.users[..self.working].iter_mut().for_each(|user| user.resume(begun));
        self.note_wakes();
        while let Some(late) = self.users[..self.working].iter().position(|user| !user.is_settled())
        {
            observer.go_on()?;
            let now = self.net.now();
            if now.since(begun) > SETTLE {
                let user = self.share.number(late) + 1;
                return Err(Fault::new(format!("user {user} does not come to work"))
                    .because(format!("logon and start were waited for for {SETTLE}"))
                    .fix("use fewer --users: the server is too small for these")
                    .into());
            }
            self.play_until(now + LOOK)?;
        }
        self.responses.clear();
        Ok(())
    }

    /// Plays for [`WARM_UP`] from `begin` on, by the clock of this machine, which is not timed: others were waited
    /// for, and no one played meanwhile.
    ///
    /// # Errors
    /// When a user cannot go on.
    pub(crate) fn warm_up(&mut self, begin: Nanos) -> Result<(), Fault> {
        let now = self.net.now();
        self.users[..self.working].iter_mut().for_each(|user| user.resume(now));
        self.note_wakes();
        let end = now + Nanos(WARM_UP.0.saturating_sub(monotonic().since(begin).0));
        while self.net.now() < end {
            self.play_until(end)?;
        }
        self.responses.clear();
        Ok(())
    }

    /// Goes on where the last point ended, with whoever has come since: what newcomers do from their logon on is
    /// part of what is measured.
    pub(crate) fn carry_on(&mut self) {
        let now = self.net.now();
        self.users[..self.working].iter_mut().for_each(|user| user.carry_on(now));
        self.note_wakes();
        self.responses.clear();
    }

    /// Plays until something came, a user acted, or `deadline`.
    fn play_until(&mut self, deadline: Nanos) -> Result<(), Fault> {
        let next = self.wakes[..self.working].iter().min();
        let next = next.map_or(deadline, |next| deadline.min(*next));
        self.net.wait(next, &mut self.arrivals);
        let mut world =
            World { net: &mut self.net, responses: &mut self.responses, door: &*self.door };
        for arrival in self.arrivals.drain(..) {
            let number = arrival.user;
            if let Some(user) = self.users.get_mut(number) {
                user.receive(arrival, &mut world)?;
                self.wakes[number] = user.wakes();
            }
        }
        let now = world.net.now();
        let users = self.users.iter_mut().zip(&mut self.wakes).take(self.working);
        for (user, wakes) in users.filter(|(_, wakes)| **wakes <= now) {
            user.act(now, &mut world)?;
            *wakes = user.wakes();
        }
        Ok(())
    }

    /// Plays for `time`; gives every response.
    #[cfg(test)]
    pub(crate) fn play_for(&mut self, time: Nanos) -> Result<Vec<Response>, Fault> {
        let end = self.net.now() + time;
        while self.net.now() < end {
            self.play_until(end)?;
        }
        Ok(std::mem::take(&mut self.responses))
    }

    /// Measures until `overseer` has seen enough, in intervals of `interval`; gives what did not come.
    ///
    /// # Errors
    /// When a user cannot go on.
    pub(crate) fn measure(
        &mut self,
        overseer: &mut Coordinator<'_>,
        (interval, classes): (Nanos, usize),
        watcher: &mut dyn Watcher,
    ) -> Result<Missing, Fault> {
        let mut recorder = Recorder::new(0..1, classes);
        let mut missing = Missing::default();
        let mut end = self.net.now() + interval;
        let mut closed = 0;
        watcher.read(0);
        loop {
            self.play_until(end)?;
            let now = self.net.now();
            for response in self.responses.drain(..) {
                match response.end {
                    Ending::Seen => {}
                    Ending::Lost => missing.lost += 1,
                    Ending::Mismatched => missing.mismatched += 1,
                }
                recorder.complete(Completed {
                    target: 0,
                    class: response.class,
                    bytes: 0,
                    latency: response.latency,
                    lag: response.lag,
                });
            }
            while now >= end {
                closed += 1;
                let flow = overseer.interval(recorder.close());
                watcher.read(closed);
                if flow == Flow::Stop {
                    return Ok(missing);
                }
                end = end + interval;
            }
        }
    }
}
