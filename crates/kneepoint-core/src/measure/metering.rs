//! What the machine of a server does while users work at it, as whoever is there reads it.

use serde::{Deserialize, Serialize};

use crate::result::Warning;
use crate::result::warning::{MemoryFit, Metered};
use crate::words::fault::Fault;
use crate::words::units::Nanos;

/// What is asked of whoever is on the machine of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeterRequest {
    /// The server as a target is called.
    pub server: String,
    /// Users that have come to it.
    pub users: usize,
    /// How much is read.
    pub depth: MeterDepth,
}

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeterDepth {
    /// Counters, which is cheap.
    Counters,
    /// Memory of processes as well.
    All,
}

/// What was read there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerReading {
    /// When, by the monotonic clock there.
    pub at: Nanos,
    /// Whose processor time it is.
    pub of: Metered,
    /// Processor time that was used so far, in seconds.
    pub used_s: f64,
    /// Processors that may be used.
    pub available: f64,
    /// How long a process has waited for one so far, in microseconds; `None` if the kernel does not tell.
    pub stalled_us: Option<u64>,
    /// What the machine has sent and received; `None` if that is not counted.
    pub network: Option<NetworkCount>,
    /// Memory; `None` if it was not asked for, or cannot be read.
    pub memory: Option<MemoryTaken>,
}

/// Bytes that went over interfaces so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkCount {
    /// The interfaces: `eth0, eth1`.
    pub interfaces: String,
    /// Bytes that came in.
    pub received: u64,
    /// Bytes that went out.
    pub sent: u64,
}

/// Memory that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryTaken {
    /// By whom.
    pub of: Metered,
    /// Bytes.
    pub bytes: u64,
    /// Bytes that the machine has.
    pub machine_bytes: u64,
}

/// Someone who reads what the machine of a server does.
pub trait ServerMeter {
    /// A point begins; does not wait for anything.
    fn begin(&mut self, users: usize);

    /// The point has ended; gives what was read at its beginning and what is read now.
    ///
    /// # Errors
    /// When one of them is missing.
    fn end(&mut self, users: usize) -> Result<[ServerReading; 2], Fault>;
}

/// A server whose machine is metered while points are measured.
pub struct MeteredServer {
    /// Who meters it.
    host: String,
    meter: Box<dyn ServerMeter>,
    /// Users that have come so far: those who are too many for a point rest where they are.
    users: usize,
    /// Users that had come, and the bytes that were taken then.
    memory: Vec<(usize, u64)>,
}

impl MeteredServer {
    /// The server that `host` meters.
    pub fn new(host: &str, meter: Box<dyn ServerMeter>) -> Self {
        Self { host: host.to_owned(), meter, users: 0, memory: Vec::new() }
    }

    /// A point with this number of users begins.
    pub fn begin(&mut self, users: usize) {
        self.users = self.users.max(users);
        self.meter.begin(self.users);
    }

    /// The point has ended: what the server took meanwhile, or that it is not known.
    pub fn end(&mut self, users: usize) -> Vec<Warning> {
        let seen =
            self.meter.end(self.users).and_then(|[begin, end]| self.seen(users, &begin, &end));
        let seen = seen.unwrap_or_else(|fault| {
            let reason = fault.why().map_or_else(String::new, |why| format!(": {why}"));
            vec![Warning::ServerNotMetered { reason: format!("{}{reason}", fault.what()) }]
        });
        seen.into_iter().map(|warning| warning.on_host(&self.host)).collect()
    }

    fn seen(
        &mut self,
        users: usize,
        begin: &ServerReading,
        end: &ServerReading,
    ) -> Result<Vec<Warning>, Fault> {
        let processor = spent(users as u64, begin, end)?;
        let memory = end.memory.map(|memory| self.remember(memory));
        let network = moved(users as u64, begin, end);
        Ok(memory.into_iter().chain([processor]).chain(network).collect())
    }

    /// Memory now, and the line through what was seen so far.
    fn remember(&mut self, MemoryTaken { of, bytes, machine_bytes }: MemoryTaken) -> Warning {
        self.memory.push((self.users, bytes));
        Warning::SessionMemory {
            sessions: self.users as u64,
            bytes,
            fit: memory_line(&self.memory),
            of,
            machine_bytes: Some(machine_bytes),
        }
    }
}

