//! Whole reports: against checked-in ones, and what must hold for all of them.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

use std::collections::BTreeSet;

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::warning::Severity;
use kneepoint_core::result::{
    ModelFit, ModelOrigin, OpenLoopResult, PublishedComparison, PublishedNumber, PublishedPlace,
    RoundResult, RunDocument, SearchResult, SteadyStateResult, SteadyWindow, ThroughputUnit,
    Verdict,
};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_report::Language;
use kneepoint_report::page::Block;
use serde_json::json;
use synthetic::{
    DOUBLING, STANDARD, copied, document, empty, four_targets, large, one_point, point, said,
    standard, troubled,
};

fn html(document: &RunDocument) -> String {
    kneepoint_report::html(&page(document, Language::English))
}

fn page(document: &RunDocument, language: Language) -> kneepoint_report::page::Page {
    kneepoint_report::page(document, language)
}

fn markdown(page: &kneepoint_report::page::Page) -> String {
    kneepoint_report::markdown(page, "figures")
}

/// One series of which every load was measured three times, 10 % apart.
fn repeated() -> RunDocument {
    let points = DOUBLING.iter().flat_map(|load| {
        [0.9, 1.0, 1.1].map(|factor| {
            let mut point = point(&STANDARD[0], *load);
            point.rate.mean *= factor;
            point.volume.as_mut().expect("storage").mean *= factor;
            point
        })
    });
    document(points.collect(), &["mean<=20ms"])
}

/// Markup wherever a user or a device can put a name, and zeros wherever a number can be.
fn hostile() -> RunDocument {
    let bad =
        "</style></title><script>alert('1')</script>\"><img src=http://example.org/x onerror=y>";
    let mut document = standard();
    document.run.label = bad.to_owned();
    document.run.command = bad.to_owned();
    document.run.id = bad.to_owned();
    document.warnings.push(said(Severity::Note, bad));
    document.environment.hosts[0].kernel = bad.to_owned();
    document.environment.targets[0].target = bad.to_owned();
    document.environment.targets[0].device.insert(bad.to_owned(), bad.to_owned());
    for point in &mut document.points {
        synthetic::fail(point);
        point.series = bad.to_owned();
        point.profile = bad.to_owned();
        point.warnings.push(said(Severity::Note, bad));
        point.factors.insert(bad.to_owned(), bad.to_owned());
    }
    document.points[1].verdict = Verdict::TimeLimit;
    for summary in &mut document.analysis.summaries {
        summary.series = bad.to_owned();
        summary.rule = bad.to_owned();
    }
    document
}

fn all() -> Vec<(&'static str, RunDocument)> {
    vec![
        ("standard", standard()),
        ("troubled", troubled()),
        ("four_targets", four_targets()),
        ("large", large()),
        ("empty", empty()),
        ("one_point", one_point()),
        ("hostile", hostile()),
        ("repeated", repeated()),
        ("copied", copied()),
    ]
}

#[test]
fn copies_of_files_have_a_chapter_of_their_own() {
    assert!(!html(&standard()).contains("id=\"file-copy\""), "nothing was copied");
    let page = page(&copied(), Language::English);
    let section = page.sections.iter().find(|section| section.id == "file-copy").unwrap();
    let text = markdown(&page);
    assert_eq!(section.title, "File copy");
    assert!(text.contains("712 files in 64 directories, 500"), "{:?}", section.blocks[0]);
    let table = section.blocks.iter().find_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let rows: Vec<Vec<String>> = table
        .unwrap()
        .rows
        .iter()
        .map(|row| row.iter().map(|cell| cell.text.words()).collect())
        .collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0][..3], ["copy_file_range", "with", "failed"]);
    assert_eq!(rows[4][..2], ["sendfile", "without"]);
    // 500 MiB in 1.9 to 2.3 s; t of 4 degrees of freedom (2.776) times a standard error of 8.09.
    assert_eq!(rows[4][2..5], ["239", "22", "238"]);
    let figures = section.blocks.iter().any(|block| matches!(block, Block::Figures(_)));
    assert!(figures && html(&copied()).contains("to /data/x failed: not supported"));
    assert!(html(&copied()).contains("40 % of the source stayed in it"));
}

