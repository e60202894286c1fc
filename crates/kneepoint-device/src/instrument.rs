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
use crate::clock::monotonic;
use crate::usage::Usage;
use crate::worker::{Crew, Report, Worker, connect, supplies};

/// Files, block devices and the null target as an instrument.
#[derive(Debug)]
pub struct DeviceInstrument {
    /// The open targets in the plan's order; none for the null target.
    files: Vec<File>,
    cpus: Vec<usize>,
}

impl DeviceInstrument {
    /// An instrument for open targets, in the plan's order.
    pub fn new(files: Vec<File>) -> Self {
        Self { files, cpus: allowed_cpus() }
    }

    /// The CPU of each worker; none where there are more workers than CPUs, for then the kernel
    /// shares them out better.
    fn cpu_of(&self, number: usize, worker_count: usize) -> Option<usize> {
        (worker_count <= self.cpus.len()).then(|| self.cpus[number])
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
        let (ended, samples) = thread::scope(|scope| {
            let crew = self.hire(scope, (point, &plans), &descriptors)?;
            oversee(&crew, &mut overseer)
        })?;
        let (measurement, interrupted) = overseer.finish();
        let cpu_percent = cpu_percent(&samples, measurement.ramp_count);
        let outcome = Outcome::new(measurement, &ended, interrupted);
        Ok(Outcome { cpu_percent, ..outcome })
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
        let parts = plans.iter().zip(supplies).zip(lines).enumerate();
        for (number, ((plan, supplies), line)) in parts {
            let cpu = self.cpu_of(number, plans.len());
            let worker = Worker { number, point: *point, plan, supplies, descriptors, cpu, line };
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
/// and a reading of the CPU time at the start and after every interval.
fn oversee(crew: &Crew, overseer: &mut Overseer<'_>) -> Result<(Vec<Driven>, Vec<Usage>), Fault> {
    await_ready(crew)?;
    let mut samples = vec![Usage::now()];
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
                for whole in merger.push(record) {
                    samples.push(Usage::now());
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
            Ok(Report::Interval(_) | Report::Ready) => {}
            Err(_) => return Err(Fault::new("a worker ended without a word")),
        }
    }
    Ok((ended, samples))
}

/// Waits until every worker has its backend.
fn await_ready(crew: &Crew) -> Result<(), Fault> {
    for _ in &crew.starts {
        match crew.reports.recv() {
            Ok(Report::Refused(fault)) => return Err(fault),
            Ok(_) => {}
            Err(_) => return Err(Fault::new("a worker ended before it began")),
        }
    }
    Ok(())
}

/// CPU time over the measured intervals, in percent of one CPU.
fn cpu_percent(samples: &[Usage], ramp_count: usize) -> f64 {
    match (samples.get(ramp_count), samples.last()) {
        (Some(first), Some(last)) => last.percent_since(*first),
        _ => 0.0,
    }
}
