//! The name that was probably meant.

use crate::words::fault::Fault;

/// Most names that are offered.
const NEAREST_MAX: usize = 3;

/// The names most like `typed`, the nearest first; none when nothing is near.
///
/// Near is an edit distance of at most a third of the typed name's length, or one name being part
/// of the other.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.to_lowercase();
    let reach = (typed.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| Some((distance_within(&typed, name, reach)?, name)))
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(NEAREST_MAX);
    near.into_iter().map(|(_, name)| name).collect()
}

/// `did you mean 'a' or 'b'?`, where something is near.
pub fn did_you_mean<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let quoted: Vec<String> =
        nearest(typed, names).iter().map(|name| format!("'{name}'")).collect();
    match quoted.as_slice() {
        [] => None,
        names => Some(format!("did you mean {}?", names.join(" or "))),
    }
}

/// How far `name` is from `typed`, where it is near.
fn distance_within(typed: &str, name: &str, reach: usize) -> Option<usize> {
    const PART_CHARS_MIN: usize = 3;
    let part_of_other = typed.len().min(name.len()) >= PART_CHARS_MIN
        && (name.contains(typed) || typed.contains(name));
    if typed.len().abs_diff(name.len()) > 4 * reach && !part_of_other {
        return None;
    }
    let distance = edit_distance(typed, name);
    match (distance <= reach, part_of_other) {
        (true, _) => Some(distance),
        (false, true) => Some(reach + distance),
        (false, false) => None,
    }
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, right) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(left != right);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *left == b[j - 1] && a[i - 1] == *right {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// A fault for a message of the TOML reader.
///
/// The reader names keys in backquotes: the first is the key at fault, others are the keys that
/// exist there. A message of another form is passed on as it is.
pub(super) fn toml_message(message: &str) -> Fault {
    let message = one_line(message);
    let mut names = message.split('`').skip(1).step_by(2);
    let first = names.next().unwrap_or_default();
    if message.starts_with("unknown field") {
        return unknown_key(first, &names.collect::<Vec<_>>());
    }
    if message.starts_with("missing field") {
        return Fault::new(format!("'{first}' is missing")).fix(format!("add '{first} = ...'"));
    }
    if message.starts_with("duplicate") {
        return Fault::new("a key is set twice").because(message).fix("keep one of the two");
    }
    if message.starts_with("invalid type") {
        return wrong_kind(&message);
    }
    Fault::new("this is not valid TOML").because(message.replace('`', "'"))
}

/// A key that does not exist there, with the one probably meant or all that exist.
fn unknown_key(typed: &str, known: &[&str]) -> Fault {
    let fix = did_you_mean(typed, known.iter().copied())
        .unwrap_or_else(|| format!("the keys that can stand here are {}", known.join(", ")));
    Fault::new(format!("unknown key '{typed}'")).fix(fix)
}

/// A value of the wrong kind; lists are what is most often written otherwise.
fn wrong_kind(message: &str) -> Fault {
    let fault = Fault::new("a value of the wrong kind").because(message.replace('`', "'"));
    match message.strip_suffix("expected a sequence") {
        Some(found) if found.contains("map") => {
            fault.fix("write the name of the table in double brackets, as in [[line]]")
        }
        Some(_) => fault.fix("put it in brackets: [...]"),
        None => fault,
    }
}

/// The message without line breaks.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["database", "file-server", "file-copy", "random-read", "oltp"];

    #[test]
    fn slips_of_the_finger_find_the_name() {
        let check = |typed: &str, meant: &[&str]| assert_eq!(nearest(typed, NAMES), meant);
        check("databse", &["database"]);
        check("Database", &["database"]);
        check("file_server", &["file-server"]);
        check("ltop", &[]);
        check("otlp", &["oltp"]);
        check("file", &["file-copy", "file-server"]);
        check("iometer-oltp", &["oltp"]);
        check("zzz", &[]);
        check("", &[]);
    }

    #[test]
    fn the_question_offers_what_is_near() {
        assert_eq!(did_you_mean("otlp", NAMES).as_deref(), Some("did you mean 'oltp'?"));
        assert_eq!(did_you_mean("zzz", NAMES), None);
    }

    #[test]
    fn swapped_neighbours_are_one_edit() {
        assert_eq!(edit_distance("raed", "read"), 1);
        assert_eq!(edit_distance("read", "read"), 0);
        assert_eq!(edit_distance("", "read"), 4);
        assert_eq!(edit_distance("sitting", "kitten"), 3);
        assert_eq!(edit_distance("über", "uber"), 1);
    }

    #[test]
    fn messages_become_faults() {
        let check = |message: &str, what: &str, fix: Option<&str>| {
            let fault = toml_message(message);
            assert_eq!((fault.to_string().as_str(), fault.fix_hint()), (what, fix));
        };
        check(
            "unknown field `raed`, expected one of `read`, `random`",
            "unknown key 'raed'",
            Some("did you mean 'read'?"),
        );
        check(
            "unknown field `x`, expected one of `read`, `random`",
            "unknown key 'x'",
            Some("the keys that can stand here are read, random"),
        );
        check("missing field `name`", "'name' is missing", Some("add 'name = ...'"));
        check(
            "invalid type: map, expected a number or a text",
            "a value of the wrong kind: invalid type: map, expected a number or a text",
            None,
        );
        check("no\nidea", "this is not valid TOML: no idea", None);
    }
}
