//! The page as Markdown: CommonMark with the tables of GitHub's dialect.
//!
//! The figures are files of their own that the text refers to; [`Page::figures`] gives them.

use std::fmt::Write as _;

use kneepoint_core::words::printable::replaced;

use super::MARK;
use super::figure::Drawing;
use super::language::texts::front;
use super::page::{
    Block, CellAlign, Fact, Figure, Fold, Inline, Listing, Note, Page, Section, Table, TableCell,
    Text, numbered_name,
};

/// The page as Markdown. The text refers to the figures as files in `folder`, which is relative to
/// the text, by their [names](crate::page::Figure::stem) with the ending `svg`.
pub fn render(page: &Page, folder: &str) -> String {
    let mut writer = MarkdownWriter { page, folder, out: String::new() };
    writer.header();
    for note in &page.notes {
        writer.note(note);
    }
    let (before, after) = page.sections.split_at(page.contents_after.min(page.sections.len()));
    before.iter().enumerate().for_each(|(index, section)| writer.chapter(section, index + 1));
    if !after.is_empty() {
        writer.contents();
    }
    for (index, section) in after.iter().enumerate() {
        writer.chapter(section, before.len() + index + 1);
    }
    writer.out.truncate(writer.out.trim_end().len());
    writer.out.push_str("\n\n");
    writer.out.push_str(MARK);
    writer.out.push('\n');
    replaced(writer.out)
}

/// A document under construction; every block ends with an empty line.
#[derive(Debug)]
struct MarkdownWriter<'p> {
    page: &'p Page,
    folder: &'p str,
    out: String,
}

impl MarkdownWriter<'_> {
    /// A block and the empty line after it.
    fn push(&mut self, block: &str) {
        self.out.push_str(block);
        self.out.push_str("\n\n");
    }

    fn header(&mut self) {
        self.push(&format!("# {}", escaped(&self.page.title)));
        self.push(&escaped(&self.page.kind));
        if let Some(badge) = &self.page.badge {
            self.note(badge);
        }
        self.facts(&self.page.facts);
    }

    /// Names and their values as a list.
    fn facts(&mut self, facts: &[Fact]) {
        let mut list = String::new();
        for Fact { name, value } in facts {
            let _ = writeln!(list, "- **{}:** {}", escaped(name), text(value));
        }
        self.push(list.trim_end());
    }

    /// The list of chapters, two levels deep.
    fn contents(&mut self) {
        let mut list = String::new();
        for (index, section) in self.page.sections.iter().enumerate() {
            let number = index + 1;
            let _ = writeln!(list, "- {number} {}", link(section));
            for (index, inner) in section.sections.iter().enumerate() {
                let _ = writeln!(list, "  - {number}.{} {}", index + 1, link(inner));
            }
        }
        self.push(&format!("**{}**", front::contents(self.page.language)));
        self.push(list.trim_end());
    }

    fn chapter(&mut self, section: &Section, number: usize) {
        self.heading(section, &format!("## {number} "));
        self.blocks(section);
        for (index, inner) in section.sections.iter().enumerate() {
            self.heading(inner, &format!("### {number}.{} ", index + 1));
            self.blocks(inner);
            for piece in &inner.sections {
                self.heading(piece, "#### ");
                self.blocks(piece);
                for deepest in &piece.sections {
                    self.heading(deepest, "##### ");
                    self.blocks(deepest);
                }
            }
        }
    }

    /// A heading that can be linked to, whatever ids the viewer makes of headings.
    fn heading(&mut self, section: &Section, start: &str) {
        self.push(&format!("<a id=\"{}\"></a>", section.id));
        self.push(&format!("{start}{}", escaped(&section.title)));
    }

    fn blocks(&mut self, section: &Section) {
        section.blocks.iter().for_each(|block| self.block(block));
    }

    /// A block.
    fn block(&mut self, block: &Block) {
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
    fn note(&mut self, note: &Note) {
        self.push(&format!("> **{}.** {}", escaped(&note.title), text(&note.text)));
    }

    /// The caption, over the file that holds the drawing.
    fn figure(&mut self, figure: &Figure) {
        let kind = front::figure(self.page.language);
        let name = numbered_name(kind, figure.number, &figure.stamp);
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

    /// A table below its caption. There is one row of heads, so that the title of a group stands
    /// before the titles of its columns.
    fn table(&mut self, table: &Table) {
        let name = front::table(self.page.language);
        let name = numbered_name(name, table.number, &table.stamp);
        self.push(&format!("**{name}.** {}", text(&table.caption)));
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
                CellAlign::Start => " --- |",
                CellAlign::End => " ---: |",
            });
        }
        for row in &table.rows {
            lines.push_str("\n|");
            for cell in row {
                let _ = write!(lines, " {} |", content(cell));
            }
        }
        self.push(&lines);
    }
}

fn link(section: &Section) -> String {
    format!("[{}](#{})", escaped(&section.title), section.id)
}

/// Running text.
fn text(content: &Text) -> String {
    content.0.iter().map(inline).collect()
}

fn inline(inline: &Inline) -> String {
    match inline {
        Inline::Plain(words) | Inline::English(words) => escaped(words),
        Inline::Strong(words) => strong(words),
        Inline::Code(words) => code(words),
        Inline::Link { text, to } => format!("[{}](#{to})", escaped(text)),
        Inline::Definition { term, meaning } => {
            format!(" *{}*: {}", escaped(term), escaped(meaning))
        }
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

fn content(cell: &TableCell) -> String {
    // A bar ends a cell even within code.
    let anchor = match cell.anchor.as_str() {
        "" => String::new(),
        id => format!("<a id=\"{id}\"></a>"),
    };
    let first = anchor + &text(&cell.text).replace("\\|", "|").replace('|', "\\|");
    match cell.detail.as_str() {
        "" => first,
        detail => format!("{first}<br>{}", escaped(detail)),
    }
}

/// Words as running text.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + 8);
    for character in words.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' | '~' | '$' | '!' => {
                out.extend(['\\', character]);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    if starts_list(&out) {
        out.insert(0, '\u{200b}');
    }
    out
}

/// True if a paragraph with this start would be taken for a list, a rule or a heading's underline.
fn starts_list(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.chars().next() {
        Some('-' | '+' | '=') => rest.len() == text.len(),
        Some('.' | ')') => rest.len() < text.len() && rest[1..].starts_with(' '),
        _ => false,
    }
}

/// Words in which every character counts, within a line.
fn code(words: &str) -> String {
    let words: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if words.trim().is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&words) + 1);
    let pad = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{words}{pad}{fence}")
}

/// A block of lines in which every character counts.
fn listing(text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}\n{}\n{fence}", text.trim_end_matches('\n'))
}

/// Length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_for_markup() {
        assert_eq!(escaped("a_b <b> *c* [d]"), "a\\_b \\<b\\> \\*c\\* \\[d\\]");
        assert_eq!(escaped("1. first"), "\u{200b}1. first");
        assert_eq!(escaped("- first"), "\u{200b}- first");
        assert_eq!(escaped("3.5 ms"), "3.5 ms");
    }

    #[test]
    fn fences_are_longer_than_what_they_hold() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a`"), "`` `a` ``");
        assert_eq!(listing("x\n```\n"), "````\nx\n```\n````");
    }
}
