//! A report asks no one for anything, and every link leads somewhere.
//!
//! The browser's log of the network says who asked for what: browsers talk to their makers, which
//! is no page's doing. A page that does ask for something shows that the log would tell.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::chromium::{browser, document};

/// The document as the browser has it after loading, and what the page asked for.
fn load(browser: &str, page: &Path) -> (String, Vec<String>) {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("network.json");
    let document = document(browser, page, &[format!("--log-net-log={}", log.display())]);
    (document, asked(&std::fs::read_to_string(&log).unwrap()))
}

/// The addresses in the log that a page asked for; the browser itself is "not an origin".
fn asked(log: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(log).unwrap();
    let request = |event: &Value| {
        let by_browser = event["params"]["initiator"].as_str()? == "not an origin";
        let url = event["params"]["url"].as_str()?;
        (!by_browser).then(|| url.to_owned())
    };
    log["events"].as_array().unwrap().iter().filter_map(request).collect()
}

/// A report of a run in virtual time.
fn report(folder: &Path) -> PathBuf {
    let path = folder.join("report.html");
    let status = Command::new(env!("CARGO_BIN_EXE_kneepoint"))
        .args(["run", "storagebench", "sim:analytic/md1", "--outstanding", "1,4,16"])
        .args(["--time", "2s", "--ramp", "0s", "--store"])
        .arg(folder.join("kneepoint.db"))
        .arg("--report")
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    path
}

/// Values of an attribute in the order of the document.
fn attributes<'a>(document: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    document.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn a_report_asks_nobody_for_anything_and_every_link_leads_somewhere() {
    let Some(browser) = browser() else { return };
    let folder = TempDir::new().unwrap();
    let (document, asked) = load(browser, &report(folder.path()));
    assert_eq!(asked, Vec::<String>::new());
    let ids = attributes(&document, "id");
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "{ids:?}");
    let links = attributes(&document, "href");
    assert!(links.len() > 10, "{links:?}");
    for link in links.iter().filter(|link| !link.starts_with("data:text/csv;")) {
        let id = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads outside"));
        assert!(unique.contains(id), "nothing has the id {id}");
    }
}

#[test]
fn the_log_tells_of_a_page_that_asks_for_something() {
    let Some(browser) = browser() else { return };
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, "<!doctype html><title>x</title><img src=\"http://example.org/x.png\">")
        .unwrap();
    let (_, asked) = load(browser, &page);
    assert!(asked.iter().any(|url| url == "http://example.org/x.png"), "{asked:?}");
}
