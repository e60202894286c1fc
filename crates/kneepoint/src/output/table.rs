//! Tables for the terminal: aligned columns, no frames, readable when piped.

use comfy_table::{
    CellAlignment, ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle,
};

/// Nothing but a rule below the header.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none())
    .header_separator(LineStyle::none().fill('-').junction('-'))
    .content_lines(ContentLineStyle::none());

/// How a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table of text under construction.
#[derive(Debug)]
pub(crate) struct TextTable {
    table: Table,
}

impl TextTable {
    /// A table with the given columns.
    pub(crate) fn new(columns: &[(&str, Align)]) -> Self {
        let mut table = Table::new();
        table.load_style(STYLE);
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(columns.iter().map(|(title, _)| *title));
        for (index, (_, align)) in columns.iter().enumerate() {
            if let Some(column) = table.column_mut(index) {
                column.set_padding((0, 2));
                column.set_cell_alignment(match align {
                    Align::Left => CellAlignment::Left,
                    Align::Right => CellAlignment::Right,
                });
            }
        }
        Self { table }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.table.add_row(cells);
    }

    /// The table, without white space at the ends of lines.
    pub(crate) fn text(&self) -> String {
        self.table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}
