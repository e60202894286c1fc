//! How I/O is issued.

use super::defaults::{IN_FLIGHT_BYTES, THREADS_MAX};
use super::replay::arrivals;
use super::wishes::{Site, Wishes};
use crate::plan::omission::Left;
use crate::plan::{
    Engine, EnginePlan, MemoryPages, Omission, OpenLoop, SeriesPlan, TargetKind, outstanding_max,
};
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::units::Nanos;

/// How I/Os arrive where a rate is offered; the buffers of what is in flight stay bounded.
pub(super) fn open_loop(wishes: &Wishes, series: &[SeriesPlan]) -> OpenLoop {
    let block_max = series.iter().map(|series| series.profile.block_bytes_max()).max();
    let fitting = IN_FLIGHT_BYTES / block_max.unwrap_or(1).max(1);
    let arrivals = arrivals(wishes, series);
    OpenLoop { arrivals, in_flight_max: fitting.clamp(16, 1024) as u32 }
}

/// Refuses what the synchronous engine cannot do: one thread per I/O cannot keep a common pace.
pub(super) fn check_pacing(engine: &EnginePlan, series: &[SeriesPlan]) -> Result<(), Fault> {
    if engine.engine != Engine::Sync {
        return Ok(());
    }
    let is_paced = |series: &&SeriesPlan| {
        let mut lines = series.profile.storage().into_iter().flat_map(|profile| &profile.lines);
        let delays = lines.any(|line| line.delay > Nanos::ZERO);
        delays || series.loads.unit == LoadUnit::OfferedIops
    };
    match series.iter().find(is_paced) {
        None => Ok(()),
        Some(series) => {
            Err(Fault::new(format!("the sync engine cannot keep the pace of {}", series.name))
                .because("its threads each wait for an I/O of their own")
                .fix("use --engine io_uring or libaio for offered rates and for delays"))
        }
    }
}

/// Refuses pauses of a profile whose I/Os arrive by themselves: the rate says when each of them is issued.
pub(super) fn check_pauses(series: &[SeriesPlan]) -> Result<(), Fault> {
    let pauses = |series: &&SeriesPlan| {
        let profile = series.profile.storage().filter(|profile| profile.trace.is_none());
        series.loads.unit.is_offered() && profile.is_some_and(|profile| profile.pauses())
    };
    match series.iter().find(pauses) {
        None => Ok(()),
        Some(series) => Err(Fault::new(format!("{} cannot pause at an offered rate", series.name))
            .because(
                "the rate alone says when an I/O is issued, whether others have completed or not",
            )
            .fix("load it by --outstanding, or remove 'delay' and 'think' of the profile")),
    }
}

/// Refuses more threads of the synchronous engine than a machine can bear.
pub(super) fn check_threads(
    engine: &EnginePlan,
    series: &[SeriesPlan],
    target_count: usize,
) -> Result<(), Fault> {
    let threads = target_count as f64 * outstanding_max(series);
    if engine.engine != Engine::Sync || threads <= THREADS_MAX {
        return Ok(());
    }
    Err(Fault::new(format!("the sync engine would need {threads} threads"))
        .because(format!("it has one for each I/O in flight, and {THREADS_MAX} at the most"))
        .fix("use --engine io_uring or libaio, or fewer outstanding I/Os"))
}

/// Limits the workers of an open loop to one fewer than the `cpus` that it may use, and says so:
/// each of them spins before every arrival, and two that share a CPU delay each other, so that the
/// run would measure its own lateness.
pub(super) fn leave_a_cpu_free(engine: &mut EnginePlan, cpus: usize) -> Option<Omission> {
    let most = cpus.saturating_sub(1).max(1) as u32;
    if engine.engine == Engine::Sim || engine.workers <= most {
        return None;
    }
    let asked = std::mem::replace(&mut engine.workers, most);
    Some(Left::Workers { workers: most, asked, cpus: cpus as u32 }.into())
}

