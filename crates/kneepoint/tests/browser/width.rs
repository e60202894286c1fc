//! Tables fit the screen of a desk: a column that has to be scrolled to is not seen. Figures fit the
//! screen of a phone, with letters that can be read.

use std::path::Path;

use kneepoint_core::result::sizing::Sizing;
use kneepoint_report::{Language, html, sizing};
use tempfile::TempDir;

use super::accessibility::without_policy;
use super::chromium::{browser, document};
use super::sized::{self, Sizes};

/// Width of a desk's screen in pixels.
const DESK: u32 = 1280;

/// The same of a phone.
const PHONE: u32 = 390;

/// Size of the least letters that can be read on a phone, in pixels.
const LETTERS_MIN: f64 = 11.0;

/// Says of each frame that scrolls which one it is.
const MEASURE: &str = r#"
const wide = [...document.querySelectorAll(".scroll")].filter(frame => frame.scrollWidth > frame.clientWidth);
document.title = `wide: ${innerWidth} ${wide.map(frame => frame.ariaLabel).join(", ")};`;
"#;

/// Unfolds all of the page, and tells the width of the screen and of what is on it, how many figures are
/// seen, and the size of their least letters.
const MEASURE_PHONE: &str = r#"
for (const folded of document.querySelectorAll("details")) folded.open = true;
const drawn = [...document.querySelectorAll(".figures svg")].filter(drawing => drawing.clientWidth > 0);
const size = letters => parseFloat(getComputedStyle(letters).fontSize) * letters.getScreenCTM().a;
const sizes = drawn.flatMap(drawing => [...drawing.querySelectorAll("text")]).map(size);
const wide = drawn.filter(drawing => drawing.clientWidth > innerWidth);
parent.postMessage([innerWidth, document.documentElement.scrollWidth, wide.length, drawn.length,
  Math.min(...sizes)], "*");
"#;

/// Writes down what the frame tells.
const COLLECT: &str = "onmessage = told => { document.title = `phone: ${told.data.join(' ')};`; };";

/// What is on the screen of a phone.
#[derive(Debug)]
struct Phone {
    width: f64,
    content: f64,
    figures_too_wide: f64,
    figures: f64,
    letters: f64,
}

/// A page on the screen of a phone. The browser makes no window as narrow: the page is in a frame.
fn phone(browser: &str, page: &str) -> Phone {
    let folder = TempDir::new().unwrap();
    let (content, end) = page.rsplit_once("</body>").unwrap();
    let page = format!("{content}<script>{MEASURE_PHONE}</script></body>{end}");
    std::fs::write(folder.path().join("page.html"), page).unwrap();
    let frame =
        format!("<iframe src=page.html width={PHONE} height=900 style=\"border:0\"></iframe>");
    let all = folder.path().join("all.html");
    std::fs::write(&all, format!("<!doctype html><script>{COLLECT}</script>{frame}")).unwrap();
    // Those of a phone lie over the page and take no room from it.
    let document = document(browser, &all, &["--hide-scrollbars".to_owned()]);
    let (_, rest) = document.split_once("<title>phone: ").unwrap();
    let numbers: Vec<f64> =
        rest.split(';').next().unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
    let [width, content, figures_too_wide, figures, letters] = numbers.try_into().unwrap();
    Phone { width, content, figures_too_wide, figures, letters }
}

/// The tables of a page that do not fit.
fn wide(browser: &str, page: &str) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("page.html");
    let (content, end) = page.rsplit_once("</body>").unwrap();
    std::fs::write(&path, format!("{content}<script>{MEASURE}</script></body>{end}")).unwrap();
    told(browser, &path)
}

fn told(browser: &str, page: &Path) -> String {
    let document = document(browser, page, &[format!("--window-size={DESK},900")]);
    let (_, rest) = document.split_once("<title>wide: ").unwrap();
    let (width, names) = rest.split_once(' ').unwrap();
    assert_eq!(width, DESK.to_string());
    names.split(';').next().unwrap().to_owned()
}

