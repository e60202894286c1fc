//! From the keys of a file, or the words of the command line, to factors.

use std::str::FromStr;

use super::{
    Commands, Design, FACTORS_MAX, Factor, Factors, LEVELS_MAX, Order, REPEAT_MAX, SETTLE_MAX,
    names_level,
};
use crate::spec::document::{Document, Entry};
use crate::spec::profile::Value;
use crate::words::fault::Fault;
use crate::words::units::Nanos;
use serde::Deserialize;

/// Longest name and level, in bytes.
const WORD_BYTES_MAX: usize = 200;

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
        settle: settle(document, file.settle.as_ref())?,
        commands: commands(document, file)?,
    })
}

fn settle(document: Document, value: Option<&Value>) -> Result<Nanos, Fault> {
    let Some(value) = value else { return Ok(Nanos::ZERO) };
    let entry = Entry::new(document, "settle", value);
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
    let expect = match &file.expect {
        None => "{level}".to_owned(),
        Some(value) => Entry::new(document, "expect", value).one_line()?,
    };
    let words = |key, values: &[Value]| command(document, file, (key, values));
    let commands = Commands {
        set: words("set", set)?,
        check: words("check", check)?,
        expect,
        restore: words("restore", restore)?,
    };
    match commands.restore.iter().any(|word| names_level(word)) {
        false => Ok(Some(commands)),
        true => Err(document
            .fault(file.name.span(), "restore: it has no {level}")
            .because("it brings back what was there before the run, whatever was set last")
            .fix("write the former value into the command, or let set keep it somewhere")),
    }
}

/// A program and its arguments.
fn command(
    document: Document,
    file: &FactorFile,
    (key, values): (&'static str, &[Value]),
) -> Result<Vec<String>, Fault> {
    let words: Vec<String> = values
        .iter()
        .map(|value| Entry::new(document, key, value).prose())
        .collect::<Result<_, _>>()?;
    match words.first().is_some_and(|program| !program.is_empty()) {
        true => Ok(words),
        false => Err(document
            .fault(file.name.span(), format!("{key}: it names no program"))
            .fix(format!("write {key} = [\"program\", \"argument\"]"))),
    }
}

/// The design that a suite asks for.
pub(crate) fn check_design(entry: Entry) -> Result<Design, Fault> {
    entry.parse()
}

/// The order that a suite asks for.
pub(crate) fn check_order(entry: Entry) -> Result<Order, Fault> {
    entry.parse()
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

impl FromStr for Order {
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
