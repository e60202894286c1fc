//! The PDF of whole reports. What needs a reader of PDF files uses the poppler tools, and is
//! skipped with the reason said if they are missing.

#![cfg(feature = "pdf")]

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kneepoint_core::result::RunDocument;
use kneepoint_core::result::warning::Severity;
use kneepoint_report::page::{
    Block, Column, ColumnGroup, Fact, Fold, Listing, Note, Page, Section, Table, TableCell, Text,
    Tone,
};
use kneepoint_report::{Language, pdf};
use synthetic::{
    STANDARD, document, empty, four_targets, large, one_point, point, said, standard, troubled,
    varied,
};

/// Markup of the typesetter, of PDF and of others, wherever words can stand.
const BAD: &str = "#panic(\"x\") *b* _e_ $x$ `r` @r <l> = h \\ ] [ ) (( %PDF endobj {{ #include \"/etc/passwd\" </svg>";

fn five_points() -> RunDocument {
    let points = [1, 2, 4, 8, 16].map(|load| point(&STANDARD[0], load));
    document(points.to_vec(), &["mean<=20ms"])
}

fn hostile() -> RunDocument {
    let mut document = standard();
    document.run.label = BAD.to_owned();
    document.run.command = BAD.to_owned();
    document.run.id = BAD.to_owned();
    document.run.started_at = BAD.to_owned();
    let strange = format!("{BAD}\u{0}\u{7}\u{202e}\u{2028}\n\r{}", "x".repeat(3_000));
    document.warnings.push(said(Severity::Note, &strange));
    document.environment.targets[0].device.insert(BAD.to_owned(), "9".repeat(500));
    for point in &mut document.points {
        point.series = BAD.to_owned();
        point.profile = BAD.to_owned();
        point.warnings.push(said(Severity::Note, BAD));
    }
    for summary in &mut document.analysis.summaries {
        summary.series = BAD.to_owned();
    }
    document
}

fn page(document: &RunDocument, language: Language) -> Page {
    kneepoint_report::page(document, language)
}

fn set(page: &Page) -> Vec<u8> {
    pdf(page).unwrap_or_else(|fault| panic!("{fault}"))
}

