//! The page: what a report says, as blocks that any format can render.

mod table;
mod text;

pub use table::{Align, Cell, Column, ColumnGroup, Row, Table};
pub(crate) use text::slug;
pub use text::{Inline, Text};

use crate::figure::Drawing;
use crate::language::Language;

/// A whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The language that it is written in.
    pub language: Language,
    /// What kind of document this is, above the title.
    pub kind: String,
    /// The title.
    pub title: String,
    /// When what it reports on began, in RFC 3339; may be empty.
    pub date: String,
    /// Facts below the title: targets, date, run, version.
    pub facts: Vec<Fact>,
    /// What the reader must know before anything else.
    pub notes: Vec<Note>,
    /// After how many of the chapters the list of contents stands.
    pub contents_after: usize,
    /// The chapters.
    pub sections: Vec<Section>,
}

impl Page {
    /// The numbered figures in reading order.
    pub fn figures(&self) -> Vec<&Figure> {
        fn visit<'p>(section: &'p Section, found: &mut Vec<&'p Figure>) {
            for block in &section.blocks {
                if let Block::Figures(figures) = block {
                    found.extend(figures);
                }
            }
            section.sections.iter().for_each(|inner| visit(inner, found));
        }
        let mut found = Vec::new();
        self.sections.iter().for_each(|section| visit(section, &mut found));
        found
    }

    /// Numbers figures and tables in reading order, each from 1.
    pub(crate) fn numbered(mut self) -> Self {
        let mut numbers = Numbers::default();
        for section in &mut self.sections {
            numbers.visit(section);
        }
        self
    }
}

/// The last numbers given out.
#[derive(Debug, Default)]
struct Numbers {
    figure: usize,
    table: usize,
}

impl Numbers {
    fn visit(&mut self, section: &mut Section) {
        for block in &mut section.blocks {
            match block {
                Block::Table(table) => {
                    self.table += 1;
                    table.number = self.table;
                }
                Block::Figures(figures) => {
                    for figure in figures {
                        self.figure += 1;
                        figure.number = self.figure;
                    }
                }
                _ => {}
            }
        }
        for inner in &mut section.sections {
            self.visit(inner);
        }
    }
}

/// A chapter or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Unique within the page; letters, digits and hyphens.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The content before the first inner section.
    pub blocks: Vec<Block>,
    /// Inner sections.
    pub sections: Vec<Self>,
}

impl Section {
    /// A section without inner ones.
    pub fn new(id: impl Into<String>, title: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self { id: id.into(), title: title.into(), blocks, sections: Vec::new() }
    }
}

/// A piece of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Running text.
    Paragraph(Text),
    /// Remarks on the block before, in small print.
    Remark(Text),
    /// An unordered list.
    List(Vec<Text>),
    /// Names and their values.
    Facts(Vec<Fact>),
    /// A table.
    Table(Table),
    /// Figures that belong together.
    Figures(Vec<Figure>),
    /// Small strips that belong together, without numbers of their own.
    Strips(Vec<Figure>),
    /// A remark that must not be overlooked.
    Note(Note),
    /// Text in which every character counts.
    Listing(Listing),
}

impl Block {
    /// A paragraph.
    pub fn paragraph(text: impl Into<Text>) -> Self {
        Self::Paragraph(text.into())
    }

    /// A remark on the block before.
    pub fn remark(text: impl Into<Text>) -> Self {
        Self::Remark(text.into())
    }
}

/// A name and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: Text,
}

impl Fact {
    /// A fact in plain words.
    pub fn new(name: impl Into<String>, value: impl Into<Text>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// A figure with its caption.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Number within the page; 0 until the page is numbered.
    pub number: usize,
    /// What the figure shows.
    pub caption: Text,
    /// The figure itself.
    pub drawing: Drawing,
}

impl Figure {
    /// A figure that has no number yet.
    pub fn new(caption: impl Into<Text>, drawing: Drawing) -> Self {
        Self { number: 0, caption: caption.into(), drawing }
    }

    /// Name of a file that holds the figure, without its ending: `figure-01-throughput-of`. A strip
    /// has no number and is named after what it shows.
    pub fn stem(&self) -> String {
        if self.number == 0 {
            return slug(self.drawing.title());
        }
        let words = slug(&self.caption.words());
        let end = words.char_indices().nth(STEM_WORDS_MAX).map_or(words.len(), |(end, _)| end);
        let whole = words[..end].rfind('-').filter(|_| end < words.len()).unwrap_or(end);
        format!("figure-{:02}-{}", self.number, &words[..whole]).trim_end_matches('-').to_owned()
    }
}

/// At most this many letters of a caption go into the name of its file.
const STEM_WORDS_MAX: usize = 48;

/// A remark that must not be overlooked.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// How bad it is.
    pub tone: Tone,
    /// The gist in a few words.
    pub title: String,
    /// The rest.
    pub text: Text,
}

/// What colour something deserves; the words must do without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// Ordinary.
    #[default]
    Plain,
    /// Of little weight.
    Muted,
    /// As it should be.
    Good,
    /// To be read with a reservation.
    Caution,
    /// Not to be relied on.
    Bad,
}

/// Text in which every character counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What it is.
    pub title: String,
    /// The text.
    pub text: String,
    /// Whether the reader has to ask for it.
    pub fold: Fold,
}

/// Whether content is visible at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// Visible at once.
    Open,
    /// Visible when asked for; left out in print.
    Folded,
}
