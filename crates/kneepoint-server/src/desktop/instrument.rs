//! Measures points of users at screens.

use std::sync::Arc;

use kneepoint_core::measure::metering::{MeteredServer, memory_line};
use kneepoint_core::measure::search::NextPoint;
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};
use kneepoint_core::plan::{HostShare, SeriesPlan, StopRule, Timing};
use kneepoint_core::result::Warning;
use kneepoint_core::result::warning::Metered;
use kneepoint_core::spec::profile::Script;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Nanos;

use super::address::{Place, places};
use super::cgroup;
use super::client::Door;
use super::floor::{Floor, Missing, WARM_UP};
use super::memory;
use super::meter::{Meter, Spent};
use super::net::{ScreenPlace, Sockets, monotonic};
use super::playbook::Playbook;
use super::rehearsal::rehearse;
use super::sessions::{ScreenPlaces, Sessions};
use crate::instrument::observed_in;
use crate::postgres::server_time::ServerWatch;
use crate::testbed::{Surroundings, Watcher};

/// Users at the screens of a server as an instrument.
pub(super) struct DesktopInstrument<'a> {
    surroundings: &'a dyn Surroundings,
    place: Place,
    floor: Floor<Sockets>,
    door: Arc<dyn Door>,
    /// Sessions that were there, and their bytes.
    memory: Vec<(usize, u64)>,
    /// The run's own sessions, once they were begun.
    sessions: Option<Sessions>,
    /// What the script's responses look like, once that was rehearsed.
    book: Option<Arc<Playbook>>,
    /// The server, if someone on its machine meters it.
    pub(super) metered: Option<MeteredServer>,
}

impl<'a> DesktopInstrument<'a> {
    /// Users at `place`, who come in by this door.
    pub(super) fn new(
        surroundings: &'a dyn Surroundings,
        place: Place,
        door: Arc<dyn Door>,
    ) -> Self {
        let floor = Floor::new(Sockets::new(Vec::new()), Arc::clone(&door));
        Self {
            surroundings,
            place,
            floor,
            door,
            sessions: None,
            memory: Vec::new(),
            book: None,
            metered: None,
        }
    }

    /// From now on those of all users play here whom `share` has.
    fn take_share(&mut self, share: HostShare) {
        (self.floor.share, self.floor.net.share) = (share, share);
    }

    /// Sees to it that there is a screen for each of `count` users here.
    ///
    /// # Errors
    /// When there is none, or the observer asks to stop.
    fn provide(&mut self, count: usize, observer: &dyn Observer) -> Result<(), Stop> {
        if self.floor.net.places.len() >= count {
            return Ok(());
        }
        let wishes = match &self.place {
            Place::Running { host, port } => {
                let share = self.floor.share;
                let last = count.checked_sub(1).map_or(0, |last| share.number(last) + 1);
                let all = places((host, *port), last)?;
                let own = (0..count).map(|seat| all[share.number(seat)].clone());
                self.floor.net.places = own.collect();
                return Ok(());
            }
            Place::Accounts(server) => {
                let all = places((&server.host, server.port), 1)?;
                self.floor.net.places = all.into_iter().cycle().take(count).collect();
                return Ok(());
            }
            Place::Temporary(wishes) => wishes,
        };
        let mut sessions = match self.sessions.take() {
            Some(sessions) => sessions,
            None => Sessions::begin(wishes, ScreenPlaces::Sockets)?,
        };
        while sessions.screens.len() < count {
            observer.go_on()?;
            sessions.start()?;
        }
        self.floor.net.places =
            sessions.screens.iter().map(|path| ScreenPlace::Unix(path.clone())).collect();
        self.sessions = Some(sessions);
        Ok(())
    }

