//! How the percentages and multiples of each kind of sentence follow from the tables.

use super::number::{Less, Number, Unit, first, meet, numbers};
use super::sheet::{Grid, Sheet, value};
use super::{members, sessions};

/// If a claim follows from the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The number is a setting or a count.
    NoClaim,
    Holds,
    Wrong,
}

/// A sentence with one of its claims.
pub(super) struct Said<'s> {
    pub(super) sheet: &'s Sheet,
    pub(super) words: &'s str,
    pub(super) claim: Number,
}

/// A kind of sentence: words by which it is known, and if a claim in it follows.
type Kind = (&'static [&'static str], fn(&Said<'_>) -> bool);

/// The first that fits counts.
const KINDS: [Kind; 23] = [
    (&["Peak flags make programs ", "between peak and base flags"], |said| {
        members::gain(said.sheet, said.words, said.claim)
    }),
    (&[" times the work of one ("], |said| members::scaled(said.sheet, said.words, said.claim)),
    (&["for each session, within "], sessions::memory),
    (&[" times as much from "], from_level_to_level),
    (&["Headroom", "The fewest drives"], sizing),
    (&[" that they may use, and memory would be full"], sessions::processors),
    (&[" combinations, ", " varied: ", "Every load was measured"], count_or_scatter),
    (&["throughput falls from ", "at the highest load, from "], between_two_rates),
    (&["from its peak when overloaded"], below_the_peak),
    (&[" as fast as ", " as much data as ", " as many "], of_two_series),
    (&["the effect of "], under_a_condition),
    (&[" above what it sustains "], above_the_sustained),
    (&[" instead of "], effect),
    (&["still gain throughput"], last_step),
    (&[" deviate by "], deviation),
    (&["The simulated one deviates by "], deviation),
    (&[" as much as with ", " more than with ", " less than with "], of_two_configurations),
    (&["geometric mean of "], overall),
    (&["too close to be told apart"], named_changes),
    (&[" of the time"], busy),
    (&["reads and the rest writes", "random positions and the rest"], of_a_profile),
    (&["of each drive", "of it, multiply by "], level),
    (&[" than ", " as long as ", " as much as "], comparison),
];

/// Works a claim out again.
pub(crate) fn follows(sheet: &Sheet, words: &str, claim: Number) -> Verdict {
    let said = Said { sheet, words, claim };
    let kind = KINDS.iter().find(|(known, _)| known.iter().any(|known| words.contains(known)));
    if is_level(&said) || is_of_rule(&said) {
        return Verdict::NoClaim;
    }
    match kind {
        Some((_, follows)) if follows(&said) => Verdict::Holds,
        _ => Verdict::Wrong,
    }
}

impl Said<'_> {
    /// The words before the claim.
    fn before(&self) -> String {
        self.words.chars().take(self.claim.at).collect()
    }

    /// The words from the claim on.
    fn after(&self) -> String {
        self.words.chars().skip(self.claim.at).collect()
    }

    /// True if the claim can stand for this ratio.
    fn is(&self, ratio: [f64; 2]) -> bool {
        let rest = self.after();
        let part = rest.split([';', ':']).next().unwrap_or_default();
        let part =
            part.split(", ").next().unwrap_or_default().trim_end_matches('.').to_owned() + " ";
        let less = [" less ", " shorter ", "falls by"].iter();
        let is_less =
            less.clone().any(|word| part.contains(word)) || self.before().ends_with("falls by ");
        let claimed = self.claim.ratio(if is_less { Less::Yes } else { Less::No });
        meet(claimed, ratio)
    }

    /// The last series named before the claim, of all that the tables name, without its settings if it is
    /// named so.
    fn series(&self) -> Option<String> {
        let before = self.before();
        let names = self.sheet.series().into_iter();
        let bases =
            self.sheet.series().into_iter().map(|name| name.split(" [").next().unwrap_or(name));
        let known = names.chain(bases).filter_map(|name| Some((before.rfind(name)?, name)));
        known.max_by_key(|(at, name)| (*at, name.len())).map(|(_, name)| name.to_owned())
    }
}

