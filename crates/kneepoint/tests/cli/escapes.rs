//! What others wrote is shown, never obeyed: no control character reaches a terminal or a page.

use kneepoint_core::result::RunDocument;
use kneepoint_store::{Store, StoreAccess};
use serde_json::{Value, json};

use crate::program::{Bench, Said};

/// Sets the title, rings, hides the line before, turns the direction of writing, and ends a line.
const NASTY: &str = "x\u{1b}]0;owned\u{7}\r\u{9b}2K\u{202e}y\0\u{2066}\u{200f}\nwarning: forged";

/// Checks that nothing in what was said would act on a terminal.
fn check_harmless(said: &Said) {
    for text in [&said.stdout, &said.stderr] {
        let acts = |letter: char| {
            letter != '\n' && !kneepoint_core::words::printable::is_printable(letter)
        };
        assert!(!text.contains(acts), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("warning: forged")), "{text}");
    }
}

/// A store with a run in which every text is nasty, and a sound one.
fn bench_with_a_foreign_run() -> Bench {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/md1", "--outstanding", "1,2", "--time", "1s"];
    bench.succeed(&[&run[..], &["--label", "sound"]].concat());
    let mut result = bench.json(&["export", "sound"]);
    result["run"]["id"] = json!("20260101-000000-0bad");
    for place in ["/run/label", "/run/work", "/run/command", "/environment/hosts/0/host"] {
        *result.pointer_mut(place).unwrap() = json!(NASTY);
    }
    result["environment"]["targets"][0]["target"] = json!(NASTY);
    let warning = json!({"kind": NASTY, "severity": "note", "data": {}, "text": NASTY});
    result["warnings"] = json!([warning]);
    for point in result["points"].as_array_mut().unwrap() {
        point["series"] = json!(NASTY);
        point["warnings"] = json!([warning]);
    }
    // `import` would refuse most of it; a store can come from anywhere.
    let document: RunDocument = serde_json::from_value(result).unwrap();
    let mut store = Store::open(&bench.path("kneepoint.db"), StoreAccess::ReadWrite).unwrap();
    store.import(&document).unwrap();
    bench
}

#[test]
fn a_foreign_run_is_shown_and_not_obeyed() {
    let bench = bench_with_a_foreign_run();
    let id = "20260101-000000-0bad";
    for command in [
        &["show", id][..],
        &["show", id, "--wide"],
        &["show", id, "--json"],
        &["runs"],
        &["runs", "--json"],
        &["compare", "sound", id, "--points", "--different-profiles"],
        &["compare", "sound", id, "--json", "-", "--different-profiles"],
        &["export", id],
        &["export", id, "--intervals"],
        &["resume", id],
        &["show", "y"],
        &["label", id, "tamed"],
        &["delete", id],
    ] {
        check_harmless(&bench.run(command));
    }
}

#[test]
fn printed_json_is_the_json_that_is_written() {
    let bench = bench_with_a_foreign_run();
    let id = "20260101-000000-0bad";
    let printed: Value = bench.json(&["export", id]);
    assert_eq!(printed["run"]["label"], NASTY);
    bench.succeed(&["export", id, "-o", "again.json"]);
    assert_eq!(serde_json::from_str::<Value>(&bench.read("again.json")).unwrap(), printed);
}

#[test]
fn reports_hold_no_control_characters() {
    let bench = bench_with_a_foreign_run();
    for file in ["report.html", "report.md"] {
        bench.succeed(&["report", "20260101-000000-0bad", "-o", file]);
        let acts = |letter: char| {
            !matches!(letter, '\n' | '\t')
                && !kneepoint_core::words::printable::is_printable(letter)
        };
        let page = bench.read(file);
        assert!(page.contains("owned") && !page.contains(acts), "{file}");
    }
}

#[test]
fn arguments_and_files_in_messages_are_spelled_out() {
    let bench = Bench::new();
    bench.write("name.toml", "name = \"\\u001b]0;owned\\u0007\"\ntitle = 1\n");
    bench.write("value.toml", include_str!("own.toml").replace("\"8KiB\"", "\"8\\u001b[2JiB\""));
    bench.write("nasty.json", "{\"schema\": \"\\u001b[2J\"}");
    for arguments in [
        &["\u{1b}[31mrun"][..],
        &["run", "\u{1b}[31m", "null:"],
        &["run", "database", "null:", "--\u{1b}[31m"],
        &["run", "database", "null:", "--size", "8\u{1b}[31m"],
        &["run", "database", "null:", "--outstanding", "\u{1b}[31m"],
        &["run", "database", "no/such\u{1b}]0;owned\u{7}/file"],
        &["plan", "./name.toml", "null:"],
        &["plan", "./value.toml", "null:"],
        &["import", "nasty.json"],
        &["show", "\u{1b}[31m"],
        &["runs", "--since", "\u{1b}[31m"],
        &["catalog", "\u{1b}[31m"],
    ] {
        let said = bench.run(arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}: {}", said.stderr);
        check_harmless(&said);
    }
    check_harmless(&bench.run(&["inspect", "\u{1b}[31m"]));
    check_harmless(&bench.run(&["plan", "database", "\u{1b}[31m"]));
}

#[test]
fn labels_with_control_characters_are_refused() {
    let bench = Bench::new();
    let run = ["run", "database", "sim:analytic/md1", "--outstanding", "1", "--time", "1s"];
    for label in ["\u{1b}]0;owned\u{7}", "a\nb", "a\u{202e}b", "last"] {
        let said = bench.run(&[&run[..], &["--label", label]].concat());
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        assert!(said.stderr.contains("this label cannot be given to a run"), "{}", said.stderr);
        check_harmless(&said);
    }
    assert_eq!(bench.names(), [""; 0]);
}
