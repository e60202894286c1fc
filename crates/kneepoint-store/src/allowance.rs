//! What a store may cost this machine, whoever wrote it: the limits of SQLite, and a count of its
//! steps.
//!
//! A file of a few kilobytes can claim to hold a value of a gigabyte, or a tree whose branches
//! meet again and that has no end.

use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::limits::Limit;

/// Longest value and longest row, in bytes. A point has some 10 kB, one of many hours some megabytes,
/// and a plan of thousands of series as well.
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
    pub(crate) fn bind(&self, connection: &mut Connection) -> rusqlite::Result<()> {
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
pub(crate) fn bound_cache(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "cache_size", -CACHE_KIB)
}

#[cfg(test)]
mod tests {
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
