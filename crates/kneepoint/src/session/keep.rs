//! Where a run is kept: in the store, in memory, and, if the store is lost, in a rescue file.
//!
//! Whatever becomes of the store while hours are measured, nothing that was measured is lost: a
//! store that was removed is made again, a locked one is waited for, and if it cannot be written at
//! all the run goes on into a file that `kneepoint import` reads.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use kneepoint_core::fault::Fault;
use kneepoint_core::file_copy::CopyResult;
use kneepoint_core::result::{PointResult, RUN_SCHEMA, RunDocument, RunHeader, RunState};
use kneepoint_store::{Ending, Histograms, NewPoint, NewRun, Obstacle, Store};

use super::owner::entropy;
use super::{Interrupt, again};
use crate::destination::{Replace, json, write};
use crate::output::print::tell;

/// How often a locked store is tried again.
const AGAIN: Duration = Duration::from_millis(200);

/// A run while it goes on.
pub(super) struct Keep<'a> {
    store: &'a mut Store,
    /// Everything that the store should have.
    document: RunDocument,
    /// Where the run goes since the store was lost.
    rescue: Option<PathBuf>,
    interrupt: &'a Interrupt,
    /// Places of the points that are to be measured again, the next one last.
    again: Vec<usize>,
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    /// Everything that was measured, without summaries.
    pub(crate) document: RunDocument,
    /// Where it lies, if not in the store.
    pub(crate) rescue: Option<PathBuf>,
}

impl<'a> Keep<'a> {
    /// A run that begins; it is entered in the store, under another id if its own was taken since.
    pub(super) fn begin(
        store: &'a mut Store,
        run: &NewRun,
        interrupt: &'a Interrupt,
    ) -> Result<Self, Fault> {
        let document = document(run);
        let mut keep = Self { store, document, rescue: None, interrupt, again: Vec::new() };
        let id = RefCell::new(run.id.clone());
        keep.commit(|store| {
            store.begin_under_free_id(run, entropy).map(|own| {
                id.replace(own);
            })
        })?;
        keep.document.run.id = id.into_inner();
        Ok(keep)
    }

    /// A run that goes on in `store`; `document` is what the store has of it.
    pub(super) fn resume(
        store: &'a mut Store,
        document: RunDocument,
        interrupt: &'a Interrupt,
    ) -> Self {
        Self { store, document, rescue: None, interrupt, again: Vec::new() }
    }

    /// The same run, with the disturbed points to be measured again.
    pub(super) fn with_disturbed_again(mut self) -> Self {
        self.again = again::disturbed(&self.document.points);
        self.again.reverse();
        self
    }

    /// Places of the points that are to be measured again, the next one last.
    pub(super) fn again(&self) -> &[usize] {
        &self.again
    }

    /// The place of the next point that is to be measured again; it is taken out.
    pub(super) fn next_again(&mut self) -> Option<usize> {
        self.again.pop()
    }

    /// The points so far, in the order measured.
    pub(super) fn points(&self) -> &[PointResult] {
        &self.document.points
    }

    /// The copies of files so far, in the order made.
    pub(super) fn copies(&self) -> &[CopyResult] {
        &self.document.copies
    }

    /// Keeps warnings about the whole run.
    pub(super) fn add_warnings(&mut self, warnings: &[String]) -> Result<(), Fault> {
        self.document.warnings.extend_from_slice(warnings);
        let id = self.id();
        self.commit(|store| store.add_warnings(&id, warnings))
    }

    /// Keeps a point.
    pub(super) fn save_point(
        &mut self,
        result: PointResult,
        histograms: &Histograms,
    ) -> Result<(), Fault> {
        let (id, ordinal) = (self.id(), self.document.points.len() as u32);
        self.document.points.push(result.clone());
        let (repetition, result) = (result.repetition, &result);
        let point = NewPoint { ordinal, repetition, result, histograms };
        self.commit(|store| store.save_point(&id, &point))
    }

    /// Keeps a point in the place of an earlier one, and says in a warning what that one was.
    pub(super) fn replace_point(
        &mut self,
        place: usize,
        result: PointResult,
        (histograms, warning): (&Histograms, String),
    ) -> Result<(), Fault> {
        let id = self.id();
        self.document.points[place] = result.clone();
        self.document.warnings.push(warning.clone());
        let (repetition, result) = (result.repetition, &result);
        let point = NewPoint { ordinal: place as u32, repetition, result, histograms };
        self.commit(|store| store.replace_point(&id, &point, &warning))
    }

