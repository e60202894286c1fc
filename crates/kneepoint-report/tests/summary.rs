//! The first page: what it says, and what it must not say.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    Finding, HalfWidths, Links, ModelFit, ModelOrigin, Plateau, RunDocument, SystemParts,
    ThroughputUnit, Verdict, Warning,
};
use kneepoint_core::words::load::LoadUnit;
use kneepoint_report::page::{Block, Detail, Fold, Page, Section, Table, TableCell};
use kneepoint_report::{Language, markdown, page};
use synthetic::{DOUBLING, STANDARD, document, large, one_point, point, standard};

fn summary(document: &RunDocument) -> (Page, Section) {
    let page = page(document, Language::English);
    let section = page.sections[0].clone();
    assert_eq!(section.id, "summary");
    (page, section)
}

/// The findings of the first page, a line each.
fn findings(document: &RunDocument) -> String {
    let (_, section) = summary(document);
    let lists = section.blocks.iter().filter_map(|block| match block {
        Block::List(items) => Some(items.iter().map(|item| item.words()).collect::<Vec<_>>()),
        _ => None,
    });
    lists.flatten().collect::<Vec<_>>().join("\n").replace('\u{a0}', " ")
}

fn table(document: &RunDocument) -> Table {
    let (_, section) = summary(document);
    let table = section.blocks.into_iter().find_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    table.expect("a table")
}

fn simulated(model: Option<ModelOrigin>) -> RunDocument {
    let mut document = standard();
    document.environment.targets[0].kind = TargetKind::Sim;
    document.environment.targets[0].model = model;
    document
}

fn model(fit: Option<ModelFit>) -> ModelOrigin {
    ModelOrigin {
        system: "array".to_owned(),
        source: String::new(),
        title: "An array".to_owned(),
        drive: "18.2 GB, FC".to_owned(),
        drive_mib_s: None,
        parts: None,
        fit,
    }
}

/// The badge in words.
fn badge(document: &RunDocument) -> String {
    let badge = summary(document).0.badge.expect("a badge");
    format!("{}: {}", badge.title, badge.text.words()).replace('\u{a0}', " ")
}

#[test]
fn the_badge_says_what_the_numbers_are() {
    assert!(badge(&standard()).starts_with("Measured: "));
    let fit = ModelFit { cells: 29, mean_error_percent: Some(1.62) };
    let fitted = badge(&simulated(Some(model(Some(fit)))));
    assert!(fitted.starts_with("Simulated: A model in virtual time; no device was measured."));
    let end = "29 published measurements (mean error 1.6 %; elsewhere unknown).";
    assert!(fitted.ends_with(end), "{fitted}");
    let never = badge(&simulated(Some(model(None))));
    assert!(never.ends_with("never fitted to measurements."), "{never}");
    // An older run knows of its model only by its warning.
    let mut older = simulated(None);
    assert!(!badge(&older).contains("fitted"), "{}", badge(&older));
    let never = Warning::Uncalibrated { system: "array".to_owned() };
    older.points.iter_mut().for_each(|point| point.warnings.push(never.clone()));
    assert!(badge(&older).ends_with("never fitted to measurements."));
    // A setting that puts another drive into a system that was fitted.
    let mut partly = simulated(Some(model(Some(fit))));
    partly.points[0].warnings.push(never);
    assert!(
        badge(&partly)
            .ends_with("Only some of what was simulated was ever fitted to measurements.")
    );
}

#[test]
fn the_first_page_is_one_screen() {
    for document in [standard(), large(), one_point(), synthetic::empty()] {
        let (_, section) = summary(&document);
        let figures = section.blocks.iter().filter_map(|block| match block {
            Block::Figures(figures) => Some(figures.len()),
            _ => None,
        });
        assert!(figures.sum::<usize>() <= 1);
        let findings = findings(&document);
        assert!(findings.lines().count() <= 5, "{findings}");
        let tables = section.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table.rows.len()),
            _ => None,
        });
        assert!(tables.into_iter().all(|rows| rows <= 12));
    }
}