/// `has 9,830 IO/s with ... multiply by 0.63: 6,190 IO/s`: the product follows from the sentence itself, and the
/// factor is in a table.
/// Nothing of another sentence.
pub(crate) fn multiplied(sheet: &Sheet, words: &str) -> Option<bool> {
    let at = words.find("multiply by ")?;
    let all = numbers(words);
    let rates: Vec<&Number> = all.iter().filter(|number| number.unit == Unit::Rate).collect();
    let factor = numbers(&words[at..]).first().copied()?;
    let [from, to] = rates[..] else { return Some(false) };
    let mut cells = sheet.grids.iter().flat_map(|grid| &grid.rows).flatten();
    let is_told = cells.any(|cell| first(cell).is_some_and(|number| number.value == factor.value));
    Some(is_told && meet(to.over(*from), factor.range()))
}

/// Levels of settings, and shares that are part of a name: `Disk stroke 8 %`.
fn is_level(said: &Said<'_>) -> bool {
    if said.claim.unit != Unit::Percent || said.claim.is_signed {
        return false;
    }
    let before = said.before();
    let head = said.words.split_once(": ").map_or("", |(head, _)| head);
    let is_head = said.claim.at < head.chars().count() && head.contains(" instead of ");
    let names = ["stroke ", "stroke=", "use ", "its data on ", "With data on "];
    (is_head || names.iter().any(|name| before.ends_with(name))) && level(said)
}

/// `mean ≤ 2 times that at load 1`: the limit of a rule.
fn is_of_rule(said: &Said<'_>) -> bool {
    let is_limit = said.before().ends_with("≤ ");
    is_limit && said.claim.unit == Unit::Times && said.after().contains(" times that at load ")
}

/// A level that was varied.
fn level(said: &Said<'_>) -> bool {
    let grids = said.sheet.with(&["Setting", "Levels"]);
    let levels: Vec<&str> =
        grids.flat_map(|grid| &grid.rows).flat_map(|row| row[1].split(", ")).collect();
    levels.iter().filter_map(|level| first(level)).any(|level| level.value == said.claim.value)
}

/// `from 16,270 IO/s at 64 to 11,820 IO/s (-27 %)`.
fn between_two_rates(said: &Said<'_>) -> bool {
    let all = numbers(said.words);
    let rates: Vec<&Number> =
        all.iter().filter(|one| one.unit == Unit::Rate && one.at < said.claim.at).collect();
    matches!(rates[..], [.., from, to] if said.is(to.over(*from)))
}

/// `throughput falls by 29 % from its peak when overloaded (at 256 outstanding I/Os)`, of each series.
fn below_the_peak(said: &Said<'_>) -> bool {
    let Some((names, rest)) = said.words.split_once(": throughput falls by ") else { return false };
    let Some(load) = rest.split_once("(at ").and_then(|(_, load)| first(load)) else {
        return false;
    };
    let of_series = |name: &str| {
        let Some(grid) = said.sheet.loads(name) else { return false };
        let at_load =
            grid.rows.iter().find(|row| value(row, 0).is_some_and(|set| set.value == load.value));
        let Some(row) = at_load else { return false };
        grid.rates().into_iter().any(|column| {
            let Some(fallen) = value(row, column) else { return false };
            let most = grid.usable().filter_map(|row| value(row, column));
            let most = most.max_by(|a, b| a.value.total_cmp(&b.value));
            let peaks = most.into_iter().chain(peaks(said.sheet, name));
            peaks.into_iter().any(|peak| said.is(fallen.over(peak)))
        })
    };
    split_names(names).iter().all(|name| of_series(name))
}

/// Names of series with settings, which have commas themselves.
fn split_names(names: &str) -> Vec<String> {
    names
        .split("], ")
        .map(|name| match name.contains('[') && !name.ends_with(']') {
            true => format!("{name}]"),
            false => name.to_owned(),
        })
        .collect()
}