/// A series of an open loop whose I/Os were submitted late by shares of the mean response time.
fn open_loop(lag_shares: [f64; 3]) -> RunDocument {
    let points = [100, 200, 400].into_iter().zip(lag_shares).map(|(rate, share)| {
        let mut point = point(&STANDARD[0], rate);
        let mean = point.latency_ms.mean;
        point.load = LoadLevel::offered(f64::from(rate));
        point.open_loop = Some(OpenLoopResult {
            offered_rate: f64::from(rate),
            delivered_rate: f64::from(rate),
            overloaded: false,
            lag_mean_ms: share * mean,
            lag_max_ms: mean,
            service_mean_ms: (1.0 - share) * mean,
        });
        point
    });
    document(points.collect(), &["mean<=20ms"])
}

#[test]
fn lateness_has_a_column_where_it_matters() {
    let shown = |document: &RunDocument| {
        Language::ALL.map(|language| {
            let text = markdown(&page(document, language));
            let title =
                if language == Language::English { "<br>Late |" } else { "<br>Verspätung |" };
            let remark =
                if language == Language::English { "Late: how" } else { "Verspätung: um" };
            assert_eq!(text.contains(title), text.contains(remark), "{text}");
            text.contains(title)
        })
    };
    assert_eq!(shown(&open_loop([0.0, 0.001, 0.25])), [true, true]);
    assert_eq!(shown(&open_loop([0.0, 0.001, 0.01])), [false, false]);
    assert_eq!(shown(&standard()), [false, false]);
    let late = markdown(&page(&open_loop([0.0, 0.001, 0.25]), Language::English));
    assert!(late.lines().any(|line| line.starts_with("| 400 |") && line.contains("| 63.6 |")));
}

/// The standard run on flash, with rules that no one named.
fn of_class() -> RunDocument {
    let class = json!({"class": "flash", "because": "assumed: nfs shows no drive"});
    let mut document = standard();
    document.environment.targets[0].class = serde_json::from_value(class.clone()).ok();
    document.plan["target_class"] = class;
    document
}

#[test]
fn the_class_of_a_target_is_told_where_its_rules_follow_from_it() {
    let text = |document: &RunDocument, language| markdown(&page(document, language));
    let english = text(&of_class(), Language::English);
    let class = "flash (assumed: nfs shows no drive)";
    assert!(english.contains(&format!("- **Class:** {class}")), "{english}");
    assert!(english.contains(&format!("decides: {class}. One expects of flash")), "{english}");
    let german = text(&of_class(), Language::German);
    let class = "Flash (angenommen: nfs zeigt kein Laufwerk)";
    assert!(german.contains(&format!("- **Klasse:** {class}")), "{german}");
    assert!(german.contains(&format!("Klasse des Ziels: {class}. Von Flash")), "{german}");
    // Rules that someone named follow from nothing.
    let mut named = of_class();
    named.plan["target_class"] = serde_json::Value::Null;
    let named = text(&named, Language::English);
    assert!(named.contains("**Class:** flash") && !named.contains("No rule was named"), "{named}");
    let older = text(&standard(), Language::English);
    assert!(!older.contains("**Class:**") && !older.contains("No rule was named"), "{older}");
}

/// Every report in every language as HTML.
fn all_pages() -> Vec<(String, String)> {
    let pages = all().into_iter().flat_map(|(name, document)| {
        Language::ALL.map(|language| {
            let page = kneepoint_report::html(&page(&document, language));
            (format!("{name} in {}", language.name()), page)
        })
    });
    pages.collect()
}

