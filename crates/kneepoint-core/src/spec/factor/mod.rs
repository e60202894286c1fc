//! Factors: settings that a run varies on purpose.
//!
//! ```toml
//! design = "full"                        # or "one-at-a-time"
//! order = "random"                       # or "blocked", "as-written"
//!
//! [[factor]]
//! name = "scheduler"                     # a setting that Kneepoint knows
//! levels = ["none", "mq-deadline"]       # the first one is the base
//! settle = "1s"                          # wait after a change; optional
//!
//! [[factor]]
//! name = "raid"                          # a setting of one's own
//! levels = ["raid0", "raid1"]
//! set = ["./set-raid", "{level}", "{target}"]
//! check = ["./show-raid", "{target}"]    # must print what `expect` says
//! expect = "{level}"                     # the default
//! restore = ["./unset-raid", "{target}"]
//! ```
//!
//! Every combination of levels that the design asks for measures every series of the suite. The
//! combinations stand in the plan's series; `plan::blocks` is the order in which they run.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::command::{command, fill, filled};
use super::document::{Document, Entry};
use super::profile::Value;
use crate::words::fault::Fault;
use crate::words::units::Nanos;

/// Levels by the names of their factors: what holds while a block of points is measured.
pub type Combination = BTreeMap<String, String>;

/// The factor whose levels are processors whose time a control group may use, or `max`.
pub const CPU_QUOTA: &str = "cgroup.cpu_quota";

/// Most factors of a run.
pub const FACTORS_MAX: usize = 10;
/// Most levels of a factor.
pub const LEVELS_MAX: usize = 100;
/// Most combinations of levels that a run goes through.
pub const COMBINATIONS_MAX: usize = 1000;
/// Longest time that is waited after a change (1 hour).
pub const SETTLE_MAX: Nanos = Nanos::from_secs(3600);
/// Most repetitions of a run.
pub const REPEAT_MAX: u32 = 1000;

/// The factors of a run, and how it goes through their levels.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factors {
    /// Which combinations are measured.
    pub design: Design,
    /// In which order.
    pub order: CombinationOrder,
    /// The factors, in the order in which they are set.
    pub factors: Vec<Factor>,
}

/// A setting and the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// What it is called: a setting that Kneepoint knows, a parameter of a simulated system, or
    /// any name with commands.
    pub name: String,
    /// Its values, each once; the first one is the base that the others are compared with.
    pub levels: Vec<String>,
    /// How long is waited after a change before anything is measured.
    pub settle: Nanos,
    /// The user's own commands; `None` for settings that Kneepoint changes itself.
    pub commands: Option<Commands>,
}

impl Factor {
    /// Whether it has several levels.
    pub fn is_varied(&self) -> bool {
        self.levels.len() > 1
    }
}

crate::named! {
    /// Which combinations of levels are measured.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Design {
        /// All of them: full factorial.
        #[default]
        Full = "full",
        /// The base of all factors, and every other level of each with the others at their base.
        OneAtATime = "one-at-a-time",
    }
}

crate::named! {
    /// The order in which combinations are measured.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CombinationOrder {
        /// Combinations and repetitions in an order drawn from the plan's seed.
        #[default]
        Random = "random",
        /// One repetition after the other, the combinations of each in its own order.
        Blocked = "blocked",
        /// As the levels are written, the last factor fastest.
        AsWritten = "as-written",
    }
}

/// Levels as they read: `raid=raid5, write_cache=on`; empty where nothing is varied.
pub fn combination_text(combination: &Combination) -> String {
    let parts: Vec<String> =
        combination.iter().map(|(name, level)| format!("{name}={level}")).collect();
    parts.join(", ")
}

/// Stands for the level in a command.
const LEVEL: &str = "{level}";
/// Stands for the target in a command.
const TARGET: &str = "{target}";

/// How a setting of the user's own is changed: programs with their arguments, no shell.
///
/// `{level}` and `{target}` in an argument stand for the level and for the target's name. Where
/// any of the commands names `{target}`, they run once for every target, otherwise once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Brings the setting to a level.
    pub set: Vec<String>,
    /// Prints the setting as it is.
    pub check: Vec<String>,
    /// What `check` has to print, white space around it left out.
    pub expect: String,
    /// Brings the setting back to what it was before the run.
    pub restore: Vec<String>,
}