/// The peak of a series in the table of the key figures.
fn peaks(sheet: &Sheet, name: &str) -> Vec<Number> {
    let grids = sheet.with(&["Series", "Peak"]);
    let column = |grid: &Grid| grid.column("Peak");
    grids
        .flat_map(|grid| {
            grid.named(name).filter_map(|row| value(row, column(grid)?)).collect::<Vec<_>>()
        })
        .collect()
}

/// All that is known of the throughput of a series at its peak, or at its one load, in tables with the
/// same columns.
fn tops(sheet: &Sheet, name: &str) -> Vec<(String, Number)> {
    let mut all: Vec<(String, Number)> =
        peaks(sheet, name).into_iter().map(|peak| ("Peak".to_owned(), peak)).collect();
    if let Some(grid) = sheet.loads(name) {
        for column in grid.rates() {
            let known = grid.usable().filter_map(|row| value(row, column));
            let most = known.max_by(|a, b| a.value.total_cmp(&b.value));
            all.extend(most.map(|most| (grid.heads[column].clone(), most)));
        }
    }
    all
}

/// `A / B: peak reads are 3.03 times (2.96 to 3.11) as fast as peak writes`.
fn of_two_series(said: &Said<'_>) -> bool {
    let Some((names, _)) = said.words.split_once(": ") else { return false };
    let Some((fast, slow)) = names.split_once(" / ") else { return false };
    let [fast, slow] = [fast, slow].map(|name| tops(said.sheet, name));
    let follows = fast.iter().any(|(head, fast)| {
        let slow = slow.iter().filter(|(other, _)| other == head);
        slow.into_iter().any(|(_, slow)| said.is(fast.over(*slow)))
    });
    follows && is_within(said)
}

/// The interval behind a claim holds it.
fn is_within(said: &Said<'_>) -> bool {
    let rest = said.after();
    let ends: Vec<Number> =
        numbers(&rest).into_iter().filter(|number| number.is_aside).take(2).collect();
    match ends[..] {
        [low, high] => {
            let [least, most] = said.claim.range();
            low.range()[0] <= most && high.range()[1] >= least && low.value <= high.value
        }
        _ => true,
    }
}

/// `RAID-10 instead of RAID-5: oltp/16KiB +57 % (+55 % to +60 %), ...`: the row of the effect.
fn effect(said: &Said<'_>) -> bool {
    let Some((head, _)) = said.words.split_once(": ") else { return false };
    let Some((to, from)) = head.split_once(" instead of ") else { return false };
    let Some(series) = said.series() else { return false };
    let is_level = |words: &str, level: &str| {
        let (words, level) = (words.to_lowercase(), level.to_lowercase());
        words.ends_with(&level) || words.starts_with(&format!("{level} "))
    };
    let mut grids = said.sheet.with(&["Series", "From", "To", "Change"]);
    let is_told = grids.any(|grid| {
        let [first, last, change] =
            ["From", "To", "Change"].map(|head| grid.column(head).expect("a column"));
        grid.named(&series).any(|row| {
            is_level(to, &row[last]) && is_level(from, &row[first]) && is_in(said, &row[change])
        })
    });
    is_told || effect_over_levels(said, [to, from], &series)
}

/// The same in the table over the levels of the only setting, whose first level is the base.
fn effect_over_levels(said: &Said<'_>, ends: [&str; 2], series: &str) -> bool {
    let [to, from] = ends.map(|end| first(end).map(|number| number.value));
    let is_at = |row: &[String], level: Option<f64>| {
        level.is_some() && value(row, 1).map(|number| number.value) == level
    };
    said.sheet.with(&["Series", "Against the first", "Significant"]).any(|grid| {
        let column = grid.column("Against the first").expect("a column");
        let is_base = grid.named(series).next().is_some_and(|row| is_at(row, from));
        is_base && grid.named(series).any(|row| is_at(row, to) && is_in(said, &row[column]))
    })
}

