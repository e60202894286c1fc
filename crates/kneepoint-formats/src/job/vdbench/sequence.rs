//! The sequence of storage that `count=(FIRST,COUNT)` makes of one definition, as vdbench does: the number is
//! appended to the name and to the `lun`, or takes the place of a `*` or of a `%d` (`%04d`) in them.

use super::value::{VALUES_MAX, parts};

/// Widest number with leading zeros.
const WIDTH_MAX: usize = 20;

/// The numbers of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sequence {
    first: u32,
    count: u32,
}

impl Sequence {
    /// The sequence of a value such as `(1,8)`; `None` if it is none, or too long.
    pub(super) fn of(text: &str) -> Option<Self> {
        let [first, count] = parts(text).try_into().ok()?;
        let (first, count) = (first.parse::<u32>().ok()?, count.parse::<u32>().ok()?);
        let is_short = count > 0 && count as usize <= VALUES_MAX;
        (is_short && first.checked_add(count).is_some()).then_some(Self { first, count })
    }

    /// Its numbers, rising.
    pub(super) fn numbers(self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }
}

/// A name or a `lun` with its number; `None` if there is another format than `%d` in it.
pub(super) fn numbered(text: &str, number: u32) -> Option<String> {
    let Some((before, format)) = text.split_once('%') else {
        return Some(match text.contains('*') {
            true => text.replace('*', &number.to_string()),
            false => format!("{text}{number}"),
        });
    };
    let (width, after) = format.split_once('d')?;
    let digits = match (width.strip_prefix('0'), width) {
        (_, "") => number.to_string(),
        (Some(width), _) => {
            let width = width.parse().ok().filter(|width| *width <= WIDTH_MAX)?;
            format!("{number:0width$}")
        }
        _ => return None,
    };
    (!after.contains('%')).then(|| format!("{before}{digits}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_where_vdbench_puts_them() {
        assert_eq!(numbered("sd", 3).as_deref(), Some("sd3"));
        assert_eq!(numbered("/dev/c*s0", 12).as_deref(), Some("/dev/c12s0"));
        assert_eq!(numbered("/dir/file%04d", 7).as_deref(), Some("/dir/file0007"));
        assert_eq!(numbered("/dir/%d.dat", 7).as_deref(), Some("/dir/7.dat"));
        for text in ["%s", "%4d", "%d%d", "%", "%099d"] {
            assert_eq!(numbered(text, 1), None, "{text}");
        }
    }

    #[test]
    fn sequences_have_a_first_number_and_a_count() {
        let numbers = |text| Sequence::of(text).map(|one| one.numbers().collect::<Vec<u32>>());
        assert_eq!(numbers("(5,3)"), Some(vec![5, 6, 7]));
        assert_eq!(numbers("(0,1)"), Some(vec![0]));
        for text in ["(1,0)", "8", "(1,2,3)", "(1,1001)", "(4294967295,1)", "(a,2)", ""] {
            assert_eq!(numbers(text), None, "{text}");
        }
    }
}
