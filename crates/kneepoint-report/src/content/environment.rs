//! What the run ran on.

use std::collections::BTreeMap;

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::TargetEnvironment;

use super::survey::Survey;
use super::words;
use crate::language::Language;
use crate::page::{Block, Fact, Section, Text};

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let (texts, language) = (&survey.texts().environment, survey.language);
    let environment = &survey.document.environment;
    let mut section = Section::new("environment", texts.heading, Vec::new());
    let mut host = facts(language, &environment.host);
    host.extend(known(language, texts.kernel, &environment.kernel));
    if environment.memory_bytes > 0 {
        host.push(Fact::new(texts.memory, language.bytes(environment.memory_bytes)));
    }
    let cpu = facts(language, &environment.cpu);
    let engine = facts(language, &environment.engine);
    section.sections.extend(part("environment-host", texts.host, host));
    section.sections.extend(part("environment-cpu", texts.processor, cpu));
    section.sections.extend(part("environment-engine", texts.engine, engine));
    for (index, one) in environment.targets.iter().enumerate() {
        section.sections.push(target(survey, one, index));
    }
    if section.sections.is_empty() {
        section.blocks.push(Block::paragraph(texts.nothing));
    }
    section
}

fn target(survey: &Survey<'_>, target: &TargetEnvironment, index: usize) -> Section {
    let (texts, language) = (&survey.texts().environment, survey.language);
    let name = survey.texts().words.target;
    let kind = match target.kind {
        TargetKind::File => texts.file,
        TargetKind::Block => texts.block_device,
        TargetKind::Sim => texts.simulated_system,
        TargetKind::Null => texts.null_target,
    };
    let bytes = target.size_bytes;
    let size = (texts.size_in_bytes)(&language.bytes(bytes), &language.count_u64(bytes));
    let mut all = vec![
        Fact::new(name, Text::new().code(&target.target)),
        Fact::new(texts.kind, kind),
        Fact::new(texts.size, size),
    ];
    all.extend(known(language, texts.file_system, &target.file_system));
    let mut blocks = vec![Block::Facts(all)];
    for (title, map) in [(texts.device, &target.device), (texts.settings, &target.settings)] {
        if !map.is_empty() {
            blocks.push(Block::Paragraph(Text::new().strong(title)));
            blocks.push(Block::Facts(facts(language, map)));
        }
    }
    let title = format!("{name} {}: {}", index + 1, target.target);
    Section::new(format!("environment-target-{}", index + 1), title, blocks)
}

/// A part, if anything is known.
fn part(id: &str, title: &str, facts: Vec<Fact>) -> Option<Section> {
    (!facts.is_empty()).then(|| Section::new(id, title, vec![Block::Facts(facts)]))
}

fn facts(language: Language, map: &BTreeMap<String, String>) -> Vec<Fact> {
    let fact = |(key, value): (&String, &String)| {
        Fact::new(words::key(language, key), words::value(language, value))
    };
    map.iter().map(fact).collect()
}

fn known(language: Language, name: &str, value: &str) -> Option<Fact> {
    (!value.is_empty()).then(|| Fact::new(name, words::recorded(language, value)))
}
