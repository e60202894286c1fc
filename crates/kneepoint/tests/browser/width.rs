//! Tables fit the screen of a desk: a column that has to be scrolled to is not seen.

use std::path::Path;

use kneepoint_core::result::sizing::Sizing;
use kneepoint_report::{Language, html, sizing};
use tempfile::TempDir;

use super::accessibility::without_policy;
use super::chromium::{browser, document};
use super::sized::{self, Sizes};

/// Width of a desk's screen in pixels.
const DESK: u32 = 1280;

/// Says of each frame that scrolls which one it is.
const MEASURE: &str = r#"
const wide = [...document.querySelectorAll(".scroll")].filter(frame => frame.scrollWidth > frame.clientWidth);
document.title = `wide: ${innerWidth} ${wide.map(frame => frame.ariaLabel).join(", ")};`;
"#;

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
