//! The examples in the documents are what they claim to be.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;

use kneepoint_core::plan::Overrides;
use kneepoint_core::spec::profile::Profile;
use kneepoint_core::spec::suite::Suite;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use xtask::workspace_root;

/// The fenced blocks of `language` in a document, each with the document's name and its line.
fn blocks(path: &str, language: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(workspace_root().join(path)).unwrap();
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for (event, range) in Parser::new(&text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(name))) if &*name == language => {
                let line = text[..range.start].matches('\n').count() + 1;
                open = Some((format!("{path}:{line}"), String::new()));
            }
            Event::Text(part) => {
                if let Some((_, block)) = &mut open {
                    block.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// Parses every TOML example of a document as the program would.
fn check(path: &str) {
    let examples = blocks(path, "toml");
    assert!(!examples.is_empty(), "{path} has examples");
    for (place, text) in examples {
        let suite = match text.contains("[[series]]") || text.contains("[[together]]") {
            true => Suite::parse(&text, &place),
            false => Profile::parse(&text, &place).map(Suite::of_profile),
        };
        let resolved = suite.and_then(|suite| suite.resolve(&Overrides::none()));
        let fix = |fault: &kneepoint_core::words::fault::Fault| fault.fix_hint().map(str::to_owned);
        resolved.unwrap_or_else(|fault| panic!("{fault}; {:?}", fix(&fault)));
    }
}

#[test]
fn profiles_and_suites_of_the_reference_parse() {
    check("docs/profiles.md");
}

#[test]
fn profiles_and_programs_of_the_processor_suite_parse() {
    check("docs/processor.md");
}

#[test]
fn the_shipped_suites_of_other_programs_resolve() {
    for name in ["processor-debian.toml", "licensed-tree.toml"] {
        let path = format!("examples/processor/{name}");
        let text = fs::read_to_string(workspace_root().join(&path)).unwrap();
        let suite = Suite::parse(&text, &path).unwrap();
        let series = suite.resolve(&Overrides::none()).unwrap();
        assert!(!suite.members.is_empty());
        assert!(series.iter().all(|series| series.profile.external().is_some()), "{path}");
    }
}

#[test]
fn suites_with_factors_parse() {
    check("docs/factors.md");
}

#[test]
fn profiles_and_suites_of_the_guide_parse() {
    check("docs/guide.md");
}