/// The claim is the number of this cell, or, in brackets, an end of its interval: `±8.8 %`, `-15 % to +76 %`.
fn is_in(said: &Said<'_>, cell: &str) -> bool {
    let all = numbers(cell);
    if !said.claim.is_aside {
        return all.first().is_some_and(|number| said.is(number.ratio(Less::No)));
    }
    // The interval is that of the change before it.
    let mut before = numbers(said.words).into_iter().filter(|number| number.at < said.claim.at);
    let change = before.rfind(|number| !number.is_aside && number.unit == said.claim.unit);
    let of_change = change.is_some_and(|claim| is_in(&Said { claim, ..*said }, cell));
    of_change && is_end(said, &all, cell)
}

fn is_end(said: &Said<'_>, all: &[Number], cell: &str) -> bool {
    match *all {
        [change, half] if cell.contains('±') => [-1.0, 1.0].into_iter().any(|side| {
            let (value, half) = (change.value + side * half.value, change.half + half.half);
            said.is(Number { value, half, ..change }.ratio(Less::No))
        }),
        _ => all.iter().skip(1).any(|number| said.is(number.ratio(Less::No))),
    }
}

/// `the effect of RAID-10 depends on the write cache: +60 % with write cache off, ...`: two series that
/// differ in one setting.
fn under_a_condition(said: &Said<'_>) -> bool {
    let Some((head, rest)) = said.words.split_once(": the effect of ") else { return false };
    let Some((series, judge)) = head.rsplit_once(", ") else { return false };
    // The other side of it stands behind.
    let before = said.before();
    let rest = before.split_once("; in turn, the effect of ").map_or(rest, |(_, other)| other);
    let changed = normal(rest.split(" depends on ").next().unwrap_or_default());
    let condition = said.after();
    let condition = condition.split_once(" with ").map_or("", |(_, rest)| rest);
    let condition = normal(condition.split([',', '.', ';']).next().unwrap_or_default());
    said.sheet.grids.iter().any(|grid| {
        let columns = judged(grid, judge);
        let rows: Vec<_> = grid
            .rows
            .iter()
            .filter_map(|row| Some((settings(row.first()?, series)?, row)))
            .collect();
        rows.iter().any(|(to, after)| {
            rows.iter().filter(|(from, _)| differs_in_one(from, to, &changed, &condition)).any(
                |(_, before)| {
                    columns.iter().any(|column| {
                        match (value(after, *column), value(before, *column)) {
                            (Some(after), Some(before)) => said.is(after.over(before)),
                            _ => false,
                        }
                    })
                },
            )
        })
    })
}

/// The columns that a judge of series looks at: `throughput within 20 ms`.
fn judged(grid: &Grid, judge: &str) -> Vec<usize> {
    match judge {
        "peak throughput" => grid.column("Peak").into_iter().collect(),
        "throughput at the load that was set" => grid.rates(),
        _ => {
            let head = judge.trim_start_matches("throughput ");
            grid.column(head).into_iter().collect()
        }
    }
}

/// Letters and digits alone, in small letters.
fn normal(words: &str) -> String {
    words
        .chars()
        .filter(|letter| letter.is_alphanumeric() || *letter == '%')
        .flat_map(char::to_lowercase)
        .collect()
}

/// The settings of a series of this name.
fn settings(name: &str, base: &str) -> Option<Vec<(String, String)>> {
    let inner = name.strip_prefix(base)?.strip_prefix(" [")?.strip_suffix(']')?;
    let pair = |pair: &str| pair.split_once('=').map(|(key, level)| (normal(key), normal(level)));
    inner.split(", ").map(pair).collect()
}

/// The words of a level: `raid10`, `writecacheoff`.
fn words_of((key, level): &(String, String)) -> String {
    if level.starts_with(key) { level.clone() } else { format!("{key}{level}") }
}

/// One setting is another and has the level that is told, the others those of the condition.
fn differs_in_one(
    from: &[(String, String)],
    to: &[(String, String)],
    changed: &str,
    condition: &str,
) -> bool {
    let (same, other): (Vec<_>, Vec<_>) = to.iter().partition(|setting| from.contains(setting));
    other.len() == 1
        && changed.contains(&words_of(other[0]))
        && same.iter().all(|setting| condition.contains(&words_of(setting)))
}

