//! Changing settings: announced in the journal, set by the kernel's files or the user's own
//! commands, read back.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kneepoint_core::measure::journal::{Journal, Origin, Record, SettingEvent, Undo};
use kneepoint_core::result::warning::{ExpectedSetting, FoundSetting, SettingChange};
use kneepoint_core::spec::command::shown;
use kneepoint_core::spec::factor::Combination;
use kneepoint_core::words::fault::Fault;

use super::find::value_now;
use super::journal_file::JournalFile;
use super::place::{Boot, Hold};
use super::restore::{Restoration, Scene, settle};
use super::{VariedSetting, What, place};
use crate::facts::SysRoot;
use crate::process::taken_by;

/// Settings that a run varies, and what they were. Whatever is still changed when the value goes
/// away is put back; what cannot be is left to the journal.
#[derive(Debug)]
pub struct Changes {
    root: SysRoot,
    directory: PathBuf,
    varied: Vec<VariedSetting>,
    /// The level of each, once it was set.
    levels: Vec<Option<String>>,
    /// The records of the journal.
    journal: Journal,
    /// `None` once everything is settled.
    file: Option<JournalFile>,
    /// Keeps other runs away, until everything is settled.
    hold: Option<Hold>,
}

/// Which settings a block of points sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// Those whose level is another.
    Changed,
    /// All of them, so that a repetition repeats the setting as well.
    All,
}

impl Changes {
    /// Notes what all settings are, before the first of them is changed.
    ///
    /// # Errors
    /// When one cannot be read or written by this user, another run varies it, or the journal
    /// cannot be written.
    pub fn begin(
        root: &SysRoot,
        path: &Path,
        origin: Origin,
        varied: Vec<VariedSetting>,
    ) -> Result<Self, Fault> {
        let places = varied.iter().filter_map(|varied| match &varied.what {
            What::Place(place) => Some(place),
            What::Commands { .. } => None,
        });
        let hold = Some(Hold::take(root, places)?);
        let directory = Path::new(&origin.directory);
        let undo = |varied: &VariedSetting| undo((root, directory), varied);
        let undos = varied.iter().map(undo).collect::<Result<Vec<_>, _>>()?;
        let mut changes = Self {
            root: root.clone(),
            directory: PathBuf::from(&origin.directory),
            levels: vec![None; varied.len()],
            varied,
            journal: Journal::default(),
            file: Some(JournalFile::create(path, origin.clone())?),
            hold,
        };
        changes.journal.take(Record::Begin(origin));
        changes.note(undos.into_iter().map(Record::Setting).collect())?;
        Ok(changes)
    }

    /// Brings every setting to its level of `combination` and reads it back; gives the names of
    /// the factors that were set.
    ///
    /// # Errors
    /// When a setting is not what it should be, then or before: someone else changed it.
    pub fn set(
        &mut self,
        combination: &Combination,
        renewal: Renewal,
    ) -> Result<Vec<String>, Fault> {
        let mut done: Vec<String> = Vec::new();
        // A command may undo what the commands of later factors did: a new file system, say.
        let mut is_command_run = false;
        for number in 0..self.varied.len() {
            let factor = &self.varied[number].factor;
            let Some(level) = combination.get(factor) else { continue };
            let is_command = matches!(self.varied[number].what, What::Commands { .. });
            let is_renewed = renewal == Renewal::All || is_command && is_command_run;
            if self.levels[number].as_ref() == Some(level) && !is_renewed {
                self.check(number)?;
                continue;
            }
            if !done.contains(factor) {
                done.push(factor.clone());
            }
            is_command_run |= is_command;
            self.bring(number, level)?;
        }
        Ok(done)
    }

    /// Puts everything back and ends the journal.
    pub fn restore(mut self) -> Restoration {
        self.settle()
    }

    /// Leaves everything as it is, as a killed process does.
    #[cfg(test)]
    pub(super) fn abandon(&mut self) {
        self.file = None;
        self.hold = None;
    }

    fn settle(&mut self) -> Restoration {
        let Some(file) = self.file.take() else { return Restoration::default() };
        let scene = Scene { root: &self.root, directory: &self.directory, boot: Boot::This };
        let restoration = settle(scene, (&mut self.journal, file));
        self.hold = None;
        restoration
    }

    /// The settings of the kernel that are not what the run made of them: someone else changed them
    /// since. They are left as they are.
    pub fn foreign(&self) -> Vec<SettingChange> {
        let numbers = 0..self.varied.len();
        numbers.filter_map(|number| self.foreign_value(number)).collect()
    }

    fn foreign_value(&self, number: usize) -> Option<SettingChange> {
        let varied = &self.varied[number];
        let What::Place(place) = &varied.what else { return None };
        let undo = &self.journal.settings[number].undo;
        let (wanted, expected) = match (&self.levels[number], undo) {
            (Some(level), _) => {
                let value = varied.value(level)?;
                (value, ExpectedSetting::SetByRun(value.to_owned()))
            }
            (None, Undo::Write { previous, .. }) => {
                (previous.as_str(), ExpectedSetting::AsBefore(previous.clone()))
            }
            (None, Undo::Run { .. }) => return None,
        };
        let is_other_device = matches!(undo, Undo::Write { identity: Some(before), .. }
            if place::identity_of(&self.root, place).as_ref() != Some(before));
        let found = match is_other_device {
            true => FoundSetting::OtherDevice,
            false => match value_now(&self.root, place) {
                Ok(now) if now == wanted => return None,
                Ok(now) => FoundSetting::Value(now),
                Err(fault) => FoundSetting::Unreadable(fault.to_string()),
            },
        };
        Some(SettingChange { setting: varied.name(), found, expected })
    }

