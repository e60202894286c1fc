//! Where operations on files are done: the seam to the directories of a machine.

use crate::load::files::FileCalls;
use crate::result::TargetEnvironment;
use crate::spec::profile::FileTree;
use crate::words::fault::Fault;

/// A target that takes operations on files: a directory of Kneepoint's, which need not be there yet.
pub trait FileGround {
    /// The target as it is now, under its `name`.
    ///
    /// # Errors
    /// When nothing can be told of it.
    fn environment(&self, name: &str) -> Result<TargetEnvironment, Fault>;

    /// Takes possession of the directory, and makes it if it is not there; nothing if that was done.
    ///
    /// # Errors
    /// When it is not ours, is in use, or cannot be made.
    fn claim(&mut self) -> Result<(), Fault>;

    /// Makes the directories of `tree`, which hold no files; what an earlier point left is removed.
    ///
    /// # Errors
    /// When it cannot be done.
    fn lay_out(&mut self, tree: &FileTree) -> Result<(), Fault>;

    /// What does operations on the files of `tree` for a thread, which writes data drawn from `seed`.
    ///
    /// # Errors
    /// When it cannot be had.
    fn calls(&self, tree: &FileTree, seed: u64) -> Result<Box<dyn FileCalls>, Fault>;

    /// Waits until everything written so far is on the device: it must not be written back while something
    /// else is measured.
    ///
    /// # Errors
    /// When the device refuses it.
    fn settle(&self) -> Result<(), Fault>;

    /// Removes the directories with their files.
    ///
    /// # Errors
    /// When something cannot be removed, or something is in them that Kneepoint did not put there.
    fn clear(&mut self) -> Result<(), Fault>;

    /// Removes everything, the directory itself included; nothing if it was not claimed.
    ///
    /// # Errors
    /// As [`Self::clear`].
    fn remove(&mut self) -> Result<(), Fault>;
}
