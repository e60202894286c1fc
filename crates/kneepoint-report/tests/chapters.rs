//! The report on a campaign of four parts: nothing of a run's own report is lost, and no chapter tells anything twice.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use kneepoint_core::result::RunDocument;
use kneepoint_report::page::{Block, Fold, Inline, Page, Section, Text};
use kneepoint_report::{Language, chapters_page, page};

/// What was measured on a server.
const PARTS: [&str; 4] = [
    include_str!("../../../examples/server/processor.json"),
    include_str!("../../../examples/server/business-operations.json"),
    include_str!("../../../examples/server/storagebench.json"),
    include_str!("../../../examples/server/users.json"),
];

fn parts() -> Vec<RunDocument> {
    PARTS.iter().map(|part| serde_json::from_str(part).unwrap()).collect()
}

fn chapters(parts: &[RunDocument], language: Language) -> Page {
    chapters_page(&parts.iter().collect::<Vec<_>>(), language)
}

/// The words of a text without meanings of terms, which a page has once.
fn words(text: &Text) -> String {
    let own = text.0.iter().filter(|inline| !matches!(inline, Inline::Definition { .. }));
    let words = Text(own.cloned().collect()).words();
    words.trim_end_matches('.').to_owned()
}

/// What a block tells: its sentences, or its figures and tables with their content.
fn told(block: &Block) -> Vec<String> {
    match block {
        Block::Paragraph(text) | Block::Remark(text) => vec![words(text)],
        Block::List(items) => items.iter().map(words).collect(),
        Block::Facts(facts) => {
            facts.iter().map(|fact| format!("{}: {}", fact.name, words(&fact.value))).collect()
        }
        Block::Table(table) => {
            let cells = table.rows.iter().flatten();
            let cells = cells.map(|cell| format!("{} {}", words(&cell.text), cell.detail));
            vec![format!("{}: {}", words(&table.caption), cells.collect::<Vec<_>>().join("|"))]
        }
        Block::Figures(figures) | Block::Strips(figures) => {
            figures.iter().map(|figure| format!("{:?}", figure.drawing)).collect()
        }
        Block::Note(note) => vec![format!("{}: {}", note.title, words(&note.text))],
        Block::Listing(listing) => vec![format!("{}: {}", listing.title, listing.text)],
    }
}

fn blocks(section: &Section) -> Vec<&Block> {
    section.blocks.iter().chain(section.sections.iter().flat_map(blocks)).collect()
}

fn all_told(section: &Section) -> Vec<String> {
    blocks(section).into_iter().flat_map(told).collect()
}

/// What of `all` is there more than once.
fn repeated(mut all: Vec<String>) -> Vec<String> {
    all.sort_unstable();
    all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect()
}

#[test]
fn no_chapter_tells_anything_twice() {
    for language in [Language::English, Language::German] {
        let page = chapters(&parts(), language);
        let read = page.sections.iter().filter(|section| section.fold == Fold::Open);
        for section in read.clone() {
            assert_eq!(repeated(all_told(section)), Vec::<String>::new(), "{}", section.title);
        }
        assert_eq!(read.count(), 1 + PARTS.len());
    }
    assert_eq!(repeated(["a", "b", "a"].map(str::to_owned).to_vec()), ["a"], "the measure sees it");
}

#[test]
fn nothing_of_a_run_is_lost() {
    for language in [Language::English, Language::German] {
        let parts = parts();
        let whole = chapters(&parts, language);
        let told: Vec<String> = whole.sections.iter().flat_map(all_told).collect();
        let mut compared = 0;
        for part in &parts {
            let alone = page(part, language);
            let (first, rest) = alone.sections.split_first().unwrap();
            // Key figures have the numbers of the first page's table.
            let is_kept = |block: &&Block| !matches!(block, Block::Table(_));
            let first = blocks(first).into_iter().filter(is_kept).flat_map(self::told);
            for one in first.chain(rest.iter().flat_map(all_told)) {
                assert!(told.contains(&one), "{}: {one}", part.run.label);
                compared += 1;
            }
        }
        assert!(compared > 500, "{compared}");
    }
}

/// The names of the facts on the first page.
fn facts(page: &Page) -> Vec<(&str, String)> {
    page.facts.iter().map(|fact| (fact.name.as_str(), words(&fact.value))).collect()
}

