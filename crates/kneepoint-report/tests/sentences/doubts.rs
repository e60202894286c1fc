//! Sentences on what is not certain, of runs that differ from those of the cases in one thing.

use kneepoint_core::result::ThroughputUnit;
use kneepoint_core::result::{
    Finding, PointHistograms, PointResult, RunDocument, SaturationStatus, Step, Verdict,
};
use kneepoint_core::words::load::LoadUnit;
use kneepoint_report::{Language, markdown, page};
use serde_json::json;

use super::cases::Case::{self, *};
use super::cases::{RULE, run_of};
use super::members::Work;
use super::synthetic::summarize;

/// The words of the page of a case whose run is changed before.
fn words(case: Case, language: Language, change: impl Fn(&mut RunDocument)) -> String {
    let mut run = run_of(case).expect("a run");
    change(&mut run);
    let words = markdown(&page(&run, language), "figures");
    words.replace(['\u{a0}', '\u{202f}'], " ").replace("**", "")
}

/// In both languages whether a page has a sentence.
#[track_caller]
fn check(
    case: Case,
    change: impl Fn(&mut RunDocument),
    [english, german]: [&str; 2],
    is_told: bool,
) {
    for (language, sentence) in [(Language::English, english), (Language::German, german)] {
        let words = words(case, language, &change);
        assert_eq!(words.contains(sentence), is_told, "{language:?}: {sentence}\n{words}");
    }
}

const WAITS: [&str; 2] = ["a few long waits make the mean", "auf wenige lange Wartezeiten zurück"];
const UNTESTED: [&str; 2] = ["and no interval tests it", "und mit keinem Intervall geprüft"];
const CERTAIN: [&str; 2] = ["Each finding holds with 95", "Jeder Befund gilt mit 95"];

#[test]
fn a_mean_of_few_waits_is_no_tested_finding() {
    let alone = |run: &mut RunDocument| run.analysis.findings.clear();
    check(FewWaits(1), alone, WAITS, true);
    check(FewWaits(1), alone, UNTESTED, true);
    check(FewWaits(1), alone, CERTAIN, false);
    check(FewWaits(1), |_| {}, UNTESTED, true);
    check(FewWaits(1), |_| {}, CERTAIN, true);
    let disturbed = |run: &mut RunDocument| {
        run.points.iter_mut().for_each(|point| point.verdict = Verdict::Disturbed);
    };
    check(FewWaits(1), disturbed, WAITS, false);
    check(FewWaits(1), disturbed, UNTESTED, false);
}

#[test]
fn a_rule_that_an_interval_reaches_is_perhaps_met() {
    let within = |share: f64| {
        move |run: &mut RunDocument| {
            for point in &mut run.points {
                point.latency_ms.ci95 = Some(share * point.latency_ms.mean);
            }
        }
    };
    let sentence = ["reaches the limit: it is not certain", "ist, ist nicht sicher"];
    let broken = Rule("mean<=100us");
    check(broken, within(1.0), sentence, true);
    check(broken, within(0.01), sentence, false);
    check(Rule("mean<=10s"), within(1.0), sentence, false);
}

#[test]
fn repetitions_of_the_only_load_do_not_differ_at_a_peak() {
    let at_one_load = |run: &mut RunDocument| {
        let load = run.points[0].load.value;
        run.points.retain(|point: &PointResult| point.load.value == load);
        summarize(run, &[RULE]);
    };
    let at_peak = ["At the peak, the 2", "An der Spitze unterscheiden sich die 2"];
    let alone = [" The 2 repetitions differ by", " Die 2 Wiederholungen unterscheiden sich um"];
    check(Repeated, at_one_load, alone, true);
    check(Repeated, at_one_load, at_peak, false);
    check(Repeated, |_| {}, at_peak, true);
    check(Repeated, |_| {}, alone, false);
    check(Processor(Work::Passes), at_one_load, alone, true);
    check(Processor(Work::Passes), |_| {}, alone, false);
}

