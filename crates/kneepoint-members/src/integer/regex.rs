//! Regular expressions: searches and replacements in a generated log.

use std::fmt::Write as _;

use regex::{Captures, Regex, RegexSet};

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;
use crate::text::Vocabulary;

pub(crate) const MEMBER: Member = Member {
    name: "regex",
    class: Class::Integer,
    title: "Regular expressions",
    work: "searches a generated log of a web server by eleven expressions (regex), with groups, a set and \
           replacements",
    unit: "1 MiB of log through all expressions",
    run,
};

/// Expressions with a name.
const PATTERNS: [(&str, &str); 8] = [
    ("address", r"\b(?:\d{1,3}\.){3}\d{1,3}\b"),
    ("request", r#""(GET|POST|PUT|DELETE) (/[^ ?"]*)(\?[^ "]*)? HTTP/1\.[01]""#),
    ("failure", r#"" 5\d\d (\d+) "#),
    ("mail", r"[a-z0-9._]+@[a-z0-9]+\.(?:com|org|net)"),
    ("session", r"session=([0-9a-f]{16})\b"),
    ("repeated", r"(?i)error.{0,40}timeout|timeout.{0,40}error"),
    ("time", r"\[(\d{2})/(Jan|Feb|Mar)/(\d{4}):(\d{2}):(\d{2}):(\d{2})\]"),
    ("words", r"(?m)(\w+) (\w+)ing (\w+)$"),
];

const SET: [&str; 3] = [r"/admin(?:/\w+)*", r"^\d+\.0\.", r"(?:ab|ba|or)+\.$"];

fn run(scale: Scale) -> Output {
    let (logs, bytes) = scale.choose((1600, 1 << 20), (62, 1 << 20), (1, 4 << 10));
    let mut output = Output::default();
    let mut random = Random::new(0x5eed_0003);
    let vocabulary = Vocabulary::new(800, &mut random);
    let expressions = PATTERNS.map(|(name, pattern)| (name, expression(pattern)));
    let set = RegexSet::new(SET).expect("a test compiles the expressions");
    for _ in 0..logs {
        let log = log(bytes, &vocabulary, &mut random);
        for (name, expression) in &expressions {
            let (matches, hash) = search(expression, &log.text);
            output.count(name, matches);
            output.count("groups", hash);
        }
        let lines = log.text.lines().filter(|line| set.is_match(line)).count();
        output.count("lines of the set", lines as u64);
        output.content("replaced", replaced(&expressions[4].1, &log.text).as_bytes());
    }
    output
}

fn expression(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a test compiles the expressions")
}

/// The number of matches, and a hash of where their groups are.
fn search(expression: &Regex, text: &str) -> (u64, u64) {
    expression.captures_iter(text).fold((0, 0), |(matches, hash), found| {
        let ends = found.iter().flatten().map(|group| group.end() as u64);
        (matches + 1, ends.fold(hash, mixed))
    })
}

/// The multiplier of FNV-1a.
const fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3)
}

/// The text with sessions that cannot be told.
fn replaced(session: &Regex, text: &str) -> String {
    let hidden = |found: &Captures<'_>| format!("session={}...", &found[1][..4]);
    session.replace_all(text, hidden).into_owned()
}

/// A log, and what was written into it.
#[derive(Debug, Default)]
struct Log {
    text: String,
    lines: u64,
    failures: u64,
    sessions: u64,
    mails: u64,
}

fn log(bytes: usize, vocabulary: &Vocabulary, random: &mut Random) -> Log {
    let mut log = Log::default();
    while log.text.len() < bytes {
        line(&mut log, vocabulary, random);
    }
    log
}

fn line(log: &mut Log, vocabulary: &Vocabulary, random: &mut Random) {
    let month = ["Jan", "Feb", "Mar"][random.index(3)];
    let method = ["GET", "GET", "GET", "POST", "PUT", "DELETE"][random.index(6)];
    let folder = ["/admin", "/images", "/api/v2", "/"][random.index(4)];
    let status = [200, 200, 200, 304, 404, 500, 503][random.index(7)];
    let mut below = |limit| random.below(limit);
    let _ = write!(
        log.text,
        "{}.{}.{}.{} - - [{:02}/{month}/2024:{:02}:{:02}:{:02}] \
         \"{method} {folder}/p{}?q={} HTTP/1.1\" {status} {} ",
        below(256),
        below(3),
        below(256),
        below(256),
        1 + below(28),
        below(24),
        below(60),
        below(60),
        below(100),
        below(1000),
        below(90_000),
    );
    log.lines += 1;
    log.failures += u64::from(status >= 500);
    if random.once_in(2) {
        log.sessions += 1;
        let _ = write!(log.text, "session={:016x} ", random.bits());
    }
    if random.once_in(4) {
        log.mails += 1;
        let _ = write!(log.text, "user=u{}.x@host{}.org ", random.below(99), random.below(9));
    }
    let noun = if random.once_in(8) { "Error: a Timeout after" } else { "took" };
    let _ = write!(log.text, "{noun}");
    for _ in 0..2 + random.below(8) {
        let _ = write!(log.text, " {}", vocabulary.word(random));
    }
    log.text.push_str(if random.once_in(3) { ".\n" } else { "\n" });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_those_that_were_written() {
        let mut random = Random::new(9);
        let vocabulary = Vocabulary::new(100, &mut random);
        let log = log(8000, &vocabulary, &mut random);
        let matches = |index: usize| search(&expression(PATTERNS[index].1), &log.text).0;
        assert!(log.lines > 30 && log.failures > 3 && log.sessions > 5 && log.mails > 3);
        assert_eq!(matches(0), log.lines, "addresses");
        assert_eq!(matches(1), log.lines, "requests");
        assert_eq!(matches(2), log.failures, "failures");
        assert_eq!(matches(3), log.mails, "mails");
        assert_eq!(matches(4), log.sessions, "sessions");
        assert_eq!(matches(6), log.lines, "times");
    }

    #[test]
    fn sessions_are_hidden() {
        let session = expression(PATTERNS[4].1);
        let text = "a session=0123456789abcdef b session=012 c";
        assert_eq!(replaced(&session, text), "a session=0123... b session=012 c");
    }
}
