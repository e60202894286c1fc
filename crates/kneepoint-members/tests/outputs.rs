//! Outputs that were tampered with are refused.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_members::{MEMBERS, Output, Scale};

#[test]
fn a_changed_output_of_any_member_is_refused() {
    for member in MEMBERS {
        let output = member.run(Scale::Test);
        let expected = member.expected(Scale::Test);
        assert!(member.judge(&output, &expected).verified, "{}", member.name);
        let bytes = output.as_bytes();
        for place in [0, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.to_vec();
            changed[place] ^= 1;
            let verdict = member.judge(&Output::from_bytes(changed), &expected);
            assert!(!verdict.verified, "{} {place}", member.name);
        }
        let shorter = Output::from_bytes(bytes[..bytes.len() - 1].to_vec());
        assert!(!member.judge(&shorter, &expected).verified, "{}", member.name);
    }
}

#[test]
fn nothing_is_never_verified() {
    let nothing = Output::default();
    for member in MEMBERS {
        assert!(!member.judge(&nothing, &nothing.digest()).verified);
    }
}

/// An output that two runs agree on can still be wrong in its text: this is what a reader sees of one.
#[test]
fn outputs_say_what_was_computed() {
    let member = kneepoint_members::member("chess").unwrap();
    let output = member.run(Scale::Test);
    let text = String::from_utf8(output.as_bytes().to_vec()).unwrap();
    assert!(text.starts_with("position rnbqkbnr/"), "{text}");
    assert!(text.contains("\nsequences 400\n"), "{text}");
}
