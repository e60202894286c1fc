//! The copies of files of a plan, one after the other, each kept as soon as it is made.

use std::path::PathBuf;

use kneepoint_core::measure::{NextCopy, Observer, Stop, next_copy};
use kneepoint_core::plan::{FileSet, Plan};
use kneepoint_core::result::CopyResult;
use kneepoint_core::words::fault::Fault;
use kneepoint_device::file_copy::{Copied, CopyDir, CopyOrder};

use super::keep::Keep;
use super::process::Vigil;
use super::{Interrupt, process};
use crate::output::progress::{CopyProgress, source_bar};

/// The directory of one target, laid out, or why it could not be.
type LaidOut = Result<CopyDir, Fault>;

/// Work on many files that Ctrl-C ends, and that is watched over.
struct Watched<'a> {
    interrupt: &'a Interrupt,
    vigil: Vigil,
}

impl<'a> Watched<'a> {
    fn over(doing: &str, interrupt: &'a Interrupt) -> Self {
        Self { interrupt, vigil: Vigil::keep(doing, Some(interrupt)) }
    }
}

impl Observer for Watched<'_> {
    fn is_stop_asked(&self) -> bool {
        // It is asked before every file.
        self.vigil.moved();
        self.interrupt.is_asked()
    }
}

/// Makes every copy of the plan that is missing; ends early on Ctrl-C. A copy that fails is noted
/// and does not end the run.
pub(super) fn make_missing(
    (plan, grounds): (&Plan, &[PathBuf]),
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<(), Stop> {
    let Some(copy) = &plan.file_copy else { return Ok(()) };
    let set = FileSet::new(&copy.set, plan.seed);
    let progress = CopyProgress::new(plan, keep.copies().len());
    let mut laid_out: Option<(usize, LaidOut)> = None;
    while let Some(next) = next_copy(plan, keep.copies()) {
        if interrupt.is_asked() {
            return Err(Stop::Asked);
        }
        // The directory of another target is let go of before the next is claimed.
        let here = match laid_out.take().filter(|(target, _)| *target == next.target) {
            Some((_, here)) => here,
            None => lay_out((plan, grounds), &next, interrupt)?,
        };
        progress.begin(&next);
        let result = make(plan, (&next, &set), &here, interrupt)?;
        laid_out = Some((next.target, here));
        keep.save_copy(result.clone())?;
        progress.end(&result, keep.copies().len());
    }
    Ok(())
}

/// Writes the files of a target. A directory without the whole set is of no use to anybody and is
/// removed.
fn lay_out(
    (plan, grounds): (&Plan, &[PathBuf]),
    next: &NextCopy<'_>,
    interrupt: &Interrupt,
) -> Result<LaidOut, Stop> {
    let Some(path) = grounds.get(next.target) else {
        return Err(Fault::new("files can only be copied beside a file").into());
    };
    let mut ground = match CopyDir::claim(path) {
        Ok(ground) => ground,
        Err(fault) => return Ok(Err(fault)),
    };
    let bar = source_bar(path, &next.copy.set);
    let watched = Watched::over("writing the files of the file copy", interrupt);
    let wrote = |bytes| bar.inc(bytes);
    let what = (next.copy.set, plan.seed);
    let laid_out = ground.lay_out(what, &wrote, &watched);
    bar.finish_and_clear();
    match laid_out {
        Ok(()) => Ok(Ok(ground)),
        Err(Stop::Failed(fault) | Stop::Lost { fault, .. } | Stop::Fault(fault)) => {
            // The first error is the one to show.
            let _ = ground.remove();
            Ok(Err(fault))
        }
        Err(Stop::Asked) => {
            ground.remove()?;
            Err(Stop::Asked)
        }
    }
}

/// Makes one copy; one that fails is a result, too.
fn make(
    plan: &Plan,
    (next, set): (&NextCopy<'_>, &FileSet),
    laid_out: &LaidOut,
    interrupt: &Interrupt,
) -> Result<CopyResult, Stop> {
    let checks_contents = next.repetition == 0;
    let order = CopyOrder { set, method: next.method, cache: next.cache, checks_contents };
    let started_at = process::now();
    let watched = Watched::over("copying files", interrupt);
    let copied = match laid_out {
        Ok(ground) => ground.copy(&order, &watched),
        Err(fault) => Err(fault.clone().into()),
    };
    let (elapsed_s, error, warnings) = match copied {
        Ok(Copied { elapsed, warnings }) => (Some(elapsed.as_secs_f64()), None, warnings),
        Err(Stop::Asked) => return Err(Stop::Asked),
        Err(Stop::Failed(fault) | Stop::Lost { fault, .. } | Stop::Fault(fault)) => {
            (None, Some(fault.to_string()), Vec::new())
        }
    };
    Ok(CopyResult {
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
