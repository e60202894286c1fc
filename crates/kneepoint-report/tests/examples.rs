//! The example reports say what their own tables say, and stay small.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

#[allow(dead_code, reason = "some of it is for pages that are not written yet")]
mod derived;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use derived::{Grid, Sheet, plain};

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

/// A page without what its terms mean.
fn without_meanings(page: &str) -> String {
    let mut pieces = page.split("<span class=\"gloss\">");
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    pieces.for_each(|piece| kept += piece.split_once("</span>").map_or("", |(_, rest)| rest));
    kept
}

/// A page as a reader has it.
fn sheet(page: &str) -> Sheet {
    let page = without_meanings(page);
    let body = page.split_once("</header>").map_or(page.as_str(), |(_, rest)| rest);
    let grid = |figure: &&str| {
        let (head, body) = figure.split_once("<tbody>")?;
        let last = between(head, "<tr>", "</tr>").pop()?;
        let tidy = |cells: Vec<String>| cells.iter().map(|cell| plain(cell)).collect();
        let caption = plain(&words(between(figure, "<figcaption>", "</figcaption>").first()?));
        let rows = between(body, "<tr>", "</tr>").into_iter().map(cells).map(tidy).collect();
        Some(Grid { caption, heads: tidy(cells(last)), rows })
    };
    let tables = between(body, "<figure class=\"table\">", "</figure>");
    let grids = tables.iter().filter_map(grid).collect();
    let mut rest: String = body.to_owned();
    for figure in between(body, "<figure", "</figure>") {
        rest = rest.replacen(&format!("<figure{figure}</figure>"), "", 1);
    }
    let pieces = ["li", "p"].map(|mark| {
        let marked = between(&rest, &format!("<{mark}"), &format!("</{mark}>"));
        let is_one = |inner: &&str| inner.starts_with(['>', ' ']);
        let sentence = |inner: &str| plain(&words(&format!("<{mark}{inner}")));
        marked.into_iter().filter(is_one).map(sentence).collect::<Vec<_>>()
    });
    Sheet { grids, sentences: pieces.concat() }
}

