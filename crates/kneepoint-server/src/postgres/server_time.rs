//! Processor time of a server on this machine: it works for the load, so it is no one else's.

use std::fs;
use std::ops::Range;
use std::time::{Duration, Instant};

use kneepoint_core::measure::trust::Observation;

use crate::testbed::Watcher;

/// Readings are at least this far apart.
const PAUSE: Duration = Duration::from_millis(50);

/// The server's first process: all others are its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ServerProcess(i32);

/// Where the processes of a server are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerPlace {
    /// On another machine: whatever else runs here is someone else's.
    Elsewhere,
    /// On this machine, where they may not be known, as with a server in a container: then it cannot be told
    /// whose the processor time is.
    Here(Option<ServerProcess>),
}

/// Processor time in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Used {
    pub(crate) user_s: f64,
    pub(crate) system_s: f64,
}

impl ServerProcess {
    /// The one whose child `backend` is; `None` if that is no process of a server on this machine, as with
    /// one in a container.
    pub(super) fn of_backend(backend: i32) -> Option<Self> {
        let stat = Stat::read(backend).filter(|stat| stat.is_server)?;
        Stat::read(stat.parent).filter(|first| first.is_server).map(|_| Self(stat.parent))
    }

    /// What all its processes have used, those that ended among them.
    pub(super) fn used(self) -> Option<Used> {
        let first = Stat::read(self.0)?;
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.0)).ok()?;
        let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        let ticks = children.filter_map(Stat::read).fold(
            [first.ticks[0] + first.ticks[2], first.ticks[1] + first.ticks[3]],
            |[user, system], child| [user + child.ticks[0], system + child.ticks[1]],
        );
        let per_s = rustix::param::clock_ticks_per_second() as f64;
        let [user_s, system_s] = ticks.map(|ticks| ticks as f64 / per_s);
        Some(Used { user_s, system_s })
    }
}

/// What `/proc/PID/stat` has of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    is_server: bool,
    parent: i32,
    /// Its own user and system time, and that of its children that have ended.
    ticks: [u64; 4],
}

impl Stat {
    fn read(pid: i32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let (start, rest) = text.rsplit_once(')')?;
        let (_, name) = start.split_once('(')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // Fields are counted from 1 in proc(5); the third stands first here.
        let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse().ok());
        Some(Self {
            is_server: name == "postgres" || name == "postmaster",
            parent: fields.get(1)?.parse().ok()?,
            ticks: [field(14)?, field(15)?, field(16)?, field(17)?],
        })
    }
}

/// A watcher to whom the server is part of what measures.
pub(crate) struct ServerWatch {
    inner: Box<dyn Watcher>,
    /// Tells what the server has used so far; `None` if that is not known.
    used: Box<dyn Fn() -> Option<Used>>,
    /// The number of intervals after which the server had used this much.
    readings: Vec<(usize, Option<Used>)>,
    last: Option<Instant>,
}

impl ServerWatch {
    pub(crate) fn new(inner: Box<dyn Watcher>, used: impl Fn() -> Option<Used> + 'static) -> Self {
        Self { inner, used: Box::new(used), readings: Vec::new(), last: None }
    }
}

impl Watcher for ServerWatch {
    fn read(&mut self, intervals: usize) {
        self.inner.read(intervals);
        if self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            self.last = Some(Instant::now());
            self.readings.push((intervals, (self.used)()));
        }
    }

    fn finish(self: Box<Self>, counted: Range<usize>) -> Option<(Observation, f64)> {
        let (mut observation, cpu_percent) = self.inner.finish(counted)?;
        let used = used_within(&self.readings, &observation.window);
        observation.processor = observation.processor.zip(used).map(|(mut time, used)| {
            time.own_user_s += used.user_s;
            time.own_system_s += used.system_s;
            time
        });
        Some((observation, cpu_percent))
    }
}

/// What was used within these intervals, by the readings around them; `None` if one is missing.
fn used_within(readings: &[(usize, Option<Used>)], window: &Range<usize>) -> Option<Used> {
    let at = |place: usize| -> Option<Used> {
        let next = readings.partition_point(|(intervals, _)| *intervals < place);
        let after = readings.get(next).or(readings.last())?;
        let before = readings[..next].last().unwrap_or(after);
        let (low, high) = (before.1?, after.1?);
        let span = after.0.saturating_sub(before.0);
        let share = match span {
            0 => 1.0,
            span => ((place - before.0) as f64 / span as f64).min(1.0),
        };
        let between = |low: f64, high: f64| low + share * (high - low);
        Some(Used {
            user_s: between(low.user_s, high.user_s),
            system_s: between(low.system_s, high.system_s),
        })
    };
    let (start, end) = (at(window.start)?, at(window.end)?);
    Some(Used { user_s: end.user_s - start.user_s, system_s: end.system_s - start.system_s })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_read_whatever_they_are_called() {
        let line = "17 (postgres) S 16 17 17 0 -1 4194624 1 2 3 4 50 60 7 8 20 0 1 0";
        let stat = Stat { is_server: true, parent: 16, ticks: [50, 60, 7, 8] };
        assert_eq!(Stat::parse(line), Some(stat));
        let odd = Stat::parse(&line.replace("(postgres)", "(a) (b) c)")).unwrap();
        assert_eq!(odd, Stat { is_server: false, ..stat });
        assert_eq!(Stat::parse("17 (postgres"), None);
        assert_eq!(ServerProcess::of_backend(std::process::id() as i32), None);
    }

    #[test]
    fn what_was_used_is_that_between_readings() {
        let used = |user_s: f64| Some(Used { user_s, system_s: 2.0 * user_s });
        let readings = [(0, used(1.0)), (10, used(2.0)), (20, used(4.0))];
        let check = |window: Range<usize>, user_s: Option<f64>| {
            let found = used_within(&readings, &window);
            assert_eq!(found.map(|used| used.user_s), user_s, "{window:?}");
            assert_eq!(found.map(|used| used.system_s), user_s.map(|user_s| 2.0 * user_s));
        };
        check(0..20, Some(3.0));
        check(5..15, Some(1.5));
        check(10..10, Some(0.0));
        check(15..30, Some(1.0));
        assert_eq!(used_within(&[(0, used(1.0)), (10, None)], &(0..10)), None);
        assert_eq!(used_within(&[], &(0..10)), None);
    }
}
