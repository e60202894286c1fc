//! Every sentence of the terminal on runs and comparisons, on progress and on wrong usage: an output that
//! has it, and one that must not. A text of several words without these two fails
//! [`every_sentence_has_both_cases`].

#[allow(dead_code, reason = "some of the pages are for reports")]
#[path = "../../../kneepoint-report/tests/sentences/cases.rs"]
mod cases;
#[allow(dead_code, reason = "some of the runs are for reports")]
#[path = "../../../kneepoint-report/tests/sentences/members.rs"]
mod members;
#[allow(dead_code, reason = "sizings are for reports")]
#[path = "../../../kneepoint-report/tests/sentences/sized.rs"]
mod sized;
#[allow(dead_code, reason = "some of the runs are for other tests")]
#[path = "../../../kneepoint-report/tests/synthetic/mod.rs"]
mod synthetic;
#[allow(dead_code, reason = "some of the runs are for reports")]
#[path = "../../../kneepoint-report/tests/sentences/typing.rs"]
mod typing;
#[allow(dead_code, reason = "some of the settings are for reports")]
#[path = "../../../kneepoint-report/tests/sentences/varied.rs"]
mod varied;

use std::path::Path;

use Shown::*;
use cases::Case::{self, *};
use cases::{Fit, LINEAR, SCORE, cache, pair_of, run_of};
use clap::Parser;
use kneepoint_core::analysis::between::BetweenRuns;
use kneepoint_core::analysis::comparison::{
    Bound, Check, CompareOptions, Comparison, Gate, GateOutcome, Profiles, UndecidedBecause,
    compare,
};
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{Estimate, RunDocument, RunState, Significance, ThroughputUnit};
use kneepoint_core::words::units::{Bytes, Nanos};
use members::Work;
use typing::{ALL_KEEP, BORROWED, CARRIES, NO_REFERENCE};
use varied::{EARLY, STEADY, UNSTEADY, Variation};

use super::comparison::{Detail, comparison_text};
use super::progress::{self, Goal};
use super::result::{run_text, run_text_beside};
use super::text::{Colours, Text, Width};
use super::usage;
use crate::cli::Cli;

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shown {
    /// A run or a comparison.
    Of(Case),
    /// The same with every load.
    Loads(Case),
    /// A comparison whose first differences, this many, have this significance.
    Found(Significance, usize),
    /// A run beside two others, both disturbed.
    TwoLost,
    /// A run beside one of other load profiles.
    OtherProfiles,
    /// A comparison with a condition that was decided, or not for this reason.
    Gated(Option<UndecidedBecause>),
    /// What is said while something is done.
    Done(Doing),
    /// The answer to a measurement with this option.
    Typed(&'static str),
    /// A run of another tool.
    Imported,
    /// A run on targets of another kind.
    On(TargetKind),
    /// A run whose writes are flushed.
    Flushing,
    /// A run whose buffers lay in huge pages.
    InHugePages,
    /// Two searches of one plan whose answers differ, or agree.
    Searches(Agreement),
}

/// Whether searches of one plan found the same.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Agreement {
    Agree,
    Differ,
}

/// What takes long.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Doing {
    /// A test file is written.
    Layout,
    /// Rounds of preconditioning begin.
    Rounds,
    /// They go on.
    RoundsLeft,
    /// Files to be copied are written.
    Source,
}

const FIXED: Shown = Of(Pair(130, 1));
const LAYOUT: Shown = Done(Doing::Layout);
const ROUNDS: Shown = Done(Doing::Rounds);
const UNKNOWN: Shown = Typed("--splendid");
const OPEN: Shown = Gated(Some(UndecidedBecause::NoInterval));

