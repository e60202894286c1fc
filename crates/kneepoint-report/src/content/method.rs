//! How it was measured, what the words mean, and how to read the results.

use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::storage_class::TargetClass;

use super::survey::Survey;
use super::words;
use crate::language::Language;
use crate::page::{Block, Note, Section, Text, Tone};

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let (texts, boxes) = (&survey.texts().method, &survey.texts().boxes);
    let uses = |unit| survey.series.iter().any(|series| series.load_unit() == unit);
    let mut blocks = vec![Block::paragraph((texts.tool)(&survey.document.run.version))];
    if uses(LoadUnit::OutstandingIos) || survey.series.is_empty() {
        blocks.push(term(texts.outstanding));
    }
    if uses(LoadUnit::OfferedIops) {
        blocks.push(term(texts.offered));
    }
    blocks.extend([term(texts.throughput), boxed(boxes.judge)]);
    blocks.extend([term(texts.response), term(texts.percentiles)]);
    blocks.push(term((texts.sustained, &sustained(survey))));
    blocks.extend(survey.plan.class.as_ref().map(|class| rules_of_class(survey, class)));
    blocks.extend([term(texts.peak), boxed(boxes.sustained), boxed(boxes.mean_limit)]);
    blocks.push(term((texts.timing, &timing(survey))));
    blocks.extend([term(texts.confidence), boxed(boxes.confidence), term(texts.cpu)]);
    Section::new("method", texts.heading, blocks)
}

/// A word and what it means.
fn term((term, text): (&str, &str)) -> Block {
    Block::Paragraph(Text::new().strong(format!("{term}. ")).plain(text))
}

/// A box: how to read the results.
fn boxed((title, text): (&str, &str)) -> Block {
    Block::Note(Note { tone: Tone::Plain, title: title.to_owned(), text: text.into() })
}

fn sustained(survey: &Survey<'_>) -> String {
    let texts = &survey.texts().method;
    let rules: Vec<String> =
        survey.rules.iter().map(|rule| words::rule(survey.language, rule)).collect();
    let rules = match rules.as_slice() {
        [] => texts.no_rule.to_owned(),
        [only] => (texts.one_rule)(only),
        several => (texts.several_rules)(&words::listed(survey.language, several)),
    };
    (texts.sustained_text)(&rules)
}

/// Why the rules are those that they are, where nobody named any.
fn rules_of_class(survey: &Survey<'_>, class: &TargetClass) -> Block {
    let texts = &survey.texts().method;
    let text = Text::new().strong(format!("{}. ", texts.class)).plain(texts.class_decides);
    let text = text.join(words::class(survey.language, class));
    Block::Paragraph(text.plain(format!(". {}", (texts.class_rules)(class.class))))
}

/// The times as they were, from the shortest to the longest.
fn timing(survey: &Survey<'_>) -> String {
    let texts = &survey.texts().method;
    let points = &survey.document.points;
    let ramp = range(survey.language, points.iter().map(|point| point.ramp_s));
    let measured = range(survey.language, points.iter().map(|point| point.measured_s));
    let times = match (ramp, measured) {
        (Some(ramp), Some(measured)) => (texts.times)(&ramp, &measured),
        _ => String::new(),
    };
    (texts.timing_text)(&times)
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
        (low, high) => Some((language.catalog().words.range)(&low, &high)),
    }
}
