//! Every kind of sentence that claims something: a page that has it, and one that must not, in both
//! languages. A sentence without these two fails [`every_sentence_has_both_cases`]; a kind of finding
//! without a sentence does not compile.

#[allow(dead_code, reason = "some of the runs are for other tests")]
mod synthetic;

use Case::*;
use kneepoint_core::analysis::comparison::{CompareOptions, compare};
use kneepoint_core::analysis::findings::of_points;
use kneepoint_core::load::backend::Direction;
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    Between, Finding, HalfWidths, ModelFit, ModelOrigin, Order, Place, Plateau, PointResult,
    RunDocument, RunState, SustainedStatus, ThroughputUnit, Verdict, Warning,
};
use kneepoint_core::words::load::LoadUnit;
use kneepoint_report::{Language, comparison_page, markdown, page};
use synthetic::{DOUBLING, STANDARD, Shape, document, empty, large, point, standard, summarize};

/// A page.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    // Reports on one run.
    Standard,
    SingleLoad,
    Nothing(RunState),
    Ended(RunState),
    Disturbed,
    PartlyDisturbed,
    Drifting,
    Collapsing,
    Rising,
    Plateaus(usize),
    Rule(&'static str),
    NoRule,
    ManySeries,
    Repeated,
    Simulated(Fit),
    Null,
    Users,
    Implausible,
    OrderOf(f64),
    DirectionOf(f64),
    BlockSizes,
    // Comparisons: how fast the other run is in percent of the reference, and how well points are
    // known in percent.
    Pair(u32, u32),
    Disturb(usize),
    SimulatedPair(Fit),
    HalfSimulated,
    Bounded,
    Unpaired,
    OtherSetting,
    PairWithoutRule,
    LargePair,
}

/// How far a model is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fit {
    Never,
    Partly,
    Known,
    Somehow,
}

const RULE: &str = "mean<=15ms";

fn points() -> Vec<PointResult> {
    STANDARD.iter().flat_map(|shape| DOUBLING.map(|load| point(shape, load))).collect()
}

/// The standard run after a change of its points.
fn changed(mut change: impl FnMut(usize, &mut PointResult)) -> RunDocument {
    let mut points = points();
    points.iter_mut().enumerate().for_each(|(index, point)| change(index, point));
    document(points, &[RULE])
}

fn scale(point: &mut PointResult, times: f64) {
    point.rate.mean *= times;
    point.volume.as_mut().expect("storage").mean *= times;
    point.latency_ms.mean /= times;
}

/// Two series of these shapes, the second with this many times the throughput of its shape.
fn two(one: Shape, other: Shape, times: f64) -> RunDocument {
    let points = DOUBLING.iter().flat_map(|load| {
        let mut second = point(&other, *load);
        scale(&mut second, times);
        [point(&one, *load), second]
    });
    document(points.collect(), &[RULE])
}

