//! No number is in two tables of one chapter: on the page of every case, and on the examples.
//!
//! In the chapters that are read, a number with a unit (of three digits or more) is in one table for what it is
//! a number of: the series in the first cell of its row, or in the caption, or else what the row is called. An
//! appendix has the same series at many loads, where numbers are equal by chance: there no row of a table may
//! repeat two numbers of a row of another one. Numbers of a class of operations are others than those of all, and
//! means of repeated measurements others than those of each: their table must hold nothing that was measured once.

use std::collections::BTreeSet;

use scraper::{ElementRef, Html, Selector};

/// A table as it is read.
struct Grid {
    caption: String,
    /// Head of each column behind that of its group.
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A number with its unit, of something.
type Told = (String, String);

/// Units of which numbers are compared.
const UNITS: [&str; 7] = ["IO/s", "MiB/s", "op/s", "x ref", "ms", "µs", " s"];

/// Heads of columns that hold the names of series.
const SERIES: [&str; 2] = ["Series", "Messreihe"];

fn select(what: &str) -> Selector {
    Selector::parse(what).expect("a selector")
}

/// The words of an element, without small print and the meanings of terms.
fn words(element: ElementRef<'_>) -> String {
    let mut words = String::new();
    for node in element.descendants() {
        let is_aside = node
            .ancestors()
            .filter_map(ElementRef::wrap)
            .any(|one| one.value().name() == "small" || one.value().attr("class") == Some("gloss"));
        if let (Some(text), false) = (node.value().as_text(), is_aside) {
            words.push_str(text);
        }
    }
    words.replace('\u{a0}', " ").trim().to_owned()
}

fn grid(figure: ElementRef<'_>) -> Grid {
    let caption = figure.select(&select("figcaption")).next().map(words).unwrap_or_default();
    let mut groups: Vec<String> = Vec::new();
    for over in figure.select(&select("thead tr:nth-last-child(2) > *")) {
        let span = over.value().attr("colspan").and_then(|span| span.parse().ok());
        groups.extend(std::iter::repeat_n(words(over), span.unwrap_or(1)));
    }
    let last = select("thead tr:last-child > th");
    let heads = figure.select(&last).map(words).enumerate();
    let heads = heads.map(|(column, head)| {
        let group = groups.get(column).map(String::as_str).unwrap_or_default();
        format!("{group} {head}").trim().to_owned()
    });
    let row = |row: ElementRef<'_>| row.select(&select("th, td")).map(words).collect();
    let rows = figure.select(&select("tbody tr")).map(row).collect();
    Grid { caption, heads: heads.collect(), rows }
}

/// The number that a cell is, with three digits or more, and its sign.
fn number(cell: &str) -> Option<String> {
    if cell.contains('%') {
        return None;
    }
    let cell = cell.trim_start_matches(['≥', '≤', '<', '×', '~', '+', ' ', '\u{2212}']);
    let first = cell.split(' ').next()?;
    let digits = first.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_number = first.chars().all(|c| c.is_ascii_digit() || ".,\u{202f}".contains(c));
    (is_number && digits.trim_start_matches('0').len() >= 3).then(|| first.to_owned())
}

fn unit_of(words: &str) -> Option<&'static str> {
    let is_in = |unit: &&&str| {
        words.ends_with(**unit) || words.contains(&format!("{} ", unit)) || words == unit.trim()
    };
    UNITS.iter().find(is_in).copied()
}

impl Grid {
    /// If the table is of classes of operations.
    fn is_of_class(&self, column: usize) -> bool {
        let classes = ["Reads", "Writes", "Lesen", "Schreiben"];
        let is_class = |head: &String| ["Response class", "Antwortklasse"].contains(&head.as_str());
        classes.iter().any(|class| self.heads[column].starts_with(class))
            || self.heads.iter().any(is_class)
    }

    /// The numbers of each row, each with its unit, and what they are of.
    fn told(&self, series: &[String]) -> Vec<(String, BTreeSet<Told>)> {
        let named = series.iter().find(|name| self.caption.contains(name.as_str()));
        let is_of_series = self.heads.first().is_some_and(|head| SERIES.contains(&head.as_str()));
        let row = |row: &Vec<String>| {
            let first = row.first().cloned().unwrap_or_default();
            let subject = match (is_of_series, named) {
                (false, Some(named)) => named.clone(),
                _ => first,
            };
            let cells = row.iter().enumerate().skip(1);
            let cells = cells.filter(|(column, _)| !self.is_of_class(*column));
            let told = cells.filter_map(|(column, cell)| {
                let unit = unit_of(cell)
                    .or_else(|| unit_of(&self.heads[column]))
                    .or_else(|| unit_of(&self.caption))?;
                Some((number(cell)?, unit.to_owned()))
            });
            (subject, told.collect())
        };
        self.rows.iter().map(row).collect()
    }
}

