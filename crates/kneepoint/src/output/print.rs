//! The doors to the terminal. Whatever is printed goes through one of them: text for people with
//! everything spelled out that a terminal would act on, JSON with such characters escaped as JSON
//! does it, and what we wrote ourselves as it is. A closed pipe is success: whoever read has seen
//! enough. Errors have what failed, why, and what to do on lines of their own.

use std::io::{self, Write};

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::{is_printable, printable};

use super::text::{Colours, Page, Text, Tone, Width};

/// Prints text for people and ends the line where it does not end in one. Which columns were left
/// out is told on standard error: it is no data.
pub(crate) fn print(text: impl Into<Text>) -> anyhow::Result<()> {
    let text = text.into();
    print_raw(&text.rendered(Colours::of(&io::stdout())))?;
    if !text.spared().is_empty() {
        let spared = format!("--wide also shows: {}", text.spared().join(", "));
        tell(Text::new().with(Tone::Faint, spared));
    }
    Ok(())
}

/// Prints a page of tables and sentences: `text` makes it when it is told how wide its tables may
/// become.
pub(crate) fn print_page<T: Into<Text>>(
    page: Page,
    text: impl FnOnce(Width) -> T,
) -> anyhow::Result<()> {
    print(text(page.tables).into().wrapped(page.lines))
}

/// Prints JSON. What a terminal would act on can only stand in its strings.
pub(crate) fn print_json(json: &str) -> anyhow::Result<()> {
    print_raw(&escaped_json(json))
}

/// Prints what the program itself wrote, such as a script, as it is.
pub(crate) fn print_raw(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Tells something on standard error, on its own line.
pub(crate) fn tell(text: impl Into<Text>) {
    let rendered = text.into().rendered(Colours::of(&io::stderr()));
    // No one is left to hear of it where standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{rendered}");
}

/// The same JSON with the characters escaped that the writer of JSON leaves in strings although a
/// terminal acts on them. They are all below U+10000.
fn escaped_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match is_printable(letter) || matches!(letter, '\n' | '\t' | '\r') {
            true => escaped.push(letter),
            false => escaped.push_str(&format!("\\u{:04x}", u32::from(letter))),
        }
    }
    escaped
}

/// Shows an error on standard error.
pub(crate) fn show_error(error: &anyhow::Error) {
    tell(Text::marked(Tone::Bad, "error: ", &error_text(error)));
}

/// The lines of an error, each on one line whatever the names in it hold.
fn error_text(error: &anyhow::Error) -> String {
    let Some(fault) = error.downcast_ref::<Fault>() else {
        let chain: Vec<String> =
            error.chain().map(|cause| printable(&cause.to_string()).into_owned()).collect();
        return chain.join("\n  why: ");
    };
    let mut lines = printable(fault.what()).into_owned();
    for (name, part) in [("why", fault.why()), ("fix", fault.fix_hint())] {
        if let Some(part) = part {
            lines.push_str(&format!("\n  {name}: {}", printable(part)));
        }
    }
    lines
}

/// `1 point`, `7 points`.
pub(crate) fn points(count: usize) -> String {
    match count {
        1 => "1 point".to_owned(),
        count => format!("{count} points"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_means_the_same_and_steers_no_terminal() {
        let value = serde_json::json!({ "label": "a\u{9b}31m\u{202e}\u{7f}\u{1b}[0m\n\u{2028}é" });
        let text = escaped_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(text.chars().all(|letter| letter == '\n' || is_printable(letter)), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}

#[cfg(test)]
mod faults_tests {
    use super::*;

    #[test]
    fn a_fault_shows_its_parts() {
        let fault = Fault::new("cannot open x").because("no such file").fix("name a file");
        assert_eq!(
            error_text(&fault.into()),
            "cannot open x\n  why: no such file\n  fix: name a file"
        );
        assert_eq!(error_text(&Fault::new("cannot open x").into()), "cannot open x");
    }

    #[test]
    fn other_errors_show_their_chain() {
        let error = anyhow::anyhow!("no such file").context("cannot read plan");
        assert_eq!(error_text(&error), "cannot read plan\n  why: no such file");
    }
}
