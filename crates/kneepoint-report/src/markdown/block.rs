//! Blocks, their tables and running text as Markdown.

use std::fmt::Write as _;

use super::Writer;
use super::escape::{code, escaped, listing};
use crate::figure::Drawing;
use crate::language::texts;
use crate::page::{Align, Block, Cell, Figure, Fold, Inline, Listing, Note, Table, Text};

impl Writer<'_> {
    /// A block.
    pub(super) fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(content) | Block::Remark(content) => self.push(&text(content)),
            Block::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|item| format!("- {}", text(item))).collect();
                self.push(&items.join("\n"));
            }
            Block::Facts(facts) => self.facts(facts),
            Block::Table(table) => self.table(table),
            Block::Figures(figures) => figures.iter().for_each(|figure| self.figure(figure)),
            Block::Strips(strips) => self.strips(strips),
            Block::Note(note) => self.note(note),
            Block::Listing(listing) => self.listing(listing),
        }
    }

    /// A remark that must not be overlooked.
    pub(super) fn note(&mut self, note: &Note) {
        self.push(&format!("> **{}.** {}", escaped(&note.title), text(&note.text)));
    }

    /// The caption, over the file that holds the drawing.
    fn figure(&mut self, figure: &Figure) {
        let name = format!("{} {}", texts::page::figure(self.page.language), figure.number);
        let folder = self.folder.replace('\\', "\\\\").replace('<', "\\<").replace('>', "\\>");
        self.push(&format!("![{name}](<{folder}/{}.svg>)", figure.stem()));
        self.push(&format!("**{name}.** {}", text(&figure.caption)));
    }

    /// Strips have no files: what stands above them says the most.
    fn strips(&mut self, strips: &[Figure]) {
        let heading = |strip: &Figure| match &strip.drawing {
            Drawing::Strip(strip) => Some(format!("- {}", escaped(&strip.heading))),
            _ => None,
        };
        let headings: Vec<String> = strips.iter().filter_map(heading).collect();
        self.push(&headings.join("\n"));
    }

    fn listing(&mut self, content: &Listing) {
        let title = escaped(&content.title);
        let lines = listing(&content.text);
        match content.fold {
            Fold::Open => self.push(&format!("{title}:\n\n{lines}")),
            Fold::Folded => self
                .push(&format!("<details>\n<summary>{title}</summary>\n\n{lines}\n\n</details>")),
        }
    }
}

/// Running text.
pub(super) fn text(content: &Text) -> String {
    content.0.iter().map(inline).collect()
}

fn inline(inline: &Inline) -> String {
    match inline {
        Inline::Plain(words) | Inline::English(words) => escaped(words),
        Inline::Strong(words) => strong(words),
        Inline::Code(words) => code(words),
        Inline::Link { text, to } => format!("[{}](#{to})", escaped(text)),
    }
}

/// Emphasis holds only where no space stands inside of its stars.
fn strong(words: &str) -> String {
    let kept = words.trim_end_matches(' ');
    match kept.is_empty() {
        true => words.to_owned(),
        false => format!("**{}**{}", escaped(kept), &words[kept.len()..]),
    }
}

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
