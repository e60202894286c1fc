//! The page as values for the template: its sections, figures with their size on paper, and running text.

use typst::foundations::{Array, Bytes, Datetime, Dict, IntoValue, Str, Value, array, dict};

use super::{Ruler, table};
use crate::language::Language;
use crate::language::texts::front;
use crate::page::{Block, Fact, Figure, Fold, Inline, Listing, Note, Page, Section, Text, Tone};

/// Characters on a line of a listing.
const LISTING_LINE: usize = 100;

/// Characters of the title at the head of every page.
const RUNNING_MAX: usize = 80;

/// The head of every page but the first: the title, behind the word on the numbers.
fn running(page: &Page) -> String {
    let title = shortened(&page.title, RUNNING_MAX);
    match page.stamp.as_str() {
        "" => title,
        stamp => format!("{} · {title}", printed(&stamp.to_uppercase())),
    }
}

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
        "kind" => shown(&page.kind),
        "title" => shown(&page.title),
        "running" => running(page).as_str(),
        "language" => page.language.code(),
        "date" => moment(&page.date),
        "words" => words(page.language),
        "contents_after" => page.contents_after as i64,
        "badge" => page.badge.iter().map(|badge| maker.note(badge).into_value()).collect::<Array>(),
        "facts" => maker.facts(&page.facts),
        "notes" => page.notes.iter().map(|note| maker.note(note).into_value()).collect::<Array>(),
        "sections" => sections.map(IntoValue::into_value).collect::<Array>(),
    }
}

/// Words that the template adds.
fn words(language: Language) -> Dict {
    dict! {
        "contents" => front::contents(language),
        "figure" => front::figure(language),
        "table" => front::table(language),
        "page" => front::page(language),
        "of_pages" => front::of_pages(language),
    }
}

