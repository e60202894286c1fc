//! Measures points of operations on files: the files are made before each and removed after it.

use std::path::Path;

use kneepoint_core::load::files::ThreadFiles;
use kneepoint_core::measure::{
    Coordinator, FileGround, Instrument, Observer, Outcome, Point, Stop, Task,
};
use kneepoint_core::result::Warning;
use kneepoint_core::spec::profile::{FileOperation, FilesWork};
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::seed;
use kneepoint_core::words::units::Bytes;

use super::FileCounter;
use crate::clerk::{Clerk, Done};
use crate::crew::Crew;
use crate::instrument::observed;
use crate::testbed::Surroundings;

/// Directories as an instrument.
pub(crate) struct FilesInstrument<'a> {
    surroundings: &'a dyn Surroundings,
    /// Of the targets, in the plan's order.
    pub(super) grounds: Vec<Box<dyn FileGround>>,
    /// Why the files of the last point are not all gone; no other point begins beside them.
    obstacle: Option<Fault>,
}

/// A clerk and the files that it works on.
type FileDesk = (Clerk<FileOperation>, FileCounter);

impl<'a> FilesInstrument<'a> {
    pub(super) fn new(
        surroundings: &'a dyn Surroundings,
        grounds: Vec<Box<dyn FileGround>>,
    ) -> Self {
        Self { surroundings, grounds, obstacle: None }
    }

    /// Makes the files of each target, with the clerks who work on them.
    fn lay_out(
        &mut self,
        (point, work): (&Point<'_>, &FilesWork),
        observer: &mut dyn Observer,
    ) -> Result<Vec<FileDesk>, Stop> {
        let mut desks = Vec::new();
        for (target, ground) in (0..).zip(&mut self.grounds) {
            let name = &point.plan.targets[target as usize].target;
            observer.task(&Task::Files {
                path: Path::new(name),
                count: work.tree.count,
                bytes: Bytes(work.tree.bytes()),
            });
            let seed = seed::derive(point.seed(), "files", u64::from(target));
            let made = populate(&mut **ground, (point, work), (target, seed), &mut *observer);
            observer.task_ended();
            desks.extend(made?);
        }
        self.grounds.iter().try_for_each(|ground| ground.settle())?;
        Ok(desks)
    }

    /// Measures a point on files that were just made.
    fn measure(
        &self,
        point: &Point<'_>,
        desks: Vec<FileDesk>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        let mut overseer = Coordinator::new(point, observer);
        overseer.ready()?;
        let crew = Crew::start(desks, self.grounds.len(), point.plan.timing.interval)?;
        let mut watcher = self.surroundings.watch();
        let done = crew.oversee(&mut overseer, &mut *watcher)?;
        Ok(Outcome { warnings: failure(&done), ..observed(overseer.finish()?, watcher) })
    }
}

impl Instrument for FilesInstrument<'_> {
    fn run_point(
        &mut self,
        point: &Point<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Stop> {
        if let Some(obstacle) = self.obstacle.take() {
            return Err(obstacle.into());
        }
        let work = point.series.profile.files();
        let work =
            work.ok_or_else(|| Fault::new("the work of the series is no operations on files"))?;
        let measured = match self.lay_out((point, work), observer) {
            Ok(desks) => self.measure(point, desks, observer),
            Err(stop) => Err(stop),
        };
        // Whatever ended the point; its own end is what is told first, and what was measured is kept.
        let cleared = self.grounds.iter_mut().map(|ground| ground.clear());
        self.obstacle = cleared.fold(Ok(()), Result::and).err();
        measured
    }
}

/// Makes the files of a target, and clerks who have them.
fn populate(
    ground: &mut dyn FileGround,
    (point, work): (&Point<'_>, &FilesWork),
    (target, seed): (u32, u64),
    observer: &mut dyn Observer,
) -> Result<Vec<FileDesk>, Stop> {
    let tree = &work.tree;
    let threads = point.load.value as u32;
    ground.lay_out(tree)?;
    let mut rng = seed::rng(seed::derive(seed, "first files", 0));
    let mut written = 0;
    let mut desks = Vec::with_capacity(threads as usize);
    for thread in 0..threads {
        let own = ThreadFiles::new(tree, (thread, threads));
        let mut calls = ground.calls(tree, seed::derive(seed, "data", u64::from(thread)))?;
        own.populate(&mut *calls, &mut rng, |bytes| {
            written += bytes;
            observer.task_moved(Bytes(written));
            observer.go_on()
        })?;
        let shares = tree.operations.iter().map(|part| (part.kind, part.share));
        let clerk = Clerk::new(shares, (thread, target), seed);
        desks.push((clerk, FileCounter { own, calls }));
    }
    Ok(desks)
}

/// What ended a point early.
fn failure(done: &Done) -> Vec<Warning> {
    let failed = |fault: &Fault| Warning::FileOperationFailed { first: fault.to_string() };
    done.failure.as_ref().map(failed).into_iter().collect()
}
