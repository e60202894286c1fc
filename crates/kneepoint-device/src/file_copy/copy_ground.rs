//! Where the copies of a run are made: the directory of one target after the other.

use std::cell::{Cell, RefCell};
use std::path::Path;

use kneepoint_core::measure::{Copied, NextCopy, Observer, Stop, Task};
use kneepoint_core::plan::{FileSet, Plan};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::units::Bytes;

use super::{CopyDir, CopyOrder};

/// The directory that is in use, if one is.
#[derive(Debug, Default)]
pub struct CopyGround(Option<LaidOut>);

/// The directory of a target with its files, or why it could not be made.
#[derive(Debug)]
struct LaidOut {
    target: usize,
    directory: Result<(CopyDir, FileSet), Fault>,
}

impl CopyGround {
    /// Makes a copy in the directory `path` of its target, where the files are laid out first if they are
    /// not there.
    ///
    /// # Errors
    /// When the directory cannot be used, the copy fails, or the observer asks to stop.
    pub fn copy(
        &mut self,
        path: &Path,
        (plan, next): (&Plan, &NextCopy<'_>),
        observer: &mut dyn Observer,
    ) -> Result<Copied, Stop> {
        // The directory of another target is let go of before the next is claimed.
        let here = match self.0.take().filter(|here| here.target == next.target) {
            Some(here) => here,
            None => {
                let directory = lay_out(path, (plan, next), observer)?;
                LaidOut { target: next.target, directory }
            }
        };
        let copied = match &here.directory {
            Ok((directory, set)) => {
                let NextCopy { method, cache, .. } = *next;
                let checks_contents = next.repetition == 0;
                directory.copy(&CopyOrder { set, method, cache, checks_contents }, &*observer)
            }
            Err(fault) => Err(fault.clone().into()),
        };
        self.0 = Some(here);
        copied
    }
}

/// Writes the files of a target. A directory without the whole set is removed.
fn lay_out(
    path: &Path,
    (plan, next): (&Plan, &NextCopy<'_>),
    observer: &mut dyn Observer,
) -> Result<Result<(CopyDir, FileSet), Fault>, Stop> {
    let mut directory = match CopyDir::claim(path) {
        Ok(directory) => directory,
        Err(fault) => return Ok(Err(fault)),
    };
    let set = next.copy.set;
    observer.task(&Task::Files { path, count: set.files, bytes: Bytes(set.bytes) });
    let shared = Shared(RefCell::new(observer));
    let written = Cell::new(0);
    let wrote = |bytes| {
        written.set(written.get() + bytes);
        shared.0.borrow_mut().task_moved(Bytes(written.get()));
    };
    let laid_out = directory.lay_out((set, plan.seed), &wrote, &shared);
    shared.0.borrow_mut().task_ended();
    match laid_out {
        Ok(()) => Ok(Ok((directory, FileSet::new(&set, plan.seed)))),
        Err(Stop::Failed(fault) | Stop::Lost { fault, .. } | Stop::Fault(fault)) => {
            // The first error is the one to show.
            let _ = directory.remove();
            Ok(Err(fault))
        }
        Err(Stop::Asked) => {
            directory.remove()?;
            Err(Stop::Asked)
        }
    }
}

/// An observer that is asked and told by turns.
struct Shared<'a>(RefCell<&'a mut dyn Observer>);

impl Observer for Shared<'_> {
    fn is_stop_asked(&self) -> bool {
        self.0.borrow().is_stop_asked()
    }
}