/// `the peak of S is 7.3 % above what it sustains within 20 ms`.
fn above_the_sustained(said: &Said<'_>) -> bool {
    let Some(series) = said.series() else { return false };
    let after = said.after();
    let Some((_, rule)) = after.split_once(" above what it sustains ") else { return false };
    let rule = rule.split(", with a mean").next().unwrap_or_default();
    said.sheet.with(&["Series", "Peak"]).any(|grid| {
        let Some(column) = grid.column(rule) else { return false };
        let Some(peak) = grid.column("Peak") else { return false };
        grid.named(&series).any(|row| match (value(row, peak), value(row, column)) {
            (Some(peak), Some(within)) => said.is(peak.over(within)),
            _ => false,
        })
    })
}

/// `8 of 9 series still gain throughput at the highest load (+5.9 % to +14 %)`.
fn last_step(said: &Said<'_>) -> bool {
    said.sheet.series().iter().filter_map(|name| said.sheet.loads(name)).any(|grid| {
        grid.rates().into_iter().any(|column| {
            let known: Vec<Number> = grid.usable().filter_map(|row| value(row, column)).collect();
            matches!(known[..], [.., before, last] if said.is(last.over(before)))
        })
    })
}

/// Counts of repetitions; and their standard deviation at one load, in percent of their mean.
fn count_or_scatter(said: &Said<'_>) -> bool {
    if said.claim.unit == Unit::Times {
        return true;
    }
    let repeated = said.sheet.grids.iter().filter(|grid| grid.caption.contains("All points of "));
    repeated.into_iter().any(|grid| {
        let units = ["IO/s", "x ref"];
        let Some(column) = units.iter().find_map(|unit| grid.column(unit)) else { return false };
        let loads: std::collections::BTreeSet<&String> =
            grid.rows.iter().filter_map(|row| row.first()).collect();
        loads.into_iter().any(|load| {
            let rates: Vec<Number> =
                grid.named(load).filter_map(|row| value(row, column)).collect();
            rates.len() > 1 && meet(said.claim.range(), deviation_percent(&rates))
        })
    })
}

/// What the standard deviation of rounded numbers may be, in percent of their mean.
fn deviation_percent(rates: &[Number]) -> [f64; 2] {
    let count = rates.len() as f64;
    let mean = rates.iter().map(|rate| rate.value).sum::<f64>() / count;
    let squares = rates.iter().map(|rate| (rate.value - mean).powi(2)).sum::<f64>();
    let deviation = (squares / (count - 1.0)).sqrt();
    // Of repetitions with narrow intervals all digits are printed, zeros too.
    let half = rates.iter().map(|rate| rate.half.min(0.5)).fold(0.0, f64::max);
    [100.0 * (deviation - 1.3 * half).max(0.0) / mean, 100.0 * (deviation + 1.3 * half) / mean]
}

/// Half of the interval of a multiple, as it stands beside it in a table.
fn is_half(said: &Said<'_>) -> bool {
    let rest = said.after();
    let end = rest.find(|char: char| !char.is_ascii_digit() && char != '.');
    let half = format!("±{}", &rest[..end.unwrap_or(rest.len())]);
    said.sheet.grids.iter().flat_map(|grid| &grid.rows).flatten().any(|cell| cell.contains(&half))
}

/// `8.45 times as much from 12 to 120 drives`: two rows of the table of a setting.
fn from_level_to_level(said: &Said<'_>) -> bool {
    if said.before().trim_end().ends_with('±') {
        return is_half(said);
    }
    let Some(series) = said.series() else { return false };
    let after = said.after();
    let Some((_, levels)) = after.split_once(" from ") else { return false };
    let mut levels = levels.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let Some(ends) = levels.next().zip(levels.next()) else { return false };
    said.sheet.with(&["Throughput", "Against the first"]).any(|grid| {
        let at = |level: &str| {
            let row = grid.named(&series).find(|row| row[1] == level)?;
            value(row, grid.column("Throughput")?)
        };
        at(ends.0).zip(at(ends.1)).is_some_and(|(from, to)| said.is(to.over(from)))
    })
}

