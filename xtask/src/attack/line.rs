//! Command lines that no one would type.

use super::case::{PRECIOUS, STORE};
use super::mutation::{Dice, VALUES};

/// Options of `plan`, which touches nothing: any value will do.
const PLANNED: &[(&str, &str)] = &[
    ("--size", "64MiB"),
    ("--block", "4KiB,8KiB"),
    ("--outstanding", "1..64x2"),
    ("--outstanding", "auto"),
    ("--rate", "100,200"),
    ("--arrivals", "constant"),
    ("--rule", "mean<=20ms"),
    ("--accuracy", "5%"),
    ("--min-time", "2s"),
    ("--max-time", "30s"),
    ("--time", "1s"),
    ("--steady-state", "60s"),
    ("--ramp", "1s"),
    ("--repeat", "3"),
    ("--factor", "raid=raid5,raid10"),
    ("--factor", "read_ahead=16,32"),
    ("--design", "full"),
    ("--order", "as-written"),
    ("--engine", "sync"),
    ("--workers", "2"),
    ("--seed", "1"),
    ("--max-errors", "10"),
    ("--overwrite", "t.dat"),
];

/// Options of `run` that do not make it longer.
const MEASURED: &[(&str, &str)] = &[
    ("--label", "a b"),
    ("--rule", "p99<=5ms"),
    ("--block", "4KiB"),
    ("--arrivals", "exponential"),
    ("--factor", "write_cache=off,on"),
    ("--seed", "7"),
    ("--max-errors", "0"),
    ("--workers", "2"),
    ("--engine", "libaio"),
    ("--json", "o.json"),
    ("--report", "r.html"),
    ("--report", "r.md"),
    ("--json", PRECIOUS),
    ("--report", PRECIOUS),
    ("--json", STORE),
    ("--report", "../outside"),
    ("--language", "de"),
];

/// Works and targets; none of them is a file of others.
const WORKS: &[&str] = &["database", "storagebench", "random-read", "stream-write", "oltp", "log"];
const TARGETS: &[&str] = &[
    "null:",
    "sim:fastt900",
    "sim:fastt900?drives=20&raid=raid5",
    "sim:analytic/mm1?service=1ms",
    "sim:analytic/mmc?service=5ms&servers=8",
    "sim:hdd-sas25-10k-146",
];

/// Other commands on the sound store.
const OTHERS: &[&str] = &[
    "runs --since 7d",
    "runs --work data --target sim --label w",
    "show other",
    "compare witness other --fail-if iops<-5% --different-profiles",
    "compare witness witness --junit junit.xml --json -",
    "export other -o o.csv",
    "report other -o r.html --figures figures",
    "label other text",
    "delete other",
    "import o.json",
];

/// Commands without a store.
const STORELESS: &[&str] =
    &["catalog database", "inspect sim:fastt900", "inspect t.dat", "validate no.csv"];

/// The commands of a case.
pub(super) fn draw(dice: &mut Dice) -> Vec<Vec<String>> {
    let words = match dice.below(10) {
        0..=3 => {
            let mut words = work(dice, "plan");
            options(dice, PLANNED, &mut words);
            words
        }
        4..=6 => {
            let mut words = work(dice, "run");
            words.extend(split("--time 100ms --ramp 1ms --outstanding 1 --repeat 1 --size 1MiB"));
            words.extend(split(&format!("--store {STORE}")));
            options(dice, MEASURED, &mut words);
            words
        }
        7 => {
            let words = split(dice.pick(STORELESS));
            one_changed(dice, words, 1)
        }
        _ => {
            let mut words = split(dice.pick(OTHERS));
            let from = if words.len() > 2 { 2 } else { 1 };
            words = one_changed(dice, words, from);
            words.extend(split(&format!("--store {STORE}")));
            words
        }
    };
    vec![words]
}

fn split(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

/// The command with its work and one or two targets.
fn work(dice: &mut Dice, command: &str) -> Vec<String> {
    let mut words = vec![command.to_owned(), dice.pick(WORKS).to_owned()];
    if dice.chance(10) {
        words[1] = changed(dice, &words[1]);
    }
    for _ in 0..=usize::from(dice.chance(20)) {
        let target = dice.pick(TARGETS);
        // What stands before the colon stays: another word would be the name of a file.
        let kept = target.find(':').map_or(0, |colon| colon + 1);
        let rest = match dice.chance(50) {
            true => changed(dice, &target[kept..]),
            false => target[kept..].to_owned(),
        };
        words.push(format!("{}{rest}", &target[..kept]));
    }
    words
}

/// One to three options, half of them with a changed value.
fn options(dice: &mut Dice, from: &[(&str, &str)], words: &mut Vec<String>) {
    for _ in 0..=dice.below(3) {
        let (name, value) = from[dice.below(from.len())];
        let is_file = ["--json", "--report"].contains(&name);
        let value = match !is_file && dice.chance(60) {
            true => changed(dice, value),
            false => value.to_owned(),
        };
        words.extend([name.to_owned(), value]);
    }
}

/// Changes one of the words behind the command; none of them then leads out of the folder.
fn one_changed(dice: &mut Dice, mut words: Vec<String>, from: usize) -> Vec<String> {
    if from < words.len() {
        let at = from + dice.below(words.len() - from);
        words[at] = changed(dice, &words[at]).replace(['/', '~'], "");
    }
    words
}

/// A word with another value or letter.
fn changed(dice: &mut Dice, word: &str) -> String {
    const LETTERS: &[&str] = &[
        "\u{1b}[31m",
        "\u{202e}",
        "'",
        "\"",
        ";",
        "=",
        ",",
        "..",
        "-",
        "&",
        "?",
        "%",
        "9",
        "e9",
        "\n",
        "😀",
    ];
    if dice.chance(40) {
        return dice.pick(VALUES).trim_matches('"').replace('\0', "");
    }
    let mut at = dice.below(word.len() + 1);
    while !word.is_char_boundary(at) {
        at -= 1;
    }
    let (before, after) = word.split_at(at);
    let rest = if dice.chance(30) { "" } else { after };
    format!("{before}{}{rest}", dice.pick(LETTERS))
}
