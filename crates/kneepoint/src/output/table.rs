//! Tables for the terminal: aligned columns, no frames, readable when piped, narrow enough for the
//! page.

use comfy_table::{
    CellAlignment, ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle,
};
use kneepoint_core::printable::printable;

use super::text::{Text, Tone};
use super::width::Width;

/// Nothing but a rule below the header.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('-').junction('-'))
    .content_lines(ContentLineStyle::none());

/// Blanks between two columns.
const GAP: usize = 3;

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
        Self { columns: columns.collect(), rows: Vec::new(), expendable: Vec::new() }
    }

    /// Names the columns that a narrow page can do without, the least needed first.
    pub(crate) fn can_spare(&mut self, titles: &[&'static str]) {
        self.expendable = titles.to_vec();
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

    /// The table as wide as it is.
    pub(crate) fn text(&self) -> String {
        self.fitted(Width::Unlimited).plain()
    }

    /// The table with as many columns as the page has room for. Where even the columns that it
    /// cannot do without are too wide, their texts take several lines.
    pub(crate) fn fitted(&self, width: Width) -> Text {
        let (kept, spared) = self.columns_for(width);
        let mut table = self.laid_out(&kept);
        if let Width::Columns(columns) = width
            && width_of(&table) > columns
        {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(u16::try_from(columns).unwrap_or(u16::MAX));
        }
        let mut text = self.toned(&table, &kept);
        spared.into_iter().for_each(|title| text.spare(title.to_owned()));
        text
    }

    /// Indices of the columns that stay, and titles of those that do not.
    fn columns_for(&self, width: Width) -> (Vec<usize>, Vec<&str>) {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        let Width::Columns(columns) = width else { return (kept, Vec::new()) };
        let mut expendable = self.expendable.iter();
        while width_of(&self.laid_out(&kept)) > columns {
            let Some(title) = expendable.next() else { break };
            kept.retain(|index| self.columns[*index].0 != *title);
        }
        let spared = (0..self.columns.len()).filter(|index| !kept.contains(index));
        let spared = spared.map(|index| self.columns[index].0.as_str()).collect();
        (kept, spared)
    }

    fn laid_out(&self, kept: &[usize]) -> Table {
        let mut table = Table::new();
        table.load_style(STYLE);
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(kept.iter().map(|index| &self.columns[*index].0));
        for (place, index) in kept.iter().enumerate() {
            if let Some(column) = table.column_mut(place) {
                let is_last = place + 1 == kept.len();
                column.set_padding((0, if is_last { 0 } else { 2 }));
                column.set_cell_alignment(match self.columns[*index].1 {
                    Align::Left => CellAlignment::Left,
                    Align::Right => CellAlignment::Right,
                });
            }
        }
        for row in &self.rows {
            let cells = kept.iter().map(|index| row.cells.get(*index).map_or("", String::as_str));
            table.add_row(cells.collect::<Vec<_>>());
        }
        table
    }

    /// The lines without white space at their ends, the last cells in their tones.
    fn toned(&self, table: &Table, kept: &[usize]) -> Text {
        let mut text = Text::new();
        let last = kept.last().copied().unwrap_or(0);
        let mut rows = self.rows.iter().peekable();
        for (number, line) in table.lines().enumerate() {
            let line = line.trim_end();
            let is_content = number >= 2;
            let ending = rows.peek().filter(|_| is_content).and_then(|row| {
                let cell = row.cells.get(last)?.as_str();
                Some((row.tone, line.strip_suffix(cell)?, cell))
            });
            match ending {
                Some((tone, before, cell)) => {
                    rows.next();
                    text.push(Tone::Plain, before);
                    text.push(tone, cell);
                }
                None => text.push(Tone::Plain, line),
            }
            text.push(Tone::Plain, "\n");
        }
        text
    }
}

/// Columns of characters that a table takes.
fn width_of(table: &Table) -> usize {
    let widths = table.column_max_content_widths();
    let gaps = GAP * widths.len().saturating_sub(1);
    widths.iter().map(|width| usize::from(*width)).sum::<usize>() + gaps
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

    #[test]
    fn columns_go_before_lines_become_too_long() {
        let wide = table().text();
        assert_eq!(
            wide.lines().next().unwrap(),
            "Series             mean       p50       p99   Verdict"
        );
        assert_eq!(table().fitted(Width::Columns(53)).plain(), wide);
        assert!(table().fitted(Width::Columns(53)).spared().is_empty());
        let narrow = table().fitted(Width::Columns(52)).plain();
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
        let text = table.fitted(Width::Columns(50)).plain();
        assert!(text.lines().all(|line| line.len() <= 50), "{text}");
        assert_eq!(text.matches("profiles").count(), 5, "{text}");
    }

    #[test]
    fn the_last_cell_carries_the_tone() {
        let coloured = table().fitted(Width::Unlimited).rendered(Colours::On);
        assert!(coloured.contains("us   \x1b[32msteady\x1b[0m\n"), "{coloured:?}");
        assert!(coloured.contains("us   \x1b[31minvalid\x1b[0m\n"), "{coloured:?}");
        assert_eq!(table().fitted(Width::Unlimited).rendered(Colours::Off), table().text());
    }

    #[test]
    fn a_cell_is_one_line_whatever_it_holds() {
        let mut table = TextTable::new(&[("Label", Align::Left), ("Points", Align::Right)]);
        table.row(vec!["a\nb\u{1b}[2J".to_owned(), "1".to_owned()]);
        assert_eq!(table.text().lines().count(), 3);
        assert!(table.text().contains("a\\nb\\u{1b}[2J        1"), "{}", table.text());
    }
}
