//! How wide the columns of a table may be on a page that is too narrow for it, and long names,
//! shortened: the one rule for every table.

use std::borrow::Cow;

use super::table::Align;

/// A text is not made narrower than this while anything else gives way.
const TEXT_MIN: usize = 16;

/// A text that may be broken is comfortable to read with this many characters on a line.
pub(super) const COMFORTABLE: usize = 32;

/// A name is shortened to this many characters before any column is left out.
pub(super) const NAME: usize = 40;

/// Nothing is made narrower than this.
const LEAST: usize = 3;

/// What a column is made of, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) align: Align,
    /// The title on one line.
    pub(super) title: usize,
    /// The longest word of the title.
    pub(super) title_word: usize,
    /// The longest cell.
    pub(super) cell: usize,
    /// The longest word of a cell.
    pub(super) word: usize,
    /// The longest cell as it can well be printed.
    pub(super) comfortable: usize,
}

impl Column {
    /// Everything on one line.
    fn whole(self) -> usize {
        self.title.max(self.cell)
    }

    /// The title broken, the cells whole.
    fn titled(self) -> usize {
        self.title_word.max(self.cell)
    }

    /// Texts broken, their names shortened; numbers whole.
    fn broken(self, text: usize) -> usize {
        match self.align {
            Align::Left => self.title_word.max(self.cell.min(text)),
            Align::Right => self.titled(),
        }
    }

    /// Texts of one word on a line.
    fn worded(self) -> usize {
        self.broken(TEXT_MIN.min(self.word))
    }

    /// Numbers without their units beside them.
    fn narrow(self) -> usize {
        match self.align {
            Align::Left => self.worded(),
            Align::Right => self.title_word.max(self.word),
        }
    }
}

/// Whether columns fit into `room` characters without becoming hard to read.
pub(super) fn are_comfortable(columns: &[Column], room: usize) -> bool {
    columns.iter().map(|column| column.broken(column.comfortable)).sum::<usize>() <= room
}

/// Whether columns fit into `room` characters with every number whole.
pub(super) fn fit(columns: &[Column], room: usize) -> bool {
    columns.iter().map(|column| column.broken(TEXT_MIN)).sum::<usize>() <= room
}

/// The widths of columns that share `room` characters. Titles give way first, then texts, then
/// numbers, in each case the widest.
pub(super) fn widths(columns: &[Column], room: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.whole()).collect();
    let steps: [fn(Column) -> usize; 5] = [
        Column::titled,
        |column| column.broken(TEXT_MIN),
        Column::worded,
        Column::narrow,
        |_| LEAST,
    ];
    for least in steps {
        let given =
            || columns.iter().zip(&widths).map(|(column, width)| least(*column).min(*width));
        if given().sum::<usize>() >= room {
            // All of them give all that they can: however many there are, that is one look at each.
            widths = given().collect();
            continue;
        }
        while widths.iter().sum::<usize>() > room {
            let may_give = |at: &usize| widths[*at] > least(columns[*at]);
            let widest = (0..widths.len()).filter(may_give).max_by_key(|at| widths[*at]);
            let Some(at) = widest else { break };
            widths[at] -= 1;
        }
    }
    widths
}

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

    fn column(align: Align, title: usize, cell: usize) -> Column {
        let comfortable = cell.min(COMFORTABLE);
        Column { align, title, title_word: title, cell, word: cell, comfortable }
    }

    #[test]
    fn titles_give_way_before_texts_and_texts_before_numbers() {
        let number = Column { title_word: 6, word: 5, ..column(Align::Right, 12, 10) };
        let columns = [column(Align::Left, 6, 50), number, column(Align::Left, 4, 20)];
        assert_eq!(widths(&columns, 82), [50, 12, 20]);
        assert_eq!(widths(&columns, 80), [50, 10, 20]);
        assert_eq!(widths(&columns, 60), [30, 10, 20]);
        assert_eq!(widths(&columns, 46), [18, 10, 18]);
        assert_eq!(widths(&columns, 40), [16, 8, 16]);
        assert_eq!(widths(&columns, 10), [4, 3, 3]);
    }

    #[test]
    fn texts_are_broken_between_words_before_numbers_are() {
        let verdict = Column { word: 9, ..column(Align::Left, 7, 15) };
        let number = Column { word: 4, ..column(Align::Right, 4, 7) };
        assert_eq!(widths(&[number, verdict], 16), [7, 9]);
        assert_eq!(widths(&[number, verdict], 15), [6, 9]);
    }

    #[test]
    fn a_hundred_thousand_columns_take_no_time() {
        let columns = vec![column(Align::Right, 12, 10); 100_000];
        assert_eq!(widths(&columns, 80), vec![LEAST; 100_000]);
        assert_eq!(widths(&columns[..3], 35), [12, 12, 11]);
    }

    #[test]
    fn a_page_is_comfortable_before_it_is_full() {
        let columns = [column(Align::Left, 6, 50), column(Align::Right, 4, 10)];
        assert!(are_comfortable(&columns, 42) && !are_comfortable(&columns, 41));
        assert!(fit(&columns, 26) && !fit(&columns, 25));
    }

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
