//! The page as one self-contained HTML file: no script, nothing from the network.

mod block;
mod table;

use kneepoint_core::words::printable::replaced;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::language::Language;
use crate::language::texts;
use crate::page::{Fact, Page, Section};

/// The whole style: screen in light and dark, phone, and A4.
const STYLE: &str = include_str!("style.css");

/// Forbids the browser to load anything, whatever the data hold.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page as an HTML document.
pub fn render(page: &Page) -> String {
    let document = html! {
        (DOCTYPE)
        html lang=(page.language.code()) {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content="Kneepoint";
                title { (page.title) " – " (page.kind) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(page))
                main {
                    @for note in &page.notes { (block::note(note)) }
                    @for (index, section) in page.sections.iter().enumerate() {
                        @if index == page.contents_after { (contents(page)) }
                        (chapter(section, index + 1, page.language))
                    }
                }
            }
        }
    };
    replaced(document.into_string())
}

fn header(page: &Page) -> Markup {
    html! {
        header {
            p.kind { (page.kind) }
            h1 { (page.title) }
            dl.subtitle {
                @for Fact { name, value } in &page.facts {
                    div { dt { (name) } dd { (block::text(value)) } }
                }
            }
        }
    }
}

/// The table of contents, two levels deep.
fn contents(page: &Page) -> Markup {
    let title = texts::page::contents(page.language);
    html! {
        nav aria-label=(title) {
            h2 { (title) }
            ol {
                @for section in &page.sections {
                    li {
                        a href={ "#" (section.id) } { (section.title) }
                        @if !section.sections.is_empty() {
                            ol {
                                @for inner in &section.sections {
                                    li { a href={ "#" (inner.id) } { (inner.title) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn chapter(section: &Section, number: usize, language: Language) -> Markup {
    html! {
        section.chapter id=(section.id) {
            h2 { span.number { (number) } " " (section.title) }
            @for block in &section.blocks { (block::block(block, language)) }
            @for (index, inner) in section.sections.iter().enumerate() {
                section.part id=(inner.id) {
                    h3 { span.number { (number) "." (index + 1) } " " (inner.title) }
                    @for block in &inner.blocks { (block::block(block, language)) }
                    @for deepest in &inner.sections { (paragraph_section(deepest, language)) }
                }
            }
        }
    }
}

/// The third level has no number.
fn paragraph_section(section: &Section, language: Language) -> Markup {
    html! {
        section.piece id=(section.id) {
            h4 { (section.title) }
            @for block in &section.blocks { (block::block(block, language)) }
        }
    }
}
