//! Random runs, whose reports may claim nothing that their tables and points do not have.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

#[allow(dead_code, unused_imports, reason = "some of it is for pages that are checked in")]
mod derived;

mod random;

use std::cell::Cell;
use std::collections::BTreeSet;

use derived::Sheet;
use kneepoint_core::analysis::effects;
use kneepoint_core::result::{
    DoubtAbout, Estimate, Finding, PeakGain, PointResult, ProcessorAnalysis, ProcessorScore,
    RunDocument, Significance, Summary, SustainedStatus, TargetLatency, TargetResult,
    ThroughputUnit, Verdict,
};
use kneepoint_core::spec::factor::{Combination, Design, Factors};
use kneepoint_core::spec::profile::FlagSet;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::rule::Rule;
use kneepoint_report::page::{Block, Page, Section, Table};
use kneepoint_report::{Language, page};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use random::{CASES, RULES, course, points};
use synthetic::{STANDARD, document};

/// What a run has beyond one measurement of each load on one target.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Variety {
    Plain,
    Targets,
    Repetitions,
    Rates,
    Factors,
    /// Work other than I/O.
    Users,
    Warehouses,
    Copies,
}

const VARIETIES: [Variety; 8] = [
    Variety::Plain,
    Variety::Targets,
    Variety::Repetitions,
    Variety::Rates,
    Variety::Factors,
    Variety::Users,
    Variety::Warehouses,
    Variety::Copies,
];

/// Runs of one to five series.
fn runs() -> impl Strategy<Value = (Variety, RunDocument)> {
    let series = (0..STANDARD.len()).map(course).collect::<Vec<_>>();
    let choices = (1..=STANDARD.len(), 0..RULES.len(), 0..VARIETIES.len());
    (series, choices).prop_map(|(series, (count, rules, variety))| {
        let points = series.iter().take(count).flat_map(points).collect();
        let variety = VARIETIES[variety];
        (variety, varied(variety, points, RULES[rules]))
    })
}

/// How much the second measurement of a repeated load, or the second level of a factor, does.
const SECOND: f64 = 1.3;

/// A point with another throughput.
fn scaled(point: &PointResult, times: f64) -> PointResult {
    let mut scaled = point.clone();
    scaled.rate.mean *= times;
    scaled.volume.as_mut().expect("storage").mean *= times;
    scaled
}

/// A point of other work: it moves no bytes that anyone counts.
fn of_work(mut point: PointResult, unit: LoadUnit) -> PointResult {
    (point.storage, point.volume, point.load.unit) = (None, None, unit);
    point.rate.unit = ThroughputUnit::under(unit);
    point
}

fn varied(variety: Variety, points: Vec<PointResult>, rule_texts: &[&str]) -> RunDocument {
    let part = |point: &PointResult, target: usize| TargetResult {
        target: format!("/data{target}/kneepoint.dat"),
        host: String::new(),
        rate: point.rate.mean / 3.0,
        volume: point.mib_s().map(|volume| volume / 3.0),
        latency_ms: TargetLatency { mean: point.latency_ms.mean, min: 0.2, max: 90.0 },
        errors: 0,
    };
    let at = |point: PointResult, level: &str| {
        let factors = [("write_cache".to_owned(), level.to_owned())].into_iter().collect();
        PointResult { factors, ..point }
    };
    let of = |mut point: PointResult| match variety {
        Variety::Plain => vec![point],
        Variety::Targets => {
            point.targets = (0..3).map(|target| part(&point, target)).collect();
            vec![point]
        }
        Variety::Repetitions => {
            let again = PointResult { repetition: 1, ..scaled(&point, SECOND) };
            vec![point, again]
        }
        Variety::Rates => {
            point.load.unit = LoadUnit::OfferedIops;
            vec![point]
        }
        Variety::Factors => {
            let other = at(scaled(&point, SECOND), "on");
            vec![at(point, "off"), other]
        }
        Variety::Users => vec![of_work(point, LoadUnit::Users)],
        Variety::Warehouses => vec![of_work(point, LoadUnit::Warehouses)],
        Variety::Copies => vec![of_work(point, LoadUnit::Copies)],
    };
    let mut run = document(points.into_iter().flat_map(of).collect(), rule_texts);
    if variety == Variety::Factors {
        let mut factors = Factors { design: Design::Full, ..Factors::default() };
        factors.add("write_cache=off,on".parse().expect("a factor")).expect("the only one");
        let rules: Vec<Rule> =
            rule_texts.iter().map(|rule| rule.parse().expect("a rule")).collect();
        run.analysis.effects = effects(&run.points, &factors, &rules);
        run.plan = synthetic::plan_varying(&factors, rule_texts);
    }
    if variety == Variety::Copies {
        run.analysis.processor = Some(processor(&run.points));
    }
    run
}

