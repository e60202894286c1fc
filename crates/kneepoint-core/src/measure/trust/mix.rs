//! Whether sequential lines of a profile stay sequential in its mix.
//!
//! A stream has one position. A sequential I/O goes on where the last I/O of the stream ended,
//! whichever line that followed: beside random lines it goes on at random places.

use crate::plan::Plan;
use crate::result::Warning;
use crate::result::warning::{BrokenSequence, LineAccess, SequentialLine};
use crate::spec::profile::{ResolvedLine, ResolvedProfile};

/// What is to be said of the mixes of a plan, each thing once.
pub fn mix_warnings(plan: &Plan) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    let broken = plan.io_profiles().filter_map(broken_sequence);
    for warning in broken.map(Warning::NotSequential) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// What is to be said of a profile whose sequential lines do not stay sequential; `None` where
/// they do, or where there are none.
///
/// Lines that are all sequential follow each other: together they pass through the range once, and
/// there is nothing to be said.
fn broken_sequence(profile: &ResolvedProfile) -> Option<BrokenSequence> {
    let used = || profile.lines.iter().enumerate().filter(|(_, line)| line.share.get() > 0.0);
    let is_sequential = |line: &ResolvedLine| line.random.get() == 0.0;
    let random_percent = profile.random_percent();
    let lines: Vec<SequentialLine> = used()
        .filter(|(_, line)| is_sequential(line))
        .map(|(index, line)| SequentialLine {
            line: index as u64 + 1,
            block_bytes: line.block_bytes,
            access: access(line),
        })
        .collect();
    let is_broken = !lines.is_empty() && random_percent > 0.0;
    is_broken.then(|| BrokenSequence { profile: profile.name.clone(), lines, random_percent })
}

fn access(line: &ResolvedLine) -> LineAccess {
    match line.read.get() {
        0.0 => LineAccess::Writes,
        100.0 => LineAccess::Reads,
        _ => LineAccess::ReadsAndWrites,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::{io_profile, plan_of};
    use crate::words::units::Percent;

    /// The note on a profile of lines with these shares, shares of reads and of random I/Os.
    fn note(lines: &[(f64, f64, f64)]) -> Option<String> {
        let mut plan = plan_of("null:", 1);
        let profile = io_profile(&mut plan);
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
        broken_sequence(profile).map(|broken| Warning::NotSequential(broken).text())
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