#[test]
fn bars_are_shares_of_the_best_of_the_same_profile_and_block_size() {
    let single = table(&standard());
    assert_eq!(single.caption.words().replace('\u{a0}', " "), "Throughput sustained within 15 ms.");
    let heads = |table: &Table| -> Vec<String> {
        table.columns().map(|column| column.title.clone()).collect()
    };
    assert_eq!(heads(&single), ["Series", "IO/s", "MiB/s", "±"], "each profile stands alone");
    let is_one =
        |row: &Vec<TableCell>| row[1].text.words().is_empty() != row[2].text.words().is_empty();
    assert!(single.rows.iter().all(is_one), "a row has one unit");
    let mut points = Vec::new();
    for (level, times) in [("raid0", 1.0), ("raid1", 0.5)] {
        for shape in &STANDARD[..2] {
            points.extend(DOUBLING.iter().map(|load| {
                let mut point = point(shape, *load);
                point.factors.insert("raid".to_owned(), level.to_owned());
                point.rate.mean *= times;
                point.latency_ms.mean /= times;
                point
            }));
        }
    }
    let varied = table(&document(points, &["mean<=15ms"]));
    assert_eq!(heads(&varied), ["Series", "IO/s", "±", "Of the best"]);
    let shares: Vec<Option<f64>> =
        varied.rows.iter().map(|row| row.last().and_then(|cell| cell.bar)).collect();
    let [Some(one), Some(half), Some(other), Some(other_half)] = shares[..] else {
        panic!("{shares:?}")
    };
    assert_eq!([one, other], [1.0, 1.0], "the best of each");
    assert!(half < 1.0 && other_half < 1.0, "{shares:?}");
}

#[test]
fn what_is_no_number_is_no_end_of_a_range() {
    let range = |limit: &str| {
        let points = STANDARD[..3].iter();
        let points = points.flat_map(|shape| DOUBLING.iter().map(move |load| point(shape, *load)));
        findings(&document(points.collect(), &[limit]))
    };
    let known = range("mean<=20ms");
    assert!(known.starts_with("Sustained within 20 ms: "), "{known}");
    assert!(known.contains(" to "), "{known}");
    // Every load of every series meets this rule: which one sustains the least is not known.
    let unknown = range("mean<=10s");
    assert!(!unknown.contains("Sustained within"), "{unknown}");
}

#[test]
fn series_of_one_load_meet_no_rule() {
    let points = STANDARD.iter().map(|shape| point(shape, 8));
    let single = document(points.collect(), &["mean<=20ms"]);
    let caption = table(&single).caption.words();
    assert!(caption.starts_with("Throughput at the one load that was set."), "{caption}");
    assert!(!caption.contains("within") && !caption.contains("rule"), "{caption}");
    let text = findings(&single);
    assert!(!text.contains("Sustained"), "{text}");
    assert!(table(&standard()).caption.words().contains("sustained"));
    let markdown = |document: &RunDocument| {
        kneepoint_report::markdown(&page(document, Language::English), "figures")
    };
    for text in ["rule not reached", "at every load:", "id=\"conclusions\"", "≥", "Peak |"] {
        assert!(!markdown(&single).contains(text), "{text}");
    }
    assert!(markdown(&standard()).contains("id=\"conclusions\""));
}

#[test]
fn repetitions_that_differ_widen_the_interval_of_a_single_load() {
    let margin = |factors: [f64; 3]| {
        let points = factors.iter().enumerate().map(|(index, factor)| {
            let mut point = point(&STANDARD[0], 8);
            point.repetition = index as u32;
            for number in [&mut point.rate, point.volume.as_mut().expect("storage")] {
                number.mean *= factor;
                number.ci95 = Some(0.01 * number.mean);
            }
            point
        });
        let table = table(&document(points.collect(), &["mean<=20ms"]));
        let words = table.rows[0][2].text.words();
        words.trim_end_matches('%').trim().parse::<f64>().expect("a number")
    };
    assert!(margin([0.5, 1.0, 1.1]) > 50.0, "the spread between repetitions counts");
    assert!(margin([1.0, 1.0, 1.0]) < 2.0);
}

