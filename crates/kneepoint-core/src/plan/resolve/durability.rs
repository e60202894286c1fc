//! Writes that are made durable, on targets and engines that can do it.

use super::wishes::{Durable, FoundTarget};
use crate::plan::{Engine, EnginePlan, SeriesPlan};
use crate::words::fault::Fault;

/// Refuses profiles that make writes durable in a way that a target or the engine cannot.
pub(super) fn check_durability(
    engine: &EnginePlan,
    series: &[SeriesPlan],
    found: &[FoundTarget],
) -> Result<(), Fault> {
    for profile in series.iter().filter_map(|series| series.profile.storage()) {
        let (durability, name) = (profile.durability, &profile.name);
        let cannot = |knows: fn(Durable) -> bool| found.iter().find(|found| !knows(found.durable));
        if let Some(sync) = durability.sync
            && let Some(found) = cannot(Durable::knows_sync)
        {
            let target = &found.plan.target;
            let what = format!("{target} does not know what a write costs that is durable at once");
            return Err(Fault::new(what)
                .because(format!("profile '{name}' has sync = \"{}\"", sync.name()))
                .fix("measure it on a file or a device, or use flush = \"fdatasync\""));
        }
        if durability.flush.is_some()
            && let Some(found) = cannot(Durable::knows_flushes)
        {
            let target = &found.plan.target;
            return Err(Fault::new(format!("{target} does not know what a flush costs"))
                .because(format!("profile '{name}' flushes after its writes"))
                .fix("name the time of a flush, as in sim:analytic/md1?flush=1ms"));
        }
        if durability.flush.is_some() && engine.engine == Engine::IoUringIoPoll {
            return Err(Fault::new(format!("engine {} cannot flush", engine.engine.name()))
                .because(format!(
                    "profile '{name}' flushes after its writes, and completions of flushes cannot be \
                     polled for"
                ))
                .fix("use --engine io_uring"));
        }
    }
    Ok(())
}
