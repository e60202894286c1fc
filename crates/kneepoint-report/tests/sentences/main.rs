//! Every kind of sentence that claims something: a page that has it, and one that must not, in both
//! languages. A sentence without these two fails [`every_sentence_has_both_cases`]; a kind of finding
//! without a sentence does not compile.

mod beside;
#[allow(dead_code, reason = "some of the pages are for the terminal")]
mod cases;
mod doubts;
mod files;
mod members;
mod registry;
mod repeats;
mod rounds;
mod sized;
#[allow(dead_code, reason = "some of the runs are for other tests")]
#[path = "../synthetic/mod.rs"]
mod synthetic;
mod terms;
#[allow(dead_code, reason = "some of the runs are for the terminal")]
mod typing;
mod varied;

use beside::{ALWAYS, BESIDE};
use cases::Case::{self, *};
use cases::{pair_of, run_of};
use files::{COMPOSED_OF_FILES, OF_FILES};
use kneepoint_core::analysis::comparison::{CompareOptions, compare};
use kneepoint_core::analysis::findings::of_points;
use kneepoint_core::load::backend::Direction;
use kneepoint_core::result::{Between, Finding, Order, Place, RunDocument, SustainedStatus};
use kneepoint_report::page::{Block, Page};
use kneepoint_report::{Language, chapters_page, comparison_page, html, markdown, page, sizing};
use registry::{COMPOSED, FIXED, TEXTS};
use rounds::{COMPOSED_OF_ROUNDS, OF_ROUNDS};
use sized::Sizes;

fn page_of(case: Case, language: Language) -> Page {
    match (case, run_of(case)) {
        (Sized(sizes), _) => sizing::page(&sized::sizing(sizes), language),
        (Chapters | ChaptersAtOnce, _) => {
            let mut runs = [Standard, Business(None)].map(|case| run_of(case).expect("a run"));
            if case == Chapters {
                runs[1].run.started_at.clone_from(&runs[0].run.finished_at);
            }
            chapters_page(&runs.each_ref(), language)
        }
        (_, Some(run)) => page(&run, language),
        (_, None) => {
            let runs = pair_of(case);
            let runs: Vec<&RunDocument> = runs.iter().collect();
            let options = CompareOptions::default();
            let comparison = compare(&runs, &options).expect("a comparison");
            comparison_page(&runs, &comparison, language)
        }
    }
}

/// The words of the page of a case, a line each.
fn words(case: Case, language: Language) -> String {
    markdown(&page_of(case, language), "figures")
        .replace(['\u{a0}', '\u{202f}'], " ")
        .replace("**", "")
        .replace("\\<", "<")
}

/// The modules of texts that say anything of a run.
const MODULES: [(&str, &str); 28] = [
    ("abstract_text", include_str!("../../src/language/texts/abstract_text.rs")),
    ("advice", include_str!("../../src/language/texts/advice.rs")),
    ("applications", include_str!("../../src/language/texts/applications.rs")),
    ("chapters", include_str!("../../src/language/texts/chapters.rs")),
    ("common", include_str!("../../src/language/texts/common.rs")),
    ("comparison", include_str!("../../src/language/texts/comparison.rs")),
    ("conclusions", include_str!("../../src/language/texts/conclusions.rs")),
    ("copies", include_str!("../../src/language/texts/copies.rs")),
    ("environment", include_str!("../../src/language/texts/environment.rs")),
    ("factors", include_str!("../../src/language/texts/factors.rs")),
    ("figures", include_str!("../../src/language/texts/figures.rs")),
    ("findings", include_str!("../../src/language/texts/findings.rs")),
    ("front", include_str!("../../src/language/texts/front.rs")),
    ("hosts", include_str!("../../src/language/texts/hosts.rs")),
    ("processor", include_str!("../../src/language/texts/processor.rs")),
    ("key_figures", include_str!("../../src/language/texts/key_figures.rs")),
    ("method", include_str!("../../src/language/texts/method.rs")),
    ("parts", include_str!("../../src/language/texts/parts.rs")),
    ("profile", include_str!("../../src/language/texts/profile.rs")),
    ("published", include_str!("../../src/language/texts/published.rs")),
    ("reproduction", include_str!("../../src/language/texts/reproduction.rs")),
    ("rounds", include_str!("../../src/language/texts/rounds.rs")),
    ("scaling", include_str!("../../src/language/texts/scaling.rs")),
    ("series", include_str!("../../src/language/texts/series.rs")),
    ("sizing", include_str!("../../src/language/texts/sizing.rs")),
    ("summary", include_str!("../../src/language/texts/summary.rs")),
    ("trust", include_str!("../../src/language/texts/trust.rs")),
    ("users", include_str!("../../src/language/texts/users.rs")),
];

