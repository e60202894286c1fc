//! The copies of files of a plan, one after the other, each kept as soon as it is made.

use indicatif::ProgressBar;
use kneepoint_core::measure::{Copied, NextCopy, Observer, Stop, Task, Testbed, next_copy};
use kneepoint_core::plan::Plan;
use kneepoint_core::result::CopyResult;
use kneepoint_core::words::units::Bytes;

use super::keep::Keep;
use super::process::Vigil;
use super::{Interrupt, process};
use crate::output::print::tell;
use crate::output::progress::{CopyProgress, source_bar};

/// Work on many files that Ctrl-C ends, and that is watched over.
struct Watched<'a> {
    interrupt: &'a Interrupt,
    vigil: Vigil,
    /// The files that are written before they are copied.
    source: Option<ProgressBar>,
    /// When the copy began.
    started_at: String,
}

impl<'a> Watched<'a> {
    fn over(interrupt: &'a Interrupt) -> Self {
        let vigil = Vigil::keep(COPYING, Some(interrupt));
        Self { interrupt, vigil, source: None, started_at: process::now() }
    }
}

const COPYING: &str = "copying files";

impl Observer for Watched<'_> {
    fn is_stop_asked(&self) -> bool {
        // It is asked before every file.
        self.vigil.moved();
        self.interrupt.is_asked()
    }

    fn note(&mut self, text: &str) {
        tell(text);
    }

    fn task(&mut self, task: &Task<'_>) {
        if let Task::Files { path, count, bytes } = task {
            let doing = "writing the files of the file copy";
            self.vigil = Vigil::keep(doing, Some(self.interrupt));
            self.source = Some(source_bar(path, (*count, *bytes)));
        }
    }

    fn task_moved(&mut self, done: Bytes) {
        if let Some(bar) = &self.source {
            bar.set_position(done.0);
        }
    }

    fn task_ended(&mut self) {
        if let Some(bar) = self.source.take() {
            bar.finish_and_clear();
        }
        *self = Self::over(self.interrupt);
    }
}

/// Makes every copy of the plan that is missing; ends early on Ctrl-C, or when a host of a fleet is lost. A
/// copy that fails is noted and does not end the run.
pub(super) fn make_missing(
    (plan, testbed): (&Plan, &mut dyn Testbed),
    keep: &mut Keep<'_>,
    interrupt: &Interrupt,
) -> Result<(), Stop> {
    if plan.file_copy.is_none() {
        return Ok(());
    }
    let progress = CopyProgress::new(plan, keep.copies().len());
    while let Some(next) = next_copy(plan, keep.copies()) {
        if interrupt.is_asked() {
            return Err(Stop::Asked);
        }
        progress.begin(&next);
        let result = make(plan, &next, testbed, interrupt)?;
        keep.save_copy(result.clone())?;
        progress.end(&result, keep.copies().len());
    }
    Ok(())
}

/// Makes one copy; one that fails is a result, too.
fn make(
    plan: &Plan,
    next: &NextCopy<'_>,
    testbed: &mut dyn Testbed,
    interrupt: &Interrupt,
) -> Result<CopyResult, Stop> {
    let mut watched = Watched::over(interrupt);
    let (elapsed_s, error, warnings) = match testbed.copy_files(plan, next, &mut watched) {
        Ok(Copied { elapsed, warnings }) => (Some(elapsed.as_secs_f64()), None, warnings),
        Err(ended @ (Stop::Asked | Stop::Lost { .. })) => return Err(ended),
        Err(Stop::Failed(fault) | Stop::Fault(fault)) => {
            (None, Some(fault.to_string()), Vec::new())
        }
    };
    Ok(CopyResult {
        target: plan.targets[next.target].target.clone(),
        method: next.method,
        cache: next.cache,
        repetition: next.repetition,
        started_at: watched.started_at,
        files: next.copy.set.files,
        directories: next.copy.set.directories,
        bytes: next.copy.set.bytes,
        elapsed_s,
        error,
        warnings,
    })
}