#[test]
fn contrasts_that_do_not_matter_are_not_on_the_first_page() {
    let of = |factor: f64| {
        let points = DOUBLING.iter().flat_map(|load| {
            let read = point(&STANDARD[3], *load);
            let mut write = point(
                &synthetic::Shape { read_percent: 0.0, profile: "writing", ..STANDARD[3] },
                *load,
            );
            for number in [&mut write.rate, write.volume.as_mut().expect("storage")] {
                number.mean *= factor;
                number.ci95 = number.ci95.map(|half| 0.01 * half);
            }
            [read, write]
        });
        let mut document = document(points.collect(), &["mean<=20ms"]);
        document.analysis.findings =
            kneepoint_core::analysis::findings::of_points(&document.points);
        findings(&document)
    };
    let is_told = |text: &str| text.contains("streaming/64KiB / writing/64KiB");
    assert!(is_told(&of(0.5)), "{}", of(0.5));
    assert!(!is_told(&of(0.97)), "{}", of(0.97));
}

/// The chapters, with whether they are folded.
fn chapters(page: &Page) -> Vec<(String, bool)> {
    let chapter = |section: &Section| (section.id.clone(), section.fold == Fold::Folded);
    page.sections.iter().map(chapter).collect()
}

#[test]
fn a_page_shows_as_much_as_is_asked_for() {
    let whole = page(&standard(), Language::English);
    let standard = chapters(&whole.clone().at(Detail::Standard));
    assert_eq!(standard, chapters(&whole));
    // What is folded stands behind everything else, so that paper has it as an appendix.
    let folded: Vec<bool> = standard.iter().map(|(_, is_folded)| *is_folded).collect();
    assert!(
        folded.is_sorted() && folded.contains(&true) && folded.contains(&false),
        "{standard:?}"
    );
    assert!(standard.contains(&("method".to_owned(), true)));
    assert!(standard.contains(&("key-figures".to_owned(), false)));
    let full = chapters(&whole.clone().at(Detail::Full));
    assert_eq!(full.len(), standard.len());
    assert!(full.iter().all(|(_, is_folded)| !is_folded));
    let summary = whole.at(Detail::Summary);
    let known = [("summary".to_owned(), false), ("trust".to_owned(), false)];
    assert_eq!(chapters(&summary), known);
    // No link leads to what was left out, and nothing lists two chapters.
    let html = kneepoint_report::html(&summary);
    for link in html.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap_or_default();
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert!(!html.contains("<nav") && !html.contains("<details"));
    assert!(!kneepoint_report::markdown(&summary, "figures").contains("**Contents**"));
}

#[test]
fn many_plateaus_are_one_table() {
    let text = |count: usize| {
        let mut document = standard();
        let plateau = |index: usize| {
            Finding::Saturation(Plateau {
                series: document.points[7 * index].series.clone(),
                unit: LoadUnit::OutstandingIos,
                from_load: 16.0,
                to_load: 64.0,
                rise_percent_max: 3.0,
                rate_unit: ThroughputUnit::Iops,
                rate: 1_000.0,
                volume: None,
                bottleneck: None,
                ci95: HalfWidths::default(),
            })
        };
        document.analysis.findings = (0..count).map(plateau).collect();
        kneepoint_report::markdown(&page(&document, Language::English), "figures")
    };
    let (few, many) = (text(2), text(4));
    assert!(few.contains("no longer rises from 16") && !few.contains("Saturated from"));
    assert!(!many.contains("no longer rises from 16") && many.contains("Saturated from"));
    assert!(many.contains("A plateau was shown for 4 of 5 series"));
    assert!(!many.contains("Limited by"), "nothing is known to limit a real target");
}

#[test]
fn what_can_hardly_be_true_is_a_caveat() {
    let caveats = |implausible: Vec<Warning>| {
        let mut document = standard();
        document.analysis.implausible = implausible;
        let (_, section) = summary(&document);
        let remarks = section.blocks.iter().filter_map(|block| match block {
            Block::Remark(text) => Some(text.words()),
            _ => None,
        });
        remarks.collect::<String>()
    };
    let warning = Warning::ReadsBelowWrites {
        reads: "streaming/64KiB".to_owned(),
        writes: "restore/64KiB".to_owned(),
        times: 3.5,
    };
    let told = caveats(vec![warning]);
    assert!(told.contains("Hardly plausible: streaming/64KiB."), "{told}");
    assert!(!caveats(Vec::new()).contains("plausible"));
}

