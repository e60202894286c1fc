//! What the run ran on.

use std::collections::BTreeMap;

use kneepoint_core::number::{Count, RoundedBytes};
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::TargetEnvironment;

use super::survey::Survey;
use super::words;
use crate::page::{Block, Fact, Section, Text};

pub(super) fn section(survey: &Survey<'_>) -> Section {
    let environment = &survey.document.environment;
    let mut section = Section::new("environment", "Environment", Vec::new());
    let mut host = facts(&environment.host);
    host.extend(known("Kernel", &environment.kernel));
    if environment.memory_bytes > 0 {
        host.push(Fact::new("Memory", RoundedBytes(environment.memory_bytes).to_string()));
    }
    section.sections.extend(part("environment-host", "Host", host));
    section.sections.extend(part("environment-cpu", "Processor", facts(&environment.cpu)));
    section.sections.extend(part("environment-engine", "Engine", facts(&environment.engine)));
    for (index, one) in environment.targets.iter().enumerate() {
        section.sections.push(target(one, index));
    }
    if section.sections.is_empty() {
        section.blocks.push(Block::paragraph("Nothing was recorded."));
    }
    section
}

fn target(target: &TargetEnvironment, index: usize) -> Section {
    let kind = match target.kind {
        TargetKind::File => "file",
        TargetKind::Block => "block device",
        TargetKind::Sim => "simulated storage system",
        TargetKind::Null => "null target",
    };
    let size = format!("{} ({} bytes)", RoundedBytes(target.size_bytes), Count(target.size_bytes));
    let mut all = vec![
        Fact::new("Target", Text::new().code(&target.target)),
        Fact::new("Kind", kind),
        Fact::new("Size used", size),
    ];
    all.extend(known("File system", &target.file_system));
    let mut blocks = vec![Block::Facts(all)];
    for (title, map) in [("Device", &target.device), ("Settings", &target.settings)] {
        if !map.is_empty() {
            blocks.push(Block::Paragraph(Text::new().strong(title)));
            blocks.push(Block::Facts(facts(map)));
        }
    }
    let title = format!("Target {}: {}", index + 1, target.target);
    Section::new(format!("environment-target-{}", index + 1), title, blocks)
}

/// A part, if anything is known.
fn part(id: &str, title: &str, facts: Vec<Fact>) -> Option<Section> {
    (!facts.is_empty()).then(|| Section::new(id, title, vec![Block::Facts(facts)]))
}

fn facts(map: &BTreeMap<String, String>) -> Vec<Fact> {
    map.iter().map(|(key, value)| Fact::new(words::key(key), value.as_str())).collect()
}

fn known(name: &str, value: &str) -> Option<Fact> {
    (!value.is_empty()).then(|| Fact::new(name, value))
}
