//! Errors as a user reads them: what failed, why, and what to do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An error for the person at the terminal.
///
/// `what` says what failed, `why` gives the cause where it is known, `fix` the next thing to try.
/// Libraries return it where the reader of the message is the user; the binary prints the three
/// parts on lines of their own and exits with code 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    what: String,
    why: Option<String>,
    fix: Option<String>,
}

impl Fault {
    /// An error that so far says only what failed.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), why: None, fix: None }
    }

    /// Adds the cause.
    #[must_use]
    pub fn because(mut self, why: impl fmt::Display) -> Self {
        self.why = Some(why.to_string());
        self
    }

    /// Adds the next thing to try.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// Says `place` and a colon before what failed.
    #[must_use]
    pub fn behind(self, place: impl fmt::Display) -> Self {
        Self { what: format!("{place}: {}", self.what), ..self }
    }

    /// What failed.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The cause, where it is known.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// What the user can do about it.
    pub fn fix_hint(&self) -> Option<&str> {
        self.fix.as_deref()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if let Some(why) = &self.why {
            write!(f, ": {why}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_joins_what_and_why_and_leaves_the_fix_to_the_binary() {
        let fault = Fault::new("cannot open x").because("no such file").fix("name a file");
        assert_eq!(fault.to_string(), "cannot open x: no such file");
        assert_eq!(fault.fix_hint(), Some("name a file"));
    }
}
