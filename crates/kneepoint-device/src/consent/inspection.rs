//! A target and its judgement as text, for `kneepoint inspect`.

use std::fmt::Write;

use kneepoint_core::words::units::Bytes;

use crate::facts::{DirectAlignment, Subject, TargetFacts, direct_alignment};

use super::finding::Effect;
use super::judgement::{Decision, Judgement};

/// Facts of a target line by line, whether it may be written, and every finding with its remedy.
pub fn inspection(facts: &TargetFacts, judgement: &Judgement) -> String {
    render(facts, direct_alignment(facts), judgement)
}

fn render(facts: &TargetFacts, alignment: DirectAlignment, judgement: &Judgement) -> String {
    let mut text = String::new();
    let mut line = |key: &str, value: &str| line(&mut text, key, value);
    let shown = facts.environment("");
    line("target", &facts.path.display().to_string());
    line("kind", kind(facts));
    line("size", &Bytes(facts.size_bytes()).to_string());
    if let Some(file_system) = facts.file_system() {
        line("file system", &shown.file_system);
        line("free", &format!("{} bytes", file_system.free_bytes));
    }
    line(
        "direct I/O",
        &format!(
            "offsets in {} B, buffers at {} B ({})",
            alignment.offset_bytes,
            alignment.memory_bytes,
            alignment.source.name()
        ),
    );
    for (key, value) in shown.device.iter().chain(&shown.settings) {
        line(key, value);
    }
    text.push_str(&verdict(judgement));
    text
}

fn line(text: &mut String, key: &str, value: &str) {
    writeln!(text, "{:<24} {value}", key.replace('_', " ")).expect("text takes every line");
}

fn kind(facts: &TargetFacts) -> &'static str {
    match &facts.subject {
        Subject::File(_) => "file",
        Subject::Missing(_) => "file, still to be made",
        Subject::Block(stack) => stack.tops().first().map_or("device", |top| top.class.name()),
    }
}

fn verdict(judgement: &Judgement) -> String {
    let answer = match judgement.decision() {
        Decision::Allowed(consent) => format!("yes: {}", consent.ground().name()),
        Decision::Refused => "no".to_owned(),
    };
    let mut text = String::new();
    line(&mut text, "may be written", &answer);
    for finding in judgement.findings() {
        let mark = match finding.effect {
            Effect::Refuses => "refused",
            Effect::Notes => "note",
        };
        line(&mut text, &format!("  {mark}"), &finding.what());
        if let Some(remedy) = finding.remedy() {
            line(&mut text, "    to do", &remedy);
        }
    }
    text
}
