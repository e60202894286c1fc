//! What a job may refer to outside of its text.

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