/// The names of all series of a page, the longest first.
fn series_of(page: &Html) -> Vec<String> {
    let figures = select("figure.table");
    let tables = page.select(&figures).map(grid);
    let named = tables
        .filter(|grid| grid.heads.first().is_some_and(|head| SERIES.contains(&head.as_str())));
    let mut series: Vec<String> =
        named.flat_map(|grid| grid.rows).filter_map(|row| row.first().cloned()).collect();
    let headings = select("h3, h4");
    let headings = page.select(&headings).map(words).filter(|name| name.contains('/'));
    let number = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == ' ';
    series.extend(headings.map(|name| name.trim_start_matches(number).to_owned()));
    series.sort_by_key(|name| std::cmp::Reverse(name.len()));
    series
}

/// Begins the captions of the tables of means, and of all measurements.
const MEANS: [[&str; 2]; 2] =
    [["Results of ", "All points of "], ["Ergebnisse von ", "Alle Messpunkte von "]];

/// The series of a table of means, and how the table of all its measurements begins.
fn of_means(grid: &Grid) -> Option<(String, &'static str)> {
    MEANS.iter().find_map(|[means, all]| {
        let (_, series) = grid.caption.split_once(means)?;
        Some((series.split(". ").next()?.trim_end_matches('.').to_owned(), *all))
    })
}

/// The loads of a table of means that were measured once.
fn measured_once(means: &Grid, grids: &[Grid]) -> Vec<String> {
    let Some((series, all)) = of_means(means) else { return Vec::new() };
    let all = grids.iter().find(|grid| grid.caption.contains(&format!("{all}{series}")));
    let count = |load: &String| {
        all.map_or(0, |all| all.rows.iter().filter(|row| row.first() == Some(load)).count())
    };
    let loads = means.rows.iter().filter_map(|row| row.first());
    let once = loads.filter(|load| count(load) < 2);
    once.map(|load| format!("{}: {load} was measured once", means.caption)).collect()
}

/// What two tables of a chapter both say, in rows that share more than `most` numbers.
fn shared(grids: &[&Grid], series: &[String], most: usize) -> Vec<String> {
    let told: Vec<_> = grids.iter().map(|grid| grid.told(series)).collect();
    let mut found = Vec::new();
    for (index, one) in told.iter().enumerate() {
        for (other, rows) in told.iter().enumerate().skip(index + 1) {
            let pairs = one.iter().flat_map(|row| rows.iter().map(move |other| (row, other)));
            let alike = pairs.filter(|((subject, _), (of, _))| subject == of);
            let both = alike.map(|((subject, told), (_, again))| {
                let both =
                    told.intersection(again).map(|(number, unit)| format!("{number} {unit}"));
                (subject, both.collect::<Vec<_>>())
            });
            let captions = [&grids[index].caption, &grids[other].caption];
            found.extend(
                both.filter(|(_, both)| both.len() > most).map(|(subject, both)| {
                    format!("{subject}: {} in {captions:?}", both.join(", "))
                }),
            );
        }
    }
    found
}

/// A chapter, and if it is folded; of the details of a part of a campaign each that is a chapter in the report on
/// that run alone.
fn chapters_of(chapter: ElementRef<'_>) -> Vec<(ElementRef<'_>, bool)> {
    let has = |name: &str, words: &str| {
        chapter.value().attr(name).is_some_and(|value| value.contains(words))
    };
    let is_folded = has("class", "folded");
    match is_folded && has("id", "part-") && has("id", "-details") {
        true => chapter.select(&select("section.part")).map(|part| (part, true)).collect(),
        false => vec![(chapter, is_folded)],
    }
}

/// What two tables of a chapter both say.
fn repeated(page: &str) -> Vec<String> {
    let page = Html::parse_document(page);
    let series = series_of(&page);
    let mut found = Vec::new();
    for (chapter, is_folded) in page.select(&select("section.chapter")).flat_map(chapters_of) {
        let title = chapter.select(&select("h2, h3")).next().map(words).unwrap_or_default();
        let grids: Vec<Grid> = chapter.select(&select("figure.table")).map(grid).collect();
        let is_compared = |grid: &&Grid| !is_folded || of_means(grid).is_none();
        let compared: Vec<&Grid> = grids.iter().filter(is_compared).collect();
        let most = usize::from(is_folded);
        let once = grids.iter().flat_map(|means| measured_once(means, &grids));
        let all = shared(&compared, &series, most).into_iter().chain(once);
        found.extend(all.map(|found| format!("{title}: {found}")));
    }
    found
}