    fn note(&mut self, records: Vec<Record>) -> Result<(), Fault> {
        let file = self.file.as_mut().ok_or_else(|| Fault::new("the settings are back already"))?;
        file.append(&records)?;
        for record in records {
            self.journal.take(record);
        }
        Ok(())
    }

    fn bring(&mut self, number: usize, level: &str) -> Result<(), Fault> {
        if let Some(text) = self.foreign_value(number) {
            return Err(Fault::new("a setting is no longer that of this run")
                .because(text)
                .fix("let no one else change it during a run; the value was left as it is"));
        }
        let varied = &self.varied[number];
        let value = varied
            .value(level)
            .map(str::to_owned)
            .ok_or_else(|| Fault::new(format!("'{level}' is no level of {}", varied.name())))?;
        let change = match &varied.what {
            What::Place(_) => SettingEvent::Value(value.clone()),
            What::Commands { commands, target } => SettingEvent::Level {
                level: level.to_owned(),
                check: commands.check_for(level, target),
                expect: commands.expected(level, target),
            },
        };
        self.note(vec![Record::Change { setting: number, change }])?;
        match &self.varied[number].what {
            What::Place(place) => {
                place::write_value(&self.root, place, &value).map_err(|error| {
                    Fault::new(format!("{} cannot be '{value}'", super::place_name(place)))
                        .because(format!("{}: {error}", place.file))
                })?;
            }
            What::Commands { commands, target } => {
                run_command(&commands.set_for(level, target), self.frame()?).map(drop)?;
            }
        }
        self.levels[number] = Some(level.to_owned());
        self.check(number)?;
        self.note(vec![Record::Verified { setting: number }])
    }

    /// Reads a setting back.
    fn check(&self, number: usize) -> Result<(), Fault> {
        let varied = &self.varied[number];
        let Some(level) = &self.levels[number] else { return Ok(()) };
        let (now, expected) = match &varied.what {
            What::Place(place) => {
                let value = varied.value(level).unwrap_or_default().to_owned();
                (value_now(&self.root, place)?, value)
            }
            What::Commands { commands, target } => {
                let said = run_command(&commands.check_for(level, target), self.frame()?)?;
                (said, commands.expected(level, target))
            }
        };
        match now == expected {
            true => Ok(()),
            false => Err(Fault::new(format!("{} is not '{expected}'", varied.name()))
                .because(format!("it reads back as '{now}'"))
                .fix("choose a level that it takes, and let no one else change it during a run")),
        }
    }

    fn frame(&self) -> Result<Frame<'_>, Fault> {
        let file = self.file.as_ref().ok_or_else(|| Fault::new("the settings are back already"))?;
        Ok(Frame { directory: &self.directory, lock: &file.file })
    }
}

impl Drop for Changes {
    fn drop(&mut self) {
        // After a panic or an error. What fails here is still in the journal.
        let _ = self.settle();
    }
}

/// How a setting is brought back, from what it is now.
fn undo((root, directory): (&SysRoot, &Path), varied: &VariedSetting) -> Result<Undo, Fault> {
    match &varied.what {
        What::Place(place) => {
            let previous = value_now(root, place)?;
            place::check_writable(root, place).map_err(|error| {
                Fault::new(format!("cannot change the {}", super::place_name(place)))
                    .because(format!("{}: {error}", place.file))
                    .fix("run as root to vary settings of devices")
            })?;
            let identity = place::identity_of(root, place);
            Ok(Undo::Write { place: place.clone(), previous, identity })
        }
        What::Commands { commands, target } => {
            let device = place::device_named(directory, target);
            Ok(Undo::Run { factor: varied.name(), restore: commands.restore_for(target), device })
        }
    }
}

/// Longest text of a command that a message repeats, in characters.
const SAID_MAX: usize = 500;

/// Where commands run, and what tells that they are at work.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    /// The working directory.
    pub(super) directory: &'a Path,
    /// The locked journal: its lock is held until the last process of the command has ended, also
    /// where this process is killed meanwhile.
    pub(super) lock: &'a File,
}

/// Runs a command to its end and gives what it printed, white space around it left out.
///
/// It runs in its own process group: Ctrl-C at the terminal does not reach it, so that a
/// change is never left half done. A signal sent to it does, whichever thread answers ours.
pub(super) fn run_command(words: &[String], frame: Frame<'_>) -> Result<String, Fault> {
    let shown = shown(words);
    let failed = |why: String| Fault::new(format!("the command failed: {shown}")).because(why);
    let [program, arguments @ ..] = words else {
        return Err(Fault::new("there is no command to run"));
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(frame.directory).process_group(0).stdin(Stdio::null());
    // A duplicate made by dup(2) is open in the programs, and it shares the lock (flock(2)).
    let inherited = rustix::io::dup(frame.lock).map_err(io::Error::from);
    let output = inherited.and_then(|_open| taken_by(&mut command).output()).map_err(|error| {
        failed(error.to_string()).fix(
            "check that the program exists; relative paths count from \
                                       where the run was started",
        )
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said: String = said.trim().chars().take(SAID_MAX).collect();
            Err(failed(format!("{}: {said}", output.status)))
        }
    }
}
