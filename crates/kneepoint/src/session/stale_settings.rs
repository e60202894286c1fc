//! Settings that a killed run left changed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kneepoint_core::measure::journal::{JOURNAL_SCHEMA, Journal, Origin};
use kneepoint_core::spec::factor::Factor;
use kneepoint_core::words::fault::Fault;
use kneepoint_device::facts::SysRoot;
use kneepoint_device::settings::{FoundJournal, Here, VariedSetting, look, look_again, put_back};
use kneepoint_device::testbed::tell_restoration;

use super::process::{now, quoted, store_option, this_process};
use super::terminal::Told;
use crate::output::print::tell;
use crate::work::own_suite;

/// How long is waited for a command that a killed run had started.
const PATIENCE: Duration = Duration::from_secs(60);

/// How what could not be put back is tried again.
pub(super) const RESTORE_AGAIN: &str =
    "`kneepoint resume --restore` with the same --store tries again";

/// The same for an agent.
pub(crate) const START_AGAIN: &str = "the agent tries again when it is started again";

/// Where the journal of settings lies: beside the store.
pub(super) fn journal_path(store: &Path) -> PathBuf {
    let mut name = OsString::from(store);
    name.push("-settings");
    PathBuf::from(name)
}

/// Refuses to measure while settings are not what they were before an earlier run.
pub(super) fn check(store: &Path, varied: &[VariedSetting]) -> Result<(), Fault> {
    match look(&journal_path(store))? {
        FoundJournal::Nothing => Ok(()),
        FoundJournal::InUse if varied.is_empty() => Ok(()),
        FoundJournal::InUse => {
            Err(Fault::new("another run with this store is varying settings now")
                .fix("wait for its end, or use another --store for other targets"))
        }
        FoundJournal::Left(journal, file) => match &journal.origin {
            Some(origin) if journal.is_open() || journal.is_damaged => {
                Err(left_changed(store, origin, &journal))
            }
            // It was killed before it changed anything.
            Some(_) => file.remove(),
            // Not a journal, or one that was cut off before it announced any change: it may be
            // anyone's, and it stays.
            None if varied.is_empty() && !journal.is_damaged => Ok(()),
            None => Err(Fault::new(format!("{} is in the way", file.path().display()))
                .because(
                    "settings that a run changes are noted there, and it is no journal of ours",
                )
                .fix("look into it and move it away, or use another --store")),
        },
    }
}

fn left_changed(store: &Path, origin: &Origin, journal: &Journal) -> Fault {
    let commands = if journal.has_commands() { " --commands FILE.toml" } else { "" };
    Fault::new(format!("run {} was killed and left settings changed", origin.run))
        .because(format!("{} says so", journal_path(store).display()))
        .fix(format!(
            "`kneepoint resume --restore{}{commands}` puts them back",
            store_option(store)
        ))
}

/// Puts back what a killed run left changed, and says so. Commands run only if the file `commands`
/// has them.
pub(crate) fn restore(store: &Path, run: &str, commands: Option<&Path>) -> Result<(), Fault> {
    let path = journal_path(store);
    let (journal, file) = match look_again(&path, PATIENCE)? {
        FoundJournal::Nothing => {
            tell("no run with this store has left settings changed: there is nothing to restore");
            return Ok(());
        }
        FoundJournal::InUse => {
            return Err(Fault::new("the settings are in use")
                .because("a run, or a command that one has started, is still at work")
                .fix("wait for it, or end it"));
        }
        FoundJournal::Left(journal, file) => (*journal, file),
    };
    if journal.origin.is_none() && !journal.is_damaged {
        tell(format!(
            "there is nothing to restore: {} is no journal of Kneepoint, and was left as it is",
            path.display()
        ));
        return Ok(());
    }
    let of = journal.origin.as_ref().map_or("", |origin| origin.run.as_str());
    if run != "last" && !of.is_empty() && !of.starts_with(run) {
        return Err(Fault::new(format!("run {run} has left no settings changed"))
            .because(format!("run {of} has"))
            .fix(format!(
                "`kneepoint resume --restore {}{}` puts them back",
                quoted(of),
                store_option(store)
            )));
    }
    let is_open = journal.is_open();
    let own = commands.map(own_suite).transpose()?;
    let own = own.map_or_else(Vec::new, |suite| suite.factors.factors);
    let (process, directory) = (this_process(), working_directory()?);
    let (host, boot_id) = (&process.host, &process.boot_id);
    let here = Here { host, boot_id, directory: &directory, own: &own };
    tell(format!("putting back the settings of run {of}"));
    tell_restoration(put_back(&SysRoot::default(), (journal, file), here)?, &mut Told)
        .map_err(|fault| fault.fix(RESTORE_AGAIN))?;
    tell(if is_open { "all settings are dealt with" } else { "it had not changed any" });
    Ok(())
}

/// Puts back what an agent that has ended left changed, as its journal says. Commands run only if `own` has
/// them.
///
/// # Errors
/// When something is not what it was before, or the journal is in use.
pub(crate) fn restore_of_agent(path: &Path, own: &[Factor]) -> Result<(), Fault> {
    let (journal, file) = match look_again(path, PATIENCE)? {
        FoundJournal::Nothing => return Ok(()),
        FoundJournal::InUse => {
            return Err(Fault::new("the settings of this host are in use")
                .because("another agent, or a command that one has started, is still at work")
                .fix("wait for it, or end it"));
        }
        FoundJournal::Left(journal, file) => (*journal, file),
    };
    if journal.origin.is_some() && !journal.is_open() && !journal.is_damaged {
        // It had not changed anything.
        return file.remove();
    }
    let (process, directory) = (this_process(), working_directory()?);
    let (host, boot_id) = (&process.host, &process.boot_id);
    let here = Here { host, boot_id, directory: &directory, own };
    tell("putting back the settings that the agent had changed");
    let restoration = put_back(&SysRoot::default(), (journal, file), here)?;
    tell_restoration(restoration, &mut Told).map(drop).map_err(|fault| fault.fix(START_AGAIN))
}

/// The directory in which commands run.
fn working_directory() -> Result<PathBuf, Fault> {
    std::env::current_dir()
        .map_err(|error| Fault::new("cannot tell the working directory").because(error))
}

/// Which run changes settings.
pub(crate) fn origin(run: &str) -> Result<Origin, Fault> {
    let directory = working_directory()?;
    let here = this_process();
    Ok(Origin {
        schema: JOURNAL_SCHEMA.to_owned(),
        run: run.to_owned(),
        host: here.host,
        boot_id: here.boot_id,
        started_at: now(),
        directory: directory.to_string_lossy().into_owned(),
    })
}
