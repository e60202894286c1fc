//! Functions fit on a screen, files in a head.

use std::collections::BTreeMap;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ImplItemFn, ItemFn, ItemMod, Signature, TraitItemFn};

use crate::finding::{Finding, assert_none};
use crate::source::{Source, all, is_test};

/// Longest function, in lines from `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;
/// Longest file, in lines.
const FILE_LINES_MAX: usize = 700;
/// From here on a file is asked whether it is still one thing.
const FILE_LINES_WARNING: usize = 600;

/// Functions that are longer for now, as `path::name`, with their length. Only ever shorten this
/// list and its numbers.
const LONG_FUNCTIONS: &[(&str, usize)] = &[];

/// A function and its length.
struct Length {
    name: String,
    line: usize,
    lines: usize,
}

/// Collects the functions of a file that are not tests.
#[derive(Default)]
struct Functions(Vec<Length>);

impl Functions {
    fn add(&mut self, signature: &Signature, end: usize) {
        let line = signature.span().start().line;
        self.0.push(Length { name: signature.ident.to_string(), line, lines: end + 1 - line });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if !is_test(&function.attrs) {
            self.add(&function.sig, function.block.span().end().line);
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.add(&function.sig, function.block.span().end().line);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(block) = &function.default {
            self.add(&function.sig, block.span().end().line);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

fn functions(file: &Source) -> Vec<Length> {
    let parsed = syn::parse_file(&file.text).unwrap();
    let mut functions = Functions::default();
    functions.visit_file(&parsed);
    functions.0
}

#[test]
fn functions_fit_on_a_screen() {
    let permitted: BTreeMap<&str, usize> = LONG_FUNCTIONS.iter().copied().collect();
    let mut seen = BTreeMap::new();
    let mut findings = Vec::new();
    for file in all().iter().filter(|file| !file.is_test) {
        for length in functions(file).iter().filter(|length| length.lines > FUNCTION_LINES_MAX) {
            let name = format!("{}::{}", file.path, length.name);
            let limit = permitted.get(name.as_str()).copied().unwrap_or(FUNCTION_LINES_MAX);
            if length.lines > limit {
                let what = format!("{} has {} lines, {limit} fit", length.name, length.lines);
                findings.push(Finding { path: file.path.clone(), line: length.line, what });
            }
            seen.insert(name, length.lines);
        }
    }
    assert_none(&findings, "split it: branches in the parent, straight work in functions below");
    for (name, limit) in permitted {
        let now = seen.get(name).copied();
        assert_eq!(now, Some(limit), "{name} is shorter now: lower or remove its permit");
    }
}

#[test]
fn files_fit_in_a_head() {
    let mut findings = Vec::new();
    for file in all() {
        let lines = file.text.lines().count();
        let what = format!("{lines} lines");
        let finding = Finding { path: file.path.clone(), line: 1, what };
        if lines > FILE_LINES_MAX {
            findings.push(finding);
        } else if lines > FILE_LINES_WARNING {
            println!("warning: {finding}: is it still one thing?");
        }
    }
    assert_none(&findings, "split the file by its nouns");
}
