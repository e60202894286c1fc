//! Scripts: what a user does at a screen, step by step.
//!
//! ```toml
//! pace = 230                  # strokes a minute, while text is typed
//! spread = 50                 # percent by which a pause between two strokes is shorter or longer
//! rounds = 10                 # how often the work is done in a session
//!
//! [[start]]                   # once in each session, behind the logon
//! key = "super+e"             # keys that are pressed together
//! class = "application-start" # timed; a key without a class is awaited but not timed
//! timeout = "60s"             # given up, and counted as lost, after that time
//!
//! [[work]]
//! text = "Dear Sir"           # each stroke is timed as a keystroke
//! region = [0, 10, 100, 90]   # the part of the screen that shows it: left, top, right, bottom in percent
//!
//! [[work]]
//! think = "2s"                # a pause
//!
//! [[work]]
//! key = "ctrl+s"
//!
//! [[work]]
//! wait = "stable"             # until the region has changed since the key and stands still; or "changed"
//! class = "save"
//!
//! [[end]]                     # before the session is left
//! click = [50, 40]            # a place of the screen in percent
//! ```

use serde::{Deserialize, Serialize};

use super::Value;
use super::check::{ProfileFile, refuse_io};
use super::keys::Chord;
use crate::spec::document::{Document, Entry};
use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::units::{Nanos, Percent};

/// Most steps of a script.
pub const STEPS_MAX: usize = 100;
/// Longest text of a step in characters.
pub const SCRIPT_TEXT_MAX: usize = 2_000;
/// Fastest typing, in strokes a minute.
pub const PACE_MAX: u32 = 6_000;
/// Most rounds of a session.
pub const ROUNDS_MAX: u32 = 10_000;
/// Longest pause and longest time that a response is waited for (10 minutes).
pub const STEP_TIME_MAX: Nanos = Nanos::from_secs(600);
/// How long a response is waited for if a step does not say.
pub(super) const TIMEOUT: Nanos = Nanos::from_secs(5);
/// Rounds of a session if a script does not say.
const ROUNDS: u32 = 10;

/// What a user does at a screen, as typed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Strokes a minute, while text is typed.
    pub pace: u32,
    /// By how much a pause between two strokes is shorter or longer than the mean, at the most.
    pub spread: Percent,
    /// How often the work is done in a session.
    pub rounds: u32,
    /// What is done once in each session, behind the logon.
    pub start: Vec<ScriptStep>,
    /// What is done in each round; it ends as it began.
    pub work: Vec<ScriptStep>,
    /// What is done before the session is left.
    pub end: Vec<ScriptStep>,
}

/// The work of users at screens with nothing left open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptWork {
    /// The profile's name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// What each of them does.
    pub script: Script,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptStep {
    /// What is done.
    pub action: Action,
    /// What its response is timed as; `None` if it is not timed.
    pub class: Option<ClassName>,
    /// The part of the screen that shows the response.
    pub region: Region,
    /// How long the response is waited for.
    pub timeout: Nanos,
}

/// What is done in a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Strokes, one for each character.
    Text(String),
    /// Keys that are pressed together: `ctrl+s`.
    Key(Chord),
    /// The first button of the pointer at a place: from the left and from the top.
    Click(Percent, Percent),
    /// A pause.
    Think(Nanos),
    /// What the screen shows of the step before is awaited, whatever it is.
    Wait(Until),
}

crate::named! {
    /// What ends a wait. Its time counts from the last input before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Until {
        /// The region is no longer as it was when the input was given.
        Changed = "changed",
        /// The region has changed, and then stood still for half a second, which does not count.
        Stable = "stable",
    }
}

/// A part of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Left edge.
    pub left: Percent,
    /// Upper edge.
    pub top: Percent,
    /// Right edge, beyond the left one.
    pub right: Percent,
    /// Lower edge, below the upper one.
    pub bottom: Percent,
}

impl Region {
    /// The whole screen.
    pub const WHOLE: Self = Self {
        left: Percent::ZERO,
        top: Percent::ZERO,
        right: Percent::FULL,
        bottom: Percent::FULL,
    };
}

impl Script {
    /// All steps, in their order.
    pub fn steps(&self) -> impl Iterator<Item = &ScriptStep> {
        self.start.iter().chain(&self.work).chain(&self.end)
    }

    /// The response classes: the logon, then those of the steps in the order in which they come first.
    pub fn classes(&self) -> Vec<ClassName> {
        let mut classes = vec![ClassName::LOGON];
        for class in self.steps().filter_map(|step| step.class) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes
    }