/// A sizing whose words are as long as they come.
fn long() -> Sizing {
    let mut long = sized::sizing(Sizes::InFull);
    for candidate in &mut long.candidates {
        candidate.system = "serveraid-m5025".to_owned();
        candidate.drive = Some("hdd-sas35-15k-600".to_owned());
        candidate.sustained_iops = 12_160.0;
        candidate.is_calibrated = false;
        candidate.limit = "controllers 100 %".to_owned();
    }
    long
}

#[test]
fn the_columns_of_a_sizing_fit_the_screen_of_a_desk() {
    let Some(browser) = browser() else { return };
    for language in [Language::English, Language::German] {
        let page = without_policy(&html(&sizing::page(&long(), language)));
        assert_eq!(wide(browser, &page), "", "{language:?}");
        let forced = page.replace("table { border", "table { min-width: 1400px; border");
        assert!(wide(browser, &forced).contains('1'), "the measure sees what does not fit");
    }
}

/// Height of a desk's screen in pixels.
pub(crate) const DESK_HEIGHT: f64 = 900.0;

/// Tells where the first page ends. What is wrong with a run stands before it, and takes its own room.
const MEASURE_SUMMARY: &str = r#"
const summary = document.getElementById("summary") ?? document.getElementById("abstract");
const heights = [...document.querySelectorAll("main > .note")].map(note => note.getBoundingClientRect().height);
const notes = heights.reduce((sum, height) => sum + height, 0);
document.title = `ends: ${Math.round(summary.getBoundingClientRect().bottom - notes)};`;
"#;

/// Where the first page ends on the screen of a desk.
pub(crate) fn end_of_summary(browser: &str, page: &str) -> f64 {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("page.html");
    let (content, end) = page.rsplit_once("</body>").unwrap();
    std::fs::write(&path, format!("{content}<script>{MEASURE_SUMMARY}</script></body>{end}"))
        .unwrap();
    let document = document(browser, &path, &[format!("--window-size={DESK},{DESK_HEIGHT}")]);
    let (_, rest) = document.split_once("<title>ends: ").unwrap();
    rest.split(';').next().unwrap().parse().unwrap()
}

/// The pages that are checked in: every kind of page, in English and some in German.
pub(crate) fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let pages = entries.filter(|path| path.extension().is_some_and(|end| end == "html"));
    pages.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn the_figures_of_the_examples_fit_the_screen_of_a_phone() {
    let Some(browser) = browser() else { return };
    let pages = examples();
    assert!(pages.len() > 10);
    for (name, page) in &pages {
        let page = without_policy(page);
        let seen = phone(browser, &page);
        assert_eq!(seen.width, f64::from(PHONE), "{name}: {seen:?}");
        assert!(seen.content <= seen.width, "{name} scrolls sideways: {seen:?}");
        assert_eq!(seen.figures_too_wide, 0.0, "{name}: {seen:?}");
        assert!(seen.figures >= 1.0 && seen.letters >= LETTERS_MIN, "{name}: {seen:?}");
    }
    let page = without_policy(&pages[0].1);
    let small = phone(browser, &page.replace("font-size:12.5px", "font-size:9px"));
    assert!(small.letters < LETTERS_MIN, "the measure sees small letters: {small:?}");
    let wide = phone(browser, &page.replace(".kp-chart {", ".kp-chart { min-width: 560px;"));
    assert!(wide.content > wide.width && wide.figures_too_wide > 0.0, "{wide:?}");
}

#[test]
fn the_first_page_of_each_example_is_one_screen() {
    let Some(browser) = browser() else { return };
    for (name, page) in examples() {
        let page = without_policy(&page);
        let end = end_of_summary(browser, &page);
        assert!(end <= DESK_HEIGHT, "{name}: the first page ends at {end} px");
        let longer = page.replacen("</header>", &"<p>More.</p>".repeat(40), 1);
        assert!(end_of_summary(browser, &longer) > DESK_HEIGHT, "{name}: the measure sees more");
    }
}
