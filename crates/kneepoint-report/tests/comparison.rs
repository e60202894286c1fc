//! The first page of a comparison: what it says, and what it must not say.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

use kneepoint_core::analysis::comparison::{CompareOptions, compare};
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    ModelFit, ModelOrigin, PointResult, RunDocument, Significance, Verdict, Warning,
};
use kneepoint_report::page::{Block, Detail, Fold, Page, Section, Table};
use kneepoint_report::{Language, comparison_page, html};
use synthetic::{DOUBLING, STANDARD, Shape, document, point};

/// A run of the standard profiles on a system that is `times` as fast.
fn run(label: &str, times: f64) -> RunDocument {
    run_of(label, times, |_| true)
}

/// The same of some of the points.
fn run_of(label: &str, times: f64, keep: impl Fn(&PointResult) -> bool) -> RunDocument {
    let faster = |shape: &Shape| Shape { service_ms: shape.service_ms / times, ..*shape };
    let shapes = STANDARD.iter().map(faster);
    let points = shapes.flat_map(|shape| DOUBLING.map(|load| point(&shape, load)));
    let points = points.filter(keep).collect();
    let mut run = document(points, &["mean<=15ms"]);
    label.clone_into(&mut run.run.label);
    label.clone_into(&mut run.run.id);
    run
}

fn simulated(mut run: RunDocument, error: Option<f64>) -> RunDocument {
    run.environment.targets[0].kind = TargetKind::Sim;
    let fit = error.map(|error| ModelFit { cells: 9, mean_error_percent: Some(error) });
    run.environment.targets[0].model = Some(ModelOrigin {
        system: run.run.label.clone(),
        source: String::new(),
        title: format!("Array {}", run.run.label),
        drive: "18.2 GB, FC".to_owned(),
        drive_mib_s: None,
        parts: None,
        fit,
    });
    if error.is_none() {
        let never = Warning::Uncalibrated { system: run.run.label.clone() };
        run.points.iter_mut().for_each(|point| point.warnings.push(never.clone()));
    }
    run
}

