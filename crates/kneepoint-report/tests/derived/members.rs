//! Sentences on the processor suite: each follows from the table of its scores.

use super::number::{Less, Number, first, meet, numbers};
use super::sheet::{Sheet, value};

/// The columns of the table of scores.
const HEADS: [&str; 5] = ["Class", "Copies", "base", "peak", "Peak against base"];

/// The classes as sentences and as the table have them.
const CLASSES: [(&str, &str); 3] = [
    ("all members", "all"),
    ("integer members", "integer"),
    ("floating-point members", "floating point"),
];

/// A cell of the row with that many copies of the class that `words` are about.
fn cell<'s>(sheet: &'s Sheet, words: &str, (copies, head): (f64, &str)) -> Option<&'s str> {
    let (_, class) = CLASSES.iter().find(|(told, _)| words.contains(told))?;
    sheet.with(&HEADS).find_map(|grid| {
        let [of_class, of_copies, wanted] =
            [grid.column("Class")?, grid.column("Copies")?, grid.column(head)?];
        let is_one = |row: &&Vec<String>| {
            row[of_class] == *class
                && value(row, of_copies).is_some_and(|count| count.value == copies)
        };
        grid.rows.iter().find(is_one).map(|row| row[wanted].as_str())
    })
}

/// The copies in the brackets of a sentence: `(all members; one copy)`.
fn copies(words: &str) -> Option<f64> {
    if words.contains("one copy") {
        return Some(1.0);
    }
    let (before, _) = words.rsplit_once(" copies)")?;
    numbers(before).last().map(|count| count.value)
}

/// `Peak flags make programs 44 % faster than base flags (all members; one copy).`, and that no difference can be
/// told: the last column, which follows from the two before it.
pub(super) fn gain(sheet: &Sheet, words: &str, claim: Number) -> bool {
    let Some(copies) = copies(words) else { return false };
    let of = |head: &str| cell(sheet, words, (copies, head));
    let (Some(base), Some(peak), Some(told)) =
        (of("base").and_then(first), of("peak").and_then(first), of("Peak against base"))
    else {
        return false;
    };
    let all = numbers(told);
    let Some(gain) = all.first() else { return false };
    let is_so = match words {
        words if words.contains(" faster ") => gain.value > 0.0,
        words if words.contains(" slower ") => gain.value < 0.0,
        _ => true,
    };
    let is_told = all.iter().any(|number| number.value.abs() == claim.value.abs());
    is_so && is_told && meet(peak.over(base), gain.ratio(Less::No))
}

/// `2 copies do 1.97 times the work of one (all members; base flags).`
pub(super) fn scaled(sheet: &Sheet, words: &str, claim: Number) -> bool {
    let of = |copies| cell(sheet, words, (copies, "base")).and_then(first);
    let most = first(words).and_then(|count| of(count.value));
    most.zip(of(1.0)).is_some_and(|(most, one)| meet(most.over(one), claim.range()))
}