    /// Mean pause between two strokes.
    pub fn stroke_gap(&self) -> Nanos {
        Nanos(60_000_000_000 / u64::from(self.pace))
    }
}

/// `[[start]]`, `[[work]]` or `[[end]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepFile {
    text: Option<Value>,
    key: Option<Value>,
    click: Option<Vec<Value>>,
    think: Option<Value>,
    wait: Option<Value>,
    class: Option<Value>,
    region: Option<Vec<Value>>,
    timeout: Option<Value>,
}

/// The script of a profile; `None` if it has no `[[work]]`.
///
/// # Errors
/// When a value is out of bounds, or the script does nothing that is timed.
pub(super) fn script(document: Document, file: &ProfileFile) -> Result<Option<Script>, Fault> {
    let keys = [("pace", &file.pace), ("spread", &file.spread), ("rounds", &file.rounds)];
    if file.work.is_empty() {
        let given = keys.iter().find_map(|(key, value)| Some((*key, value.as_ref()?)));
        if let Some((key, value)) = given {
            return Err(Entry::new(document, key, value)
                .fault("the profile has no script")
                .fix("add a [[work]] with text, key, click, think or wait"));
        }
        return match file.start.is_empty() && file.end.is_empty() {
            true => Ok(None),
            false => Err(document
                .fault(file.name.span(), "the script has no [[work]]")
                .fix("add one: it is what is repeated, and what most responses are of")),
        };
    }
    refuse_other_work(document, file)?;
    if file.start.len() + file.work.len() + file.end.len() > STEPS_MAX {
        return Err(document
            .fault(file.name.span(), format!("the script has more than {STEPS_MAX} steps"))
            .fix("repeat fewer of them by 'rounds'"));
    }
    let steps = |files: &[StepFile]| -> Result<Vec<ScriptStep>, Fault> {
        check_waits(document, files)?;
        files.iter().map(|given| step(document, file, given)).collect()
    };
    let pace = whole(document, ("pace", &file.pace), (230, PACE_MAX))?;
    let rounds = whole(document, ("rounds", &file.rounds), (ROUNDS, ROUNDS_MAX))?;
    let spread = document.optional("spread", &file.spread, Entry::percent)?;
    let script = Script {
        pace,
        spread: spread.unwrap_or(Percent::ZERO),
        rounds,
        start: steps(&file.start)?,
        work: steps(&file.work)?,
        end: steps(&file.end)?,
    };
    if script.work.iter().all(|step| step.class.is_none()) {
        return Err(document
            .fault(file.name.span(), "nothing of the script's work is timed")
            .fix("add a [[work]] with text, or give one of its keys a class"));
    }
    Ok(Some(script))
}

/// Refuses a wait that follows no input.
fn check_waits(document: Document, files: &[StepFile]) -> Result<(), Fault> {
    let mut has_input = false;
    for given in files {
        match &given.wait {
            Some(value) if !has_input => {
                return Err(Entry::new(document, "wait", value)
                    .fault("there is no input whose response it could wait for")
                    .fix("put it right behind a step with text, key or click"));
            }
            Some(_) => {}
            None => has_input = given.think.is_none(),
        }
    }
    Ok(())
}

/// Refuses what only other work has.
fn refuse_other_work(document: Document, file: &ProfileFile) -> Result<(), Fault> {
    refuse_io(document, file)?;
    let has_key = file.member.is_some() || file.remote.is_some();
    match has_key || !file.operations.is_empty() || !file.transactions.is_empty() {
        false => Ok(()),
        true => Err(document
            .fault(file.name.span(), "the profile has a script and those of other work")
            .fix("make two profiles")),
    }
}

