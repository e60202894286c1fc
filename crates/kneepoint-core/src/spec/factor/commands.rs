//! Commands of the user's own that change a setting.

use serde::{Deserialize, Serialize};

/// Stands for the level in a command.
const LEVEL: &str = "{level}";
/// Stands for the target in a command.
const TARGET: &str = "{target}";

/// How a setting of the user's own is changed: programs with their arguments, no shell.
///
/// `{level}` and `{target}` in an argument stand for the level and for the target's name. Where
/// any of the commands names `{target}`, they run once for every target, otherwise once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Brings the setting to a level.
    pub set: Vec<String>,
    /// Prints the setting as it is.
    pub check: Vec<String>,
    /// What `check` has to print, white space around it left out.
    pub expect: String,
    /// Brings the setting back to what it was before the run.
    pub restore: Vec<String>,
}

impl Commands {
    /// Whether the commands run for each target.
    pub fn is_per_target(&self) -> bool {
        let mut words = self.set.iter().chain(&self.check).chain(&self.restore);
        words.any(|word| word.contains(TARGET)) || self.expect.contains(TARGET)
    }

    /// The command that sets `level` on `target`.
    pub fn set_for(&self, level: &str, target: &str) -> Vec<String> {
        filled(&self.set, level, target)
    }

    /// The command that tells the setting of `target`.
    pub fn check_for(&self, level: &str, target: &str) -> Vec<String> {
        filled(&self.check, level, target)
    }

    /// What that command has to print.
    pub fn expected(&self, level: &str, target: &str) -> String {
        fill(&self.expect, level, target).trim().to_owned()
    }

    /// The command that undoes all changes on `target`.
    pub fn restore_for(&self, target: &str) -> Vec<String> {
        filled(&self.restore, "", target)
    }
}

fn filled(words: &[String], level: &str, target: &str) -> Vec<String> {
    words.iter().map(|word| fill(word, level, target)).collect()
}

/// `text` with both placeholders replaced, in one pass: a level may look like a placeholder.
fn fill(text: &str, level: &str, target: &str) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix(LEVEL) {
            filled.push_str(level);
            rest = after;
        } else if let Some(after) = rest.strip_prefix(TARGET) {
            filled.push_str(target);
            rest = after;
        } else {
            filled.push('{');
            rest = &rest[1..];
        }
    }
    filled + rest
}

/// Whether a word holds the placeholder of the level.
pub(super) fn names_level(word: &str) -> bool {
    word.contains(LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_once() {
        let check = |text: &str, expected: &str| {
            assert_eq!(fill(text, "a{target}b", "/t"), expected, "{text}");
        };
        check("{level}", "a{target}b");
        check("x{target}y{level}", "x/tya{target}b");
        check("${HOME}{{level}}", "${HOME}{a{target}b}");
        check("{", "{");
        check("", "");
    }
}
