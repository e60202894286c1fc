//! What must hold of every process, whatever it is given.

use kneepoint_core::words::printable::is_printable;

use super::execution::Said;

/// Exit codes that the program has: done, a check failed, wrong usage.
const CODES: [i32; 3] = [0, 1, 2];

/// What is wrong with how a process ended and what it said.
pub(super) fn findings(said: &Said) -> Vec<String> {
    let mut findings = Vec::new();
    let ending = said.ending;
    match (ending.hung, ending.signal, ending.code) {
        (true, ..) => findings.push("it hangs".to_owned()),
        (_, Some(signal), _) => findings.push(format!("it was ended by signal {signal}")),
        (_, _, Some(code)) if !CODES.contains(&code) => {
            findings.push(format!("it ended with exit code {code}"));
        }
        _ => {}
    }
    if said.stderr.windows(11).any(|window| window == b"panicked at") {
        findings.push("a thread panicked".to_owned());
    }
    for (stream, bytes) in [("stdout", &said.stdout), ("stderr", &said.stderr)] {
        findings.extend(raw(stream, bytes));
    }
    findings
}

/// The first character that could steer a terminal or turn the direction of writing.
fn raw(stream: &str, bytes: &[u8]) -> Option<String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Some(format!("{stream} is not UTF-8"));
    };
    let allowed = |letter: char| is_printable(letter) || matches!(letter, '\n' | '\t');
    let (at, letter) = text.char_indices().find(|(_, letter)| !allowed(*letter))?;
    Some(format!("{stream} has a raw {} at byte {at}", letter.escape_unicode()))
}

#[cfg(test)]
mod tests {
    use super::super::execution::Ending;
    use super::*;

    fn check(ending: Ending, stdout: &str, stderr: &str, expected: &[&str]) {
        let said = Said { ending, stdout: stdout.into(), stderr: stderr.into() };
        assert_eq!(findings(&said), expected);
    }

    #[test]
    fn every_way_to_fail_is_found() {
        let code = |code| Ending { code: Some(code), signal: None, hung: false };
        check(code(0), "ü\t1\n", "", &[]);
        check(code(2), "", "error: no\n", &[]);
        check(code(101), "", "", &["it ended with exit code 101"]);
        check(
            Ending { code: None, signal: Some(6), hung: false },
            "",
            "",
            &["it was ended by signal 6"],
        );
        check(Ending { code: None, signal: None, hung: true }, "", "", &["it hangs"]);
        check(code(0), "", "thread 'a' panicked at b", &["a thread panicked"]);
        check(code(0), "a\u{1b}[2J", "", &["stdout has a raw \\u{1b} at byte 1"]);
        check(code(0), "", "\u{202e}", &["stderr has a raw \\u{202e} at byte 0"]);
        check(code(0), "\u{9b}", "", &["stdout has a raw \\u{9b} at byte 0"]);
    }
}