/// Scores with one copy and with four, from numbers of the points: peak flags are between 20 % slower and 40 %
/// faster.
fn processor(points: &[PointResult]) -> ProcessorAnalysis {
    let of = |number: usize| points.get(number % points.len()).map_or(1.0, |point| point.rate.mean);
    let mut analysis = ProcessorAnalysis::default();
    for (copies, times) in [(1, 1.0), (4, 1.0 + of(1) % 3.0)] {
        let percent = of(2 + copies as usize) % 60.0 - 20.0;
        let ratio = 0.5 + times * (0.5 + of(0) % 2.0);
        let score = |flags, ratio| ProcessorScore {
            factors: Combination::new(),
            class: None,
            flags: Some(flags),
            reference: None,
            copies,
            members: 16,
            ratio: Estimate { mean: ratio, ci95: Some(0.02 * ratio) },
            is_short: false,
        };
        let peak = ratio * (1.0 + percent / 100.0);
        analysis.scores.extend([score(FlagSet::Base, ratio), score(FlagSet::Peak, peak)]);
        analysis.gains.push(PeakGain {
            factors: Combination::new(),
            class: None,
            copies,
            percent: Estimate { mean: percent, ci95: Some(3.0) },
        });
    }
    analysis
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
    let text = text.replace('\u{a0}', " ").replace('\u{202f}', "");
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
/// plateau is no number of a point. What was repeated may have fewer digits there: how repetitions
/// differ counts for what is concluded, not for the table of the means.
fn check_throughputs(page: &Page, variety: Variety) -> Result<(), TestCaseError> {
    let sections = sections(page);
    let cells = tables(&sections).into_iter().flat_map(|table| table.rows.iter().flatten());
    let cells = cells.map(|cell| format!("{} {}", cell.text.words(), cell.detail));
    let plain = |number: String| match page.language {
        Language::English => number.replace(',', ""),
        Language::German => number.replace(',', "."),
    };
    let printed: BTreeSet<String> =
        cells.flat_map(|cell| numbers(&cell)).map(|(number, _)| plain(number)).collect();
    let is_rounded = |number: &str| {
        let rounds = |other: &String| (value(other) - value(number)).abs() <= unit(number) / 2.0;
        variety == Variety::Repetitions && printed.iter().any(rounds)
    };
    for text in prose(&sections) {
        if text.contains("no longer rises") || text.contains("nicht weiter") {
            continue;
        }
        for number in throughputs(&text).into_iter().map(plain) {
            let is_there = printed.contains(&number) || is_rounded(&number);
            prop_assert!(is_there, "{number} is in no table: {text}");
        }
    }
    Ok(())
}

/// The value of the last digit of a number that is not a zero.
fn unit(number: &str) -> f64 {
    match number.split_once('.') {
        Some((_, fraction)) => (0..fraction.len()).fold(1.0, |unit, _| unit / 10.0),
        None => {
            let zeros = number.len() - number.trim_end_matches('0').len();
            (0..zeros).fold(1.0, |unit, _| unit * 10.0)
        }
    }
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

/// Both languages tell the same throughputs.
fn check_languages(english: &Page, german: &Page) -> Result<(), TestCaseError> {
    let told = |page: &Page, decimal: fn(&str) -> String| {
        let texts = prose(&sections(page));
        let mut all: Vec<String> = texts.iter().flat_map(|text| throughputs(text)).collect();
        all.iter_mut().for_each(|number| *number = decimal(number));
        all.sort();
        all
    };
    let [english, german] = [
        told(english, |number| number.replace(',', "")),
        told(german, |number| number.replace(',', ".")),
    ];
    prop_assert_eq!(english, german);
    Ok(())
}

/// Percentages and multiples follow from the tables, and are the same in both languages.
fn check_claims(english: &Page, german: &Page) -> Result<usize, TestCaseError> {
    let [english, german] = [english, german].map(Sheet::of_page);
    let claims = derived::claims(&english);
    prop_assert!(claims.wrong.is_empty(), "{:#?} {:#?}", claims.wrong, english.grids);
    let (_, cells) = derived::wrong_cells(&english);
    prop_assert!(cells.is_empty(), "{cells:#?}");
    let (_, times) = derived::told_times(&english);
    prop_assert!(times.is_empty(), "{times:#?} {:#?}", english.grids);
    prop_assert_eq!(derived::differences(&english, &german), Vec::<String>::new());
    Ok(claims.count)
}

/// The effect of a level is told as its numbers have it, and not at all if something disturbed it.
fn check_effects(document: &RunDocument, page: &Page) -> Result<(), TestCaseError> {
    let first: Vec<&Section> = page.sections.iter().take(1).collect();
    let told = prose(&first).join("\n");
    let is_disturbed = |series: &str| {
        let mut of_series = document.points.iter().filter(|point| point.series == series);
        of_series.any(|point| point.verdict == Verdict::Disturbed)
    };
    let factors = document.analysis.effects.iter().flat_map(|effect| {
        effect
            .factors
            .iter()
            .flat_map(move |factor| &factor.levels)
            .map(move |level| (effect, level))
    });
    for (effect, level) in factors {
        let percent = 100.0 * (level.after / level.before - 1.0);
        prop_assert!((percent - level.change_percent).abs() < 1e-6 * percent.abs().max(1.0));
        let is_claimed = level.significance == Significance::Significant;
        prop_assert!(!is_claimed || level.ci95_percent.is_some(), "{level:?}");
        if level.significance == Significance::Disturbed {
            prop_assert!(is_disturbed(&effect.series), "{effect:?}");
        }
    }
    let cannot = told.contains("it cannot be told, because something else disturbed");
    let has_disturbed = document.points.iter().any(|point| point.verdict == Verdict::Disturbed);
    prop_assert!(!cannot || has_disturbed, "{told}");
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
    let claimed = Cell::new(0);
    let checked = TestRunner::new_with_rng(config, rng).run(&runs(), |(variety, document)| {
        let [english, german] =
            [Language::English, Language::German].map(|language| page(&document, language));
        check_throughputs(&english, variety)?;
        check_throughputs(&german, variety)?;
        // Findings name series and loads, which several points share in the others.
        if [Variety::Plain, Variety::Targets, Variety::Rates].contains(&variety) {
            check_findings(&document)?;
        }
        // A rate that is offered has its unit elsewhere in German.
        if variety != Variety::Rates {
            check_languages(&english, &german)?;
        }
        claimed.set(claimed.get() + check_claims(&english, &german)?);
        check_effects(&document, &english)?;
        check_ranges(&document, &english)?;
        check_shares(&english)
    });
    checked.expect("claims");
    assert!(claimed.get() > 500, "{} percentages and multiples", claimed.get());
}

/// Of the processor suite, what peak flags do and what several copies do is worked out again from the table of
/// scores; where a score is another one, the sentences are wrong.
#[test]
fn sentences_on_member_programs_follow_from_their_scores() {
    let points: Vec<PointResult> = [1, 4]
        .map(|copies| of_work(synthetic::point(&STANDARD[0], copies), LoadUnit::Copies))
        .into();
    let mut run = document(points, RULES[0]);
    let mut analysis = processor(&run.points);
    run.analysis.processor = Some(analysis.clone());
    let told = |run: &RunDocument| derived::claims(&Sheet::of_page(&page(run, Language::English)));
    let claims = told(&run);
    assert!(claims.wrong.is_empty() && claims.count >= 2, "{claims:#?}");
    for score in analysis.scores.iter_mut().filter(|score| score.flags == Some(FlagSet::Peak)) {
        score.ratio.mean *= 1.5;
    }
    run.analysis.processor = Some(analysis);
    assert!(!told(&run).wrong.is_empty());
}

/// The check of the check: a number that is in no table is found.
#[test]
fn a_number_that_is_in_no_table_is_noticed() {
    let mut document = synthetic::standard();
    let mut page = page(&document, Language::English);
    assert!(check_throughputs(&page, Variety::Plain).is_ok());
    page.sections[0].blocks.push(Block::paragraph("The peak is 123,450\u{a0}IO/s."));
    assert!(check_throughputs(&page, Variety::Plain).is_err());
    let finding = document.analysis.findings.iter_mut().find_map(|finding| match finding {
        Finding::Contrast(found) => Some(found),
        _ => None,
    });
    finding.expect("a contrast").ratio = 1.03;
    assert!(check_findings(&document).is_err());
}

/// The check of the check: a percentage that follows from no table, and one of an unknown kind.
#[test]
fn a_percentage_that_follows_from_no_table_is_noticed() {
    let [english, german] = [Language::English, Language::German]
        .map(|language| page(&synthetic::standard(), language));
    let count = check_claims(&english, &german).expect("they follow");
    assert!(count > 3, "{count}");
    for false_claim in [
        "database/8KiB: throughput falls from 1,234\u{a0}IO/s at 8 to 987\u{a0}IO/s (\u{2212}12\u{a0}%) at 16.",
        "Something is 12\u{a0}% of it.",
    ] {
        let pages = [&english, &german].map(|page| {
            let mut page = page.clone();
            page.sections[0].blocks.push(Block::paragraph(false_claim));
            page
        });
        let [english, german] = &pages;
        assert!(check_claims(english, german).is_err(), "{false_claim}");
    }
    let mut changed = german.clone();
    changed.sections[0].blocks.push(Block::paragraph("Das sind 12\u{a0}%."));
    assert!(check_claims(&english, &changed).is_err(), "in German alone");
}
