//! The browser: how it is found, and the document that it makes of a page.

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Names under which the browser is installed.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Milliseconds of the page's own time after which loading is over.
const LOAD_TIME: &str = "20000";

/// The browser, or nothing, with the reason said.
#[track_caller]
pub(crate) fn browser() -> Option<&'static str> {
    let starts = |name: &&&str| {
        let mut version = Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    };
    let found = BROWSERS.iter().find(starts).copied();
    if found.is_none() {
        kneepoint_testkit::skipped("not on the PATH: chromium");
    }
    found
}

/// The document as the browser has it after loading `page`, started with `options`.
pub(crate) fn document(browser: &str, page: &Path, options: &[String]) -> String {
    let options: Vec<&str> = options.iter().map(String::as_str).chain(["--dump-dom"]).collect();
    let document = String::from_utf8_lossy(&told(browser, page, &options)).into_owned();
    assert!(document.contains("</html>"), "the browser gave no document: {document}");
    document
}

/// `page` on paper, as the file `sheets` of the browser's making.
pub(crate) fn printed(browser: &str, page: &Path, sheets: &Path) -> Vec<u8> {
    let option = format!("--print-to-pdf={}", sheets.display());
    told(browser, page, &["--no-pdf-header-footer", &option]);
    std::fs::read(sheets).unwrap()
}

/// What the browser says after loading `page`, started with `options`.
fn told(browser: &str, page: &Path, options: &[&str]) -> Vec<u8> {
    let profile = TempDir::new().unwrap();
    let output = Command::new("timeout")
        .args(["240", browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        // No one listens there: the browser gets no further than this machine.
        .args(["--disable-quic", "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--virtual-time-budget={LOAD_TIME}"))
        .args(options)
        .arg(format!("file://{}", page.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    output.stdout
}
