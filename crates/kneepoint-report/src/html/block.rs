//! Blocks and running text as HTML.

use maud::{Markup, PreEscaped, html};

use super::table;
use crate::language::Language;
use crate::language::texts;
use crate::page::{Block, Fact, Figure, Fold, Inline, Listing, Note, Text, Tone};

/// A block.
pub(super) fn block(block: &Block, language: Language) -> Markup {
    match block {
        Block::Paragraph(content) => html! { p { (text(content)) } },
        Block::Remark(content) => html! { p.remark { (text(content)) } },
        Block::List(items) => html! { ul { @for item in items { li { (text(item)) } } } },
        Block::Facts(items) => facts(items),
        Block::Table(content) => table::table(content, language),
        Block::Figures(items) => {
            html! { div.figures { @for item in items { (figure(item, language)) } } }
        }
        Block::Strips(items) => html! {
            div.strips { @for item in items { figure { (PreEscaped(item.drawing.svg())) figcaption { (csv_link(item)) } } } }
        },
        Block::Note(content) => note(content),
        Block::Listing(content) => listing(content),
    }
}

/// Running text.
pub(super) fn text(content: &Text) -> Markup {
    html! {
        @for inline in &content.0 {
            @match inline {
                Inline::Plain(words) => (words),
                Inline::Strong(words) => strong { (words) },
                Inline::Code(words) => code { (words) },
                Inline::English(words) => span lang="en" { (words) },
                Inline::Link { text, to } => a href={ "#" (to) } { (text) },
            }
        }
    }
}

/// A remark that must not be overlooked.
pub(super) fn note(note: &Note) -> Markup {
    html! {
        aside class=(format!("note {}", tone(note.tone))) {
            strong { (note.title) "." } " " (text(&note.text))
        }
    }
}

/// Class of a tone; empty for plain.
pub(super) const fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Muted => "m",
        Tone::Good => "g",
        Tone::Caution => "c",
        Tone::Bad => "b",
    }
}

fn facts(facts: &[Fact]) -> Markup {
    html! {
        dl.facts {
            @for Fact { name, value } in facts {
                div { dt { (name) } dd { (text(value)) } }
            }
        }
    }
}

fn figure(figure: &Figure, language: Language) -> Markup {
    let name = texts::page::figure(language);
    html! {
        figure {
            (PreEscaped(figure.drawing.svg()))
            figcaption {
                b { (name) " " (figure.number) "." } " " (text(&figure.caption)) " "
                (csv_link(figure))
            }
        }
    }
}

/// The link by which a figure's data can be had.
fn csv_link(figure: &Figure) -> Markup {
    html! { a.csv download={ (figure.stem()) ".csv" } href=(csv_address(figure)) { "CSV" } }
}

/// The figure's data as an address that holds them, so that the page needs no other file.
fn csv_address(figure: &Figure) -> String {
    let mut address = "data:text/csv;charset=utf-8,".to_owned();
    for byte in figure.drawing.csv().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => address.push(byte.into()),
            b'-' | b'.' | b'_' | b'~' | b',' | b'/' | b':' => address.push(byte.into()),
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

fn listing(listing: &Listing) -> Markup {
    match listing.fold {
        Fold::Open => html! { p.remark { (listing.title) ":" } pre { (listing.text) } },
        Fold::Folded => html! { details { summary { (listing.title) } pre { (listing.text) } } },
    }
}
