//! Who used the processors: others, the hypervisor, and the generator itself.

use super::grade::together;
use super::observation::{Observation, ProcessorTime};
use super::{Issued, OTHERS_SHARE_MAX, disturbed_by};
use crate::plan::Engine;
use crate::result::Warning;
use crate::result::warning::OtherCpuLoad;
use crate::words::load::LoadUnit;

/// The generator used this share of its CPUs: it limits what it measures.
const GENERATOR_SHARE_MAX: f64 = 0.90;

/// No one has to wait long for a processor on a machine that is less busy than this.
const BUSY_SHARE_MIN: f64 = 0.90;

/// Processor time below this is not judged, in seconds: the kernel books it in ticks
/// of up to 10 ms, so ten of them are the least that can be told from none.
const PROCESSOR_S_MIN: f64 = 0.1;

/// Workers are judged over at least this many seconds.
const GENERATOR_S_MIN: f64 = 0.05;

/// Other programs on the processors: what they can have changed, or that they changed nothing.
pub(super) fn others(issued: &Issued, observation: &Observation) -> Option<Warning> {
    let time = observation.processor.as_ref()?;
    if time.others_s() <= PROCESSOR_S_MIN || time.capacity_s <= 0.0 {
        return None;
    }
    let foreign = (time.others_s() / time.capacity_s).min(1.0);
    let waited = waited(observation, time);
    let limit = issued.foreign_cpu_max.filter(|limit| foreign > *limit);
    let disturbed = match limit {
        Some(_) => Some(foreign.max(waited)),
        None => (waited > OTHERS_SHARE_MAX).then_some(waited),
    };
    (disturbed.is_some() || foreign > OTHERS_SHARE_MAX).then(|| {
        Warning::OtherCpuLoad(OtherCpuLoad {
            used_percent: 100.0 * foreign,
            waited_percent: 100.0 * waited,
            limit_percent: limit.map(|limit| 100.0 * limit),
            disturbed_percent: disturbed.map(disturbed_by),
        })
    })
}

/// The share of the measured time for which the generator, or the kernel's part of the I/Os, can
/// have waited for other programs, from 0 to 1.
///
/// While a thread waits, none of its I/Os is submitted or seen to complete; so by Little's law
/// throughput and mean response time are off by this share at the most. Nothing waits for other
/// programs longer than they ran.
fn waited(observation: &Observation, time: &ProcessorTime) -> f64 {
    if observation.seconds <= 0.0 {
        return 0.0;
    }
    let waits = &observation.waits;
    let share = |waited_s: f64| waited_s.min(time.others_s()) / observation.seconds;
    // If the kernel does not tell who waited, only a busy machine makes the generator wait, and no one
    // waits longer than anybody.
    let unseen = match time.busy_share() > BUSY_SHARE_MIN {
        true => share(waits.any_s.unwrap_or(f64::INFINITY)),
        false => 0.0,
    };
    let generator = waits.workers_s.map_or(unseen, share);
    let needs_kernel = observation.devices.iter().any(|device| device.needs_kernel_threads);
    let kernel = match needs_kernel {
        true => waits.kernel_threads_s.map_or(unseen, share),
        false => 0.0,
    };
    together([generator, kernel])
}

/// Processor time that the hypervisor gave to other machines. Of it, the generator lost as much as
/// it has of all time that programs used.
pub(super) fn stolen(observation: &Observation) -> Option<Warning> {
    let time = observation.processor.as_ref()?;
    let used_s = time.user_s + time.system_s;
    if time.stolen_s <= PROCESSOR_S_MIN || time.capacity_s <= 0.0 || used_s <= 0.0 {
        return None;
    }
    let ours_s = used_s - time.others_s().clamp(0.0, used_s);
    let threads = observation.workers_s.len().min(observation.worker_cpus).max(1) as f64;
    let lost_s = time.stolen_s * ours_s / used_s;
    let share = (lost_s / (observation.seconds * threads)).clamp(0.0, 1.0);
    let disturbed = (share > OTHERS_SHARE_MAX).then_some(share);
    let is_told = disturbed.is_some() || time.stolen_s > OTHERS_SHARE_MAX * time.capacity_s;
    is_told.then(|| Warning::CpuStolen {
        stolen_percent: 100.0 * time.stolen_s / time.capacity_s,
        disturbed_percent: disturbed.map(disturbed_by),
    })
}

/// Whether the load generator itself was the bottleneck: one of its threads, or all of them on the
/// CPUs that they share.
///
/// In an open loop it spins between arrivals, and lateness tells; with the null target it is what
/// is being measured.
pub(super) fn generator(issued: &Issued, observation: &Observation) -> Option<Warning> {
    let is_judged = issued.load_unit == LoadUnit::OutstandingIos
        && issued.engine != Engine::Null
        && observation.seconds >= GENERATOR_S_MIN
        && !observation.workers_s.is_empty();
    if !is_judged {
        return None;
    }
    let workers = &observation.workers_s;
    let busiest = workers.iter().copied().fold(0.0, f64::max) / observation.seconds;
    let cpus = workers.len().min(observation.worker_cpus.max(1)) as f64;
    let together = workers.iter().sum::<f64>() / (observation.seconds * cpus);
    let share = busiest.max(together);
    (share > GENERATOR_SHARE_MAX)
        .then(|| Warning::GeneratorBound { used_percent: 100.0 * share.min(1.0) })
}
