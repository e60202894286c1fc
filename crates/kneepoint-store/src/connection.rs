//! Connections: how a store is opened, what SQLite is told about it, and what it may cost this
//! machine, whoever wrote it.
//!
//! A file of a few kilobytes can claim to hold a value of a gigabyte, or a tree whose branches
//! meet again and that has no end. So the limits of SQLite are set, and its steps are counted.

use std::ffi::c_int;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::StoreError;
use crate::file::Content;
use crate::{file, schema};

/// Pages that are copied at once.
const PAGES_AT_ONCE: c_int = 4096;

/// The purpose of opening a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreAccess {
    /// To read and write; a missing store is created, an older one brought up to date.
    ReadWrite,
    /// To read only; works on read-only media, too.
    ReadOnly,
}

/// The terms of opening besides the path.
#[derive(Debug, Clone)]
pub(crate) struct Terms<'a> {
    /// The purpose.
    pub(crate) access: StoreAccess,
    /// How long to wait for other processes. Generous by default: a commit may queue behind the
    /// very load that is being measured.
    pub(crate) patience: Duration,
    /// The steps to the format that is wanted.
    pub(crate) steps: &'a [&'a str],
    /// The limit of the cost of the file.
    pub(crate) allowance: Allowance,
}

impl Terms<'static> {
    /// The terms of this version of Kneepoint.
    pub(crate) fn new(access: StoreAccess) -> Self {
        let (patience, allowance) = (Duration::from_secs(10), Allowance::new());
        Self { access, patience, steps: schema::STEPS, allowance }
    }
}

/// Opens the store at `path`, which must be absolute: SQLite gives some relative names a meaning
/// of their own.
pub(crate) fn open(path: &Path, terms: &Terms<'_>) -> Result<Connection, StoreError> {
    debug_assert!(path.is_absolute());
    match (file::look(path)?, terms.access) {
        (Content::Nothing, StoreAccess::ReadOnly) => Err(StoreError::Missing),
        (content, StoreAccess::ReadWrite) => {
            file::check_beside(path, content)?;
            open_to_write(path, terms)
        }
        (Content::Store, StoreAccess::ReadOnly) => open_to_read(path, terms),
    }
}

fn open_to_write(path: &Path, terms: &Terms<'_>) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let mut connection =
        Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    distrust(&mut connection, &terms.allowance)?;
    // SQLite opens a file that it may not write for reading, and says so only when asked.
    if connection.is_readonly("main")? {
        return Err(StoreError::Unwritable);
    }
    connection.busy_timeout(terms.patience)?;
    bound_cache(&connection)?;
    // Beyond FULL, EXTRA also syncs the directory after a rollback journal is removed: without it
    // a power cut can bring the journal back and undo a committed point.
    connection.pragma_update(None, "synchronous", "EXTRA")?;
    schema::migrate(&mut connection, terms.steps)?;
    prefer_log(&connection)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

/// Asks for the write-ahead log, in which readers and the writer do not wait for each other.
///
/// Where it cannot be had (it needs memory shared between processes, which some network file
/// systems lack) or is being negotiated by another process, the rollback journal is as safe.
fn prefer_log(connection: &Connection) -> rusqlite::Result<()> {
    let mode = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, String>(0));
    if mode("PRAGMA journal_mode")? == "wal" {
        return Ok(());
    }
    match mode("PRAGMA journal_mode = WAL") {
        Ok(_) => Ok(()),
        Err(error) if is_busy(&error) => Ok(()),
        Err(_) => mode("PRAGMA journal_mode = DELETE").map(drop),
    }
}

/// True if another process has the store.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    is(error, &[ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked])
}

fn open_to_read(path: &Path, terms: &Terms<'_>) -> Result<Connection, StoreError> {
    let connection = match connect_to_read(path, terms) {
        // A store with a write-ahead log wants files beside it even to be read. Where they cannot
        // be made and no log is left to read, the file alone holds everything. Should someone
        // with more rights change it meanwhile, the digests tell.
        Err(StoreError::Sql(error))
            if is(&error, &[ErrorCode::CannotOpen, ErrorCode::ReadOnly])
                && !file::has_log(path) =>
        {
            connect_immutable(path, &terms.allowance)?
        }
        other => other?,
    };
    match schema::is_current(&connection, terms.steps)? {
        true => Ok(connection),
        false => brought_up_to_date(&connection, terms),
    }
}

/// Copies everything that one connection has to another.
pub(crate) fn copy_all(from: &Connection, to: &mut Connection) -> rusqlite::Result<()> {
    Backup::new(from, to)?.run_to_completion(PAGES_AT_ONCE, Duration::ZERO, None)
}