/// Values of an attribute in the order of the page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn reports_look_as_they_did() {
    insta::assert_snapshot!("one_point", readable(&html(&one_point())));
    insta::assert_snapshot!("empty", readable(&html(&empty())));
    insta::assert_debug_snapshot!("standard_page", outline(&page(&standard(), Language::English)));
    insta::assert_snapshot!("troubled_words", words(&html(&troubled())));
    let german = page(&troubled(), Language::German);
    insta::assert_snapshot!("troubled_words_german", words(&kneepoint_report::html(&german)));
    insta::assert_snapshot!("one_point_markdown", markdown(&page(&one_point(), Language::English)));
    insta::assert_snapshot!(
        "one_point_markdown_german",
        markdown(&page(&one_point(), Language::German))
    );
}

/// One element a line, without the style sheet.
fn readable(page: &str) -> String {
    let (head, rest) = page.split_once("<style>").expect("a style");
    let (_, rest) = rest.split_once("</style>").expect("its end");
    format!("{head}{rest}").replace("><", ">\n<")
}

/// The text of a page without its figures, a line for each element.
fn words(page: &str) -> String {
    let (_, mut rest) = page.split_once("<body>").expect("a body");
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once("<svg") {
        text.push_str(before);
        rest = after.split_once("</svg>").expect("its end").1;
    }
    text.push_str(rest);
    for end in
        ["</p>", "</h1>", "</h2>", "</h3>", "</tr>", "</li>", "</dd>", "</figcaption>", "</aside>"]
    {
        text = text.replace(end, "\n");
    }
    for end in ["</td>", "</th>", "</dt>", "<small>"] {
        text = text.replace(end, " | ");
    }
    let plain = text.split('<').map(|part| part.split_once('>').map_or(part, |(_, words)| words));
    plain.collect()
}

/// Titles and kinds of blocks.
fn outline(page: &kneepoint_report::page::Page) -> Vec<String> {
    fn visit(section: &kneepoint_report::page::Section, depth: usize, lines: &mut Vec<String>) {
        let kinds = section.blocks.iter().map(|block| {
            let kind = format!("{block:?}");
            kind.split(['(', ' ']).next().unwrap_or_default().to_owned()
        });
        let kinds: Vec<String> = kinds.collect();
        lines.push(format!("{}{}: {}", "  ".repeat(depth), section.title, kinds.join(" ")));
        section.sections.iter().for_each(|inner| visit(inner, depth + 1, lines));
    }
    let mut lines = Vec::new();
    page.sections.iter().for_each(|section| visit(section, 0, &mut lines));
    lines
}

#[test]
fn every_id_is_unique_and_every_link_leads_somewhere() {
    for (name, page) in all_pages() {
        let ids = attributes(&page, "id");
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{name}: {ids:?}");
        for link in attributes(&page, "href") {
            if link.starts_with("data:text/csv;charset=utf-8,") {
                continue;
            }
            let id =
                link.strip_prefix('#').unwrap_or_else(|| panic!("{name}: {link} leads outside"));
            assert!(unique.contains(id), "{name}: nothing has the id {id}");
        }
    }
}

/// What a parser by the HTML standard finds wrong with a page.
#[test]
fn every_report_is_html_without_an_error() {
    for (name, document) in all() {
        let page = html(&document);
        let parsed = scraper::Html::parse_document(&page);
        assert!(parsed.errors.is_empty(), "{name}: {:?}", parsed.errors);
        let drawn = "svg[role=img][aria-label]";
        let drawn = format!("figure > {drawn}, figure > div:not(.phone) > {drawn}");
        let svg = scraper::Selector::parse(&drawn).unwrap();
        let figure = scraper::Selector::parse("figure:not(.table)").unwrap();
        assert_eq!(parsed.select(&svg).count(), parsed.select(&figure).count(), "{name}");
    }
}