/// The fixed parts of a text in their order, what has it, and what must not.
const ROWS: &[(&str, Shown, Shown)] = &[
    // Runs.
    ("No point was measured.", Of(Nothing(RunState::Failed)), Of(Standard)),
    ("buffers in huge pages", InHugePages, On(TargetKind::File)),
    ("Flushes have a part of the load and none of the throughput;", Flushing, Of(Standard)),
    ("Loads are those of each target (and in total);", Of(Targets), Of(Standard)),
    ("Overload: of the peak, what is left at 2 and at 4", Of(Collapsing), Of(Rising)),
    ("Throughput of {} falls by {} at", Of(Collapsing), Of(Rising)),
    ("{series} scores {} op/s, the mean of", Of(Business(Some(SCORE))), Of(Business(None))),
    ("times the reference machine", Of(Processor(Work::All)), Of(Business(None))),
    ("times the reference machine", Of(Processor(Work::All)), Of(Processor(Work::OfFile))),
    ("programs of your own, {copies}: ", Of(Processor(Work::OfFile)), Of(Processor(Work::All))),
    (", of little work", Of(Processor(Work::Little)), Of(Processor(Work::All))),
    (
        "Disturbed points among the {} that scores take:",
        Of(Processor(Work::Disturbed)),
        Of(Processor(Work::All)),
    ),
    ("Peak against base flags, {}: ", Of(Processor(Work::All)), Of(Business(None))),
    (" against {} ({:+.1} %), {flags}", Of(Processor(Work::Cpus)), Of(Processor(Work::All))),
    ("Geometric means; not comparable", Of(Processor(Work::All)), Of(Business(None))),
    ("processors of this machine", Of(Processor(Work::All)), Of(Business(None))),
    ("warehouses in memory", Of(Business(None)), Of(Users)),
    ("Throughput of {one} still rises at the highest load.", Of(OneRising), Of(Standard)),
    ("Throughput of {} series still rises at the highest", Of(Standard), Of(OneRising)),
    ("points, stopped because", Of(Searched(1)), Of(Standard)),
    ("; rests on what was disturbed every time, at load", Of(Insecure), Of(Searched(1))),
    ("searches of this plan that answered it, since", Searches(Agreement::Agree), Of(Searched(1))),
    ("they agree within their intervals", Searches(Agreement::Agree), Searches(Agreement::Differ)),
    (
        "they differ by more than their intervals allow for: something changed",
        Searches(Agreement::Differ),
        Searches(Agreement::Agree),
    ),
    ("(between {} and {})", Of(Searched(1)), Of(Bracketed)),
    (
        "; `kneepoint resume --disturbed` measures disturbed points again",
        Of(PartlyDisturbed),
        Of(Drifting),
    ),
    ("numbers above rest on points that are", Of(Drifting), Of(Standard)),
    ("the peak varies by {} between {} repetitions", Of(Repeated), Of(Standard)),
    ("late: how long after they were due I/Os", Of(Late(0.6)), Of(Late(0.0))),
    ("(and 1 more point)", Of(Warned(2)), Of(Warned(3))),
    ("(and {others} more points)", Of(Warned(3)), Of(Warned(2))),
    ("are too few for the test, and the numbers are means over all of them", Of(EARLY), Of(STEADY)),
    ("; the numbers are means over {} of them, from round {} to round {}", Of(STEADY), Of(EARLY)),
    (": {mean}, range {}% of {}% allowed, line changes by {}% of", Of(STEADY), Of(EARLY)),
    (", beyond a limit", Of(UNSTEADY), Of(STEADY)),
    ("not steady after", Of(UNSTEADY), Of(STEADY)),
    ("files in {} directories, {} ({} bytes)", Of(Copies), Of(Standard)),
    ("file copy by", Of(Copies), Of(Standard)),
    // Their settings.
    ("no best for {what}: all within", Of(cache(100)), Of(LINEAR)),
    (", peak: write_cache=on with", Of(cache(240)), Of(cache(100))),
    ("(points of it, or of others, were disturbed)", Of(LOST), Of(cache(240))),
    ("or write_cache=on with", Of(cache(100)), Of(LINEAR)),
    (" (no clear difference)", Of(cache(100)), Of(LINEAR)),
    ("does depends on", Of(Varied(Variation::Interaction)), Of(cache(130))),
    // What was measured.
    ("target class: {}; --rule sets other rules", Of(Class("flash")), Of(Standard)),
    ("file on ext4/xfs", Of(Varied(Variation::FileSystem)), Of(Standard)),
    ("file on ext4,", Of(Standard), Of(Varied(Variation::FileSystem))),
    (
        "interrupted: not every point of the plan was measured",
        Of(Ended(RunState::Interrupted)),
        Of(Standard),
    ),
    (
        "interrupted: not every point and every copy of the plan was measured",
        Of(CopiesCut),
        Of(Ended(RunState::Interrupted)),
    ),
    ("imported: measured by {}, read from {} ({})", Imported, Of(Standard)),
    ("screens of a desktop server", On(TargetKind::Desktop), Of(Users)),
    ("files of a directory", On(TargetKind::Directory), Of(Users)),
    ("All rules are read off the same points;", Of(Typing(CARRIES)), Of(Users)),
    ("its reference was not measured", Of(Typing(NO_REFERENCE)), Of(Users)),
    ("was not measured here but in run", Of(Typing(BORROWED)), Of(Typing(CARRIES))),
    ("asked for", Of(Typing(CARRIES)), Of(Users)),
    ("few responses", Of(Typing(ALL_KEEP)), Of(Users)),
    ("Users of {series}", Of(Typing(CARRIES)), Of(Users)),
    // Comparisons.
    ("simulated: intervals and significance allow for", Of(SimulatedPair(Fit::Known)), FIXED),
    ("Never fitted to measurements:", Of(SimulatedPair(Fit::Never)), Of(SimulatedPair(Fit::Known))),
    ("(without {count} of which only a bound is known)", Of(Bounded), FIXED),
    ("Plans, environments and targets show no difference:", FIXED, Of(OtherSetting)),
    ("was not measured in", Of(Unpaired), FIXED),
    ("the load profiles differ:", OtherProfiles, FIXED),
    ("No difference could be tested:", Of(PairWithoutIntervals), FIXED),
    ("tested differences {verb} significant", FIXED, Of(PairWithoutIntervals)),
    ("With 95 % confidence it is not chance.", Found(Significance::Significant, 1), FIXED),
    ("With 95 % confidence none of them is chance.", FIXED, Of(Pair(100, 1))),
    (
        "Whether the runs differ cannot be told: every number compared",
        Of(Disturb(35)),
        Of(Disturb(7)),
    ),
    (
        "1 difference cannot be told:",
        Found(Significance::Disturbed, 1),
        Found(Significance::Disturbed, 2),
    ),
    (
        "{count} differences cannot be told:",
        Found(Significance::Disturbed, 2),
        Found(Significance::Disturbed, 1),
    ),
    ("Whether {} differ{} from {} cannot be told:", TwoLost, Of(Disturb(35))),
    ("! {}: numbers of {} rest on the point at", Of(Disturb(7)), FIXED),
    ("mean response time at {load} outstanding I/Os", Loads(Pair(130, 1)), FIXED),
    ("mean response time at {load} outstanding I/Os", Loads(Pair(130, 1)), Loads(UsersPair)),
    (" op/s", Loads(UsersPair), Loads(Pair(130, 1))),
    (" IO/s", Loads(Pair(130, 1)), Loads(UsersPair)),
    (", mean of {count} equal loads", FIXED, Of(SingleLoadPair)),
    ("at 1 equal load", Of(SingleLoadPair), FIXED),
    // Conditions.
    ("passed, {} failed, {} cannot be told", Gated(None), FIXED),
    ("could be told nowhere; that fails unless", OPEN, Gated(None)),
    (
        "the interval does not lie on one side of the limit",
        Gated(Some(UndecidedBecause::TooUncertain)),
        OPEN,
    ),
    (
        "a change of {} beyond the limit would be told",
        Gated(Some(UndecidedBecause::TooUncertain)),
        OPEN,
    ),
    ("there is no confidence interval; measure longer", OPEN, Gated(None)),
    (
        "it rests on a point that something else disturbed; measure again",
        Gated(Some(UndecidedBecause::Disturbed)),
        OPEN,
    ),
    ("not measured in both runs at the same load", Gated(Some(UndecidedBecause::Missing)), OPEN),
    ("the reference has no usable point", Gated(Some(UndecidedBecause::NoReference)), OPEN),
    ("no point of the run is usable", Gated(Some(UndecidedBecause::AllFailed)), OPEN),
    (
        "the rule is not crossed within the loads that were measured",
        Gated(Some(UndecidedBecause::OnlyBounded)),
        OPEN,
    ),
    // Progress.
    ("writing test file {target}, {}", LAYOUT, ROUNDS),
    ("{name}: rounds of {round} until steady, {} at most", ROUNDS, LAYOUT),
    ("round {number} of {most} at most, {} left at most", Done(Doing::RoundsLeft), ROUNDS),
    ("{count} files of the file copy in {}", Done(Doing::Source), LAYOUT),
    // Usage.
    ("did you mean --outstanding? It is the number of I/Os", Typed("--iodepth=32"), UNKNOWN),
    ("did you mean --block? For instance", Typed("--bs=4k"), UNKNOWN),
    ("did you mean --time? It is the time of each point", Typed("--runtime=5"), UNKNOWN),
    ("did you mean --ramp? For instance", Typed("--warmup=5"), UNKNOWN),
    ("did you mean --workers? More load comes from", Typed("--numjobs=4"), UNKNOWN),
    ("name a load profile instead: random-read,", Typed("--rw=randread"), UNKNOWN),
    ("the mix is part of the load profile:", Typed("--rwmixread=70"), UNKNOWN),
    ("name the target after the load profile:", Typed("--filename=x"), UNKNOWN),
    ("leave it out: direct I/O is the default,", Typed("--direct=1"), UNKNOWN),
    ("did you mean --engine? It is io_uring,", Typed("--ioengine=libaio"), UNKNOWN),
    ("did you mean --rate? It offers I/Os", Typed("--iops=1000"), UNKNOWN),
    ("did you mean --size? For instance", Typed("--filesize=1G"), UNKNOWN),
    ("did you mean --repeat? For instance", Typed("--loops=3"), UNKNOWN),
    ("did you mean --seed? For instance", Typed("--randseed=7"), UNKNOWN),
    ("did you mean --label?", Typed("--name=x"), UNKNOWN),
    ("did you mean --report FILE.html for the report, or", Typed("--output=x"), UNKNOWN),
    ("did you mean --outstanding for the I/Os in flight,", Typed("-o"), UNKNOWN),
    ("`kneepoint {command}` has no option {shown}", Typed("--bs=4k"), UNKNOWN),
    ("use a number above zero", Typed("-5"), UNKNOWN),
    ("'{value}' is not a number for {option}", Typed("--seed=4k"), UNKNOWN),
    ("write it in full: {number}", Typed("--seed=4k"), Typed("--seed=x")),
];

