//! Digests over rows, so that a row that storage altered is noticed.
//!
//! SQLite checks the structure of its file, but not the bytes of a value: one flipped digit in a
//! result would go unseen.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::error::StoreError;

/// The digest of a row.
pub(crate) type Seal = [u8; 32];

/// The digest over the values of a row, each with its length, so that no two rows read the same.
///
/// A row of an older format lacks the columns that came after it, and was sealed without: no value in
/// the last column is as no such column.
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
pub(crate) fn verify(
    read: Seal,
    written: &[u8],
    row: impl Fn() -> String,
) -> Result<(), StoreError> {
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
