//! Settings that a run varies: set, read back, and brought back to what they were.
//!
//! The only place that writes to `/sys`, and the only one that starts the user's commands. Before
//! a setting is changed, its journal says on stable storage what it was and what it is about to
//! be; so whatever ends the process, [`put_back`] can undo it. A value that someone else has
//! changed since is theirs: it is reported and left alone.

mod change;
mod find;
mod frequency;
mod journal_file;
mod place;
mod quota;
mod restore;
#[cfg(test)]
mod tests;

pub use change::{Changes, Renewal};
pub use find::{KNOWN, find, is_known};
pub use frequency::FREQUENCY;
pub use journal_file::{FoundJournal, JournalFile, look, look_again};
pub use restore::{Here, Restoration, put_back};

use kneepoint_core::measure::journal::SettingPlace;
use kneepoint_core::plan::Plan;
use kneepoint_core::spec::factor::{CPU_QUOTA, Commands, Factor};
use kneepoint_core::words::fault::Fault;

use crate::facts::{SysRoot, TargetFacts};

/// What the settings of this machine are varied for.
#[derive(Debug, Clone, Copy)]
pub enum Loaded<'a> {
    /// Files and block devices.
    Targets(&'a [&'a TargetFacts]),
    /// Its processors.
    Processors,
    /// Nothing of it: simulated systems, other hosts, the settings of a server.
    Nothing,
}

impl Loaded<'_> {
    /// Where Kneepoint sets `factor` itself.
    fn find(self, factor: &Factor) -> Result<Vec<VariedSetting>, Fault> {
        let root = SysRoot::default();
        match self {
            Self::Targets([]) | Self::Nothing => Ok(Vec::new()),
            Self::Targets(targets) => find(&root, factor, targets),
            Self::Processors if factor.name == FREQUENCY => frequency::find(&root, factor),
            Self::Processors if factor.name == CPU_QUOTA => Ok(vec![quota::find(&root, factor)?]),
            Self::Processors => Ok(Vec::new()),
        }
    }
}

/// The settings that the factors of `plan` vary, and where they stand for what is loaded.
///
/// # Errors
/// When a target has no such setting, or it cannot be changed.
pub fn varied(plan: &Plan, loaded: Loaded<'_>) -> Result<Vec<VariedSetting>, Fault> {
    let names: Vec<&str> = plan.targets.iter().map(|target| target.target.as_str()).collect();
    let mut varied = Vec::new();
    for factor in plan.factors.iter().flat_map(|factors| &factors.factors) {
        match &factor.commands {
            Some(commands) => varied.extend(VariedSetting::by_commands(factor, commands, &names)),
            None => varied.extend(loaded.find(factor)?),
        }
    }
    Ok(varied)
}

/// A setting at one place that a factor varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariedSetting {
    /// Name of the factor.
    pub factor: String,
    /// The change.
    pub what: What,
    /// Its levels as typed, with the values that they read back as.
    pub levels: Vec<(String, String)>,
}

/// The change that a factor makes at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A setting of the kernel.
    Place(SettingPlace),
    /// Whatever the user's commands do.
    Commands {
        /// The commands.
        commands: Commands,
        /// The target that they are about; empty where they name none.
        target: String,
    },
}

impl VariedSetting {
    /// The setting for people: `scheduler of sda`.
    pub fn name(&self) -> String {
        match &self.what {
            What::Place(place) => place_name(place),
            What::Commands { target, .. } if target.is_empty() => self.factor.clone(),
            What::Commands { target, .. } => format!("{} of {target}", self.factor),
        }
    }

    /// Where it is set, for people: a file, or `whose` ("your", "its") commands.
    pub fn place_text(&self, whose: &str) -> String {
        match &self.what {
            What::Place(place) => place.file.clone(),
            What::Commands { target, .. } if target.is_empty() => format!("{whose} commands"),
            What::Commands { target, .. } => format!("{whose} commands for {target}"),
        }
    }

    /// The value that a level reads back as.
    fn value(&self, level: &str) -> Option<&str> {
        let mut levels = self.levels.iter();
        levels.find(|(typed, _)| typed == level).map(|(_, value)| value.as_str())
    }

    /// The setting of a factor with commands, once or once for every target.
    pub fn by_commands(factor: &Factor, commands: &Commands, targets: &[&str]) -> Vec<Self> {
        let once = [""];
        let targets = if commands.is_per_target() { targets } else { &once };
        let varied = |target: &&str| Self {
            factor: factor.name.clone(),
            what: What::Commands { commands: commands.clone(), target: (*target).to_owned() },
            levels: factor.levels.iter().map(|level| (level.clone(), level.clone())).collect(),
        };
        targets.iter().map(varied).collect()
    }
}

fn place_name(place: &SettingPlace) -> String {
    format!("{} of {}", place.factor, place.device)
}
