//! Every kind of page can be used by everyone, as far as axe-core can tell: in English and German, on
//! light and dark screens, on desks and phones.
//!
//! axe-core is not part of the repository: `.ci/run` fetches the pinned version. A page may load no
//! script, so what is examined is a copy without its policy. One document of the browser frames the
//! copies at both widths: it makes no window as narrow as a phone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::chromium::{browser, document};

/// Where `.ci/run` puts axe-core, in the folder of what is built.
const AXE: &str = "tools/axe-core-4.14.1/axe.min.js";

/// Widths of a desk's and of a phone's screen in pixels.
const WIDTHS: [u32; 2] = [1280, 390];

/// What begins the only line in which axe-core could be hindered.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\"";

/// Examines the page with all that can be unfolded, and tells the frame's parent.
const EXAMINE: &str = r#"
for (const folded of document.querySelectorAll("details")) folded.open = true;
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const wrong = found => found.nodes.map(node => [found.id, node.target.join(" "), node.failureSummary]);
axe.run(document, {resultTypes: ["violations"]}).then(found => parent.postMessage({
  page: document.title, width: innerWidth, dark, passed: found.passes.length,
  violations: found.violations.flatMap(wrong),
}, "*"));
"#;

/// Writes down what the frames tell.
const COLLECT: &str = r#"
onmessage = told => {
  const entry = document.createElement("pre");
  entry.textContent = encodeURIComponent(JSON.stringify(told.data));
  document.body.append(entry);
};
"#;

/// A scheme of colours that the browser is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Light,
    Dark,
}

/// The browser and axe-core, or nothing, with the reason said.
#[track_caller]
fn tools() -> Option<(&'static str, PathBuf)> {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let axe = built.join(AXE);
    let browser = browser()?;
    if !axe.is_file() {
        kneepoint_testkit::skipped(format_args!("not there: {}", axe.display()));
        return None;
    }
    Some((browser, axe))
}

/// What axe-core says of the pages, each in frames of every width, in one scheme.
fn examine((browser, axe): &(&str, PathBuf), pages: &[PathBuf], scheme: Scheme) -> Vec<Value> {
    let folder = TempDir::new().unwrap();
    let mut frames = String::new();
    for (index, page) in pages.iter().enumerate() {
        let copy = folder.path().join(format!("{index}.html"));
        std::fs::write(&copy, with_axe(&std::fs::read_to_string(page).unwrap(), axe)).unwrap();
        for width in WIDTHS {
            frames += &format!("<iframe src=\"{index}.html\" width={width} height=900></iframe>");
        }
    }
    let all = folder.path().join("all.html");
    let style = "<style>:root, iframe { color-scheme: light dark; border: 0 }</style>";
    std::fs::write(&all, format!("<!doctype html>{style}<script>{COLLECT}</script>{frames}"))
        .unwrap();
    let preferred = match scheme {
        Scheme::Light => 1,
        Scheme::Dark => 0,
    };
    let option = format!("--blink-settings=preferredColorScheme={preferred}");
    let document = document(browser, &all, &[option]);
    let told = document.split("<pre>").skip(1).filter_map(|rest| rest.split("</pre>").next());
    told.map(|text| serde_json::from_str(&decoded(text)).unwrap()).collect()
}

/// A page without its policy, which lets no script run.
pub(crate) fn without_policy(page: &str) -> String {
    match page.split_once(POLICY) {
        Some((head, rest)) => format!("{head}{}", rest.split_once('>').unwrap().1),
        None => page.to_owned(),
    }
}

/// A page without its policy, and with what examines it.
fn with_axe(page: &str, axe: &Path) -> String {
    let page = without_policy(page);
    let (content, end) = page.rsplit_once("</body>").unwrap();
    let axe = axe.display();
    format!("{content}<script src=\"file://{axe}\"></script><script>{EXAMINE}</script></body>{end}")
}

/// Text in which `%` and two digits stand for a byte.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next().unwrap().as_bytes());
    for part in parts {
        let (byte, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(byte, 16).unwrap());
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).unwrap()
}

