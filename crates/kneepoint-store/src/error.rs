//! Failures inside the store, and how the user is told.

use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::number::RoundedBytes;
use rusqlite::ErrorCode;

use crate::connection::VALUE_BYTES_MAX;

/// A failure on its way out of the store.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// SQLite failed.
    Sql(rusqlite::Error),
    /// The operating system failed.
    Io(std::io::Error),
    /// The file is not a Kneepoint store, because of the text.
    Foreign(&'static str),
    /// The file is a store with something in it that Kneepoint did not make, as the text says.
    Strange(String),
    /// The store's file is not the one that was opened, as the text says.
    Moved(&'static str),
    /// The store's content is not what was written, as the text says.
    Damage(String),
    /// The store's format is newer than this program.
    Newer { has: usize, knows: usize },
    /// There is no such file, and it may not be created.
    Missing,
    /// The directory that should hold the file does not exist.
    NoDirectory(PathBuf),
    /// The file exists and must not be written.
    Unwritable,
    /// The caller asked for something that cannot be.
    Fault(Fault),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

const OTHER_STORE: &str = "name another store with --store";
const RESTORE: &str =
    "restore it from a backup, or save what can be read with `sqlite3 STORE .recover`";

impl StoreError {
    /// The failure to do `what` ("open", "save a point in") with the store at `path`, for the user.
    pub(crate) fn into_fault(self, path: &Path, what: &str) -> Fault {
        let name = path.display();
        let fault = Fault::new(format!("cannot {what} the store {name}"));
        match self {
            Self::Fault(fault) => fault,
            Self::Sql(error) => explain_sql(fault, &error),
            Self::Io(error) => fault.because(error).fix(OTHER_STORE),
            Self::Foreign(why) => Fault::new(format!("{name} is not a Kneepoint store"))
                .because(why)
                .fix(format!("{OTHER_STORE}; this file was left as it is")),
            Self::Strange(why) => Fault::new(format!("the store {name} is not used"))
                .because(why)
                .fix(format!("{OTHER_STORE}; this file was left as it is")),
            Self::Moved(why) => fault.because(why).fix(OTHER_STORE),
            Self::Damage(why) => Fault::new(format!("the store {name} is damaged")).because(why).fix(RESTORE),
            Self::Newer { has, knows } => fault
                .because(format!(
                    "it comes from a newer Kneepoint: it has format {has}, this version needs {knows} or older"
                ))
                .fix(format!("update Kneepoint, or {OTHER_STORE}")),
            Self::Missing => fault
                .because("there is no such file")
                .fix(format!("a run creates it; or {OTHER_STORE}")),
            Self::NoDirectory(directory) => fault
                .because(format!("there is no directory {}", directory.display()))
                .fix(format!("create the directory, or {OTHER_STORE}")),
            Self::Unwritable => fault
                .because("the file is read-only")
                .fix(format!("make it writable, or {OTHER_STORE}")),
        }
    }
}

/// True if an error says that the file's content is not what was written.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::{
        FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnName, InvalidColumnType,
        Utf8Error,
    };
    match error.sqlite_error_code() {
        // `Unknown` is SQLite's plain error: here, tables that are not as this crate made them.
        Some(code) => matches!(
            code,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown
        ),
        None => matches!(
            error,
            FromSqlConversionFailure(..)
                | IntegralValueOutOfRange(..)
                | InvalidColumnName(..)
                | InvalidColumnType(..)
                | Utf8Error(..)
        ),
    }
}

/// Adds cause and remedy of an SQLite error to `fault`.
fn explain_sql(fault: Fault, error: &rusqlite::Error) -> Fault {
    let (why, fix) = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => (
            "the disk is full".to_owned(),
            "free some space and resume the run; what was saved before is safe".to_owned(),
        ),
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
        ) => (
            "another process keeps it locked".to_owned(),
            format!("wait for the other process to end, or {OTHER_STORE}"),
        ),
        Some(ErrorCode::ReadOnly) => (
            "the file or its directory is read-only".to_owned(),
            format!("make both writable, or {OTHER_STORE}"),
        ),
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => (
            format!("the file, or those that SQLite keeps beside it, cannot be opened ({error})"),
            format!("make the file and its directory writable, or {OTHER_STORE}"),
        ),
        Some(ErrorCode::SystemIoFailure) => (
            format!("reading or writing the file failed ({error})"),
            format!("check the disk's free space and the system log, or {OTHER_STORE}"),
        ),
        Some(ErrorCode::TooBig) => (
            format!(
                "a value is larger than {}, the most that a store holds",
                RoundedBytes(VALUE_BYTES_MAX.into())
            ),
            OTHER_STORE.to_owned(),
        ),
        Some(ErrorCode::OperationInterrupted) => {
            ("it takes more steps than any sound store would".to_owned(), RESTORE.to_owned())
        }
        _ if is_damage(error) => (format!("the file is damaged ({error})"), RESTORE.to_owned()),
        _ => return fault.because(error),
    };
    fault.because(why).fix(fix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_store_says_which_format_it_has_and_which_is_needed() {
        let fault = StoreError::Newer { has: 7, knows: 1 }.into_fault(Path::new("k.db"), "open");
        assert_eq!(
            fault.to_string(),
            "cannot open the store k.db: it comes from a newer Kneepoint: it has format 7, \
             this version needs 1 or older"
        );
        assert!(fault.fix_hint().unwrap().contains("update Kneepoint"));
    }
}
