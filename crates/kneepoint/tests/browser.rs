//! Reports in a real browser: it asks nobody for anything, and every link leads somewhere.
//!
//! The browser's only way out is a proxy that answers nobody and counts. The same proxy sees the
//! request of a page that does ask for something, so that silence means silence.

use std::collections::BTreeSet;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;

/// Names under which the browser is installed.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Long enough for a browser on a busy machine.
const LOAD_TIME: &str = "20000";

/// The browser, or nothing, with the reason printed.
fn browser() -> Option<&'static str> {
    let starts = |name: &&&str| {
        let mut version = Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let found = BROWSERS.iter().find(starts).copied();
    if found.is_none() {
        println!("skipped: there is no chromium");
    }
    found
}

/// A proxy that closes every connection and keeps the first line of what was asked for.
fn proxy() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            kept.lock().unwrap().push(first_line(stream));
        }
    });
    (port, asked)
}

fn first_line(mut stream: TcpStream) -> String {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let mut start = [0; 512];
    let length = stream.read(&mut start).unwrap_or(0);
    String::from_utf8_lossy(&start[..length]).lines().next().unwrap_or_default().to_owned()
}

/// The document as the browser has it after loading, and what it asked the proxy for.
fn load(browser: &str, page: &Path) -> (String, Vec<String>) {
    let profile = TempDir::new().unwrap();
    let (port, asked) = proxy();
    let output = Command::new("timeout")
        .args(["120", browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--disable-quic", "--disable-default-apps", "--disable-extensions"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"])
        .arg(format!("--proxy-server=127.0.0.1:{port}"))
        .arg("--proxy-bypass-list=<-loopback>")
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--virtual-time-budget={LOAD_TIME}"))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let document = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(document.contains("</html>"), "the browser gave no document: {document}");
    let asked = asked.lock().unwrap().clone();
    (document, asked)
}

/// A report of a run in virtual time.
fn report(folder: &Path) -> std::path::PathBuf {
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
fn the_proxy_sees_a_page_that_asks_for_something() {
    let Some(browser) = browser() else { return };
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, "<!doctype html><title>x</title><img src=\"http://example.org/x.png\">")
        .unwrap();
    let (_, asked) = load(browser, &page);
    assert!(asked.iter().any(|line| line.contains("example.org/x.png")), "{asked:?}");
}
