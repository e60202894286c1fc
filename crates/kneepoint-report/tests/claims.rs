//! Random runs, whose reports may claim nothing that their tables and points do not have.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

use std::collections::BTreeSet;

use kneepoint_core::result::{
    DoubtAbout, Estimate, Finding, PointResult, RunDocument, Summary, SustainedStatus,
    ThroughputUnit, Verdict,
};
use kneepoint_report::page::{Block, Page, Section, Table};
use kneepoint_report::{Language, page};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use synthetic::{DOUBLING, STANDARD, document, point};

/// Documents that are looked at; their reports take some 20 ms each.
const CASES: u32 = 60;

/// Half-widths of intervals as shares of their numbers; none is as good as unknown.
const SHARES: [Option<f64>; 6] = [None, Some(0.0), Some(0.004), Some(0.03), Some(0.16), Some(0.4)];

const RULES: [&[&str]; 4] = [&[], &["mean<=20ms"], &["mean<=15ms", "mean<=20ms"], &["p99<=30ms"]];

/// A series: its shape, how many loads it has, and for each how far throughput is from that of the
/// shape, how well it is known, and its verdict.
type Course = (usize, Vec<(f64, usize, usize)>);

fn course(shape: usize) -> impl Strategy<Value = Course> {
    let load = (0.3..1.8_f64, 0..SHARES.len(), 0..2 * Verdict::ALL.len());
    (Just(shape), proptest::collection::vec(load, 1..=DOUBLING.len()))
}

/// Runs of one to five series.
fn runs() -> impl Strategy<Value = RunDocument> {
    let series = (0..STANDARD.len()).map(course).collect::<Vec<_>>();
    (series, 1..=STANDARD.len(), 0..RULES.len()).prop_map(|(series, count, rules)| {
        let points = series.iter().take(count).flat_map(points);
        document(points.collect(), RULES[rules])
    })
}

fn points((shape, loads): &Course) -> Vec<PointResult> {
    let one = |(load, (factor, share, verdict)): (&u32, &(f64, usize, usize))| {
        let mut point = point(&STANDARD[*shape], *load);
        let known = |mean: f64| Estimate { mean, ci95: SHARES[*share].map(|share| share * mean) };
        let (rate, volume) =
            (known(point.rate.mean * factor), point.volume.map(|v| v.mean * factor));
        (point.rate.mean, point.rate.ci95) = (rate.mean, rate.ci95);
        if let (Some(printed), Some(volume)) = (point.volume.as_mut(), volume.map(known)) {
            (printed.mean, printed.ci95) = (volume.mean, volume.ci95);
        }
        point.latency_ms.ci95 = known(point.latency_ms.mean).ci95;
        // Half of the points are as they should be.
        point.verdict = Verdict::ALL.get(*verdict).copied().unwrap_or(Verdict::Steady);
        point
    };
    DOUBLING.iter().zip(loads).map(one).collect()
}

/// Every section of a page, inner ones too.
fn sections(page: &Page) -> Vec<&Section> {
    fn add<'p>(section: &'p Section, all: &mut Vec<&'p Section>) {
        all.push(section);
        section.sections.iter().for_each(|inner| add(inner, all));
    }
    let mut all = Vec::new();
    page.sections.iter().for_each(|section| add(section, &mut all));
    all
}

/// The running text of sections, a paragraph or an item of a list each.
fn prose(sections: &[&Section]) -> Vec<String> {
    let texts = sections.iter().flat_map(|section| &section.blocks).flat_map(|block| match block {
        Block::Paragraph(text) | Block::Remark(text) => vec![text.words()],
        Block::List(items) => items.iter().map(|item| item.words()).collect(),
        Block::Note(note) => vec![note.text.words()],
        _ => Vec::new(),
    });
    texts.map(|text| text.replace('\u{a0}', " ")).collect()
}

fn tables<'p>(sections: &[&'p Section]) -> Vec<&'p Table> {
    let blocks = sections.iter().flat_map(|section| &section.blocks);
    let tables = blocks.filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    tables.collect()
}