#[test]
fn every_figure_says_its_result_and_key_figures_are_drawn_for_phones() {
    let page = html(&standard());
    let parsed = scraper::Html::parse_document(&page);
    let select = |what: &str| parsed.select(&scraper::Selector::parse(what).unwrap()).count();
    assert_eq!(select("figure svg"), select("figure svg > desc"));
    assert!(select("#key-figures .phone > svg") > 0);
    assert_eq!(select(".figures > figure > .phone > svg"), select(".figures > figure"));
    assert_eq!(select(".phone > svg"), select(".page > svg"));
}

#[test]
fn points_behind_the_key_figures_are_shown_over_time_if_that_shows_anything() {
    let words = "of the points that the key figures rest on";
    let mut document = standard();
    assert!(html(&document).contains(words));
    for point in &mut document.points {
        point.intervals.truncate(3);
    }
    assert!(!html(&document).contains(words));
    assert!(!html(&large()).contains(words), "many series are left to the data");
}

#[test]
fn percentiles_that_too_few_operations_tell_are_left_empty() {
    let shown = |operations: u64| {
        let points = DOUBLING.map(|load| point(&STANDARD[0], load));
        let points = points.map(|mut point| {
            point.operations = operations;
            point
        });
        let page = page(&document(points.into(), &["mean<=20ms"]), Language::English);
        let figure = page
            .figures()
            .into_iter()
            .find(|figure| figure.caption.words().starts_with("Response-time percentiles"));
        let csv = figure.expect("a strip of percentiles").drawing.csv();
        ["p50", "p99", "p99.99"].map(|name| {
            csv.lines()
                .any(|line| line.starts_with("cell,") && line.split(',').nth(2) == Some(name))
        })
    };
    assert_eq!(shown(100_000), [true; 3]);
    assert_eq!(shown(500), [true, true, false]);
    assert_eq!(shown(50), [true, false, false]);
}

#[test]
fn every_figure_offers_its_data_in_the_page_itself() {
    let page = html(&standard());
    let parsed = scraper::Html::parse_document(&page);
    let figure = scraper::Selector::parse("figure:not(.table)").unwrap();
    let link = scraper::Selector::parse("a[download$='.csv'][href^='data:text/csv']").unwrap();
    assert!(parsed.select(&figure).count() > 5);
    for figure in parsed.select(&figure) {
        let link = figure.select(&link).next().expect("a link");
        let data = link.attr("href").unwrap().split_once(',').unwrap().1;
        assert!(data.starts_with("kind,") && data.ends_with("%0A"), "{data}");
        assert!(data.is_ascii() && !data.contains([' ', '"', '<', '#']), "{data}");
    }
}

#[test]
fn no_report_loads_anything_or_runs_anything() {
    for (name, page) in all_pages() {
        for forbidden in
            ["<script", "<img", "<iframe", "<link", "<object", "@import", "url(", "javascript:"]
        {
            assert!(!page.contains(forbidden), "{name} contains {forbidden}");
        }
        assert!(attributes(&page, "src").is_empty(), "{name}");
        assert!(!page.contains("NaN"), "{name}");
    }
}

#[test]
fn large_runs_stay_below_a_megabyte() {
    assert_eq!(large().points.len(), 300);
    for language in Language::ALL {
        let page = page(&large(), language);
        let (html, markdown) = (kneepoint_report::html(&page), markdown(&page));
        assert!(html.len() < 1_000_000, "HTML in {}: {} bytes", language.name(), html.len());
        assert!(markdown.len() < 500_000, "Markdown: {} bytes", markdown.len());
    }
}

/// Of many series the tables have the percentiles, and one of each profile a figure of them.
#[test]
fn distributions_of_many_series_are_left_to_the_tables() {
    let drawn =
        |document: &RunDocument| html(document).matches("Response-time distribution of").count();
    let (many, few) = (drawn(&large()), drawn(&standard()));
    assert!(many > 0 && many < 6, "{many}");
    assert!(few > many, "{few}");
}

#[test]
fn equal_runs_give_equal_bytes() {
    for language in Language::ALL {
        let (one, other) = (page(&troubled(), language), page(&troubled(), language));
        assert_eq!(kneepoint_report::html(&one), kneepoint_report::html(&other));
        assert_eq!(markdown(&one), markdown(&other));
    }
}