#[test]
fn percentiles_of_repetitions_are_no_means() {
    let known = |run: &mut RunDocument| {
        for point in &mut run.points {
            let all = [("all".to_owned(), vec![(1_000.0, 90), (5_000.0, 10)])];
            point.histograms = Some(PointHistograms(all.into()));
        }
    };
    let together =
        ["those of all repetitions of a load together", "die aller Wiederholungen einer Last"];
    let longest = ["the longest among the repetitions", "die längsten unter den Wiederholungen"];
    check(Repeated, known, together, true);
    check(Repeated, known, longest, false);
    check(Repeated, |_| {}, longest, true);
    check(Repeated, |_| {}, together, false);
    check(Standard, known, together, false);
    // What a search visited once needs none: it is what it is.
    let known_of_repeated = |run: &mut RunDocument| {
        known(run);
        let loads: Vec<_> = run.points.iter().map(|point| point.load).collect();
        for point in &mut run.points {
            if loads.iter().filter(|load| **load == point.load).count() < 2 {
                point.histograms = None;
            }
        }
    };
    check(Searched(3), known_of_repeated, together, true);
    check(Searched(3), known_of_repeated, longest, false);
}

#[test]
fn a_peak_that_still_rises_is_told_as_a_bound() {
    let rising = |run: &mut RunDocument| {
        let names = run.analysis.summaries.iter().map(|summary| summary.series.clone());
        run.analysis.findings = names
            .map(|series| {
                Finding::Gain(Step {
                    series,
                    unit: LoadUnit::OutstandingIos,
                    from_load: 64.0,
                    to_load: 128.0,
                    rate_unit: ThroughputUnit::Iops,
                    from: 1_000.0,
                    to: 1_100.0,
                    percent: 10.0,
                    interval_percent: [8.0, 12.0],
                    ci95: [None; 2],
                })
            })
            .collect();
    };
    let bound = [" is at least 70 % above", " liegt mindestens 70 % über"];
    let end = [
        "Throughput still rises at the highest load.",
        "Der Durchsatz steigt bei der größten Last noch.",
    ];
    let reached = |run: &mut RunDocument| {
        run.analysis.findings.clear();
        for summary in &mut run.analysis.summaries {
            let knee = summary.saturation.as_mut();
            knee.into_iter().for_each(|knee| knee.status = SaturationStatus::Reached);
        }
    };
    check(Standard, rising, end, true);
    check(Standard, reached, end, false);
    check(Standard, rising, bound, true);
    check(Standard, reached, bound, false);
    // Key figures say the same of such a saturation knee.
    check(Standard, |run| run.analysis.findings.clear(), end, true);
}

#[test]
fn what_of_a_trace_is_not_replayed_is_told() {
    let left_out = [
        json!({"left_out": "unreplayed", "series": "a/4KiB", "what": "trims", "count": 12}),
        json!({"left_out": "unreplayed", "series": "a/4KiB", "what": "lost", "count": 12}),
        json!({"left_out": "disorder", "series": "a/4KiB", "count": 12}),
        json!({"left_out": "devices", "series": "a/4KiB", "devices": 2}),
    ];
    let sentences = [
        [
            "a/4KiB replays reads and writes; left out of the trace: trims (12)",
            "Trims (12); a/4KiB wiederholt Lese- und Schreibzugriffe der Aufzeichnung",
        ],
        [
            "left out of the trace: events that were lost as it was recorded (12)",
            "schon beim Aufzeichnen verlorene Ereignisse (12)",
        ],
        [
            "times of a/4KiB that run backwards in the trace (12)",
            "Zeiten von a/4KiB, die in der Aufzeichnung rückwärts laufen (12)",
        ],
        [
            "the 2 devices of the trace of a/4KiB are one behind the other on each target",
            "die Trennung der 2 Geräte, die a/4KiB aufgezeichnet hat",
        ],
    ];
    for (index, left) in left_out.iter().enumerate() {
        let omits = |run: &mut RunDocument| run.plan["omissions"] = json!([left]);
        for (other, sentence) in sentences.into_iter().enumerate() {
            check(Standard, omits, sentence, other == index);
        }
    }
}
