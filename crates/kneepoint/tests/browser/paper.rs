//! Pages on paper: what is read is short. Details are an appendix, and do not count.

use std::fs;

use kneepoint_core::result::RunDocument;
use kneepoint_report::page::{Detail, Page};
use kneepoint_report::{Language, chapters_page, html, page};
use tempfile::TempDir;

use super::accessibility::without_policy;
use super::chromium::{browser, printed};
use super::synthetic::varied;
use super::width::{DESK_HEIGHT, end_of_summary, examples};

/// A report has at most this many pages of A4 before its appendix.
const PAGES_MAX: usize = 10;

/// Begins a chapter.
const CHAPTER: &str = "<section class=\"chapter";

/// A page without the chapters that are an appendix on paper.
fn without_appendix(page: &str) -> String {
    let (content, end) = page.rsplit_once("</main>").unwrap();
    let mut chapters = content.split(CHAPTER);
    let mut kept = chapters.next().unwrap().to_owned();
    for chapter in chapters.filter(|chapter| !chapter.starts_with(" folded")) {
        kept = kept + CHAPTER + chapter;
    }
    format!("{kept}</main>{end}")
}

/// How many pages of paper a page takes.
fn sheets(browser: &str, page: &str) -> usize {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("page.html");
    fs::write(&path, without_policy(page)).unwrap();
    let file = printed(browser, &path, &folder.path().join("page.pdf"));
    let kind = b"/Type /Page";
    let is_page = |window: &[u8]| window.starts_with(kind) && window[kind.len()] != b's';
    file.windows(kind.len() + 1).filter(|window| is_page(window)).count()
}

#[test]
fn what_is_read_of_an_example_takes_ten_pages_at_most() {
    let Some(browser) = browser() else { return };
    let pages = examples();
    assert!(pages.len() > 10);
    for (name, page) in &pages {
        let count = sheets(browser, &without_appendix(page));
        assert!((1..=PAGES_MAX).contains(&count), "{name}: {count} pages");
    }
    let (_, longest) = pages.iter().max_by_key(|(_, page)| page.len()).unwrap();
    assert!(sheets(browser, longest) > PAGES_MAX, "the measure sees the appendix");
}

#[test]
fn what_is_read_of_three_hundred_points_takes_ten_pages_at_most() {
    let Some(browser) = browser() else { return };
    let run = varied();
    assert!(run.points.len() >= 300, "{}", run.points.len());
    for language in [Language::English, Language::German] {
        let count = sheets(browser, &without_appendix(&html(&page(&run, language))));
        assert!((1..=PAGES_MAX).contains(&count), "{language:?}: {count} pages");
    }
}

/// Parts of a campaign, as they were measured on a server.
const PARTS: [&str; 4] = [
    include_str!("../../../../examples/server/processor.json"),
    include_str!("../../../../examples/server/business-operations.json"),
    include_str!("../../../../examples/server/storagebench.json"),
    include_str!("../../../../examples/server/users.json"),
];

fn parts() -> Vec<RunDocument> {
    PARTS.iter().map(|part| serde_json::from_str(part).unwrap()).collect()
}

/// What is read of a campaign takes at most ten sheets, and its first page one of them, and one screen.
#[track_caller]
fn is_short(browser: &str, page: &Page) {
    let whole = html(page);
    let read = sheets(browser, &without_appendix(&whole));
    assert!((2..=PAGES_MAX).contains(&read), "{}: {read} pages", page.title);
    assert_eq!(sheets(browser, &html(&page.clone().at(Detail::Summary))), 1, "{}", page.title);
    let end = end_of_summary(browser, &without_policy(&whole));
    assert!(end <= DESK_HEIGHT, "{}: the first page ends at {end} px", page.title);
}

#[test]
fn a_campaign_has_one_first_page_and_takes_ten_pages_at_most() {
    let Some(browser) = browser() else { return };
    let parts = parts();
    for language in [Language::English, Language::German] {
        let all: Vec<&RunDocument> = parts.iter().collect();
        is_short(browser, &chapters_page(&all, language));
        is_short(browser, &chapters_page(&all[2..], language));
        // More series than there is room for on the first page.
        let mut many = all;
        let varied = varied();
        many[2] = &varied;
        is_short(browser, &chapters_page(&many, language));
    }
}

#[test]
fn the_report_on_programs_takes_ten_pages_at_most() {
    let Some(browser) = browser() else { return };
    for language in [Language::English, Language::German] {
        let count = sheets(browser, &without_appendix(&html(&page(&parts()[0], language))));
        assert!((1..=PAGES_MAX).contains(&count), "{language:?}: {count} pages");
    }
}
