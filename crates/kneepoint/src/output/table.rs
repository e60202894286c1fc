//! Tables for the terminal: aligned columns, no frames, readable when piped, narrow enough for the
//! page.

use std::collections::BTreeSet;

use comfy_table::{
    CellAlignment, ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle,
};
use kneepoint_core::words::printable::printable;

use super::fitting::shortened;
use super::fitting::{self, Column};
use super::lines;
use super::text::{Text, Tone};
use super::width::Width;

/// Nothing but a rule below the header.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('-').junction('-'))
    .content_lines(ContentLineStyle::none());

/// Blanks between two columns.
const GAP: usize = 3;

/// What is left out where names are shortened.
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
    pub(crate) fn new(columns: &[(&str, Align)]) -> Self {
        let columns = columns.iter().map(|(title, align)| (printable(title).into_owned(), *align));
        Self {
            columns: columns.collect(),
            rows: Vec::new(),
            expendable: Vec::new(),
            breakable: Vec::new(),
        }
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

    /// Whether all columns fit on a page, with every number on one line.
    pub(crate) fn fits(&self, width: Width) -> bool {
        let kept = self.columns();
        match width {
            Width::Unlimited => true,
            Width::Columns(page) => fitting::fit(&self.made_of(&kept), room(page, &kept)),
        }
    }

    /// Indices of the columns that stay, and titles of those that do not.
    fn columns_for(&self, width: Width) -> (Vec<usize>, Vec<&str>) {
        let all = self.columns();
        let mut kept = all.clone();
        let Width::Columns(page) = width else { return (kept, Vec::new()) };
        let mut expendable = self.expendable.iter();
        while !fitting::are_comfortable(&self.made_of(&kept), room(page, &kept)) {
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
            let words = text.split(' ').map(|word| chars(word).min(fitting::NAME) + 1);
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
                    true => fitting::COMFORTABLE,
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
    /// Whether there is a name that is not printed in full.
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
            let widths = fitting::widths(&table.made_of(kept), room(page, kept));
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
    for part in lines::parts(cell, width) {
        let letters: Vec<char> =
            " ".repeat(part.indent).chars().chain(cell[part.place].chars()).collect();
        broken.extend(letters.chunks(width.max(1)).map(|piece| piece.iter().collect()));
    }
    broken.join("\n")
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
