//! Rows of the tables: their columns are spelled once, and each row carries a digest over them, so
//! that a row that storage altered is noticed.
//!
//! SQLite checks the structure of its file, but not the bytes of a value: one flipped digit in a
//! result would go unseen.

use std::borrow::Cow;

use rusqlite::{Connection, Row};
use sha2::{Digest, Sha256};

use crate::error::StoreError;

/// The number of a run within its store.
pub(crate) type RunNumber = i64;

/// A row of a table.
pub(crate) trait Record: Sized {
    /// The table.
    const TABLE: &'static str;

    /// The name of the row in messages.
    fn name(&self) -> String;

    /// Row and digest as the table has them.
    fn read(row: &Row<'_>) -> rusqlite::Result<(Self, Vec<u8>)>;

    /// The digest over all columns.
    fn seal(&self) -> Seal;

    /// Adds this row to the table.
    fn insert(&self, connection: &Connection) -> rusqlite::Result<()>;

    /// This row, if it is what was written.
    fn verified(self, written: &[u8]) -> Result<Self, StoreError> {
        verify(self.seal(), written, || self.name())?;
        Ok(self)
    }

    /// The results of `take` for each row of a run in the order made, verified. One row at a time
    /// is in memory.
    fn of_run<T>(
        connection: &Connection,
        run: RunNumber,
        mut take: impl FnMut(Self) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let query = format!("SELECT * FROM {} WHERE run = ?1 ORDER BY ordinal", Self::TABLE);
        let mut query = connection.prepare_cached(&query)?;
        let mut last = None;
        let rows =
            query.query_map([run], |row| Ok((row.get::<_, u32>("ordinal")?, Self::read(row)?)))?;
        rows.map(|row| {
            let (ordinal, (row, written)) = row?;
            check_order(&mut last, ordinal, || row.name())?;
            take(row.verified(&written)?)
        })
        .collect()
    }
}

/// A value of a column.
pub(crate) trait Column {
    /// The bytes that are sealed; nothing where there is no value.
    fn sealed(&self) -> Option<Cow<'_, [u8]>>;
}

impl Column for String {
    fn sealed(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.as_bytes().into())
    }
}

impl<T: AsRef<[u8]>> Column for Option<T> {
    fn sealed(&self) -> Option<Cow<'_, [u8]>> {
        self.as_ref().map(|value| value.as_ref().into())
    }
}

macro_rules! number_columns {
    ($($number:ty),*) => {$(
        impl Column for $number {
            fn sealed(&self) -> Option<Cow<'_, [u8]>> {
                Some(self.to_le_bytes().to_vec().into())
            }
        }
    )*};
}

number_columns!(i64, u32, f64);

/// Makes a [`Record`] of a table and its columns, in the order in which they are sealed.
macro_rules! record {
    (
        $(#[$attribute:meta])*
        $record:ident in $table:literal called |$this:ident| $name:expr;
        $($column:ident: $type:ty,)*
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) struct $record {
            $(pub(crate) $column: $type,)*
        }

        impl $crate::record::Record for $record {
            const TABLE: &'static str = $table;

            fn name(&self) -> String {
                let $this = self;
                $name
            }

            fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Self, Vec<u8>)> {
                let record = Self { $($column: row.get(stringify!($column))?,)* };
                Ok((record, row.get("seal")?))
            }

            fn seal(&self) -> $crate::record::Seal {
                $crate::record::seal(&[$($crate::record::Column::sealed(&self.$column)),*])
            }

            fn insert(&self, connection: &rusqlite::Connection) -> rusqlite::Result<()> {
                let mut command = connection.prepare_cached(concat!(
                    "INSERT INTO ", $table, " (", $(stringify!($column), ", ",)* "seal) VALUES (",
                    $(":", stringify!($column), ", ",)* ":seal)",
                ))?;
                let values: &[(&str, &dyn rusqlite::ToSql)] = &[
                    $((concat!(":", stringify!($column)), &self.$column),)*
                    (":seal", &self.seal()),
                ];
                command.execute(values).map(drop)
            }
        }
    };
}

/// The digest of a row.
pub(crate) type Seal = [u8; 32];

/// The digest over the values of a row, each with its length, so that no two rows read the same.
///
/// A row of an older format lacks the columns that came after it, and was sealed without: no value
/// in the last column is as no such column.
pub(crate) fn seal(values: &[Option<Cow<'_, [u8]>>]) -> Seal {
    let mut digest = Sha256::new();
    let values = match values {
        [known @ .., None] => known,
        all => all,
    };
    for value in values {
        match value {
            None => digest.update([0]),
            Some(bytes) => {
                digest.update([1]);
                digest.update((bytes.len() as u64).to_le_bytes());
                digest.update(bytes);
            }
        }
    }
    digest.finalize().into()
}

/// Compares the digest of a row as read with the one it was written with.
fn verify(read: Seal, written: &[u8], row: impl Fn() -> String) -> Result<(), StoreError> {
    if read.as_slice() == written {
        return Ok(());
    }
    Err(StoreError::Damage(format!("{} is not what was written", row())))
}

/// Refuses a row that comes again: branches of a damaged tree can meet, and then it has no end.
pub(crate) fn check_order<T: Ord + Copy>(
    last: &mut Option<T>,
    ordinal: T,
    row: impl Fn() -> String,
) -> Result<(), StoreError> {
    match last.replace(ordinal) {
        Some(before) if before >= ordinal => {
            Err(StoreError::Damage(format!("{} is not at its place", row())))
        }
        _ => Ok(()),
    }
}

pub(crate) use record;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_do_not_run_into_each_other() {
        let sealed = |values: &[Option<&'static str>]| {
            let bytes = |value: &Option<&'static str>| value.map(|text| text.as_bytes().into());
            seal(&values.iter().map(bytes).collect::<Vec<_>>())
        };
        assert_ne!(sealed(&[Some("ab"), Some("c")]), sealed(&[Some("a"), Some("bc")]));
        assert_ne!(sealed(&[None, Some("a")]), sealed(&[Some(""), Some("a")]));
        assert_eq!(sealed(&[Some("a")]), sealed(&[Some("a")]));
        assert_eq!(sealed(&[Some("a"), None]), sealed(&[Some("a")]));
    }
}
