//! Whether sequential lines of a profile stay sequential in its mix.
//!
//! A stream has one position. A sequential I/O goes on where the last I/O of the stream ended,
//! whichever line that followed: beside random lines it goes on at random places.

use crate::plan::Plan;
use crate::spec::profile::{ResolvedLine, ResolvedProfile};
use crate::words::number::Percentage;
use crate::words::units::Bytes;

/// What is to be said of the mixes of a plan, each sentence once.
pub fn mix_notes(plan: &Plan) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in plan.series.iter().filter_map(|series| broken_sequence(&series.profile)) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// What is to be said of a profile whose sequential lines do not stay sequential; `None` where
/// they do, or where there are none.
///
/// Lines that are all sequential follow each other: together they pass through the range once, and
/// there is nothing to be said.
fn broken_sequence(profile: &ResolvedProfile) -> Option<String> {
    let used = || profile.lines.iter().enumerate().filter(|(_, line)| line.share.get() > 0.0);
    let is_sequential = |line: &ResolvedLine| line.random.get() == 0.0;
    let random_percent = profile.random_percent();
    let lines: Vec<String> = used()
        .filter(|(_, line)| is_sequential(line))
        .map(|(index, line)| format!("line {} ({})", index + 1, access(line)))
        .collect();
    if lines.is_empty() || random_percent <= 0.0 {
        return None;
    }
    let (verb, its) = if lines.len() == 1 { ("is", "its") } else { ("are", "their") };
    Some(format!(
        "not sequential: {} of {} {verb} sequential alone, but not in this mix: {its} I/Os go on \
         where the last I/O of any line ended, and {} of all I/Os go to random positions; measure \
         {} as a profile without random lines",
        lines.join(" and "),
        profile.name,
        Percentage(random_percent),
        if lines.len() == 1 { "it" } else { "them" },
    ))
}

/// `64KiB writes`.
fn access(line: &ResolvedLine) -> String {
    let direction = match line.read.get() {
        0.0 => "writes",
        100.0 => "reads",
        _ => "reads and writes",
    };
    format!("{} {direction}", Bytes(line.block_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan_of;
    use crate::words::units::Percent;

    /// The note on a profile of lines with these shares, shares of reads and of random I/Os.
    fn note(lines: &[(f64, f64, f64)]) -> Option<String> {
        let mut profile = plan_of("null:", 1).series.remove(0).profile;
        let percent = |number| Percent::new(number).unwrap();
        let line = profile.lines[0].clone();
        profile.lines = lines
            .iter()
            .map(|(share, read, random)| ResolvedLine {
                share: percent(*share),
                read: percent(*read),
                random: percent(*random),
                ..line.clone()
            })
            .collect();
        broken_sequence(&profile)
    }

    #[test]
    fn a_sequential_line_beside_a_random_one_is_named() {
        assert_eq!(
            note(&[(80.0, 67.0, 100.0), (20.0, 0.0, 0.0)]).unwrap(),
            "not sequential: line 2 (4KiB writes) of test is sequential alone, but not in this mix: \
             its I/Os go on where the last I/O of any line ended, and 80% of all I/Os go to random \
             positions; measure it as a profile without random lines"
        );
        let two = note(&[(50.0, 0.0, 0.0), (25.0, 100.0, 0.0), (25.0, 50.0, 10.0)]).unwrap();
        assert!(two.contains("line 1 (4KiB writes) and line 2 (4KiB reads) of test are"), "{two}");
        assert!(two.contains("and 2.5% of all I/Os"), "{two}");
    }

    #[test]
    fn lines_that_do_what_they_say_are_left_alone() {
        assert_eq!(note(&[(100.0, 67.0, 100.0)]), None);
        assert_eq!(note(&[(100.0, 0.0, 0.0)]), None);
        assert_eq!(note(&[(60.0, 100.0, 0.0), (40.0, 0.0, 0.0)]), None);
        assert_eq!(note(&[(60.0, 100.0, 100.0), (40.0, 0.0, 50.0)]), None);
        assert_eq!(note(&[(100.0, 100.0, 100.0), (0.0, 0.0, 0.0)]), None);
    }
}