#[test]
fn bounds_of_the_sustained_throughput_and_its_absence_are_told_apart() {
    let check = |rules: &[&str], words: &str| {
        let points = DOUBLING.map(|load| point(&STANDARD[0], load)).into();
        let page = html(&document(points, rules));
        assert!(page.contains(words), "{words}");
    };
    check(&["mean<=1ms"], "<td><strong>&lt; ");
    check(&["mean<=1s"], "<td><strong>≥ ");
    check(&["mean<=1s"], "<small>still 45.");
    let mut failed = document(vec![point(&STANDARD[0], 1)], &["mean<=20ms"]);
    synthetic::fail(&mut failed.points[0]);
    synthetic::summarize(&mut failed, &["mean<=20ms"]);
    assert!(html(&failed).contains("unknown: no usable point"));
}

/// A run of which a number was published: 5 % more than it gives.
fn published() -> RunDocument {
    let mut document = standard();
    let series = document.points[0].series.clone();
    let number = PublishedNumber {
        source: "paper, Table 1".to_owned(),
        series,
        factors: Default::default(),
        place: PublishedPlace::Peak(64),
        value: 2_345.0,
        unit: ThroughputUnit::Iops,
    };
    let fit = ModelFit { cells: 12, mean_error_percent: Some(1.5) };
    document.environment.targets[0].model = Some(ModelOrigin {
        system: "array".to_owned(),
        title: "An array".to_owned(),
        source: "A paper".to_owned(),
        drive: String::new(),
        drive_mib_s: None,
        parts: None,
        fit: Some(fit),
    });
    document.analysis.published = vec![PublishedComparison {
        simulated: 2_233.3,
        ci95: Some(20.0),
        error_percent: -4.76,
        published: number,
    }];
    document
}

#[test]
fn published_numbers_stand_beside_the_simulated_ones() {
    let document = published();
    let text = words(&html(&document));
    let sentence = "One number of this run was published (paper, Table 1). The simulated one deviates by \
                    4.8\u{a0}%.";
    assert!(text.contains(sentence), "{text}");
    assert!(text.contains("fitted to 12 published numbers"), "{text}");
    assert!(text.contains("2,345") && text.contains("±20"), "{text}");
    let german = markdown(&page(&document, Language::German));
    assert!(german.contains("Veröffentlicht und simuliert"), "{german}");
    // A model that was never fitted was not fitted to these numbers, and most runs have none.
    let mut never_fitted = published();
    never_fitted.environment.targets[0].model.as_mut().unwrap().fit = None;
    assert!(!words(&html(&never_fitted)).contains("were fitted to"));
    assert!(!words(&html(&standard())).contains("published"));
}

/// The setting of one moment is not that of the run.
#[test]
fn a_setting_that_was_varied_has_its_levels_in_the_environment() {
    let environment = |plan: &str| {
        let mut document = standard();
        let settings = [("disk_cache", "on"), ("queue_depth", "77")];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        document.environment.targets[0].settings = settings.into();
        document.plan["factors"] = serde_json::from_str(plan).unwrap();
        words(&html(&document))
    };
    let factors = r#"{"design": "full", "order": "random",
        "factors": [{"name": "disk_cache", "levels": ["off", "on"], "settle": 0}]}"#;
    let varied = environment(factors);
    assert!(varied.contains("varied: off, on") && varied.contains("77"), "{varied}");
    assert!(!environment("null").contains("varied:"));
}

