//! The report of a run as PDF, by the program.

#![cfg(feature = "pdf")]
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// The program in `folder`, with a store there.
#[track_caller]
fn kneepoint(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_kneepoint"))
        .args(arguments)
        .current_dir(folder)
        .env("KNEEPOINT_STORE", folder.join("kneepoint.db"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
}

/// What pdftotext reads in a file, or nothing, with the reason said.
fn words(file: &Path) -> Option<String> {
    if !kneepoint_testkit::has_tools(&["pdftotext"]) {
        return None;
    }
    let output = Command::new("pdftotext").arg(file).arg("-").output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A report has at most this many pages before its appendix.
const READ_PAGES_MAX: usize = 10;

/// The page on which the first chapter of the appendix begins, counted from 1.
fn appendix_page(text: &str, title: &str) -> Option<usize> {
    let is_heading = |line: &str| {
        let number = line.strip_suffix(title).map(str::trim);
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    // The contents name it first.
    let pages: Vec<&str> = text.split('\u{c}').collect();
    pages.iter().rposition(|page| page.lines().any(is_heading)).map(|index| index + 1)
}

/// The report that is among the examples.
#[test]
fn what_is_read_of_the_example_takes_ten_pages_at_most() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    let run = ["run", "storagebench-2007", "sim:rx100s4-sata", "--factor", "raid=raid0,raid1"];
    let more = ["--factor", "disk_cache=off,on", "--label", "storagebench-2007"];
    kneepoint(folder, &[&run[..], &more].concat());
    for (language, title) in
        [("en", "Measurement tool and method"), ("de", "Messwerkzeug und Methode")]
    {
        let name = format!("{language}.pdf");
        kneepoint(folder, &["report", "last", "-o", &name, "--language", language]);
        let Some(text) = words(&folder.join(&name)) else { return };
        let page = appendix_page(&text, title).expect("a heading");
        assert!((2..=READ_PAGES_MAX + 1).contains(&page), "{language}: it begins on page {page}");
    }
    assert_eq!(appendix_page("1 A\u{c}2 B\n3 C\u{c}3 C\u{c}3 Cs", "C"), Some(3));
}

#[test]
fn a_simulated_run_is_reported_as_the_same_pdf_every_time() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    let run = ["run", "database", "sim:rx100s4-sata", "--outstanding", "1,8,64"];
    kneepoint(folder, &[&run[..], &["--rule", "mean<=20ms", "--label", "white-paper"]].concat());
    kneepoint(folder, &["report", "last", "-o", "first.pdf"]);
    kneepoint(folder, &["report", "last", "-o", "second.pdf"]);
    kneepoint(folder, &["report", "last", "-o", "german.pdf", "--language", "de"]);
    let files = ["first.pdf", "second.pdf"].map(|name| std::fs::read(folder.join(name)).unwrap());
    assert!(files[0].starts_with(b"%PDF-") && files[0].ends_with(b"%%EOF"));
    assert!(files[0] == files[1], "two reports of one run differ");
    for (name, kind) in [
        ("first.pdf", "Storage performance report"),
        ("german.pdf", "Leistungsbericht Massenspeicher"),
    ] {
        let Some(text) = words(&folder.join(name)) else { return };
        assert!(text.contains("white-paper") && text.contains(kind), "{name}: {text}");
    }
}
