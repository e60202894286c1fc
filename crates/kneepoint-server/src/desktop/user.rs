//! A user: plays a script at a screen and sees what it shows.

use std::collections::VecDeque;
use std::sync::Arc;

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;
use rand_core::Rng as _;

use super::client::{Door, Event, FAREWELL, Leave, ScreenClient};
use super::net::{Arrival, Net, What};
use super::picture::{Picture, Sight};
use super::playbook::{Beat, END, Input, Playbook, START, WORK, waits_behind};
use super::screen::Screen;
use super::wait::Wait;

/// How long a logon may take.
const LOGON: Nanos = Nanos::from_secs(60);

/// Pause between two sessions.
const AWAY: Nanos = Nanos::from_secs(1);

/// Responses in a row that did not come while the screen stood still, after which it is frozen.
const FROZEN: u32 = 10;

/// A moment that does not come.
const NEVER: Nanos = Nanos(u64::MAX);

/// A response, or the end of waiting for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Response {
    /// Index of its class.
    pub(crate) class: usize,
    /// From the moment at which the user was to act until the screen showed the response.
    pub(crate) latency: Nanos,
    /// Part of that by which the user acted late.
    pub(crate) lag: Nanos,
    /// How it ended.
    pub(crate) end: Ending,
}

/// How a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It was seen.
    Seen,
    /// It was given up, and nothing had changed.
    Lost,
    /// It was given up, and something else was there.
    Mismatched,
}

/// A response that is waited for.
#[derive(Debug)]
struct Pending {
    class: Option<usize>,
    /// When the user was to act, when it did, and when the response is given up.
    due: Nanos,
    sent: Nanos,
    deadline: Nanos,
    sought: Sought,
    is_awaited: bool,
}

/// What is looked for.
#[derive(Debug)]
enum Sought {
    /// What the screen shows after the logon.
    Logon,
    /// The picture of a beat: its act and its number there.
    Beat(usize, usize),
    /// That a region changes, or comes to rest.
    Wait(Box<Wait>),
}

/// What a user knows of the world.
pub(crate) struct World<'a> {
    /// Its connection and its clock.
    pub(crate) net: &'a mut dyn Net,
    /// Hears what is timed.
    pub(crate) responses: &'a mut Vec<Response>,
    /// Where clients come in.
    pub(crate) door: &'a dyn Door,
}

/// A user.
pub(crate) struct User {
    /// Its place here, which its connection has.
    seat: usize,
    /// Its number among all users, which its account and its pauses have.
    number: usize,
    book: Arc<Playbook>,
    rng: Rng,
    client: Option<Box<dyn ScreenClient>>,
    /// Until when the server may take to end the session, once it was asked to.
    farewell: Option<Nanos>,
    /// The next beat: its act and its number there.
    place: (usize, usize),
    rounds_done: u32,
    /// When it acts next.
    next: Nanos,
    pending: VecDeque<Pending>,
    /// Whether it has ever begun to work.
    is_settled: bool,
    /// This is its last round.
    is_leaving: bool,
    last_update: Nanos,
    lost_in_a_row: u32,
}

impl User {
    /// The user at `seat`, who is number `number` of all, both from 0, and logs on at `start`.
    pub(crate) fn new(
        (seat, number): (usize, usize),
        book: &Arc<Playbook>,
        (seed, start): (u64, Nanos),
    ) -> Self {
        Self {
            seat,
            number,
            book: Arc::clone(book),
            rng: seed::rng(seed::derive(seed, "user", number as u64)),
            client: None,
            farewell: None,
            place: (START, 0),
            rounds_done: 0,
            next: start,
            pending: VecDeque::new(),
            is_settled: false,
            is_leaving: false,
            last_update: start,
            lost_in_a_row: 0,
        }
    }

    /// Whether it has begun to work.
    pub(crate) const fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// When it is to be woken at the latest.
    pub(crate) fn wakes(&self) -> Nanos {
        let given_up = self.pending.iter().map(Pending::wakes).min();
        self.next.min(given_up.unwrap_or(NEVER))
    }

