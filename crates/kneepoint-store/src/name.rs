//! Finding the run that the user means.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use kneepoint_core::spec::document::edit_distance;
use kneepoint_core::words::fault::Fault;

use crate::id::LAST;
use crate::run::RunOverview;

/// A run as the user names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunName {
    /// The newest run.
    Last,
    /// An id, a label, or the beginning of an id.
    Text(String),
}

impl FromStr for RunName {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == LAST { Self::Last } else { Self::Text(text.to_owned()) })
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str(LAST),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// How many runs a message lists.
const LISTED: usize = 5;

/// The run of that name among `runs`, the newest first.
///
/// What was typed in full comes before what was typed in part: an id, then a label (the newest run
/// that has it), then the beginning of one id.
pub(crate) fn find(mut runs: Vec<RunOverview>, name: &RunName) -> Result<RunOverview, Fault> {
    let place = match name {
        RunName::Last if runs.is_empty() => return Err(nothing_stored()),
        RunName::Last => 0,
        RunName::Text(text) => place(&runs, text)?,
    };
    Ok(runs.swap_remove(place))
}

fn place(runs: &[RunOverview], text: &str) -> Result<usize, Fault> {
    let first = |wanted: &dyn Fn(&RunOverview) -> bool| runs.iter().position(wanted);
    if text.is_empty() {
        return Err(unknown(runs, text));
    }
    if let Some(place) = first(&|run| run.id == text).or_else(|| first(&|run| run.label == text)) {
        return Ok(place);
    }
    let starts = |run: &RunOverview| run.id.starts_with(text);
    match runs.iter().filter(|run| starts(run)).count() {
        0 => Err(unknown(runs, text)),
        1 => first(&starts).ok_or_else(|| unknown(runs, text)),
        count => Err(Fault::new(format!("'{text}' may be any of {count} runs"))
            .because(list(runs.iter().filter(|run| starts(run))))
            .fix("type more of the id")),
    }
}

fn nothing_stored() -> Fault {
    Fault::new("there is no last run").because("the store is empty")
}

/// No run has the name `text`: says which come near, or else which are the newest.
pub(crate) fn unknown(runs: &[RunOverview], text: &str) -> Fault {
    let fault = Fault::new(format!("there is no run '{text}'"));
    if runs.is_empty() {
        return fault.because("the store is empty");
    }
    let near: Vec<&RunOverview> = runs.iter().filter(|run| is_near(run, text)).collect();
    if near.is_empty() {
        fault.fix(format!("the newest runs are {}", list(runs.iter())))
    } else {
        fault.fix(format!("did you mean {}?", list(near.into_iter())))
    }
}

/// The first few runs as text.
fn list<'a>(runs: impl Iterator<Item = &'a RunOverview>) -> String {
    let mut names: Vec<String> = runs.map(full_name).collect();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &rest
}

fn full_name(run: &RunOverview) -> String {
    if run.label.is_empty() { run.id.clone() } else { format!("{} ({})", run.id, run.label) }
}

fn is_near(run: &RunOverview, text: &str) -> bool {
    let near = |name: &str| {
        let (name, text) = (name.to_lowercase(), text.to_lowercase());
        let contains = !name.is_empty() && (name.contains(&text) || text.contains(&name));
        contains || edit_distance(&name, &text) <= text.chars().count() / 4
    };
    !text.is_empty() && (near(&run.id) || near(&run.label))
}

#[cfg(test)]
mod tests {
    use kneepoint_core::result::RunState;

    use super::*;

    fn runs(names: &[(&str, &str)]) -> Vec<RunOverview> {
        let overview = |(id, label): &(&str, &str)| RunOverview {
            id: (*id).to_owned(),
            label: (*label).to_owned(),
            work: "storagebench".to_owned(),
            state: RunState::Complete,
            owner: None,
            started_at: String::new(),
            finished_at: String::new(),
            points: 0,
            targets: Vec::new(),
            host: String::new(),
        };
        names.iter().map(overview).collect()
    }

    const RUNS: &[(&str, &str)] = &[
        ("20261121-043510-7f3a", "raid10"),
        ("20261121-020000-0001", "raid5"),
        ("20261120-020000-0002", "raid10"),
        ("20261119-020000-0003", "2026"),
    ];

    fn check(name: &str, expected: Result<usize, &str>) {
        let name: RunName = name.parse().unwrap();
        match (find(runs(RUNS), &name), expected) {
            (Ok(run), Ok(place)) => assert_eq!(run.id, RUNS[place].0),
            (Err(fault), Err(part)) => {
                let text = format!("{fault} {}", fault.fix_hint().unwrap_or(""));
                assert!(text.contains(part), "{text}");
            }
            (found, _) => panic!("{name}: {found:?}"),
        }
    }

    #[test]
    fn runs_are_found_by_what_people_type() {
        check("last", Ok(0));
        check("20261121-020000-0001", Ok(1));
        check("20261120", Ok(2));
        check("raid10", Ok(0));
        check("raid5", Ok(1));
        check("2026", Ok(3));
    }

    #[test]
    fn others_are_answered_with_what_there_is() {
        check("20261121", Err("may be any of 2 runs"));
        check("20261121", Err("20261121-043510-7f3a (raid10), 20261121-020000-0001 (raid5)"));
        check("raid", Err("did you mean 20261121-043510-7f3a (raid10)"));
        check("raid6", Err("raid5"));
        check("20261121-020000-0002", Err("did you mean 20261121-020000-0001"));
        check("zebra", Err("the newest runs are 20261121-043510-7f3a (raid10)"));
        check("", Err("there is no run ''"));
    }

    #[test]
    fn an_empty_store_says_so() {
        for name in [RunName::Last, RunName::Text("x".to_owned())] {
            assert_eq!(find(Vec::new(), &name).unwrap_err().why(), Some("the store is empty"));
        }
    }

    #[test]
    fn long_lists_are_cut() {
        let ids: Vec<String> = (0..9).map(|digit| format!("2026-{digit}")).collect();
        let names: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), "")).collect();
        let fault = find(runs(&names), &RunName::Text("2026".to_owned())).unwrap_err();
        assert!(fault.why().unwrap().ends_with("2026-4 and 4 more"), "{fault}");
    }
}
