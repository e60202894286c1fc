//! Measures points on real targets.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use std::thread;

use kneepoint_core::load::stream::{WorkerPlan, assign};
use kneepoint_core::measure::{Coordinator, Instrument, Observer, Outcome, Point, Stop};

use kneepoint_core::result::Warning;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Percent;

use crate::buffer::ReadSample;
use crate::clock::Anchor;
use crate::observe::{DeviceGroup, ObservedTarget, Sampler, groups};
use crate::oversight::{Overseen, await_ready, oversee};
use crate::thread::allowed_cpus;
use crate::worker::{Hand, Task, Worker, WorkerHandles, connect, stream_handles};

/// What is said of threads that the kernel does not let go.
pub const LEFT_BEHIND: &str = "the target hangs: what waits for it is left behind. If this \
    process does not end, the kernel holds it until the target answers, is reset or unmounted";

/// Files, block devices and the null target as an instrument.
#[derive(Debug)]
pub struct DeviceInstrument {
    /// The open targets in the plan's order; none for the null target.
    files: Arc<Vec<File>>,
    cpus: Vec<usize>,
    /// From when on the processor's counter is compared with the kernel's clock.
    anchor: Option<Anchor>,
    /// The devices below them whose counters are watched.
    observed: Vec<DeviceGroup>,
}

impl DeviceInstrument {
    /// An instrument for open targets, in the plan's order; no device is watched.
    pub fn new(files: Vec<File>) -> Self {
        Self {
            files: Arc::new(files),
            cpus: allowed_cpus(),
            anchor: Anchor::new(),
            observed: Vec::new(),
        }
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
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let plans = assign(point.plan, point.load, point.seed());
        let mut overseer = Coordinator::new(point, observer);
        let crew = self.spawn_workers(point, plans)?;
        let sampler = Sampler::new(&self.observed, await_ready(&crew)?);
        let timing = &point.plan.timing;
        let end = timing.point_max() + timing.drain_max;
        let overseen = oversee(crew, (sampler, end), &mut overseer)?;
        let measurement = overseer.finish();
        if overseen.stuck > 0 {
            observer.note(LEFT_BEHIND);
        }
        let measurement = measurement?;
        let joined = measurement.joined;
        let seen = overseen.sampler.finish(measurement.ramp_count * joined, &self.files);
        let Overseen { ended, stuck, paused, sample, .. } = overseen;
        let outcome = Outcome::new(measurement, &ended);
        let warnings = zeros_read(point, sample).into_iter().collect();
        let outcome = Outcome { stuck, paused, warnings, ..outcome };
        Ok(match seen {
            Some((mut observation, cpu_percent)) => {
                let Range { start, end } = observation.window;
                observation.window = start.div_ceil(joined)..end / joined;
                Outcome { cpu_percent, observation: Some(observation), ..outcome }
            }
            None => outcome,
        })
    }
}

impl DeviceInstrument {
    /// Starts a thread for every worker.
    fn spawn_workers(
        &self,
        point: &Point<'_>,
        plans: Vec<WorkerPlan>,
    ) -> Result<WorkerHandles, Fault> {
        let count = plans.len();
        let (lines, mut crew) = connect(count, point.plan.targets.len());
        let stream_handles = stream_handles(point, &plans)?;
        let task = Task::new(point, &self.files, self.anchor.and_then(Anchor::scale))?;
        let parts = plans.into_iter().zip(stream_handles).zip(lines).enumerate();
        for (number, ((plan, stream_handles), line)) in parts {
            let cpu = self.cpu_of(number, count);
            let task = Arc::clone(&task);
            let slots = plan.slot_count();
            let worker = Worker { number, task, plan, stream_handles, cpu, line };
            let thread = thread::Builder::new()
                .name(format!("worker-{number}"))
                .spawn(|| worker.run())
                .map_err(|error| {
                    Fault::new(format!("cannot start worker {number}"))
                        .because(format!("no thread can be started: {error}"))
                        .fix(
                            "use fewer outstanding I/Os with the sync engine or fewer --workers, \
                             raise the limit of processes (ulimit -u), or end other programs",
                        )
                })?;
            crew.hands.push(Hand { slots, thread });
        }
        Ok(crew)
    }
}

/// Fewer last reads than this say nothing of a target: a few places may well hold zeros.
const READS_MIN: u32 = 4;

/// That most of what was read is zeros, unless the profile itself writes such data.
fn zeros_read(point: &Point<'_>, sample: ReadSample) -> Option<Warning> {
    let ReadSample { read, zero } = sample;
    let mut profiles = point.plan.io_profiles();
    let is_ours = profiles.any(|profile| profile.data.compressible > Percent::ZERO);
    (read >= READS_MIN && 2 * zero > read && !is_ours)
        .then_some(Warning::ZerosRead { zeros: zero, reads: read })
}
