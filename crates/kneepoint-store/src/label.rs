//! Labels: the user's own names for runs.

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::is_printable;

use crate::id::LAST;

/// Characters of a label at the most.
const LENGTH_MAX: usize = 200;

/// Refuses a label that would spoil a list, or that no command could name.
///
/// # Errors
/// When the label is `last`, holds control characters or marks of writing direction, or is longer
/// than 200 characters.
pub fn check_label(label: &str) -> Result<(), Fault> {
    let refused = Fault::new("this label cannot be given to a run");
    if label == LAST {
        return Err(refused
            .because("`last` always means the newest run, so that a run of this label could not be named")
            .fix("choose another label"));
    }
    if let Some(letter) = label.chars().find(|letter| !is_printable(*letter)) {
        let code = u32::from(letter);
        return Err(refused
            .because(format!(
                "it holds the control character U+{code:04X}, which would act on terminals"
            ))
            .fix("use letters, digits, blanks and signs"));
    }
    let length = label.chars().count();
    if length > LENGTH_MAX {
        return Err(refused
            .because(format!("it has {length} characters"))
            .fix(format!("use at most {LENGTH_MAX}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_harm_or_cannot_be_named_are_refused() {
        for label in ["", "before", "after the update, 2nd try", "größer", "last run"] {
            assert_eq!(check_label(label), Ok(()), "{label}");
        }
        let long = "x".repeat(201);
        for label in ["last", "\u{1b}]0;owned\u{7}", "a\nb", "a\u{202e}b", "\0", &long] {
            assert!(check_label(label).is_err(), "{label:?}");
        }
        let fault = check_label("a\u{202e}b").unwrap_err();
        assert!(fault.why().unwrap().contains("U+202E"), "{fault}");
    }
}
