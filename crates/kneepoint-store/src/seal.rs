//! Digests over rows, so that a row that storage altered is noticed.
//!
//! SQLite checks the structure of its file, but not the bytes of a value: one flipped digit in a
//! result would go unseen.

use sha2::{Digest, Sha256};

use crate::trouble::Trouble;

/// The digest of a row.
pub(crate) type Seal = [u8; 32];

/// One value of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Field<'a> {
    /// Nothing.
    Null,
    /// Text or bytes.
    Bytes(&'a [u8]),
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Field<'a> {
    fn from(value: &'a T) -> Self {
        Self::Bytes(value.as_ref())
    }
}

impl<'a, T: AsRef<[u8]>> From<Option<&'a T>> for Field<'a> {
    fn from(value: Option<&'a T>) -> Self {
        value.map_or(Field::Null, |value| Field::Bytes(value.as_ref()))
    }
}

/// The digest over `fields`, each with its length, so that no two rows read the same.
pub(crate) fn seal(fields: &[Field<'_>]) -> Seal {
    let mut digest = Sha256::new();
    for field in fields {
        match field {
            Field::Null => digest.update([0]),
            Field::Bytes(bytes) => {
                digest.update([1]);
                digest.update((bytes.len() as u64).to_le_bytes());
                digest.update(bytes);
            }
        }
    }
    digest.finalize().into()
}

/// Compares the digest of a row as read with the one it was written with.
pub(crate) fn verify(read: Seal, written: &[u8], row: impl Fn() -> String) -> Result<(), Trouble> {
    if read.as_slice() == written {
        return Ok(());
    }
    Err(Trouble::Damage(format!("{} is not what was written", row())))
}

/// Refuses a row that comes again: branches of a damaged tree can meet, and then it has no end.
pub(crate) fn check_order<T: Ord + Copy>(
    last: &mut Option<T>,
    ordinal: T,
    row: impl Fn() -> String,
) -> Result<(), Trouble> {
    match last.replace(ordinal) {
        Some(before) if before >= ordinal => {
            Err(Trouble::Damage(format!("{} is not at its place", row())))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_into_each_other() {
        assert_ne!(seal(&["ab".into(), "c".into()]), seal(&["a".into(), "bc".into()]));
        assert_ne!(seal(&[Field::Null]), seal(&["".into()]));
        assert_eq!(seal(&["a".into()]), seal(&["a".into()]));
    }
}
