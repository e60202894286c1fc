//! How it was measured, what the words mean, and how to read the results.

use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::storage_class::TargetClass;

use super::survey::RunView;
use super::words;
use crate::language::Language;
use crate::language::texts;
use crate::page::{Block, Note, Section, Text, Tone};

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let uses = |unit| survey.series.iter().any(|series| series.load_unit() == unit);
    let mut blocks =
        vec![Block::paragraph(texts::method::tool(survey.language, &survey.document.run.version))];
    if uses(LoadUnit::OutstandingIos) || survey.series.is_empty() {
        blocks.push(term(texts::method::outstanding(survey.language)));
    }
    if uses(LoadUnit::OfferedIops) {
        blocks.push(term(texts::method::offered(survey.language)));
    }
    if uses(LoadUnit::Users) {
        blocks.push(term(texts::method::users(survey.language)));
    }
    match survey.is_io() {
        true => blocks.extend([
            term(texts::method::throughput(survey.language)),
            boxed(texts::boxes::judge(survey.language)),
            term(texts::method::response(survey.language)),
            term(texts::method::percentiles(survey.language)),
        ]),
        false => blocks.extend(texts::method::of_operations(survey.language).map(term)),
    }
    blocks.push(term((texts::method::sustained(survey.language), &sustained(survey))));
    blocks.extend(survey.plan.class.as_ref().map(|class| rules_of_class(survey, class)));
    blocks.extend([
        term(texts::method::peak(survey.language)),
        boxed(texts::boxes::sustained(survey.language)),
    ]);
    if survey.is_io() {
        blocks.push(boxed(texts::boxes::mean_limit(survey.language)));
    }
    blocks.push(term((texts::method::timing(survey.language), &timing(survey))));
    blocks.extend([
        term(texts::method::confidence(survey.language)),
        boxed(texts::boxes::confidence(survey.language)),
        term(texts::method::cpu(survey.language)),
    ]);
    Section::new("method", texts::method::heading(survey.language), blocks)
}

/// A word and what it means.
fn term((term, text): (&str, &str)) -> Block {
    Block::Paragraph(Text::new().strong(format!("{term}. ")).plain(text))
}

/// A box: how to read the results.
fn boxed((title, text): (&str, &str)) -> Block {
    Block::Note(Note { tone: Tone::Plain, title: title.to_owned(), text: text.into() })
}

fn sustained(survey: &RunView<'_>) -> String {
    let language = survey.language;
    let rules: Vec<String> = survey.rules.iter().map(|rule| words::rule(language, rule)).collect();
    let rules = match rules.as_slice() {
        [] => texts::method::no_rule(language).to_owned(),
        [only] => texts::method::one_rule(language, only),
        several => texts::method::several_rules(language, &words::listed(language, several)),
    };
    texts::method::sustained_text(language, &rules)
}

/// Why the rules are those that they are, where no one named any.
fn rules_of_class(survey: &RunView<'_>, class: &TargetClass) -> Block {
    let language = survey.language;
    let text = Text::new()
        .strong(format!("{}. ", texts::method::class(language)))
        .plain(texts::method::class_decides(language));
    let text = text.join(words::class(language, class));
    Block::Paragraph(text.plain(format!(". {}", texts::method::class_rules(language, class.class))))
}

/// The times as they were, from the shortest to the longest.
fn timing(survey: &RunView<'_>) -> String {
    let points = &survey.document.points;
    let ramp = range(survey.language, points.iter().map(|point| point.ramp_s));
    let measured = range(survey.language, points.iter().map(|point| point.measured_s));
    let times = match (ramp, measured) {
        (Some(ramp), Some(measured)) => texts::method::times(survey.language, &ramp, &measured),
        _ => String::new(),
    };
    texts::method::timing_text(survey.language, &times)
}

/// `2 s`, or `2 s to 30 s`.
fn range(language: Language, seconds: impl Iterator<Item = f64>) -> Option<String> {
    let (low, high) =
        seconds.fold((f64::INFINITY, 0.0_f64), |(low, high), s| (low.min(s), high.max(s)));
    let text = |seconds: f64| {
        let text = kneepoint_core::words::number::Rate(seconds).to_string();
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.'),
            false => &text,
        };
        language.written(&format!("{text} s"))
    };
    match (text(low), text(high)) {
        _ if low > high => None,
        (low, high) if low == high => Some(low),
        (low, high) => Some(texts::words::range(language, &low, &high)),
    }
}