/// `deviate by 1.7 % on average, and by 2.6 % at most`: the column of errors.
fn deviation(said: &Said<'_>) -> bool {
    let grids: Vec<&Grid> = said.sheet.with(&["Published", "Simulated", "Error"]).collect();
    let errors: Vec<Number> = grids
        .iter()
        .flat_map(|grid| grid.rows.iter().filter_map(|row| value(row, grid.column("Error")?)))
        .collect();
    let sizes: Vec<f64> = errors.iter().map(|error| error.value.abs()).collect();
    let half = errors.iter().map(|error| error.half).fold(0.0, f64::max);
    let (mean, most) = (
        sizes.iter().sum::<f64>() / sizes.len().max(1) as f64,
        sizes.iter().copied().fold(0.0, f64::max),
    );
    let is_most = said.after().split(',').next().unwrap_or_default().contains("at most");
    let known = if is_most || sizes.len() == 1 { most } else { mean };
    meet(said.claim.range(), [known - half, known + half])
}

/// `Restore, 64 KiB: Disk cache on, 35 % more than with Disk cache off`: two columns of a row.
fn of_two_configurations(said: &Said<'_>) -> bool {
    let Some((name, _)) = said.words.split_once(": ") else { return false };
    let parts = said.before();
    let part = parts.rsplit("; ").next().unwrap_or_default().to_owned()
        + said.after().split("; ").next().unwrap_or_default();
    let is_meant = |head: &str| head.split(", ").all(|level| part.contains(level));
    said.sheet.grids.iter().any(|grid| {
        let meant: Vec<usize> =
            (1..grid.heads.len()).filter(|column| is_meant(&grid.heads[*column])).collect();
        let rows =
            grid.rows.iter().filter(|row| row.first().is_some_and(|first| first.starts_with(name)));
        rows.into_iter().any(|row| {
            let pairs = meant.iter().flat_map(|one| meant.iter().map(move |other| (one, other)));
            pairs.filter(|(one, other)| one != other).any(|(one, other)| {
                match (value(row, *one), value(row, *other)) {
                    (Some(one), Some(other)) => said.is(one.over(other)),
                    _ => false,
                }
            })
        })
    })
}

/// The changes of a run in a table that compares it: columns headed `Change` behind its own.
fn changes<'g>(grid: &'g Grid, words: &'g str) -> impl Iterator<Item = usize> + 'g {
    let runs = (1..grid.heads.len()).filter(|column| words.contains(&grid.heads[*column]));
    runs.filter(|column| grid.heads.get(column + 1).is_some_and(|head| head == "Change"))
        .map(|run| run + 1)
}

/// `S: after sustains 26 % (21 % to 31 %) less than before within 15 ms`: the row of the number.
fn comparison(said: &Said<'_>) -> bool {
    let Some(at) = said
        .words
        .find(" sustains ")
        .or_else(|| said.words.find("at equal load"))
        .or_else(|| said.words.find("at its peak "))
    else {
        return false;
    };
    let series = said.words[..at].to_owned();
    let told = &said.words[at..];
    let row_name = |row: &str| match () {
        () if told.starts_with(" sustains") => row
            .strip_prefix("Sustained ")
            .is_some_and(|rule| told.trim_end_matches('.').ends_with(rule)),
        () if told.contains("the mean response time") => row.starts_with("Mean response time"),
        () if told.contains(" response time of ") => {
            let name = told.split("the ").nth(1).and_then(|rest| rest.split(' ').next());
            name.is_some_and(|name| row.starts_with(&format!("Response time {name}")))
        }
        () if told.starts_with("at its peak") => row == "Peak",
        () => row.starts_with("Throughput"),
    };
    said.sheet
        .grids
        .iter()
        .filter(|grid| {
            let name = grid
                .caption
                .strip_suffix(": the runs side by side")
                .or_else(|| grid.caption.strip_suffix(": the runs side by side."));
            name.and_then(|name| name.rsplit(". ").next()).is_some_and(|name| series.contains(name))
        })
        .any(|grid| {
            grid.rows
                .iter()
                .filter(|row| row_name(&row[0]))
                .any(|row| changes(grid, said.words).any(|column| is_in(said, &row[column])))
        })
}

