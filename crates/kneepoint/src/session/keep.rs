//! Where a run is kept: in the store, in memory, and, if the store is lost, in a rescue file.
//!
//! Whatever becomes of the store while hours are measured, nothing that was measured is lost: a
//! store that was removed is made again, a locked one is waited for, and if it cannot be written at
//! all the run goes on into a file that `kneepoint import` reads.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use kneepoint_core::measure::{self, Keeper, KeptPlace, Outcome, Start};
use kneepoint_core::result::warning::PreconditionPhase;
use kneepoint_core::result::{
    CopyResult, PointResult, RUN_SCHEMA, RunAnalysis, RunDocument, Warning,
};
use kneepoint_core::words::fault::Fault;
use kneepoint_store::{Ending, Histograms, NewPoint, NewRun, Obstacle, Owner, RunOverview, Store};

use super::process::{entropy, now, this_process};
use super::{Interrupt, Scope};
use crate::destination::{Replace, json, write};
use crate::output::print::tell;

/// How often a locked store is tried again.
const AGAIN: Duration = Duration::from_millis(200);

/// A run while it goes on.
pub(super) struct Keep<'a> {
    store: &'a mut Store,
    /// How it gets into the store; nothing once that was tried.
    entry: Option<StoreEntry<'a>>,
    /// True if it is in the store and goes on.
    has_begun: bool,
    /// Everything that the store should have, but for response times in full.
    document: RunDocument,
    /// Those of the points so far.
    histograms: Vec<Histograms>,
    /// Where the run goes since the store was lost.
    rescue: Option<PathBuf>,
    interrupt: &'a Interrupt,
}

