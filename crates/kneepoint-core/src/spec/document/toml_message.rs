//! What the TOML reader found wrong, in this project's words.

use super::spelling::did_you_mean;
use crate::words::fault::Fault;

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