/// `after sustains 27 % (25 % to 29 %) less than before. That is the geometric mean of 3 series`: of the
/// first rows of the tables that compare, where both numbers are known.
fn overall(said: &Said<'_>) -> bool {
    if said.claim.is_aside {
        return true;
    }
    let Some(grid) = said.sheet.grids.first() else { return false };
    let is_named = |name: &str| {
        let words = said.words.split([' ', ',', ':']);
        said.words.starts_with(name) || words.into_iter().any(|word| word == name)
    };
    let run = (2..grid.heads.len()).filter(|column| is_named(&grid.heads[*column]));
    run.into_iter().any(|column| {
        let pairs = grid.rows.iter().filter_map(|row| Some((value(row, column)?, value(row, 1)?)));
        let exact = pairs.filter(|(run, reference)| !run.is_bound && !reference.is_bound);
        let ratios: Vec<[f64; 2]> = exact.map(|(run, reference)| run.over(reference)).collect();
        let mean = |end: usize| {
            let sum: f64 = ratios.iter().map(|ratio| ratio[end].ln()).sum();
            (sum / ratios.len().max(1) as f64).exp()
        };
        let is_counted = said.words.contains(&format!("mean of {} series", ratios.len()));
        is_counted && said.is([mean(0), mean(1)])
    })
}

/// `+67 % (file-server/64KiB) to +70 % (database/8KiB)`: each of the series named behind it.
fn named_changes(said: &Said<'_>) -> bool {
    let rest = said.after();
    let Some(name) = rest.split_once('(').and_then(|(_, rest)| rest.split(')').next()) else {
        return false;
    };
    said.sheet
        .grids
        .iter()
        .filter(|grid| grid.caption.contains(&format!("{name}: the runs side by side")))
        .any(|grid| {
            grid.rows.iter().any(|row| {
                (1..grid.heads.len())
                    .filter(|column| grid.heads[*column] == "Change")
                    .any(|column| is_in(said, &row[column]))
            })
        })
}

/// How busy the limiting part is: in the table of saturated series, or at least nearly always.
fn busy(said: &Said<'_>) -> bool {
    let text = format!("({} %)", said.claim.value);
    let grids = said.sheet.with(&["Series", "Limited by"]);
    let is_told =
        grids.flat_map(|grid| &grid.rows).any(|row| row.iter().any(|cell| cell.contains(&text)));
    is_told || (90.0..=100.0).contains(&said.claim.value)
}

/// A share of a load profile.
fn of_a_profile(said: &Said<'_>) -> bool {
    let grids = said.sheet.with(&["Series", "Read", "Random"]);
    let mut cells = grids.flat_map(|grid| &grid.rows).flatten();
    cells.any(|cell| {
        first(cell)
            .is_some_and(|share| share.unit == Unit::Percent && share.value == said.claim.value)
    })
}

/// `sustains 12,160 IO/s (+22 %)`, `a margin of 1.0 %`, `drives 100 % busy`: a row of the table.
fn sizing(said: &Said<'_>) -> bool {
    let head = if said.claim.is_signed { "Headroom" } else { "Margin" };
    let is_there = |cell: &String| {
        let mut known = numbers(cell).into_iter();
        known.any(|one| one.unit == Unit::Percent && one.value == said.claim.value)
    };
    let is_busy = said.after().contains(" busy");
    said.sheet.with(&["System", "Headroom", "Margin"]).any(|grid| {
        let column = grid.column(head).unwrap_or_default();
        let rates = numbers(said.words).into_iter().filter(|number| number.unit == Unit::Rate);
        let rates: Vec<f64> = rates.map(|rate| rate.value).collect();
        let is_of = |cell: &String| first(cell).is_some_and(|number| rates.contains(&number.value));
        let mut rows = grid.rows.iter().filter(|row| row.iter().any(is_of));
        rows.any(|row| if is_busy { row.iter().any(is_there) } else { is_there(&row[column]) })
    })
}