/// How a run gets into the store.
enum StoreEntry<'a> {
    /// As a new one, with what is to be said of it before anything is measured.
    New(Box<NewRun>, Vec<Warning>),
    /// It is there, measured by that process before, and goes on.
    Resumed(Option<&'a Owner>),
    /// The same, although it had its end.
    Reopened(Option<&'a Owner>),
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    /// Everything that was measured, without summaries and response times in full.
    pub(crate) document: RunDocument,
    /// Those of the points.
    pub(crate) histograms: Vec<Histograms>,
    /// Where it lies, if not in the store.
    pub(crate) rescue: Option<PathBuf>,
}

impl<'a> Keep<'a> {
    /// A new run; `notes` are warnings about all of it.
    pub(super) fn new(
        store: &'a mut Store,
        (run, notes): (NewRun, Vec<Warning>),
        interrupt: &'a Interrupt,
    ) -> Self {
        let document = document(&run);
        let entry = Some(StoreEntry::New(Box::new(run), notes));
        Self {
            store,
            entry,
            has_begun: false,
            document,
            histograms: Vec::new(),
            rescue: None,
            interrupt,
        }
    }

    /// A run that goes on in `store`.
    ///
    /// # Errors
    /// When the store does not have it.
    pub(super) fn of_stored(
        store: &'a mut Store,
        (run, scope): (&'a RunOverview, Scope),
        interrupt: &'a Interrupt,
    ) -> Result<Self, Fault> {
        let document = store.load(&run.id)?;
        let of = |(ordinal, _)| store.histograms(&run.id, ordinal);
        let histograms = (0..).zip(&document.points).map(of).collect::<Result<_, _>>()?;
        let entry = Some(match scope {
            Scope::Missing => StoreEntry::Resumed(run.owner.as_ref()),
            Scope::DisturbedAgain => StoreEntry::Reopened(run.owner.as_ref()),
        });
        Ok(Self { store, entry, has_begun: false, document, histograms, rescue: None, interrupt })
    }

    /// True if the store has been told that the run goes on.
    pub(super) const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Enters a new run in the store, under another id if its own was taken since.
    fn enter(&mut self, run: &NewRun) -> Result<(), Fault> {
        self.document = document(run);
        let id = RefCell::new(run.header.id.clone());
        self.commit(|store| {
            store.begin_under_free_id(run, entropy).map(|own| {
                id.replace(own);
            })
        })?;
        self.document.run.id = id.into_inner();
        Ok(())
    }

    /// The copies of files so far, in the order made.
    pub(super) fn copies(&self) -> &[CopyResult] {
        &self.document.copies
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

    /// The run as it was kept.
    pub(super) fn into_kept(self) -> Kept {
        Kept { document: self.document, histograms: self.histograms, rescue: self.rescue }
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
        self.rescue = Some(rescue(&self.document, &self.histograms, self.store.path())?);
        Ok(())
    }
}

impl Keeper for Keep<'_> {
    fn points(&self) -> &[PointResult] {
        &self.document.points
    }

    fn now(&self) -> String {
        now()
    }

    fn begin(&mut self, start: Start) -> Result<(), Fault> {
        let unsteady = measure::unsteady(&start.preconditioned);
        let mut warnings = Vec::new();
        // The environment is that of the run's beginning; what was done since then stands beside
        // it.
        let mut done = start.preconditioned;
        match self.entry.take() {
            Some(StoreEntry::New(mut run, notes)) => {
                run.environment = start.environment;
                if !done.is_empty() {
                    let done = std::mem::take(&mut done);
                    let done = done.iter().map(PreconditionPhase::to_string);
                    let done = done.collect::<Vec<_>>().join("; ");
                    for host in &mut run.environment.hosts {
                        host.engine.insert("preconditioned".to_owned(), done.clone());
                    }
                }
                run.header.started_at = now();
                self.enter(&run)?;
                warnings.extend(notes);
                warnings.extend(start.limits);
            }
            Some(StoreEntry::Resumed(previous)) => {
                self.store.resume(&self.id(), previous, &this_process())?;
            }
            Some(StoreEntry::Reopened(previous)) => {
                self.store.reopen(&self.id(), previous, &this_process())?;
            }
            None => {}
        }
        self.has_begun = true;
        warnings.extend([start.warnings, unsteady].concat());
        warnings.extend(done.into_iter().map(Warning::Preconditioned));
        self.warn(&warnings)
    }

    fn keep(
        &mut self,
        result: PointResult,
        outcome: &Outcome,
        place: KeptPlace,
    ) -> Result<(), Fault> {
        let histograms = histograms(outcome);
        let (id, repetition) = (self.id(), result.repetition);
        let (index, warning) = match place {
            KeptPlace::After => (self.document.points.len(), None),
            KeptPlace::InsteadOf { index, warning } => (index, Some(warning)),
        };
        match &warning {
            None => {
                self.document.points.push(result.clone());
                self.histograms.push(histograms.clone());
            }
            Some(warning) => {
                self.document.points[index] = result.clone();
                self.histograms[index] = histograms.clone();
                self.document.warnings.push(warning.clone());
            }
        }
        let point = NewPoint {
            ordinal: index as u32,
            repetition,
            result: &result,
            histograms: &histograms,
        };
        self.commit(|store| match &warning {
            None => store.save_point(&id, &point),
            Some(warning) => store.replace_point(&id, &point, warning),
        })
    }

    fn warn(&mut self, warnings: &[Warning]) -> Result<(), Fault> {
        if warnings.is_empty() {
            return Ok(());
        }
        self.document.warnings.extend_from_slice(warnings);
        let id = self.id();
        self.commit(|store| store.add_warnings(&id, warnings))
    }
}

/// The response times of a point by class, as the store keeps them.
fn histograms(outcome: &Outcome) -> Histograms {
    let known = outcome.measurement.classes.iter().filter(|class| class.histogram.total() > 0);
    Histograms(known.map(|class| (class.name.to_string(), class.histogram.encode())).collect())
}

/// Writes a run with all its response times beside the store, or into the working directory, and
/// gives the file.
///
/// # Errors
/// When neither can be written.
pub(crate) fn rescue(
    document: &RunDocument,
    histograms: &[Histograms],
    store: &Path,
) -> Result<PathBuf, Fault> {
    let mut document = document.clone();
    for (point, histograms) in document.points.iter_mut().zip(histograms) {
        point.histograms = histograms.in_full()?;
    }
    let name = format!("{}-rescue.json", document.run.id);
    let fault = |error: anyhow::Error| {
        Fault::new(format!("cannot write the run to {name}")).because(format!("{error:#}"))
    };
    let text = json("the run", &document).map_err(fault)?;
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
        run: run.header.clone(),
        environment: run.environment.clone(),
        plan: run.plan.clone(),
        points: Vec::new(),
        copies: Vec::new(),
        analysis: RunAnalysis::default(),
        warnings: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::measure::Start;
    use kneepoint_core::result::{Environment, RunHeader, RunState};
    use kneepoint_store::StoreAccess;

    use super::*;

    #[test]
    fn a_run_that_another_process_took_up_is_left_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("k.db"), StoreAccess::ReadWrite).unwrap();
        let owner = this_process();
        let run = NewRun {
            header: RunHeader {
                id: "a".to_owned(),
                label: String::new(),
                work: "database".to_owned(),
                state: RunState::Interrupted,
                started_at: now(),
                finished_at: String::new(),
                plan_hash: String::new(),
                seed: 1,
                version: "1".to_owned(),
                command: String::new(),
            },
            plan: serde_json::json!({}),
            environment: Environment::default(),
            owner: owner.clone(),
        };
        store.begin_under_free_id(&run, entropy).unwrap();
        let seen = store.find(&"a".parse().unwrap()).unwrap();
        let other = Owner { pid: owner.pid + 1, ..owner };
        store.resume("a", seen.owner.as_ref(), &other).unwrap();
        let interrupt = Interrupt::never();
        let mut keep = Keep::of_stored(&mut store, (&seen, Scope::Missing), &interrupt).unwrap();
        let start = Start {
            environment: Environment::default(),
            limits: Vec::new(),
            warnings: Vec::new(),
            preconditioned: Vec::new(),
        };
        keep.begin(start).unwrap_err();
        assert!(!keep.has_begun());
    }
}
