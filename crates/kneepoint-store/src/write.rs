//! The life of a run: it begins, saves points, ends, is taken up again, is deleted.

use kneepoint_core::result::{CopyResult, RunHeader, RunState, Warning};
use kneepoint_core::words::fault::Fault;
use rusqlite::Connection;

use crate::error::StoreError;
use crate::name::check_label;
use crate::point::{CopyRow, NewPoint, PointRow, is_taken};
use crate::read::existing;
use crate::record::{Record, RunNumber};
use crate::run::{Ending, NewRun, Owner, RUNNING, RunRow, encode};
use crate::store::Store;
use crate::{name, run};

impl Store {
    /// Enters a run that begins.
    ///
    /// # Errors
    /// When its id is taken or odd, its start is not a UTC time, or the store cannot be written.
    pub fn begin(&mut self, run: &NewRun) -> Result<(), Fault> {
        check_header(&run.header)?;
        self.write("begin a run in", |transaction| {
            insert_run(transaction, &RunRow::begun(run)?).map(drop)
        })
    }

    /// An id that no run of the store has, for one that started at `started_at` (RFC 3339, UTC):
    /// `20261121-043510-7f3a`. The last digits are drawn from `entropy`.
    ///
    /// # Errors
    /// When the store cannot be read, or all that is drawn is taken.
    pub fn free_id(&self, started_at: &str, entropy: impl FnMut() -> u64) -> Result<String, Fault> {
        self.read("look for a free id in", |connection| free_id(connection, started_at, entropy))
    }

    /// Enters a run that begins, as [`Store::begin`] does. If another one has taken its id since,
    /// another is drawn. Gives the id that it has.
    ///
    /// # Errors
    /// As [`Store::begin`], but for the id that is taken; when all that is drawn is taken.
    pub fn begin_under_free_id(
        &mut self,
        run: &NewRun,
        entropy: impl FnMut() -> u64,
    ) -> Result<String, Fault> {
        check_header(&run.header)?;
        self.write("begin a run in", |transaction| {
            let mut row = RunRow::begun(run)?;
            if is_in_use(transaction, &row.id)? {
                row.id = free_id(transaction, &run.header.started_at, entropy)?;
            }
            insert_run(transaction, &row)?;
            Ok(row.id)
        })
    }

    /// Adds warnings about a whole run.
    ///
    /// # Errors
    /// When there is no such run, or the store cannot be written.
    pub fn add_warnings(&mut self, id: &str, warnings: &[Warning]) -> Result<(), Fault> {
        self.change("note a warning in", id, |run| run.warn(warnings))
    }

    /// Saves a point of a run that goes on. The point survives whatever comes after this returns.
    ///
    /// # Errors
    /// When there is no such run or it has ended, the point is there already or has numbers that
    /// are not finite, or the store cannot be written. Nothing is saved then, and the same call
    /// can be made again.
    pub fn save_point(&mut self, id: &str, point: &NewPoint<'_>) -> Result<(), Fault> {
        self.write("save a point in", |transaction| {
            let (number, run) = existing(transaction, id)?;
            ensure_running(&run)?;
            PointRow::new(number, point)?.save(transaction)
        })
    }

    /// Saves a point of a run that goes on in the place of the one with the same ordinal, load and
    /// repetition, and adds `warning` to the run. Until this returns, the point before is there.
    ///
    /// # Errors
    /// When there is no such run or it has ended, there is no such point before, the new one has
    /// numbers that are not finite, or the store cannot be written. Nothing is changed then.
    pub fn replace_point(
        &mut self,
        id: &str,
        point: &NewPoint<'_>,
        warning: &Warning,
    ) -> Result<(), Fault> {
        self.write("replace a point in", |transaction| {
            let (number, mut run) = existing(transaction, id)?;
            ensure_running(&run)?;
            let row = PointRow::new(number, point)?;
            row.remove_previous(transaction)?;
            row.save(transaction)?;
            run.warn(std::slice::from_ref(warning))?;
            run.update(transaction, number)
        })
    }

    /// Saves a copy of files of a run that goes on, at its place in the order made. It survives
    /// whatever comes after this returns.
    ///
    /// # Errors
    /// When there is no such run or it has ended, there is a copy at this place already, or the
    /// store cannot be written. Nothing is saved then.
    pub fn save_copy(&mut self, id: &str, copy: (u32, &CopyResult)) -> Result<(), Fault> {
        self.write("save a copy in", |transaction| {
            let (number, run) = existing(transaction, id)?;
            ensure_running(&run)?;
            CopyRow::new(number, copy)?.save(transaction)
        })
    }

    /// Ends a run.
    ///
    /// # Errors
    /// When there is no such run or it has ended, or the store cannot be written.
    pub fn finish(&mut self, id: &str, ending: &Ending) -> Result<(), Fault> {
        run::check_time(&ending.finished_at)?;
        self.change("finish a run in", id, |run| {
            ensure_running(run)?;
            run.state = ending.state.name().to_owned();
            run.owner = None;
            run.finished_at.clone_from(&ending.finished_at);
            run.warn(&ending.warnings)
        })
    }