/// The first characters of a title.
fn shortened(title: &str, most: usize) -> String {
    let title = shown(title);
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
            let pieces = part.sections.iter().map(|piece| {
                let deepest = piece.sections.iter().map(|one| self.section(one, "", Vec::new()));
                self.section(piece, "", deepest.collect())
            });
            self.section(part, &format!("{number}.{}", index + 1), pieces.collect())
        });
        self.section(section, &number.to_string(), parts.collect())
    }

    /// A section with its inner ones; from the third level on there are no numbers.
    fn section(&self, section: &Section, number: &str, inner: Vec<Dict>) -> Dict {
        let turned = section.blocks.iter().any(|block| self.is_turned(block));
        let blocks = section.blocks.iter().filter_map(|block| self.block(block));
        dict! {
            "id" => section.id.as_str(),
            "number" => number,
            "title" => shown(&section.title),
            "turned" => turned,
            "folded" => section.fold == Fold::Folded,
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
            Block::Paragraph(content) => ("paragraph", inlines(content, &self.ids)),
            Block::Remark(content) => ("remark", inlines(content, &self.ids)),
            Block::List(items) => {
                let items = items.iter().map(|item| inlines(item, &self.ids));
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
        let figures = figures.iter().map(|one| figure_value(one, &self.ids).into_value());
        figures.collect::<Array>().into_value()
    }

    fn facts(&self, facts: &[Fact]) -> Value {
        let fact = |fact: &Fact| {
            let value = inlines(&fact.value, &self.ids);
            dict! { "name" => shown(&fact.name), "value" => value }.into_value()
        };
        facts.iter().map(fact).collect::<Array>().into_value()
    }

    fn note(&self, note: &Note) -> Dict {
        dict! {
            "tone" => tone(note.tone),
            "title" => shown(&note.title),
            "text" => inlines(&note.text, &self.ids),
        }
    }
}

/// A listing; what the reader has to ask for is left out, as in the printed HTML.
fn listing(listing: &Listing) -> Option<Dict> {
    (listing.fold == Fold::Open).then(|| {
        dict! {
            "title" => shown(&listing.title),
            "text" => listing_lines(&listing.text, LISTING_LINE),
        }
    })
}

/// Millimetres on paper for one unit of a drawing; its text comes out at about 6.8 pt.
const UNIT: f64 = 0.19;
/// Width between the margins in millimetres.
const TEXT_WIDTH: f64 = 174.0;
/// Height of the highest figure in millimetres; its caption still fits on the page.
const HEIGHT_MAX: f64 = 225.0;
/// Figures up to this width have their caption beside them, in millimetres.
const BESIDE_MAX: f64 = 122.0;

/// Lines have no area that could be filled, but where a path has a colour to fill it with, readers
/// of PDF files paint it as a hairline.
const STYLE: &str = "<style>.kp-grid,.kp-minor,.kp-rule path{fill:none}</style>";

/// A figure with its caption.
pub(super) fn figure_value(figure: &Figure, ids: &[&str]) -> Dict {
    let svg = figure.drawing.svg_document();
    let (width, height) = extent(&svg);
    let scale = UNIT.min(TEXT_WIDTH / width).min(HEIGHT_MAX / height);
    dict! {
        "number" => figure.number as i64,
        "stamp" => figure.stamp.as_str(),
        "caption" => narrow_inlines(&figure.caption, ids),
        "words" => printed(&figure.caption.words()),
        "width" => width * scale,
        "beside" => width * scale <= BESIDE_MAX,
        "svg" => Bytes::from_string(styled(&svg)),
    }
}

/// The drawing with the style for paper.
fn styled(svg: &str) -> String {
    svg.replacen('>', &format!(">{STYLE}"), 1)
}

/// Width and height by the `viewBox`, in units.
fn extent(svg: &str) -> (f64, f64) {
    let numbers = svg
        .split_once("viewBox=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(numbers, _)| numbers.split(' ').filter_map(|number| number.parse().ok()))
        .map(Iterator::collect::<Vec<f64>>);
    match numbers.as_deref() {
        Some(&[_, _, width, height]) if width > 0.0 && height > 0.0 => (width, height),
        _ => (560.0, 335.0),
    }
}

/// Longest stretches without a space that are left as they are, on wide lines and in cells. What
/// is longer, a path or a name that someone else chose, may be broken after this many characters.
const STRETCH: usize = 70;
const CELL_STRETCH: usize = 28;

/// Running text: pairs of kind and words, for links a third with the section's id.
pub(super) fn inlines(text: &Text, ids: &[&str]) -> Value {
    parts(text, ids, shown)
}

/// Running text in narrow places.
pub(super) fn narrow_inlines(text: &Text, ids: &[&str]) -> Value {
    parts(text, ids, narrow)
}

fn parts(text: &Text, ids: &[&str], shown: impl Fn(&str) -> Str) -> Value {
    let inline = |inline: &Inline| match inline {
        Inline::Plain(words) | Inline::English(words) => array!["plain", shown(words)],
        Inline::Strong(words) => array!["strong", shown(words)],
        Inline::Code(words) => array!["code", shown(words)],
        Inline::Link { text, to } if ids.contains(&to.as_str()) => {
            array!["link", shown(text), to.as_str()]
        }
        Inline::Link { text, .. } => array!["plain", shown(text)],
        Inline::Definition { term, meaning } => {
            array!["plain", shown(&format!(" {term}: {meaning}"))]
        }
    };
    text.0.iter().map(|part| inline(part).into_value()).collect::<Array>().into_value()
}

/// Words that may be broken anywhere where they are very long.
pub(super) fn shown(words: &str) -> Str {
    broken(&printed(words), STRETCH).into()
}

/// Words in a narrow place.
pub(super) fn narrow(words: &str) -> Str {
    broken(&printed(words), CELL_STRETCH).into()
}

/// The words alone, for readers who cannot see a figure.
pub(super) fn printed(words: &str) -> String {
    words.chars().filter_map(printable).collect()
}

/// Text in which every character counts: only what cannot be printed is taken out.
pub(super) fn listing_lines(text: &str, line: usize) -> Str {
    let kept = text.chars().filter_map(|character| match character {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        other => printable(other),
    });
    broken(&kept.collect::<String>(), line).into()
}

/// Control characters become spaces; marks that turn the direction of writing are left out, since
/// they could make text read as something else.
fn printable(character: char) -> Option<char> {
    match character {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        '\u{2028}' | '\u{2029}' => Some(' '),
        other if other.is_control() => Some(' '),
        other => Some(other),
    }
}

/// Adds places to break a line at, after every `most` characters without a space.
fn broken(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut length = 0;
    for character in text.chars() {
        if length == most && !character.is_whitespace() {
            out.push('\u{200b}');
            length = 0;
        }
        length = if character.is_whitespace() { 0 } else { length + 1 };
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use super::{extent, styled};

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

    #[test]
    fn the_view_box_tells_the_size() {
        assert_eq!(extent("<svg viewBox=\"0 0 380 92.5\" fill=\"x\">"), (380.0, 92.5));
        assert_eq!(extent("<svg>"), (560.0, 335.0));
    }

    #[test]
    fn the_style_stands_first() {
        assert!(styled("<svg a=\"b\"><g/></svg>").starts_with("<svg a=\"b\"><style>."));
    }

    #[test]
    fn long_stretches_may_be_broken() {
        assert_eq!(broken("abcdef", 3), "abc\u{200b}def");
        assert_eq!(broken("abc def", 3), "abc def");
        assert_eq!(shown("short").as_str(), "short");
    }

    #[test]
    fn what_cannot_be_printed_is_taken_out() {
        assert_eq!(shown("a\u{0}b\nc\u{202e}d").as_str(), "a b cd");
        assert_eq!(listing_lines("a\tb\nc\u{7}", 90).as_str(), "a b\nc ");
    }
}
