//! `FakeRfb`: servers of desktops in virtual time, whose answers queueing theory knows.
//!
//! All screens share one station of servers with one queue. A stroke is drawn once it was served, in a cell
//! of its own; meanwhile a clock outside of the text ticks with every key, as tool bars do.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;
use rand_core::Rng as _;

use super::net::{Arrival, Net, What};
use super::rfb::vnc_response;

/// The screen: lines of cells, of which the first is the clock's.
const CELL: (u16, u16) = (4, 6);
const COLUMNS: u16 = 24;
const LINES: u16 = 8;
pub(crate) const SIZE: (u16, u16) = (CELL.0 * COLUMNS, CELL.1 * LINES);

/// How such servers are.
#[derive(Debug, Clone)]
pub(crate) struct FakeModel {
    /// Servers of the station.
    pub(crate) servers: usize,
    /// Mean service time of a key.
    pub(crate) service: Nanos,
    /// Exponentially distributed, or always the same.
    pub(crate) is_random: bool,
    /// The way there and back.
    pub(crate) delay: Nanos,
    /// Who wants in has to know it.
    pub(crate) password: Option<&'static [u8]>,
    /// Most connections; one more is refused.
    pub(crate) sessions_max: usize,
    /// From then on nothing is painted any more.
    pub(crate) frozen_from: Option<Nanos>,
    /// Then all connections end.
    pub(crate) killed_at: Option<Nanos>,
    /// Every so manieth stroke is drawn as another one.
    pub(crate) misprint: Option<u64>,
    /// The version that it speaks.
    pub(crate) version: &'static [u8; 12],
    /// Whether it ends a session by [`LOG_OFF`].
    pub(crate) obeys: Obeys,
}

/// The symbol of the key that ends a session: F12.
pub(crate) const LOG_OFF: u32 = 0xffc9;

/// Whether a server ends a session when it is asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obeys {
    Yes,
    No,
}

impl Default for FakeModel {
    fn default() -> Self {
        Self {
            servers: 1,
            service: Nanos::from_millis(1),
            is_random: false,
            delay: Nanos::ZERO,
            password: None,
            sessions_max: usize::MAX,
            frozen_from: None,
            killed_at: None,
            misprint: None,
            version: b"RFB 003.008\n",
            obeys: Obeys::Yes,
        }
    }
}

/// What happens at a moment.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    ToServer(usize, Vec<u8>),
    Served(usize, u32),
    ToClient(usize, Vec<u8>),
    Ended(usize),
    Killed,
}

/// How far a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Version,
    Security,
    Response,
    Init,
    Messages,
}

/// One screen.
#[derive(Debug)]
struct Desk {
    stage: Stage,
    inbox: Vec<u8>,
    /// The next cell, from 0 in the line below the clock.
    cell: u16,
    ctrl: bool,
    is_selected: bool,
    ticks: u32,
}

/// Screens and their station, as a net.
pub(crate) struct FakeRfb {
    model: FakeModel,
    now: Nanos,
    desks: Vec<Option<Desk>>,
    events: BinaryHeap<Reverse<(Nanos, u64, Event)>>,
    count: u64,
    /// When each server of the station is free.
    free: Vec<Nanos>,
    rng: Rng,
    strokes: u64,
    served: u64,
    busy: Nanos,
}

const CHALLENGE: [u8; 16] = *b"a challenge of 1";

impl FakeRfb {
    pub(crate) fn new(model: FakeModel, seed: u64) -> Self {
        let mut fake = Self {
            now: Nanos::ZERO,
            desks: Vec::new(),
            events: BinaryHeap::new(),
            count: 0,
            free: vec![Nanos::ZERO; model.servers],
            rng: seed::rng(seed),
            strokes: 0,
            served: 0,
            busy: Nanos::ZERO,
            model,
        };
        if let Some(time) = fake.model.killed_at {
            fake.at(time, Event::Killed);
        }
        fake
    }

    /// Keys that were served, and the time that they took of the servers.
    pub(crate) const fn served(&self) -> (u64, Nanos) {
        (self.served, self.busy)
    }

    fn at(&mut self, time: Nanos, event: Event) {
        self.count += 1;
        self.events.push(Reverse((time, self.count, event)));
    }

    fn half_way(&self) -> Nanos {
        Nanos(self.model.delay.0 / 2)
    }

    /// Says something to a client.
    fn say(&mut self, user: usize, bytes: Vec<u8>) {
        let time = self.now + self.half_way();
        self.at(time, Event::ToClient(user, bytes));
    }