/// Time between two readings, in seconds.
fn seconds(begin: &ServerReading, end: &ServerReading) -> f64 {
    end.at.since(begin.at).as_secs_f64()
}

/// What was used of the processors between two readings.
fn spent(users: u64, begin: &ServerReading, end: &ServerReading) -> Result<Warning, Fault> {
    let time_s = seconds(begin, end);
    if time_s <= 0.0 || end.used_s < begin.used_s || end.of != begin.of {
        return Err(Fault::new("its counters began again within the point"));
    }
    let stalled = end.stalled_us.zip(begin.stalled_us);
    let stalled = stalled.map(|(now, before)| now.saturating_sub(before) as f64 / 1e6 / time_s);
    Ok(Warning::SessionProcessor {
        sessions: users,
        used: (end.used_s - begin.used_s) / time_s,
        available: end.available,
        stalled_percent: stalled.map(|share| (100.0 * share).min(100.0)),
        of: end.of,
    })
}

/// What went over the network between two readings; `None` if its counters are not those of the same interfaces.
fn moved(users: u64, begin: &ServerReading, end: &ServerReading) -> Option<Warning> {
    let (before, now) = begin.network.as_ref().zip(end.network.as_ref())?;
    let per_s = |before: u64, now: u64| Some(now.checked_sub(before)? as f64 / seconds(begin, end));
    (before.interfaces == now.interfaces).then_some(())?;
    Some(Warning::ServerNetwork {
        users,
        received_per_s: per_s(before.received, now.received)?,
        sent_per_s: per_s(before.sent, now.sent)?,
        interfaces: now.interfaces.clone(),
    })
}