#[test]
fn of_a_disturbed_run_nothing_is_told() {
    let told = |is_disturbed: fn(usize) -> bool| {
        let mut points = standard().points;
        for (_, point) in points.iter_mut().enumerate().filter(|(index, _)| is_disturbed(*index)) {
            point.verdict = Verdict::Disturbed;
        }
        let document = document(points, &["mean<=15ms"]);
        let page = page(&document, Language::English);
        let markdown = kneepoint_report::markdown(&page, "figures").replace('\u{a0}', " ");
        (findings(&document), markdown)
    };
    let sentence =
        "What the target does by itself cannot be told: something else disturbed every point.";
    let (found, markdown) = told(|_| true);
    assert_eq!(found, sentence);
    assert!(!markdown.contains("is between") && !markdown.contains("highest throughput known"));
    assert!(markdown.contains("Within 15 ms, nothing is concluded for 5 series: "), "{markdown}");
    // The first seven points are those of the series database/8KiB.
    let (found, markdown) = told(|index| index < 7);
    assert!(!found.contains(sentence) && found.contains("Sustained within 15 ms: "), "{found}");
    assert!(!found.contains("(database/8KiB)"), "{found}");
    assert!(found.contains("Left out: 1 series whose points something else disturbed."), "{found}");
    assert!(markdown.contains("Within 15 ms, nothing is concluded for 1 series: "), "{markdown}");
    let (found, markdown) = told(|_| false);
    assert!(!found.contains("disturbed") && found.contains("(database/8KiB)"), "{found}");
    assert!(!markdown.contains("nothing is concluded"), "{markdown}");
}

#[test]
fn a_limit_of_one_host_stands_before_all_numbers() {
    let notes = |warning: Warning| {
        let mut document = standard();
        for (index, host) in ["lab-7", "lab-7", "lab-8"].into_iter().enumerate() {
            document.points[index].warnings.push(warning.clone().on_host(host));
        }
        let page = page(&document, Language::English);
        let notes = page.notes.iter().map(|note| format!("{}: {}", note.title, note.text.words()));
        notes.collect::<Vec<_>>().join("\n").replace('\u{a0}', " ")
    };
    let limited = Warning::IoLimited {
        limit: "riops=200".to_owned(),
        device: "loop0".to_owned(),
        file: "/sys/fs/cgroup/io.max".to_owned(),
    };
    let told = notes(limited);
    assert!(told.contains("makes these numbers: on lab-7: I/O limited"), "{told}");
    assert!(told.contains("(at 2 of 35 points)"), "hosts are counted apart: {told}");
    assert!(
        told.contains("on lab-8: I/O limited") && told.contains("(at 1 of 35 points)"),
        "{told}"
    );
    let harmless = Warning::WriteCacheOn { device: "sda".to_owned() };
    assert_eq!(notes(harmless), "");
}

#[test]
fn one_limit_of_several_files_is_one_warning() {
    let limited = |limit: &str, file: &str| {
        let [limit, file] = [limit, file].map(str::to_owned);
        Warning::IoLimited { limit, device: "loop0".to_owned(), file }
    };
    let words = |warnings: Vec<Warning>| {
        let document = RunDocument { warnings, ..standard() };
        markdown(&page(&document, Language::English), "figures").replace('\u{a0}', " ")
    };
    let [reads, writes] = ["blkio.throttle.read_iops_device", "blkio.throttle.write_iops_device"];
    let text = words(vec![limited("200", reads), limited("200", writes)]);
    assert!(text.contains("there is 1 warning"), "{text}");
    assert!(text.contains("held to 200 IO/s for loop0 in blkio"));
    let text = words(vec![limited("200", reads), limited("300", writes)]);
    assert!(text.contains("there are 2 warnings"), "{text}");
}

#[test]
fn a_higher_point_that_is_not_called_the_peak_has_its_reason() {
    let told = |share: f64| {
        let points = DOUBLING.map(|load| {
            let mut point = point(&STANDARD[0], load);
            let times = if load == 64 { 0.97 } else { 1.0 };
            for number in [&mut point.rate, point.volume.as_mut().expect("storage")] {
                number.mean *= times;
                number.ci95 = Some(share * number.mean);
            }
            point
        });
        let page = page(&document(points.to_vec(), &["mean<=20ms"]), Language::English);
        kneepoint_report::markdown(&page, "figures").replace('\u{a0}', " ")
    };
    let (wide, narrow) = (told(0.12), told(0.01));
    let reason = "more at 64 outstanding I/Os are within its interval)";
    assert!(wide.contains(reason), "{wide}");
    assert!(!narrow.contains("within its interval"), "{narrow}");
}

