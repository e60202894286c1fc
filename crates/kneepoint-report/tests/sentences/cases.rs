//! The pages that sentences stand on: a run or a comparison each.

use Case::*;
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{
    ClockDrift, ClockOffset, Estimate, Finding, HalfWidths, HostStartResult, Links, ModelFit,
    ModelOrigin, OpenLoopResult, Plateau, PointResult, PublishedComparison, PublishedNumber,
    PublishedPlace, RoundResult, RunDocument, RunState, Score, SearchResult, SteadyStateResult,
    SteadyWindow, SystemParts, TargetLatency, TargetResult, ThroughputUnit, Verdict, Warning,
};
use kneepoint_core::words::load::LoadUnit;
use serde_json::json;

use super::members::{Work, processor};
use super::sized::Sizes;
use super::synthetic::{
    DOUBLING, STANDARD, Shape, copied, document, empty, fail, four_targets, large, point, standard,
    summarize,
};
use super::typing::{CARRIES, Typed, part_of, played_from, typing};
use super::varied::{Variation, rising, varied};

/// A page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Case {
    // Reports on one run.
    Standard,
    SingleLoad,
    Nothing(RunState),
    Ended(RunState),
    Disturbed,
    PartlyDisturbed,
    Drifting,
    /// This many points of one series.
    DriftingOf(usize),
    Collapsing,
    /// The same with points that drift where throughput has fallen.
    Adrift,
    /// One series that falls at its last two loads.
    Falling,
    Rising,
    /// One of the series rises to the end.
    OneRising,
    Plateaus(usize),
    Rule(&'static str),
    NoRule,
    ManySeries,
    /// The same with a hole, or with a point that drifts.
    Hole,
    Shaky,
    Repeated,
    Simulated(Fit),
    /// A simulated system of this many arrays.
    Parts(u32),
    /// The same with random access alone.
    SimulatedDatabase,
    Null,
    Users,
    Typing(Typed),
    Processor(Work),
    /// Storage and business operations, a chapter each.
    Chapters,
    /// The same of runs that were made at the same time.
    ChaptersAtOnce,
    /// Business operations, with their score or without it.
    Business(Option<Score>),
    Implausible,
    OrderOf(f64),
    DirectionOf(f64),
    BlockSizes,
    /// Two series that differ in this, each measured at one load.
    AtOneLoad(Pairing),
    NoIntervals,
    /// This many series whose means few long waits make.
    FewWaits(usize),
    /// Searched, with loads that were visited once or several times.
    Searched(usize),
    /// Searched, with the two sides of the rule far apart, or only a bound of the answer.
    Bracketed,
    /// Searched, with an answer that rests on disturbed loads.
    Insecure,
    /// This many points with the same warning.
    Warned(usize),
    Late(f64),
    Rounds,
    Targets,
    ManyTargets,
    Hosts,
    /// Users who are played by two hosts.
    UsersOfHosts,
    ManyHosts,
    /// A run by this many hosts, without a rule.
    FleetOf(usize),
    /// The last of three hosts does this much of what the others do in percent, in the first series.
    Slow(u32),
    /// The first of three hosts has two targets, the others one.
    Uneven,
    /// This many hosts with clocks.
    Clocks(usize),
    Copies,
    CopiesCut,
    /// So few I/Os that percentiles rest on fewer than ten.
    Rare,
    /// A series that failed at every load.
    PartlyFailed,
    /// A series of which no point was measured.
    Unmeasured,
    /// A profile of which the plan has this key with this value, in JSON.
    Planned(&'static str, &'static str),
    Class(&'static str),
    /// This many published numbers beside simulated ones; none of them with an interval if the model
    /// is not known.
    Published(usize),
    PublishedAlone,
    Varied(Variation),
    /// No run, but a sizing.
    Sized(Sizes),
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
    PairWithoutIntervals,
    SingleLoadPair,
    LargePair,
    UsersPair,
}

/// In what two series differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pairing {
    Order,
    Direction,
    BlockSizes,
}

/// How far a model is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fit {
    Never,
    Partly,
    Known,
    Somehow,
}

/// The number of drives that does as much as it should, and less.
pub(crate) const LINEAR: Case = Varied(Variation::Drives([100, 200, 400]));
pub(crate) const BENT: Case = Varied(Variation::Drives([100, 200, 220]));
pub(crate) const FLAT: Case = Varied(Variation::Drives([100, 150, 160]));

/// A write cache that makes the system this fast in percent.
pub(crate) const fn cache(percent: u32) -> Case {
    Varied(Variation::Cache(percent))
}