/// What a poppler tool says about a file, or nothing where there is no such tool.
fn poppler(tool: &str, options: &[&str], file: &[u8]) -> Option<String> {
    let mut command = Command::new(tool);
    command.args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    if !kneepoint_testkit::has_tools(&[tool]) {
        return None;
    }
    let mut child = command.spawn().expect("the tool starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let file = file.to_vec();
    let writer = std::thread::Builder::new().spawn(move || stdin.write_all(&file));
    let output = child.wait_with_output().expect("the tool ends");
    writer.expect("a thread").join().expect("a writer").expect("the tool reads everything");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The words in their order, with single spaces.
fn words(file: &[u8]) -> Option<String> {
    let text = poppler("pdftotext", &["-", "-"], file)?;
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether the file holds these words outside of compressed parts.
fn has(file: &[u8], words: &str) -> bool {
    file.windows(words.len()).any(|window| window == words.as_bytes())
}

/// Value of an attribute of an element in one line.
fn attribute(line: &str, name: &str) -> f64 {
    let (_, rest) = line.split_once(&format!(" {name}=\"")).expect("the attribute");
    rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn equal_pages_give_equal_bytes() {
    let page = page(&one_point(), Language::English);
    let first = set(&page);
    assert!(first.starts_with(b"%PDF-1.7"));
    assert_eq!(first, set(&page));
}

/// The longest that a report of a few hundred points may take to be set.
const SET_MAX: Duration = Duration::from_secs(2);

#[test]
fn three_hundred_points_give_equal_bytes_in_time() {
    let page = page(&large(), Language::English);
    let start = Instant::now();
    let first = set(&page);
    let time = start.elapsed();
    // Without optimisation the typesetter takes many times as long, which says nothing.
    assert!(cfg!(debug_assertions) || time < SET_MAX, "{time:?}");
    assert!(first == set(&page), "two settings of one page differ");
}

/// A report has at most this many pages before its appendix.
const READ_PAGES_MAX: usize = 10;

/// The pages before the first chapter of the appendix, by its heading; nothing without the tools.
fn pages_before_appendix(page: &Page) -> Option<usize> {
    let index = page.sections.iter().position(|section| section.fold == Fold::Folded)?;
    let heading = format!("{} {}", index + 1, page.sections[index].title);
    let text = poppler("pdftotext", &["-", "-"], &set(page))?;
    let is_heading = |line: &str| {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        line == heading
    };
    let pages: Vec<&str> = text.split('\u{c}').collect();
    // The contents name it first.
    let last = pages.iter().rposition(|page| page.lines().any(is_heading));
    Some(last.unwrap_or_else(|| panic!("no chapter {heading}: {text}")))
}

#[test]
fn what_is_read_takes_ten_pages_at_most() {
    let run = varied();
    assert!(run.points.len() >= 300, "{}", run.points.len());
    for language in [Language::English, Language::German] {
        let Some(count) = pages_before_appendix(&page(&run, language)) else { return };
        assert!((1..=READ_PAGES_MAX).contains(&count), "{language:?}: {count} pages");
    }
}

#[test]
fn chapters_are_bookmarks_and_pages_are_numbered() {
    let page = page(&five_points(), Language::German);
    let file = set(&page);
    for (index, section) in page.sections.iter().enumerate().filter(|(_, one)| one.title.is_ascii())
    {
        let entry = format!("/Title ({} {})", index + 1, section.title);
        assert!(has(&file, &entry), "no bookmark {entry}");
    }
    assert!(has(&file, "/Lang (de)") && has(&file, "/CreationDate (D:20260312101501Z)"));
    let Some(text) = words(&file) else { return };
    assert!(text.contains("Seite 1 von ") && text.contains("Seite 2 von "), "{text}");
    assert!(
        text.contains("Kneepoint, Lauf 20260312-101501-7f3a"),
        "figures keep their words: {text}"
    );
}

#[test]
fn no_word_leaves_the_paper() {
    for (name, document) in
        [("empty", empty()), ("troubled", troubled()), ("four", four_targets()), ("large", large())]
    {
        inside(name, &set(&page(&document, Language::English)));
    }
}

/// All words stand within the margins; nothing is checked where the tools are missing.
#[track_caller]
fn inside(name: &str, file: &[u8]) {
    let Some(boxes) = poppler("pdftotext", &["-bbox", "-", "-"], file) else { return };
    let (mut width, mut height, mut pages, mut found) = (0.0, 0.0, 0, 0);
    for line in boxes.lines() {
        if line.contains("<page ") {
            (width, height) = (attribute(line, "width"), attribute(line, "height"));
            pages += 1;
        } else if line.contains("<word ") {
            let (left, right) = (attribute(line, "xMin"), attribute(line, "xMax"));
            let (top, bottom) = (attribute(line, "yMin"), attribute(line, "yMax"));
            assert!(left > 40.0 && right < width - 40.0, "{name}, page {pages}: {line}");
            assert!(top > 15.0 && bottom < height - 15.0, "{name}, page {pages}: {line}");
            found += 1;
        }
    }
    assert!(pages > 0 && found > 100, "{name}: {pages} pages, {found} words");
}

#[test]
fn words_of_a_run_are_never_read_as_markup() {
    let file = set(&page(&hostile(), Language::English));
    inside("hostile", &file);
    let Some(text) = words(&file) else { return };
    for part in ["#panic(\"x\") *b* _e_ $x$", "@r <l> = h \\ ]", "{{ #include"] {
        assert!(text.contains(part), "{part} is missing");
    }
    assert!(!text.contains('\u{202e}'));
}

/// A page with every kind of block, with links that lead nowhere and tables of all widths.
#[test]
fn every_kind_of_block_can_be_set() {
    let text = || Text::new().plain(BAD).strong(BAD).code(BAD).link(BAD, "nowhere").link("a", "b");
    let mut blocks = vec![
        Block::Paragraph(text()),
        Block::Remark(text()),
        Block::List(vec![text(), text()]),
        Block::Facts(vec![Fact::new(BAD, text())]),
        Block::Figures(Vec::new()),
        Block::Strips(Vec::new()),
    ];
    for tone in [Tone::Plain, Tone::Muted, Tone::Good, Tone::Caution, Tone::Bad] {
        blocks.push(Block::Note(Note { tone, title: BAD.to_owned(), text: text() }));
    }
    for fold in [Fold::Open, Fold::Folded] {
        let text = format!("{BAD}\n  {}", "y".repeat(500));
        blocks.push(Block::Listing(Listing { title: BAD.to_owned(), text, fold }));
    }
    for columns in [1, 9, 20, 40] {
        blocks.push(Block::Table(wide(columns)));
    }
    let mut page = page(&one_point(), Language::English);
    page.sections = vec![Section::new("b", "", blocks), Section::new("c", BAD, Vec::new())];
    set(&page);
}

fn wide(columns: usize) -> Table {
    let heads = (0..columns).map(|index| Column::numbers(format!("Head {index}")));
    let mut table = Table::new("A table", vec![ColumnGroup::new("Group", heads)]);
    for row in 0..30 {
        let cell = |index| TableCell::new(format!("{}", row * 1_000 + index)).detail("±1");
        table.push((0..columns).map(cell).collect());
    }
    table
}
