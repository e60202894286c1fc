//! The seams in ARCHITECTURE.md are those of the code.

use std::collections::BTreeMap;
use std::fs;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use xtask::workspace_root;

use crate::finding::{Finding, assert_none};
use crate::source::of_crate;

/// The document that shows traits.
const DOCUMENT: &str = "ARCHITECTURE.md";

/// The seams, which the document must show.
const SEAMS: [&str; 3] = ["Backend", "Testbed", "Instrument"];

#[test]
fn the_document_shows_the_seams_as_they_are() {
    let mut code = BTreeMap::new();
    for file in of_crate("kneepoint-core") {
        code.extend(traits(&file.text));
    }
    assert!(SEAMS.iter().all(|name| code.contains_key(*name)), "a seam has another name now");
    let text = fs::read_to_string(workspace_root().join(DOCUMENT)).unwrap();
    let shown: BTreeMap<String, Vec<String>> =
        rust_blocks(&text).iter().flat_map(|block| traits(block)).collect();
    let wrong = SEAMS.iter().filter(|name| shown.get(**name) != code.get(**name));
    let findings: Vec<Finding> = wrong
        .map(|name| Finding {
            path: DOCUMENT.to_owned(),
            line: 1 + text
                .lines()
                .position(|line| line.contains(&format!("trait {name}")))
                .unwrap_or(0),
            what: format!("trait {name} is {:#?}", code.get(*name)),
        })
        .collect();
    assert_none(&findings, "show every method as it is declared, without its body");
}

/// The code of the blocks that are marked as Rust.
fn rust_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if &*kind == "rust" => {
                block = Some(String::new());
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(block.take()),
            Event::Text(text) => {
                if let Some(block) = &mut block {
                    block.push_str(&text);
                }
            }
            _ => {}
        }
    }
    blocks
}

/// The public traits in `text` with the declarations of their methods.
fn traits(text: &str) -> BTreeMap<String, Vec<String>> {
    let tokens: TokenStream = text.parse().unwrap();
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = BTreeMap::new();
    for window in tokens.windows(4) {
        let [visible, keyword, name, TokenTree::Group(body)] = window else { continue };
        if visible.to_string() == "pub" && keyword.to_string() == "trait" {
            found.insert(name.to_string(), methods(body.stream()));
        }
    }
    found
}

/// The declarations in the body of a trait, as text that says the same for the same code.
fn methods(body: TokenStream) -> Vec<String> {
    let mut methods = Vec::new();
    let mut declaration: Vec<String> = Vec::new();
    let mut tokens = body.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            // Attributes, and comments that are documentation.
            TokenTree::Punct(hash) if hash.as_char() == '#' => drop(tokens.next()),
            TokenTree::Punct(end) if end.as_char() == ';' => methods.push(take(&mut declaration)),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                methods.push(take(&mut declaration));
            }
            other => declaration.push(other.to_string()),
        }
    }
    methods
}

/// The declaration in one line: a name that is not used yet is none the less that name, and the
/// last comma does not count.
fn take(declaration: &mut Vec<String>) -> String {
    let text = std::mem::take(declaration).join(" ");
    text.split_whitespace()
        .map(|word| word.trim_start_matches('_'))
        .collect::<String>()
        .replace(",)", ")")
}

#[test]
fn the_same_method_is_the_same_however_it_is_written() {
    let code = "pub trait A { /// Doc.\n #[inline]\n fn one(\n &self,\n _two: &B,\n ) -> C {\n todo()\n } }";
    let same = "pub trait A { fn one(&self, two: &B) -> C; }";
    let other = "pub trait A { fn one(&mut self, two: &B) -> C; }";
    assert_eq!(traits(code), traits(same));
    assert_ne!(traits(code), traits(other));
}