fn plateaus(count: usize) -> RunDocument {
    let mut run = standard();
    let plateau = |index: usize| {
        Finding::Saturation(Plateau {
            series: run.points[7 * index].series.clone(),
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
    run.analysis.findings = (0..count).map(plateau).collect();
    run
}

fn simulated(mut run: RunDocument, fit: Fit) -> RunDocument {
    let error = (fit != Fit::Somehow).then_some(1.6);
    let target = &mut run.environment.targets[0];
    target.kind = TargetKind::Sim;
    target.model = Some(ModelOrigin {
        system: "array".to_owned(),
        source: String::new(),
        title: "An array".to_owned(),
        drive: "18.2 GB, FC".to_owned(),
        drive_mib_s: None,
        parts: None,
        fit: (fit != Fit::Never).then_some(ModelFit { cells: 29, mean_error_percent: error }),
    });
    let never = Warning::Uncalibrated { system: "array".to_owned() };
    let all = run.points.len();
    let uncalibrated = match fit {
        Fit::Never => all,
        Fit::Partly => 1,
        Fit::Known | Fit::Somehow => 0,
    };
    run.points.iter_mut().take(uncalibrated).for_each(|point| point.warnings.push(never.clone()));
    run
}

/// A run of a server, whose operations are no I/Os.
fn users() -> RunDocument {
    let mut run = changed(|index, point| {
        (point.storage, point.volume) = (None, None);
        point.verdict = if index == 0 { Verdict::Failed } else { Verdict::Steady };
    });
    run.environment.targets[0].kind = TargetKind::Sim;
    run
}

fn run_of(case: Case) -> Option<RunDocument> {
    let random =
        Shape { read_percent: 100.0, random_percent: 100.0, profile: "reads", ..STANDARD[3] };
    Some(match case {
        Standard => standard(),
        SingleLoad => document(STANDARD.iter().map(|shape| point(shape, 8)).collect(), &[RULE]),
        Nothing(state) | Ended(state) => {
            let mut run = if case == Nothing(state) { empty() } else { standard() };
            run.run.state = state;
            run
        }
        Disturbed => changed(|_, point| point.verdict = Verdict::Disturbed),
        PartlyDisturbed => changed(|index, point| {
            point.verdict = if index < 7 { Verdict::Disturbed } else { Verdict::Steady };
        }),
        Drifting => changed(|_, point| point.verdict = Verdict::Drifting),
        Collapsing => changed(|index, point| scale(point, if index % 7 == 6 { 0.5 } else { 1.0 })),
        Rising => {
            document(DOUBLING[..5].iter().map(|load| point(&STANDARD[0], *load)).collect(), &[RULE])
        }
        Plateaus(count) => plateaus(count),
        Rule(rule) => document(points(), &[rule]),
        NoRule => document(points(), &[]),
        ManySeries => large(),
        Repeated => {
            let twice = points().into_iter().flat_map(|point| {
                [0, 1].map(|repetition| PointResult { repetition, ..point.clone() })
            });
            document(twice.collect(), &[RULE])
        }
        Simulated(fit) => simulated(standard(), fit),
        Null => {
            let mut run = standard();
            run.environment.targets[0].kind = TargetKind::Null;
            run
        }
        Users => users(),
        Implausible => {
            let mut run = standard();
            let [reads, writes] = ["streaming/64KiB", "restore/64KiB"].map(str::to_owned);
            run.analysis.implausible =
                vec![Warning::ReadsBelowWrites { reads, writes, times: 3.5 }];
            run
        }
        OrderOf(times) => two(random, STANDARD[3], times),
        DirectionOf(times) => {
            two(Shape { service_ms: 0.32, servers: 2.4, ..STANDARD[4] }, STANDARD[3], times)
        }
        BlockSizes => two(STANDARD[0], Shape { block_bytes: 65_536, ..STANDARD[0] }, 0.5),
        _ => return None,
    })
}

/// The standard run on a system of this speed, with points that are known this well.
fn run(label: &str, times: f64, share: f64) -> RunDocument {
    let mut run = changed(|_, point| {
        scale(point, times);
        point.rate.ci95 = Some(share * point.rate.mean);
        let volume = point.volume.as_mut().expect("storage");
        volume.ci95 = Some(share * volume.mean);
        point.latency_ms.ci95 = Some(share * point.latency_ms.mean);
    });
    label.clone_into(&mut run.run.label);
    label.clone_into(&mut run.run.id);
    run
}

fn pair_of(case: Case) -> [RunDocument; 2] {
    let pair = || [run("old", 1.0, 0.01), run("new", 1.3, 0.01)];
    let [mut old, mut new] = pair();
    match case {
        Pair(percent, share) => {
            let [times, share] = [percent, share].map(|percent| f64::from(percent) / 100.0);
            [old, new] = [run("old", 1.0, share), run("new", times, share)];
        }
        Disturb(count) => {
            new = run("new", if count < 35 { 1.0 } else { 0.5 }, 0.01);
            new.points.iter_mut().take(count).for_each(|point| point.verdict = Verdict::Disturbed);
            summarize(&mut new, &[RULE]);
        }
        SimulatedPair(fit) => [old, new] = [simulated(old, fit), simulated(new, fit)],
        HalfSimulated => new = simulated(new, Fit::Known),
        Bounded => {
            new = run("new", 0.9, 0.01);
            new.points.retain(|point| point.profile != "database" || point.latency_ms.mean > 15.0);
            summarize(&mut new, &[RULE]);
        }
        Unpaired => {
            new.points.retain(|point| point.profile != "database");
            summarize(&mut new, &[RULE]);
        }
        OtherSetting => {
            new.environment.targets[0].settings.insert("scheduler".to_owned(), "none".to_owned());
        }
        PairWithoutRule => [&mut old, &mut new].into_iter().for_each(|run| summarize(run, &[])),
        LargePair => {
            [old, new] = ["old", "new"].map(|label| {
                let mut run = large();
                label.clone_into(&mut run.run.label);
                label.clone_into(&mut run.run.id);
                run
            });
        }
        other => panic!("{other:?} is a run"),
    }
    [old, new]
}

/// The words of the page of a case, a line each.
fn words(case: Case, language: Language) -> String {
    let page = match run_of(case) {
        Some(run) => page(&run, language),
        None => {
            let runs = pair_of(case);
            let runs: Vec<&RunDocument> = runs.iter().collect();
            let options = CompareOptions::default();
            let comparison = compare(&runs, &options).expect("a comparison");
            comparison_page(&runs, &comparison, language)
        }
    };
    markdown(&page, "figures")
        .replace(['\u{a0}', '\u{202f}'], " ")
        .replace("**", "")
        .replace("\\<", "<")
}

/// A kind of sentence: its module and name, the page that has it, and the one that must not.
type Row = (&'static str, Case, Case);

const FIXED: Case = Pair(130, 1);

/// Texts, which are found in the sources by their names.
const TEXTS: &[Row] = &[
    ("findings::confidence", Standard, Disturbed),
    ("findings::order", OrderOf(8.0), Standard),
    ("findings::direction", DirectionOf(2.0), DirectionOf(1.0)),
    ("findings::block_sizes", BlockSizes, Standard),
    ("findings::unusual", OrderOf(0.2), OrderOf(8.0)),
    ("findings::none_between", Pair(100, 1), FIXED),
    ("summary::implausible", Implausible, Standard),
    ("summary::measured_text", Standard, Simulated(Fit::Known)),
    ("summary::simulated_text", Simulated(Fit::Known), Standard),
    ("summary::never_fitted", Simulated(Fit::Never), Simulated(Fit::Known)),
    ("summary::partly_fitted", Simulated(Fit::Partly), Simulated(Fit::Never)),
    ("summary::fitted", Simulated(Fit::Known), Simulated(Fit::Somehow)),
    ("summary::fitted_somehow", Simulated(Fit::Somehow), Simulated(Fit::Known)),
    ("summary::all_disturbed", Disturbed, PartlyDisturbed),
    ("summary::collapse", Collapsing, Standard),
    ("summary::best_of_profile", ManySeries, Standard),
    ("summary::at_set_load", SingleLoad, Standard),
    ("summary::at_peak", PairWithoutRule, FIXED),
    ("summary::sustained", Standard, SingleLoad),
    ("summary::once", Standard, Repeated),
    ("summary::repeated", Repeated, Standard),
    ("summary::scatter_of_model", Simulated(Fit::Known), Standard),
    ("conclusions::nothing", Nothing(RunState::Complete), Standard),
    ("conclusions::beyond_last", Rule("mean<=10s"), Rule("mean<=100us")),
    ("conclusions::below_first", Rule("mean<=100us"), Rule("mean<=10s")),
    ("conclusions::left_out", PartlyDisturbed, Standard),
    ("conclusions::nothing_doubtful", Standard, Drifting),
    ("comparison::all_simulated", SimulatedPair(Fit::Known), HalfSimulated),
    ("comparison::some_simulated", HalfSimulated, SimulatedPair(Fit::Known)),
    ("comparison::never_fitted", SimulatedPair(Fit::Never), SimulatedPair(Fit::Known)),
    ("comparison::fitted", SimulatedPair(Fit::Known), SimulatedPair(Fit::Never)),
    ("comparison::sampling_error", SimulatedPair(Fit::Known), FIXED),
    ("comparison::intervals", FIXED, SimulatedPair(Fit::Known)),
    ("comparison::no_difference", Pair(100, 1), FIXED),
    ("comparison::small", Pair(103, 4), Pair(100, 1)),
    ("comparison::undecided", Pair(100, 30), Pair(100, 1)),
    ("comparison::disturbed_run", Disturb(35), Disturb(7)),
    ("comparison::measured_all_the_same", Disturb(35), Disturb(7)),
    ("comparison::all_disturbed", Disturb(35), Disturb(7)),
    ("comparison::some_disturbed", Disturb(7), Pair(100, 1)),
    ("comparison::mean_of", FIXED, Disturb(35)),
    ("comparison::bounded", Bounded, FIXED),
    ("comparison::first_of_profile", LargePair, FIXED),
    ("comparison::dots_hollow", Bounded, FIXED),
    ("comparison::no_factor", FIXED, OtherSetting),
    ("comparison::unpaired", Unpaired, FIXED),
    ("front::ended_before_a_point", Nothing(RunState::Complete), Standard),
    (
        "front::interrupted_before_a_point",
        Nothing(RunState::Interrupted),
        Ended(RunState::Interrupted),
    ),
    ("front::failed_before_a_point", Nothing(RunState::Failed), Ended(RunState::Failed)),
    ("front::interrupted_after", Ended(RunState::Interrupted), Standard),
    ("front::failed_after", Ended(RunState::Failed), Standard),
    ("front::simulated_users_text", Users, Simulated(Fit::Known)),
    ("front::null_text", Null, Standard),
    ("key_figures::none", Nothing(RunState::Complete), Standard),
    ("key_figures::no_rule", NoRule, Standard),
    ("key_figures::overload", Collapsing, Rising),
    ("key_figures::reading", Standard, SingleLoad),
    ("trust::many_reservations", Drifting, Standard),
    ("trust::failed_operations", Users, Standard),
];

/// Sentences that are put together: where, a part of each in both languages, and their pages.
const COMPOSED: &[(&str, [&str; 2], Case, Case)] = &[
    (
        "findings::gain",
        ["throughput still rises at the highest load", "steigt bei der größten Last noch, von"],
        Rising,
        Collapsing,
    ),
    (
        "findings::collapse",
        ["throughput falls from", "Der Durchsatz fällt von"],
        Collapsing,
        Rising,
    ),
    (
        "findings::saturation",
        ["throughput no longer rises from", "steigt der Durchsatz nicht weiter"],
        Plateaus(2),
        Plateaus(3),
    ),
    ("findings::change", ["new sustains ", "new leistet "], FIXED, Pair(100, 1)),
    (
        "findings::change",
        ["at equal load response times of new are", "sind die Antwortzeiten von new"],
        FIXED,
        Disturb(35),
    ),
    (
        "summary::saturated",
        ["reach saturation: more load adds nothing", "sind gesättigt: Mehr Last bringt nichts"],
        Plateaus(2),
        Plateaus(1),
    ),
    ("comparison::counts", [" that can be compared: ", " vergleichbaren: "], FIXED, Disturb(35)),
    (
        "conclusions::one",
        ["Within 15 ms, the throughput that ", "leistet das Ziel "],
        Rising,
        Standard,
    ),
    (
        "conclusions::between",
        ["sustained throughput is between", "liegt der nutzbare Durchsatz zwischen"],
        Standard,
        Disturbed,
    ),
    (
        "conclusions::most",
        ["highest throughput known to be sustained", "höchste bekannte nutzbare Durchsatz"],
        Rule("mean<=10s"),
        Rising,
    ),
    (
        "conclusions::beyond_the_rule",
        [
            "response time grows faster than throughput",
            "steigt die Antwortzeit schneller als der Durchsatz",
        ],
        Standard,
        Rule("mean<=10s"),
    ),
    (
        "conclusions::again",
        ["should be measured again before", "erneut gemessen werden, bevor"],
        Drifting,
        Standard,
    ),
    (
        "abstract_text::suspect",
        ["points are drifting, failed or disturbed", "Messpunkten sind driftend"],
        Drifting,
        Standard,
    ),
    (
        "abstract_text::suspect",
        ["All 35 points are valid", "Alle 35 Messpunkte sind gültig"],
        Standard,
        Drifting,
    ),
];

/// Sentences whose two cases are beside the code: module, name, and the test there.
const BESIDE: &[(&str, &str)] = &[
    ("advice::meaning", "every_kind_of_setting_has_its_meaning_and_its_advice"),
    ("advice::advice", "every_kind_of_setting_has_its_meaning_and_its_advice"),
    ("advice::raid", "the_fastest_raid_level_is_named_where_it_is_known"),
    ("advice::none_of_disturbed", "of_disturbed_points_it_cannot_be_told"),
];

/// How a comparison is to be read: these stand on every one, or below every figure of their kind.
const ALWAYS: [&str; 7] = [
    "comparison::dots_margins",
    "comparison::curves_caption",
    "comparison::dots_note",
    "comparison::change_text",
    "comparison::significance_text",
    "comparison::mean_text",
    "comparison::geometric_mean",
];

/// The modules of texts that say what was found.
const MODULES: [(&str, &str); 9] = [
    ("abstract_text", include_str!("../src/language/texts/abstract_text.rs")),
    ("advice", include_str!("../src/language/texts/advice.rs")),
    ("comparison", include_str!("../src/language/texts/comparison.rs")),
    ("conclusions", include_str!("../src/language/texts/conclusions.rs")),
    ("findings", include_str!("../src/language/texts/findings.rs")),
    ("front", include_str!("../src/language/texts/front.rs")),
    ("key_figures", include_str!("../src/language/texts/key_figures.rs")),
    ("summary", include_str!("../src/language/texts/summary.rs")),
    ("trust", include_str!("../src/language/texts/trust.rs")),
];

/// Where the tests of [`BESIDE`] are.
const TESTS_BESIDE: [&str; 2] =
    [include_str!("../src/content/advice.rs"), include_str!("../src/language/texts/advice.rs")];

/// The string literals of a source, as they are printed.
fn literals(source: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), source);
    while let Some(start) = rest.find('"') {
        rest = &rest[start + 1..];
        let end = rest.find('"').expect("the end of a text");
        let text = rest[..end].replace("\\u{a0}", " ");
        let lines: Vec<&str> = text.split("\\\n").collect();
        let (first, others) = lines.split_first().expect("a line");
        found.push(others.iter().fold((*first).to_owned(), |text, line| text + line.trim_start()));
        rest = &rest[end + 1..];
    }
    found
}

/// The texts of a module by name, in all languages, and the functions that put sentences together.
fn sentences(source: &str) -> (Vec<(String, Vec<String>)>, Vec<String>) {
    let source = source.split("#[cfg(test)]").next().expect("code");
    let (texts, code) = match source.split_once("texts! {\n") {
        Some((_, rest)) => rest.split_once("\n}\n").expect("the end of the texts"),
        None => ("", source),
    };
    let is_comment = |line: &&str| !line.trim_start().starts_with("///");
    let texts: Vec<&str> = texts.lines().filter(is_comment).collect();
    let texts = texts.join("\n");
    let texts = texts.split(";\n").filter_map(|entry| {
        let name = entry.trim_start().split(['(', ':']).next()?.to_owned();
        Some((name, literals(&entry[entry.find('"')?..])))
    });
    let functions = code.split("\npub(crate) ").skip(1).filter_map(|part| {
        let body = part.split("\n}\n").next()?;
        let name = body.split_once("fn ")?.1.split(['(', '<']).next()?;
        literals(body).iter().any(|text| is_sentence(text)).then(|| name.to_owned())
    });
    (texts.collect(), functions.collect())
}

fn is_sentence(text: &str) -> bool {
    let end = text.trim_end();
    let last = end.trim_end_matches('.').chars().last();
    end.ends_with('.')
        && last.is_some_and(|last| last.is_lowercase() || last == '}')
        && end.contains(' ')
}

#[test]
fn every_sentence_has_both_cases() {
    let told = TEXTS.iter().map(|(name, ..)| *name);
    let told = told.chain(COMPOSED.iter().map(|(name, ..)| *name));
    let told = told.chain(BESIDE.iter().map(|(name, _)| *name)).chain(ALWAYS);
    let told: Vec<&str> = told.collect();
    for (module, source) in MODULES {
        let (texts, functions) = sentences(source);
        let texts = texts.into_iter().filter(|(_, words)| is_sentence(&words[0]));
        for name in texts.map(|(name, _)| name).chain(functions) {
            let name = format!("{module}::{name}");
            assert!(told.contains(&name.as_str()), "{name} has no case in tests/sentences.rs");
        }
    }
    for (name, test) in BESIDE {
        let test = format!("fn {test}()");
        assert!(TESTS_BESIDE.iter().any(|source| source.contains(&test)), "{name}: {test}");
    }
}

/// Whether a line has the fixed parts of a text in their order, with a value between two of them.
fn has(words: &str, text: &str) -> bool {
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let parts: Vec<&str> = parts.map(str::trim).collect();
    let (first, others) = parts.split_first().expect("a part");
    let follow = |line: &str| {
        line.match_indices(first).any(|(at, _)| follow(&line[at + first.len()..], others))
    };
    words.lines().any(follow)
}

/// Whether these parts follow, each behind a value that is no other sentence.
fn follow(rest: &str, parts: &[&str]) -> bool {
    let Some((part, others)) = parts.split_first() else { return true };
    let is_value = |value: &str| !value.trim().is_empty() && !value.contains(". ");
    let is_there = |at: usize| is_value(&rest[..at]) && follow(&rest[at + part.len()..], others);
    match part.is_empty() {
        true => follow(rest, others),
        false => rest.match_indices(part).any(|(at, _)| is_there(at)),
    }
}

/// The texts with this name, in all languages.
fn texts(name: &str) -> Vec<String> {
    let (module, text) = name.split_once("::").expect("a module");
    let (_, source) = MODULES.iter().find(|(known, _)| *known == module).expect("a known module");
    let found = sentences(source).0.into_iter().find(|(known, _)| known == text);
    found.unwrap_or_else(|| panic!("there is no text {name}")).1
}

#[test]
fn every_sentence_is_told_where_it_holds_and_nowhere_else() {
    let mut pages: Vec<(Case, [String; 2])> = Vec::new();
    let mut both = |case: Case| {
        if let Some((_, words)) = pages.iter().find(|(known, _)| *known == case) {
            return words.clone();
        }
        let words = [Language::English, Language::German].map(|language| words(case, language));
        pages.push((case, words.clone()));
        words
    };
    let texts = TEXTS.iter().map(|(name, told, untold)| (*name, texts(name), *told, *untold));
    let composed = COMPOSED.iter().map(|(name, parts, told, untold)| {
        (*name, parts.map(str::to_owned).to_vec(), *told, *untold)
    });
    let mut wrong = Vec::new();
    for (name, parts, told, untold) in texts.chain(composed) {
        let (there, elsewhere) = (both(told), both(untold));
        for (index, part) in parts.iter().enumerate() {
            if !has(&there[index], part) {
                wrong.push(format!("{name} is missing in {told:?}: {part}"));
            }
            if has(&elsewhere[index], part) {
                wrong.push(format!("{name} must not be in {untold:?}: {part}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sentence of each kind of finding: a new kind does not compile until it has one.
fn sentence_of(finding: &Finding) -> &'static str {
    match finding {
        Finding::Saturation(_) => "findings::saturation",
        Finding::Gain(_) => "findings::gain",
        Finding::Collapse(_) => "findings::collapse",
        Finding::Contrast(found) => match found.between {
            Between::Order { faster: Order::Sequential | Order::Random } => "findings::order",
            Between::Direction { faster: Direction::Read | Direction::Write } => {
                "findings::direction"
            }
            Between::BlockSize { .. } => "findings::block_sizes",
        },
        Finding::Change(found) => match found.measure.place {
            Place::Sustained | Place::Peak | Place::EqualLoad => "findings::change",
        },
    }
}

/// The sentence of each outcome at a rule.
const fn sentence_at(status: SustainedStatus) -> &'static str {
    match status {
        SustainedStatus::Met => "conclusions::between",
        SustainedStatus::AllMeet => "conclusions::beyond_last",
        SustainedStatus::NoneMeets => "conclusions::below_first",
        SustainedStatus::Unknown => "conclusions::nothing",
    }
}

#[test]
fn every_kind_of_finding_and_every_outcome_has_its_sentence() {
    let names: Vec<&str> = TEXTS
        .iter()
        .map(|(name, ..)| *name)
        .chain(COMPOSED.iter().map(|(name, ..)| *name))
        .collect();
    let cases = [Collapsing, Rising, Plateaus(2), OrderOf(8.0), DirectionOf(2.0), BlockSizes];
    let mut found = 0;
    for case in cases {
        let run = run_of(case).expect("a run");
        let findings = match case {
            Plateaus(_) => run.analysis.findings,
            _ => of_points(&run.points),
        };
        found += findings.len();
        findings.iter().for_each(|finding| assert!(names.contains(&sentence_of(finding))));
    }
    assert!(found > cases.len());
    use SustainedStatus::{AllMeet, Met, NoneMeets, Unknown};
    for status in [Met, AllMeet, NoneMeets, Unknown] {
        assert!(names.contains(&sentence_at(status)), "{status:?}");
    }
}