#[test]
fn parts_that_are_not_drawn_are_told_of() {
    let told = |arrays: u32, drives_per_array: u32| {
        let links = Links { count: 1, mb_per_s: 1_000.0 };
        let mut origin = model(None);
        origin.parts = Some(SystemParts {
            host_links: links,
            controllers: 1,
            write_cache_mib: 256.0,
            back_end_links: links,
            arrays,
            drives_per_array,
            drives: arrays * drives_per_array,
            medium: "disk".to_owned(),
            raid: "raid5".to_owned(),
            stripe_bytes: 65_536,
        });
        let page = page(&simulated(Some(origin)), Language::English);
        kneepoint_report::markdown(&page, "figures")
    };
    let sentence = "Of parts that are many, the first are drawn.";
    assert!(told(9, 2).contains(sentence) && told(1, 13).contains(sentence));
    let all = told(2, 4);
    assert!(all.contains("from the host to the drives.") && !all.contains(sentence), "{all}");
}

/// The facts at the top of a page, with single spaces.
fn fact(document: &RunDocument, name: &str) -> String {
    let page = page(document, Language::English);
    let fact = page.facts.iter().find(|fact| fact.name == name);
    fact.map(|fact| fact.value.words().replace('\u{a0}', " ")).unwrap_or_default()
}

#[test]
fn settings_that_some_series_have_as_their_own_are_told_at_the_top() {
    let mut document = simulated(Some(model(None)));
    let settings = [("write_cache", "off"), ("read_ahead", "off"), ("stripe", "64KiB")];
    let settings = settings.map(|(name, level)| (name.to_owned(), level.to_owned()));
    document.environment.targets[0].settings = settings.into();
    assert_eq!(fact(&document, "Settings"), "Write cache off, Read-ahead off");
    assert_eq!(fact(&document, "Own settings of"), "");
    let profile = document.points[0].profile.clone();
    let own = [("write_cache", "on"), ("stripe", "128KiB"), ("param.controller.block", "16")];
    let own = own.map(|(name, level)| (name.to_owned(), level.to_owned()));
    let of_profile = document.points.iter_mut().filter(|point| point.profile == profile);
    of_profile.for_each(|point| point.settings = own.clone().into());
    let expected = format!("Write cache off ({profile}: on), Read-ahead off");
    assert_eq!(fact(&document, "Settings"), expected);
    let expected = format!("{profile} (model parameter controller.block 16, stripe 128 KiB)");
    assert_eq!(fact(&document, "Own settings of"), expected);
    for (language, said) in [
        (Language::English, format!("Settings for {profile} instead")),
        (Language::German, format!("Einstellungen für {profile} stattdessen")),
    ] {
        let whole = markdown(&page(&document, language), "figures");
        assert!(whole.contains(&said), "{whole}");
    }
}

#[test]
fn what_differs_between_targets_and_hosts_is_not_told_of_the_first_alone() {
    let mut document = synthetic::four_targets();
    let device = fact(&document, "Device");
    assert_eq!(device, "Example Disk 600, 600 GB", "equal devices are told once");
    let targets = &mut document.environment.targets;
    targets[2].device.insert("model".to_owned(), "Other Disk".to_owned());
    targets[3].settings.insert("scheduler".to_owned(), "none".to_owned());
    let mut host = document.environment.hosts[0].clone();
    host.kernel = "6.13.0".to_owned();
    document.environment.hosts.push(host);
    assert_eq!(fact(&document, "Device"), "Example Disk 600, 600 GB; Other Disk, 600 GB");
    assert!(
        fact(&document, "Settings").contains("mq-deadline; "),
        "{}",
        fact(&document, "Settings")
    );
    assert!(fact(&document, "Settings").contains("Scheduler none"));
    let software = fact(&document, "Software");
    assert_eq!(software, "Example Linux 12, 6.12.4, io_uring; Example Linux 12, 6.13.0, io_uring");
    for (index, name) in ["c", "d"].into_iter().enumerate() {
        let device = &mut document.environment.targets[index].device;
        device.insert("model".to_owned(), name.to_owned());
    }
    document.environment.targets.push(synthetic::file_target("/data5/kneepoint.dat"));
    assert!(fact(&document, "Device").ends_with("; …"), "{}", fact(&document, "Device"));
}