/// Nothing is wrong with the pages in either scheme, and each was examined at every width.
#[track_caller]
fn assert_accessible(tools: &(&str, PathBuf), pages: &[PathBuf]) {
    for scheme in [Scheme::Light, Scheme::Dark] {
        let told = examine(tools, pages, scheme);
        assert_eq!(told.len(), WIDTHS.len() * pages.len(), "{scheme:?}: some told nothing");
        for width in WIDTHS {
            let of_width = told.iter().filter(|page| page["width"] == json!(width));
            assert_eq!(of_width.count(), pages.len(), "{width} px");
        }
        for page in told {
            assert_eq!(page["dark"], json!(scheme == Scheme::Dark), "{page}");
            assert!(page["passed"].as_u64() > Some(20), "hardly anything was examined: {page}");
            let violations = page["violations"].as_array().unwrap();
            assert!(violations.is_empty(), "{scheme:?}: {page:#}");
        }
    }
}

/// The program in a folder, with a store there.
#[track_caller]
fn kneepoint(folder: &Path, line: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_kneepoint"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .env("KNEEPOINT_STORE", folder.join("kneepoint.db"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{line}: {said}");
}

/// The pages that the lines write in both languages; each line ends where the name of its page goes.
fn written(folder: &Path, lines: &[&str]) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for line in lines {
        for language in ["en", "de"] {
            let name = format!("{}.html", pages.len());
            kneepoint(folder, &format!("{line} -o {name} --language {language}"));
            pages.push(folder.join(name));
        }
    }
    pages
}

#[test]
fn reports_of_runs_can_be_used_by_everyone() {
    let Some(tools) = tools() else { return };
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    let measured = "run storagebench null: --size 64MiB --outstanding 1,4 --time 200ms --ramp 0s";
    kneepoint(folder, &format!("{measured} --label measured"));
    kneepoint(
        folder,
        "run storagebench-2007 sim:rx100s4-sata --factor disk_cache=off,on --label factors",
    );
    assert_accessible(&tools, &written(folder, &["report measured", "report factors"]));
}

/// A campaign of four parts, as it is among the examples.
#[test]
fn the_report_on_a_campaign_can_be_used_by_everyone() {
    let Some(tools) = tools() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    let pages = ["server.html", "server.de.html"].map(|name| folder.join(name));
    assert_accessible(&tools, &pages);
}

#[test]
fn comparisons_and_sizings_can_be_used_by_everyone() {
    let Some(tools) = tools() else { return };
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    for (drive, label) in [("hdd-sas35-15k-300", "fast"), ("hdd-sata35-7k2-500", "slow")] {
        let run = "run database --outstanding 1,8,32 --rule mean<=20ms";
        kneepoint(folder, &format!("{run} sim:drive/{drive} --label {label}"));
    }
    let sizing = "size --profile random-read --block 4KiB --iops 400 --rule mean<=30ms \
                  --drives hdd-sas25-15k-146 --raid raid10 --write-cache off --max-drives 8";
    assert_accessible(&tools, &written(folder, &["report fast slow", sizing]));
}

#[test]
fn a_page_with_a_fault_is_found() {
    let Some(tools) = tools() else { return };
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let faults = "<img src=\"x.png\"><p style=\"color: #999; background: #aaa\">pale</p>";
    std::fs::write(
        &page,
        format!(
            "<!doctype html><html lang=en><head>{POLICY} content=\"default-src 'none'\"><title>x</title>\
             </head><body><main><h1>x</h1>{faults}</main></body></html>"
        ),
    )
    .unwrap();
    let told = examine(&tools, &[page], Scheme::Light);
    assert_eq!(told.len(), WIDTHS.len());
    for page in told {
        let kinds: Vec<&str> = page["violations"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|violation| violation[0].as_str())
            .collect();
        assert_eq!(kinds, ["color-contrast", "image-alt"], "{page}");
    }
}
