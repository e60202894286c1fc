//! Tables as Markdown.

use std::fmt::Write as _;

use super::Writer;
use super::block::text;
use super::escape::escaped;
use crate::language::texts;
use crate::page::{Align, Cell, Table};

impl Writer<'_> {
    /// A table below its caption. There is one row of heads, so that the title of a group stands
    /// before the titles of its columns.
    pub(super) fn table(&mut self, table: &Table) {
        let name = texts::page::table(self.page.language);
        self.push(&format!("**{name} {}.** {}", table.number, text(&table.caption)));
        let mut lines = String::from("|");
        for (group, column) in
            table.groups.iter().flat_map(|group| group.columns.iter().map(move |c| (group, c)))
        {
            let over = if group.title.is_empty() { "" } else { "<br>" };
            let _ = write!(lines, " {}{over}{} |", escaped(&group.title), escaped(&column.title));
        }
        lines.push_str("\n|");
        for column in table.columns() {
            lines.push_str(match column.align {
                Align::Start => " --- |",
                Align::End => " ---: |",
            });
        }
        for row in &table.rows {
            lines.push_str("\n|");
            for cell in &row.cells {
                let _ = write!(lines, " {} |", content(cell));
            }
        }
        self.push(&lines);
    }
}

fn content(cell: &Cell) -> String {
    // A bar ends a cell even within code.
    let first = text(&cell.text).replace("\\|", "|").replace('|', "\\|");
    match cell.detail.as_str() {
        "" => first,
        detail => format!("{first}<br>{}", escaped(detail)),
    }
}
