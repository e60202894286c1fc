//! Putting settings back, at the end of a run or long after it.

use std::fs::File;
use std::path::Path;

use kneepoint_core::measure::journal::{
    Journal, Left, Origin, Record, SettingEvent, SettingPlace, Undo,
};
use kneepoint_core::spec::command::shown;
use kneepoint_core::spec::factor::Factor;
use kneepoint_core::words::fault::Fault;

use super::change::Frame;
use super::find::{is_ours, value_now};
use super::journal_file::JournalFile;
use super::place::{Boot, Hold, doubt_of_device, doubt_of_place};
use super::{change, place, place_name};
use crate::facts::SysRoot;

/// The fate of changed settings, a sentence each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restoration {
    /// Settings that were put back.
    pub restored: Vec<String>,
    /// Settings that were left alone, because someone else changed it since, or because it may be
    /// another device's.
    pub left: Vec<String>,
    /// Settings that could not be put back; each stays in the journal.
    pub failed: Vec<Fault>,
}

/// Where, and by whose commands, settings are put back.
#[derive(Debug, Clone, Copy)]
pub struct Here<'a> {
    /// Name of this host.
    pub host: &'a str,
    /// The kernel's id of this boot; empty where it is not known.
    pub boot_id: &'a str,
    /// The working directory.
    pub directory: &'a Path,
    /// The factors of the file that the user named; empty where none was named.
    pub own: &'a [Factor],
}

/// Puts back what a journal says that a process left changed, and ends the journal. Commands in it
/// run only if they are those of a file that the user named, and in the working directory.
///
/// # Errors
/// When the journal is from another host, not one of ours, or damaged so that it cannot be known
/// what was changed, or it has commands that are not the user's.
pub fn put_back(
    root: &SysRoot,
    (mut journal, file): (Journal, JournalFile),
    here: Here<'_>,
) -> Result<Restoration, Fault> {
    let Some(origin) = journal.origin.clone() else { return Err(no_journal(&file)) };
    let host = here.host;
    if origin.host != host && journal.is_open() {
        return Err(Fault::new(format!("run {} changed settings of another host", origin.run))
            .because(format!("that was '{}', this is '{host}'", origin.host))
            .fix("put them back there"));
    }
    check_commands(&journal, &origin, here)?;
    let open = journal.settings.iter().filter(|left| left.is_open());
    let _hold = Hold::take(root, open.filter_map(place_of))?;
    let (directory, boot) = (Path::new(&origin.directory), Boot::of(&origin, here.boot_id));
    let mut restoration = settle(Scene { root, directory, boot }, (&mut journal, file));
    if journal.is_damaged {
        restoration.left.push(
            "the journal is damaged after what was put back: check the settings yourself"
                .to_owned(),
        );
    }
    Ok(restoration)
}

/// A file without a whole first line of ours: it may be anything, so it stays.
fn no_journal(file: &JournalFile) -> Fault {
    Fault::new(format!("{} is no journal of Kneepoint", file.path().display()))
        .because(
            "its first line is not one of ours, or not whole; a run that wrote no more than \
                  that has changed nothing",
        )
        .fix("look into the file, then move it away")
}

fn place_of(left: &Left) -> Option<&SettingPlace> {
    match &left.undo {
        Undo::Write { place, .. } => is_ours(place).then_some(place),
        Undo::Run { .. } => None,
    }
}

/// Refuses commands that stand only in the journal: it may have come with a copied directory.
fn check_commands(journal: &Journal, origin: &Origin, here: Here<'_>) -> Result<(), Fault> {
    for left in journal.settings.iter().filter(|left| left.is_open()) {
        let Undo::Run { factor, restore, .. } = &left.undo else { continue };
        let own = here.own;
        if !own.iter().any(|known| is_of(known, left, (factor, restore))) {
            return Err(refused(factor, restore, own));
        }
        if Path::new(&origin.directory) != here.directory {
            return Err(Fault::new(format!("{factor} is not put back from here"))
                .because(format!("its commands ran in {}", origin.directory))
                .fix("go to that directory, if it is yours, and name the store from there"));
        }
    }
    Ok(())
}

fn refused(factor: &str, restore: &[String], own: &[Factor]) -> Fault {
    let would = format!("it would run `{}`", shown(restore));
    match own.is_empty() {
        true => Fault::new(format!("the journal puts {factor} back by a command"))
            .because(format!("{would}, and commands are never taken from a journal"))
            .fix("name the suite that the run was begun with: --commands FILE.toml"),
        false => Fault::new(format!("the journal has other commands for {factor}"))
            .because(format!("{would}, which is not what the file of --commands says"))
            .fix("name the suite as it was when the run was begun"),
    }
}

/// True if all commands of a setting are those of the user's own factor.
fn is_of(own: &Factor, left: &Left, (named, restore): (&str, &[String])) -> bool {
    let Some(commands) = &own.commands else { return false };
    // As `VariedSetting::name` writes it.
    let rest = named.strip_prefix(&own.name);
    let target = rest.and_then(|rest| rest.strip_prefix(" of ").or(rest.is_empty().then_some("")));
    let Some(target) = target else { return false };
    let is_own = |change: &SettingEvent| match change {
        SettingEvent::Value(_) => false,
        SettingEvent::Level { level, check, expect } => {
            own.levels.contains(level)
                && *check == commands.check_for(level, target)
                && *expect == commands.expected(level, target)
        }
    };
    restore == commands.restore_for(target) && left.changes.iter().all(is_own)
}

/// Where and when settings are put back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The kernel's files.
    pub(super) root: &'a SysRoot,
    /// Where commands run.
    pub(super) directory: &'a Path,
    /// The start of the machine in which the journal was written.
    pub(super) boot: Boot,
}