/// The words of a text that are numbers, as they are printed, with the word behind each.
fn numbers(text: &str) -> Vec<(String, String)> {
    let text = text.replace('\u{a0}', " ");
    let trim =
        |word: &str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '%').to_owned();
    let words: Vec<String> = text.split_whitespace().map(trim).collect();
    let next = |index: usize| words.get(index + 1).cloned().unwrap_or_default();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| is_number(word))
        .map(|(index, word)| (word.clone(), next(index)))
        .collect()
}

fn value(number: &str) -> f64 {
    number.replace(',', "").parse().unwrap_or(f64::NAN)
}

/// The numbers of a text that are throughputs.
fn throughputs(text: &str) -> Vec<String> {
    let has_unit = |unit: &str| ["IO/s", "MiB/s"].contains(&unit);
    let all = numbers(text).into_iter();
    all.filter(|(_, unit)| has_unit(unit)).map(|(number, _)| number).collect()
}

/// Every throughput in running text is printed in a table, with the same digits; only the mean of a
/// plateau is no number of a point.
fn check_throughputs(page: &Page) -> Result<(), TestCaseError> {
    let sections = sections(page);
    let cells = tables(&sections).into_iter().flat_map(|table| table.rows.iter().flatten());
    let cells = cells.map(|cell| format!("{} {}", cell.text.words(), cell.detail));
    let printed: BTreeSet<String> =
        cells.flat_map(|cell| numbers(&cell)).map(|(number, _)| number).collect();
    for text in prose(&sections) {
        if text.contains("no longer rises") {
            continue;
        }
        for number in throughputs(&text) {
            prop_assert!(printed.contains(&number), "{number} is in no table: {text}");
        }
    }
    Ok(())
}

/// What is compared has a difference that matters, in the direction that is told.
fn check_findings(document: &RunDocument) -> Result<(), TestCaseError> {
    let rate = |series: &str, load: f64, unit: ThroughputUnit| {
        let mut points = document.points.iter();
        let point = points.find(|point| point.series == series && point.load.value == load);
        let point = point.expect("a point of the finding");
        match unit {
            ThroughputUnit::MibPerS => point.mib_s().expect("bytes"),
            _ => point.rate.mean,
        }
    };
    for finding in &document.analysis.findings {
        match finding {
            Finding::Contrast(found) => {
                prop_assert!(found.ratio >= 1.05 && found.interval[0] > 1.0, "{found:?}");
                prop_assert!(found.interval[0] <= found.ratio && found.ratio <= found.interval[1]);
            }
            Finding::Gain(step) | Finding::Collapse(step) => {
                let [from, to] = [step.from_load, step.to_load]
                    .map(|load| rate(&step.series, load, step.rate_unit));
                prop_assert_eq!((from, to), (step.from, step.to));
                let is_gain = matches!(finding, Finding::Gain(_));
                let percent = 100.0 * (to / from - 1.0);
                prop_assert!((percent - step.percent).abs() < 1e-6 && percent.abs() >= 5.0);
                prop_assert_eq!(is_gain, percent > 0.0);
                prop_assert_eq!(step.interval_percent[0] > 0.0, is_gain, "{:?}", step);
            }
            Finding::Saturation(found) => {
                let mut within = document.points.iter().filter(|point| {
                    point.series == found.series && point.load.value >= found.from_load
                });
                let is_near = |point: &PointResult| {
                    point.verdict == Verdict::Failed
                        || (point.rate.mean / found.rate - 1.0).abs() < 0.1
                };
                prop_assert!(within.all(is_near), "{found:?}");
            }
            Finding::Change(_) => prop_assert!(false, "a run is compared with nothing"),
        }
    }
    Ok(())
}