    /// Rehearses the script of the next point, unless that was done, or no user plays here yet.
    ///
    /// # Errors
    /// When the screen does not show what is timed, or the observer asks to stop.
    pub(super) fn rehearse(
        &mut self,
        (next, share): (&NextPoint<'_>, HostShare),
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        self.take_share(share);
        if self.book.is_none() && share.of(next.load.value as usize) > 0 {
            self.provide(1, observer)?;
            observer.note("note: the script is rehearsed at the first screen");
            let mut book = Playbook::of(script_of(next.series)?);
            let first = share.number(0);
            rehearse(&mut book, (&mut self.floor.net, &*self.door, first), observer)?;
            self.book = Some(Arc::new(book));
        }
        Ok(())
    }

    /// Brings this number of users to their screens, or lets all rest.
    fn seat(&mut self, users: usize, seed: u64) -> Result<(), Fault> {
        if users == 0 {
            self.floor.rest();
            return Ok(());
        }
        let book = self.book.clone().ok_or_else(|| Fault::new("the script was not rehearsed"))?;
        self.floor.seat(users, (&book, seed::derive(seed, "users", 0)));
        Ok(())
    }

    /// Lets all users end their sessions, or ends those of the run.
    ///
    /// # Errors
    /// When they do not, or the observer asks to stop.
    pub(super) fn dismiss(&mut self, observer: &dyn Observer) -> Result<(), Stop> {
        match self.place {
            Place::Running { .. } | Place::Accounts(_) => self.floor.dismiss(observer),
            Place::Temporary(_) => {
                self.floor.clear();
                self.sessions = None;
                Ok(())
            }
        }
    }

    /// What the run's own sessions take now; `None` if that is not counted.
    fn memory_note(&mut self) -> Option<Warning> {
        let sessions = self.sessions.as_ref()?;
        let (count, bytes) = (sessions.screens.len(), memory::of_group(sessions.counts.as_ref()?)?);
        self.memory.push((count, bytes));
        let fit = memory_line(&self.memory);
        let (sessions, of, machine_bytes) = (count as u64, Metered::OwnSessions, None);
        Some(Warning::SessionMemory { sessions, bytes, fit, of, machine_bytes })
    }

    /// What measures the processor time of the run's own sessions; `None` if nothing counts it.
    fn meter(&self) -> Option<Meter> {
        Meter::begin(self.sessions.as_ref()?.counts.as_deref()?)
    }

    /// What the run's own sessions used in a point with this number of users; `None` if it has none.
    fn processor_note(&self, users: usize, spent: Spent) -> Option<Warning> {
        let Place::Temporary(wishes) = &self.place else { return None };
        let all = self.surroundings.cpus().len() as f64;
        Some(Warning::SessionProcessor {
            sessions: users as u64,
            used: spent.processors,
            available: wishes.cpu.map_or(all, |cpu| cpu.min(all)),
            stalled_percent: spent.stalled_percent,
            of: Metered::OwnSessions,
        })
    }

    /// What watches this machine; a server that is on it works for the load.
    fn watch(&self) -> Box<dyn Watcher> {
        let inner = self.surroundings.watch();
        let is_here = self.floor.net.places.iter().any(ScreenPlace::is_here);
        let counts = self.sessions.as_ref().and_then(|sessions| sessions.counts.clone());
        match is_here {
            true => Box::new(ServerWatch::new(inner, move || cgroup::used(counts.as_deref()?))),
            false => inner,
        }
    }
}

impl Instrument for DesktopInstrument<'_> {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        self.take_share(point.plan.share);
        let users = point.plan.share.of(point.load.value as usize);
        self.provide(users, observer)?;
        let is_ramp = is_ramp(&point.plan.timing);
        self.seat(users, point.plan.seed)?;
        match is_ramp {
            true => self.floor.carry_on(),
            false => self.floor.settle(observer)?,
        }
        let mut overseer = Coordinator::new(point, observer);
        let late = match overseer.ready()? {
            None => Nanos::ZERO,
            // Other hosts may have been waited for, and meanwhile no one has played.
            Some(begin) if is_ramp => {
                self.floor.carry_on();
                monotonic().since(begin)
            }
            Some(begin) => {
                self.floor.warm_up(begin)?;
                monotonic().since(begin + WARM_UP)
            }
        };
        let mut watcher = self.watch();
        let meter = self.meter();
        if let Some(metered) = &mut self.metered {
            metered.begin(users);
        }
        let shape = (point.plan.timing.interval, point.classes().len());
        let missing = self.floor.measure(&mut overseer, shape, &mut *watcher)?;
        let processor = meter.and_then(|meter| meter.read());
        let processor = processor.and_then(|spent| self.processor_note(users, spent));
        let counted = overseer.counted();
        let mut outcome = played_by_one_thread(observed_in(overseer.finish()?, watcher, counted));
        if users == 0 {
            // Whatever goes on here keeps no user waiting.
            outcome.observations.clear();
        }
        let seen = self.metered.as_mut().map_or_else(Vec::new, |metered| metered.end(users));
        let notes = self.memory_note().into_iter().chain(processor).chain(seen);
        let warnings = notes.chain(missing_warning(missing));
        Ok(Outcome { warnings: warnings.collect(), late, ..outcome })
    }
}

/// The same, with the processor time of this program as that of the one thread which plays the users.
fn played_by_one_thread(mut outcome: Outcome) -> Outcome {
    let share = outcome.cpu_percent / 100.0;
    for seen in &mut outcome.observations {
        seen.workers_s = vec![seen.seconds * share];
    }
    outcome
}

/// Whether points follow each other without a break: they last for a fixed time, and nothing is to be left out at
/// their beginning.
fn is_ramp(timing: &Timing) -> bool {
    timing.ramp == Nanos::ZERO && matches!(timing.stop, StopRule::FixedTime { .. })
}

/// The script of a series.
///
/// # Errors
/// When its work is another one.
pub(super) fn script_of(series: &SeriesPlan) -> Result<&Script, Fault> {
    let missing = || Fault::new("the work of the series is no script");
    series.profile.script().ok_or_else(missing)
}

/// What limits the trust in a point of which responses are missing.
fn missing_warning(Missing { lost, mismatched }: Missing) -> Option<Warning> {
    (lost + mismatched > 0).then_some(Warning::ResponsesMissing { lost, mismatched })
}
