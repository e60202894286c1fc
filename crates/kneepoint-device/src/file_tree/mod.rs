//! Operations on files by the calls of the operating system, in a directory of ours.
//!
//! ```text
//! KNEEPOINT-FILES            the mark: Kneepoint made this directory, and what is in it
//! directory-00000/           as many as the profile says, for the time of a point
//!     file-0000000000000000  files by their numbers
//! ```
//!
//! The directory is made for a run and removed after it. One without a mark of ours is refused, and so is one of
//! another user, or one that others may write to. All is done from the descriptor of the directory; only names
//! of this form are removed, and only below it.

mod calls;
mod tree_dir;

pub use tree_dir::TreeDir;

use std::ffi::OsStr;

/// Name of a directory by its number.
fn directory_name(number: u32) -> String {
    format!("directory-{number:05}")
}

/// Name of a file by its number.
fn file_name(number: u64) -> String {
    format!("file-{number:016x}")
}

/// Whether `name` can be that of a file of ours.
fn is_file_name(name: &OsStr) -> bool {
    let number = name.to_str().and_then(|name| name.strip_prefix("file-"));
    let number = number.and_then(|number| u64::from_str_radix(number, 16).ok());
    number.is_some_and(|number| name.to_str() == Some(&file_name(number)))
}

#[cfg(test)]
mod tests;