/// Where the tests of [`BESIDE`] are.
const TESTS_BESIDE: [&str; 6] = [
    include_str!("../../src/content/factors.rs"),
    include_str!("doubts.rs"),
    include_str!("../chapters.rs"),
    include_str!("../comparison.rs"),
    include_str!("../../src/content/advice/tests.rs"),
    include_str!("../../src/language/texts/advice.rs"),
];

/// The string literals of a source, as they are printed.
fn literals(source: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), source);
    while let Some(start) = rest.find('"') {
        rest = &rest[start + 1..];
        let end = rest.find('"').expect("the end of a text");
        let text = rest[..end].replace("\\u{a0}", " ");
        let lines: Vec<&str> = text.split("\\\n").collect();
        let (first, others) = lines.split_first().expect("a line");
        found.push(others.iter().fold((*first).to_owned(), |text, line| text + line.trim_start()));
        rest = &rest[end + 1..];
    }
    found
}

/// The texts of a module by name, in all languages, and the functions that put sentences together.
fn sentences(source: &str) -> (Vec<(String, Vec<String>)>, Vec<String>) {
    let source = source.split("#[cfg(test)]").next().expect("code");
    let (texts, code) = match source.split_once("texts! {\n") {
        Some((_, rest)) => rest.split_once("\n}\n").expect("the end of the texts"),
        None => ("", source),
    };
    let is_comment = |line: &&str| !line.trim_start().starts_with("///");
    let texts: Vec<&str> = texts.lines().filter(is_comment).collect();
    let texts = texts.join("\n");
    let texts = texts.split(";\n").filter_map(|entry| {
        let name = entry.trim_start().split(['(', ':']).next()?.to_owned();
        Some((name, literals(&entry[entry.find('"')?..])))
    });
    let functions = code.split("\npub(crate) ").skip(1).filter_map(|part| {
        let body = part.split("\n}\n").next()?;
        let name = body.split_once("fn ")?.1.split(['(', '<']).next()?;
        literals(body).iter().any(|text| is_sentence(text)).then(|| name.to_owned())
    });
    (texts.collect(), functions.collect())
}

fn is_sentence(text: &str) -> bool {
    let end = text.trim_end();
    let last = end.trim_end_matches('.').chars().last();
    end.ends_with('.')
        && last.is_some_and(|last| last.is_lowercase() || last == '}')
        && end.contains(' ')
}

/// Writes a page of each kind that is not among those of `page.rs`.
#[test]
#[ignore = "for the eye"]
fn samples() {
    let Ok(folder) = std::env::var("KNEEPOINT_REPORT_SAMPLES") else { return };
    let kinds = [
        ("processor", Processor(members::Work::All)),
        ("users", Typing(typing::CARRIES)),
        ("business", Business(Some(cases::SCORE))),
        ("chapters", Chapters),
        ("hosts", Hosts),
        ("searched", Searched(3)),
        ("late", Late(0.6)),
        ("comparison", FIXED),
        ("sizing", Sized(Sizes::InFull)),
    ];
    for (name, case) in kinds {
        for language in Language::ALL {
            let path = format!("{folder}/{name}-{}.html", language.code());
            std::fs::write(path, html(&page_of(case, language))).expect("a folder");
        }
    }
}

#[test]
fn every_sentence_has_both_cases() {
    let told = TEXTS.iter().chain(OF_ROUNDS).chain(OF_FILES).map(|(name, ..)| *name);
    let told = told.chain(
        COMPOSED.iter().chain(COMPOSED_OF_ROUNDS).chain(COMPOSED_OF_FILES).map(|(name, ..)| *name),
    );
    let told = told.chain(BESIDE.iter().map(|(name, _)| *name)).chain(ALWAYS);
    let told: Vec<&str> = told.collect();
    for (module, source) in MODULES {
        let (texts, functions) = sentences(source);
        let texts = texts.into_iter().filter(|(_, words)| is_sentence(&words[0]));
        for name in texts.map(|(name, _)| name).chain(functions) {
            let name = format!("{module}::{name}");
            assert!(
                told.contains(&name.as_str()),
                "{name} has no case in tests/sentences/registry.rs"
            );
        }
    }
    for (name, test) in BESIDE {
        let test = format!("fn {test}()");
        assert!(TESTS_BESIDE.iter().any(|source| source.contains(&test)), "{name}: {test}");
    }
}