    /// Goes on at `now` after a time for which no one played or looked: what came meanwhile is not timed.
    pub(crate) fn resume(&mut self, now: Nanos) {
        if self.next < now {
            self.next = now + self.gap();
        }
        for pending in &mut self.pending {
            pending.deadline = pending.deadline.max(now + AWAY);
            pending.class = None;
        }
    }

    /// Goes on at `now` after a pause that was too short to end anything: strokes that fell into it are made
    /// now, and those under way are not timed, since their responses may have been seen late.
    pub(crate) fn carry_on(&mut self, now: Nanos) {
        if self.next < now && self.client.is_some() {
            self.next = now;
        }
        for pending in self.pending.iter_mut().filter(|pending| !pending.is_awaited) {
            pending.class = None;
        }
    }

    /// Lets it end its session with the round that it is in.
    pub(crate) const fn dismiss(&mut self) {
        self.is_leaving = true;
        if self.client.is_none() {
            self.next = NEVER;
        }
    }

    /// Whether it has no session.
    pub(crate) const fn is_away(&self) -> bool {
        self.client.is_none()
    }

    /// Leaves at once.
    pub(crate) fn leave(&mut self, net: &mut dyn Net) {
        if self.client.take().is_some() {
            net.close(self.seat);
        }
        self.farewell = None;
    }