/// The line through numbers of sessions and their bytes; `None` if there are not three numbers of sessions, or
/// memory does not rise with them.
pub fn memory_line(seen: &[(usize, u64)]) -> Option<MemoryFit> {
    let mut numbers: Vec<usize> = seen.iter().map(|(sessions, _)| *sessions).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < 3 {
        return None;
    }
    let count = seen.len() as f64;
    let mean = |value: fn(&(usize, u64)) -> f64| seen.iter().map(value).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|(x, _)| *x as f64), mean(|(_, y)| *y as f64));
    let off = |(x, y): &(usize, u64)| (*x as f64 - x_mean, *y as f64 - y_mean);
    let squares: f64 = seen.iter().map(|point| off(point).0 * off(point).0).sum();
    let products: f64 = seen.iter().map(|point| off(point).0 * off(point).1).sum();
    let slope = products / squares;
    let base = y_mean - slope * x_mean;
    let residual = |(x, y): &(usize, u64)| (base + slope * *x as f64) / *y as f64 - 1.0;
    let error = seen.iter().map(|point| residual(point).abs()).fold(0.0, f64::max);
    (slope > 0.0).then_some(MemoryFit {
        base_bytes: base,
        session_bytes: slope,
        error_percent: 100.0 * error,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    fn reading(at_s: u64, used_s: f64) -> ServerReading {
        ServerReading {
            at: Nanos::from_secs(at_s),
            of: Metered::Machine,
            used_s,
            available: 4.0,
            stalled_us: Some(at_s * 250_000),
            network: Some(NetworkCount {
                interfaces: "eth0".to_owned(),
                received: at_s * 1_000,
                sent: at_s * 3_000,
            }),
            memory: None,
        }
    }

    fn with_memory(bytes: u64, reading: ServerReading) -> ServerReading {
        let memory = MemoryTaken { of: Metered::Machine, bytes, machine_bytes: 8_000_000_000 };
        ServerReading { memory: Some(memory), ..reading }
    }

    /// Reads what was written down.
    struct Written(VecDeque<Result<[ServerReading; 2], Fault>>);

    impl ServerMeter for Written {
        fn begin(&mut self, _users: usize) {}

        fn end(&mut self, _users: usize) -> Result<[ServerReading; 2], Fault> {
            self.0.pop_front().unwrap()
        }
    }

    fn server(readings: Vec<Result<[ServerReading; 2], Fault>>) -> MeteredServer {
        MeteredServer::new("s", Box::new(Written(readings.into())))
    }

    #[test]
    fn what_the_server_took_is_the_difference_of_two_readings() {
        let mut server =
            server(vec![Ok([reading(100, 50.0), with_memory(1_000_000_000, reading(110, 65.0))])]);
        server.begin(5);
        let seen = server.end(5);
        assert!(seen.iter().all(|warning| warning.host() == Some("s")), "{seen:?}");
        let bare: Vec<&Warning> = seen.iter().map(Warning::bare).collect();
        let memory = Warning::SessionMemory {
            sessions: 5,
            bytes: 1_000_000_000,
            fit: None,
            of: Metered::Machine,
            machine_bytes: Some(8_000_000_000),
        };
        let processor = Warning::SessionProcessor {
            sessions: 5,
            used: 1.5,
            available: 4.0,
            stalled_percent: Some(25.0),
            of: Metered::Machine,
        };
        let network = Warning::ServerNetwork {
            users: 5,
            received_per_s: 1_000.0,
            sent_per_s: 3_000.0,
            interfaces: "eth0".to_owned(),
        };
        assert_eq!(bare, [&memory, &processor, &network]);
    }

    #[test]
    fn what_was_not_counted_is_not_made_up() {
        let told = |end: ServerReading| {
            let mut server = server(vec![Ok([reading(100, 50.0), end])]);
            server.begin(1);
            server.end(1).iter().map(|warning| warning.bare().kind()).collect::<Vec<_>>()
        };
        assert_eq!(told(reading(110, 65.0)), ["session_processor", "server_network"]);
        let bare = ServerReading { network: None, ..reading(110, 65.0) };
        assert_eq!(told(bare), ["session_processor"]);
        // The machine or its agent was started again, or other interfaces came.
        assert_eq!(told(reading(90, 65.0)), ["server_not_metered"]);
        assert_eq!(told(reading(110, 5.0)), ["server_not_metered"]);
        let mut other = reading(110, 65.0);
        other.network.as_mut().unwrap().interfaces = "eth0, eth1".to_owned();
        assert_eq!(told(other), ["session_processor"]);
        let other = ServerReading { of: Metered::Sessions, ..reading(110, 65.0) };
        assert_eq!(told(other), ["server_not_metered"]);
    }

    #[test]
    fn a_point_without_readings_says_why_and_the_next_goes_on() {
        let taken = |users: u64, at_s: u64| {
            let bytes = 500_000_000 + 60_000_000 * users;
            Ok([reading(at_s, 0.0), with_memory(bytes, reading(at_s + 10, 1.0))])
        };
        let lost = Err(Fault::new("s is lost").because("its agent has left the bus"));
        let mut server = server(vec![taken(1, 0), lost, taken(5, 20), taken(9, 40), taken(9, 60)]);
        let mut told = Vec::new();
        for users in [1, 3, 5, 9, 2] {
            server.begin(users);
            told.push(server.end(users));
        }
        let reason = "s is lost: its agent has left the bus".to_owned();
        assert_eq!(told[1], [Warning::ServerNotMetered { reason }.on_host("s")]);
        // Nine users have come, although two of them work in the last point.
        let Warning::SessionMemory { sessions, fit: Some(fit), .. } = told[4][0].bare() else {
            panic!("{told:?}")
        };
        assert_eq!(*sessions, 9);
        assert!((fit.session_bytes - 60e6).abs() < 1.0 && fit.error_percent < 1e-6, "{fit:?}");
    }

    #[test]
    fn memory_is_a_base_and_a_part_for_each_session() {
        let line = |sessions: usize| (sessions, 128_000_000 + 20_000_000 * sessions as u64);
        let found = memory_line(&[line(1), line(5), line(10)]).unwrap();
        assert!((found.base_bytes - 128e6).abs() < 1.0 && (found.session_bytes - 20e6).abs() < 1.0);
        assert!(found.error_percent < 1e-6);
        let bent = memory_line(&[line(1), line(5), (10, 656_000_000)]).unwrap();
        assert!(bent.error_percent > 5.0, "{bent:?}");
        assert_eq!(memory_line(&[line(1), line(5), line(5)]), None, "two numbers are any line");
        assert_eq!(memory_line(&[(1, 3), (2, 2), (3, 1)]), None);
    }
}