/// Whether a line has the fixed parts of a text in their order, with a value between two of them.
fn has(words: &str, text: &str) -> bool {
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let parts: Vec<&str> = parts.map(str::trim).collect();
    let (first, others) = parts.split_first().expect("a part");
    let follow = |line: &str| {
        line.match_indices(first).any(|(at, _)| follow(&line[at + first.len()..], others))
    };
    words.lines().any(follow)
}

/// Whether these parts follow, each behind a value that is no other sentence.
fn follow(rest: &str, parts: &[&str]) -> bool {
    let Some((part, others)) = parts.split_first() else { return true };
    let is_value = |value: &str| !value.trim().is_empty() && !value.contains(". ");
    let is_there = |at: usize| is_value(&rest[..at]) && follow(&rest[at + part.len()..], others);
    match part.is_empty() {
        true => follow(rest, others),
        false => rest.match_indices(part).any(|(at, _)| is_there(at)),
    }
}

/// The texts with this name, in all languages.
fn texts(name: &str) -> Vec<String> {
    let (module, text) = name.split_once("::").expect("a module");
    let (_, source) = MODULES.iter().find(|(known, _)| *known == module).expect("a known module");
    let found = sentences(source).0.into_iter().find(|(known, _)| known == text);
    found.unwrap_or_else(|| panic!("there is no text {name}")).1
}

