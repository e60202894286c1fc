//! Reference systems whose answers queueing theory knows.
//!
//! With N requests always outstanding (closed loop, no think time) the answers are exact for any
//! distribution of service times: a station of c servers is always busy once N >= c, so its
//! throughput is c / S and the mean response time N S / c; below that every request is served at
//! once (throughput N / S, response time S). See e.g. E. Lazowska et al., "Quantitative System
//! Performance", 1984, chapters 3 and 6.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kneepoint_core::load::backend::{Backend, Completion, Flush, Io};
use kneepoint_core::words::seed::{self, Rng};
use kneepoint_core::words::units::Nanos;
use rand_core::Rng as _;

/// How long one I/O is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Always the same time.
    Constant,
    /// Exponentially distributed.
    Exponential,
}

/// A station with servers and one queue, first come first served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalyticSystem {
    /// Mean service time.
    pub service_mean: Nanos,
    /// Its distribution.
    pub service: Service,
    /// Number of servers; `None` for as many as there are I/Os.
    pub servers: Option<u32>,
    /// A time in which nothing leaves the station.
    pub stall: Option<Stall>,
    /// How long every flush takes, however many are in flight; it keeps no server from its I/Os. `None` if
    /// the station knows of no flushes.
    pub flush: Option<Nanos>,
}

/// A station that stands still: what would leave in this time leaves at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stall {
    /// When it begins.
    pub start: Nanos,
    /// How long it lasts.
    pub length: Nanos,
}

impl AnalyticSystem {
    /// Every I/O takes `service`, whatever else is in flight.
    pub const fn fixed(service: Nanos) -> Self {
        Self {
            service_mean: service,
            service: Service::Constant,
            servers: None,
            stall: None,
            flush: None,
        }
    }

    /// One server with a constant service time.
    pub const fn md1(service: Nanos) -> Self {
        Self { servers: Some(1), ..Self::fixed(service) }
    }

    /// One server with exponential service times.
    pub const fn mm1(service: Nanos) -> Self {
        Self::mmc(service, 1)
    }

    /// `servers` servers with exponential service times.
    pub const fn mmc(service: Nanos, servers: u32) -> Self {
        Self { service: Service::Exponential, servers: Some(servers), ..Self::fixed(service) }
    }

    /// Returns what is wrong with the parameters, if anything.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        match self {
            Self { service_mean: Nanos(0), .. } => Err("service must be longer than nothing"),
            Self { servers: Some(0), .. } => Err("it takes at least one server"),
            Self { servers: Some(65_537..), .. } => Err("it takes at most 65,536 servers"),
            _ => Ok(()),
        }
    }
}

/// Reference systems in virtual time, one per target.
#[derive(Debug)]
pub struct AnalyticBackend {
    now: Nanos,
    stations: Vec<Station>,
    /// Departures by (time, order of submission).
    departures: BinaryHeap<Reverse<(Nanos, u64, u32, u32)>>,
    sequence: u64,
}

#[derive(Debug)]
struct Station {
    system: AnalyticSystem,
    /// Times at which the servers become free.
    free_at: BinaryHeap<Reverse<Nanos>>,
    rng: Rng,
}

impl AnalyticBackend {
    /// Stations for `systems`, one per target, at time zero; the first is number `first` of the whole
    /// plan.
    pub fn new((systems, first): (&[AnalyticSystem], u32), seed: u64) -> Self {
        let stations = systems.iter().zip(u64::from(first)..).map(|(system, number)| Station {
            system: *system,
            free_at: vec![Reverse(Nanos::ZERO); system.servers.unwrap_or(0) as usize].into(),
            rng: seed::rng(seed::derive(seed, "station", number)),
        });
        Self {
            now: Nanos::ZERO,
            stations: stations.collect(),
            departures: BinaryHeap::new(),
            sequence: 0,
        }
    }
}

impl Station {
    /// When an I/O that arrives now leaves.
    fn departure(&mut self, now: Nanos) -> Nanos {
        let service = self.draw_service();
        if self.system.servers.is_none() {
            return self.after_stall(now + service);
        }
        let Reverse(free) = self.free_at.pop().expect("a station has a server");
        let departure = self.after_stall(now.max(free) + service);
        self.free_at.push(Reverse(departure));
        departure
    }

    /// The end of the stall for what would leave during it.
    fn after_stall(&self, departure: Nanos) -> Nanos {
        match self.system.stall {
            Some(Stall { start, length }) if departure >= start => departure.max(start + length),
            _ => departure,
        }
    }

    fn draw_service(&mut self) -> Nanos {
        let mean = self.system.service_mean;
        match self.system.service {
            Service::Constant => mean,
            Service::Exponential => {
                let unit = ((self.rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
                Nanos((-libm::log(unit) * mean.0 as f64).round() as u64)
            }
        }
    }
}

impl Backend for AnalyticBackend {
    fn now(&self) -> Nanos {
        self.now
    }

    fn submit(&mut self, io: Io) {
        let departure = self.stations[io.target as usize].departure(self.now);
        self.sequence += 1;
        self.departures.push(Reverse((departure, self.sequence, io.slot, io.bytes)));
    }

    fn flush(&mut self, flush: Flush) {
        let station = &self.stations[flush.target as usize];
        // A plan with flushes is refused for a station that knows of none.
        let departure = station.after_stall(self.now + station.system.flush.unwrap_or_default());
        self.sequence += 1;
        self.departures.push(Reverse((departure, self.sequence, flush.slot, 0)));
    }

    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        match self.departures.peek().copied() {
            Some(Reverse((at, _, slot, bytes))) if at <= deadline => {
                self.departures.pop();
                self.now = at;
                done.push(Completion { slot, at, result: bytes as i32 });
            }
            _ => self.now = self.now.max(deadline),
        }
    }
}
