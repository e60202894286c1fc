//! The page as one self-contained HTML file: no script, nothing from the network.

mod block;
mod table;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::page::{Fact, Page, Section};

/// The whole style: screen in light and dark, phone, and A4.
const STYLE: &str = include_str!("style.css");

/// Forbids the browser to load anything, whatever the data hold.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page as an HTML document.
pub fn render(page: &Page) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
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
                    (contents(&page.sections))
                    @for (index, section) in page.sections.iter().enumerate() {
                        (chapter(section, index + 1))
                    }
                }
            }
        }
    }
    .into_string()
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
fn contents(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Contents" {
            h2 { "Contents" }
            ol {
                @for section in sections {
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

fn chapter(section: &Section, number: usize) -> Markup {
    html! {
        section.chapter id=(section.id) {
            h2 { span.number { (number) } " " (section.title) }
            @for block in &section.blocks { (block::block(block)) }
            @for (index, inner) in section.sections.iter().enumerate() {
                section.part id=(inner.id) {
                    h3 { span.number { (number) "." (index + 1) } " " (inner.title) }
                    @for block in &inner.blocks { (block::block(block)) }
                    @for deepest in &inner.sections { (paragraph_section(deepest)) }
                }
            }
        }
    }
}

/// The third level has no number.
fn paragraph_section(section: &Section) -> Markup {
    html! {
        section.piece id=(section.id) {
            h4 { (section.title) }
            @for block in &section.blocks { (block::block(block)) }
        }
    }
}