/// Disturbed points of settings.
const LOST: Case = Varied(Variation::DisturbedDrives);

/// Texts that stand in every output of their kind, that are names, or whose cases are in
/// `tests/cli/disturbed.rs`.
const OTHERS: [&str; 8] = [
    "best for {what}: {best} with",
    "geometric mean of {} series",
    "mean response time",
    "An interval holds for its own number alone.",
    "at load (total)",
    "would be from",
    "rests on the point at load",
    "{number} rests on points that are",
];

/// The sources, whose tests are left out.
const SOURCES: [&str; 11] = [
    include_str!("between.rs"),
    include_str!("comparison.rs"),
    include_str!("effects.rs"),
    include_str!("flushes.rs"),
    include_str!("heading.rs"),
    include_str!("progress.rs"),
    include_str!("reference.rs"),
    include_str!("result.rs"),
    include_str!("rounds.rs"),
    include_str!("usage.rs"),
    include_str!("user_counts.rs"),
];

/// From this many words on, a text says something.
const WORDS_MIN: usize = 3;

/// The string literals of a source, as they are printed, with what they leave open in braces.
fn literals(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().expect("code");
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let (mut found, mut rest) = (Vec::new(), code.as_str());
    while let Some(start) = rest.find('"') {
        rest = &rest[start + 1..];
        let mut text = String::new();
        let mut letters = rest.char_indices();
        let end = loop {
            match letters.next().expect("the end of a text") {
                (end, '"') => break end,
                (at, '\\') => match letters.next().expect("what is escaped").1 {
                    '\n' => {
                        let blanks = &rest[at + 2..];
                        let skipped = blanks.len() - blanks.trim_start().len();
                        for _ in 0..skipped {
                            letters.next();
                        }
                    }
                    _ => text.push(' '),
                },
                (_, letter) => text.push(letter),
            }
        };
        found.push(text);
        rest = &rest[end + 1..];
    }
    found
}

