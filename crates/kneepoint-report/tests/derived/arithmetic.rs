//! Tables that compare say what follows from their own numbers.

use super::number::{Less, Number, Unit, meet, numbers};
use super::sheet::{Grid, Sheet, value};

/// How many cells were worked out again, and what is wrong with them.
pub(crate) fn wrong_cells(sheet: &Sheet) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for grid in &sheet.grids {
        for row in &grid.rows {
            for (column, [after, before]) in quotients(grid) {
                let Some(told) = row.get(column).and_then(|cell| comparable(cell)) else {
                    continue;
                };
                let (Some(after), Some(before)) = (value(row, after), value(row, before)) else {
                    continue;
                };
                count += 1;
                if !meet(told.ratio(Less::No), after.over(before)) {
                    wrong.push(format!("{}: {row:?}: {}", grid.caption, row[column]));
                }
            }
        }
    }
    (count, wrong)
}

/// The number of a cell that says how two others compare; nothing of a dash.
fn comparable(cell: &str) -> Option<Number> {
    numbers(cell)
        .first()
        .copied()
        .filter(|number| matches!(number.unit, Unit::Percent | Unit::Times))
}

/// The columns of a table that follow from two others of it: after, and before.
fn quotients(grid: &Grid) -> Vec<(usize, [usize; 2])> {
    let of = |told: &str, after: &str, before: &str| {
        let [told, after, before] = [told, after, before].map(|head| grid.column(head));
        Some((told?, [after?, before?]))
    };
    let mut all: Vec<_> = of("Change", "after", "before")
        .into_iter()
        .chain(of("Error", "Simulated", "Published"))
        .collect();
    // Runs side by side: each has its change behind it, against the first.
    if grid.column("before").is_none() || grid.column("From").is_none() {
        let changes = (2..grid.heads.len()).filter(|column| grid.heads[*column] == "Change");
        let of_run = |column: usize| (column, [column - 1, 1]);
        all.extend(changes.filter(|column| *column >= 3).map(of_run));
    }
    all.dedup();
    all
}
