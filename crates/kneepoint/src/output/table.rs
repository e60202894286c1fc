//! Tables for the terminal: aligned columns, no frames, readable when piped, narrow enough for the
//! page; how wide the columns may be on a page that is too narrow, and long names, shortened.

use std::borrow::Cow;
use std::collections::BTreeSet;

use comfy_table::{
    CellAlignment, ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle,
};
use kneepoint_core::words::printable::printable;

use super::text;
use super::text::{Text, Tone, Width};

/// Nothing but a rule below the header.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('-').junction('-'))
    .content_lines(ContentLineStyle::none());

/// Blanks between two columns.
const GAP: usize = 3;

/// The note on names that were shortened.
const NAMES: &str = "names in full";

/// How a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table of text under construction.
#[derive(Debug)]
pub(crate) struct TextTable {
    columns: Vec<(String, Align)>,
    rows: Vec<Row>,
    /// Titles of the columns that a narrow page can do without, the least needed first.
    expendable: Vec<&'static str>,
    /// Titles of the columns that are broken before any column is left out.
    breakable: Vec<&'static str>,
}

#[derive(Debug)]
struct Row {
    cells: Vec<String>,
    /// Tone of the last cell.
    tone: Tone,
}

impl TextTable {
    /// A table with the given columns.
    pub(crate) fn new<T: AsRef<str>>(columns: &[(T, Align)]) -> Self {
        let column = |(title, align): &(T, Align)| (printable(title.as_ref()).into_owned(), *align);
        Self {
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            expendable: Vec::new(),
            breakable: Vec::new(),
        }
    }

    /// A table with columns of those titles; columns of numbers are aligned to the right.
    pub(crate) fn of(titles: &[&str], numbers: &[&str]) -> Self {
        let align = |title| if numbers.contains(title) { Align::Right } else { Align::Left };
        Self::new(&titles.iter().map(|title| (*title, align(title))).collect::<Vec<_>>())
    }