/// The words of a text that are no placeholders.
fn words_of(text: &str) -> usize {
    let is_word = |word: &&str| {
        let word = word.trim_end_matches([',', ';', ':', '.', ')']).trim_start_matches(['(', ';']);
        !word.is_empty() && word.chars().all(char::is_lowercase)
    };
    text.split_whitespace().filter(is_word).count()
}

#[test]
fn every_sentence_has_both_cases() {
    let is_known = |text: &str| {
        let parts = ROWS.iter().map(|(part, ..)| *part).chain(OTHERS);
        parts.into_iter().any(|part| has(text, part) || text.contains(part))
    };
    let texts = SOURCES.iter().flat_map(|source| literals(source));
    let unknown = texts.filter(|text| words_of(text) >= WORDS_MIN && !is_known(text));
    let unknown: Vec<String> = unknown.collect();
    assert!(unknown.is_empty(), "no case in output/sentences.rs: {}", unknown.join("\n"));
}

/// Whether a line has the fixed parts of a text in their order.
fn has(words: &str, text: &str) -> bool {
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let parts: Vec<&str> = parts.collect();
    let follow = |line: &str| {
        let mut rest = line;
        parts.iter().all(|part| match rest.find(part) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                true
            }
            None => false,
        })
    };
    words.lines().any(follow)
}

