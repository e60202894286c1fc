//! Tables as values: size of type, widths of columns, and whether the paper must be turned.

use typst::foundations::{Array, Dict, IntoValue, Value, dict};

use super::{Ruler, document};
use crate::page::{CellAlign, Column, Inline, Table, TableCell, Tone};

/// Width between the margins in points, upright and turned.
const UPRIGHT: f64 = 493.0;
const TURNED: f64 = 740.0;
/// Sizes of type in points, from the one to be preferred to the smallest.
const UPRIGHT_SIZES: [f64; 4] = [8.5, 8.0, 7.5, 7.0];
const TURNED_SIZES: [f64; 5] = [8.0, 7.5, 7.0, 6.5, 6.0];
/// Room at the left and right of a cell, in points; the template has the same number.
const INSET: f64 = 2.4;
/// Room between groups of columns, in points; the template has the same number.
const GAP: f64 = 5.0;
/// Bold heads are a little wider than the font that is measured.
const BOLD: f64 = 1.06;
/// Size of a cell's second line as a share of the first.
const DETAIL: f64 = 0.9;
/// A number is never this long; longer text in a column of numbers may be broken.
const NUMBER_MAX: usize = 16;
/// Up to this many rows a table stays on one page.
const SMALL: usize = 14;

/// How a table is set.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Fit {
    size: f64,
    turned: bool,
    /// True if words must be broken into lines for the table to fit.
    tight: bool,
}

/// The width that a column needs, in multiples of the size of type.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Need {
    /// With every cell on one line.
    natural: f64,
    /// With lines broken where they may be.
    least: f64,
}

/// True if the table fits only on paper that is turned.
pub(super) fn is_turned(table: &Table, ruler: &Ruler<'_>) -> bool {
    fit(&needs(table, ruler), gaps(table)).turned
}

/// A table with its caption.
pub(super) fn value(table: &Table, ruler: &Ruler<'_>, ids: &[&str]) -> Dict {
    let needs = needs(table, ruler);
    let fit = fit(&needs, gaps(table));
    let grouped = table.groups.iter().any(|group| !group.title.is_empty());
    let row =
        |row: &Vec<TableCell>| row.iter().map(|one| cell(one, ids)).collect::<Array>().into_value();
    dict! {
        "number" => table.number as i64,
        "stamp" => table.stamp.as_str(),
        "caption" => document::inlines(&table.caption, ids),
        "size" => fit.size,
        "turned" => fit.turned,
        "small" => table.rows.len() <= SMALL,
        "widths" => widths(&needs, fit, gaps(table)),
        "ends" => table.columns().map(|column| (column.align == CellAlign::End).into_value()).collect::<Array>(),
        "groups" => if grouped { groups(table) } else { Array::new() },
        "heads" => table.columns().map(|column| document::narrow(&column.title).into_value()).collect::<Array>(),
        "firsts" => firsts(table, grouped),
        "rows" => table.rows.iter().map(row).collect::<Array>(),
    }
}

/// Titles of the groups and how many columns each spans.
fn groups(table: &Table) -> Array {
    let group = |group: &crate::page::ColumnGroup| {
        dict! { "title" => document::narrow(&group.title), "span" => group.columns.len() as i64 }
            .into_value()
    };
    table.groups.iter().map(group).collect()
}

/// For every column whether it begins a group other than the first.
fn firsts(table: &Table, grouped: bool) -> Array {
    let in_group = |group: usize, columns: usize| {
        (0..columns).map(move |index| (grouped && group > 0 && index == 0).into_value())
    };
    let counted = table.groups.iter().enumerate();
    counted.flat_map(|(index, group)| in_group(index, group.columns.len())).collect()
}

/// A cell: its words alone where there is nothing else, which most cells are and which is set
/// faster; otherwise its text, its second line and its tone.
fn cell(cell: &TableCell, ids: &[&str]) -> Value {
    if let ([Inline::Plain(words)], true, Tone::Plain, None) =
        (cell.text.0.as_slice(), cell.detail.is_empty(), cell.tone, cell.bar)
    {
        return document::narrow(words).into_value();
    }
    let tone = super::document::tone(cell.tone);
    let text = document::narrow_inlines(&cell.text, ids);
    let detail = document::narrow(&cell.detail);
    dict! { "text" => text, "detail" => detail, "tone" => tone, "bar" => cell.bar }.into_value()
}

/// Room between the groups.
fn gaps(table: &Table) -> f64 {
    let grouped = table.groups.iter().any(|group| !group.title.is_empty());
    if grouped { table.groups.len().saturating_sub(1) as f64 * GAP } else { 0.0 }
}