/// The engine and its workers.
pub(super) fn engine_plan(
    wishes: &Wishes,
    (kind, site): (TargetKind, &Site<'_>),
    series: &[SeriesPlan],
) -> Result<EnginePlan, Fault> {
    let (engine, workers_default) = match kind {
        TargetKind::Sim => (Engine::Sim, 1),
        TargetKind::Null => (Engine::Null, 1),
        TargetKind::Database | TargetKind::Desktop | TargetKind::Directory => (Engine::Threads, 1),
        TargetKind::Processor => (Engine::Processes, 1),
        TargetKind::File | TargetKind::Block => {
            let profiles = || series.iter().filter_map(|series| series.profile.storage());
            // Few engines can do without data.
            let hardest = profiles().find(|profile| profile.writes_without_data());
            let profile = hardest.or_else(|| profiles().next());
            let profile = profile.ok_or_else(|| Fault::new("nothing does I/O here"))?;
            ((site.engine)(profile)?, site.targets.len().min(site.cpus.max(1)))
        }
    };
    let workers = match (kind, wishes.workers) {
        (TargetKind::Sim, Some(2..)) => {
            return Err(Fault::new("a simulated system is driven by one worker")
                .fix("leave out --workers for sim: targets"));
        }
        (TargetKind::Database, Some(_)) => {
            return Err(Fault::new("each warehouse has its own thread")
                .fix("leave out --workers, and say with --warehouses how many there are"));
        }
        (TargetKind::Desktop, Some(_)) => {
            return Err(Fault::new("one thread plays all users")
                .fix("leave out --workers, and say with --users how many there are"));
        }
        (TargetKind::Processor, Some(_)) => {
            return Err(Fault::new("each copy is its own process")
                .fix("leave out --workers, and say with --copies how many there are"));
        }
        (TargetKind::Directory, Some(_)) => {
            return Err(Fault::new("each outstanding operation has its own thread")
                .fix("leave out --workers, and say with --outstanding how many there are"));
        }
        (_, workers) => workers.unwrap_or(workers_default as u32),
    };
    let memory_pages = memory_pages(wishes, kind)?;
    Ok(EnginePlan { engine, caching: wishes.caching, memory_pages, workers })
}

/// The pages of the buffers, where there are any.
fn memory_pages(wishes: &Wishes, kind: TargetKind) -> Result<Option<MemoryPages>, Fault> {
    match (kind, wishes.memory_pages) {
        (TargetKind::File | TargetKind::Block, pages) => Ok(Some(pages)),
        (_, MemoryPages::Small) => Ok(None),
        (_, MemoryPages::Huge) => {
            Err(Fault::new("huge pages are for the buffers of I/Os, and there are none")
                .because("nothing is read from this target or written to it by this machine")
                .fix("leave out --huge-pages, or name a file or a block device"))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::Caching;

    use super::*;

    #[test]
    fn huge_pages_are_for_what_has_buffers() {
        let wishes = |memory_pages| Wishes { memory_pages, ..Wishes::default() };
        let small = wishes(MemoryPages::Small);
        assert_eq!(memory_pages(&small, TargetKind::File).unwrap(), Some(MemoryPages::Small));
        assert_eq!(memory_pages(&small, TargetKind::Sim).unwrap(), None);
        let huge = wishes(MemoryPages::Huge);
        assert_eq!(memory_pages(&huge, TargetKind::Block).unwrap(), Some(MemoryPages::Huge));
        for kind in [TargetKind::Sim, TargetKind::Null, TargetKind::Processor] {
            assert!(memory_pages(&huge, kind).is_err(), "{kind:?}");
        }
    }

    #[test]
    fn workers_of_an_open_loop_leave_a_cpu_free() {
        let check = |(engine, asked): (Engine, u32), cpus: usize, left: u32| {
            let mut plan =
                EnginePlan { engine, caching: Caching::Direct, memory_pages: None, workers: asked };
            let said = leave_a_cpu_free(&mut plan, cpus);
            assert_eq!(plan.workers, left, "{asked} workers on {cpus} CPUs");
            assert_eq!(said.is_some(), asked != left, "{said:?}");
        };
        check((Engine::Null, 2), 2, 1);
        check((Engine::IoUring, 8), 4, 3);
        check((Engine::IoUring, 3), 4, 3);
        check((Engine::Libaio, 1), 1, 1);
        check((Engine::Libaio, 2), 1, 1);
        check((Engine::Sim, 1), 1, 1);
    }
}