/// A whole number above zero, `default` if it was left out.
fn whole(
    document: Document,
    (key, value): (&'static str, &Option<Value>),
    (default, most): (u32, u32),
) -> Result<u32, Fault> {
    let Some(value) = value else { return Ok(default) };
    let entry = Entry::new(document, key, value);
    match entry.whole()? {
        number if (1..=most).contains(&number) => Ok(number),
        number => {
            Err(entry.fault(format!("{number} is out of bounds")).fix(format!("use 1 to {most}")))
        }
    }
}

/// One step.
fn step(document: Document, file: &ProfileFile, given: &StepFile) -> Result<ScriptStep, Fault> {
    let mut actions = actions(document, given)?.into_iter();
    let (Some(action), None) = (actions.next(), actions.next()) else {
        let place =
            [&given.text, &given.key, &given.think, &given.wait, &given.class, &given.timeout];
        let place = place.into_iter().flatten().next().unwrap_or(&file.name);
        return Err(document
            .fault(place.span(), "a step does one thing")
            .fix("give it one of text, key, click, think and wait"));
    };
    let class = match (&given.class, &action) {
        (Some(class), Action::Think(_)) => {
            return Err(Entry::new(document, "class", class)
                .fault("a pause has no response")
                .fix("leave the class out"));
        }
        (Some(class), _) => Some(class_name(Entry::new(document, "class", class))?),
        (None, Action::Text(_)) => Some(ClassName::KEYSTROKE),
        (None, _) => None,
    };
    let timeout = document.optional("timeout", &given.timeout, time)?;
    let region = match &given.region {
        Some(edges) => region(document, edges)?,
        None => Region::WHOLE,
    };
    Ok(ScriptStep { action, class, region, timeout: timeout.unwrap_or(TIMEOUT) })
}

/// Everything that a step is to do.
fn actions(document: Document, given: &StepFile) -> Result<Vec<Action>, Fault> {
    let mut actions = Vec::new();
    if let Some(value) = &given.text {
        actions.push(Action::Text(typed_text(Entry::new(document, "text", value))?));
    }
    if let Some(value) = &given.key {
        let entry = Entry::new(document, "key", value);
        actions.push(Action::Key(entry.parse()?));
    }
    if let Some(place) = &given.click {
        let [x, y] = percents(document, ("click", place))?;
        actions.push(Action::Click(x, y));
    }
    if let Some(value) = &given.think {
        actions.push(Action::Think(time(Entry::new(document, "think", value))?));
    }
    if let Some(value) = &given.wait {
        actions.push(Action::Wait(until(Entry::new(document, "wait", value))?));
    }
    Ok(actions)
}

/// What ends a wait.
fn until(entry: Entry) -> Result<Until, Fault> {
    Until::ALL.into_iter().find(|until| until.name() == entry.text()).ok_or_else(|| {
        entry
            .fault(format!("'{}' ends no wait", entry.text().escape_debug()))
            .fix("write \"changed\" or \"stable\"")
    })
}

/// Text that can be typed.
fn typed_text(entry: Entry) -> Result<String, Fault> {
    let text = entry.prose()?;
    match text.chars().count() {
        0 => Err(entry.fault("nothing is typed").fix("remove the step")),
        count if count > SCRIPT_TEXT_MAX => Err(entry
            .fault(format!("it has {count} characters, more than {SCRIPT_TEXT_MAX}"))
            .fix("type less in a round, in more 'rounds'")),
        _ => Ok(text),
    }
}

fn class_name(entry: Entry) -> Result<ClassName, Fault> {
    ClassName::new(entry.text()).filter(ClassName::is_counted).ok_or_else(|| {
        entry
            .fault(format!("'{}' can't be a response class", entry.text().escape_debug()))
            .fix("write lower-case letters, digits and hyphens, a letter first, at most 31")
    })
}

fn time(entry: Entry) -> Result<Nanos, Fault> {
    let time: Nanos = entry.parse()?;
    match time {
        Nanos::ZERO => Err(entry.fault("it is no time at all").fix("write it as 2s")),
        time if time > STEP_TIME_MAX => {
            Err(entry.fault(format!("{time} is too long")).fix("use at most 10m"))
        }
        time => Ok(time),
    }
}

/// The part of the screen between four edges.
fn region(document: Document, edges: &[Value]) -> Result<Region, Fault> {
    let [left, top, right, bottom] = percents(document, ("region", edges))?;
    if left.get() < right.get() && top.get() < bottom.get() {
        return Ok(Region { left, top, right, bottom });
    }
    Err(Entry::new(document, "region", &edges[0])
        .fault("the region is empty")
        .fix("write left, top, right and bottom in percent: [0, 10, 100, 90]"))
}

/// Exactly `N` percentages in a list.
fn percents<const N: usize>(
    document: Document,
    (key, values): (&'static str, &[Value]),
) -> Result<[Percent; N], Fault> {
    let percents = values.iter().map(|value| Entry::new(document, key, value).percent());
    let percents = percents.collect::<Result<Vec<_>, _>>()?;
    percents.try_into().map_err(|_| {
        let span = values.first().map_or(0..0, Value::span);
        document
            .fault(span, format!("{key}: it has {} numbers, not {N}", values.len()))
            .fix(if N == 2 { "write [50, 40]" } else { "write [0, 10, 100, 90]" })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::profile::{Profile, SeriesProfile, Work};

    fn parsed(rest: &str) -> Result<Script, String> {
        let text = format!("name = \"typing\"\ntitle = \"Typing\"\n{rest}");
        match Profile::parse(&text, "a.toml").map_err(|fault| fault.to_string())?.work {
            Work::Script(script) => Ok(*script),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn a_script_is_read_with_its_defaults() {
        let script = parsed(
            "[[start]]\nkey = \"super+e\"\nclass = \"application-start\"\n\
            [[work]]\ntext = \"ab\"\nregion = [0, 10, 100, 90.5]\n[[work]]\nthink = \"2s\"\n\
            [[end]]\nclick = [50, 40]\ntimeout = \"9s\"\n",
        )
        .unwrap();
        assert_eq!((script.pace, script.spread, script.rounds), (230, Percent::ZERO, ROUNDS));
        let names = script.classes().iter().map(|class| class.to_string()).collect::<Vec<_>>();
        assert_eq!(names, ["logon", "application-start", "keystroke"]);
        assert_eq!(script.work[0].region.bottom.get(), 90.5);
        assert_eq!(script.work[0].timeout, TIMEOUT);
        assert_eq!(script.end[0].timeout, Nanos::from_secs(9));
        assert_eq!(script.stroke_gap(), Nanos(260_869_565));
    }

    #[test]
    fn a_plan_keeps_a_script_as_it_is() {
        let text =
            "name = \"a\"\ntitle = \"A\"\n[[work]]\ntext = \"ab\"\n[[work]]\nkey = \"ctrl+a\"\n";
        let profile = Profile::parse(text, "a.toml").unwrap();
        let resolved = profile.resolve(None).unwrap();
        let written = serde_json::to_string(&resolved).unwrap();
        assert_eq!(serde_json::from_str::<SeriesProfile>(&written).unwrap(), resolved);
        assert_eq!(profile.series_name(None), "a");
    }

    #[test]
    fn what_is_no_script_is_refused_with_its_place() {
        let check = |rest: &str, why: &str| {
            let said = parsed(rest).unwrap_err();
            assert!(said.contains(why), "{rest}: {said}");
        };
        check(
            "pace = 230\n[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 0\nrandom = 0\n",
            "pace: the profile has no script",
        );
        check("[[start]]\nkey = \"a\"\n", "no [[work]]");
        check("[[work]]\nkey = \"a\"\n", "nothing of the script's work is timed");
        check("[[work]]\ntext = \"a\"\nkey = \"a\"\n", "a.toml:4:8: a step does one thing");
        check("[[work]]\nthink = \"1s\"\nclass = \"a\"\n", "a pause has no response");
        check("[[work]]\nkey = \"hyper+a\"\nclass = \"a\"\n", "hyper");
        check("[[work]]\ntext = \"a\"\nregion = [0, 0, 50]\n", "3 numbers, not 4");
        check("[[work]]\ntext = \"a\"\nregion = [50, 0, 50, 10]\n", "the region is empty");
        check("[[work]]\ntext = \"\"\n", "nothing is typed");
        check("[[work]]\ntext = \"a\"\ntimeout = \"11m\"\n", "too long");
        check("[[work]]\ntext = \"a\"\n[[work]]\nwait = \"still\"\n", "'still' ends no wait");
        check("[[work]]\nwait = \"stable\"\nclass = \"a\"\n", "no input whose response");
        check(
            "[[work]]\ntext = \"a\"\n[[work]]\nthink = \"1s\"\n[[work]]\nwait = \"stable\"\n",
            "a.toml:8:8",
        );
        check("pace = 0\n[[work]]\ntext = \"a\"\n", "out of bounds");
        check("think = \"1s\"\n[[work]]\ntext = \"a\"\n", "only users and I/Os pause");
        check(
            "[[work]]\ntext = \"a\"\n[[line]]\nshare = 100\nsize = \"4KiB\"\nread = 0\nrandom = 0\n",
            "keys of I/O",
        );
        check(
            "think = \"1s\"\n[[work]]\ntext = \"a\"\n[[operation]]\nclass = \"a\"\nshare = 100\ndemand = \"1ms\"\n",
            "a script and those of other work",
        );
    }
}