    /// Keeps a copy of files.
    pub(super) fn save_copy(&mut self, copy: CopyResult) -> Result<(), Fault> {
        let (id, ordinal) = (self.id(), self.document.copies.len() as u32);
        self.document.copies.push(copy.clone());
        self.commit(|store| store.save_copy(&id, (ordinal, &copy)))
    }

    /// Ends the run.
    pub(super) fn finish(&mut self, ending: &Ending) -> Result<(), Fault> {
        self.document.run.state = ending.state;
        self.document.run.finished_at.clone_from(&ending.finished_at);
        self.document.warnings.extend_from_slice(&ending.warnings);
        let id = self.id();
        self.commit(|store| store.finish(&id, ending))
    }

    /// What was kept.
    pub(super) fn into_kept(self) -> Kept {
        Kept { document: self.document, rescue: self.rescue }
    }

    fn id(&self) -> String {
        self.document.run.id.clone()
    }

    /// Brings a change to the store, or, if the store is lost, the whole run to the rescue file.
    ///
    /// # Errors
    /// When the store is there and cannot take the change, for example on a full disk, or when no
    /// rescue file can be written.
    fn commit(&mut self, change: impl Fn(&mut Store) -> Result<(), Fault>) -> Result<(), Fault> {
        if self.rescue.is_some() {
            return self.save_rescue();
        }
        let mut is_told = false;
        loop {
            match self.store.obstacle() {
                None => match change(self.store) {
                    Err(_) if self.store.obstacle() == Some(Obstacle::Locked) => {}
                    done => return done,
                },
                Some(Obstacle::Locked) if self.interrupt.is_asked() => {
                    let fault = Fault::new("it is still locked by another process");
                    return self.give_up(&fault);
                }
                Some(Obstacle::Locked) => {
                    if !is_told {
                        tell(self.locked());
                    }
                    is_told = true;
                    sleep(AGAIN);
                }
                Some(Obstacle::Gone) => match self.store.recreate() {
                    Ok(()) => tell(format!(
                        "note: the store {} was removed or moved during the run; it was made \
                         again, with all its runs",
                        self.store.path().display()
                    )),
                    Err(fault) => return self.give_up(&fault),
                },
                Some(Obstacle::Lost(fault)) => return self.give_up(&fault),
            }
        }
    }

    fn locked(&self) -> String {
        format!(
            "waiting: another process keeps the store {} locked; nothing is measured until it is \
             free, and Ctrl-C ends the run",
            self.store.path().display()
        )
    }

    /// Lets go of the store and says where the run goes from now on.
    fn give_up(&mut self, fault: &Fault) -> Result<(), Fault> {
        self.save_rescue()?;
        tell(format!(
            "note: the store {} is lost to this run: {fault}; what is measured goes to {}",
            self.store.path().display(),
            self.rescue.as_deref().unwrap_or(Path::new("")).display()
        ));
        Ok(())
    }

    fn save_rescue(&mut self) -> Result<(), Fault> {
        self.rescue = Some(rescue(&self.document, self.store.path())?);
        Ok(())
    }
}

/// Writes a run beside the store, or into the working directory, and gives the file.
///
/// # Errors
/// When neither can be written.
pub(crate) fn rescue(document: &RunDocument, store: &Path) -> Result<PathBuf, Fault> {
    let name = format!("{}-rescue.json", document.run.id);
    let fault = |error: anyhow::Error| {
        Fault::new(format!("cannot write the run to {name}")).because(format!("{error:#}"))
    };
    let text = json(document).map_err(fault)?;
    let beside = store.with_file_name(&name);
    match write(&beside, Replace::Own, &text) {
        Ok(()) => Ok(beside),
        Err(_) => {
            let here = PathBuf::from(&name);
            write(&here, Replace::Own, &text).map(|()| here).map_err(fault)
        }
    }
}

/// A run without points, as results describe it.
fn document(run: &NewRun) -> RunDocument {
    RunDocument {
        schema: RUN_SCHEMA.to_owned(),
        run: RunHeader {
            id: run.id.clone(),
            label: run.label.clone(),
            work: run.work.clone(),
            state: RunState::Interrupted,
            started_at: run.started_at.clone(),
            finished_at: String::new(),
            plan_hash: run.plan_hash.clone(),
            seed: run.seed,
            version: run.version.clone(),
            command: run.command.clone(),
        },
        environment: run.environment.clone(),
        plan: run.plan.clone(),
        points: Vec::new(),
        summaries: Vec::new(),
        copies: Vec::new(),
        copy_summaries: Vec::new(),
        warnings: Vec::new(),
    }
}
