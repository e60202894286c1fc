//! `kneepoint runs`, `show`, `label` and `delete`: what the store holds.

use std::path::Path;

use jiff::Timestamp;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::Span;
use kneepoint_core::words::printable::printable;
use kneepoint_core::words::units::Nanos;
use kneepoint_store::{RunFate, RunName, RunOverview, Store, StoreAccess};
use serde::{Serialize, Serializer};

use super::between::between;
use super::resume::{Unseen, check_not_running};
use crate::cli::{DeleteArgs, LabelArgs, RunsArgs, ShowArgs, StateChoice};
use crate::destination::json;
use crate::output::print::{points, print_json, print_page, tell};
use crate::output::result::run_text_beside;
use crate::output::table::TextTable;
use crate::output::text::Tone;
use crate::session::{started_ticks, store_option, this_process};
use crate::{Outcome, command};

/// The format of `runs --json`.
const RUNS_SCHEMA: &str = "kneepoint.runs/1";

/// Lists the runs, the newest first.
pub(crate) fn runs(args: &RunsArgs) -> anyhow::Result<Outcome> {
    let all = Store::open(&args.store.store, StoreAccess::ReadOnly)?.runs()?;
    let is_empty = all.is_empty();
    let since = args.since.as_deref().map(|text| moment(text, Timestamp::now())).transpose()?;
    let runs: Vec<Listed> = all
        .into_iter()
        .map(Listed::of)
        .filter(|run| {
            is_wanted(run, args) && since.is_none_or(|since| run.started() >= Some(since))
        })
        .collect();
    if args.json {
        let list = serde_json::json!({ "schema": RUNS_SCHEMA, "runs": runs });
        print_json(&json("the list", &list)?)?;
        return Ok(Outcome::Done);
    }
    match (runs.is_empty(), is_empty) {
        (false, _) => print_page(args.page.page(), |width| runs_table(&runs).fitted(width))?,
        (true, true) => {
            tell(format!(
                "{} holds no runs; `kneepoint run` makes one",
                args.store.store.display()
            ));
        }
        (true, false) => tell("no run is like that; `kneepoint runs` lists all"),
    }
    Ok(Outcome::Done)
}

/// A run as it is listed: its entry, and what follows from that and the time of day.
#[derive(Serialize)]
struct Listed {
    id: String,
    label: String,
    work: String,
    targets: Vec<String>,
    host: String,
    started_at: String,
    finished_at: String,
    /// How long it took, or has taken so far; `None` where its end was not noted.
    duration_s: Option<f64>,
    points: u64,
    #[serde(serialize_with = "by_name")]
    state: StateChoice,
}

impl Listed {
    fn of(overview: RunOverview) -> Self {
        let state = state(&overview);
        let time = |text: &str| text.parse::<Timestamp>().ok();
        let end = match state {
            StateChoice::Running => Some(Timestamp::now()),
            _ => time(&overview.finished_at),
        };
        let duration_s = time(&overview.started_at)
            .zip(end)
            .map(|(start, end)| end.duration_since(start).as_secs_f64().max(0.0));
        let RunOverview { id, label, work, targets, host, .. } = overview;
        let RunOverview { started_at, finished_at, points, .. } = overview;
        Self { id, label, work, targets, host, started_at, finished_at, duration_s, points, state }
    }

    fn started(&self) -> Option<Timestamp> {
        self.started_at.parse().ok()
    }
}

fn by_name<S: Serializer>(state: &StateChoice, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(state.name())
}

/// How the run ended, or that it still goes on.
fn state(run: &RunOverview) -> StateChoice {
    let fate = run.owner.as_ref().map(|owner| owner.fate(&this_process(), started_ticks));
    match fate {
        Some(RunFate::Alive) => StateChoice::Running,
        Some(RunFate::Unknown) => StateChoice::Elsewhere,
        Some(RunFate::Gone) | None => run.state.into(),
    }
}

/// True if a run is one of those that the options name; texts may stand anywhere in the names.
fn is_wanted(run: &Listed, args: &RunsArgs) -> bool {
    let contains = |text: &str, part: &Option<String>| {
        part.as_ref().is_none_or(|part| text.to_lowercase().contains(&part.to_lowercase()))
    };
    contains(&run.work, &args.work)
        && contains(&run.label, &args.label)
        && contains(&run.targets.join("\n"), &args.target)
        && args.state.is_none_or(|state| state == run.state)
}

/// The moment that `--since` means: a day, a time, or so long ago.
fn moment(text: &str, now: Timestamp) -> Result<Timestamp, Fault> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    if let Ok(time) = format!("{text}T00:00:00Z").parse::<Timestamp>() {
        return Ok(time);
    }
    let days = text.strip_suffix('d').and_then(|days| days.parse::<u64>().ok());
    let ago = match days {
        Some(days) => Some(Nanos::from_secs(days.saturating_mul(86_400).min(1 << 33))),
        None => text.parse::<Nanos>().ok(),
    };
    let ago = ago.and_then(|ago| now.checked_sub(std::time::Duration::from_nanos(ago.0)).ok());
    ago.ok_or_else(|| {
        Fault::new(format!("'{text}' is no moment"))
            .fix("write a day (2026-11-21, in UTC), a time (2026-11-21T08:00:00Z), or how long ago: 7d, 12h")
    })
}

