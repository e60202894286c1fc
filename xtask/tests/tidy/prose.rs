//! Words that the style page asks not to use.

use std::fs;

use xtask::workspace_root;

use crate::finding::{Finding, assert_none};
use crate::source::all;

/// What is not written, and what is written instead.
const DENIED: [(&str, &str); 8] = [
    ("somebody", "someone"),
    ("nobody", "no one"),
    ("anew", "again"),
    ("held against", "compared with"),
    ("so many", "the number"),
    ("lies in", "is in"),
    ("guild", "the term of the field"),
    ("draught", "draft"),
];

/// Where the words stand as examples.
const EXEMPT: [&str; 2] = ["docs/style.md", "xtask/tests/tidy/prose.rs"];

#[test]
fn texts_are_written_as_the_style_page_says() {
    let mut findings = Vec::new();
    let sources = all().iter().map(|file| (file.path.clone(), file.text.clone()));
    for (path, text) in sources.chain(documents()) {
        if EXEMPT.contains(&path.as_str()) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let found = DENIED.iter().filter(|(word, _)| has_words(line, word));
            findings.extend(found.map(|(word, instead)| Finding {
                path: path.clone(),
                line: number + 1,
                what: format!("'{word}': write {instead}"),
            }));
        }
    }
    assert_none(&findings, "see docs/style.md");
}

/// The Markdown documents of the root and of `docs`.
fn documents() -> impl Iterator<Item = (String, String)> {
    let root = workspace_root();
    let folders = ["", "docs"].map(|folder| root.join(folder));
    let entries = folders.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let texts = paths.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    texts.map(move |path| {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).unwrap())
    })
}

/// Whether `line` has `words`, with a small or a capital letter first, not as a part of longer ones or of
/// names in code.
fn has_words(line: &str, words: &str) -> bool {
    let (first, rest) = words.split_at(1);
    let is_part =
        |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || char == '_');
    [words.to_owned(), format!("{}{rest}", first.to_uppercase())].iter().any(|words| {
        line.match_indices(words.as_str()).any(|(start, found)| {
            let before = line[..start].chars().next_back();
            let after = line[start + found.len()..].chars().next();
            !is_part(before) && !is_part(after)
        })
    })
}

#[test]
fn words_are_found_alone() {
    assert!(has_words("// Nobody knows.", "nobody"));
    assert!(has_words("Written anew", "anew"));
    assert!(!has_words("fn a_disk_that_nobody_named()", "nobody"));
    assert!(!has_words("a replay in itself", "lies in"));
    assert!(!has_words("const NOBODY: u32", "nobody"));
}