    /// A pause between two strokes.
    fn gap(&mut self) -> Nanos {
        let unit = (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let factor = 1.0 + self.book.spread * (2.0 * unit - 1.0);
        Nanos((self.book.gap.0 as f64 * factor) as u64)
    }

    /// Does what is due at `now`.
    ///
    /// # Errors
    /// When the screen cannot be reached, or stands still.
    pub(crate) fn act(&mut self, now: Nanos, world: &mut World<'_>) -> Result<(), Fault> {
        self.rest(now, world);
        self.give_up(now, world)?;
        while self.next <= now {
            if self.client.is_none() {
                self.log_on(world)?;
            } else if self.farewell.is_some() {
                self.part(now, world);
            } else {
                self.play(world);
            }
        }
        Ok(())
    }

    /// Connects.
    fn log_on(&mut self, world: &mut World<'_>) -> Result<(), Fault> {
        let mut client = world.door.client(self.number)?;
        world.net.connect(self.seat)?;
        let sent = world.net.now();
        self.say(&mut *client, world);
        self.client = Some(client);
        self.pending.push_back(Pending {
            class: Some(0),
            due: self.next,
            sent,
            deadline: sent + LOGON,
            sought: Sought::Logon,
            is_awaited: true,
        });
        (self.place, self.rounds_done) = ((START, 0), 0);
        self.next = NEVER;
        Ok(())
    }

    /// The next beat, with its place; `None` at the end of the session.
    fn beat(&mut self) -> Option<((usize, usize), Beat)> {
        loop {
            let (act, index) = self.place;
            if let Some(beat) = self.book.acts[act].get(index) {
                let beat = beat.clone();
                self.place = (act, index + 1);
                return Some(((act, index), beat));
            }
            self.place = match act {
                START => (WORK, 0),
                WORK => {
                    self.rounds_done += 1;
                    let is_done = self.is_leaving || self.rounds_done >= self.book.rounds;
                    if is_done { (END, 0) } else { (WORK, 0) }
                }
                _ => return None,
            };
        }
    }

    /// Does the next beat.
    fn play(&mut self, world: &mut World<'_>) {
        let due = self.next;
        let before = (self.place, self.rounds_done);
        let Some((place, beat)) = self.beat() else {
            return self.end_session(due, world);
        };
        self.is_settled |= place.0 == WORK;
        if let Input::Pause(time) = beat.input {
            self.next = due + time;
            return;
        }
        let waits = self.waits_behind(place);
        if (beat.is_awaited() || !waits.is_empty()) && !self.pending.is_empty() {
            // It looks at its screen first, until all is there or given up.
            (self.place, self.rounds_done) = before;
            self.next = NEVER;
            return;
        }
        self.input(&beat, world);
        let sent = world.net.now();
        let mut is_waiting = beat.is_awaited() && beat.picture.is_some();
        if beat.picture.is_some() {
            self.pending.push_back(Pending {
                class: beat.class,
                due,
                sent,
                deadline: due + beat.timeout,
                sought: Sought::Beat(place.0, place.1),
                is_awaited: beat.is_awaited(),
            });
        }
        for (class, timeout, wait) in waits {
            // It is waited from the input on.
            self.place.1 += 1;
            is_waiting = true;
            let (deadline, sought) = (due + timeout, Sought::Wait(Box::new(wait)));
            self.pending.push_back(Pending {
                class,
                due,
                sent,
                deadline,
                sought,
                is_awaited: true,
            });
        }
        self.next = if is_waiting { NEVER } else { due + self.gap() };
    }

    /// The waits for what the beat at `place` shows, before it is played: class and timeout of each.
    fn waits_behind(&self, (act, index): (usize, usize)) -> Vec<(Option<usize>, Nanos, Wait)> {
        let Some(client) = &self.client else { return Vec::new() };
        let begun = |beat: &Beat| match beat.input {
            Input::Wait(until) => {
                Some((beat.class, beat.timeout, Wait::new(until, (client.screen(), beat.region))))
            }
            _ => None,
        };
        waits_behind(&self.book.acts[act], index).iter().filter_map(begun).collect()
    }

    /// Leaves the session, once all responses are there.
    fn end_session(&mut self, due: Nanos, world: &mut World<'_>) {
        if !self.pending.is_empty() {
            self.next = NEVER;
            return;
        }
        let Some(mut client) = self.client.take() else { return };
        if client.leave() == Leave::Await {
            self.say(&mut *client, world);
            self.client = Some(client);
            self.farewell = Some(due + FAREWELL);
            self.next = due + FAREWELL;
            return;
        }
        self.client = Some(client);
        self.part(due, world);
    }

    /// Is away from now on, until the next session.
    fn part(&mut self, now: Nanos, world: &mut World<'_>) {
        self.farewell = None;
        self.leave(world.net);
        self.next = if self.is_leaving { NEVER } else { now + AWAY };
    }

    /// Sends what a client has to say.
    fn say(&self, client: &mut dyn ScreenClient, world: &mut World<'_>) {
        let output = client.take_output();
        if !output.is_empty() {
            world.net.send(self.seat, &output);
        }
    }

    /// Sends what a beat does.
    fn input(&mut self, beat: &Beat, world: &mut World<'_>) {
        let Some(client) = &mut self.client else { return };
        beat.input.send_to(&mut **client);
        world.net.send(self.seat, &client.take_output());
    }

    /// Takes what came on its connection; gives whether the screen has changed.
    ///
    /// # Errors
    /// When the server ends the connection, refuses it or speaks no RFB.
    pub(crate) fn receive(
        &mut self,
        arrival: Arrival,
        world: &mut World<'_>,
    ) -> Result<bool, Fault> {
        let Some(client) = &mut self.client else { return Ok(false) };
        let bytes = match arrival.what {
            What::Bytes(bytes) => bytes,
            What::Closed(_) if self.farewell.is_some() => {
                self.part(arrival.at, world);
                return Ok(false);
            }
            What::Closed(why) => {
                return Err(Fault::new(format!("the server left user {}", self.number + 1))
                    .because(why)
                    .fix("look at the server's log: it has ended, or takes no more sessions"));
            }
        };
        let events = match client.feed(&bytes) {
            // However it says that the session has ended.
            Err(_) if self.farewell.is_some() => {
                self.part(arrival.at, world);
                return Ok(false);
            }
            fed => fed?,
        };
        let output = client.take_output();
        if !output.is_empty() {
            world.net.send(self.seat, &output);
        }
        let is_updated = events.contains(&Event::Updated);
        if is_updated {
            self.last_update = arrival.at;
            self.look(arrival.at, world);
        }
        Ok(is_updated)
    }

    /// Sees which responses are there.
    fn look(&mut self, at: Nanos, world: &mut World<'_>) {
        let Some(client) = &self.client else { return };
        let (book, screen) = (&self.book, client.screen());
        let mut was_awaited = false;
        self.pending.retain_mut(|pending| {
            let shown = match &mut pending.sought {
                Sought::Wait(wait) => wait.look(screen, at),
                sought => sought.is_on(screen, book).then_some(at),
            };
            if let Some(shown) = shown {
                was_awaited |= pending.is_awaited;
                world.responses.extend(pending.ended(shown, Ending::Seen));
            }
            shown.is_none()
        });
        if self.pending.is_empty() || was_awaited {
            self.lost_in_a_row = 0;
            self.go_on(at);
        }
    }

    /// Sees what has come to rest by `now`.
    fn rest(&mut self, now: Nanos, world: &mut World<'_>) {
        let mut rested = false;
        self.pending.retain(|pending| {
            let Sought::Wait(wait) = &pending.sought else { return true };
            let Some(at) = wait.rested(now) else { return true };
            rested = true;
            world.responses.extend(pending.ended(at, Ending::Seen));
            false
        });
        if rested {
            self.lost_in_a_row = 0;
            self.go_on(now);
        }
    }

    /// Goes on if it waited, and for nothing more.
    fn go_on(&mut self, at: Nanos) {
        if self.next == NEVER && self.pending.is_empty() {
            self.next = at + self.gap();
        }
    }

    /// Gives up what should have come by `now`.
    fn give_up(&mut self, now: Nanos, world: &mut World<'_>) -> Result<(), Fault> {
        if self.pending.iter().all(|pending| pending.deadline > now) {
            return Ok(());
        }
        let screen = self.client.as_ref().map(|client| client.screen());
        let (book, last_update) = (&self.book, self.last_update);
        let (mut lost, mut is_still, mut no_logon) = (0, false, false);
        self.pending.retain(|pending| {
            if pending.deadline > now {
                return true;
            }
            let end = pending.sought.missed(book, screen);
            lost += 1;
            is_still |= last_update < pending.sent;
            no_logon |= matches!(pending.sought, Sought::Logon);
            world.responses.extend(pending.ended(now, end));
            false
        });
        self.lost_in_a_row += lost;
        self.go_on(now);
        let user = self.number + 1;
        if no_logon {
            return Err(Fault::new(format!("user {user} could not log on"))
                .because(format!("the screen did not come within {LOGON}"))
                .fix("look at the server's log, or use fewer --users"));
        }
        if self.lost_in_a_row >= FROZEN && is_still {
            return Err(Fault::new(format!("the screen of user {user} stands still"))
                .because(format!(
                    "{} responses in a row did not come, and nothing else was painted meanwhile",
                    self.lost_in_a_row
                ))
                .fix("look whether its application has ended or waits for an answer"));
        }
        Ok(())
    }
}

impl Sought {
    /// The picture; `None` if there is none.
    fn picture<'a>(&self, book: &'a Playbook) -> Option<&'a Picture> {
        match self {
            Self::Logon => book.logon.as_ref(),
            Self::Beat(act, index) => book.acts[*act][*index].picture.as_ref(),
            Self::Wait(_) => None,
        }
    }

    /// Whether its picture is on the screen, or there is none.
    fn is_on(&self, screen: &Screen, book: &Playbook) -> bool {
        self.picture(book).is_none_or(|picture| picture.on(screen) == Sight::Shown)
    }

    /// How its response ended that was given up while this was on the screen.
    fn missed(&self, book: &Playbook, screen: Option<&Screen>) -> Ending {
        let sight = self.picture(book).zip(screen).map(|(what, on)| what.on(on));
        match (self, sight) {
            (Self::Wait(wait), _) if wait.has_changed() => Ending::Mismatched,
            (_, None | Some(Sight::Before)) => Ending::Lost,
            (_, Some(Sight::Shown | Sight::Other)) => Ending::Mismatched,
        }
    }
}

impl Pending {
    /// When it is to be looked at again at the latest.
    fn wakes(&self) -> Nanos {
        match &self.sought {
            Sought::Wait(wait) => self.deadline.min(wait.rests().unwrap_or(NEVER)),
            Sought::Logon | Sought::Beat(..) => self.deadline,
        }
    }

    /// The response as it ended at `at`; `None` if it is not timed.
    fn ended(&self, at: Nanos, end: Ending) -> Option<Response> {
        let (latency, lag) = (at.since(self.due), self.sent.since(self.due));
        self.class.map(|class| Response { class, latency, lag, end })
    }
}
