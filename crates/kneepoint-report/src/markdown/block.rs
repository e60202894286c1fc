//! Blocks and running text as Markdown.

use super::Writer;
use super::escape::{code, escaped, listing};
use crate::figure::Drawing;
use crate::language::texts;
use crate::page::{Block, Figure, Fold, Inline, Listing, Note, Text};

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
