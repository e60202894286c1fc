//! The example reports say what their own tables say, and stay small.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A page of a few hundred points is no larger.
const BYTES_MAX: usize = 1_000_000;

/// The pages that are checked in, with their names.
fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<(String, String)> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "html"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    pages.sort();
    pages
}

/// What is between two signs, each time that they follow.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    let parts = text.split(open).skip(1);
    parts.filter_map(|part| part.split_once(close).map(|(inner, _)| inner)).collect()
}

/// The words of a piece of a page: without drawings, marks and the signs that stand for others.
fn words(html: &str) -> String {
    let mut pieces = html.split("<svg");
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    pieces.for_each(|piece| kept += piece.split_once("</svg>").map_or("", |(_, rest)| rest));
    let kept = kept.replace("<wbr>", "").replace("<small>", " <small>");
    let mut words = String::new();
    for piece in kept.split('<') {
        words += piece.split_once('>').map_or(piece, |(_, rest)| rest);
    }
    let plain = words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    plain.replace('\u{a0}', " ").replace('\u{2212}', "-")
}

/// The cells of a row or of a head, the names of rows included.
fn cells(row: &str) -> Vec<String> {
    let marked = row.replace("<th", "<td").replace("</th>", "</td>");
    let cells = marked.split("<td").skip(1);
    cells.map(|cell| words(&format!("<td{}", cell.split("</td>").next().unwrap_or(cell)))).collect()
}

/// A number as a report writes it, and half of the last place that is printed of it.
fn number(cell: &str, is_german: bool) -> Option<(f64, f64)> {
    let text: String = match is_german {
        true => cell.trim().replace('\u{202f}', "").replace(',', "."),
        false => cell.trim().replace(',', ""),
    };
    let value = text.parse().ok()?;
    let places = match text.split_once('.') {
        Some((_, decimals)) => -(decimals.len() as i32),
        None => (text.len() - text.trim_end_matches('0').len()) as i32,
    };
    Some((value, 0.5 * 10f64.powi(places)))
}

/// A table of all points of a series, and where its columns are.
struct Points {
    caption: String,
    block_mib: f64,
    ms: f64,
    rate: usize,
    volume: usize,
    response: usize,
    achieved: Option<usize>,
    total: Option<usize>,
    rows: Vec<Vec<String>>,
}

impl Points {
    /// Reads a table; nothing if it is another one.
    fn of(figure: &str) -> Option<Self> {
        let caption = words(between(figure, "<figcaption>", "</figcaption>").first()?);
        let (_, series) = caption
            .split_once("All points of ")
            .or_else(|| caption.split_once("Alle Messpunkte von "))?;
        let size = series.split([' ', '[']).next()?.split_once('/')?.1;
        let unit = size.find(|letter: char| letter.is_ascii_alphabetic())?;
        let bytes: f64 = size[..unit].parse().ok()?;
        let (head, body) = figure.split_once("<tbody>")?;
        let heads: Vec<String> = between(head, "<th scope=\"col\"", "</th>")
            .iter()
            .map(|cell| words(&format!("<th{cell}")))
            .collect();
        let over = words(head);
        let place = |names: &[&str]| heads.iter().position(|head| names.contains(&head.as_str()));
        let rate = place(&["IO/s"])?;
        let achieved = heads.iter().take(rate).position(|head| {
            head.starts_with("Achieved")
                || head.starts_with("Erreicht")
                || head == "Outstanding I/Os"
        });
        Some(Self {
            block_mib: bytes / if size.ends_with("KiB") { 1024.0 } else { 1.0 },
            ms: if over.contains(" in µs") { 1e-3 } else { 1.0 },
            rate,
            volume: place(&["MiB/s"])?,
            response: place(&["Mean", "Mittel"])?,
            achieved,
            total: place(&["in total", "insgesamt"]),
            rows: between(body, "<tr>", "</tr>").into_iter().map(cells).collect(),
            caption,
        })
    }

    /// What is wrong with a row: throughput is that of blocks, and of as many I/Os as wait.
    fn wrong(&self, row: &[String], is_german: bool) -> Vec<String> {
        let at = |column: usize| number(&row[column], is_german);
        let (Some(rate), Some(volume), Some(time)) =
            (at(self.rate), at(self.volume), at(self.response))
        else {
            return Vec::new();
        };
        let mut wrong = Vec::new();
        let off = (rate.0 * self.block_mib - volume.0).abs();
        if off > 1.0001 * (rate.1 * self.block_mib + volume.1) {
            wrong.push(format!("{}: {row:?}: IO/s times the block", self.caption));
        }
        let targets = match (self.total.and_then(at), at(0)) {
            (Some(total), Some(load)) => (total.0 / load.0).round(),
            _ => 1.0,
        };
        let seconds = [time.0, time.1].map(|time| time * self.ms / 1e3 / targets);
        if let Some(achieved) = self.achieved.and_then(at) {
            let off = (rate.0 * seconds[0] - achieved.0).abs();
            let slack = rate.1 * seconds[0] + rate.0 * seconds[1] + achieved.1;
            if off > 1.0001 * slack {
                wrong.push(format!("{}: {row:?}: IO/s times the response time", self.caption));
            }
        }
        wrong
    }
}

