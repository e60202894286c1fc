//! Who used the processors: others, the hypervisor, and the generator itself.

use super::observation::Observation;
use super::{Finding, Issued, OTHERS_SHARE_MAX};
use crate::load::LoadUnit;
use crate::plan::Engine;

/// The generator used this share of its CPUs: it limits what it measures.
const GENERATOR_SHARE_MAX: f64 = 0.90;

/// Processor time below this is not held against anybody, in seconds: the kernel books it in ticks
/// of up to 10 ms, so ten of them are the least that can be told from none.
const PROCESSOR_S_MIN: f64 = 0.1;

/// Workers are judged over at least this many seconds.
const GENERATOR_S_MIN: f64 = 0.05;

/// Other programs on the processors.
pub(super) fn others(observation: &Observation) -> Option<Finding> {
    let time = observation.processor.as_ref()?;
    let percent = excessive_percent(time.others_s(), time.capacity_s)?;
    Some(Finding::invalidates(format!(
        "other load on the CPU: other programs used {percent:.0} % of the machine's processor time \
         while measuring; stop them and measure again"
    )))
}

/// Processor time that the hypervisor gave to other machines.
pub(super) fn stolen(observation: &Observation) -> Option<Finding> {
    let time = observation.processor.as_ref()?;
    let percent = excessive_percent(time.stolen_s, time.capacity_s)?;
    Some(Finding::invalidates(format!(
        "CPU stolen: the hypervisor gave {percent:.0} % of the machine's processor time to other \
         machines; use dedicated processors, or measure when the host is quiet"
    )))
}

/// A use in percent of the capacity where it is more than others may use.
fn excessive_percent(used_s: f64, capacity_s: f64) -> Option<f64> {
    let is_excessive = used_s > PROCESSOR_S_MIN && used_s > OTHERS_SHARE_MAX * capacity_s;
    is_excessive.then(|| 100.0 * used_s / capacity_s)
}

/// Whether the load generator itself was the bottleneck: one of its threads, or all of them on the
/// CPUs that they share.
///
/// In an open loop it spins between arrivals, and lateness tells; with the null target it is what
/// is being measured.
pub(super) fn generator(issued: &Issued, observation: &Observation) -> Option<Finding> {
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
    (share > GENERATOR_SHARE_MAX).then(|| {
        Finding::invalidates(format!(
            "generator-bound: the load generator used {:.0} % of its CPUs, so the number may be \
             its own and not the target's; give it more --workers, or measure larger blocks or \
             fewer outstanding I/Os",
            100.0 * share.min(1.0)
        ))
    })
}
