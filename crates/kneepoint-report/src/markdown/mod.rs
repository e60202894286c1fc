//! The page as Markdown: CommonMark with the tables of GitHub's dialect.
//!
//! The figures are files of their own that the text refers to; [`Page::figures`] gives them.

mod block;
mod escape;

use std::fmt::Write as _;

use kneepoint_core::words::printable::replaced;

use crate::MARK;
use crate::language::texts;
use crate::page::{Fact, Page, Section};
use block::text;
use escape::escaped;

/// The page as Markdown. The text refers to the figures as files in `folder`, which is relative to
/// the text, by their [names](crate::page::Figure::stem) with the ending `svg`.
pub fn render(page: &Page, folder: &str) -> String {
    let mut writer = Writer { page, folder, out: String::new() };
    writer.header();
    for note in &page.notes {
        writer.note(note);
    }
    let (before, after) = page.sections.split_at(page.contents_after.min(page.sections.len()));
    before.iter().enumerate().for_each(|(index, section)| writer.chapter(section, index + 1));
    writer.contents();
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
struct Writer<'p> {
    page: &'p Page,
    folder: &'p str,
    out: String,
}

impl Writer<'_> {
    /// A block and the empty line after it.
    fn push(&mut self, block: &str) {
        self.out.push_str(block);
        self.out.push_str("\n\n");
    }

    fn header(&mut self) {
        self.push(&format!("# {}", escaped(&self.page.title)));
        self.push(&escaped(&self.page.kind));
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
        self.push(&format!("**{}**", texts::page::contents(self.page.language)));
        self.push(list.trim_end());
    }

    fn chapter(&mut self, section: &Section, number: usize) {
        self.heading(section, &format!("## {number} "));
        self.blocks(section);
        for (index, inner) in section.sections.iter().enumerate() {
            self.heading(inner, &format!("### {number}.{} ", index + 1));
            self.blocks(inner);
            for deepest in &inner.sections {
                self.heading(deepest, "#### ");
                self.blocks(deepest);
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
}

fn link(section: &Section) -> String {
    format!("[{}](#{})", escaped(&section.title), section.id)
}