/// The rule of most runs.
pub(crate) const RULE: &str = "mean<=15ms";

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

/// A point of a system that is this many times as fast.
pub(crate) fn scaled(mut point: PointResult, times: f64) -> PointResult {
    scale(&mut point, times);
    point
}

/// Two series of these shapes, the second with this many times the throughput of its shape.
fn two(one: Shape, other: Shape, times: f64) -> RunDocument {
    let points =
        DOUBLING.iter().flat_map(|load| [point(&one, *load), scaled(point(&other, *load), times)]);
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

/// A simulated system whose parts are known.
fn of_parts(arrays: u32) -> RunDocument {
    let mut run = simulated(standard(), Fit::Known);
    let links = Links { count: 1, mb_per_s: 1_000.0 };
    let model = run.environment.targets[0].model.as_mut().expect("a model");
    model.parts = Some(SystemParts {
        host_links: links,
        controllers: 1,
        write_cache_mib: 256.0,
        back_end_links: links,
        arrays,
        drives_per_array: 2,
        drives: 2 * arrays,
        medium: "disk".to_owned(),
        raid: "raid5".to_owned(),
        stripe_bytes: 65_536,
    });
    run
}

/// Series in which most I/Os are quick, and one in a hundred takes ten times the mean.
fn few_waits(series: usize) -> RunDocument {
    changed(|index, point| {
        if index < series * DOUBLING.len() {
            let times = &mut point.latency_ms;
            let mean = times.mean;
            point.operations = 100_000;
            (times.min, times.p50, times.p90, times.p95) =
                (Some(mean / 20.0), Some(mean / 8.0), Some(mean / 2.0), Some(mean));
            (times.p99, times.p99_9, times.p99_99) =
                (Some(10.0 * mean), Some(11.0 * mean), Some(12.0 * mean));
            (times.max, times.percentiles_ci95) = (13.0 * mean, None);
        }
    })
}

/// A run of a server, whose operations are no I/Os.
fn users() -> RunDocument {
    let mut run = changed(|index, point| {
        (point.storage, point.volume) = (None, None);
        point.operations = 50;
        point.verdict = if index == 0 { Verdict::Failed } else { Verdict::Steady };
    });
    run.environment.targets[0].kind = TargetKind::Sim;
    run
}

/// A score of business operations.
pub(crate) const SCORE: Score =
    Score { rate: Estimate { mean: 2_000.0, ci95: Some(10.0) }, from: 2, to: 4 };

/// A run of business operations.
fn business(score: Option<Score>) -> RunDocument {
    let mut run = users();
    run.environment.targets[0].kind = TargetKind::Database;
    for point in &mut run.points {
        point.load.unit = LoadUnit::Warehouses;
    }
    for summary in &mut run.analysis.summaries {
        (summary.load_unit, summary.score) = (LoadUnit::Warehouses, score);
    }
    run
}

fn searched(mut run: RunDocument) -> RunDocument {
    for summary in &mut run.analysis.summaries {
        summary.search = Some(SearchResult {
            points: 7,
            stopped_because: "enough loads were probed".to_owned(),
            disturbed_loads: Vec::new(),
        });
    }
    run
}

/// A run by turns: each load was visited so often.
fn visited(times: usize) -> RunDocument {
    let points = points().into_iter().flat_map(|point| {
        let visit = move |visit| PointResult { repetition: 1_000 * visit, ..point.clone() };
        (0..u32::try_from(times).expect("few")).map(visit)
    });
    searched(document(points.collect(), &[RULE]))
}

/// A run whose I/Os were submitted late by this share of their response time.
fn late(share: f64) -> RunDocument {
    changed(|_, point| {
        let mean = point.latency_ms.mean;
        point.load.unit = LoadUnit::OfferedIops;
        point.open_loop = Some(OpenLoopResult {
            offered_rate: point.load.value,
            delivered_rate: point.rate.mean,
            overloaded: false,
            lag_mean_ms: share * mean,
            lag_max_ms: mean,
            service_mean_ms: (1.0 - share) * mean,
        });
    })
}

/// Series that fall at their highest load, at which points may drift.
fn collapsing(case: Case) -> RunDocument {
    let last = if case == Adrift { Verdict::Drifting } else { Verdict::Steady };
    changed(|index, point| {
        if index % 7 == 6 {
            scale(point, 0.5);
            point.verdict = last;
        }
    })
}

fn rounds() -> RunDocument {
    changed(|index, point| {
        let round = |index: u32| RoundResult {
            start_s: f64::from(index),
            rate: 100.0,
            volume: Some(1.0),
            latency_mean_ms: 1.0,
        };
        let window = SteadyWindow {
            first_round: 2,
            rate_mean: 100.0,
            range_percent: 4.2,
            slope_percent: -1.5,
        };
        let steady = SteadyStateResult {
            attained: true,
            round_s: 1.0,
            rounds: (0..7).map(round).collect(),
            window: Some(window),
        };
        point.steady_state = (index == 0).then_some(steady);
    })
}

const LATENCY: TargetLatency = TargetLatency { mean: 5.0, min: 0.2, max: 90.0 };

/// Three targets in each of many points.
fn many_targets() -> RunDocument {
    let mut run = large();
    run.environment.targets = four_targets().environment.targets[..3].to_vec();
    for point in &mut run.points {
        let part = |target: usize| TargetResult {
            target: format!("/data{target}/kneepoint.dat"),
            host: String::new(),
            rate: point.rate.mean / 3.0,
            volume: point.mib_s().map(|volume| volume / 3.0),
            latency_ms: LATENCY,
            errors: 0,
        };
        point.targets = (1..=3).map(part).collect();
    }
    run
}

/// A run by hosts.
fn by_hosts(mut run: RunDocument, count: usize) -> RunDocument {
    for point in &mut run.points {
        let rate = point.rate.mean / count as f64;
        let part = |host| part_of(&format!("lab-{host}"), (rate, LATENCY));
        point.hosts = (1..=count).map(part).collect();
    }
    run
}

/// A run by three hosts, of which the last is slow in the first series.
fn with_slow_host(percent: u32) -> RunDocument {
    let mut run = by_hosts(standard(), 3);
    for point in &mut run.points[..DOUBLING.len()] {
        point.hosts[2].rate *= f64::from(percent) / 100.0;
    }
    run
}

/// A run by three hosts, of which the first has two targets of four.
fn by_uneven_hosts() -> RunDocument {
    let mut run = by_hosts(four_targets(), 3);
    for point in &mut run.points {
        for (target, host) in point.targets.iter_mut().zip([1, 1, 2, 3]) {
            target.host = format!("lab-{host}");
        }
        point.hosts[0].rate *= 2.0;
    }
    run
}

/// A run by hosts with clocks, each known a little worse than the one before.
fn with_clocks(count: usize) -> RunDocument {
    let mut run = by_hosts(standard(), count);
    for point in &mut run.points {
        for (number, host) in (1..).zip(&mut point.hosts) {
            let clock = ClockOffset { offset_us: 2e6, bound_us: 30.0 + f64::from(number) };
            let drift = Some(ClockDrift { ppm: -1.5, bound_ppm: 0.25 });
            host.start = Some(HostStartResult { late_ms: 0.25, clock, drift });
        }
    }
    run
}

/// Published numbers of the first series.
fn published(mut run: RunDocument, count: usize, ci95: Option<f64>) -> RunDocument {
    let number = |index: u32| PublishedComparison {
        published: PublishedNumber {
            source: "a report, Table 1".to_owned(),
            series: "database/8KiB".to_owned(),
            factors: Default::default(),
            place: PublishedPlace::Outstanding(1 << index),
            value: 1_000.0,
            unit: ThroughputUnit::Iops,
        },
        simulated: 1_020.0,
        ci95,
        error_percent: 2.0,
    };
    run.analysis.published = (0..u32::try_from(count).expect("few")).map(number).collect();
    run
}

/// Two series that differ in one thing, at one load.
fn at_one_load(pairing: Pairing) -> RunDocument {
    let whole = run_of(match pairing {
        Pairing::Order => OrderOf(8.0),
        Pairing::Direction => DirectionOf(2.0),
        Pairing::BlockSizes => BlockSizes,
    });
    let mut points = whole.expect("a run").points;
    points.retain(|point| point.load.value == 8.0);
    document(points, &[RULE])
}

/// Runs that differ from the standard one in how they were measured.
fn special(case: Case) -> Option<RunDocument> {
    Some(match case {
        Hole => {
            let mut points = large().points;
            points.remove(5);
            document(points, &["mean<=1ms"])
        }
        Shaky => {
            let mut points = large().points;
            points[5].verdict = Verdict::Drifting;
            document(points, &["mean<=1ms"])
        }
        NoIntervals => changed(|_, point| {
            point.rate.ci95 = None;
            point.volume.as_mut().expect("storage").ci95 = None;
            point.latency_ms.ci95 = None;
        }),
        FewWaits(series) => few_waits(series),
        Searched(1) => searched(document(points(), &[RULE])),
        Searched(times) => visited(times),
        Bracketed => searched(document(points(), &["mean<=10s"])),
        Insecure => {
            let mut run = searched(document(points(), &[RULE]));
            let searches = run.analysis.summaries.iter_mut().filter_map(|one| one.search.as_mut());
            searches.for_each(|search| search.disturbed_loads = vec![4.0]);
            run
        }
        Warned(count) => changed(|index, point| {
            let warning = Warning::WriteCacheOn { device: "sdb".to_owned() };
            point.warnings.extend((index < count).then_some(warning));
        }),
        AtOneLoad(pairing) => at_one_load(pairing),
        Late(share) => late(share),
        Rounds => rounds(),
        Targets => four_targets(),
        ManyTargets => many_targets(),
        Copies => copied(),
        CopiesCut => {
            let mut run = copied();
            run.run.state = RunState::Interrupted;
            run.plan["file_copy"] = json!({});
            run
        }
        Rare => changed(|_, point| point.operations = 50),
        PartlyFailed => changed(|index, point| {
            if index < 7 {
                fail(point);
            }
        }),
        Unmeasured => {
            let mut run = standard();
            run.points.truncate(28);
            run
        }
        Planned(key, value) => {
            let mut run = standard();
            run.plan["series"][0]["profile"][key] = serde_json::from_str(value).expect("JSON");
            run
        }
        Class(class) => {
            let mut run = standard();
            run.plan["target_class"] = json!({"class": class, "because": "sdb is rotational"});
            run
        }
        Published(count) => published(simulated(standard(), Fit::Known), count, Some(9.0)),
        PublishedAlone => published(standard(), 2, None),
        Varied(variation) => varied(variation),
        other => return by_fleet(other),
    })
}

/// Runs by several hosts.
fn by_fleet(case: Case) -> Option<RunDocument> {
    Some(match case {
        Hosts => by_hosts(standard(), 3),
        UsersOfHosts => played_from(typing(users(), CARRIES), LATENCY),
        ManyHosts => by_hosts(large(), 3),
        FleetOf(count) => by_hosts(document(points(), &[]), count),
        Slow(percent) => with_slow_host(percent),
        Uneven => by_uneven_hosts(),
        Clocks(count) => with_clocks(count),
        _ => return None,
    })
}

/// The run of a case; nothing for a comparison.
pub(crate) fn run_of(case: Case) -> Option<RunDocument> {
    let random =
        Shape { read_percent: 100.0, random_percent: 100.0, profile: "reads", ..STANDARD[3] };
    if let Some(run) = special(case) {
        return Some(run);
    }
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
        DriftingOf(count) => changed(|index, point| {
            point.verdict = if index < count { Verdict::Drifting } else { Verdict::Steady };
        }),
        Collapsing | Adrift => collapsing(case),
        Rising => {
            document(DOUBLING[..5].iter().map(|load| point(&STANDARD[0], *load)).collect(), &[RULE])
        }
        OneRising => rising(64),
        Falling => rising(16),
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
        SimulatedDatabase => {
            let mut run = of_parts(2);
            run.points.retain(|point| point.profile == "database");
            summarize(&mut run, &[RULE]);
            run
        }
        Parts(arrays) => of_parts(arrays),
        Null => {
            let mut run = standard();
            run.environment.targets[0].kind = TargetKind::Null;
            run
        }
        Users => users(),
        Typing(typed) => typing(users(), typed),
        Processor(work) => processor(users(), work),
        Business(score) => business(score),
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

/// The two runs of a comparison.
pub(crate) fn pair_of(case: Case) -> [RunDocument; 2] {
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
        PairWithoutIntervals => [&mut old, &mut new].into_iter().for_each(|run| {
            for point in &mut run.points {
                point.rate.ci95 = None;
                point.volume.as_mut().expect("storage").ci95 = None;
                point.latency_ms.ci95 = None;
            }
            summarize(run, &[RULE]);
        }),
        SingleLoadPair => [&mut old, &mut new].into_iter().for_each(|run| {
            run.points.retain(|point| point.load.value == 8.0);
            summarize(run, &[RULE]);
        }),
        UsersPair => [&mut old, &mut new].into_iter().for_each(|run| {
            for point in &mut run.points {
                (point.storage, point.volume, point.load.unit) = (None, None, LoadUnit::Users);
                point.rate.unit = ThroughputUnit::under(LoadUnit::Users);
            }
            summarize(run, &[RULE]);
        }),
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
