//! `kneepoint runs`: what the store holds.

use kneepoint_store::{Access, Fate, RunOverview, Store};

use crate::Outcome;
use crate::cli::StoreArgs;
use crate::output::print::{print, tell};
use crate::output::table::{Align, TextTable};
use crate::session::{started_ticks, this_process};

/// Lists the runs, the newest first.
pub(crate) fn runs(args: &StoreArgs) -> anyhow::Result<Outcome> {
    let runs = Store::open(&args.store, Access::ReadOnly)?.runs()?;
    if runs.is_empty() {
        tell(&format!("{} holds no runs; `kneepoint run` makes one", args.store.display()));
        return Ok(Outcome::Done);
    }
    let left = Align::Left;
    let mut table = TextTable::new(&[
        ("Run", left),
        ("Label", left),
        ("Work", left),
        ("Started (UTC)", left),
        ("Points", Align::Right),
        ("State", left),
    ]);
    for run in &runs {
        table.row(vec![
            run.id.clone(),
            run.label.clone(),
            run.work.clone(),
            run.started_at.clone(),
            run.points.to_string(),
            state(run).to_owned(),
        ]);
    }
    print(&table.text())?;
    Ok(Outcome::Done)
}

/// How the run ended, or that it still goes on.
fn state(run: &RunOverview) -> &'static str {
    let fate = run.owner.as_ref().map(|owner| owner.fate(&this_process(), started_ticks));
    match fate {
        Some(Fate::Alive) => "running",
        Some(Fate::Unknown) => "running on another host, or interrupted",
        Some(Fate::Gone) | None => run.state.name(),
    }
}
