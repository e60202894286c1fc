//! Two runs that are measured by turns.

use std::path::Path;

use kneepoint_core::measure::{Alternated, LoadDifference, Venue, alternate};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::{RunState, Warning};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::Percent;
use kneepoint_store::{Store, StoreAccess};

use super::keep::Keep;
use super::terminal::Terminal;
use super::{Interrupt, Kept, closed, new_run, plan_warnings, stale_settings, state_after};
use crate::output::print::tell;
use crate::work::{AnyTestbed, ResolvedRun};

/// How both runs ended.
#[derive(Debug)]
pub(crate) struct LiveEnded {
    /// How they ended, or what ended them.
    pub(crate) state: Result<RunState, Fault>,
    /// The differences at the loads that were measured.
    pub(crate) differences: Vec<LoadDifference>,
    /// The measurements of both runs; nothing of one that was not begun.
    pub(crate) kept: [Option<Kept>; 2],
}

/// Measures the loads of both plans by turns, and keeps each run in the store.
///
/// # Errors
/// When the store cannot be opened, or an earlier run left settings changed. What goes wrong later is
/// part of the end.
pub(crate) fn measure_live(
    prepared: [ResolvedRun; 2],
    (store, band): (&Path, Percent),
    interrupt: &Interrupt,
) -> Result<LiveEnded, Fault> {
    let [mut first, mut second] = prepared;
    let mut stores =
        [Store::open(store, StoreAccess::ReadWrite)?, Store::open(store, StoreAccess::ReadWrite)?];
    // Neither side varies settings.
    stale_settings::check(store, &first.varied)?;
    let notes = [&first.plan, &second.plan].map(plan_warnings);
    for note in distinct(&notes) {
        tell(format!("note: {}", printable(&note.text())));
    }
    let [notes_first, notes_second] = notes;
    let [store_first, store_second] = &mut stores;
    let mut keep_first = keep((store_first, interrupt), &first.plan, notes_first)?;
    let mut keep_second = keep((store_second, interrupt), &second.plan, notes_second)?;
    // Both are on one machine: one of them, if it is real, says that it is busy.
    match first.place {
        AnyTestbed::Device(_) => first.place.wait_for_quiet(None),
        AnyTestbed::Sim(_)
        | AnyTestbed::Server(_)
        | AnyTestbed::Files(_)
        | AnyTestbed::Database(_)
        | AnyTestbed::Desktop(_)
        | AnyTestbed::Fleet(_) => second.place.wait_for_quiet(None),
    }
    let mut terminal = Terminal::new(interrupt);
    let sides = [
        Venue { plan: &first.plan, testbed: first.place.testbed(), keeper: &mut keep_first },
        Venue { plan: &second.plan, testbed: second.place.testbed(), keeper: &mut keep_second },
    ];
    let Alternated { differences, end: measured } = alternate(sides, band, &mut terminal);
    let state = state_after(measured, "the comparison");
    let first = closed(keep_first, state.clone(), (first.place.testbed(), &mut terminal));
    let second = closed(keep_second, state, (second.place.testbed(), &mut terminal));
    let ((state_first, kept_first), (state_second, kept_second)) = (first, second);
    let state = state_first.and(state_second);
    Ok(LiveEnded { state, differences, kept: [kept_first, kept_second] })
}

/// A new run of `plan`, kept in `store`.
fn keep<'a>(
    (store, interrupt): (&'a mut Store, &'a Interrupt),
    plan: &Plan,
    notes: Vec<Warning>,
) -> Result<Keep<'a>, Fault> {
    let run = new_run(plan, (&*store, ""))?;
    Ok(Keep::new(store, (run, notes), interrupt))
}

/// Each warning about either plan once.
fn distinct(notes: &[Vec<Warning>; 2]) -> Vec<&Warning> {
    let [first, second] = notes;
    let is_new = |note: &&Warning| !first.contains(note);
    first.iter().chain(second.iter().filter(is_new)).collect()
}
