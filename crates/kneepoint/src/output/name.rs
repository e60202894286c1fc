//! Long names, shortened: the one rule for every table.

use std::borrow::Cow;

/// What stands for the middle of a name.
const GAP: &str = "...";

/// A name of `columns` characters at the most. Its middle gives way: targets and series begin with
/// what they are, and end with which one they are. A name that would keep no more than a letter at
/// either end stays whole.
pub(super) fn shortened(name: &str, columns: usize) -> Cow<'_, str> {
    let letters: Vec<char> = name.chars().collect();
    let kept = columns.saturating_sub(GAP.len());
    if letters.len() <= columns || kept < 4 {
        return Cow::Borrowed(name);
    }
    let (head, tail) = (kept.div_ceil(2), kept / 2);
    let (head, tail) = (&letters[..head], &letters[letters.len() - tail..]);
    Cow::Owned(head.iter().chain(&GAP.chars().collect::<Vec<_>>()).chain(tail).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_ends() {
        let check = |name: &str, columns: usize, expected: &str| {
            assert_eq!(shortened(name, columns), expected);
        };
        check("sim:fastt900?drives=140&raid=raid10#2", 16, "sim:fas...id10#2");
        check("sim:fastt900?drives=140&raid=raid10#2", 37, "sim:fastt900?drives=140&raid=raid10#2");
        check("größenänderung", 9, "grö...ung");
        check("database", 7, "da...se");
        check("database", 6, "database");
    }
}