/// Of two series, one meets the rule at every load: its bound ranks, and is not left out.
#[test]
fn conclusions_rank_what_meets_a_rule_at_every_load() {
    let conclusions = |loads: [&[u32]; 2], rule: &str| {
        let series = [&STANDARD[0], &STANDARD[1]].into_iter().zip(loads);
        let points = series.flat_map(|(shape, loads)| loads.iter().map(|load| point(shape, *load)));
        let page = words(&html(&document(points.collect(), &[rule])));
        let start = page.rfind("Conclusions").unwrap();
        page[start..].chars().take(400).collect::<String>()
    };
    let between = conclusions([&[1, 2, 4, 8, 16, 32, 64], &[1, 2]], "mean<=12ms");
    assert!(between.contains("the highest throughput known to be sustained is"), "{between}");
    let both = conclusions([&[1, 2], &[1, 2]], "mean<=1s");
    assert!(both.contains("the highest throughput known to be sustained is ≥"), "{both}");
    let exact = conclusions([&[1, 2, 4, 8, 16, 32, 64], &[1, 2, 4, 8, 16, 32, 64]], "mean<=12ms");
    assert!(exact.contains("sustained throughput ranges from"), "{exact}");
    assert!(!exact.contains("known to be sustained"), "{exact}");
}

/// The names of all figures and tables, and the heads of printed pages, say what is simulated; those of
/// measured runs do not, nor do tables without results.
#[test]
fn what_is_simulated_says_so_on_every_figure_and_table() {
    let measured = html(&standard());
    assert!(!measured.contains("(simulated)") && !measured.contains("SIMULATED"));
    let mut document = standard();
    document.environment.targets[0].kind = TargetKind::Sim;
    let page = page(&document, Language::English);
    let html = kneepoint_report::html(&page);
    assert!(html.contains("@top-right { content: \"SIMULATED\""));
    let is_of_results = |section: &&kneepoint_report::page::Section| {
        !["method", "profiles", "environment", "trust", "reproduction"].contains(&&*section.id)
    };
    let count = |section: &kneepoint_report::page::Section| {
        fn numbered(section: &kneepoint_report::page::Section) -> usize {
            let of_block = |block: &Block| match block {
                Block::Table(_) => 1,
                Block::Figures(figures) => figures.len(),
                _ => 0,
            };
            let inner: usize = section.sections.iter().map(numbered).sum();
            inner + section.blocks.iter().map(of_block).sum::<usize>()
        }
        numbered(section)
    };
    let expected: usize = page.sections.iter().filter(is_of_results).map(count).sum();
    assert!(expected > 5);
    assert_eq!(html.matches(" (simulated).</b>").count(), expected);
    assert_eq!(markdown(&page).matches(" (simulated).**").count(), expected);
    // A figure that is taken out of the page says it, too.
    for figure in page.figures() {
        assert!(figure.drawing.svg_document().contains(", simulated"), "{}", figure.stem());
    }
}

#[test]
fn loads_of_several_targets_are_said_to_be_those_of_each() {
    let sentence = "Loads are those of each of 4 targets; throughput is that of all together.";
    let several = words(&html(&four_targets()));
    // On the first page, below the key figures, and before every measurement.
    assert_eq!(several.matches(sentence).count(), 3, "{several}");
    assert!(!words(&html(&standard())).contains("Loads are those of each"));
}

#[test]
fn with_several_targets_loads_are_named_per_target_and_in_total() {
    let several = words(&html(&four_targets()));
    for text in ["Outstanding I/Os per target", "in total", "per target (256 in total)"] {
        assert!(several.contains(text), "{text}");
    }
    let german = words(&kneepoint_report::html(&page(&four_targets(), Language::German)));
    for text in ["Ausstehende I/Os je Ziel", "insgesamt", "je Ziel (insgesamt 256)"] {
        assert!(german.contains(text), "{text}");
    }
    let only = words(&html(&standard()));
    assert!(!only.contains("per target") && !only.contains("in total"));
}

