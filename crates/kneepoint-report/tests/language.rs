//! What must hold for the reports of every language.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

use kneepoint_core::result::{RunDocument, Warning};
use kneepoint_report::page::{Block, Page, Section};
use kneepoint_report::{Language, html, markdown, page};
use synthetic::{copied, document, four_targets, large, point, standard, troubled};

/// Words that every English sentence has some of and no German one.
const ENGLISH: &[&str] = &[
    "the",
    "of",
    "and",
    "with",
    "is",
    "are",
    "at",
    "for",
    "from",
    "which",
    "by",
    "not",
    "its",
    "each",
    "that",
    "this",
    "to",
    "points",
    "series",
    "load",
    "throughput",
    "sustained",
    "peak",
    "mean",
    "none",
    "run",
    "target",
    "read",
    "write",
    "reads",
    "writes",
    "response",
    "time",
    "rule",
    "steady",
    "failed",
    "warning",
    "warnings",
    "figure",
    "table",
    "blocks",
    "random",
];

fn report(document: &RunDocument, language: Language) -> Page {
    page(document, language)
}

/// The text of a page: without its style, without what is marked as English, and without what was
/// typed.
fn text(page: &str) -> String {
    let mut page = page.split_once("</style>").expect("a style").1.to_owned();
    for (start, end) in
        [("<span lang=\"en\">", "</span>"), ("<pre>", "</pre>"), ("<code>", "</code>")]
    {
        while let Some(at) = page.find(start) {
            let length = page[at..].find(end).expect("its end") + end.len();
            page.replace_range(at..at + length, "");
        }
    }
    // Labels for those who listen are text as well.
    let labels: Vec<&str> = page.split("aria-label=\"").skip(1).collect();
    let labels: Vec<&str> = labels.iter().filter_map(|rest| rest.split('"').next()).collect();
    let plain = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, words)| words));
    let plain: Vec<&str> = plain.collect();
    format!("{} {}", labels.join(" "), plain.join(" "))
}

#[test]
fn a_german_report_has_no_english_words() {
    for document in
        [standard(), troubled(), four_targets(), large(), repeated(), searched(), copied()]
    {
        let page = html(&report(&document, Language::German));
        let text = text(&page).to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric() && !"-/.".contains(c));
        for word in words {
            assert!(!ENGLISH.contains(&word), "{word} in {}", around(&text, word));
        }
    }
}

/// The place of a word, to be found by people.
fn around(text: &str, word: &str) -> String {
    let place = text.find(&format!(" {word} ")).unwrap_or(0);
    text.chars().skip(text[..place].chars().count().saturating_sub(60)).take(140).collect()
}

fn repeated() -> RunDocument {
    let points = [1, 2, 4, 8, 16, 32, 64].iter().flat_map(|load| {
        [0.9, 1.0, 1.1].map(|factor| {
            let mut point = point(&synthetic::STANDARD[0], *load);
            point.rate.mean *= factor;
            point
        })
    });
    document(points.collect(), &["mean<=20ms"])
}

fn searched() -> RunDocument {
    let mut document = standard();
    for summary in &mut document.analysis.summaries {
        summary.search = Some(kneepoint_core::result::SearchResult {
            points: 7,
            stopped_because: "the largest load still meets the rule".to_owned(),
            disturbed_loads: Vec::new(),
        });
    }
    document
}

#[test]
fn a_report_names_its_language() {
    for language in Language::ALL {
        let page = html(&report(&standard(), language));
        assert!(page.contains(&format!("<html lang=\"{}\">", language.code())));
    }
}

#[test]
fn a_warning_of_an_earlier_version_stays_in_the_words_of_the_run() {
    let page = html(&report(&troubled(), Language::German));
    let warning = "<span lang=\"en\">Throughput rose by 38% over the measured time.</span>";
    assert!(page.contains(warning));
}

#[test]
fn a_warning_is_in_the_language_of_the_report() {
    let mut document = standard();
    document.warnings.push(Warning::WriteCacheOn { device: "sda".to_owned() });
    document.points[0].warnings.push(Warning::ClockStepped { step_s: 0.2 });
    let says = |language, words: &str| html(&report(&document, language)).contains(words);
    for (english, german) in [
        ("write cache on: sda may answer", "<strong>Schreibcache an</strong>: sda kann"),
        ("the wall clock was moved by +0.200 s", "um +0,200\u{a0}s verstellt"),
    ] {
        assert!(says(Language::English, english) && !says(Language::English, german), "{english}");
        assert!(says(Language::German, german) && !says(Language::German, english), "{german}");
    }
}

#[test]
fn both_languages_say_the_same() {
    fn shape(section: &Section, found: &mut Vec<String>) {
        let kinds = section.blocks.iter().map(|block| match block {
            Block::Table(table) => {
                format!("{} columns, {} rows", table.columns().count(), table.rows.len())
            }
            Block::List(items) => format!("{} items", items.len()),
            Block::Facts(facts) => format!("{} facts", facts.len()),
            Block::Figures(figures) => format!("{} figures", figures.len()),
            other => format!("{:?}", std::mem::discriminant(other)),
        });
        found.push(format!("{}: {:?}", section.id, kinds.collect::<Vec<_>>()));
        section.sections.iter().for_each(|inner| shape(inner, found));
    }
    for document in [standard(), troubled(), four_targets(), repeated(), searched()] {
        let [english, german] = Language::ALL.map(|language| {
            let mut found = Vec::new();
            report(&document, language).sections.iter().for_each(|s| shape(s, &mut found));
            found
        });
        assert_eq!(english, german);
    }
}

#[test]
fn a_percent_sign_stands_apart_in_every_language() {
    for language in Language::ALL {
        for document in [standard(), troubled(), repeated()] {
            let text = text(&html(&report(&document, language))).replace("38% over", "");
            let text = text.replace("12% of", "");
            for (at, _) in text.match_indices('%') {
                let before = text[..at].chars().next_back();
                assert!(matches!(before, Some('\u{a0}' | '-')), "{}", &text[at - 20..at]);
            }
        }
    }
}

#[test]
fn figures_follow_the_language() {
    let german = html(&report(&large(), Language::German));
    let english = html(&report(&large(), Language::English));
    assert!(english.contains(">50,000</text>") && !english.contains('\u{202f}'));
    assert!(german.contains(">50\u{202f}000</text>"));
    let german = html(&report(&standard(), Language::German));
    assert!(german.contains(">nutzbar</text>") && german.contains(">Ausstehende I/Os</text>"));
}

#[test]
fn figure_and_summary_say_the_same_of_repeated_loads() {
    let document = repeated();
    let page = html(&report(&document, Language::English));
    let peak = document.analysis.summaries[0].peak.expect("a peak");
    let printed = Language::English.iops(peak.rate);
    let at_peak = format!("{} outstanding I/Os: {printed}", peak.load);
    assert!(page.contains(&at_peak), "{at_peak}");
    assert!(page.contains("measured 3 times") && page.contains("differ by 10\u{a0}%"));
}

#[test]
fn markdown_refers_to_every_figure_and_its_links_lead_somewhere() {
    for language in Language::ALL {
        for document in [standard(), troubled(), four_targets()] {
            let page = report(&document, language);
            let text = markdown(&page, "figures");
            let figures = page.figures();
            assert_eq!(text.matches("](<figures/").count(), figures.len());
            for figure in figures {
                let name = format!("](<figures/{}.svg>)", figure.stem());
                assert_eq!(text.matches(&name).count(), 1, "{name}");
            }
            for link in text.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
                assert!(text.contains(&format!("<a id=\"{link}\"></a>")), "{link}");
            }
        }
    }
}