fn needs(table: &Table, ruler: &Ruler<'_>) -> Vec<Need> {
    let need = |(index, column): (usize, &Column)| {
        let start = head_need(column, ruler);
        let cells = table.rows.iter().filter_map(|row| row.get(index));
        cells.fold(start, |need, cell| need.with(cell_need(cell, column, ruler)))
    };
    table.columns().enumerate().map(need).collect()
}

fn head_need(column: &Column, ruler: &Ruler<'_>) -> Need {
    let title = document::narrow(&column.title);
    let long = title.chars().count() > NUMBER_MAX;
    let least = ruler.widest_word(&title) * BOLD;
    Need { natural: if long { least } else { ruler.width(&title) * BOLD }, least }
}

fn cell_need(cell: &TableCell, column: &Column, ruler: &Ruler<'_>) -> Need {
    let line = line(cell);
    let detail = document::narrow(&cell.detail);
    let natural = ruler.width(&line).max(ruler.width(&detail) * DETAIL);
    let is_number = column.align == CellAlign::End && line.chars().count() <= NUMBER_MAX;
    let of_line = if is_number { ruler.width(&line) } else { ruler.widest_word(&line) };
    Need { natural, least: of_line.max(ruler.widest_word(&detail) * DETAIL) }
}

/// The cell's first line.
fn line(cell: &TableCell) -> String {
    document::narrow(&cell.text.words()).to_string()
}

impl Need {
    fn with(self, other: Self) -> Self {
        Self { natural: self.natural.max(other.natural), least: self.least.max(other.least) }
    }
}

/// The largest type at which the table fits: whole lines upright first, then broken lines upright,
/// then turned paper. What fits nowhere is set as small as can be read.
fn fit(needs: &[Need], gaps: f64) -> Fit {
    let padding = needs.len() as f64 * 2.0 * INSET + gaps;
    let natural: f64 = needs.iter().map(|need| need.natural).sum();
    let least: f64 = needs.iter().map(|need| need.least).sum();
    let fits = |width: f64, size: f64, room: f64| width * size * 1.01 + padding <= room;
    let upright = |tight: bool| {
        let width = if tight { least } else { natural };
        let size = UPRIGHT_SIZES.into_iter().find(|size| fits(width, *size, UPRIGHT))?;
        Some(Fit { size, turned: false, tight })
    };
    let turned = || {
        let size = TURNED_SIZES.into_iter().find(|size| fits(least, *size, TURNED))?;
        Some(Fit { size, turned: true, tight: !fits(natural, size, TURNED) })
    };
    let smallest = Fit { size: 6.0, turned: true, tight: true };
    upright(false).or_else(|| upright(true)).or_else(turned).unwrap_or(smallest)
}

/// Widths of the columns in points, or nothing where each takes what it needs.
fn widths(needs: &[Need], fit: Fit, gaps: f64) -> Array {
    if !fit.tight {
        return Array::new();
    }
    let padding = 2.0 * INSET;
    let room = if fit.turned { TURNED } else { UPRIGHT } - gaps - needs.len() as f64 * padding;
    let natural: f64 = needs.iter().map(|need| need.natural * fit.size).sum();
    let least: f64 = needs.iter().map(|need| need.least * fit.size).sum();
    let squeeze = (room / least).min(1.0);
    let share = ((room - least).max(0.0) / (natural - least).max(1.0)).min(1.0);
    let width = |need: &Need| {
        let spare = (need.natural - need.least) * fit.size * share;
        need.least * fit.size * squeeze + spare + padding
    };
    needs.iter().map(|need| width(need).into_value()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: Need = Need { natural: 90.0, least: 8.0 };
    const NUMBER: Need = Need { natural: 2.5, least: 2.5 };

    #[track_caller]
    fn check(needs: &[Need], size: f64, turned: bool) {
        let fit = fit(needs, 0.0);
        assert_eq!((fit.size, fit.turned), (size, turned));
        let widths = widths(needs, fit, 0.0);
        let sum: f64 = widths.iter().map(|width| width.clone().cast::<f64>().unwrap()).sum();
        assert!(sum <= if turned { TURNED } else { UPRIGHT } + 0.01, "{sum}");
    }

    #[test]
    fn type_shrinks_before_the_paper_is_turned() {
        check(&[NUMBER; 6], 8.5, false);
        check(&[WORDS, NUMBER, NUMBER], 8.5, false);
        check(&[NUMBER; 19], 8.0, false);
        check(&[NUMBER; 25], 8.0, true);
        check(&[NUMBER; 60], 6.0, true);
    }
}
