//! Terms of the field are explained where a page uses them first.

use kneepoint_report::page::{Block, Inline, Page, Section, Text};
use kneepoint_report::{Language, html};

use super::cases::Case::{self, *};
use super::page_of;
use super::repeats::cases;
use super::sized::Sizes;

/// A term: how its explanation is headed, and the words that use it, in a language.
type Term = (&'static str, &'static [&'static str]);

/// What every page explains if it uses it.
const ENGLISH: [Term; 5] = [
    ("Series", &["series"]),
    ("Rule", &["rule", "rules"]),
    ("Plateau", &["plateau", "plateaus"]),
    ("Sustained", &["sustained", "sustain", "sustains"]),
    ("Saturation knee", &["saturation knee", "saturation knees", "knee"]),
];
const GERMAN: [Term; 5] = [
    ("Messreihe", &["messreihe", "messreihen"]),
    ("Regel", &["regel", "regeln"]),
    ("Plateau", &["plateau"]),
    ("Nutzbar", &["nutzbar", "nutzbare", "nutzbarer", "nutzbaren"]),
    ("Sättigungspunkt", &["sättigungspunkt", "sättigungspunkte", "sättigungspunkts"]),
];

/// The same of pages on storage alone.
const ENGLISH_OF_IO: [Term; 2] = [("Peak", &["peak"]), ("Disk stroke", &["disk stroke", "stroke"])];
const GERMAN_OF_IO: [Term; 2] = [("Spitze", &["spitze", "spitzendurchsatz"]), ("Hub", &["hub"])];

/// A piece of a page in reading order: its words, and the terms that it explains.
struct Piece {
    /// The name of what it is about, in front of a paragraph that explains it at length.
    head: String,
    words: String,
    explained: Vec<String>,
}

fn piece(text: &Text, others: Vec<String>) -> Piece {
    let mut words: String = others.iter().map(|other| format!("{other} | ")).collect();
    let mut explained = Vec::new();
    for inline in &text.0 {
        match inline {
            Inline::Definition { term, .. } => explained.push(term.clone()),
            // Names of series have their settings in them.
            Inline::Code(_) | Inline::Link { .. } | Inline::English(_) => words += " ",
            Inline::Plain(own) | Inline::Strong(own) => words += own,
        }
    }
    let head = match text.0.first() {
        Some(Inline::Strong(head)) if head.trim_end().ends_with('.') => head.to_lowercase(),
        _ => String::new(),
    };
    Piece { head, words: words.replace('\u{a0}', " ").to_lowercase(), explained }
}

fn pieces(page: &Page) -> Vec<Piece> {
    fn add(section: &Section, all: &mut Vec<Piece>) {
        for block in &section.blocks {
            match block {
                Block::Paragraph(text) | Block::Remark(text) => all.push(piece(text, Vec::new())),
                Block::List(items) => all.extend(items.iter().map(|item| piece(item, Vec::new()))),
                Block::Facts(facts) => {
                    all.extend(
                        facts.iter().map(|fact| piece(&fact.value, vec![fact.name.clone()])),
                    );
                }
                Block::Table(table) => {
                    let heads = table.columns().map(|column| column.title.clone());
                    let groups = table.groups.iter().map(|group| group.title.clone());
                    let cells =
                        table.rows.iter().flatten().map(|cell| piece(&cell.text, Vec::new()));
                    let cells = cells.map(|cell| cell.words);
                    all.push(piece(&table.caption, groups.chain(heads).chain(cells).collect()));
                }
                Block::Figures(figures) => {
                    all.extend(figures.iter().map(|figure| piece(&figure.caption, Vec::new())));
                }
                Block::Note(note) => all.push(piece(&note.text, vec![note.title.clone()])),
                Block::Strips(_) | Block::Listing(_) => {}
            }
        }
        section.sections.iter().for_each(|inner| add(inner, all));
    }
    let mut all: Vec<Piece> =
        page.facts.iter().map(|fact| piece(&fact.value, vec![fact.name.clone()])).collect();
    all.extend(page.notes.iter().map(|note| piece(&note.text, vec![note.title.clone()])));
    page.sections.iter().for_each(|section| add(section, &mut all));
    all
}

fn uses(words: &str, term: &str) -> bool {
    let is_end = |letter: Option<char>| {
        letter.is_none_or(|letter| !letter.is_alphanumeric() && !"-_=/".contains(letter))
    };
    words.match_indices(term).any(|(at, _)| {
        is_end(words[..at].chars().next_back()) && is_end(words[at + term.len()..].chars().next())
    })
}

/// The terms of a page that are used before they are explained, or explained more than once; and how many are
/// explained.
fn unexplained(page: &Page, terms: &[Term]) -> (usize, Vec<String>) {
    let pieces = pieces(page);
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, words) in terms {
        let first = pieces.iter().position(|one| words.iter().any(|word| uses(&one.words, word)));
        let told: Vec<usize> = pieces
            .iter()
            .enumerate()
            .filter(|(_, one)| one.explained.iter().any(|term| term == name))
            .map(|(index, _)| index)
            .collect();
        let is_defined = |at: usize| words.iter().any(|word| uses(&pieces[at].head, word));
        match (first, told.as_slice()) {
            (Some(first), []) if is_defined(first) => count += 1,
            (Some(first), [told]) if first == *told => count += 1,
            (None, []) => {}
            (Some(first), told) => {
                wrong.push(format!("{name}: used in '{}', told in {told:?}", pieces[first].words));
            }
            (None, _) => wrong.push(format!("{name} is explained and not used")),
        }
    }
    (count, wrong)
}

fn terms(case: Case, language: Language) -> Vec<Term> {
    let [all, of_io] = match language {
        Language::English => [&ENGLISH[..], &ENGLISH_OF_IO],
        Language::German => [&GERMAN[..], &GERMAN_OF_IO],
    };
    let is_of_work = matches!(
        case,
        Users
            | UsersPair
            | UsersOfHosts
            | Typing(_)
            | Processor(_)
            | Business(_)
            | Chapters
            | ChaptersAtOnce
    );
    let own = if is_of_work { &[] } else { of_io };
    all.iter().chain(own).copied().collect()
}

#[test]
fn every_term_is_explained_where_it_is_used_first() {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in cases() {
        for language in [Language::English, Language::German] {
            let (told, found) = unexplained(&page_of(case, language), &terms(case, language));
            count += told;
            wrong.extend(found.into_iter().map(|found| format!("{case:?}: {found}")));
        }
    }
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 500, "{count} terms");
}