fn runs_table(runs: &[Listed]) -> TextTable {
    let mut table = TextTable::of(
        &["Run", "Label", "Work", "Target", "Host", "Started (UTC)", "Duration", "Points", "State"],
        &["Duration", "Points"],
    );
    table.can_spare(&["Host", "Started (UTC)", "Duration", "Points"]);
    table.may_break(&["Label"]);
    for run in runs {
        let duration =
            run.duration_s.map(|seconds| Span(Nanos::from_secs_f64(seconds)).to_string());
        let cells = vec![
            run.id.clone(),
            run.label.clone(),
            run.work.clone(),
            targets_text(&run.targets),
            run.host.clone(),
            run.started_at.clone(),
            duration.unwrap_or_else(|| "-".to_owned()),
            run.points.to_string(),
            run.state.text().to_owned(),
        ];
        table.row_ending(tone(run.state), cells);
    }
    table
}

/// The first target, and how many there are besides.
fn targets_text(targets: &[String]) -> String {
    match targets {
        [] => "-".to_owned(),
        [target] => target.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    }
}

const fn tone(state: StateChoice) -> Tone {
    match state {
        StateChoice::Complete => Tone::Plain,
        StateChoice::Running => Tone::Good,
        StateChoice::Interrupted | StateChoice::Elsewhere => Tone::Caution,
        StateChoice::Failed => Tone::Bad,
    }
}

/// Prints the tables, or the JSON.
pub(crate) fn show(args: &ShowArgs) -> anyhow::Result<Outcome> {
    let document = command::load_run(&args.store.store, &args.run.run)?;
    match args.json {
        true => print_json(&json("the run", &document)?)?,
        false => {
            let earlier = between(&document, &args.store.store);
            print_page(args.page.page(), |width| run_text_beside(&document, &earlier, width))?;
        }
    }
    Ok(Outcome::Done)
}

/// Gives the run its label and says what it was.
pub(crate) fn label(args: &LabelArgs) -> anyhow::Result<Outcome> {
    let mut store = Store::open(&args.store.store, StoreAccess::ReadWrite)?;
    let run = store.find(&args.run.parse::<RunName>()?)?;
    store.relabel(&run.id, &args.label)?;
    let before = match run.label.as_str() {
        "" => String::new(),
        label => format!(" (it was \"{}\")", printable(label)),
    };
    tell(match args.label.as_str() {
        "" => format!("run {} has no label any more{before}", run.id),
        label => format!("run {} is labelled \"{label}\"{before}", run.id),
    });
    Ok(Outcome::Done)
}

/// Deletes the run and says what it was.
pub(crate) fn delete(args: &DeleteArgs) -> anyhow::Result<Outcome> {
    let mut store = Store::open(&args.store.store, StoreAccess::ReadWrite)?;
    let name = args.run.parse::<RunName>()?;
    let run = store.find(&name)?;
    check_is_meant(&name, (&run, &args.store.store), &store.runs()?)?;
    check_not_running(&run, Unseen::of(args.abandoned), "deleted")?;
    store.delete(&run.id)?;
    let work = printable(&run.work);
    tell(format!("deleted run {} ({work}, {})", run.id, points(run.points as usize)));
    Ok(Outcome::Done)
}

/// Refuses a name that only reading commands may complete: what is deleted is gone.
fn check_is_meant(
    name: &RunName,
    (run, store): (&RunOverview, &Path),
    runs: &[RunOverview],
) -> Result<(), Fault> {
    let RunName::Text(text) = name else { return Ok(()) };
    let labelled = runs.iter().filter(|other| other.label == *text).count();
    let cause = match labelled {
        _ if run.id == *text => return Ok(()),
        1 => return Ok(()),
        0 => format!("'{text}' is only the beginning of its id"),
        count => format!("{count} runs have the label '{text}'"),
    };
    Err(Fault::new(format!("run {} is not deleted", run.id)).because(cause).fix(format!(
        "name exactly that run: `kneepoint delete {}{}`",
        run.id,
        store_option(store)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_days_times_and_spans() {
        let now: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let check = |text: &str, expected: &str| {
            assert_eq!(moment(text, now).unwrap().to_string(), expected);
        };
        check("2026-11-20", "2026-11-20T00:00:00Z");
        check("2026-11-20T08:30:00Z", "2026-11-20T08:30:00Z");
        check("12h", "2026-11-21T00:00:00Z");
        check("7d", "2026-11-14T12:00:00Z");
        for text in ["yesterday", "7", "-7d", ""] {
            assert!(moment(text, now).is_err(), "{text}");
        }
    }
}
