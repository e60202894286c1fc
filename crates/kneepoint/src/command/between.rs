//! A search beside earlier ones of the same plan.

use std::path::Path;

use kneepoint_core::analysis::between::{BetweenRuns, between_runs};
use kneepoint_core::result::{RunDocument, RunState};
use kneepoint_store::{RunOverview, Store, StoreAccess};

use super::analysed;

/// The most earlier runs that are looked at: the latest ones.
const EARLIER_MAX: usize = 19;

/// How earlier searches of its plan in `store` differ from that of `last`; nothing for a run without
/// a search, and where the store cannot be read: what was measured stands without it.
pub(super) fn between(last: &RunDocument, store: &Path) -> Vec<BetweenRuns> {
    let is_search = last.analysis.summaries.iter().any(|summary| summary.search.is_some());
    if !is_search || last.run.state != RunState::Complete {
        return Vec::new();
    }
    earlier(last, store).map_or_else(|_| Vec::new(), |earlier| between_runs(last, &earlier))
}

fn earlier(last: &RunDocument, store: &Path) -> anyhow::Result<Vec<RunDocument>> {
    let store = Store::open(store, StoreAccess::ReadOnly)?;
    let targets: Vec<&str> =
        last.environment.targets.iter().map(|target| target.target.as_str()).collect();
    let is_alike = |run: &RunOverview| {
        run.state == RunState::Complete
            && run.work == last.run.work
            && run.targets == targets
            && run.id != last.run.id
            && run.started_at <= last.run.started_at
    };
    let mut alike: Vec<RunOverview> = store.runs()?.into_iter().filter(is_alike).collect();
    alike.sort_by(|a, b| b.started_at.cmp(&a.started_at));
    alike.truncate(EARLIER_MAX);
    alike.iter().map(|run| analysed(store.load(&run.id)?)).collect()
}
