//! The program as others call it.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kneepoint_members::MEMBERS;
use kneepoint_members::about::PROFILES;
use serde_json::Value;

fn members() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kneepoint-members"))
}

fn said(arguments: &[&str]) -> Output {
    members().args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_member_is_listed() {
    let list = json(&said(&["list"]));
    let list = list["members"].as_array().unwrap();
    let of = |class: &str| list.iter().filter(|member| member["class"] == class).count();
    assert!(of("integer") >= 8 && of("floating") >= 6);
    assert_eq!(list.len(), MEMBERS.len());
    for member in list {
        for text in ["name", "title", "work", "unit"] {
            assert!(!member[text].as_str().unwrap().is_empty(), "{member}");
        }
        for scale in ["full", "quick", "test"] {
            assert_eq!(member["digests"][scale].as_str().unwrap().len(), 64, "{member}");
        }
    }
}

#[test]
fn every_member_gives_what_is_expected() {
    for member in MEMBERS {
        let output = said(&["run", member.name, "--scale", "test"]);
        let report = json(&output);
        assert_eq!(output.status.code(), Some(0), "{report}");
        assert_eq!(report["member"], member.name);
        assert_eq!(report["verified"], true);
        assert_eq!(report["digest"], report["expected"]);
        assert!(report["output_bytes"].as_u64().unwrap() > 50, "{report}");
        assert!(report["wall_s"].as_f64().unwrap() > 0.0);
        assert!(report["user_s"].as_f64().unwrap() >= 0.0);
        assert!(report["system_s"].as_f64().unwrap() >= 0.0);
        assert!(report["peak_memory_bytes"].as_u64().unwrap() > 0);
    }
}

#[test]
fn another_output_than_the_expected_one_ends_with_1() {
    let wrong = "0".repeat(64);
    let output = said(&["run", "routes", "--scale", "test", "--expect", &wrong]);
    let report = json(&output);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert_eq!(report["verified"], false);
    assert_eq!(report["expected"], wrong);
    // Nothing is never right.
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(
        said(&["run", "routes", "--scale", "test", "--expect", nothing]).status.code(),
        Some(1)
    );
}

/// `sha256sum` of what is shown is the digest.
#[test]
fn outputs_are_shown() {
    let shown = said(&["show", "routes", "--scale", "test"]);
    let report = json(&said(&["run", "routes", "--scale", "test"]));
    let digest = kneepoint_members::Output::from_bytes(shown.stdout.clone()).digest();
    assert_eq!(report["digest"], digest);
    assert!(shown.stdout.starts_with(b"farthest "));
}

#[test]
fn unknown_members_are_told() {
    let output = said(&["run", "chese"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("no member is called 'chese'; there are: compression"), "{text}");
}

#[test]
fn a_copy_waits_for_its_line() {
    let mut copy = members()
        .args(["run", "routes", "--scale", "test", "--wait"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(copy.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "{\"ready\":true}");
    assert!(copy.try_wait().unwrap().is_none());
    copy.stdin.take().unwrap().write_all(b"\n").unwrap();
    let report: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(report["verified"], true);
    assert!(copy.wait().unwrap().success());
}

#[test]
fn a_copy_without_a_line_does_nothing() {
    let arguments = ["run", "routes", "--scale", "test", "--wait"];
    let output = members().args(arguments).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"{\"ready\":true}\n");
}

#[test]
fn the_program_knows_its_flags() {
    let about = json(&said(&["about"]));
    assert_eq!(about["program"], "kneepoint-members");
    assert!(about["compiler"].as_str().unwrap().starts_with("rustc "), "{about}");
    assert!(!about["target"].as_str().unwrap().is_empty());
    assert!(
        ["dev", "debug", "release", "base", "peak"].contains(&about["profile"].as_str().unwrap())
    );
}

/// What `about` says of a profile is what the workspace says.
#[test]
fn profiles_are_those_of_the_workspace() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    for (name, lto, units) in PROFILES {
        let profile = &manifest["profile"][name];
        assert_eq!(profile["lto"].as_str(), Some(lto));
        assert_eq!(profile["codegen-units"].as_integer(), Some(i64::from(units)));
    }
    assert_eq!(manifest["profile"]["base"]["opt-level"].as_integer(), Some(2));
    assert_eq!(manifest["profile"]["peak"]["opt-level"].as_integer(), Some(3));
}

#[test]
fn the_document_tells_of_every_member() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/processor.md");
    let text = std::fs::read_to_string(path).unwrap();
    for member in MEMBERS {
        let class = serde_json::to_value(member.class).unwrap();
        let row = format!("| `{}` | {} | {} |", member.name, class.as_str().unwrap(), member.work);
        assert!(text.contains(&row), "docs/processor.md lacks the row\n{row}");
    }
}