#[test]
fn every_percentage_multiple_and_time_in_a_sentence_follows_from_the_tables_of_its_page() {
    let (mut claimed, mut compared, mut told, mut wrong) = (0, 0, 0, Vec::new());
    for (name, page) in pages().into_iter().filter(|(name, _)| !name.contains(".de.")) {
        let sheet = sheet(&page);
        let claims = derived::claims(&sheet);
        let (cells, wrong_cells) = derived::wrong_cells(&sheet);
        let (times, wrong_times) = derived::told_times(&sheet);
        let found = claims.wrong.into_iter().chain(wrong_cells).chain(wrong_times);
        told += times;
        wrong.extend(found.map(|found| format!("{name}: {found}")));
        claimed += claims.count;
        compared += cells;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(claimed > 300, "{claimed} percentages and multiples");
    assert!(compared > 500, "{compared} cells");
    assert!(told > 4, "{told} times");
}

#[test]
fn pages_in_german_tell_the_same_percentages_and_multiples() {
    let pages = pages();
    let german: Vec<_> = pages.iter().filter(|(name, _)| name.contains(".de.")).collect();
    assert!(german.len() > 1);
    for (name, page) in german {
        let english = pages.iter().find(|(other, _)| *other == name.replace(".de.", ".")).unwrap();
        let [german, english] = [page, &english.1].map(|page| sheet(page));
        assert_eq!(derived::differences(&english, &german), Vec::<String>::new(), "{name}");
    }
}

/// A change of a page by hand that makes it false: its name, words of it, and what stands there then.
type Change = (&'static str, &'static str, &'static str);

/// One for each kind of sentence and of table.
const CHANGES: [Change; 33] = [
    ("storagebench-2007.html", "+54\u{a0}%", "+44\u{a0}%"),
    ("storagebench-2007.html", "(+46\u{a0}%", "(+41\u{a0}%"),
    ("storagebench-2007.html", "</a> at least 17.5 times", "</a> at least 19.5 times"),
    ("storagebench-2007.html", "<td>+30\u{a0}%", "<td>+40\u{a0}%"),
    ("storagebench-2010.html", "8.71 times as much as", "7.71 times as much as"),
    ("storagebench-2010.html", "67\u{a0}% reads", "66\u{a0}% reads"),
    ("storagebench-2007.html", "falls by 5\u{a0}% from", "falls by 9\u{a0}% from"),
    ("storagebench-2007.html", "(−5.0\u{a0}%)", "(−9.0\u{a0}%)"),
    ("fastt900-cache.html", "+60\u{a0}% with write cache off", "+43\u{a0}% with write cache off"),
    ("fastt900-cache.html", "7.2\u{a0}% above", "9.2\u{a0}% above"),
    ("fastt900-cache.html", "by 1.7\u{a0}% on average", "by 0.7\u{a0}% on average"),
    ("fastt900-cache.html", "by 2.6\u{a0}% at most", "by 1.6\u{a0}% at most"),
    ("fastt900-drives.html", "3.0 times", "3.3 times"),
    ("fastt900-drives.html", "<td>−4.7\u{a0}%", "<td>−6.7\u{a0}%"),
    ("btrfs-raid.html", "3.03 times", "3.53 times"),
    ("btrfs-raid.html", "(2.96 to", "(3.06 to"),
    ("btrfs-raid.html", "differ by 0.7\u{a0}%", "differ by 2.7\u{a0}%"),
    ("regression-gate.html", "27\u{a0}% (25", "37\u{a0}% (25"),
    ("regression-gate.html", "26\u{a0}% (21", "16\u{a0}% (21"),
    ("regression-gate.html", "5.56 times", "4.56 times"),
    ("regression-gate.html", "less than before", "more than before"),
    ("rx100s4-sata-sas.html", "67\u{a0}% (57", "47\u{a0}% (57"),
    ("serveraid-m5025-raid.html", "(+5.9\u{a0}%", "(+1.9\u{a0}%"),
    ("serveraid-m5025-raid.html", "multiply by 0.63", "multiply by 0.68"),
    ("sizing.html", "(+26\u{a0}%), limited", "(+36\u{a0}%), limited"),
    ("sizing.html", "time is 8.67\u{a0}ms", "time is 7.67\u{a0}ms"),
    ("open-loop.html", "time of 23\u{a0}ms", "time of 33\u{a0}ms"),
    ("open-loop.html", "446\u{a0}ms or more", "456\u{a0}ms or more"),
    ("knee.html", "time of 24.6\u{a0}ms", "time of 14.6\u{a0}ms"),
    ("server.html", "75\u{a0}% faster", "65\u{a0}% faster"),
    ("server.html", "1.91 times the work", "1.81 times the work"),
    ("server.html", "within 0.7\u{a0}% of", "within 0.8\u{a0}% of"),
    ("server.html", "use 100\u{a0}% of", "use 90\u{a0}% of"),
];

/// How many faults a page has after it was changed.
#[track_caller]
fn faults_after((name, from, to): Change) -> usize {
    let (_, page) = pages().into_iter().find(|(known, _)| known == name).unwrap();
    assert!(page.contains(from), "{name} has {from}");
    let sheet = sheet(&page.replacen(from, to, 1));
    let times = derived::told_times(&sheet).1.len();
    derived::claims(&sheet).wrong.len() + derived::wrong_cells(&sheet).1.len() + times
}

#[test]
fn a_percentage_that_does_not_follow_is_noticed() {
    for change in CHANGES {
        assert!(faults_after(change) > 0, "{change:?}");
    }
    let unheard = "<li>Blue drives do 12\u{a0}% for no reason.</li></main>";
    assert!(faults_after(("sizing.html", "</main>", unheard)) > 0, "an unknown kind of sentence");
}

#[test]
fn a_percentage_in_one_language_alone_is_noticed() {
    let page = |name: &str| pages().into_iter().find(|(known, _)| known == name).unwrap().1;
    let [english, german] = ["storagebench-2007.html", "storagebench-2007.de.html"].map(page);
    let changed = german.replacen("+54\u{a0}%", "+53\u{a0}%", 1);
    assert_ne!(changed, german);
    let found = derived::differences(&sheet(&english), &sheet(&changed));
    assert_eq!(found.len(), 2, "{found:?}");
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
        let is_real =
            ["btrfs-raid", "file-systems", "server."].iter().any(|real| name.starts_with(real));
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