fn compared(runs: &[RunDocument], profiles: Profiles) -> Comparison {
    let runs: Vec<&RunDocument> = runs.iter().collect();
    compare(&runs, &CompareOptions { profiles, ..CompareOptions::default() }).expect("a comparison")
}

fn text_of(comparison: &Comparison, detail: Detail) -> Text {
    comparison_text(comparison, detail, Width::Unlimited)
}

/// A comparison with this many differences of this significance.
fn with(significance: Significance, count: usize) -> Comparison {
    let mut comparison = compared(&pair_of(Pair(100, 1)), Profiles::Same);
    let figures = comparison.series.iter_mut().flat_map(|series| &mut series.figures);
    let own = figures.filter(|figure| figure.tested_by.is_none());
    let differences = own.flat_map(|figure| figure.differences.iter_mut().flatten());
    differences.take(count).for_each(|difference| difference.significance = significance);
    comparison
}

fn gated(because: Option<UndecidedBecause>) -> Comparison {
    let mut comparison = compared(&pair_of(Pair(130, 1)), Profiles::Same);
    let outcome = if because.is_some() { GateOutcome::Undecided } else { GateOutcome::Passed };
    let check = Check {
        condition: "peak falls by more than 5 %".to_owned(),
        series: "database/8KiB".to_owned(),
        factors: Default::default(),
        rule: None,
        run: 1,
        outcome,
        because,
        percent: Some(30.0),
        interval_percent: Some([28.0, 32.0]),
        bound: Some(Bound::Exact),
        detectable_percent: Some(3.0),
    };
    comparison.gate = Some(Gate { outcome, checks: vec![check] });
    comparison
}

/// What is said while something is done.
fn doing_words(doing: Doing) -> String {
    let (round, longest) = (Nanos::from_secs(60), Nanos::from_secs(1_500));
    match doing {
        Doing::Layout => progress::layout_text("/data/k.dat", Bytes(8 << 30)),
        Doing::Rounds => progress::beginning("random", Goal::Rounds(round), longest),
        Doing::RoundsLeft => progress::rounds_left(round, round, longest),
        Doing::Source => progress::source_text(Path::new("/data"), 712),
    }
}

