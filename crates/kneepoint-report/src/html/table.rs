//! Tables as HTML.

use maud::{Markup, html};

use super::block::{text, tone};
use crate::language::Language;
use crate::language::texts;
use crate::page::{Align, Cell, Column, Table};

/// A number is never this long; longer text in a column of numbers may be broken.
const NUMBER_MAX: usize = 16;

/// A table with its caption, in a frame that scrolls where the table is too wide.
pub(super) fn table(table: &Table, language: Language) -> Markup {
    let name = texts::page::table(language);
    html! {
        figure.table {
            figcaption { b { (name) " " (table.number) "." } " " (text(&table.caption)) }
            div.scroll role="region" tabindex="0" aria-label={ (name) " " (table.number) } {
                table {
                    thead { (heads(table)) }
                    tbody {
                        @for row in &table.rows {
                            tr {
                                @for (index, (cell, column)) in row.cells.iter().zip(table.columns()).enumerate() {
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

fn row_head(cell: &Cell, column: &Column) -> Markup {
    html! { th scope="row" class=[class(column_class(column), "", tone(cell.tone))] { (content(cell)) } }
}

fn data(cell: &Cell, column: &Column) -> Markup {
    let long = if column.align == Align::End && length(cell) > NUMBER_MAX { "t" } else { "" };
    html! { td class=[class(column_class(column), long, tone(cell.tone))] { (content(cell)) } }
}

fn content(cell: &Cell) -> Markup {
    html! {
        (text(&cell.text))
        @if !cell.detail.is_empty() { small { (cell.detail) } }
    }
}

/// Words line up where lines start.
const fn column_class(column: &Column) -> &'static str {
    match column.align {
        Align::Start => "w",
        Align::End => "",
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

/// Characters of the cell's first line.
fn length(cell: &Cell) -> usize {
    cell.text.words().chars().count()
}