    /// Names the columns that a narrow page can do without, the least needed first.
    pub(crate) fn can_spare(&mut self, titles: &[&'static str]) {
        self.expendable = titles.to_vec();
    }

    /// Names the columns whose texts are broken before any column is left out.
    pub(crate) fn may_break(&mut self, titles: &[&'static str]) {
        self.breakable = titles.to_vec();
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.row_ending(Tone::Plain, cells);
    }

    /// Adds a row whose last cell has a tone.
    pub(crate) fn row_ending(&mut self, tone: Tone, cells: Vec<String>) {
        // A line feed in a name must not make a row.
        let cells = cells.iter().map(|cell| printable(cell).into_owned()).collect();
        self.rows.push(Row { cells, tone });
    }

    /// The table on a page. What is too wide for it loses columns first, then has titles and texts
    /// on several lines, with long names shortened.
    pub(crate) fn fitted(&self, width: Width) -> Text {
        let (kept, spared) = self.columns_for(width);
        let sheet = Sheet::of(self, &kept, width);
        let mut text = sheet.text();
        spared.into_iter().for_each(|title| text.spare(title.to_owned()));
        if sheet.has_shortened {
            text.spare(NAMES.to_owned());
        }
        text
    }

    /// True if all columns fit on a page, with every number on one line.
    pub(crate) fn fits(&self, width: Width) -> bool {
        let kept = self.columns();
        match width {
            Width::Unlimited => true,
            Width::Columns(page) => fit(&self.made_of(&kept), room(page, &kept)),
        }
    }

    /// Indices of the columns that stay, and titles of those that do not.
    fn columns_for(&self, width: Width) -> (Vec<usize>, Vec<&str>) {
        let all = self.columns();
        let mut kept = all.clone();
        let Width::Columns(page) = width else { return (kept, Vec::new()) };
        let mut expendable = self.expendable.iter();
        while !are_comfortable(&self.made_of(&kept), room(page, &kept)) {
            let Some(title) = expendable.next() else { break };
            kept.retain(|index| self.columns[*index].0 != *title);
        }
        let spared = all.into_iter().filter(|index| !kept.contains(index));
        let spared = spared.map(|index| self.columns[index].0.as_str()).collect();
        (kept, spared)
    }

    /// Indices of the columns that say something.
    fn columns(&self) -> Vec<usize> {
        let says = |index: &usize| {
            !self.columns[*index].0.is_empty() || self.cells(*index).any(|cell| !cell.is_empty())
        };
        (0..self.columns.len()).filter(says).collect()
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| row.cells.get(column).map_or("", String::as_str))
    }

    fn made_of(&self, kept: &[usize]) -> Vec<Column> {
        let word = |text: &str| text.split(' ').map(chars).max().unwrap_or(0);
        let named = |text: &str| {
            let words = text.split(' ').map(|word| chars(word).min(NAME) + 1);
            words.sum::<usize>() - 1
        };
        let column = |index: &usize| {
            let (title, align) = &self.columns[*index];
            Column {
                align: *align,
                title: chars(title),
                title_word: word(title),
                cell: self.cells(*index).map(chars).max().unwrap_or(0),
                word: self.cells(*index).map(word).max().unwrap_or(0),
                comfortable: match self.breakable.contains(&title.as_str()) {
                    true => COMFORTABLE,
                    false => self.cells(*index).map(named).max().unwrap_or(0),
                },
            }
        };
        kept.iter().map(column).collect()
    }
}

/// Characters that columns have on a page between the gaps.
const fn room(page: usize, kept: &[usize]) -> usize {
    page.saturating_sub(GAP * kept.len().saturating_sub(1))
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// A table as it is printed: its columns chosen, the lines of its cells broken.
struct Sheet {
    aligns: Vec<Align>,
    titles: Vec<String>,
    rows: Vec<Row>,
    /// True if there is a name that is not printed in full.
    has_shortened: bool,
}

impl Sheet {
    fn of(table: &TextTable, kept: &[usize], width: Width) -> Self {
        let mut sheet = Self {
            aligns: kept.iter().map(|index| table.columns[*index].1).collect(),
            titles: kept.iter().map(|index| table.columns[*index].0.clone()).collect(),
            rows: Vec::new(),
            has_shortened: false,
        };
        for row in &table.rows {
            let cell = |index: &usize| row.cells.get(*index).cloned().unwrap_or_default();
            sheet.rows.push(Row { cells: kept.iter().map(cell).collect(), tone: row.tone });
        }
        if let Width::Columns(page) = width {
            let widths = widths(&table.made_of(kept), room(page, kept));
            widths.into_iter().enumerate().for_each(|(column, width)| sheet.narrow(column, width));
        }
        sheet
    }

    /// Makes a column `width` characters wide at the most.
    fn narrow(&mut self, column: usize, width: usize) {
        self.titles[column] = broken(&self.titles[column], width);
        if self.aligns[column] == Align::Left {
            self.shorten(column, width);
        }
        for row in &mut self.rows {
            row.cells[column] = broken(&row.cells[column], width);
        }
    }

    /// Shortens the names in a column that are longer than `width`, unless two of them would then
    /// look alike.
    fn shorten(&mut self, column: usize, width: usize) {
        let is_long = |word: &str| chars(word) > width;
        let cells: Vec<&str> = self.rows.iter().map(|row| row.cells[column].as_str()).collect();
        let short = |cell: &&str| {
            let words = cell.split(' ').map(|word| shortened(word, width));
            words.collect::<Vec<_>>().join(" ")
        };
        if !cells.iter().any(|cell| cell.split(' ').any(is_long)) {
            return;
        }
        let names: Vec<String> = cells.iter().map(short).collect();
        let whole: BTreeSet<&str> = cells.into_iter().collect();
        if names.iter().collect::<BTreeSet<_>>().len() == whole.len() {
            self.has_shortened = true;
            self.rows.iter_mut().zip(names).for_each(|(row, name)| row.cells[column] = name);
        }
    }

    fn laid_out(&self) -> Table {
        let mut table = Table::new();
        table.load_style(STYLE);
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.titles);
        for (place, align) in self.aligns.iter().enumerate() {
            if let Some(column) = table.column_mut(place) {
                let is_last = place + 1 == self.aligns.len();
                column.set_padding((0, if is_last { 0 } else { 2 }));
                column.set_cell_alignment(match align {
                    Align::Left => CellAlignment::Left,
                    Align::Right => CellAlignment::Right,
                });
            }
        }
        self.rows.iter().for_each(|row| {
            table.add_row(&row.cells);
        });
        table
    }

    /// The lines without white space at their ends, the last cells in their tones.
    fn text(&self) -> Text {
        let table = self.laid_out();
        let mut lines = table.lines();
        let mut text = Text::new();
        let header = self.titles.iter().map(|title| height(title)).max().unwrap_or(1) + 1;
        for line in lines.by_ref().take(header) {
            text.push(Tone::Plain, format!("{}\n", line.trim_end()));
        }
        for row in &self.rows {
            let last = row.cells.last().map_or("", String::as_str);
            let height = row.cells.iter().map(|cell| height(cell)).max().unwrap_or(1);
            let endings = last.split('\n').chain(std::iter::repeat(""));
            for (line, ending) in lines.by_ref().take(height).zip(endings) {
                let line = line.trim_end();
                let ending = ending.trim_end();
                let before = line.strip_suffix(ending).unwrap_or(line);
                text.push(Tone::Plain, before);
                text.push(row.tone, &line[before.len()..]);
                text.push(Tone::Plain, "\n");
            }
        }
        text
    }
}

fn height(cell: &str) -> usize {
    cell.split('\n').count()
}

/// A cell on as many lines as it takes. A word that is longer than a line is cut.
fn broken(cell: &str, width: usize) -> String {
    let mut broken: Vec<String> = Vec::new();
    for part in text::parts(cell, width) {
        let letters: Vec<char> =
            " ".repeat(part.indent).chars().chain(cell[part.place].chars()).collect();
        broken.extend(letters.chunks(width.max(1)).map(|piece| piece.iter().collect()));
    }
    broken.join("\n")
}

/// A text is not made narrower than this while anything else gives way.
const TEXT_MIN: usize = 16;

/// A text that may be broken is comfortable to read with this many characters on a line.
const COMFORTABLE: usize = 32;

/// A name is shortened to this many characters before any column is left out.
pub(super) const NAME: usize = 40;

/// Nothing is made narrower than this.
const LEAST: usize = 3;

/// The measures of a column, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) align: Align,
    /// The title on one line.
    pub(super) title: usize,
    /// The longest word of the title.
    title_word: usize,
    /// The longest cell.
    pub(super) cell: usize,
    /// The longest word of a cell.
    pub(super) word: usize,
    /// The longest cell as it can well be printed.
    comfortable: usize,
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

/// True if columns fit into `room` characters without becoming hard to read.
fn are_comfortable(columns: &[Column], room: usize) -> bool {
    columns.iter().map(|column| column.broken(column.comfortable)).sum::<usize>() <= room
}

/// True if columns fit into `room` characters with every number whole.
pub(super) fn fit(columns: &[Column], room: usize) -> bool {
    columns.iter().map(|column| column.broken(TEXT_MIN)).sum::<usize>() <= room
}

/// The widths of columns that share `room` characters. Titles give way first, then texts, then
/// numbers, in each case the widest.
fn widths(columns: &[Column], room: usize) -> Vec<usize> {
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

/// The replacement for the middle of a name.
const ELLIPSIS: &str = "...";

/// A name of `columns` characters at the most. Its middle gives way: targets and series begin with
/// what they are, and end with which one they are. A name that would keep no more than a letter at
/// either end stays whole.
fn shortened(name: &str, columns: usize) -> Cow<'_, str> {
    let letters: Vec<char> = name.chars().collect();
    let kept = columns.saturating_sub(ELLIPSIS.len());
    if letters.len() <= columns || kept < 4 {
        return Cow::Borrowed(name);
    }
    let (head, tail) = (kept.div_ceil(2), kept / 2);
    let (head, tail) = (&letters[..head], &letters[letters.len() - tail..]);
    Cow::Owned(head.iter().chain(&ELLIPSIS.chars().collect::<Vec<_>>()).chain(tail).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::text::Colours;

    fn table() -> TextTable {
        let right = Align::Right;
        let mut table = TextTable::new(&[
            ("Series", Align::Left),
            ("mean", right),
            ("p50", right),
            ("p99", right),
            ("Verdict", Align::Left),
        ]);
        table.can_spare(&["p50", "p99"]);
        let row = |name: &str, verdict: &str| {
            [name, "63.8 us", "62.0 us", "95.7 us", verdict].map(str::to_owned).to_vec()
        };
        table.row_ending(Tone::Good, row("database/8KiB", "steady"));
        table.row_ending(Tone::Bad, row("restore/64KiB", "invalid"));
        table
    }

    fn shown(table: &TextTable, width: Width) -> String {
        table.fitted(width).rendered(Colours::Off)
    }

    #[test]
    fn columns_go_before_lines_become_too_long() {
        let wide = shown(&table(), Width::Unlimited);
        assert_eq!(
            wide.lines().next().unwrap(),
            "Series             mean       p50       p99   Verdict"
        );
        assert_eq!(shown(&table(), Width::Columns(53)), wide);
        assert!(table().fitted(Width::Columns(53)).spared().is_empty());
        let narrow = shown(&table(), Width::Columns(52));
        assert_eq!(
            narrow,
            "Series             mean       p99   Verdict\n\
             -------------------------------------------\n\
             database/8KiB   63.8 us   95.7 us   steady\n\
             restore/64KiB   63.8 us   95.7 us   invalid\n"
        );
        assert_eq!(table().fitted(Width::Columns(52)).spared(), ["p50"]);
    }

    #[test]
    fn what_no_column_can_spare_takes_several_lines() {
        let mut table = TextTable::new(&[("Suite", Align::Left), ("What it is", Align::Left)]);
        table.row(vec!["storagebench".to_owned(), "five standard load profiles ".repeat(5)]);
        let text = shown(&table, Width::Columns(50));
        assert!(text.lines().all(|line| line.len() <= 50), "{text}");
        assert_eq!(text.matches("profiles").count(), 5, "{text}");
    }

    /// Two targets with long names and a remark on each.
    fn targets(names: [&str; 2]) -> TextTable {
        let columns = ["Target", "Before measuring", "May be written"];
        let mut table = TextTable::new(&columns.map(|title| (title, Align::Left)));
        for name in names {
            let cells = [name, "nothing", "yes: it was made by Kneepoint"].map(str::to_owned);
            table.row_ending(Tone::Caution, cells.to_vec());
        }
        table
    }

    #[test]
    fn long_names_are_shortened_and_texts_broken() {
        let table = targets(["sim:fastt900?drives=140&raid=raid10#0", "sim:drive/hdd"]);
        let text = table.fitted(Width::Columns(50));
        assert_eq!(
            text.rendered(Colours::Off),
            "Target               Before      May be written\n\
             \x20                    measuring\n\
             -------------------------------------------------\n\
             sim:fast...aid10#0   nothing     yes: it was made\n\
             \x20                                  by Kneepoint\n\
             sim:drive/hdd        nothing     yes: it was made\n\
             \x20                                  by Kneepoint\n"
        );
        assert_eq!(text.spared(), [NAMES]);
        assert!(table.fitted(Width::Columns(100)).spared().is_empty());
        // Every line of the last cell has its tone.
        assert_eq!(text.rendered(Colours::On).matches("\x1b[33m").count(), 4);
    }

    #[test]
    fn names_that_would_look_alike_stay_whole() {
        let table = targets([
            "sim:fastt900?drives=140&raid=raid10#0",
            "sim:fastt900?drives=180&raid=raid10#0",
        ]);
        let text = table.fitted(Width::Columns(50));
        assert!(text.spared().is_empty());
        let shown = text.rendered(Colours::Off);
        assert!(shown.contains("\nsim:fastt900?drive   nothing"), "{shown}");
        assert!(shown.contains("\ns=180&raid=raid10#   "), "{shown}");
        assert!(shown.lines().all(|line| line.len() <= 50), "{shown}");
    }

    #[test]
    fn a_column_that_says_nothing_is_left_out() {
        let mut table = TextTable::new(&[("Suite", Align::Left), ("", Align::Left)]);
        table.row(vec!["storagebench".to_owned(), String::new()]);
        assert_eq!(shown(&table, Width::Unlimited), "Suite\n------------\nstoragebench\n");
    }

    #[test]
    fn even_a_page_that_is_far_too_narrow_is_not_exceeded() {
        let mut table =
            TextTable::new(&["one", "two", "three", "four"].map(|title| (title, Align::Right)));
        table.row(["1,234,567 IO/s"; 4].map(str::to_owned).to_vec());
        for columns in 24..80 {
            let text = shown(&table, Width::Columns(columns));
            assert!(text.lines().all(|line| line.len() <= columns), "{columns}: {text}");
        }
    }

    #[test]
    fn the_last_cell_carries_the_tone() {
        let coloured = table().fitted(Width::Unlimited).rendered(Colours::On);
        assert!(coloured.contains("us   \x1b[32msteady\x1b[0m\n"), "{coloured:?}");
        assert!(coloured.contains("us   \x1b[31minvalid\x1b[0m\n"), "{coloured:?}");
    }

    #[test]
    fn a_cell_is_one_line_whatever_it_holds() {
        let mut table = TextTable::new(&[("Label", Align::Left), ("Points", Align::Right)]);
        table.row(vec!["a\nb\u{1b}[2J".to_owned(), "1".to_owned()]);
        let text = shown(&table, Width::Columns(40));
        assert_eq!(text.lines().count(), 3);
        assert!(text.contains("a\\nb\\u{1b}[2J        1"), "{text}");
    }
}

#[cfg(test)]
mod fitting_tests {
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
