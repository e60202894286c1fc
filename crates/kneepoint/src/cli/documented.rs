//! Every command in the documents is one that the program takes.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Parser;
use clap::error::{ContextKind, ContextValue};

use super::Cli;

/// The documents: those of the root, of `docs` and of the examples. The reference is generated.
fn documents() -> io::Result<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.clone(), root.join("docs")];
    for entry in fs::read_dir(root.join("examples"))? {
        folders.push(entry?.path());
    }
    let mut found = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(folder)? {
            found.push(entry?.path());
        }
    }
    found.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    found.sort();
    Ok(found)
}

/// The commands of a document: lines of its code blocks, with those that continue them.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines().scan(false, |is_code, line| {
        if line.trim_start().starts_with("```") {
            *is_code = !*is_code;
        }
        Some((*is_code || line.starts_with("    "), line.trim()))
    });
    while let Some((is_code, line)) = lines.next() {
        let line = line.strip_prefix("$ ").unwrap_or(line);
        let line = line.strip_prefix("sudo ").unwrap_or(line);
        if !is_code || !line.starts_with("kneepoint ") {
            continue;
        }
        let mut command = line.to_owned();
        while let Some(begun) = command.strip_suffix('\\') {
            let next = lines.next().map_or("", |(_, next)| next);
            command = format!("{begun}{next}");
        }
        found.push(command);
    }
    found
}

/// The words of a command as a shell splits them, up to what is not part of it.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for letter in command.chars().chain([' ']) {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, ' ') if !word.is_empty() => words.push(std::mem::take(&mut word)),
            (None, ' ') => {}
            (None, '#' | '|' | '>' | '&' | ';') if word.is_empty() => break,
            _ => word.push(letter),
        }
    }
    words
}

/// Whether a value is refused that only stands for another one, as KEY does.
fn is_placeholder(error: &clap::Error) -> bool {
    let value = error.get(ContextKind::InvalidValue);
    matches!(value, Some(ContextValue::String(value)) if value.chars().all(|letter| letter.is_ascii_uppercase()))
}

#[test]
fn every_command_in_the_documents_is_taken() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in documents().unwrap() {
        for command in commands(&fs::read_to_string(&path).unwrap()) {
            count += 1;
            let Err(error) = Cli::try_parse_from(words(&command)) else { continue };
            if error.exit_code() != 0 && !is_placeholder(&error) {
                let error = error.to_string();
                let first = error.lines().next().unwrap_or_default();
                wrong.push(format!("{}: {command}: {first}", path.display()));
            }
        }
    }
    assert!(count > 100, "only {count} commands were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_follows_a_command_is_no_part_of_it() {
    let check = |command: &str, expected: &[&str]| assert_eq!(words(command), expected);
    check("kneepoint show last   # again", &["kneepoint", "show", "last"]);
    check("kneepoint run 'a b' c#d | less", &["kneepoint", "run", "a b", "c#d"]);
    check("kneepoint hosts join > line &", &["kneepoint", "hosts", "join"]);
    let text = "    kneepoint run a \\\n        b\nkneepoint is no command here\n```\n$ kneepoint runs\n```\n";
    assert_eq!(commands(text), ["kneepoint run a b", "kneepoint runs"]);
}