#[test]
fn facts_of_the_first_page_hold_for_all_parts() {
    let mut parts = parts();
    parts.reverse();
    let page = chapters(&parts, Language::English);
    let expected = [
        ("Processor", "AMD EPYC, 2 logical processors"),
        ("Memory", "23.5\u{a0}GiB"),
        ("Software", "Debian GNU/Linux 12 (bookworm), 6.18.44-fc-v669"),
        ("Date", "2026-11-26, 09:31 to 09:36 UTC"),
    ];
    assert_eq!(facts(&page), expected.map(|(name, value)| (name, value.to_owned())));
    parts[0].environment.hosts[0].memory_bytes *= 2;
    parts[1].environment.hosts[0].kernel = "7.0".to_owned();
    let names: Vec<String> =
        chapters(&parts, Language::English).facts.into_iter().map(|fact| fact.name).collect();
    assert_eq!(names, ["Processor", "Date"]);
}

#[test]
fn ids_are_unique_and_links_lead_to_them() {
    fn ids(section: &Section, all: &mut Vec<String>) {
        all.push(section.id.clone());
        section.sections.iter().for_each(|inner| ids(inner, all));
    }
    let page = chapters(&parts(), Language::English);
    let mut all = Vec::new();
    page.sections.iter().for_each(|section| ids(section, &mut all));
    assert_eq!(repeated(all.clone()), Vec::<String>::new());
    let texts = page.sections.iter().flat_map(blocks).flat_map(|block| match block {
        Block::Paragraph(text) | Block::Remark(text) => vec![text],
        Block::List(items) => items.iter().collect(),
        _ => Vec::new(),
    });
    let links = texts.flat_map(|text| &text.0).filter_map(|inline| match inline {
        Inline::Link { to, .. } => Some(to),
        _ => None,
    });
    let mut count = 0;
    for to in links {
        assert!(all.contains(to), "{to}");
        count += 1;
    }
    assert!(count > 20, "{count} links");
}

/// A chapter with reservations says where the rest is; one without any has no word on it.
#[test]
fn reservations_are_read_and_the_rest_is_looked_up() {
    for (language, sentence) in [
        (Language::English, "More on single points is in the details"),
        (Language::German, "Mehr zu einzelnen Messpunkten steht in den Einzelheiten"),
    ] {
        let page = chapters(&parts(), language);
        let says: Vec<bool> = page.sections[1..=PARTS.len()]
            .iter()
            .map(|chapter| all_told(chapter).iter().any(|told| told == sentence))
            .collect();
        assert_eq!(says, [false, false, true, false], "storage has a warning");
    }
}

#[test]
fn loads_that_were_measured_for_a_short_time_are_a_first_impression() {
    let said = |[seconds, longer]: [f64; 2], language| {
        let mut all = parts();
        for point in all.iter_mut().flat_map(|part| &mut part.points) {
            point.measured_s = seconds;
        }
        // What copies do takes its time.
        all[0].points[0].measured_s = 60.0;
        all[1].points[0].measured_s = longer;
        let page = chapters(&all, language);
        all_told(&page.sections[0]).join("\n")
    };
    let english = said([1.0, 2.0], Language::English);
    let besides = "Apart from programs, each load was measured for 1 to 2\u{a0}s, for a first";
    assert!(english.contains(besides), "{english}");
    let german = said([1.0, 1.0], Language::German);
    assert!(german.contains("wurde jede Last 1\u{a0}s lang gemessen"), "{german}");
    assert!(!said([1.0, 30.0], Language::English).contains("for a first impression.\n"));
    assert!(!said([1.0, 30.0], Language::English).contains("each load was measured for"));
    let mut all = parts();
    all.remove(0);
    all.iter_mut().flat_map(|part| &mut part.points).for_each(|point| point.measured_s = 2.0);
    let without = all_told(&chapters(&all, Language::English).sections[0]).join("\n");
    assert!(without.contains("Each load was measured for 2\u{a0}s"), "{without}");
    assert!(!without.contains("Apart from programs"), "{without}");
}

#[test]
fn a_machine_may_have_one_processor() {
    let mut parts = parts();
    for part in &mut parts {
        let cpu = &mut part.environment.hosts[0].cpu;
        cpu.insert("logical_cpus".to_owned(), "1".to_owned());
    }
    let told = |language| facts(&chapters(&parts, language))[0].1.clone();
    assert_eq!(told(Language::English), "AMD EPYC, one logical processor");
    assert_eq!(told(Language::German), "AMD EPYC, ein logischer Prozessor");
}