impl Commands {
    /// Whether the commands run for each target.
    pub fn is_per_target(&self) -> bool {
        let mut words = self.set.iter().chain(&self.check).chain(&self.restore);
        words.any(|word| word.contains(TARGET)) || self.expect.contains(TARGET)
    }

    /// The command that sets `level` on `target`.
    pub fn set_for(&self, level: &str, target: &str) -> Vec<String> {
        filled(&self.set, &places(level, target))
    }

    /// The command that tells the setting of `target`.
    pub fn check_for(&self, level: &str, target: &str) -> Vec<String> {
        filled(&self.check, &places(level, target))
    }

    /// What that command has to print.
    pub fn expected(&self, level: &str, target: &str) -> String {
        fill(&self.expect, &places(level, target)).trim().to_owned()
    }

    /// The command that undoes all changes on `target`.
    pub fn restore_for(&self, target: &str) -> Vec<String> {
        filled(&self.restore, &places("", target))
    }
}

/// What the placeholders stand for.
const fn places<'a>(level: &'a str, target: &'a str) -> [(&'static str, &'a str); 2] {
    [(LEVEL, level), (TARGET, target)]
}

impl Factors {
    /// The combinations that the design asks for, the last factor varying fastest; one empty
    /// combination where there are no factors.
    ///
    /// # Errors
    /// When there are more than [`COMBINATIONS_MAX`].
    pub fn combinations(&self) -> Result<Vec<Combination>, Fault> {
        let count = self.combination_count();
        if count > COMBINATIONS_MAX {
            return Err(Fault::new(format!("the factors have {count} combinations"))
                .because(format!("a run goes through at most {COMBINATIONS_MAX}"))
                .fix("use fewer levels, or design = \"one-at-a-time\""));
        }
        Ok(match self.design {
            Design::Full => self.full(),
            Design::OneAtATime => self.one_at_a_time(),
        })
    }

    /// Whether one of them has several levels. A setting with one level is set, and not varied.
    pub fn are_varied(&self) -> bool {
        self.factors.iter().any(Factor::is_varied)
    }

    fn combination_count(&self) -> usize {
        let counts = self.factors.iter().map(|factor| factor.levels.len());
        match self.design {
            Design::Full => counts.fold(1, usize::saturating_mul),
            Design::OneAtATime => 1 + counts.map(|count| count.saturating_sub(1)).sum::<usize>(),
        }
    }

    fn full(&self) -> Vec<Combination> {
        let mut combinations = vec![Combination::new()];
        for factor in &self.factors {
            combinations = combinations
                .iter()
                .flat_map(|done| factor.levels.iter().map(|level| with(done, factor, level)))
                .collect();
        }
        combinations
    }

    fn one_at_a_time(&self) -> Vec<Combination> {
        let first = |factor: &Factor| Some((factor.name.clone(), factor.levels.first()?.clone()));
        let base: Combination = self.factors.iter().filter_map(first).collect();
        let mut combinations = vec![base.clone()];
        for factor in &self.factors {
            let others = factor.levels.iter().skip(1);
            combinations.extend(others.map(|level| with(&base, factor, level)));
        }
        combinations
    }
}

fn with(combination: &Combination, factor: &Factor, level: &str) -> Combination {
    let mut combination = combination.clone();
    combination.insert(factor.name.clone(), level.to_owned());
    combination
}

/// Longest name and level, in bytes.
const WORD_BYTES_MAX: usize = 200;

/// The factors of a file that has nothing else: settings with the commands for them.
///
/// # Errors
/// When the file cannot be understood, or a factor has no commands.
pub fn definitions(text: &str, file_name: &str) -> Result<Vec<Factor>, Fault> {
    let document = Document::new(file_name, text);
    let file: DefinitionsFile = document.read()?;
    let factors = check(document, &file.factors)?;
    match factors.iter().find(|factor| factor.commands.is_none()) {
        None => Ok(factors),
        Some(factor) => Err(Fault::new(format!("{file_name}: '{}' has no commands", factor.name))
            .because("what is defined here is set by commands alone")
            .fix("write set, check and restore as lists: a program and its arguments")),
    }
}

