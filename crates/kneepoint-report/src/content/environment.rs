//! What the run ran on.

use std::collections::BTreeMap;

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{HostEnvironment, TargetEnvironment};

use super::survey::RunView;
use super::words;
use crate::language::Language;
use crate::language::texts;
use crate::page::{Block, Fact, Section, Text};

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let environment = &survey.document.environment;
    let mut section =
        Section::new("environment", texts::environment::heading(survey.language), Vec::new());
    for (index, host) in environment.hosts.iter().enumerate() {
        section.sections.extend(machine(survey, host, index));
    }
    let mut first = 1;
    for alike in environment.targets.chunk_by(are_alike) {
        section.sections.push(targets(survey, alike, first));
        first += alike.len();
    }
    if section.sections.is_empty() {
        section.blocks.push(Block::paragraph(texts::environment::nothing(survey.language)));
    }
    section
}

/// A machine that measured: itself, its processors, its engine.
fn machine(survey: &RunView<'_>, host: &HostEnvironment, index: usize) -> Vec<Section> {
    let language = survey.language;
    let mut machine = facts(language, &host.facts);
    machine.extend(known(language, texts::environment::kernel(language), &host.kernel));
    if host.memory_bytes > 0 {
        machine.push(Fact::new(
            texts::environment::memory(language),
            language.bytes(host.memory_bytes),
        ));
    }
    let (cpu, engine) = (facts(language, &host.cpu), facts(language, &host.engine));
    let id = |part: &str| match index {
        0 => format!("environment-{part}"),
        _ => format!("environment-{part}-{}", index + 1),
    };
    [
        ("host", texts::environment::host(language), machine),
        ("cpu", texts::environment::processor(language), cpu),
        ("engine", texts::environment::engine(language), engine),
    ]
    .into_iter()
    .filter_map(|(name, title, facts)| part(&id(name), title, facts))
    .collect()
}

/// Whether two targets differ in nothing but their names.
fn are_alike(one: &TargetEnvironment, other: &TargetEnvironment) -> bool {
    TargetEnvironment { target: String::new(), ..one.clone() }
        == TargetEnvironment { target: String::new(), ..other.clone() }
}

/// Targets that are alike, numbered from `first`.
fn targets(survey: &RunView<'_>, alike: &[TargetEnvironment], first: usize) -> Section {
    let language = survey.language;
    let target = &alike[0];
    let name = texts::words::target(language);
    let kind = match target.kind {
        TargetKind::File => texts::environment::file(language),
        TargetKind::Block => texts::environment::block_device(language),
        TargetKind::Sim if target.size_bytes == 0 => texts::environment::simulated_server(language),
        TargetKind::Sim => texts::environment::simulated_system(language),
        TargetKind::Null => texts::environment::null_target(language),
    };
    let bytes = target.size_bytes;
    let size = texts::environment::size_in_bytes(
        language,
        &language.bytes(bytes),
        &language.count_u64(bytes),
    );
    let mut all =
        vec![Fact::new(name, names(alike)), Fact::new(texts::environment::kind(language), kind)];
    if bytes > 0 || target.kind != TargetKind::Sim {
        all.push(Fact::new(texts::environment::size(language), size));
    }
    all.extend(known(language, texts::environment::file_system(language), &target.file_system));
    let class = target.class.iter();
    all.extend(class.map(|class| {
        Fact::new(texts::environment::class(language), words::class(language, class))
    }));
    let mut blocks = vec![Block::Facts(all)];
    for (title, map) in [
        (texts::environment::device(language), &target.device),
        (texts::environment::settings(language), &target.settings),
    ] {
        if !map.is_empty() {
            blocks.push(Block::Paragraph(Text::new().strong(title)));
            blocks.push(Block::Facts(facts(language, map)));
        }
    }
    let last = first + alike.len() - 1;
    let title = match alike {
        [.., end] if last > first => {
            let range = texts::words::range(language, &first.to_string(), &last.to_string());
            format!("{name} {range}: {} … {}", target.target, end.target)
        }
        _ => format!("{name} {first}: {}", target.target),
    };
    Section::new(format!("environment-target-{first}"), title, blocks)
}

/// The names of targets.
fn names(targets: &[TargetEnvironment]) -> Text {
    let mut text = Text::new();
    for (index, target) in targets.iter().enumerate() {
        let before = if index == 0 { "" } else { ", " };
        text = text.plain(before).code(&target.target);
    }
    text
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
