//! Writes that are made durable, on targets and engines that can do it.

use super::wishes::{Durable, FoundTarget};
use crate::plan::{Caching, Engine, EnginePlan, SeriesPlan, TargetKind};
use crate::spec::profile::FlushCall;
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
        if let Some(call) = durability.writeback() {
            check_writeback((call, name), engine, found)?;
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

/// Refuses a flush of the page cache by `call` where nothing passes it, or the engine does not know the call.
fn check_writeback(
    (call, name): (FlushCall, &str),
    engine: &EnginePlan,
    found: &[FoundTarget],
) -> Result<(), Fault> {
    let because = format!("profile '{name}' flushes the page cache after its writes");
    if let Some(found) = found.iter().find(|found| found.plan.kind == TargetKind::Sim) {
        return Err(Fault::new(format!("{} has no page cache", found.plan.target))
            .because(because)
            .fix("measure it on a file, or use flush = \"fdatasync\" in the profile"));
    }
    if engine.caching == Caching::Direct {
        let what = format!("{} has nothing to flush", call.name());
        return Err(Fault::new(what)
            .because(format!("{because}, and these do not pass it"))
            .fix("use --buffered on a file, or flush = \"fdatasync\" in the profile"));
    }
    if engine.engine == Engine::Libaio {
        let what = format!("engine {} does not know {}", engine.engine.name(), call.name());
        return Err(Fault::new(what)
            .because(because)
            .fix("use --engine io_uring or --engine sync"));
    }
    Ok(())
}
