//! Wrong usage of the command line: said in our own words where it is known what was meant, and
//! never so that what was typed steers the terminal.

use std::env;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use kneepoint_core::spec::grid::in_thousands;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::is_printable;

use super::print;
use super::print::tell;
use crate::EXIT_USAGE;

/// Commands that measure: the options of other load generators are tried on them.
const MEASURING: [&str; 3] = ["run", "plan", "knee"];

/// Options of other load generators (fio, DiskSpd, dd, vdbench), and what they are called here.
const FOREIGN: &[(&[&str], &str)] = &[
    (
        &["iodepth", "io-depth", "depth", "iodepth-batch", "O"],
        "did you mean --outstanding? It is the number of I/Os in flight: --outstanding 32",
    ),
    (
        &["bs", "blocksize", "block-size", "blksize", "b"],
        "did you mean --block? For instance --block 4KiB",
    ),
    (
        &["runtime", "duration", "elapsed", "d"],
        "did you mean --time? It is the time of each point: --time 30s",
    ),
    (&["ramp-time", "warmup", "W"], "did you mean --ramp? For instance --ramp 5s"),
    (
        &["numjobs", "threads", "jobs", "t"],
        "did you mean --workers? More load comes from --outstanding, not from more workers",
    ),
    (
        &["rw", "readwrite", "r", "rdpct", "seekpct"],
        "name a load profile instead: random-read, random-write, stream-read, stream-write; \
         `kneepoint catalog profiles` lists all",
    ),
    (
        &["rwmixread", "rwmixwrite", "w"],
        "the mix is part of the load profile: `kneepoint catalog database` prints one to be saved \
         as a file, changed and run",
    ),
    (
        &["filename", "file", "directory", "target", "lun", "of", "if"],
        "name the target after the load profile: kneepoint run database ./kneepoint.dat",
    ),
    (
        &["direct", "odirect", "openflags", "Sh", "S"],
        "leave it out: direct I/O is the default, and --buffered goes through the page cache",
    ),
    (
        &["ioengine"],
        "did you mean --engine? It is io_uring, libaio or sync; leave it out for the best",
    ),
    (
        &["rate-iops", "iops", "iorate"],
        "did you mean --rate? It offers I/Os per second: --rate 1000,2000",
    ),
    (&["filesize", "c"], "did you mean --size? For instance --size 8GiB"),
    (&["loops", "repetitions"], "did you mean --repeat? For instance --repeat 3"),
    (&["randseed", "rand-seed"], "did you mean --seed? For instance --seed 7"),
    (&["name"], "did you mean --label?"),
    (
        &["output", "output-format", "out"],
        "did you mean --report FILE.html for the report, or --json FILE for the numbers?",
    ),
    (
        &["o"],
        "did you mean --outstanding for the I/Os in flight, --report FILE.html for the report, or \
         --json FILE for the numbers?",
    ),
];

/// Shows what clap has to say, and gives the exit code.
pub(crate) fn show(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let printed = error.print();
        return if printed.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(EXIT_USAGE) };
    }
    let words: Vec<String> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match fault_of(error, &words) {
        Some(fault) => print::show_error(&fault.into()),
        None => show_clap(error),
    }
    ExitCode::from(EXIT_USAGE)
}

/// Clap's own message: in its colours where it is harmless, and spelled out where it is not.
fn show_clap(error: &clap::Error) {
    let plain = error.render().to_string();
    match plain.chars().all(|letter| letter == '\n' || is_printable(letter)) {
        true => {
            let _ = error.print();
        }
        false => tell(plain.trim_end()),
    }
}

/// The mistake in our own words, where it is one that we know.
pub(super) fn fault_of(error: &clap::Error, words: &[String]) -> Option<Fault> {
    match error.kind() {
        ErrorKind::UnknownArgument => unknown_option(error, words),
        ErrorKind::ValueValidation => abbreviated_number(error),
        _ => None,
    }
}

/// An option of another tool, or a negative number that reads as an option.
fn unknown_option(error: &clap::Error, words: &[String]) -> Option<Fault> {
    let typed = context(error, ContextKind::InvalidArg)?;
    let bare = typed.strip_prefix('-')?;
    if bare.starts_with(|letter: char| letter.is_ascii_digit()) {
        // Clap takes a number apart where it could be several short options.
        let whole = words.iter().find(|word| word.starts_with(typed)).map_or(typed, String::as_str);
        return Some(Fault::new(format!("'{whole}' is negative")).fix("use a number above zero"));
    }
    let command = words.iter().find(|word| !word.starts_with('-'))?;
    if !MEASURING.contains(&command.as_str()) {
        return None;
    }
    // fio also takes its options with one dash, of which clap sees the first letter.
    let long = words.iter().find(|word| word.starts_with(typed) && word.len() > typed.len());
    let advice = [long.map(String::as_str), Some(typed)]
        .into_iter()
        .flatten()
        .find_map(|word| advice(&name_of(word)))?;
    let shown = long.map_or(typed, |word| word.split('=').next().unwrap_or(word));
    Some(Fault::new(format!("`kneepoint {command}` has no option {shown}")).fix(advice))
}

/// The name in an option as typed: `--ramp_time=5` is `ramp-time`.
fn name_of(word: &str) -> String {
    let name = word.trim_start_matches('-');
    name.split('=').next().unwrap_or(name).replace('_', "-")
}

fn advice(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(names, _)| names.contains(&name)).map(|(_, advice)| *advice)
}

/// A count with a letter for thousands, where the digits are wanted.
fn abbreviated_number(error: &clap::Error) -> Option<Fault> {
    let value = context(error, ContextKind::InvalidValue)?;
    let option = context(error, ContextKind::InvalidArg)?;
    let is_count = std::error::Error::source(error)
        .is_some_and(|source| source.to_string().contains("invalid digit"));
    let number = in_thousands(value).filter(|_| is_count)?;
    let option = option.split(' ').next().unwrap_or(option);
    Some(
        Fault::new(format!("'{value}' is not a number for {option}"))
            .fix(format!("write it in full: {number}")),
    )
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    fn fix(words: &[&str]) -> Option<String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let typed = ["kneepoint".to_owned()].into_iter().chain(words.clone());
        let error = Cli::try_parse_from(typed).unwrap_err();
        fault_of(&error, &words)?.fix_hint().map(str::to_owned)
    }

    #[test]
    fn every_foreign_option_is_known_in_each_of_its_spellings() {
        for word in ["--iodepth", "--iodepth=32", "-iodepth=32", "--io_depth"] {
            let fix = fix(&["run", "database", "null:", word]).unwrap();
            assert!(fix.starts_with("did you mean --outstanding?"), "{word}: {fix}");
        }
        for (names, advice) in FOREIGN {
            for name in *names {
                let dashes = if name.len() == 1 { "-" } else { "--" };
                let word = format!("{dashes}{name}");
                let found = fix(&["plan", "database", "null:", &word]);
                assert_eq!(found.as_deref(), Some(*advice), "{word}");
            }
        }
    }

    #[test]
    fn options_of_nobody_and_of_other_commands_are_left_to_clap() {
        assert_eq!(fix(&["run", "database", "null:", "--splendid"]), None);
        assert_eq!(fix(&["runs", "--bs", "4k"]), None);
    }
}