/// The answer to a measurement with this option; nothing if it is left to clap.
fn answer(option: &str) -> String {
    let words = ["run", "database", "null:", option].map(str::to_owned);
    let typed = ["kneepoint".to_owned()].into_iter().chain(words.clone());
    let Err(error) = Cli::try_parse_from(typed) else { return String::new() };
    let Some(fault) = usage::fault_of(&error, &words) else { return String::new() };
    format!("{fault}\n{}", fault.fix_hint().unwrap_or_default())
}

/// A run with this change.
fn changed(change: impl Fn(&mut RunDocument)) -> Text {
    let mut run = run_of(Standard).expect("a run");
    change(&mut run);
    run_text(&run, Width::Unlimited)
}

/// A search beside one of before.
fn beside_another(agreement: Agreement) -> Text {
    let run = run_of(Searched(1)).expect("a run");
    let answer = |mean: f64| Estimate { mean, ci95: Some(30.0) };
    let between = BetweenRuns {
        series: "database/8KiB".to_owned(),
        rule: "mean<=20ms".to_owned(),
        unit: ThroughputUnit::Iops,
        runs: 2,
        since: "2026-11-24T12:00:00Z".to_owned(),
        lowest: answer(800.0),
        highest: answer(850.0),
        deviation_percent: 4.3,
        differ: agreement == Agreement::Differ,
    };
    run_text_beside(&run, &[between], Width::Unlimited)
}

/// What the terminal shows.
fn words(shown: Shown) -> String {
    let text = match shown {
        Of(case) => match run_of(case) {
            Some(run) => run_text(&run, Width::Unlimited),
            None => text_of(&compared(&pair_of(case), Profiles::Same), Detail::Series),
        },
        Loads(case) => text_of(&compared(&pair_of(case), Profiles::Same), Detail::Points),
        Found(significance, count) => text_of(&with(significance, count), Detail::Series),
        TwoLost => {
            let [reference, lost] = pair_of(Disturb(35));
            let [_, sound] = pair_of(Pair(130, 1));
            text_of(&compared(&[reference, lost, sound], Profiles::Same), Detail::Series)
        }
        OtherProfiles => {
            let [reference, mut other] = pair_of(Pair(130, 1));
            let storage = other.points.iter_mut().filter_map(|point| point.storage.as_mut());
            storage.for_each(|storage| storage.read_percent = 50.0);
            text_of(&compared(&[reference, other], Profiles::Different), Detail::Series)
        }
        Gated(because) => text_of(&gated(because), Detail::Series),
        Done(doing) => Text::from(doing_words(doing)),
        Typed(option) => Text::from(answer(option)),
        Searches(agreement) => beside_another(agreement),
        Imported => changed(|run| {
            run.environment.imported = Some(kneepoint_core::result::Imported {
                tool: "fio".to_owned(),
                ..kneepoint_core::result::Imported::default()
            });
        }),
        InHugePages => changed(|run| {
            run.environment.targets.iter_mut().for_each(|target| target.kind = TargetKind::File);
            let hosts = run.environment.hosts.iter_mut();
            hosts.for_each(|host| {
                host.engine.insert("memory_pages".to_owned(), "huge".to_owned());
            });
        }),
        Flushing => changed(|run| {
            let class = kneepoint_core::result::ClassResult {
                operations: 100,
                rate: 10.0,
                ..kneepoint_core::result::ClassResult::default()
            };
            let classes = run.points.iter_mut().map(|point| &mut point.classes);
            for classes in classes {
                classes.insert("flush".to_owned(), class);
            }
        }),
        On(kind) => changed(|run| {
            let targets = run.environment.targets.iter_mut();
            targets.for_each(|target| target.kind = kind);
        }),
    };
    text.rendered(Colours::Off)
}

#[test]
fn every_sentence_is_told_where_it_holds_and_nowhere_else() {
    let mut wrong = Vec::new();
    for (part, told, untold) in ROWS {
        if !has(&words(*told), part) {
            wrong.push(format!("missing in {told:?}: {part}"));
        }
        if has(&words(*untold), part) {
            wrong.push(format!("must not be in {untold:?}: {part}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