/// Percentiles, the limit of time and the stroke, on pages that begin with them.
#[test]
fn percentiles_and_limits_are_explained_too() {
    let explained = |case: Case, language| html(&page_of(case, language)).replace('\u{a0}', " ");
    let page = explained(Rule("p99.9<=10s"), Language::English);
    assert!(page.contains("<dfn>p99.9</dfn>: 99.9 % of the I/Os were at least as fast."));
    let page = explained(Rule("p99.9<=10s"), Language::German);
    assert!(page.contains("<dfn>p99,9</dfn>: 99,9 % der I/Os waren mindestens so schnell."));
    let page = explained(Sized(Sizes::InFull), Language::English);
    assert!(page.contains("<dfn>Disk stroke</dfn>: the part of each drive that is used."));
    let business = explained(Business(None), Language::English);
    assert!(!business.contains("of the I/Os were at least") && !business.contains("Disk stroke"));
}

/// The check of the check: a page whose explanations were taken away.
#[test]
fn a_term_that_is_not_explained_is_noticed() {
    let mut page = page_of(Standard, Language::English);
    let terms = terms(Standard, Language::English);
    assert_eq!(unexplained(&page, &terms).1, Vec::<String>::new());
    fn strip(text: &mut Text) {
        text.0.retain(|inline| !matches!(inline, Inline::Definition { .. }));
    }
    for block in page.sections.iter_mut().flat_map(|section| &mut section.blocks) {
        match block {
            Block::Paragraph(text) | Block::Remark(text) => strip(text),
            Block::List(items) => items.iter_mut().for_each(strip),
            Block::Table(table) => strip(&mut table.caption),
            Block::Figures(figures) => figures.iter_mut().for_each(|one| strip(&mut one.caption)),
            _ => {}
        }
    }
    assert!(!unexplained(&page, &terms).1.is_empty());
}
