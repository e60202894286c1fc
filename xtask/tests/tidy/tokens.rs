//! Rust as tokens: comments and strings do not count, macros do.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source::Source;

/// A path such as `std::fs::read`, or a single word, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    /// The parts, joined by `::`; a macro's name ends in `!`.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: usize,
}

impl Name {
    /// Whether the name is `prefix` or something in it.
    pub(crate) fn is_in(&self, prefix: &str) -> bool {
        self.path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }
}

/// Every name in the file outside of `#[cfg(test)]` modules; `use a::{b, c}` gives `a::b`, `a::c`.
pub(crate) fn names(file: &Source) -> Vec<Name> {
    let tokens: TokenStream =
        file.text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut names = Vec::new();
    collect(tokens, "", &mut names);
    names
}

fn collect(tokens: TokenStream, prefix: &str, names: &mut Vec<Name>) {
    let mut rest: Vec<TokenTree> = tokens.into_iter().collect();
    rest.reverse();
    while let Some(token) = rest.pop() {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => skip_test_item(&mut rest),
            TokenTree::Group(group) => collect(group.stream(), "", names),
            TokenTree::Ident(word) => {
                let line = word.span().start().line;
                let first = format!("{prefix}{word}");
                follow(first, line, &mut rest, names);
            }
            _ => {}
        }
    }
}

/// Follows a path to its end, or into the braces of a `use`.
fn follow(mut path: String, line: usize, rest: &mut Vec<TokenTree>, names: &mut Vec<Name>) {
    while is_colon(rest.last()) && is_colon(rest.iter().nth_back(1)) {
        rest.truncate(rest.len() - 2);
        match rest.pop() {
            Some(TokenTree::Ident(word)) => path.push_str(&format!("::{word}")),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                return collect(group.stream(), &format!("{path}::"), names);
            }
            Some(other) => rest.push(other),
            None => {}
        }
    }
    if matches!(rest.last(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!') {
        path.push('!');
    }
    names.push(Name { path, line });
}

/// Leaves out the item behind `#[cfg(test)]`; `rest` begins after the `#`.
fn skip_test_item(rest: &mut Vec<TokenTree>) {
    let is_cfg_test = matches!(rest.last(), Some(TokenTree::Group(group))
        if group.to_string().replace(' ', "") == "[cfg(test)]");
    if !is_cfg_test {
        return;
    }
    while let Some(token) = rest.pop() {
        let is_end = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(mark) => mark.as_char() == ';',
            _ => false,
        };
        if is_end {
            return;
        }
    }
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(mark)) if mark.as_char() == ':')
}

#[test]
fn names_are_found_where_they_count() {
    let text = r#"
        // std::fs::comment
        use std::{fs::File, io::{self, Write}};
        fn f() { let text = "std::env"; std::process::exit(1); println!("{}", std::net::X); }
        #[cfg(test)]
        mod tests { use std::thread; }
        struct After(unsafe_thing);
    "#;
    let file = Source { path: "x.rs".into(), text: text.into(), is_test: false };
    let names = names(&file);
    let has = |path: &str| names.iter().any(|name| name.path == path);
    for path in ["std::fs::File", "std::io::Write", "std::process::exit", "println!"] {
        assert!(has(path), "{path}: {names:?}");
    }
    assert!(has("std::net::X") && has("After"));
    assert!(!has("std::env") && !has("std::thread") && !has("unsafe"));
    assert_eq!(names.iter().find(|name| name.path == "std::fs::File").unwrap().line, 3);
    assert!(names.iter().any(|name| name.is_in("std::fs")));
}