/// How many rows of points a page has, and what is wrong with them.
fn check_rows(name: &str, page: &str) -> (usize, Vec<String>) {
    let is_german = name.contains(".de.");
    let tables = between(page, "<figure class=\"table\">", "</figure>");
    let tables: Vec<Points> = tables.into_iter().filter_map(Points::of).collect();
    let rows = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let wrong = rows.clone().flat_map(|(table, row)| table.wrong(row, is_german)).collect();
    (rows.count(), wrong)
}

/// The throughputs in running text that are in no cell of a table; the mean of a plateau is in none, and
/// behind `about`.
fn in_no_table(page: &str) -> (usize, Vec<String>) {
    let trim = |word: &str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned();
    let known: BTreeSet<String> =
        cells(page).iter().flat_map(|cell| cell.split(' ').map(trim).collect::<Vec<_>>()).collect();
    let text = page.split_once("</nav>").map_or(page, |(_, rest)| rest);
    let summary = page.split("<nav").next().unwrap_or_default();
    let (mut told, mut missing) = (0, Vec::new());
    for part in [summary, text] {
        for item in between(part, "<li>", "</li>") {
            let item = words(item);
            let all: Vec<&str> = item.split(' ').collect();
            for pair in all.windows(3) {
                let is_unit = ["IO/s", "MiB/s"].contains(&trim(pair[2]).as_str());
                let number = trim(pair[1]);
                if !is_unit || !number.starts_with(|c: char| c.is_ascii_digit()) {
                    continue;
                }
                told += 1;
                let is_mean = ["about", "etwa"].contains(&pair[0]) || pair[1].starts_with('(');
                // A limit of the machine is in a warning alone.
                if !is_mean && !known.contains(&number) && !item.contains("/sys/fs/cgroup") {
                    missing.push(format!("{number}: {item}"));
                }
            }
        }
    }
    (told, missing)
}

#[test]
fn every_row_of_points_obeys_the_size_of_its_blocks_and_littles_law() {
    let mut rows = 0;
    for (name, page) in pages() {
        let (count, wrong) = check_rows(&name, &page);
        assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
        rows += count;
    }
    assert!(rows > 500, "{rows} rows");
}

#[test]
fn every_throughput_in_a_sentence_is_in_a_table_of_its_page() {
    let mut told = 0;
    for (name, page) in pages() {
        let (count, missing) = in_no_table(&page);
        assert!(missing.is_empty(), "{name}: {}", missing.join("\n"));
        told += count;
    }
    assert!(told > 50, "{told} sentences");
}

#[test]
fn every_page_is_small_and_tells_what_is_simulated() {
    for (name, page) in pages() {
        assert!(page.len() < BYTES_MAX, "{name}: {} bytes", page.len());
        let badge = between(&page, "class=\"badge", "</p>").first().map(|badge| words(badge));
        let badge = badge.unwrap_or_default();
        let is_real = ["btrfs-raid", "file-systems"].iter().any(|real| name.starts_with(real));
        let said =
            ["Simulated", "Simuliert", "Measured", "Gemessen"].map(|word| badge.contains(word));
        assert_eq!(said[0] || said[1], !is_real, "{name}: {badge}");
        assert_eq!(said[2] || said[3], is_real, "{name}: {badge}");
    }
}

#[test]
fn what_contradicts_its_table_is_noticed() {
    let (_, page) = pages().into_iter().find(|(name, _)| name == "open-loop.html").unwrap();
    let (rows, wrong) = check_rows("open-loop.html", &page);
    assert_eq!((rows, wrong.len()), (3, 0));
    let changed = page.replace("<td>3.95</td>", "<td>4.95</td>");
    assert_eq!(check_rows("open-loop.html", &changed).1.len(), 1);
    let claimed = page.replacen("</li>", "; 777\u{a0}IO/s.</li>", 1);
    assert_eq!(in_no_table(&claimed).1.len(), 1 + in_no_table(&page).1.len());
}
