//! The copies of files of a plan, one after the other, each kept as soon as it is made.

use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::{CopyResult, FileSet, NextCopy, next_copy};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::RunState;
use kneepoint_device::file_copy::{Check, Copied, CopyOrder, Ended, Ground};

use super::Interrupt;
use super::keep::Keep;
use super::owner;
use super::vigil::Vigil;
use crate::output::copy_progress::{CopyProgress, source_bar};
use crate::work::{Prepared, ground};

/// The directory of one target, laid out, or why it could not be.
struct Place {
    target: usize,
    ground: Result<Ground, Fault>,
}

/// Makes every copy of the plan that is missing; ends early on Ctrl-C. A copy that fails is noted
/// and does not end the run.
pub(super) fn make_missing(
    prepared: &Prepared,
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<RunState, Fault> {
    let plan = &prepared.plan;
    let Some(copy) = &plan.file_copy else { return Ok(RunState::Complete) };
    let set = FileSet::new(&copy.set, plan.seed);
    let progress = CopyProgress::new(plan, keep.copies().len());
    let mut place: Option<Place> = None;
    while let Some(next) = next_copy(plan, keep.copies()) {
        if interrupt.is_asked() {
            return Ok(RunState::Interrupted);
        }
        let here = match place.take().filter(|place| place.target == next.target) {
            Some(place) => place,
            None => match lay_out(prepared, &next, interrupt)? {
                Some(place) => place,
                None => return Ok(RunState::Interrupted),
            },
        };
        progress.begin(&next);
        let Some(result) = make(plan, (&next, &set), &here, interrupt) else {
            return Ok(RunState::Interrupted);
        };
        place = Some(here);
        keep.save_copy(result.clone())?;
        progress.end(&result, keep.copies().len());
    }
    Ok(RunState::Complete)
}

/// Writes the files of a target; nothing where the user stopped it. A directory without the whole
/// set is of no use to anybody and is removed.
fn lay_out(
    prepared: &Prepared,
    next: &NextCopy<'_>,
    interrupt: &Interrupt,
) -> Result<Option<Place>, Fault> {
    let target = next.target;
    let Some(path) = ground(&prepared.targets[target]) else {
        return Err(Fault::new("files can only be copied beside a file"));
    };
    let mut ground = match Ground::claim(&path) {
        Ok(ground) => ground,
        Err(fault) => return Ok(Some(Place { target, ground: Err(fault) })),
    };
    let bar = source_bar(&path, &next.copy.set);
    let vigil = Vigil::keep("writing the files of the file copy", interrupt);
    let wrote = |bytes| {
        bar.inc(bytes);
        vigil.moved();
    };
    let what = (next.copy.set, prepared.plan.seed);
    let laid_out = ground.lay_out(what, &wrote, &|| interrupt.is_asked());
    bar.finish_and_clear();
    match laid_out {
        Ok(Ended::Complete) => Ok(Some(Place { target, ground: Ok(ground) })),
        Ok(Ended::Interrupted) => ground.remove().map(|()| None),
        Err(fault) => {
            // The first error is the one to show.
            let _ = ground.remove();
            Ok(Some(Place { target, ground: Err(fault) }))
        }
    }
}

/// Makes one copy; nothing where the user stopped it.
fn make(
    plan: &Plan,
    (next, set): (&NextCopy<'_>, &FileSet),
    place: &Place,
    interrupt: &Interrupt,
) -> Option<CopyResult> {
    let check = if next.repetition == 0 { Check::Contents } else { Check::Sizes };
    let order = CopyOrder { set, method: next.method, cache: next.cache, check };
    let started_at = owner::now();
    let vigil = Vigil::keep("copying files", interrupt);
    // It is asked before every file.
    let stop = || {
        vigil.moved();
        interrupt.is_asked()
    };
    let copied = match &place.ground {
        Ok(ground) => ground.copy(&order, &stop),
        Err(fault) => Err(fault.clone()),
    };
    let (elapsed_s, error, warnings) = match copied {
        Ok(Copied::Interrupted) => return None,
        Ok(Copied::Complete { elapsed, warnings }) => (Some(elapsed.as_secs_f64()), None, warnings),
        Err(fault) => (None, Some(fault.to_string()), Vec::new()),
    };
    Some(CopyResult {
        target: plan.targets[next.target].target.clone(),
        method: next.method,
        cache: next.cache,
        repetition: next.repetition,
        started_at,
        files: next.copy.set.files,
        directories: next.copy.set.directories,
        bytes: next.copy.set.bytes,
        elapsed_s,
        error,
        warnings,
    })
}