    /// Takes up a run that is not complete: from now on, `owner` measures.
    ///
    /// `previous` is the owner that the caller saw in the run's overview and found gone, if there
    /// was one. Of two processes that try the same, one succeeds.
    ///
    /// # Errors
    /// When there is no such run, it is complete, or another process has taken it up meanwhile.
    pub fn resume(
        &mut self,
        id: &str,
        previous: Option<&Owner>,
        owner: &Owner,
    ) -> Result<(), Fault> {
        self.change("resume a run in", id, |run| {
            if run.state == RunState::Complete.name() {
                let fault = Fault::new(format!("cannot resume run {id}"));
                return Err(fault.because("it is complete").into());
            }
            take_up(run, previous, owner)
        })
    }

    /// Takes up a run as [`Store::resume`] does, even if it is complete: its points are to be
    /// replaced.
    ///
    /// # Errors
    /// When there is no such run, or another process has taken it up meanwhile.
    pub fn reopen(
        &mut self,
        id: &str,
        previous: Option<&Owner>,
        owner: &Owner,
    ) -> Result<(), Fault> {
        self.change("resume a run in", id, |run| take_up(run, previous, owner))
    }

    /// Gives a run another label, whatever its state; an empty one takes the label away.
    ///
    /// # Errors
    /// When there is no such run, the label cannot be given ([`check_label`]), or the store cannot
    /// be written.
    pub fn relabel(&mut self, id: &str, label: &str) -> Result<(), Fault> {
        check_label(label)?;
        self.change("label a run in", id, |run| {
            label.clone_into(&mut run.label);
            Ok(())
        })
    }

    /// Removes a run and its points, whatever its state.
    ///
    /// # Errors
    /// When there is no such run, or the store cannot be written.
    pub fn delete(&mut self, id: &str) -> Result<(), Fault> {
        self.write("delete a run from", |transaction| {
            // By id alone: a run that is damaged has to go, too.
            if transaction.execute("DELETE FROM runs WHERE id = ?1", [id])? == 0 {
                existing(transaction, id)?;
            }
            Ok(())
        })
    }

    /// Changes the entry of a run.
    fn change(
        &mut self,
        what: &str,
        id: &str,
        change: impl FnOnce(&mut RunRow) -> Result<(), StoreError>,
    ) -> Result<(), Fault> {
        self.write(what, |transaction| {
            let (number, mut run) = existing(transaction, id)?;
            change(&mut run)?;
            run.update(transaction, number)
        })
    }
}

fn check_header(header: &RunHeader) -> Result<(), Fault> {
    name::check_id(&header.id)?;
    check_label(&header.label)?;
    run::check_time(&header.started_at)
}

/// True if a run has that id, were it damaged.
fn is_in_use(connection: &Connection, id: &str) -> Result<bool, StoreError> {
    Ok(connection.prepare_cached("SELECT 1 FROM runs WHERE id = ?1")?.exists([id])?)
}

fn free_id(
    connection: &Connection,
    started_at: &str,
    entropy: impl FnMut() -> u64,
) -> Result<String, StoreError> {
    for id in name::drawn_ids(started_at, entropy) {
        if !is_in_use(connection, &id)? {
            return Ok(id);
        }
    }
    let fault = Fault::new("there is no free id for the run");
    Err(fault.because("each that was drawn is taken").fix("try again").into())
}

/// Enters a run; its id must be new.
pub(crate) fn insert_run(connection: &Connection, run: &RunRow) -> Result<RunNumber, StoreError> {
    match run.insert(connection) {
        Err(error) if is_taken(&error) => {
            let fault = Fault::new(format!("there is a run {} already", run.id));
            Err(fault.fix("delete it first, or use another store").into())
        }
        other => Ok(other.map(|()| connection.last_insert_rowid())?),
    }
}

/// Makes `owner` the one that measures a run, if it still has the owner that was seen before.
fn take_up(run: &mut RunRow, previous: Option<&Owner>, owner: &Owner) -> Result<(), StoreError> {
    if run::owner(run.owner.as_deref())?.as_ref() != previous {
        let fault = Fault::new(format!("cannot resume run {}", run.id));
        return Err(fault.because("another process has just taken it up or ended it").into());
    }
    run.state = RUNNING.to_owned();
    run.owner = Some(encode(owner)?);
    run.finished_at.clear();
    Ok(())
}

/// Refuses a run that has ended.
fn ensure_running(run: &RunRow) -> Result<(), Fault> {
    if run.state == RUNNING {
        return Ok(());
    }
    Err(Fault::new(format!("run {} does not go on", run.id))
        .because(format!("it has ended, {}", run.state)))
}