mod tests {
    use super::super::cases::Case;
    use super::super::registry::{COMPOSED, TEXTS};
    use super::super::rounds::{COMPOSED_OF_ROUNDS, OF_ROUNDS};
    use super::super::{Language, html, page_of};
    use super::repeated;

    /// More faults than these say no more.
    const SHOWN_MAX: usize = 40;

    /// Every case that a sentence has, once.
    pub(crate) fn cases() -> Vec<Case> {
        let composed = COMPOSED.iter().chain(COMPOSED_OF_ROUNDS);
        let composed = composed.flat_map(|(_, _, told, untold)| [*told, *untold]);
        let all = TEXTS
            .iter()
            .chain(OF_ROUNDS)
            .flat_map(|(_, told, untold)| [*told, *untold])
            .chain(composed);
        let mut cases: Vec<Case> = Vec::new();
        for case in all {
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        cases
    }

    #[test]
    fn no_number_is_in_two_tables_of_a_chapter() {
        let mut wrong = Vec::new();
        for case in cases() {
            for language in [Language::English, Language::German] {
                let found = repeated(&html(&page_of(case, language)));
                wrong.extend(found.into_iter().map(|found| format!("{case:?}: {found}")));
            }
        }
        wrong.truncate(SHOWN_MAX);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn no_number_is_in_two_tables_of_a_chapter_of_an_example() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
        let entries = std::fs::read_dir(folder).expect("examples");
        let (mut pages, mut wrong) = (0, Vec::new());
        for path in entries.map(|entry| entry.expect("a file").path()) {
            if path.extension().is_some_and(|end| end == "html") {
                pages += 1;
                let found = repeated(&std::fs::read_to_string(&path).expect("a page"));
                wrong.extend(found.into_iter().map(|found| format!("{}: {found}", path.display())));
            }
        }
        wrong.truncate(SHOWN_MAX);
        assert!(pages > 10 && wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The check of the check: tables that say the same.
    #[test]
    fn a_number_that_is_repeated_is_noticed() {
        let table = |caption: &str, head: &str, cell: &str| {
            format!(
                "<figure class=\"table\"><figcaption>{caption}</figcaption><table><thead><tr><th>Series\
                 </th><th>{head}</th></tr></thead><tbody><tr><th>a/8KiB</th><td>{cell}</td></tr></tbody>\
                 </table></figure>"
            )
        };
        let page = |class: &str, tables: [String; 2]| {
            format!(
                "<section class=\"chapter{class}\"><h2>2 Numbers</h2>{}</section>",
                tables.concat()
            )
        };
        let best = || table("Best, in IO/s", "Best", "1,136");
        for other in [
            table("Effects", "IO/s", "1,136"),
            table("Effects", "after", "≥ 1,136 IO/s<small>±3 %</small>"),
        ] {
            assert_eq!(repeated(&page("", [best(), other])).len(), 1);
        }
        for other in [
            table("Effects", "MiB/s", "1,136"),
            table("Effects", "IO/s", "1,137"),
            table("Counts", "I/Os", "1,136"),
            table("Effects", "IO/s", "12<small>1,136</small>"),
        ] {
            assert_eq!(repeated(&page("", [best(), other])), Vec::<String>::new());
        }
        let details = |between: &str| {
            let (heads, cells) = ("IO/s</th><th>IO/s", "1,136</td><td>9,999");
            let tables = ["Best", "Effects"].map(|caption| table(caption, heads, cells));
            format!(
                "<section class=\"chapter folded\" id=\"part-1-details\"><h2>3 Details</h2><section class=\"part\">\
                 {}</section></section>",
                tables.join(between)
            )
        };
        assert_eq!(repeated(&details("")).len(), 1, "within what is a chapter of its run");
        assert_eq!(repeated(&details("</section><section class=\"part\">")), Vec::<String>::new());
        let same = table("Effects", "IO/s", "1,136");
        assert_eq!(repeated(&page(" folded", [best(), same])), Vec::<String>::new());
    }
}

pub(crate) use tests::cases;
