//! Storage subsystems put together for a point: their parts at rest, or as a long run would find
//! them.
//!
//! A write cache fills up until destaging keeps up with the writes; with slow drives and a large
//! cache that takes minutes. Short pilot runs of each system at several levels find the level at which
//! it neither grows nor shrinks, and the point starts there.

use kneepoint_core::load::backend::{Backend, Completion, Direction, Flush, Io};
use kneepoint_core::load::drive::{Flow, Watch, WorkerTask, drive};
use kneepoint_core::load::record::interval::IntervalRecord;
use kneepoint_core::load::stream::{Source, Stream, StreamPlan, WorkerPlan};
use kneepoint_core::plan::{StopRule, Timing};
use kneepoint_core::result::Warning;
use kneepoint_core::spec::profile::ResolvedProfile;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Nanos;
use rand_core::Rng as _;

use super::model::{SystemBackend, Wear};
use super::system::System;
use super::system::setting::{Calibration, WriteCache};

/// Storage subsystems, and which array of which of them each target is.
#[derive(Debug, Clone, Default)]
pub struct Assembly {
    systems: Vec<(String, System)>,
    targets: Vec<(usize, u32)>,
}

impl Assembly {
    /// Adds a target: array `array` of the system called `name`. Targets that name the same
    /// system share its parts.
    pub fn add(&mut self, name: &str, system: &System, array: u32) {
        let known = self.systems.iter().position(|(known, _)| known == name);
        let index = known.unwrap_or_else(|| {
            self.systems.push((name.to_owned(), system.clone()));
            self.systems.len() - 1
        });
        self.targets.push((index, array));
    }

    /// All arrays of one system, each a target.
    pub fn of_system(system: &System) -> Self {
        let mut assembly = Self::default();
        for array in 0..system.array_count() {
            assembly.add(&system.name, system, array);
        }
        assembly
    }

    /// The systems with their parts at rest, at time zero; solid-state drives are as `profile`
    /// would have left them.
    pub fn backend(&self, profile: &ResolvedProfile) -> SystemBackend {
        self.worn(&[profile])
    }

    /// The same as the `profiles` of all series that are measured at the same moment would have left them.
    fn worn(&self, profiles: Profiles<'_>) -> SystemBackend {
        let is_sequential = profiles.iter().all(|profile| profile.is_sequential());
        let wear = if is_sequential { Wear::Sequential } else { Wear::Random };
        let mut backend = SystemBackend::default();
        let first: Vec<u32> =
            self.systems.iter().map(|(_, system)| backend.add_system(system, wear)).collect();
        for (index, array) in &self.targets {
            backend.add_target(first[*index] + array);
        }
        backend
    }

    /// True if there are no targets.
    pub const fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Why a run should not be trusted too far.
    pub fn warnings(&self) -> Vec<Warning> {
        let systems = self.systems.iter().map(|(_, system)| system);
        let uncalibrated = systems.filter(|system| system.calibration == Calibration::Uncalibrated);
        uncalibrated.map(|system| Warning::Uncalibrated { system: system.name.clone() }).collect()
    }
}