/// What a limit makes of the numbers is before all of them; a setting that changes little is not.
#[test]
fn a_limit_that_makes_the_numbers_is_among_the_first_facts() {
    let limited = |kind: &str, data: serde_json::Value| {
        let mut document = standard();
        let warning = json!({"kind": kind, "severity": "limits", "data": data, "text": "x"});
        document.warnings.push(serde_json::from_value(warning).expect("a warning"));
        html(&document)
    };
    let page = limited(
        "io_limited",
        json!({"limit": "riops=200", "device": "/dev/sda", "file": "/sys/fs/cgroup/a/io.max"}),
    );
    let title = "Something other than the storage makes these numbers";
    let top = page.split("<nav").next().unwrap();
    assert!(top.contains(title) && top.contains("riops=200"), "{top}");
    let environment = page.split("id=\"environment\"").nth(1).expect("the chapter");
    let fact = environment.find("Limited by").expect("the fact");
    assert!(fact < environment.find("environment-host").expect("the machine"));
    for page in [limited("write_cache_on", json!({"device": "/dev/sda"})), html(&standard())] {
        assert!(!page.contains(title) && !page.contains("Limited by</"), "{title}");
    }
}

#[test]
fn what_is_wrong_with_a_run_is_said_at_the_top() {
    let page = html(&troubled());
    let top = page.split("<nav").next().unwrap();
    assert!(top.contains("This run was interrupted"), "{top}");
    assert!(top.contains("30 of 35 planned points"), "{top}");
    let page = html(&empty());
    assert!(page.contains("This run failed") && page.contains("before a point was measured"));
}

#[test]
fn absent_trouble_is_said_in_words() {
    let page = html(&standard());
    for words in [
        "Warnings on the whole run: </strong>none",
        "Warnings on points: </strong>none",
        "I/O errors: </strong>none",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

/// Writes the reports to the directory named by `KNEEPOINT_REPORT_SAMPLES`, to be looked at.
#[test]
#[ignore = "for the eye"]
fn samples() {
    let Ok(directory) = std::env::var("KNEEPOINT_REPORT_SAMPLES") else { return };
    for (name, document) in all() {
        for language in Language::ALL {
            let page = page(&document, language);
            let path = format!("{directory}/{name}-{}", language.code());
            std::fs::write(format!("{path}.html"), kneepoint_report::html(&page)).unwrap();
            std::fs::write(format!("{path}.md"), markdown(&page)).unwrap();
        }
    }
}

#[test]
fn a_searched_series_shows_its_bracket_its_probes_and_why_it_stopped() {
    let mut document = standard();
    assert!(!html(&document).contains("Search for the load"), "a grid was not searched");
    for summary in &mut document.analysis.summaries {
        summary.search = Some(SearchResult {
            points: 7,
            stopped_because: "there is no load between".to_owned(),
            disturbed_loads: Vec::new(),
        });
    }
    let page = html(&document);
    for text in
        ["Search for the load at the rule of", "there is no load between", "Loads in the order"]
    {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn visits_are_explained_where_there_are_any() {
    let mut document = standard();
    let is_told =
        |document: &RunDocument| words(&html(document)).contains("scatter between visits");
    assert!(!is_told(&document), "every load was measured once");
    let mut again = document.points[0].clone();
    again.repetition += 1000;
    document.points.push(again);
    assert!(is_told(&document));
}

#[test]
fn a_point_of_rounds_shows_them_with_the_test_for_steady_state() {
    let mut document = standard();
    let round = |index: u32| RoundResult {
        start_s: f64::from(index),
        rate: 100.0,
        volume: Some(1.0),
        latency_mean_ms: 1.0,
    };
    document.points[0].steady_state = Some(SteadyStateResult {
        attained: true,
        round_s: 1.0,
        rounds: (0..7).map(round).collect(),
        window: Some(SteadyWindow {
            first_round: 2,
            rate_mean: 100.0,
            range_percent: 4.25,
            slope_percent: -1.5,
        }),
    });
    let page = html(&document);
    for text in
        ["IO/s of every round", "range 4.2\u{a0}%, slope −1.5\u{a0}%", "round 7: 100\u{a0}IO/s"]
    {
        assert!(page.contains(text), "{text}");
    }
}
