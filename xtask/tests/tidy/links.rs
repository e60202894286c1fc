//! Links in the documents lead somewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use xtask::workspace_root;

use crate::finding::{Finding, assert_none};

/// A document: its links with their lines, and the anchors of its headings.
#[derive(Default)]
struct Document {
    links: Vec<(usize, String)>,
    anchors: Vec<String>,
}

impl Document {
    fn read(text: &str) -> Self {
        let mut document = Self::default();
        let mut heading: Option<String> = None;
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = text[..range.start].matches('\n').count() + 1;
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push((line, dest_url.into_string()));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    document.anchors.extend(heading.take().map(|title| anchor(&title)));
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(title) = &mut heading {
                        title.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        document
    }
}

/// How a heading is linked to.
fn anchor(title: &str) -> String {
    let kept = title.to_lowercase();
    kept.chars()
        .filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter))
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

/// Every Markdown file that people read, from the workspace's root.
fn documents(root: &Path) -> BTreeMap<PathBuf, Document> {
    let mut documents = BTreeMap::new();
    let mut folders = vec![PathBuf::from("docs")];
    let in_root =
        fs::read_dir(root).unwrap().map(|entry| PathBuf::from(entry.unwrap().file_name()));
    let mut paths: Vec<PathBuf> = in_root.collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            match root.join(&path).is_dir() {
                true => folders.push(path),
                false => paths.push(path),
            }
        }
    }
    for path in paths.into_iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let text = fs::read_to_string(root.join(&path)).unwrap();
        documents.insert(path, Document::read(&text));
    }
    documents
}

/// The path that a link leads to, without `.` and `..`.
fn target(document: &Path, link: &str) -> PathBuf {
    let mut path = document.parent().unwrap_or(Path::new("")).to_owned();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    path
}

#[test]
fn links_lead_somewhere() {
    let root = workspace_root();
    let documents = documents(&root);
    let mut findings = Vec::new();
    for (path, document) in &documents {
        for (line, link) in &document.links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let leads_to = if file.is_empty() { path.clone() } else { target(path, file) };
            let has_anchor = |found: &Document| found.anchors.iter().any(|name| name == fragment);
            let fits = match documents.get(&leads_to) {
                Some(found) => fragment.is_empty() || has_anchor(found),
                None => root.join(&leads_to).exists(),
            };
            if !fits {
                let path = path.to_string_lossy().into_owned();
                let what = format!("the link {link} leads nowhere");
                findings.push(Finding { path, line: *line, what });
            }
        }
    }
    assert_none(&findings, "correct the link, or write what it leads to");
}

#[test]
fn anchors_are_made_of_headings() {
    assert_eq!(anchor("Two devices, and `--overwrite`"), "two-devices-and---overwrite");
}