/// Those of the series that are measured at the same moment, by their numbers.
type Profiles<'a> = &'a [&'a ResolvedProfile];

/// A write cache is filled by at most this many draws per target.
const DRAWS_MAX: u32 = 4_000_000;
/// Pilot runs; each halves the range that the level is in.
const PILOTS: u32 = 6;
/// A full cache that loses less than this share in a pilot run stays full.
const FULL_TOLERANCE: f64 = 0.01;
/// A pilot run gets up to speed for so long, ...
const PILOT_RAMP: Nanos = Nanos::from_millis(500);
/// ... and is observed until this time.
const PILOT_END: Nanos = Nanos::from_millis(1500);

impl Assembly {
    /// The systems as a long run of `worker` with the `profiles` of its streams would find them, each found
    /// by itself: it is the same whatever is measured on the others.
    ///
    /// # Errors
    /// When a target is too small for the blocks of a profile.
    pub fn settled(
        &self,
        profiles: Profiles<'_>,
        worker: &WorkerPlan,
    ) -> Result<SystemBackend, Fault> {
        // One backend after the other: flash and caches of large systems take much memory.
        let mut filled = Vec::new();
        if fill_cache(profiles) {
            for alone in (0..self.systems.len()).filter_map(|system| self.alone(system, worker)) {
                let level = alone.level(profiles)?;
                filled.push((alone, level));
            }
        }
        let mut backend = self.worn(profiles);
        for (alone, level) in filled {
            alone.fill((&mut backend, &alone.targets), profiles, level)?;
        }
        Ok(backend)
    }

    /// The system of this number without the others, and the part of `worker` that drives it; `None` without
    /// a write cache.
    fn alone(&self, system: usize, worker: &WorkerPlan) -> Option<Alone> {
        let (name, parts) = &self.systems[system];
        if parts.settings.write_cache == WriteCache::Off {
            return None;
        }
        let (mut assembly, mut streams, mut targets) = (Self::default(), Vec::new(), Vec::new());
        for (target, (_, array)) in (0..).zip(&self.targets).filter(|(_, (of, _))| *of == system) {
            let own = worker.streams.iter().filter(|stream| stream.target == target);
            let number = targets.len() as u32;
            streams.extend(own.map(|stream| StreamPlan { target: number, ..stream.clone() }));
            assembly.add(name, parts, *array);
            targets.push(target);
        }
        Some(Alone { assembly, worker: WorkerPlan { streams, ..worker.clone() }, targets })
    }
}

/// A system with a write cache without the others.
struct Alone {
    assembly: Assembly,
    /// What drives it.
    worker: WorkerPlan,
    /// The number of each of its targets among those of all systems.
    targets: Vec<u32>,
}

impl Alone {
    /// How full `profiles` keep its write caches.
    fn level(&self, profiles: Profiles<'_>) -> Result<f64, Fault> {
        let (mut low, mut high) = (0.0, 1.0);
        // The full cache first: under a heavy load it stays full.
        let mut level = 1.0;
        for _ in 0..PILOTS {
            let growth = growth(self.filled(profiles, level)?, profiles, &self.worker)?;
            match level {
                1.0 if growth > -FULL_TOLERANCE => return Ok(1.0),
                _ if growth > 0.0 => low = level,
                _ => high = level,
            }
            level = (low + high) / 2.0;
        }
        Ok((low + high) / 2.0)
    }

    /// The system with its write caches filled to `level`.
    fn filled(&self, profiles: Profiles<'_>, level: f64) -> Result<SystemBackend, Fault> {
        let mut backend = self.assembly.worn(profiles);
        let own: Vec<u32> = (0..self.targets.len() as u32).collect();
        self.fill((&mut backend, &own), profiles, level)?;
        Ok(backend)
    }

    /// Fills its write caches to `level` by writes of those of `profiles` that fill them, in a backend where
    /// its targets have these numbers.
    fn fill(
        &self,
        (backend, targets): (&mut SystemBackend, &[u32]),
        profiles: Profiles<'_>,
        level: f64,
    ) -> Result<(), Fault> {
        let plans = &self.worker.streams;
        let mut streams = streams(profiles, &self.worker, "prefill")?;
        let seed = plans.first().map_or(0, |stream| stream.seed);
        let mut rng = seed::rng(seed::derive(seed, "age", 0));
        for _ in 0..DRAWS_MAX {
            let mut is_full = true;
            for (stream, plan) in streams.iter_mut().zip(plans) {
                let target = targets[plan.target as usize];
                let is_idle = !fills_cache(profiles[plan.seat.member as usize]);
                if is_idle || backend.fill(target) >= level {
                    continue;
                }
                is_full = false;
                let drawn = stream.draw();
                // Destaging goes through the rows in a circle and begins at the first: there the
                // cache has collected writes for a whole turn, at the end for none.
                let age = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                let is_left = age * plan.size_bytes as f64 >= drawn.offset as f64;
                if drawn.direction == Direction::Write && is_left {
                    backend.prefill(target, drawn.offset, drawn.bytes);
                }
            }
            if is_full {
                break;
            }
        }
        Ok(())
    }
}

/// Whether `backend` takes a while to settle to a load of `profile`: it has write caches that it fills.
pub(crate) fn settles(backend: &SystemBackend, profile: &ResolvedProfile) -> bool {
    fills_cache(profile) && backend.has_write_cache()
}

/// Whether any of `profiles` does.
fn fill_cache(profiles: Profiles<'_>) -> bool {
    profiles.iter().any(|profile| fills_cache(profile))
}

/// Whether a write cache takes a while to fill to its level: it is filled at random, and never emptied by a
/// flush.
fn fills_cache(profile: &ResolvedProfile) -> bool {
    !profile.is_sequential() && profile.writes() && profile.flush().is_none()
}

/// How much fuller the write caches become in a pilot run, as a share.
fn growth(
    backend: SystemBackend,
    profiles: Profiles<'_>,
    worker: &WorkerPlan,
) -> Result<f64, Fault> {
    let timing = Timing {
        ramp: Nanos::ZERO,
        interval: PILOT_END,
        stop: StopRule::FixedTime { measure: PILOT_END },
        drain_max: Nanos::ZERO,
    };
    let duty = WorkerTask { worker, timing: &timing, errors_max: 0, epoch: Nanos::ZERO };
    let mut probe = FillProbe { backend, fill_at_ramp: None };
    drive(&mut probe, &duty, streams(profiles, worker, "pilot")?, &mut Once);
    Ok(probe.backend.fill_mean() - probe.fill_at_ramp.unwrap_or_default())
}

/// A backend that notes how full its caches are when it is up to speed.
struct FillProbe {
    backend: SystemBackend,
    fill_at_ramp: Option<f64>,
}

impl Backend for FillProbe {
    fn now(&self) -> Nanos {
        self.backend.now()
    }

    fn submit(&mut self, io: Io) {
        self.backend.submit(io);
    }

    fn flush(&mut self, flush: Flush) {
        self.backend.flush(flush);
    }

    fn wait(&mut self, deadline: Nanos, done: &mut Vec<Completion>) {
        self.backend.wait(deadline, done);
        if self.fill_at_ramp.is_none() && self.backend.now() >= PILOT_RAMP {
            self.fill_at_ramp = Some(self.backend.fill_mean());
        }
    }
}

fn streams(profiles: Profiles<'_>, worker: &WorkerPlan, label: &str) -> Result<Vec<Stream>, Fault> {
    let seeded = worker.streams.iter().map(|plan| {
        let seed = seed::derive(plan.seed, label, 0);
        let profile = profiles[plan.seat.member as usize];
        Stream::new(profile, &StreamPlan { seed, ..plan.clone() })
    });
    seeded.collect()
}

/// Ends a run with its first interval.
struct Once;

impl Watch for Once {
    fn interval(&mut self, _record: IntervalRecord) -> Flow {
        Flow::Stop
    }
}