/// All factors of a suite, each name once.
pub(crate) fn check(document: Document, files: &[FactorFile]) -> Result<Vec<Factor>, Fault> {
    let mut factors: Vec<Factor> = Vec::new();
    for file in files {
        let entry = Entry::new(document, "name", &file.name);
        let factor = factor(document, file)?;
        if factors.iter().any(|known| known.name == factor.name) {
            return Err(entry
                .fault(format!("two factors are called '{}'", factor.name))
                .fix("put their levels into one, or rename one"));
        }
        factors.push(factor);
        check_count(&factors).map_err(|fault| entry.place(fault))?;
    }
    Ok(factors)
}

fn factor(document: Document, file: &FactorFile) -> Result<Factor, Fault> {
    let name = Entry::new(document, "name", &file.name);
    check_name(name.text()).map_err(|fault| name.place(fault))?;
    let mut levels: Vec<String> = Vec::new();
    for value in &file.levels {
        let entry = Entry::new(document, "levels", value);
        add_level(&mut levels, entry.text()).map_err(|fault| entry.place(fault))?;
    }
    if levels.is_empty() {
        return Err(name
            .fault(format!("the factor '{}' has no levels", name.text()))
            .fix("write levels = [\"a\", \"b\"]"));
    }
    Ok(Factor {
        name: name.text().to_owned(),
        levels,
        settle: document.optional("settle", &file.settle, settle)?.unwrap_or(Nanos::ZERO),
        commands: commands(document, file)?,
    })
}

/// The settings that a series has as its own, named like factors, with one level each.
pub(crate) fn settings(
    document: Document,
    given: &BTreeMap<String, Value>,
) -> Result<Combination, Fault> {
    let mut settings = Combination::new();
    for (name, value) in given {
        let entry = Entry::new(document, "settings", value);
        check_name(name).map_err(|fault| entry.place(fault))?;
        let mut levels = Vec::new();
        add_level(&mut levels, entry.text()).map_err(|fault| entry.place(fault))?;
        settings.extend(levels.into_iter().map(|level| (name.clone(), level)));
    }
    match settings.len() <= FACTORS_MAX {
        true => Ok(settings),
        false => Err(Fault::new(format!("more than {FACTORS_MAX} settings of one series"))
            .fix("describe the system in its own file, and name that")),
    }
}

fn settle(entry: Entry) -> Result<Nanos, Fault> {
    let settle: Nanos = entry.parse()?;
    match settle <= SETTLE_MAX {
        true => Ok(settle),
        false => Err(entry.fault(format!("{settle} is too long")).fix("use at most 1h")),
    }
}

/// The commands: all of them or none.
fn commands(document: Document, file: &FactorFile) -> Result<Option<Commands>, Fault> {
    let incomplete = |missing: &str| {
        Err(document
            .fault(file.name.span(), format!("'{missing}' is missing"))
            .because("a setting of one's own has to be set, checked and restored")
            .fix("write set, check and restore as lists: a program and its arguments"))
    };
    let (set, check, restore) = match (&file.set, &file.check, &file.restore) {
        (None, None, None) if file.expect.is_none() => return Ok(None),
        (None, ..) => return incomplete("set"),
        (_, None, _) => return incomplete("check"),
        (.., None) => return incomplete("restore"),
        (Some(set), Some(check), Some(restore)) => (set, check, restore),
    };
    let expect = document.optional("expect", &file.expect, Entry::one_line)?;
    let words = |key, values: &[Value]| command(document, file.name.span(), (key, values));
    let commands = Commands {
        set: words("set", set)?,
        check: words("check", check)?,
        expect: expect.unwrap_or_else(|| LEVEL.to_owned()),
        restore: words("restore", restore)?,
    };
    match commands.restore.iter().any(|word| word.contains(LEVEL)) {
        false => Ok(Some(commands)),
        true => Err(document
            .fault(file.name.span(), "restore: it has no {level}")
            .because("it brings back what was there before the run, whatever was set last")
            .fix("write the former value into the command, or let set keep it somewhere")),
    }
}

