//! What a rule found, and how it fails.

use std::fmt;

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Path from the workspace's root.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// What is wrong there.
    pub(crate) what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Fails the test where anything was found.
pub(crate) fn assert_none(findings: &[Finding], fix: &str) {
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "\n{}\nfix: {fix}\n", lines.join("\n"));
}
