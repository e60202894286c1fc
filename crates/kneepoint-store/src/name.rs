//! Names of runs: ids that sort by time and can be read aloud, the user's labels, and finding the
//! run that the user means.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use kneepoint_core::spec::document::edit_distance;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::is_printable;

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
/// A name typed in full comes before one typed in part: an id, then a label (the newest run
/// that has it), then the beginning of one id.
pub(crate) fn find(mut runs: Vec<RunOverview>, name: &RunName) -> Result<RunOverview, Fault> {
    let place = match name {
        RunName::Last if runs.is_empty() => {
            return Err(Fault::new("there is no last run").because("the store is empty"));
        }
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

/// Longest id in bytes.
const ID_BYTES_MAX: usize = 64;

/// The name that stands for the newest run, and can therefore not be an id.
const LAST: &str = "last";

/// Hexadecimal digits of each id that is drawn, until one is free.
const DRAWS: [usize; 8] = [4, 4, 4, 4, 8, 8, 16, 16];

/// Ids for a run that started at `started_at` (RFC 3339, UTC), one as good as the other:
/// `20261121-043510-7f3a`, and longer ones if many are taken.
///
/// The last digits come from `entropy` and keep apart runs that start in the same second.
pub(crate) fn drawn_ids(
    started_at: &str,
    mut entropy: impl FnMut() -> u64,
) -> impl Iterator<Item = String> {
    let digits = started_at.chars().filter(char::is_ascii_digit).chain(std::iter::repeat('0'));
    let time: String = digits.take(14).collect();
    DRAWS.into_iter().map(move |digits| {
        let (date, clock) = time.split_at(8);
        format!("{date}-{clock}-{:0digits$x}", folded(entropy(), digits))
    })
}

/// All of `entropy` in a number of this many hexadecimal digits.
fn folded(entropy: u64, digits: usize) -> u64 {
    let (bits, parts) = (4 * digits, 16 / digits);
    let mask = u64::MAX >> (64 - bits);
    (0..parts).fold(0, |mix, part| mix ^ (entropy >> (part * bits)) & mask)
}

/// Refuses ids that could not be typed, or be part of a file name.
pub(crate) fn check_id(id: &str) -> Result<(), Fault> {
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let starts_well = id.starts_with(|first: char| first.is_ascii_alphanumeric());
    if plain && starts_well && id.len() <= ID_BYTES_MAX && id != LAST {
        return Ok(());
    }
    Err(Fault::new(format!("'{id}' cannot be the id of a run")).because(format!(
        "an id has 1 to {ID_BYTES_MAX} letters, digits, '-', '_' or '.', starts with a letter or \
         digit, and is not '{LAST}'"
    )))
}

/// Characters of a label at the most.
const LABEL_LENGTH_MAX: usize = 200;

/// Refuses a label that would spoil a list, or that no command could name.
///
/// # Errors
/// When the label is `last`, holds control characters or marks of writing direction, or is longer
/// than 200 characters.
pub fn check_label(label: &str) -> Result<(), Fault> {
    let refused = Fault::new("this label cannot be given to a run");
    if label == LAST {
        return Err(refused
            .because("`last` always means the newest run, so that a run of this label could not be named")
            .fix("choose another label"));
    }
    if let Some(letter) = label.chars().find(|letter| !is_printable(*letter)) {
        let code = u32::from(letter);
        return Err(refused
            .because(format!(
                "it holds the control character U+{code:04X}, which would act on terminals"
            ))
            .fix("use letters, digits, blanks and signs"));
    }
    let length = label.chars().count();
    if length > LABEL_LENGTH_MAX {
        return Err(refused
            .because(format!("it has {length} characters"))
            .fix(format!("use at most {LABEL_LENGTH_MAX}")));
    }
    Ok(())
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

#[cfg(test)]
mod id_tests {
    use super::*;

    #[test]
    fn an_id_shows_the_time_and_ends_in_entropy() {
        let id = |started_at, entropy| drawn_ids(started_at, || entropy).next().unwrap();
        assert_eq!(id("2026-11-21T04:35:10Z", 0x7f3a), "20261121-043510-7f3a");
        assert_eq!(id("2026-11-21T04:35:10.123Z", 0x1_0000_0000_0001), "20261121-043510-0000");
        assert_eq!(id("2026-11-21T04:35:10Z", 0x7f00_003a_0000_0000), "20261121-043510-7f3a");
        let all: Vec<String> =
            drawn_ids("2026-11-21T04:35:10Z", || 0x1234_5678_9abc_def0).collect();
        assert_eq!(all[3..5], ["20261121-043510-0000", "20261121-043510-88888888"]);
        assert_eq!(all[7], "20261121-043510-123456789abcdef0");
    }

    #[test]
    fn every_text_gives_an_id_that_is_allowed() {
        for text in ["", "2026", "no time at all", "2026-11-21T04:35:10.123456789+00:00"] {
            assert!(drawn_ids(text, || u64::MAX).all(|id| check_id(&id).is_ok()), "{text}");
        }
    }

    #[test]
    fn odd_ids_are_refused() {
        let long = "x".repeat(65);
        for id in ["", "last", "a b", "../etc", "-o", "ü", "a/b", long.as_str()] {
            assert!(check_id(id).is_err(), "{id}");
        }
        assert!(check_id("node-7_2026.1").is_ok());
    }
}

#[cfg(test)]
mod label_tests {
    use super::*;

    #[test]
    fn labels_that_harm_or_cannot_be_named_are_refused() {
        for label in ["", "before", "after the update, 2nd try", "größer", "last run"] {
            assert_eq!(check_label(label), Ok(()), "{label}");
        }
        let long = "x".repeat(201);
        for label in ["last", "\u{1b}]0;owned\u{7}", "a\nb", "a\u{202e}b", "\0", &long] {
            assert!(check_label(label).is_err(), "{label:?}");
        }
        let fault = check_label("a\u{202e}b").unwrap_err();
        assert!(fault.why().unwrap().contains("U+202E"), "{fault}");
    }
}