/// How often a suite repeats itself.
pub(crate) fn check_repeat(entry: Entry) -> Result<u32, Fault> {
    match entry.whole()? {
        count @ 1..=REPEAT_MAX => Ok(count),
        count => Err(entry.fault(format!("{count} repetitions")).fix("use 1 to 1000")),
    }
}

impl FromStr for Design {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        Self::ALL.into_iter().find(|design| design.name() == text).ok_or_else(|| {
            Fault::new(format!("there is no design '{text}'")).fix("use full or one-at-a-time")
        })
    }
}

impl FromStr for CombinationOrder {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        Self::ALL.into_iter().find(|order| order.name() == text).ok_or_else(|| {
            Fault::new(format!("there is no order '{text}'"))
                .fix("use random, blocked or as-written")
        })
    }
}

impl FromStr for Factor {
    type Err = Fault;

    /// Reads `name=level,level`, as on the command line.
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (name, list) = text.split_once('=').ok_or_else(|| {
            Fault::new(format!("'{text}' is no factor")).fix("write it as scheduler=none,bfq")
        })?;
        check_name(name)?;
        let mut levels = Vec::new();
        for level in list.split(',') {
            add_level(&mut levels, level)?;
        }
        Ok(Self { name: name.to_owned(), levels, settle: Nanos::ZERO, commands: None })
    }
}

impl Factors {
    /// Adds `factor`; one of the same name gets its levels instead.
    ///
    /// # Errors
    /// When there are too many.
    pub fn add(&mut self, factor: Factor) -> Result<(), Fault> {
        match self.factors.iter_mut().find(|known| known.name == factor.name) {
            Some(known) => known.levels = factor.levels,
            None => self.factors.push(factor),
        }
        check_count(&self.factors)
    }
}

fn check_count(factors: &[Factor]) -> Result<(), Fault> {
    match factors.len() <= FACTORS_MAX {
        true => Ok(()),
        false => Err(Fault::new(format!("more than {FACTORS_MAX} factors"))
            .fix("vary fewer settings in one run")),
    }
}

fn check_name(name: &str) -> Result<(), Fault> {
    let is_fine = |char: char| char.is_ascii_alphanumeric() || "._-".contains(char);
    match !name.is_empty() && name.len() <= WORD_BYTES_MAX && name.chars().all(is_fine) {
        true => Ok(()),
        false => Err(Fault::new(format!("'{name}' cannot be the name of a factor"))
            .fix("use letters, digits, '.', '_' and '-'")),
    }
}

fn add_level(levels: &mut Vec<String>, level: &str) -> Result<(), Fault> {
    let is_odd = |char: char| char.is_control() || char == ',';
    if level.trim() != level || level.is_empty() || level.chars().any(is_odd) {
        return Err(Fault::new(format!("'{}' cannot be a level", level.escape_debug()))
            .because("it is empty, or has a comma, a control character or blanks at its ends")
            .fix("name the levels plainly: none,mq-deadline"));
    }
    if level.len() > WORD_BYTES_MAX || levels.len() >= LEVELS_MAX {
        return Err(Fault::new("the factor has too long a level, or too many")
            .fix(format!("use at most {LEVELS_MAX} levels of {WORD_BYTES_MAX} bytes")));
    }
    if levels.iter().any(|known| known == level) {
        return Err(Fault::new(format!("the level '{level}' is there twice"))
            .fix("name it once; `repeat` measures everything several times"));
    }
    levels.push(level.to_owned());
    Ok(())
}

/// A file of definitions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DefinitionsFile {
    #[serde(default, rename = "factor")]
    factors: Vec<FactorFile>,
}

/// `[[factor]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactorFile {
    pub(super) name: Value,
    pub(super) levels: Vec<Value>,
    pub(super) settle: Option<Value>,
    pub(super) set: Option<Vec<Value>>,
    pub(super) check: Option<Vec<Value>>,
    pub(super) expect: Option<Value>,
    pub(super) restore: Option<Vec<Value>>,
}
