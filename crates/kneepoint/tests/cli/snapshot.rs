//! Transcripts of commands against those that are checked in.

use snapbox::{Assert, Data};

use crate::program::Bench;
use crate::redaction::redact;

/// Runs the commands, words separated by blanks, one after the other in `bench`, and holds what
/// they said against `snapshots/NAME.txt`.
pub(crate) fn check_in(bench: &Bench, name: &str, commands: &[&str]) {
    let transcript: String = commands.iter().map(|command| part(bench, command)).collect();
    check_text(&format!("{name}.txt"), transcript);
}

/// Holds a text against `snapshots/FILE`.
pub(crate) fn check_text(file: &str, text: String) {
    let path = format!("{}/tests/cli/snapshots/{file}", env!("CARGO_MANIFEST_DIR"));
    let expected = Data::read_from(path.as_ref(), None).raw();
    Assert::new()
        .action_env(snapbox::assert::DEFAULT_ACTION_ENV)
        .eq(Data::text(text).raw(), expected);
}

/// As [`check_in`], in its own folder.
pub(crate) fn check(name: &str, commands: &[&str]) {
    check_in(&Bench::new(), name, commands);
}

/// One command as it reads in a terminal, with what went to standard error marked.
fn part(bench: &Bench, command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    let said = bench.run(&words);
    let mut text = format!("$ kneepoint {command}\n{}", redact(&said.stdout));
    // How busy the machine is that the tests run on is no part of a transcript.
    let is_told = |line: &&str| !line.starts_with("note: the machine is busy");
    for line in redact(&said.stderr).lines().filter(is_told) {
        text.push_str(format!("! {line}").trim_end());
        text.push('\n');
    }
    match said.code {
        Some(0) => text + "\n",
        code => {
            format!("{text}exit code {}\n\n", code.map_or("none".to_owned(), |n| n.to_string()))
        }
    }
}