/// A copy of an older store, in the format that is wanted: reading changes no file. It is in a
/// temporary file without a name, because it may be larger than the memory.
fn brought_up_to_date(older: &Connection, terms: &Terms<'_>) -> Result<Connection, StoreError> {
    let mut copy = Connection::open("")?;
    distrust(&mut copy, &terms.allowance)?;
    bound_cache(&copy)?;
    copy_all(older, &mut copy)?;
    schema::migrate(&mut copy, terms.steps)?;
    Ok(copy)
}

fn connect_to_read(path: &Path, terms: &Terms<'_>) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    distrust(&mut connection, &terms.allowance)?;
    connection.busy_timeout(terms.patience)?;
    bound_cache(&connection)?;
    schema::format(&connection)?;
    Ok(connection)
}

fn connect_immutable(path: &Path, allowance: &Allowance) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let uri = OpenFlags::SQLITE_OPEN_URI;
    let mut connection = Connection::open_with_flags(immutable_uri(path), flags | uri)?;
    distrust(&mut connection, allowance)?;
    bound_cache(&connection).map(|()| connection)
}

/// A store may come from anybody: nothing in its schema runs functions, views or triggers, and
/// nothing may write the schema itself. Its pages are examined as they are read, and it costs no
/// more than `allowance`.
pub(crate) fn distrust(connection: &mut Connection, allowance: &Allowance) -> rusqlite::Result<()> {
    allowance.bind(connection)?;
    for (setting, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(setting, value)?;
    }
    connection.pragma_update(None, "cell_size_check", true)
}

fn is(error: &rusqlite::Error, codes: &[ErrorCode]) -> bool {
    error.sqlite_error_code().is_some_and(|code| codes.contains(&code))
}

/// The path as the address of a file that no one changes.
fn immutable_uri(path: &Path) -> String {
    let escaped: String = path
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(|byte| match byte {
            b'/' | b'-' | b'.' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                char::from(*byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect();
    format!("file:{escaped}?immutable=1")
}

/// Longest value and longest row, in bytes. A point has some 10 kB, one of many hours some
/// megabytes, and a plan of thousands of series as well.
pub(crate) const VALUE_BYTES_MAX: u32 = 32 << 20;

/// Memory for pages, in KiB. Without it, the file says how much that is.
const CACHE_KIB: i64 = 8 << 10;

/// Limits of SQLite, far above what the statements and tables of this crate need.
const LIMITS: [(Limit, c_int); 12] = [
    (Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX as c_int),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
    (Limit::SQLITE_LIMIT_COLUMN, 64),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 64),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 4),
    (Limit::SQLITE_LIMIT_VDBE_OP, 10_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 16),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 256),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 64),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 8),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// Steps of SQLite's machine for one access: some seconds. A row takes about thirty.
const STEPS_MAX: u64 = 1 << 30;

/// After how many steps they are counted.
const STEPS_AT_ONCE: u32 = 1 << 16;

/// The steps that a connection may still take.
#[derive(Debug, Clone)]
pub(crate) struct Allowance {
    left: Arc<AtomicU64>,
    whole: u64,
}

impl Allowance {
    /// The allowance of a store.
    pub(crate) fn new() -> Self {
        Self::of(STEPS_MAX)
    }

    fn of(whole: u64) -> Self {
        Self { left: Arc::new(AtomicU64::new(whole)), whole }
    }

    /// Limits what `connection` may cost from now on.
    fn bind(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        for (limit, value) in LIMITS {
            connection.set_limit(limit, value)?;
        }
        let left = Arc::clone(&self.left);
        let spend = move || {
            let rest = left.load(Ordering::Relaxed).saturating_sub(STEPS_AT_ONCE.into());
            left.store(rest, Ordering::Relaxed);
            rest == 0
        };
        connection.progress_handler(STEPS_AT_ONCE as c_int, Some(spend))
    }

    /// Begins an access: it has the whole allowance.
    pub(crate) fn renew(&self) {
        self.left.store(self.whole, Ordering::Relaxed);
    }
}

