//! Response times in sentences, each looked up in the row of a table that has it.

use super::number::{Number, meet, numbers};
use super::sheet::{Grid, Sheet, value};

/// What is no number of the run: the limits of rules, and what the method says of others.
const CONSTANTS: [&str; 3] = ["ithin ", "≤ ", "<="];
const OF_THE_METHOD: &str = "Limits of 15 and 20 ms are usual";

/// Units in a sentence, in milliseconds.
const UNITS: [(&str, f64); 3] = [("ms", 1.0), ("µs", 1e-3), ("s", 1e3)];

/// A time in a sentence: the number, its length in milliseconds, and the words before it.
struct Time<'s> {
    number: Number,
    ms: [f64; 2],
    before: &'s str,
}

/// The times of a sentence but for constants.
fn times(sentence: &str) -> Vec<Time<'_>> {
    let of = |number: Number| {
        let at = sentence.char_indices().nth(number.at).map_or(0, |(at, _)| at);
        let (before, rest) = sentence.split_at(at);
        let word = rest.split(' ').nth(1)?.trim_end_matches(['.', ',', ';', ':', ')']);
        let (_, length) = UNITS.iter().find(|(unit, _)| *unit == word)?;
        let is_constant = CONSTANTS.iter().any(|words| before.ends_with(words));
        let ms = number.range().map(|end| end * length);
        (!is_constant).then_some(Time { number, ms, before })
    };
    numbers(sentence).into_iter().filter_map(of).collect()
}

/// If a cell of a table in milliseconds, or in microseconds, can be this time.
fn is_told(time: &Time<'_>, cell: Option<Number>) -> bool {
    let units = [1.0, 1e-3];
    cell.is_some_and(|cell| {
        units.iter().any(|unit| meet(time.ms, cell.range().map(|end| end * unit)))
    })
}

/// The cell of a column in the row of a load.
fn at_row(grid: &Grid, load: Number, column: &str) -> Option<Number> {
    let mut rows =
        grid.rows.iter().filter(|row| value(row, 0).is_some_and(|set| set.value == load.value));
    value(rows.next()?, grid.column(column)?)
}

/// `the peak of S is 13 % above what it sustains within 15 ms, with a mean response time of 24.9 ms`.
fn at_the_peak(sheet: &Sheet, sentence: &str, time: &Time<'_>) -> bool {
    let series = sheet.series().into_iter().find(|name| sentence.contains(name));
    let Some((series, points)) = series.and_then(|name| Some((name, sheet.loads(name)?))) else {
        return false;
    };
    // `1,000 at 64 outstanding I/Os`, `1,000 at 64 per target (128 in total)`
    let loads = sheet.with(&["Series", "Peak"]).flat_map(|grid| {
        let column = grid.column("Peak").expect("a column");
        let cells = grid.named(series).filter_map(move |row| row.get(column));
        cells.map(|cell| numbers(cell)[1..].to_vec()).collect::<Vec<_>>()
    });
    loads.into_iter().any(|loads| {
        let Some(load) = loads.first().copied() else { return false };
        let total = loads.get(1).filter(|total| total.value > load.value).unwrap_or(&load).value;
        is_told(time, at_row(&points, load, "Mean"))
            || is_of_full_queue(time, total, at_row(&points, load, "IO/s"))
    })
}

/// Whether a time is that of a full queue of this length at this rate: what a search says of its visits.
fn is_of_full_queue(time: &Time<'_>, total: f64, rate: Option<Number>) -> bool {
    rate.is_some_and(|rate| {
        let [low, high] = rate.range();
        meet(time.ms, [1e3 * total / high, 1e3 * total / low])
    })
}

/// `at 500 offered IO/s, a few long waits make the mean response time of 23 ms: half of the I/Os take 3.11 ms at
/// most, nine in ten less than the mean, and one in a hundred 446 ms or more`.
fn of_long_waits(sheet: &Sheet, sentence: &str, time: &Time<'_>) -> bool {
    let Some((series, rest)) = sentence.split_once(": at ") else { return false };
    let Some(load) = numbers(rest).first().copied() else { return false };
    let Some(points) = sheet.loads(series) else { return false };
    let column = match () {
        () if time.before.ends_with("mean response time of ") => "Mean",
        () if time.before.ends_with("take ") => "p50",
        () => "p99",
    };
    let at = |column| at_row(&points, load, column);
    let is_below =
        matches!((at("p90"), at("Mean")), (Some(p90), Some(mean)) if p90.value < mean.value);
    is_below && is_told(time, at(column))
}

/// `At the load that was asked for the mean response time is 13.7 ms; at the rule the system sustains 12,160 IO/s`.
fn of_a_sizing(sheet: &Sheet, sentence: &str, time: &Time<'_>) -> bool {
    sheet.with(&["System", "Headroom", "Margin"]).any(|grid| {
        grid.rows.first().is_some_and(|row| {
            sentence.contains(row[0].as_str())
                && (1..row.len()).any(|column| is_told(time, value(row, column)))
        })
    })
}

/// How many times of a sheet are in its tables, and which are not. A sentence of an unknown kind is a fault.
pub(crate) fn told_times(sheet: &Sheet) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    let sentences = sheet.sentences.iter().filter(|sentence| !sentence.contains(OF_THE_METHOD));
    for sentence in sentences {
        for time in times(sentence) {
            let holds = match sentence.as_str() {
                words if words.contains(" above what it sustains ") => {
                    at_the_peak(sheet, words, &time)
                }
                words if words.contains("a few long waits") => of_long_waits(sheet, words, &time),
                words if words.contains("The fewest drives") => of_a_sizing(sheet, words, &time),
                // How long points were measured is in no table.
                words if words.contains("warm-up took ") => true,
                words if words.contains("ach load was measured for ") => true,
                _ => false,
            };
            count += 1;
            if !holds {
                wrong.push(format!("{}: {sentence}", time.number.value));
            }
        }
    }
    (count, wrong)
}
