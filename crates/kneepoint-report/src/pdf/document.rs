//! The page as values for the template.

use typst::foundations::{Array, Dict, IntoValue, Value, dict};

use super::width::Ruler;
use super::{figure, table, text};
use crate::page::{Block, Fact, Fold, Listing, Note, Page, Section, Tone};

/// Characters on a line of a listing.
const LISTING_LINE: usize = 100;

/// What the values are made with.
struct Maker<'a> {
    ruler: &'a Ruler<'a>,
    /// Ids of all sections: where links may lead.
    ids: Vec<&'a str>,
}

/// The whole page.
pub(super) fn values(page: &Page, ruler: &Ruler<'_>) -> Dict {
    let mut ids = Vec::new();
    page.sections.iter().for_each(|section| collect(section, &mut ids));
    let maker = Maker { ruler, ids };
    let sections = page.sections.iter().enumerate();
    let sections = sections.map(|(index, section)| maker.chapter(section, index + 1));
    dict! {
        "kind" => text::shown(&page.kind),
        "title" => text::shown(&page.title),
        "language" => "en",
        "date" => Value::None,
        "words" => dict! {
            "contents" => "Contents", "figure" => "Figure", "table" => "Table",
            "page" => "Page", "of" => "of",
        },
        "facts" => maker.facts(&page.facts),
        "notes" => page.notes.iter().map(|note| maker.note(note).into_value()).collect::<Array>(),
        "sections" => sections.map(IntoValue::into_value).collect::<Array>(),
    }
}

/// Name of a tone in the template.
pub(super) const fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "plain",
        Tone::Muted => "muted",
        Tone::Good => "good",
        Tone::Caution => "caution",
        Tone::Bad => "bad",
    }
}

fn collect<'a>(section: &'a Section, ids: &mut Vec<&'a str>) {
    ids.push(&section.id);
    section.sections.iter().for_each(|inner| collect(inner, ids));
}

impl Maker<'_> {
    /// A chapter, whose parts are numbered after it.
    fn chapter(&self, section: &Section, number: usize) -> Dict {
        let parts = section.sections.iter().enumerate().map(|(index, part)| {
            let pieces = part.sections.iter().map(|piece| self.section(piece, "", Vec::new()));
            self.section(part, &format!("{number}.{}", index + 1), pieces.collect())
        });
        self.section(section, &number.to_string(), parts.collect())
    }

    /// A section with its inner ones; the third level has no number.
    fn section(&self, section: &Section, number: &str, inner: Vec<Dict>) -> Dict {
        let turned = section.blocks.iter().any(|block| self.is_turned(block));
        let blocks = section.blocks.iter().filter_map(|block| self.block(block));
        dict! {
            "id" => section.id.as_str(),
            "number" => number,
            "title" => text::shown(&section.title),
            "turned" => turned,
            "blocks" => blocks.map(IntoValue::into_value).collect::<Array>(),
            "sections" => inner.into_iter().map(IntoValue::into_value).collect::<Array>(),
        }
    }

    fn is_turned(&self, block: &Block) -> bool {
        matches!(block, Block::Table(content) if table::is_turned(content, self.ruler))
    }

    /// A block, unless paper cannot show it.
    fn block(&self, block: &Block) -> Option<Dict> {
        let (kind, content) = match block {
            Block::Paragraph(content) => ("paragraph", text::inlines(content, &self.ids)),
            Block::Remark(content) => ("remark", text::inlines(content, &self.ids)),
            Block::List(items) => {
                let items = items.iter().map(|item| text::inlines(item, &self.ids));
                ("list", items.collect::<Array>().into_value())
            }
            Block::Facts(items) => ("facts", self.facts(items)),
            Block::Table(content) => {
                ("table", table::value(content, self.ruler, &self.ids).into_value())
            }
            Block::Figures(items) => ("figures", self.figures(items)),
            Block::Strips(items) => ("strips", self.figures(items)),
            Block::Note(content) => ("note", self.note(content).into_value()),
            Block::Listing(content) => ("listing", listing(content)?.into_value()),
        };
        Some(dict! { "kind" => kind, "content" => content })
    }

    fn figures(&self, figures: &[crate::page::Figure]) -> Value {
        let figures = figures.iter().map(|one| figure::value(one, &self.ids).into_value());
        figures.collect::<Array>().into_value()
    }

    fn facts(&self, facts: &[Fact]) -> Value {
        let fact = |fact: &Fact| {
            let value = text::inlines(&fact.value, &self.ids);
            dict! { "name" => text::shown(&fact.name), "value" => value }.into_value()
        };
        facts.iter().map(fact).collect::<Array>().into_value()
    }

    fn note(&self, note: &Note) -> Dict {
        dict! {
            "tone" => tone(note.tone),
            "title" => text::shown(&note.title),
            "text" => text::inlines(&note.text, &self.ids),
        }
    }
}

/// A listing; what the reader has to ask for is left out, as in the printed HTML.
fn listing(listing: &Listing) -> Option<Dict> {
    (listing.fold == Fold::Open).then(|| {
        dict! {
            "title" => text::shown(&listing.title),
            "text" => text::listing(&listing.text, LISTING_LINE),
        }
    })
}