    /// Serves a key, after those that came before.
    fn serve(&mut self, user: usize, symbol: u32) {
        let unit = ((self.rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        let factor = if self.model.is_random { -unit.ln() } else { 1.0 };
        let time = Nanos((self.model.service.0 as f64 * factor) as u64);
        let first = (0..self.free.len()).min_by_key(|server| self.free[*server]).unwrap_or(0);
        let end = self.free[first].max(self.now) + time;
        self.free[first] = end;
        self.busy = self.busy + time;
        self.at(end, Event::Served(user, symbol));
    }

    fn happen(&mut self, event: Event, arrivals: &mut Vec<Arrival>) {
        match event {
            Event::ToServer(user, bytes) => self.hear(user, &bytes),
            Event::Served(user, symbol) => self.draw(user, symbol),
            Event::ToClient(user, bytes) => {
                if self.desks[user].is_some() {
                    arrivals.push(Arrival { user, at: self.now, what: What::Bytes(bytes) });
                }
            }
            Event::Ended(user) => self.end(user, arrivals),
            Event::Killed => (0..self.desks.len()).for_each(|user| self.end(user, arrivals)),
        }
    }

    /// Closes a connection.
    fn end(&mut self, user: usize, arrivals: &mut Vec<Arrival>) {
        if self.desks[user].take().is_some() {
            let what = What::Closed("it closed the connection".to_owned());
            arrivals.push(Arrival { user, at: self.now, what });
        }
    }

    /// Takes bytes of a client.
    fn hear(&mut self, user: usize, bytes: &[u8]) {
        let Some(desk) = &mut self.desks[user] else { return };
        desk.inbox.extend_from_slice(bytes);
        while let Some(length) = self.message(user) {
            if let Some(desk) = &mut self.desks[user] {
                desk.inbox.drain(..length);
            }
        }
    }

    /// Heeds the first message of a client, if it is whole; gives its length.
    fn message(&mut self, user: usize) -> Option<usize> {
        let desk = self.desks[user].as_mut()?;
        let inbox = desk.inbox.clone();
        let (first, has) =
            (*inbox.first()?, |count: usize| (inbox.len() >= count).then_some(count));
        match desk.stage {
            Stage::Version => {
                let length = has(12)?;
                let old = &inbox[..12] == b"RFB 003.003\n";
                let kind = if self.model.password.is_some() { 2 } else { 1 };
                desk.stage = match (old, kind) {
                    (false, _) => Stage::Security,
                    (true, 1) => Stage::Init,
                    (true, _) => Stage::Response,
                };
                let mut said = if old { vec![0, 0, 0, kind] } else { vec![1, kind] };
                if old && kind == 2 {
                    said.extend(CHALLENGE);
                }
                self.say(user, said);
                Some(length)
            }
            Stage::Security => {
                let is_old = self.model.version != b"RFB 003.008\n";
                desk.stage = if first == 2 { Stage::Response } else { Stage::Init };
                match (first, is_old) {
                    (2, _) => self.say(user, CHALLENGE.to_vec()),
                    (_, true) => {}
                    (_, false) => self.say(user, vec![0; 4]),
                }
                Some(1)
            }
            Stage::Response => {
                let length = has(16)?;
                let expected = vnc_response(self.model.password?, CHALLENGE);
                desk.stage = Stage::Init;
                match inbox[..16] == expected {
                    true => self.say(user, vec![0; 4]),
                    false => self.say(user, [&[0, 0, 0, 1, 0, 0, 0, 2][..], b"no"].concat()),
                }
                Some(length)
            }
            Stage::Init => {
                desk.stage = Stage::Messages;
                let mut said = Vec::new();
                [SIZE.0, SIZE.1].iter().for_each(|number| said.extend(number.to_be_bytes()));
                said.extend([0; 16]);
                said.extend([0, 0, 0, 4]);
                said.extend(b"fake");
                self.say(user, said);
                Some(1)
            }
            Stage::Messages => self.request(user, first, &inbox),
        }
    }

    /// A message of the running connection.
    fn request(&mut self, user: usize, kind: u8, inbox: &[u8]) -> Option<usize> {
        let has = |count: usize| (inbox.len() >= count).then_some(count);
        let length = match kind {
            0 => 20,
            2 => has(4).map(|_| 4 + 4 * usize::from(u16::from_be_bytes([inbox[2], inbox[3]])))?,
            3 | 150 => 10,
            4 => 8,
            5 => 6,
            248 => has(9).map(|_| 9 + usize::from(inbox[8]))?,
            other => panic!("a client sends {other}"),
        };
        has(length)?;
        match kind {
            // It can go on unasked, and wants to know how far the client is.
            2 => {
                self.say(user, vec![150]);
                self.say(user, vec![248, 0, 0, 0, 0x80, 0, 0, 1, 2, 7, 7]);
            }
            3 if inbox[1] == 0 => {
                let white = [0xff, 0xff, 0xff, 0];
                self.paint(user, (0, 0, SIZE.0, SIZE.1), |_| white);
            }
            4 if inbox[1] == 1 => {
                let symbol = [inbox[4], inbox[5], inbox[6], inbox[7]];
                self.press(user, u32::from_be_bytes(symbol));
            }
            4 if inbox[7] == 0xe3 => {
                if let Some(desk) = &mut self.desks[user] {
                    desk.ctrl = false;
                }
            }
            _ => {}
        }
        Some(length)
    }

    /// A key goes down.
    fn press(&mut self, user: usize, symbol: u32) {
        if symbol == LOG_OFF {
            if self.model.obeys == Obeys::Yes {
                let time = self.now + self.half_way();
                self.at(time, Event::Ended(user));
            }
            return;
        }
        let Some(desk) = &mut self.desks[user] else { return };
        if symbol == 0xffe3 {
            desk.ctrl = true;
            return;
        }
        desk.ticks += 1;
        let color = [desk.ticks as u8, 0, 0, 0];
        let symbol = if desk.ctrl { symbol | 1 << 31 } else { symbol };
        // The tool bar moves at once.
        self.paint(user, (0, 0, CELL.0, CELL.1), |_| color);
        self.serve(user, symbol);
    }

    /// Draws what a key does.
    fn draw(&mut self, user: usize, symbol: u32) {
        self.served += 1;
        let Some(desk) = &mut self.desks[user] else { return };
        let text = (0, CELL.1, SIZE.0, SIZE.1 - CELL.1);
        match symbol {
            0xffff if desk.is_selected => {
                (desk.is_selected, desk.cell) = (false, 0);
                self.paint(user, text, |_| [0xff, 0xff, 0xff, 0]);
            }
            _ if symbol == 1 << 31 | u32::from('a') => {
                desk.is_selected = true;
                self.paint(user, text, |_| [0x80, 0, 0, 0]);
            }
            0xff0d => desk.cell = (desk.cell / COLUMNS + 1) * COLUMNS,
            symbol => {
                let (x, y) = (desk.cell % COLUMNS * CELL.0, (1 + desk.cell / COLUMNS) * CELL.1);
                desk.cell += 1;
                self.strokes += 1;
                let is_wrong =
                    self.model.misprint.is_some_and(|nth| self.strokes.is_multiple_of(nth));
                let pattern = (symbol & 0xff).wrapping_mul(0x0123_4567);
                self.paint(user, (x, y, CELL.0, CELL.1), |pixel| {
                    let is_ink = symbol != 0x20 && (pattern >> (pixel % 24) & 1 == 1 || pixel < 4);
                    // Half of another one is in a wrong one.
                    let is_ink = is_ink && !(is_wrong && pixel % 2 == 0);
                    if is_ink { [0; 4] } else { [0xff, 0xff, 0xff, 0] }
                });
            }
        }
    }

    /// Sends an update of one rectangle.
    fn paint(
        &mut self,
        user: usize,
        (x, y, width, height): (u16, u16, u16, u16),
        color: impl Fn(u32) -> [u8; 4],
    ) {
        if self.model.frozen_from.is_some_and(|from| self.now >= from) {
            return;
        }
        let mut said = vec![0, 0, 0, 1];
        [x, y, width, height].iter().for_each(|number| said.extend(number.to_be_bytes()));
        said.extend([0; 4]);
        (0..u32::from(width) * u32::from(height)).for_each(|pixel| said.extend(color(pixel)));
        self.say(user, said);
    }
}

impl Net for FakeRfb {
    fn now(&mut self) -> Nanos {
        self.now
    }

    fn connect(&mut self, user: usize) -> Result<(), Fault> {
        if self.desks.len() <= user {
            self.desks.resize_with(user + 1, || None);
        }
        let open = self.desks.iter().flatten().count();
        self.desks[user] = Some(Desk {
            stage: Stage::Version,
            inbox: Vec::new(),
            cell: 0,
            ctrl: false,
            is_selected: false,
            ticks: 0,
        });
        self.say(user, self.model.version.to_vec());
        if open >= self.model.sessions_max {
            self.say(user, [&[0, 0, 0, 0, 9][..], b"too many!"].concat());
            if let Some(desk) = &mut self.desks[user] {
                desk.stage = Stage::Response;
            }
        }
        Ok(())
    }

    fn send(&mut self, user: usize, bytes: &[u8]) {
        let time = self.now + self.half_way();
        self.at(time, Event::ToServer(user, bytes.to_vec()));
    }

    fn close(&mut self, user: usize) {
        if let Some(desk) = self.desks.get_mut(user) {
            *desk = None;
        }
    }

    fn wait(&mut self, deadline: Nanos, arrivals: &mut Vec<Arrival>) {
        while let Some(Reverse((time, ..))) = self.events.peek() {
            let time = *time;
            if time > deadline || !arrivals.is_empty() && time > self.now {
                break;
            }
            self.now = self.now.max(time);
            if let Some(Reverse((_, _, event))) = self.events.pop() {
                self.happen(event, arrivals);
            }
        }
        if arrivals.is_empty() {
            self.now = self.now.max(deadline);
        }
    }
}
