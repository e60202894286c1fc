//! What a job may refer to outside of its text.

use std::path::{Component, Path};

/// Gives what a job refers to. A file of a job is only ever read, and nothing in it is a target.
pub trait Surroundings {
    /// The text of a file that the job includes, by its name in the job.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn included(&self, name: &str) -> Result<String, String>;

    /// The value of a variable of the environment; `None` if it is not set.
    fn variable(&self, name: &str) -> Option<String>;
}

/// Nothing around a job: no files and no variables.
#[derive(Debug, Clone, Copy)]
pub struct NoSurroundings;

impl Surroundings for NoSurroundings {
    fn included(&self, _name: &str) -> Result<String, String> {
        Err("no other file can be read here".to_owned())
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Surroundings of which files are included only if they are beside the job: what is in others is not shown in
/// messages because a job of someone else names them.
pub(super) struct Beside<'a>(pub(super) &'a dyn Surroundings);

impl Surroundings for Beside<'_> {
    fn included(&self, name: &str) -> Result<String, String> {
        let is_beside =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        match Path::new(name).components().all(is_beside) {
            true => self.0.included(name),
            false => Err("only files beside the job, or in folders beside it, are read".to_owned()),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.0.variable(name)
    }
}
