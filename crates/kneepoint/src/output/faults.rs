//! Errors as they are shown: what failed, why, and what to do, on lines of their own.

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;

use super::print::tell;
use super::text::{Text, Tone};

/// What every error begins with.
const ERROR: &str = "error: ";

/// Shows an error on standard error.
pub(crate) fn show(error: &anyhow::Error) {
    let text = text(error);
    tell(match text.strip_prefix(ERROR) {
        Some(rest) => Text::marked(Tone::Bad, ERROR, rest),
        None => Text::from(text),
    });
}

/// The lines of an error.
fn text(error: &anyhow::Error) -> String {
    let Some(fault) = error.downcast_ref::<Fault>() else {
        let chain: Vec<String> = error.chain().map(|cause| line(&cause.to_string())).collect();
        return format!("error: {}", chain.join("\n  why: "));
    };
    let mut lines = format!("error: {}", line(fault.what()));
    if let Some(why) = fault.why() {
        lines.push_str(&format!("\n  why: {}", line(why)));
    }
    if let Some(fix) = fault.fix_hint() {
        lines.push_str(&format!("\n  fix: {}", line(fix)));
    }
    lines
}

/// A part of an error on one line, whatever the names in it hold.
fn line(text: &str) -> String {
    printable(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_shows_its_parts() {
        let fault = Fault::new("cannot open x").because("no such file").fix("name a file");
        assert_eq!(
            text(&fault.into()),
            "error: cannot open x\n  why: no such file\n  fix: name a file"
        );
        assert_eq!(text(&Fault::new("cannot open x").into()), "error: cannot open x");
    }

    #[test]
    fn other_errors_show_their_chain() {
        let error = anyhow::anyhow!("no such file").context("cannot read plan");
        assert_eq!(text(&error), "error: cannot read plan\n  why: no such file");
    }
}
