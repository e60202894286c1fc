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
//! may write to. All is done from the descriptor of the directory ([`folder`]), and only names of
//! the file set are removed.

mod copier;
mod copy_dir;
mod copy_ground;
mod folder;
#[cfg(test)]
mod tests;

pub use copier::CopyOrder;
pub use copy_dir::{CopyDir, SourceWork, ground_of, look, source_work};
pub use copy_ground::CopyGround;

use std::fmt::Display;
use std::io;
use std::path::Path;

use kneepoint_core::words::fault::Fault;

/// A failed call as people read it.
fn trouble(what: impl Display, path: &Path, error: &io::Error) -> Fault {
    let fault = Fault::new(format!("{what} {} failed", path.display())).because(error);
    match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => {
            fault.fix("make room: the file set is there twice while it is copied")
        }
        Some(libc::EXDEV) => {
            fault.fix("unmount what is mounted below the directory of the file copy")
        }
        Some(libc::ELOOP | libc::ENOTDIR) => {
            fault.fix("remove the link or file that lies there: Kneepoint did not make it")
        }
        _ => fault,
    }
}