fn page_of(runs: &[RunDocument]) -> Page {
    let runs: Vec<&RunDocument> = runs.iter().collect();
    let comparison = compare(&runs, &CompareOptions::default()).expect("a comparison");
    comparison_page(&runs, &comparison, Language::English)
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

fn badge(runs: &[RunDocument]) -> String {
    let badge = page_of(runs).badge.expect("a badge");
    plain(&format!("{}: {}", badge.title, badge.text.words()))
}

fn findings(section: &Section) -> String {
    let items = section.blocks.iter().find_map(|block| match block {
        Block::List(items) => Some(items.iter().map(|item| item.words()).collect::<Vec<_>>()),
        _ => None,
    });
    plain(&items.expect("findings").join("\n"))
}

fn table(section: &Section) -> &Table {
    let table = section.blocks.iter().find_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    table.expect("a table")
}

#[test]
fn the_badge_speaks_of_all_runs() {
    let measured = || [run("old", 1.0), run("new", 1.3)];
    assert!(badge(&measured()).starts_with("Measured: "));
    let [old, new] = measured();
    let both = badge(&[simulated(old, Some(1.2)), simulated(new, Some(3.0))]);
    assert!(both.starts_with("Simulated: All numbers come from models"), "{both}");
    assert!(both.contains("a mean error of 1.2 % to 3.0 % on them"), "{both}");
    let [old, new] = measured();
    let never = badge(&[simulated(old, None), simulated(new, Some(3.0))]);
    assert!(never.ends_with("Never fitted to measurements: old."), "{never}");
    assert!(!never.contains("3.0 %"), "{never}");
    let [old, new] = measured();
    let partly = badge(&[old, simulated(new, Some(3.0))]);
    assert!(partly.starts_with("Partly simulated: The numbers of new come from"), "{partly}");
}

#[test]
fn what_would_have_been_significant_is_said_where_it_tells_something() {
    let runs = [run("old", 1.0), run("new", 1.0)];
    let runs: Vec<&RunDocument> = runs.iter().collect();
    let cell = |detectable_percent: Option<f64>, percent: f64| {
        let mut comparison = compare(&runs, &CompareOptions::default()).expect("a comparison");
        for figure in &mut comparison.series[0].figures {
            for difference in figure.differences.iter_mut().flatten() {
                difference.significance = Significance::NotSignificant;
                difference.detectable_percent = detectable_percent;
                difference.percent = percent;
            }
        }
        let page = comparison_page(&runs, &comparison, Language::English);
        plain(&kneepoint_report::markdown(&page, "figures"))
    };
    assert!(cell(Some(3.6), 1.0).contains("no; a change of +3.6 % would be"));
    assert!(!cell(Some(3.6), 1.0).contains("more than 100 %"));
    assert!(cell(Some(154_021.0), 1.0).contains("no; only a change of more than 100 % would be"));
    assert!(!cell(Some(154_021.0), 1.0).contains("154,021"));
    assert!(!cell(None, 1.0).contains("from n/a"));
    // A fall to a half is as large as a rise to twice as much.
    assert!(cell(Some(100.0), -30.0).contains("no; a change of −50 % would be"));
    assert!(!cell(Some(100.0), -30.0).contains("100 % would be"));
}

#[test]
fn a_mean_says_what_it_leaves_out() {
    // No load of one series meets the rule: of its change only a bound is known.
    let slow =
        run_of("new", 0.9, |point| point.profile != "database" || point.latency_ms.mean > 15.0);
    let found = findings(&page_of(&[run("old", 1.0), slow]).sections[0]);
    let sentence = "It leaves out 1 series, of which only a bound is known.";
    assert!(found.contains(sentence), "{found}");
}

#[test]
fn the_first_page_tells_the_whole_and_the_ends() {
    let page = page_of(&[run("old", 1.0), run("new", 1.3)]);
    let first = &page.sections[0];
    assert_eq!(first.id, "summary");
    let found = findings(first);
    let lines: Vec<&str> = found.lines().collect();
    assert!((3..=5).contains(&lines.len()), "{found}");
    assert!(lines[0].starts_with("new sustains ") && lines[0].contains("more than old"), "{found}");
    assert!(lines[0].contains("That is the geometric mean of "), "{found}");
    assert!(lines[0].contains(" that can be compared: "), "{found}");
    assert!(lines[1].starts_with("Largest gain: ") && lines[2].starts_with("Smallest gain: "));
    assert!(
        lines[3].starts_with("Response time: ") && lines[3].contains("shorter than"),
        "{found}"
    );
    assert!(!found.contains("loss") && !found.contains("leaves out"), "{found}");
    let figures = first.blocks.iter().filter(|block| matches!(block, Block::Figures(_)));
    assert_eq!(figures.count(), 1);
}

#[test]
fn where_nothing_differs_nothing_is_found() {
    let page = page_of(&[run("old", 1.0), run("again", 1.0)]);
    let found = findings(&page.sections[0]);
    assert!(
        found.starts_with("again and old do not differ by 5 % or more on the whole"),
        "{found}"
    );
    for word in ["Largest", "Smallest", "Response time", "sustains"] {
        assert!(!found.contains(word), "{found}");
    }
    let slower = page_of(&[run("old", 1.0), run("new", 0.7)]);
    let found = findings(&slower.sections[0]);
    assert!(found.contains("Largest loss: ") && !found.contains("gain"), "{found}");
    assert!(found.contains("longer than"), "{found}");
}

#[test]
fn a_row_has_one_unit_and_shares_of_its_best() {
    let page = page_of(&[run("old", 1.0), run("new", 1.3)]);
    let table = table(&page.sections[0]);
    let name = |row: usize| table.rows[row][0].text.words();
    assert_eq!(name(0), "database/8KiB, IO/s");
    assert_eq!(name(3), "streaming/64KiB, MiB/s");
    for row in &table.rows {
        assert_eq!(row[2].bar, Some(1.0));
        assert!(row[1].bar.is_some_and(|share| share < 1.0));
        assert!(row[1..3].iter().all(|cell| !cell.text.words().contains("/s")));
    }
}

#[test]
fn what_the_runs_share_is_said_once() {
    let page = page_of(&[simulated(run("old", 1.0), None), simulated(run("new", 1.3), None)]);
    let facts: Vec<String> =
        page.facts.iter().map(|fact| format!("{}: {}", fact.name, fact.value.words())).collect();
    assert!(facts[0].starts_with("Reference: old: Array old"), "{facts:?}");
    assert!(facts[1].starts_with("Run: new: Array new"), "{facts:?}");
    assert_eq!(facts.iter().filter(|fact| fact.contains("storagebench")).count(), 1, "{facts:?}");
}

#[test]
fn details_are_folded_and_a_summary_has_none() {
    let page = page_of(&[run("old", 1.0), run("new", 1.3)]);
    let folded = page.sections.iter().filter(|section| section.fold == Fold::Folded);
    let folded: Vec<&str> = folded.map(|section| section.id.as_str()).collect();
    assert_eq!(folded, ["comparison", "method", "loads"]);
    let short = page.clone().at(Detail::Summary);
    assert_eq!(short.sections.len(), 1);
    assert_eq!(short.sections[0].id, "summary");
    let full = page.at(Detail::Full);
    assert!(full.sections.iter().all(|section| section.fold == Fold::Open));
}

/// The same with some of its points disturbed.
fn disturbed(mut run: RunDocument, is_disturbed: impl Fn(&PointResult) -> bool) -> RunDocument {
    for point in run.points.iter_mut().filter(|point| is_disturbed(point)) {
        point.verdict = Verdict::Disturbed;
    }
    synthetic::summarize(&mut run, &["mean<=15ms"]);
    run
}

#[test]
fn of_disturbed_runs_nothing_is_told() {
    let runs = [run("old", 1.0), disturbed(run("new", 0.5), |_| true)];
    let page = page_of(&runs);
    let found = findings(&page.sections[0]);
    assert!(
        found.starts_with(
            "Whether new differs from old cannot be told: every number compared rests on points that \
             something else disturbed. What was measured all the same: −"
        ),
        "{found}"
    );
    assert_eq!(found.lines().count(), 1, "{found}");
    let markdown = plain(&kneepoint_report::markdown(&page, "figures"));
    assert!(markdown.contains("Whether the runs differ cannot be told: "), "{markdown}");
    for claim in ["No significant difference", "do not differ", "less than old", "sustains"] {
        assert!(!markdown.to_lowercase().contains(&claim.to_lowercase()), "{claim}");
    }
    let german: Vec<&RunDocument> = runs.iter().collect();
    let comparison = compare(&german, &CompareOptions::default()).expect("a comparison");
    let german = comparison_page(&german, &comparison, Language::German);
    let german = findings(&german.sections[0]);
    let start = "Ob sich new von old unterscheidet, lässt sich nicht sagen: ";
    assert!(german.starts_with(start), "{german}");
}

#[test]
fn what_was_disturbed_is_counted_where_nothing_was_found() {
    let chapter = |runs: [RunDocument; 2]| {
        let page = page_of(&runs);
        let markdown = plain(&kneepoint_report::markdown(&page, "figures"));
        assert!(!markdown.contains("cannot be told: every number"), "{markdown}");
        markdown
    };
    let is_database = |point: &PointResult| point.profile == "database";
    let some = chapter([run("old", 1.0), disturbed(run("again", 1.0), is_database)]);
    let sentence = "Of 1 of 5 series it cannot be told: something else disturbed their points.";
    assert!(some.contains("No significant difference was found.") && some.contains(sentence));
    let none = chapter([run("old", 1.0), run("again", 1.0)]);
    assert!(none.contains("No significant difference was found."));
    assert!(!none.contains("it cannot be told"), "{none}");
}

/// A page of three runs, of which `bounded` breaks the rule at every load.
fn with_bounds_alone(language: Language) -> Page {
    let breaks = |point: &PointResult| point.latency_ms.mean > 15.0;
    let runs = [run("old", 1.0), run("new", 1.3), run_of("bounded", 0.9, breaks)];
    let runs: Vec<&RunDocument> = runs.iter().collect();
    let comparison = compare(&runs, &CompareOptions::default()).expect("a comparison");
    comparison_page(&runs, &comparison, language)
}

#[test]
fn of_a_run_of_bounds_the_whole_is_not_known() {
    let found = findings(&with_bounds_alone(Language::English).sections[0]);
    let sentence = "How bounded differs from old on the whole is not known: the change of at most one \
                    series is known as more than a bound.";
    assert!(found.contains(sentence), "{found}");
    assert!(!found.contains("How new differs"), "{found}");
    let german = findings(&with_bounds_alone(Language::German).sections[0]);
    assert!(german.contains("Wie sich bounded im Ganzen von old unterscheidet, ist nicht"));
}

#[test]
fn runs_do_not_differ_in_something() {
    let alike = || [run("old", 1.0), run("again", 1.0)];
    let sentence =
        |what: &str| format!("again and old do not differ by 5 % or more on the whole in {what}: ");
    let found = findings(&page_of(&alike()).sections[0]);
    assert!(found.starts_with(&sentence("throughput within 15 ms")), "{found}");
    let mut without_rule = alike();
    without_rule.iter_mut().for_each(|run| synthetic::summarize(run, &[]));
    let found = findings(&page_of(&without_rule).sections[0]);
    assert!(found.starts_with(&sentence("peak throughput")), "{found}");
}

#[test]
fn what_is_called_the_largest_is_larger_than_all_in_the_tables() {
    // The stricter rule, which comes second, tells the two further apart.
    let rules = ["mean<=15ms", "mean<=7ms"];
    let runs = [1.0, 1.3].map(|times| {
        let mut run = run(if times > 1.0 { "new" } else { "old" }, times);
        synthetic::summarize(&mut run, &rules);
        run
    });
    let documents: Vec<&RunDocument> = runs.iter().collect();
    let comparison = compare(&documents, &CompareOptions::default()).expect("a comparison");
    let throughput = comparison.series.iter().flat_map(|series| &series.figures);
    let throughput = throughput.filter(|figure| figure.rule.is_some());
    let changes = throughput.filter_map(|figure| Some((figure, figure.differences[1].as_ref()?)));
    let is_told = |significance| significance == Significance::Significant;
    let changes = changes.filter(|(_, change)| is_told(change.significance));
    let (largest, _) =
        changes.max_by(|a, b| a.1.percent.total_cmp(&b.1.percent)).expect("a change");
    assert_eq!(largest.rule.as_deref(), Some("mean<=7ms"));
    let found = findings(&page_of(&runs).sections[0]);
    let line = found.lines().find(|line| line.starts_with("Largest gain: ")).expect("a gain");
    assert!(line.contains("within 7 ms"), "{found}");
}

#[test]
fn points_of_curves_are_those_of_the_tables() {
    // A load that was measured twice: 100 and 300 IO/s, once far longer than the other time.
    let mut run = run("old", 1.0);
    let again: Vec<PointResult> = run
        .points
        .iter()
        .map(|point| {
            let mut again = PointResult { repetition: 1, ..point.clone() };
            again.rate.mean *= 3.0;
            again.latency_ms.mean *= 3.0;
            again
        })
        .collect();
    run.points.extend(again);
    synthetic::summarize(&mut run, &["mean<=15ms"]);
    let series = run.points[0].series.clone();
    let own: Vec<&PointResult> = run.points.iter().filter(|point| point.series == series).collect();
    let merged = kneepoint_core::analysis::merged_points(&own);
    let page = page_of(&[run.clone(), run.clone()]);
    let charts = page.sections.iter().flat_map(|section| &section.sections);
    let charts = charts.filter(|section| section.title == series);
    let text = kneepoint_report::html(&page);
    assert_eq!(charts.count(), 2, "its table and its loads");
    for point in merged {
        let [rate, time] = [
            Language::English.iops(point.rate.mean),
            Language::English.response_time(point.latency_ms.mean),
        ];
        assert!(text.contains(&format!("{rate}, {time}")), "{rate}, {time}");
    }
    let single = Language::English.iops(own[0].rate.mean);
    assert!(!text.contains(&format!("{single}, ")), "{single} is one of two measurements");
}

#[test]
fn the_ids_of_up_to_three_runs_are_at_the_head() {
    for count in 2..6 {
        let runs: Vec<RunDocument> = (0..count)
            .map(|number| {
                let mut run = run(&format!("run {number}"), 1.0);
                run.run.id = format!("id-{number}");
                run
            })
            .collect();
        let page = page_of(&runs);
        for number in 0..count {
            let id = format!("(id-{number})");
            let is_named = page.facts.iter().any(|fact| fact.value.words().ends_with(&id));
            // Those of more would take the first page more than a screen.
            assert_eq!(is_named, count <= 3, "{id} of {count}");
        }
        // They stand at the end, and figures count them.
        let end = page.sections.iter().find(|section| section.id == "method").expect("a method");
        let Some(Block::Paragraph(last)) = end.blocks.last() else { panic!("no paragraph") };
        let all: Vec<String> =
            (0..count).map(|number| format!("run {number} (id-{number})")).collect();
        assert_eq!(last.words() == format!("The runs: {}.", all.join(", ")), count > 3);
        let text = html(&page);
        let counted = format!("{count} Kneepoint runs from id-0 on");
        assert_eq!(text.contains(&counted), count > 2, "{counted}");
        assert_eq!(text.contains(">id-0, id-1</text>"), count == 2);
    }
}

#[test]
fn warnings_of_compared_runs_are_counted_on_the_first_page() {
    let said = |change: fn(&mut RunDocument)| {
        let mut runs = [run("before", 1.0), run("after", 1.0)];
        runs.iter_mut().for_each(|run| run.warnings.clear());
        for point in runs.iter_mut().flat_map(|run| &mut run.points) {
            point.warnings.clear();
        }
        change(&mut runs[1]);
        html(&page_of(&runs))
    };
    let warn = |run: &mut RunDocument| {
        let frequency = Warning::FrequencyScaling { governor: "powersave".to_owned() };
        // Of several points with the same warning it is one.
        run.points.iter_mut().take(2).for_each(|point| point.warnings.push(frequency.clone()));
    };
    assert!(said(warn).contains("and there is 1 warning: see the runs"), "{}", said(warn));
    assert!(!said(|_| {}).contains("see the runs' own reports"));
    assert!(!said(|_| {}).contains("see the runs&#39; own reports"));
}