/// Bounds the memory for pages, whatever the file says. Reads the file.
fn bound_cache(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "cache_size", -CACHE_KIB)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(connection: &Connection) -> String {
        connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap()
    }

    fn impatient(access: StoreAccess) -> Terms<'static> {
        Terms { patience: Duration::from_millis(50), ..Terms::new(access) }
    }

    #[test]
    fn a_store_has_a_log_and_syncs_every_commit() {
        let directory = tempfile::tempdir().unwrap();
        let connection =
            open(&directory.path().join("k.db"), &Terms::new(StoreAccess::ReadWrite)).unwrap();
        assert_eq!(mode(&connection), "wal");
        let level: i64 = connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).unwrap();
        assert_eq!(level, 3);
    }

    #[test]
    fn without_shared_memory_the_rollback_journal_has_to_do() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("k.db");
        // This way of locking knows no memory shared between processes.
        let mut connection =
            Connection::open_with_flags_and_vfs(&path, OpenFlags::default(), c"unix-dotfile")
                .unwrap();
        schema::migrate(&mut connection, schema::STEPS).unwrap();
        prefer_log(&connection).unwrap();
        assert_eq!(mode(&connection), "delete");
    }

    #[test]
    fn a_locked_store_is_named_as_such() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("k.db");
        let holder = open(&path, &Terms::new(StoreAccess::ReadWrite)).unwrap();
        holder.query_row("PRAGMA locking_mode = EXCLUSIVE", [], |_| Ok(())).unwrap();
        holder.execute_batch("BEGIN EXCLUSIVE; PRAGMA user_version = 1; COMMIT").unwrap();
        let trouble = open(&path, &impatient(StoreAccess::ReadWrite)).unwrap_err();
        let fault = trouble.into_fault(&path, "open");
        assert!(fault.why().unwrap().contains("another process keeps it locked"), "{fault}");
    }

    #[test]
    fn an_older_store_is_read_and_stays_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("k.db");
        drop(open(&path, &Terms::new(StoreAccess::ReadWrite)).unwrap());
        let steps = [schema::STEPS, &["CREATE TABLE later (x)"]].concat();
        let terms = Terms { steps: &steps, ..Terms::new(StoreAccess::ReadOnly) };
        let now = schema::STEPS.len();
        let before = std::fs::read(&path).unwrap();
        let reader = open(&path, &terms).unwrap();
        assert_eq!(schema::format(&reader).unwrap(), steps.len());
        assert!(reader.prepare("SELECT x FROM later").is_ok());
        assert_eq!(std::fs::read(&path).unwrap(), before);
        drop(open(&path, &Terms { access: StoreAccess::ReadWrite, ..terms.clone() }).unwrap());
        assert!(open(&path, &terms).is_ok());
        match open(&path, &Terms::new(StoreAccess::ReadOnly)) {
            Err(StoreError::Newer { has, knows }) => assert_eq!((has, knows), (now + 1, now)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_file_does_not_say_how_much_memory_its_pages_take() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("k.db");
        drop(open(&path, &Terms::new(StoreAccess::ReadWrite)).unwrap());
        let hostile = Connection::open(&path).unwrap();
        hostile.execute_batch("PRAGMA default_cache_size = 1000000").unwrap();
        let pages = |connection: &Connection| {
            let pages = connection.query_row("PRAGMA cache_size", [], |row| row.get::<_, i64>(0));
            pages.unwrap()
        };
        assert_eq!(pages(&Connection::open(&path).unwrap()), 1_000_000);
        for access in [StoreAccess::ReadWrite, StoreAccess::ReadOnly] {
            assert!(pages(&open(&path, &Terms::new(access)).unwrap()) < 0, "not in KiB");
        }
    }

    #[test]
    fn odd_characters_are_escaped_in_addresses() {
        let uri = immutable_uri(Path::new("/a b/50%?#ü.db"));
        assert_eq!(uri, "file:/a%20b/50%25%3F%23%C3%BC.db?immutable=1");
    }
}

#[cfg(test)]
mod allowance_tests {
    use rusqlite::ErrorCode;

    use super::*;

    /// Counts that far.
    fn count(connection: &Connection, end: i64) -> rusqlite::Result<i64> {
        let counting = "WITH RECURSIVE n (number) AS
            (SELECT 1 UNION ALL SELECT number + 1 FROM n LIMIT ?1) SELECT count(*) FROM n";
        connection.query_row(counting, [end], |row| row.get(0))
    }

    #[test]
    fn what_has_no_end_is_ended() {
        let mut connection = Connection::open_in_memory().unwrap();
        let allowance = Allowance::of(10 * u64::from(STEPS_AT_ONCE));
        allowance.bind(&mut connection).unwrap();
        let error = count(&connection, i64::MAX).unwrap_err();
        assert_eq!(error.sqlite_error_code(), Some(ErrorCode::OperationInterrupted));
        assert!(count(&connection, 20_000).is_err());
        // Each access has its own allowance.
        for _ in 0..10 {
            allowance.renew();
            assert_eq!(count(&connection, 20_000), Ok(20_000));
        }
    }

    #[test]
    fn a_value_has_a_limit() {
        let mut connection = Connection::open_in_memory().unwrap();
        Allowance::new().bind(&mut connection).unwrap();
        let length = |bytes: u32| {
            connection.query_row("SELECT length(zeroblob(?1))", [bytes], |row| row.get::<_, u32>(0))
        };
        assert_eq!(length(VALUE_BYTES_MAX), Ok(VALUE_BYTES_MAX));
        let error = length(VALUE_BYTES_MAX + 1).unwrap_err();
        assert_eq!(error.sqlite_error_code(), Some(ErrorCode::TooBig));
    }
}
