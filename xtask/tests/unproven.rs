//! What the tests of this `cargo test` could not prove on this machine, as its last word.
//!
//! Cargo runs the test binaries sorted by crate and name: this one is the last of the workspace.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;

use kneepoint_testkit::{Skip, skips};

/// Skips, sorted by reason, as the user reads them.
fn summary(skips: &[Skip]) -> String {
    if skips.is_empty() {
        return String::new();
    }
    let tests: BTreeSet<_> = skips.iter().map(|skip| (&skip.binary, &skip.test)).collect();
    let mut text = format!("\nskipped on this machine, at least in part: {} tests\n", tests.len());
    for same in skips.chunk_by(|one, next| one.reason == next.reason) {
        let _ = writeln!(text, "  {}", same[0].reason);
        for skip in same {
            let _ = writeln!(text, "    {}: {}", skip.binary, skip.test);
        }
    }
    text
}

#[test]
fn skipped_tests_are_summed_up() {
    // The harness captures what the printing macros write, and nothing else.
    let _ = std::io::stderr().write_all(summary(&skips()).as_bytes());
}

#[test]
fn a_reason_is_said_once() {
    let skip = |reason: &str, test: &str| Skip {
        reason: reason.to_owned(),
        binary: "cli".to_owned(),
        test: test.to_owned(),
    };
    let skips = [skip("not root", "a"), skip("not root", "b"), skip("not on the PATH: fio", "b")];
    assert_eq!(
        summary(&skips),
        "\nskipped on this machine, at least in part: 2 tests\n  not root\n    cli: a\n    cli: b\n  \
         not on the PATH: fio\n    cli: b\n"
    );
    assert_eq!(summary(&[]), "");
}
