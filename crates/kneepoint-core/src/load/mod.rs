//! Issuing I/O: the [`backend::Backend`] that everything is issued through, the streams of requests, the one
//! loop that drives them, and the record of what completed. Operations on files have their own seam,
//! [`files::FileCalls`].

pub mod backend;
pub mod drive;
pub mod files;
pub mod record;
pub mod stream;