/// Puts everything back that is changed, the last first; removes the journal where that succeeds.
pub(super) fn settle(
    scene: Scene<'_>,
    (journal, mut file): (&mut Journal, JournalFile),
) -> Restoration {
    let mut restoration = Restoration::default();
    for setting in (0..journal.settings.len()).rev() {
        let left = &journal.settings[setting];
        if !left.is_open() {
            continue;
        }
        match bring_back(scene, left, &file.file) {
            Ok(SettingEnd::Restored(text)) => restoration.restored.push(text),
            Ok(SettingEnd::Foreign(text)) => restoration.left.push(text),
            Ok(SettingEnd::Unchanged) => {}
            Err(fault) => {
                restoration.failed.push(fault);
                continue;
            }
        }
        let settled = Record::Settled { setting };
        if let Err(fault) = file.append(std::slice::from_ref(&settled)) {
            restoration.failed.push(fault);
        }
        journal.take(settled);
    }
    if restoration.failed.is_empty()
        && let Err(fault) = file.remove()
    {
        restoration.failed.push(fault);
    }
    restoration
}

/// How putting back one setting ended.
enum SettingEnd {
    Restored(String),
    Foreign(String),
    Unchanged,
}

fn bring_back(scene: Scene<'_>, left: &Left, lock: &File) -> Result<SettingEnd, Fault> {
    match &left.undo {
        Undo::Write { place, previous, identity } => {
            match doubt_of_place(scene.root, (place, identity.as_ref()), scene.boot) {
                Some(doubt) => doubtful_value(scene.root, (place, previous), doubt),
                None => write_back(scene.root, left, (place, previous)),
            }
        }
        Undo::Run { factor, restore, device } => {
            let frame = Frame { directory: scene.directory, lock };
            match doubt_of_device(device.as_ref(), scene.boot) {
                Some(doubt) => Ok(SettingEnd::Foreign(format!(
                    "{factor} is left as it is: {doubt}; if it is still the device of that run, \
                     `{}` puts it back",
                    shown(restore)
                ))),
                None => run_back(left, (factor, restore), (frame, scene.boot)),
            }
        }
    }
}

/// A value that may be another device's: it is left, and said what would put it back.
fn doubtful_value(
    root: &SysRoot,
    (place, previous): (&SettingPlace, &str),
    doubt: &str,
) -> Result<SettingEnd, Fault> {
    check_ours(place)?;
    let name = place_name(place);
    let Ok(now) = value_now(root, place) else {
        return Ok(SettingEnd::Foreign(format!(
            "{name} is not '{previous}' again: {doubt}, and {} cannot be read",
            place.file
        )));
    };
    if now == previous {
        return Ok(SettingEnd::Unchanged);
    }
    let text = place::text_for(place, previous);
    Ok(SettingEnd::Foreign(format!(
        "{name} is left as it is, '{now}': {doubt}; it was '{previous}' before the run, and if it is \
         still the device of that run, `echo '{text}' > {}` puts it back",
        place.file
    )))
}

/// Refuses a place that is no setting.
fn check_ours(place: &SettingPlace) -> Result<(), Fault> {
    if is_ours(place) {
        return Ok(());
    }
    Err(Fault::new(format!("{} is no file of a setting", place.file))
        .because("the journal names it")
        .fix("look into the journal beside the store; is it yours?"))
}

fn write_back(
    root: &SysRoot,
    left: &Left,
    (place, previous): (&SettingPlace, &str),
) -> Result<SettingEnd, Fault> {
    check_ours(place)?;
    let name = place_name(place);
    let now = value_now(root, place)?;
    if now == previous {
        return Ok(SettingEnd::Unchanged);
    }
    if !left.changes.contains(&SettingEvent::Value(now.clone())) {
        return Ok(SettingEnd::Foreign(format!(
            "{name} is '{now}', which someone else set: it was '{previous}' before the run and \
             is left as it is"
        )));
    }
    let failed = |why: String| Fault::new(format!("{name} is not '{previous}' again")).because(why);
    place::write_value(root, place, previous)
        .map_err(|error| failed(format!("{}: {error}", place.file)).fix("run as root"))?;
    match value_now(root, place)? {
        now if now == previous => Ok(SettingEnd::Restored(format!("{name} is '{previous}' again"))),
        now => Err(failed(format!("it reads back as '{now}'"))),
    }
}

/// Runs the user's own command, unless a change that was verified is no longer there. After a
/// restart of the machine, a change that was not verified has to be there, too.
fn run_back(
    left: &Left,
    (factor, restore): (&str, &[String]),
    (frame, boot): (Frame<'_>, Boot),
) -> Result<SettingEnd, Fault> {
    if (left.verified || boot != Boot::This)
        && let Some(SettingEvent::Level { level, check, expect }) = left.changes.last()
    {
        let now = change::run_command(check, frame);
        if now.as_ref() != Ok(expect) {
            let now = now.map_or_else(|fault| fault.to_string(), |said| format!("it is '{said}'"));
            let why = match left.verified {
                true => "someone else changed it, or it is back already, and it is left as it is",
                false => "it may never have been, and it is left as it is after the restart",
            };
            let restore = shown(restore);
            return Ok(SettingEnd::Foreign(format!(
                "{factor} is not '{level}' now: {now}; {why} (`{restore}` was not run)"
            )));
        }
    }
    change::run_command(restore, frame).map_err(|fault| {
        let text = fault.to_string();
        Fault::new(format!("{factor} could not be put back")).because(text)
    })?;
    Ok(SettingEnd::Restored(format!("{factor} was put back by `{}`", shown(restore))))
}
