//! Copies of many files by the functions of the operating system, in our own directory.
//!
//! Beside a test file `k.dat` lies the [`CopyDir`], a directory `k.dat.file-copy` with
//!
//! ```text
//! KNEEPOINT-FILE-COPY    the mark: Kneepoint made this directory, and what is in it
//! source/                the file set; stays for the next run, as the test file does
//! copy/                  the copy that is being made; removed after each
//! ```
//!
//! Nothing but these three is ever written or removed, and only by whoever has locked the mark. A
//! directory without a mark of ours is refused, and so is one of another user, or one that others
//! may write to. All is done from the descriptor of the directory, and only names of
//! the file set are removed.

mod copier;
mod copy_dir;
mod copy_ground;
#[cfg(test)]
mod tests;
mod tree;

pub use copier::CopyOrder;
pub use copy_dir::{CopyDir, SourceWork, ground_of, look, source_work};
pub use copy_ground::CopyGround;
