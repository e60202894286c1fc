//! The page as values for the template.

use typst::foundations::{Array, Datetime, Dict, IntoValue, Value, dict};

use super::width::Ruler;
use super::{figure, table, text};
use crate::language::{Language, texts};
use crate::page::{Block, Fact, Fold, Listing, Note, Page, Section, Tone};

/// Characters on a line of a listing.
const LISTING_LINE: usize = 100;

/// Characters of the title at the head of every page.
const RUNNING_MAX: usize = 80;

/// Makes the values.
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
        "running" => shortened(&page.title, RUNNING_MAX).as_str(),
        "language" => page.language.code(),
        "date" => moment(&page.date),
        "words" => words(page.language),
        "contents_after" => page.contents_after as i64,
        "facts" => maker.facts(&page.facts),
        "notes" => page.notes.iter().map(|note| maker.note(note).into_value()).collect::<Array>(),
        "sections" => sections.map(IntoValue::into_value).collect::<Array>(),
    }
}

/// Words that the template adds.
fn words(language: Language) -> Dict {
    dict! {
        "contents" => texts::front::contents(language),
        "figure" => texts::front::figure(language),
        "table" => texts::front::table(language),
        "page" => texts::front::page(language),
        "of_pages" => texts::front::of_pages(language),
    }
}

/// The first characters of a title.
fn shortened(title: &str, most: usize) -> String {
    let title = text::shown(title);
    if title.chars().count() <= most {
        return title.to_string();
    }
    title.chars().take(most - 1).chain(['…']).collect()
}

/// An RFC 3339 time in UTC as a date for the file's properties; nothing where it is not one.
fn moment(time: &str) -> Value {
    let numbers: Vec<u8> = time.get(4..19).map_or_else(Vec::new, |rest| {
        rest.split(['-', 'T', ':']).filter_map(|part| part.parse().ok()).collect()
    });
    let year = time.get(..4).and_then(|year| year.parse().ok());
    match (year, numbers.as_slice()) {
        (Some(year), &[month, day, hour, minute, second]) => {
            Datetime::from_ymd_hms(year, month, day, hour, minute, second).into_value()
        }
        _ => Value::None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_are_dates() {
        assert!(matches!(moment("2026-03-12T10:15:01Z"), Value::Datetime(_)));
        for time in ["", "2026-03-12", "2026-13-12T10:15:01Z", "ä2026-03-12T10:15:01Z"] {
            assert_eq!(moment(time), Value::None, "{time}");
        }
    }

    #[test]
    fn long_titles_are_cut_at_the_head_of_pages() {
        assert_eq!(shortened("short", 10), "short");
        assert_eq!(shortened("one two three", 7), "one tw…");
    }
}
