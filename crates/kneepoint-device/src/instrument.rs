//! Measures points on real targets.

use std::fs::File;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::Ordering;
use std::thread;

use kneepoint_core::drive::{Driven, Flow, Watch};
use kneepoint_core::fault::Fault;
use kneepoint_core::instrument::{Instrument, Monitor, Outcome, Overseer, Point};
use kneepoint_core::record::merger::Merger;
use kneepoint_core::stream::{WorkerPlan, assign};

use crate::affinity::allowed_cpus;
use crate::clock::{Anchor, monotonic};
use crate::observe::{DeviceGroup, ObservedTarget, Sampler, ThreadClock, groups};
use crate::worker::{Crew, Report, Worker, connect, supplies};

/// Files, block devices and the null target as an instrument.
#[derive(Debug)]
pub struct DeviceInstrument {
    /// The open targets in the plan's order; none for the null target.
    files: Vec<File>,
    cpus: Vec<usize>,
    /// From when on the processor's counter is compared with the kernel's clock.
    anchor: Option<Anchor>,
    /// The devices below them whose counters are watched.
    observed: Vec<DeviceGroup>,
}

impl DeviceInstrument {
    /// An instrument for open targets, in the plan's order; no device is watched.
    pub fn new(files: Vec<File>) -> Self {
        Self { files, cpus: allowed_cpus(), anchor: Anchor::new(), observed: Vec::new() }
    }

    /// The same instrument, which also watches the devices below the targets, in the plan's order.
    #[must_use]
    pub fn observing(self, targets: &[ObservedTarget]) -> Self {
        Self { observed: groups(targets), ..self }
    }

    /// The CPU of each of several workers. A single worker is left to the kernel, which moves it
    /// to the CPU that the device interrupts; so are more workers than there are CPUs.
    fn cpu_of(&self, number: usize, worker_count: usize) -> Option<usize> {
        (2..=self.cpus.len()).contains(&worker_count).then(|| self.cpus[number])
    }
}

impl Instrument for DeviceInstrument {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        monitor: &mut dyn Monitor,
    ) -> Result<Outcome, Fault> {
        let plans = assign(point.plan, point.load, point.seed());
        let descriptors: Vec<RawFd> = self.files.iter().map(AsRawFd::as_raw_fd).collect();
        let mut overseer = Overseer::new(point.plan, monitor);
        let (ended, sampler) = thread::scope(|scope| {
            let crew = self.hire(scope, (point, &plans), &descriptors)?;
            let sampler = Sampler::new(&self.observed, await_ready(&crew)?);
            oversee(&crew, sampler, &mut overseer)
        })?;
        let (measurement, interrupted) = overseer.finish();
        let seen = sampler.finish(measurement.ramp_count, &self.files);
        let outcome = Outcome::new(measurement, &ended, interrupted);
        Ok(match seen {
            Some((observation, cpu_percent)) => {
                Outcome { cpu_percent, observation: Some(observation), ..outcome }
            }
            None => outcome,
        })
    }
}

impl DeviceInstrument {
    /// Starts a thread for every worker.
    fn hire<'scope, 'env: 'scope>(
        &self,
        scope: &'scope thread::Scope<'scope, 'env>,
        (point, plans): (&'env Point<'env>, &'env [WorkerPlan]),
        descriptors: &'env [RawFd],
    ) -> Result<Crew, Fault> {
        let (lines, crew) = connect(plans.len());
        let supplies = supplies(point, plans)?;
        let ticks = self.anchor.and_then(Anchor::scale);
        let parts = plans.iter().zip(supplies).zip(lines).enumerate();
        for (number, ((plan, supplies), line)) in parts {
            let cpu = self.cpu_of(number, plans.len());
            let worker =
                Worker { number, point: *point, plan, supplies, descriptors, cpu, ticks, line };
            thread::Builder::new()
                .name(format!("worker-{number}"))
                .spawn_scoped(scope, || worker.run())
                .map_err(|error| {
                    Fault::new(format!("cannot start worker {number}"))
                        .because(error)
                        .fix("use fewer outstanding I/Os with the sync engine, or fewer --workers")
                })?;
        }
        Ok(crew)
    }
}

/// Starts the workers together, merges their intervals and ends the point; gives how they ended
/// and readings of the machine at the start and after the intervals.
fn oversee<'a>(
    crew: &Crew,
    mut sampler: Sampler<'a>,
    overseer: &mut Overseer<'_>,
) -> Result<(Vec<Driven>, Sampler<'a>), Fault> {
    sampler.read(0);
    let epoch = monotonic();
    for start in &crew.starts {
        let _ = start.send(epoch);
    }
    let worker_count = crew.starts.len();
    let mut merger = Merger::new(worker_count);
    let mut ended = Vec::with_capacity(worker_count);
    while ended.len() < worker_count {
        match crew.reports.recv() {
            Ok(Report::Interval(record)) if !crew.stop.load(Ordering::Relaxed) => {
                let whole = merger.push(record);
                if let Some(last) = whole.last() {
                    sampler.read(last.index as usize + 1);
                }
                for whole in whole {
                    if overseer.interval(whole) == Flow::Stop {
                        crew.stop.store(true, Ordering::Relaxed);
                        break;
                    }
                }
            }
            Ok(Report::Ended(driven)) => {
                crew.stop.store(true, Ordering::Relaxed);
                ended.push(driven);
            }
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(Report::Interval(_) | Report::Ready(_)) => {}
            Err(_) => return Err(Fault::new("a worker ended without a word")),
        }
    }
    Ok((ended, sampler))
}

/// Waits until every worker has its backend; gives their CPU clocks.
fn await_ready(crew: &Crew) -> Result<Vec<Option<ThreadClock>>, Fault> {
    let mut clocks = Vec::with_capacity(crew.starts.len());
    for _ in &crew.starts {
        match crew.reports.recv() {
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(Report::Ready(clock)) => clocks.push(clock),
            Ok(_) => {}
            Err(_) => return Err(Fault::new("a worker ended before it began")),
        }
    }
    Ok(clocks)
}
