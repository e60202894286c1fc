//! Hosts on a bus, each with an agent in a thread of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kneepoint_core::load::drive::{Flow, Watch as _};
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::record::recorder::{Completed, Recorder};
use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{
    Coordinator, Instrument, Observer, Outcome, Point, Ready, Stop, Testbed,
};
use kneepoint_core::plan::Plan;
use kneepoint_core::plan::resolve::{Site, Wishes};
use kneepoint_core::result::Environment;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::units::Nanos;
use kneepoint_device::testbed::DeviceTestbed;
use kneepoint_net::wire::LookRequest;
use kneepoint_net::{Agent, AgentEvent, Bus, Looked, Workshop};
use kneepoint_sim::SimTestbed;

use super::chaos::ChaosBus;

/// The fleet of all tests; each has a bus of its own.
pub(crate) const FLEET: &str = "test";

/// The true time, which is the controller's clock: it has run for ten hours.
pub(crate) fn now() -> Nanos {
    static START: OnceLock<Instant> = OnceLock::new();
    let elapsed = START.get_or_init(Instant::now).elapsed();
    Nanos(elapsed.as_nanos() as u64 + 36_000_000_000_000)
}

/// A clock that is ahead of the true time, or behind it, and goes too fast or too slow.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct HostClock {
    pub(crate) ahead_s: i64,
    pub(crate) drift_ppm: i64,
}

impl HostClock {
    fn now(self) -> Nanos {
        let truth = now().0 as i128;
        let drift = truth * i128::from(self.drift_ppm) / 1_000_000;
        Nanos((truth + drift + i128::from(self.ahead_s) * 1_000_000_000) as u64)
    }

    /// The true time at which this clock says `there`.
    fn truth(self, there: Nanos) -> Nanos {
        let there = there.0 as i128 - i128::from(self.ahead_s) * 1_000_000_000;
        Nanos((there * 1_000_000 / (1_000_000 + i128::from(self.drift_ppm))) as u64)
    }
}

/// What a host measures with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Simulated systems.
    Simulated,
    /// A target that does a thousand I/Os in a second of its host's clock, and begins so much later than it
    /// should.
    Metronome(Nanos),
}

/// A host.
struct Host {
    name: &'static str,
    clock: HostClock,
    kind: Kind,
    bus: Arc<ChaosBus>,
    /// True times at which points began.
    starts: Starts,
}

/// True times at which each host began.
pub(crate) type Starts = Arc<Mutex<BTreeMap<&'static str, Vec<Nanos>>>>;

/// Hosts whose agents end with them.
pub(crate) struct Hosts {
    pub(crate) bus: Arc<ChaosBus>,
    pub(crate) starts: Starts,
    threads: Vec<JoinHandle<()>>,
}