#[test]
fn every_sentence_is_told_where_it_holds_and_nowhere_else() {
    let mut pages: Vec<(Case, [String; 2])> = Vec::new();
    let mut both = |case: Case| {
        if let Some((_, words)) = pages.iter().find(|(known, _)| *known == case) {
            return words.clone();
        }
        let words = [Language::English, Language::German].map(|language| words(case, language));
        pages.push((case, words.clone()));
        words
    };
    let texts = TEXTS.iter().chain(OF_ROUNDS).chain(OF_FILES);
    let texts = texts.map(|(name, told, untold)| (*name, self::texts(name), *told, *untold));
    let composed = COMPOSED.iter().chain(COMPOSED_OF_ROUNDS).chain(COMPOSED_OF_FILES);
    let composed = composed.map(|(name, parts, told, untold)| {
        (*name, parts.map(str::to_owned).to_vec(), *told, *untold)
    });
    let mut wrong = Vec::new();
    for (name, parts, told, untold) in texts.chain(composed) {
        let (there, elsewhere) = (both(told), both(untold));
        for (index, part) in parts.iter().enumerate() {
            if !has(&there[index], part) {
                wrong.push(format!("{name} is missing in {told:?}: {part}"));
            }
            if has(&elsewhere[index], part) {
                wrong.push(format!("{name} must not be in {untold:?}: {part}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_german_report_has_one_word_for_what_is_measured() {
    let cases = [Standard, Targets, ManyTargets, Uneven, Class("flash"), Null, Users];
    let others = ["Target", "Targets", "Messobjekt", "Messobjekte", "Prüfling", "Testobjekt"];
    let mut named = 0;
    for case in cases.into_iter().chain([Business(None), Sized(Sizes::InFull), FIXED]) {
        let words = words(case, Language::German);
        let words = words.split(|letter: char| !letter.is_alphanumeric());
        for word in words {
            assert!(!others.contains(&word), "{case:?}: {word}");
            named += usize::from(["Ziel", "Ziele", "Ziels", "Zielen"].contains(&word));
        }
    }
    assert!(named > 20, "{named}");
}

/// The sentence of each kind of finding: a new kind does not compile until it has one.
fn sentence_of(finding: &Finding) -> &'static str {
    match finding {
        Finding::Saturation(_) => "findings::saturation",
        Finding::Gain(_) => "findings::gain",
        Finding::Collapse(_) => "findings::collapse",
        Finding::Contrast(found) => match found.between {
            Between::Order { faster: Order::Sequential | Order::Random } => "findings::order",
            Between::Direction { faster: Direction::Read | Direction::Write } => {
                "findings::direction"
            }
            Between::BlockSize { .. } => "findings::block_sizes",
        },
        Finding::Change(found) => match found.measure.place {
            Place::Sustained | Place::Peak | Place::EqualLoad => "findings::change",
        },
    }
}

/// The sentence of each outcome at a rule.
const fn sentence_at(status: SustainedStatus) -> &'static str {
    match status {
        SustainedStatus::Met => "conclusions::between",
        SustainedStatus::AllMeet => "conclusions::beyond_last",
        SustainedStatus::NoneMeets => "conclusions::below_first",
        SustainedStatus::Unknown => "conclusions::nothing",
    }
}

#[test]
fn every_kind_of_finding_and_every_outcome_has_its_sentence() {
    let names: Vec<&str> = TEXTS
        .iter()
        .map(|(name, ..)| *name)
        .chain(COMPOSED.iter().map(|(name, ..)| *name))
        .collect();
    let cases = [Collapsing, Rising, Plateaus(2), OrderOf(8.0), DirectionOf(2.0), BlockSizes];
    let mut found = 0;
    for case in cases {
        let run = run_of(case).expect("a run");
        let findings = match case {
            Plateaus(_) => run.analysis.findings,
            _ => of_points(&run.points),
        };
        found += findings.len();
        findings.iter().for_each(|finding| assert!(names.contains(&sentence_of(finding))));
    }
    assert!(found > cases.len());
    use SustainedStatus::{AllMeet, Met, NoneMeets, Unknown};
    for status in [Met, AllMeet, NoneMeets, Unknown] {
        assert!(names.contains(&sentence_at(status)), "{status:?}");
    }
}

/// The number that a cell begins with.
fn number_in(cell: &str) -> Option<f64> {
    let plain = cell.replace('\u{2212}', "-").replace(['+', ',', '%'], "");
    plain.split_whitespace().next()?.parse().ok()
}

#[test]
fn the_gain_of_peak_flags_is_that_of_the_scores_beside_it() {
    use kneepoint_report::page::{Block, Table};
    use members::Work;
    let mut compared = 0;
    for work in [Work::Little, Work::All, Work::Slower, Work::Alike, Work::Disturbed] {
        let page = page_of(Processor(work), Language::English);
        let blocks = page.sections.iter().flat_map(|section| &section.blocks);
        let tables = blocks.filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        });
        let place = |table: &Table, head: &str| table.columns().position(|one| one.title == head);
        for table in tables {
            let heads = ["base", "peak", "Peak against base"].map(|head| place(table, head));
            let [Some(base), Some(peak), Some(gain)] = heads else { continue };
            for row in &table.rows {
                let numbers = [base, peak, gain].map(|column| number_in(&row[column].text.words()));
                let [Some(base), Some(peak), Some(gain)] = numbers else { continue };
                let percent = 100.0 * (peak / base - 1.0);
                assert!((percent - gain).abs() < 1.0, "{work:?}: {base} to {peak} is no {gain} %");
                let told = words(Processor(work), Language::English);
                let sentence = format!("{} % ", gain.abs());
                assert!(gain.abs() < 3.0 || told.contains(&sentence), "{work:?}: {gain} %");
                compared += 1;
            }
        }
    }
    assert!(compared >= 5, "{compared} rows");
}

/// Of users at screens the first page says how many there can be, unless that is not known.
#[test]
fn the_first_page_of_users_says_how_many_work() {
    let first = |case: Case, language: Language| {
        let summary = page_of(case, language).sections.swap_remove(0);
        let findings = summary.blocks.iter().find_map(|block| match block {
            Block::List(items) => items.first().map(|item| item.words()),
            _ => None,
        });
        findings.unwrap_or_default()
    };
    let carries = first(Typing(typing::CARRIES), Language::English);
    assert!(carries.starts_with("Up to ") && carries.contains(" users work within"), "{carries}");
    let german = first(Typing(typing::CARRIES), Language::German);
    assert!(german.contains(" Benutzer arbeiten innerhalb"), "{german}");
    let standard = first(Standard, Language::English);
    assert!(!standard.contains("users"), "{standard}");
}
