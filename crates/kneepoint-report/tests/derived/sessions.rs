//! Sentences on the sessions of users: each follows from what is told of them number by number.

use super::kinds::Said;
use super::number::{Number, meet, numbers};

/// What is told of sessions: the numbers behind `mark` in each cell that has it.
fn told(said: &Said<'_>, mark: &str) -> Vec<Vec<Number>> {
    let cells = said.sheet.grids.iter().flat_map(|grid| &grid.rows).flatten();
    cells.filter_map(|cell| Some(numbers(cell.split_once(mark)?.1))).collect()
}

fn values(words: &str) -> Vec<f64> {
    numbers(words).iter().map(|number| number.value).collect()
}

/// `Memory: 60 MiB + 55.2 MiB for each session, within 0.7 % of what was measured.`, as the last number of users
/// says it.
pub(super) fn memory(said: &Said<'_>) -> bool {
    let known = told(said, "that is ");
    let is_known =
        |numbers: &Vec<Number>| numbers.iter().map(|number| number.value).eq(values(said.words));
    known.last().is_some_and(is_known)
}

/// `30 users use 100 % of those that they may use`: what these sessions used over what they could.
pub(super) fn processors(said: &Said<'_>) -> bool {
    let Some(users) = numbers(said.words).first().copied() else { return false };
    let known = told(said, &format!("the sessions ({}) use ", users.value));
    // What sessions may use is a setting, and exact.
    let percent = known.first().and_then(|known| {
        let (used, available) = (known.first()?, known.get(1)?.value);
        Some(used.range().map(|used| 100.0 * used / available))
    });
    percent.is_some_and(|percent| meet(said.claim.range(), percent))
}