impl Hosts {
    /// Starts an agent on each host.
    pub(crate) fn start(bus: &Arc<ChaosBus>, hosts: &[(&'static str, HostClock, Kind)]) -> Self {
        let starts = Starts::default();
        let start = |(name, clock, kind): &(&'static str, HostClock, Kind)| {
            let (bus, starts) = (Arc::clone(bus), Arc::clone(&starts));
            let host = Host { name, clock: *clock, kind: *kind, bus: Arc::clone(&bus), starts };
            let (said, heard) = std::sync::mpsc::channel();
            let thread = thread::Builder::new().spawn(move || {
                let keys = (bus.key(), Arc::clone(&bus.agents));
                let agent = Agent::new((FLEET, host.name), (bus, keys.0, keys.1), &host);
                let agent = agent.listen().unwrap();
                said.send(()).unwrap();
                agent.serve().unwrap();
            });
            let thread = thread.unwrap();
            heard.recv().unwrap();
            thread
        };
        let threads = hosts.iter().map(start).collect();
        Self { bus: Arc::clone(bus), starts, threads }
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        self.bus.heal();
        self.bus.close();
        for thread in self.threads.drain(..) {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "an agent panicked");
        }
    }
}

impl Workshop for Host {
    fn look<'a>(&'a self, request: &LookRequest) -> Result<Looked<'a>, Fault> {
        let names = &request.targets;
        let testbed: Box<dyn Testbed + 'a> = match self.kind {
            Kind::Simulated => Box::new(SimTestbed::new(names)?),
            Kind::Metronome(_) => {
                self.metronome(DeviceTestbed::look(names, &request.request, Vec::new())?)
            }
        };
        Ok(Looked { testbed, layout_bytes: Vec::new() })
    }

    fn look_again<'a>(&'a self, plan: &Plan) -> Result<Box<dyn Testbed + 'a>, Fault> {
        let names: Vec<String> = plan.targets.iter().map(|target| target.target.clone()).collect();
        Ok(match self.kind {
            Kind::Simulated => Box::new(SimTestbed::new(&names)?),
            Kind::Metronome(_) => self.metronome(DeviceTestbed::look_again(plan, Vec::new())?),
        })
    }

    fn now(&self) -> Nanos {
        self.bus.run(self.name);
        self.clock.now() + Nanos::from_secs(self.bus.leapt(self.name))
    }

    fn machine(&self) -> String {
        self.name.to_owned()
    }

    fn permit(&self, _: &Plan, _: Option<LoadLevel>) -> Result<(), Fault> {
        Ok(())
    }

    fn targets(&self) -> Vec<String> {
        Vec::new()
    }

    fn record(&self, _: &AgentEvent) {}
}

impl Host {
    fn metronome(&self, inner: DeviceTestbed) -> Box<dyn Testbed + '_> {
        Box::new(Metronome { host: self, inner })
    }

    /// How much too late the load begins.
    const fn late(&self) -> Nanos {
        match self.kind {
            Kind::Simulated => Nanos::ZERO,
            Kind::Metronome(late) => late,
        }
    }
}

/// I/Os of a metronome in an interval.
pub(crate) const BEATS: u32 = 20;

/// The null target, at a rate that is known.
struct Metronome<'a> {
    host: &'a Host,
    inner: DeviceTestbed,
}

impl Testbed for Metronome<'_> {
    fn site<'a>(&'a self, wishes: &'a Wishes) -> Site<'a> {
        self.inner.site(wishes)
    }

    fn prepare<'a>(
        &'a mut self,
        plan: &'a Plan,
        _next: &NextPoint<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Ready<'a>, Stop> {
        observer.go_on()?;
        Ok(Ready { plan, instrument: self })
    }

    fn environment(&self, plan: &Plan) -> Environment {
        self.inner.environment(plan)
    }
}

impl Instrument for Metronome<'_> {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let mut coordinator = Coordinator::new(point, observer);
        let epoch = coordinator.ready()?.expect("time is real");
        let (name, truth) = (self.host.name, self.host.clock.truth(epoch));
        self.host.starts.lock().unwrap().entry(name).or_default().push(truth);
        let interval = point.plan.timing.interval;
        let mut recorder = Recorder::new(0..point.plan.targets.len() as u32, 2);
        let mut end = epoch;
        loop {
            end = end + interval;
            thread::sleep(Duration::from_nanos(end.since(self.host.now()).0));
            if coordinator.interval(beats(&mut recorder)) == Flow::Stop {
                break;
            }
        }
        // Is told when the point is over for all.
        coordinator.counted();
        let outcome = Outcome::new(coordinator.finish()?, &[]);
        Ok(Outcome { late: self.host.late(), ..outcome })
    }
}

/// An interval of a metronome.
fn beats(recorder: &mut Recorder) -> IntervalRecord {
    for _ in 0..BEATS {
        let latency = Nanos::from_millis(1);
        let done = Completed { target: 0, class: 0, bytes: 4096, latency, lag: Nanos::ZERO };
        recorder.complete(done);
    }
    recorder.close()
}