/// Highest and lowest are the highest and the lowest of what is known.
fn check_ranges(document: &RunDocument, page: &Page) -> Result<(), TestCaseError> {
    let all = sections(page);
    let conclusions: Vec<&Section> =
        all.iter().copied().filter(|section| section.id == "conclusions").collect();
    let conclusions_text = prose(&conclusions).join("\n");
    for text in prose(&conclusions) {
        let is_highest = text.contains("highest throughput known") || text.contains("is between");
        let numbers = throughputs(&text);
        let (true, Some(last)) = (is_highest, numbers.last()) else { continue };
        let is_volume = text.contains("MiB/s");
        let rule = document.analysis.summaries.iter().find(|summary| {
            let (_, limit) = summary.rule.split_once("<=").expect("a rule");
            text.contains(&format!("ithin {} ms", limit.trim_end_matches("ms")))
        });
        let rule = &rule.expect("a rule").rule;
        let is_disturbed = |summary: &Summary| {
            let mut doubts = summary.doubts.iter();
            doubts.any(|doubt| {
                (doubt.about, doubt.verdict) == (DoubtAbout::Sustained, Verdict::Disturbed)
            })
        };
        let of_rule = || document.analysis.summaries.iter().filter(|found| found.rule == *rule);
        // What rests on disturbed points is left out, and said to be.
        let is_left_out = conclusions_text.contains("nothing is concluded for");
        prop_assert!(is_left_out || !of_rule().any(is_disturbed), "{conclusions_text}");
        let known = of_rule().filter(|summary| !is_disturbed(summary));
        let sequential = |series: &str| {
            let mut points = document.points.iter();
            points.any(|point| point.series == series && point.is_sequential())
        };
        let reached = known
            .filter(|summary| sequential(&summary.series) == is_volume)
            .filter(|summary| summary.sustained.status != SustainedStatus::NoneMeets)
            .filter_map(|summary| match is_volume {
                true => summary.sustained.volume,
                false => summary.sustained.rate,
            });
        let highest = reached.map(|estimate| estimate.mean).fold(0.0, f64::max);
        let told = match text.contains("highest throughput known") {
            true => &numbers[0],
            false => last,
        };
        let error = (value(told) / highest - 1.0).abs();
        prop_assert!(error < 0.06, "{told} is not the highest, {highest}: {text}");
    }
    Ok(())
}

/// Shares of the best are at most all of it, and something has all.
fn check_shares(page: &Page) -> Result<(), TestCaseError> {
    let first: Vec<&Section> = page.sections.iter().take(1).collect();
    for table in tables(&first) {
        let bars: Vec<f64> = table.rows.iter().flatten().filter_map(|cell| cell.bar).collect();
        prop_assert!(bars.iter().all(|bar| (0.0..=1.0).contains(bar)), "{bars:?}");
        prop_assert!(bars.is_empty() || bars.contains(&1.0), "{bars:?}");
    }
    Ok(())
}

#[test]
fn no_report_claims_what_its_tables_do_not_have() {
    let config = Config { failure_persistence: None, ..Config::with_cases(CASES) };
    // Always the same runs: a claim that fails, fails for everyone.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let checked = TestRunner::new_with_rng(config, rng).run(&runs(), |document| {
        let page = page(&document, Language::English);
        check_throughputs(&page)?;
        check_findings(&document)?;
        check_ranges(&document, &page)?;
        check_shares(&page)
    });
    checked.expect("claims");
}

/// The check of the check: a number that is in no table is found.
#[test]
fn a_number_that_is_in_no_table_is_noticed() {
    let mut document = synthetic::standard();
    let mut page = page(&document, Language::English);
    assert!(check_throughputs(&page).is_ok());
    page.sections[0].blocks.push(Block::paragraph("The peak is 123,450\u{a0}IO/s."));
    assert!(check_throughputs(&page).is_err());
    let finding = document.analysis.findings.iter_mut().find_map(|finding| match finding {
        Finding::Contrast(found) => Some(found),
        _ => None,
    });
    finding.expect("a contrast").ratio = 1.03;
    assert!(check_findings(&document).is_err());
}
