//! The page as one self-contained HTML file: no script, nothing from the network.

mod lean;

use kneepoint_core::words::printable::replaced;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::figure::Breadth;
use super::language::Language;
use super::language::texts::front;
use super::page::{
    Block, CellAlign, Column, Fact, Figure, Fold, Inline, Listing, Note, Page, Section, Table,
    TableCell, Text, Tone, numbered_name,
};

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
                style { (PreEscaped(lean::style())) (PreEscaped(STYLE)) (PreEscaped(running_head(page))) }
            }
            body {
                (header(page))
                main {
                    @for shown in &page.notes { (note(shown)) }
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

/// The head of every printed page, where the numbers need a word; of letters alone, which mean nothing in
/// a style sheet.
fn running_head(page: &Page) -> String {
    let words = page.stamp.to_uppercase();
    let words: String = words.chars().filter(|c| c.is_alphabetic() || *c == ' ').collect();
    if words.is_empty() {
        return String::new();
    }
    format!(
        "@page {{ @top-right {{ content: \"{words}\"; font: bold 8pt sans-serif; color: #8a4b08; }} }}"
    )
}

fn header(page: &Page) -> Markup {
    html! {
        header {
            p.kind { (page.kind) }
            @if let Some(badge) = &page.badge {
                p class=(format!("badge {}", tone(badge.tone))) {
                    strong { (badge.title) } " " (text(&badge.text))
                }
            }
            h1 { (page.title) }
            dl.subtitle { (facts(&page.facts)) }
        }
    }
}

/// The table of contents, two levels deep.
fn contents(page: &Page) -> Markup {
    let title = front::contents(page.language);
    html! {
        nav aria-label=(title) {
            h2 { (title) }
            ol {
                @for section in &page.sections {
                    li {
                        a href={ "#" (section.id) } { (section.title) }
                        @if !section.sections.is_empty() && section.fold == Fold::Open {
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
        @let title = html! { h2 { span.number { (number) } " " (section.title) } };
        @let content = html! {
            @for shown in &section.blocks { (block(shown, language)) }
            @for (index, inner) in section.sections.iter().enumerate() {
                section.part id=(inner.id) {
                    h3 { span.number { (number) "." (index + 1) } " " (inner.title) }
                    @for shown in &inner.blocks { (block(shown, language)) }
                    @for piece in &inner.sections { (piece_of(piece, language)) }
                }
            }
        };
        @match section.fold {
            Fold::Open => section.chapter id=(section.id) { (title) (content) },
            Fold::Folded => section.chapter.folded id=(section.id) {
                details { summary { (title) } (content) }
            },
        }
    }
}

/// From the third level on there are no numbers; the fourth is the last.
fn piece_of(section: &Section, language: Language) -> Markup {
    html! {
        section.piece id=(section.id) {
            h4 { (section.title) }
            @for shown in &section.blocks { (block(shown, language)) }
            @for deepest in &section.sections {
                section.piece id=(deepest.id) {
                    h5 { (deepest.title) }
                    @for shown in &deepest.blocks { (block(shown, language)) }
                }
            }
        }
    }
}

/// A block.
fn block(block: &Block, language: Language) -> Markup {
    match block {
        Block::Paragraph(content) => html! { p { (text(content)) } },
        Block::Remark(content) => html! { p.remark { (text(content)) } },
        Block::List(items) => html! { ul { @for item in items { li { (text(item)) } } } },
        Block::Facts(items) => html! { dl.facts { (facts(items)) } },
        Block::Table(content) => table(content, language),
        Block::Figures(items) => {
            html! { div.figures { @for item in items { (figure(item, language)) } } }
        }
        Block::Strips(items) => html! {
            div.strips { @for item in items { figure { (drawing(item, Breadth::Page)) figcaption { (csv_link(item)) } } } }
        },
        Block::Note(content) => note(content),
        Block::Listing(content) => listing(content),
    }
}

/// Running text.
fn text(content: &Text) -> Markup {
    html! {
        @for inline in &content.0 {
            @match inline {
                Inline::Plain(words) => (words),
                Inline::Strong(words) => strong { (words) },
                Inline::Code(words) => code { (words) },
                Inline::English(words) => span lang="en" { (words) },
                Inline::Definition { term, meaning } => {
                    " " span.gloss { dfn { (term) } ": " (meaning) }
                },
                Inline::Link { text, to } => a href={ "#" (to) } {
                    // Names of series are long words: they break behind these signs.
                    @for (index, part) in text.split_inclusive(['/', '_', '=']).enumerate() {
                        @if index > 0 { wbr; }
                        (part)
                    }
                },
            }
        }
    }
}

/// A remark that must not be overlooked.
fn note(note: &Note) -> Markup {
    html! {
        aside class=(format!("note {}", tone(note.tone))) {
            strong { (note.title) "." } " " (text(&note.text))
        }
    }
}

/// Class of a tone; empty for plain.
const fn tone(tone: Tone) -> &'static str {
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
        @for Fact { name, value } in facts {
            div { dt { (name) } dd { (text(value)) } }
        }
    }
}

/// A figure, drawn for a page and again for a phone, of which the style shows one.
fn figure(figure: &Figure, language: Language) -> Markup {
    let name = front::figure(language);
    html! {
        figure {
            div.page { (drawing(figure, Breadth::Page)) }
            div.phone { (drawing(figure, Breadth::Phone)) }
            figcaption {
                 b { (numbered_name(name, figure.number, &figure.stamp)) "." } " " (text(&figure.caption)) " "
                (csv_link(figure))
            }
        }
    }
}

fn drawing(figure: &Figure, breadth: Breadth) -> Markup {
    PreEscaped(lean::lean(&figure.drawing.svg_for(breadth)))
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
        Fold::Folded => {
            html! { details.listing { summary { (listing.title) } pre { (listing.text) } } }
        }
    }
}

/// A number is never this long; longer text in a column of numbers may be broken.
const NUMBER_MAX: usize = 16;

/// A table with its caption, in a frame that scrolls where the table is too wide.
fn table(table: &Table, language: Language) -> Markup {
    let name = front::table(language);
    html! {
        figure.table {
            figcaption { b { (numbered_name(name, table.number, &table.stamp)) "." } " " (text(&table.caption)) }
            div.scroll role="region" tabindex="0" aria-label={ (name) " " (table.number) } {
                table class=[dense(table)] {
                    thead { (heads(table)) }
                    tbody {
                        @for row in &table.rows {
                            tr {
                                @for (index, (cell, column)) in row.iter().zip(table.columns()).enumerate() {
                                    @if index == 0 { (row_head(cell, column)) } @else { (data(cell, column)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A table with this many columns has little room between them.
const COLUMNS_MANY: usize = 12;

/// Less room between the columns of a wide table.
fn dense(table: &Table) -> Option<&'static str> {
    (table.columns().count() >= COLUMNS_MANY).then_some("dense")
}

/// The head: a row of group titles, if there is any, over a row of column titles.
fn heads(table: &Table) -> Markup {
    let grouped = table.groups.iter().any(|group| !group.title.is_empty());
    html! {
        @if grouped {
            tr {
                @for group in &table.groups {
                    @if group.title.is_empty() {
                        td colspan=(group.columns.len()) {}
                    } @else {
                        th.over scope="colgroup" colspan=(group.columns.len()) { span { (group.title) } }
                    }
                }
            }
        }
        tr {
            @for group in &table.groups {
                @for (index, column) in group.columns.iter().enumerate() {
                    th scope="col" class=[class(column_class(column), first(index, grouped), wide(column))] { (column.title) }
                }
            }
        }
    }
}

fn row_head(cell: &TableCell, column: &Column) -> Markup {
    let id = (!cell.anchor.is_empty()).then_some(&cell.anchor);
    html! { th id=[id] scope="row" class=[class(column_class(column), "", tone(cell.tone))] { (content(cell)) } }
}

fn data(cell: &TableCell, column: &Column) -> Markup {
    let length = cell.text.words().chars().count();
    let long = match column.align {
        CellAlign::End if length > NUMBER_MAX => "t",
        CellAlign::Start if is_name(&cell.text.words()) => "k",
        _ => "",
    };
    html! { td class=[class(column_class(column), long, tone(cell.tone))] { (content(cell)) } }
}

/// Longer names may be broken at their hyphens.
const NAME_MAX: usize = 15;

/// A short name with hyphens, which is kept together: `RAID-10`.
fn is_name(words: &str) -> bool {
    let length = words.chars().count();
    length <= NAME_MAX && words.contains('-') && !words.contains(char::is_whitespace)
}

fn content(cell: &TableCell) -> Markup {
    html! {
        @if let Some(share) = cell.bar {
            span.bar { span style={ "width:" (format!("{:.1}", 100.0 * share)) "%" } {} }
            span.of { (text(&cell.text)) }
        } @else {
            (text(&cell.text))
        }
        @if !cell.detail.is_empty() { small { (cell.detail) } }
    }
}

/// Words line up where lines start.
const fn column_class(column: &Column) -> &'static str {
    match column.align {
        CellAlign::Start => "w",
        CellAlign::End => "",
    }
}

/// A long column title may be broken.
fn wide(column: &Column) -> &'static str {
    if column.title.chars().count() > NUMBER_MAX { "t" } else { "" }
}

/// The first column of a group stands apart from the group before it.
const fn first(index: usize, grouped: bool) -> &'static str {
    if grouped && index == 0 { "f" } else { "" }
}

/// Class names as one attribute, or none.
fn class(column: &str, place: &str, tone: &str) -> Option<String> {
    let names: Vec<&str> =
        [column, place, tone].into_iter().filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then(|| names.join(" "))
}
