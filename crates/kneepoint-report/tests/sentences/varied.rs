//! Runs that varied settings.

use kneepoint_core::analysis::{counted_points, effects, summarize};
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::simulated::{PartUtilisation, Simulated as Utilisation};
use kneepoint_core::result::{
    BesideResult, PointResult, RoundCell, RoundsAnalysis, RunDocument, TrackedSeries, Verdict,
};
use kneepoint_core::spec::factor::{Design, Factors};
use kneepoint_core::spec::suite::TrackedQuantity;
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::rule::Rule;
use serde_json::json;

use super::cases::{Case, RULE, scaled};
use super::synthetic::{DOUBLING, STANDARD, Shape, document, plan_varying, point, standard};

/// What a run varied.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Variation {
    /// The write cache, which makes the system this fast in percent.
    Cache(u32),
    /// The write cache, which makes the first series this much faster than it makes others.
    CacheOfOne,
    /// The write cache, which helps two series at one RAID level, and of the other it cannot be told.
    CacheAtOneLevel,
    /// The same with nothing to be said of it.
    CacheAlone,
    OneAtATime,
    /// The write cache, which helps at one RAID level only.
    Interaction,
    /// The number of drives, with these throughputs in percent of that of the first.
    Drives([u32; 3]),
    DisturbedDrives,
    Stroke,
    FileSystem,
    /// What else was measured at the moment of the first series; no settings.
    SideBySide,
    /// Nothing but the round, until steady state.
    Rounds(Settling),
    /// The same, with its own rule; the class of the target decides those of the others, if there are others.
    OwnRules(usize),
}

/// How rounds over all series ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settling {
    Steady,
    /// The same on a simulated drive.
    Simulated,
    /// Each series took a minute.
    ByMinutes,
    /// A series that does nothing but write.
    Saturation,
    Latency,
    Unsteady,
    /// Too few rounds for the test.
    Early,
    /// After commands that set something.
    Prepared,
}

/// Runs in rounds.
pub(crate) const STEADY: Case = Case::Varied(Variation::Rounds(Settling::Steady));
pub(crate) const IN_MINUTES: Case = Case::Varied(Variation::Rounds(Settling::ByMinutes));
pub(crate) const OF_LATENCY: Case = Case::Varied(Variation::Rounds(Settling::Latency));
pub(crate) const UNSTEADY: Case = Case::Varied(Variation::Rounds(Settling::Unsteady));
pub(crate) const EARLY: Case = Case::Varied(Variation::Rounds(Settling::Early));
pub(crate) const PREPARED: Case = Case::Varied(Variation::Rounds(Settling::Prepared));
pub(crate) const SATURATION: Case = Case::Varied(Variation::Rounds(Settling::Saturation));
pub(crate) const SIMULATED: Case = Case::Varied(Variation::Rounds(Settling::Simulated));

/// The rule of series that have their own.
const OWN_RULE: &str = "p99<=30ms";

/// A series whose throughput rises with the load up to this one, and has fallen at higher ones.
pub(crate) fn rising(to: u32) -> RunDocument {
    let times = |load: u32| if load > to { 8.0 } else { f64::from(load) };
    let points = DOUBLING.map(|load| scaled(point(&STANDARD[0], load), times(load)));
    document(points.to_vec(), &[RULE])
}

/// Levels of settings, and how fast the system is with them.
type Settings<'a> = (&'a [(&'a str, &'a str)], f64);

/// The points of series of these shapes with each of these settings.
fn of(shapes: &[Shape], levels: &[Settings<'_>]) -> Vec<PointResult> {
    let one = |shape: &Shape, load: u32, (settings, times): &Settings<'_>| {
        let settings = settings.iter().map(|(key, level)| ((*key).to_owned(), (*level).to_owned()));
        PointResult { factors: settings.collect(), ..scaled(point(shape, load), *times) }
    };
    let loads = shapes.iter().flat_map(|shape| DOUBLING.map(|load| (shape, load)));
    let points = loads.flat_map(|(shape, load)| {
        levels.iter().map(move |level| one(shape, load, level)).collect::<Vec<_>>()
    });
    points.collect()
}

/// The points of all combinations of these settings, and what they do.
fn varied_points(variation: Variation) -> (Vec<&'static str>, Vec<PointResult>) {
    let first = &STANDARD[..1];
    match variation {
        Variation::Cache(percent) => {
            let on = f64::from(percent) / 100.0;
            let levels: [Settings<'_>; 2] =
                [(&[("write_cache", "off")], 1.0), (&[("write_cache", "on")], on)];
            (vec!["write_cache=off,on"], of(&STANDARD, &levels))
        }
        Variation::CacheOfOne => {
            let (factors, mut points) = varied_points(Variation::Cache(120));
            let first = points.iter_mut().take(2 * DOUBLING.len());
            first
                .filter(|point| point.factors["write_cache"] == "on")
                .for_each(|point| *point = scaled(point.clone(), 15.0));
            (factors, points)
        }
        Variation::CacheAlone => {
            (vec!["write_cache=off,on"], of(first, &[(&[("write_cache", "off")], 1.0)]))
        }
        Variation::CacheAtOneLevel => at_one_level(),
        Variation::OneAtATime | Variation::Interaction => {
            let both = if variation == Variation::Interaction { 2.0 } else { 1.0 };
            let levels: [Settings<'_>; 4] = [
                (&[("raid", "raid5"), ("write_cache", "off")], 1.0),
                (&[("raid", "raid5"), ("write_cache", "on")], 1.0),
                (&[("raid", "raid10"), ("write_cache", "off")], 1.0),
                (&[("raid", "raid10"), ("write_cache", "on")], both),
            ];
            (vec!["raid=raid5,raid10", "write_cache=off,on"], of(first, &levels))
        }
        Variation::Drives(shares) => {
            let [one, two, four] = shares.map(|share| f64::from(share) / 100.0);
            let levels: [Settings<'_>; 3] = [
                (&[("drives", "20")], one),
                (&[("drives", "40")], two),
                (&[("drives", "80")], four),
            ];
            let mut points = of(first, &levels);
            // Loads are those of each array, which is as fast as ever.
            for point in &mut points {
                let times = match point.factors["drives"].as_str() {
                    "20" => one,
                    "40" => two,
                    _ => four,
                };
                point.latency_ms.mean *= times;
            }
            (vec!["drives=20,40,80"], points)
        }
        Variation::DisturbedDrives => {
            let (factors, mut points) = varied_points(Variation::Drives([100, 200, 400]));
            points.iter_mut().for_each(|point| point.verdict = Verdict::Disturbed);
            (factors, points)
        }
        Variation::Stroke => {
            let levels: [Settings<'_>; 3] = [
                (&[("stroke", "8%")], 1.0),
                (&[("stroke", "30%")], 0.8),
                (&[("stroke", "100%")], 0.6),
            ];
            (vec!["stroke=8%,30%,100%"], of(first, &levels))
        }
        Variation::FileSystem
        | Variation::SideBySide
        | Variation::OwnRules(_)
        | Variation::Rounds(_) => {
            let levels: [Settings<'_>; 2] =
                [(&[("file_system", "ext4")], 1.0), (&[("file_system", "xfs")], 1.0)];
            (Vec::new(), of(first, &levels))
        }
    }
}

/// A write cache that helps at RAID-5, and points at RAID-10 that something disturbed.
fn at_one_level() -> (Vec<&'static str>, Vec<PointResult>) {
    let levels: [Settings<'_>; 4] = [
        (&[("raid", "raid5"), ("write_cache", "off")], 1.0),
        (&[("raid", "raid5"), ("write_cache", "on")], 1.5),
        (&[("raid", "raid10"), ("write_cache", "off")], 1.0),
        (&[("raid", "raid10"), ("write_cache", "on")], 1.0),
    ];
    let mut points = of(&STANDARD[..2], &levels);
    let open = points.iter_mut().filter(|point| point.factors["raid"] == "raid10");
    open.for_each(|point| point.verdict = Verdict::Disturbed);
    (vec!["raid=raid5,raid10", "write_cache=off,on"], points)
}

/// A run that varied settings, with the whole of its plan.
pub(crate) fn varied(variation: Variation) -> RunDocument {
    if variation == Variation::SideBySide {
        return side_by_side(standard());
    }
    if let Variation::OwnRules(count) = variation {
        return own_rules(side_by_side(standard()), count);
    }
    if let Variation::Rounds(settling) = variation {
        return in_rounds(settling);
    }
    let (specs, mut points) = varied_points(variation);
    if matches!(variation, Variation::Drives(_)) {
        points.iter_mut().for_each(|point| point.simulated = Some(busy(point)));
    }
    let design = match variation {
        Variation::OneAtATime => Design::OneAtATime,
        _ => Design::Full,
    };
    let mut factors = Factors { design, ..Factors::default() };
    for spec in specs {
        factors.add(spec.parse().expect("a factor")).expect("each once");
    }
    if variation == Variation::FileSystem {
        factors = file_systems();
    }
    let mut run = document(points, &[RULE]);
    let rules: [Rule; 1] = [RULE.parse().expect("a rule")];
    run.analysis.effects = effects(&run.points, &factors, &rules);
    if variation == Variation::CacheAlone {
        run.analysis.effects.clear();
    }
    run.plan = plan_varying(&factors, &[RULE]);
    run
}

/// A run in rounds that ended like this.
fn in_rounds(settling: Settling) -> RunDocument {
    let writes =
        Shape { read_percent: 0.0, random_percent: 100.0, profile: "writes", ..STANDARD[3] };
    let reads = Shape { read_percent: 100.0, profile: "reads", ..writes };
    let large = |shape| Shape { block_bytes: 4 * writes.block_bytes, ..shape };
    let shapes = match settling {
        Settling::Saturation => vec![writes],
        _ => vec![reads, large(reads), writes, large(writes)],
    };
    let count: u32 = if settling == Settling::Early { 3 } else { 7 };
    let change = if settling == Settling::Unsteady { 0.08 } else { 0.01 };
    let one = |shape: &Shape, round: u32| {
        let point = scaled(point(shape, 8), 1.0 - change * f64::from(round));
        let measured_s = if settling == Settling::ByMinutes { 60.0 } else { point.measured_s };
        PointResult { repetition: round, measured_s, verdict: Verdict::Fixed, ..point }
    };
    let rounds = (0..count).flat_map(|round| shapes.iter().map(move |shape| (shape, round)));
    let points: Vec<PointResult> = rounds.map(|(shape, round)| one(shape, round)).collect();
    let quantity = match settling {
        Settling::Latency => TrackedQuantity::Mean,
        _ => TrackedQuantity::Rate,
    };
    let found = rounds_of(&points, quantity);
    let counted = counted_points(&points, Some(&found)).into_owned();
    let mut run = document(counted, &[RULE]);
    run.points = points;
    run.analysis.rounds = Some(found);
    if settling == Settling::Simulated {
        run.environment.targets[0].kind = TargetKind::Sim;
    }
    if settling == Settling::Prepared {
        let mut factors = file_systems();
        factors.factors[0].levels.truncate(1);
        run.plan = plan_varying(&factors, &[RULE]);
    }
    run
}

/// The test over the last five rounds of the last series.
fn rounds_of(points: &[PointResult], quantity: TrackedQuantity) -> RoundsAnalysis {
    let last = points.last().expect("a point");
    let rounds = last.repetition + 1;
    let own = points.iter().filter(|point| point.series == last.series);
    let number = |point: &PointResult| match quantity {
        TrackedQuantity::Rate => point.rate.mean,
        TrackedQuantity::Mean => point.latency_ms.mean,
    };
    let window: Vec<u32> =
        rounds.checked_sub(5).map_or(Vec::new(), |first| (first..rounds).collect());
    let values: Vec<f64> =
        own.filter(|point| window.contains(&point.repetition)).map(number).collect();
    // They change by the same from each round to the next, so the line goes through all of them.
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let ends = values.first().zip(values.last());
    let change = ends.map(|(first, last)| 100.0 * (last - first) / mean);
    let is_steady = change.is_some_and(|change| change.abs() <= 10.0);
    let tracked = change.map(|change| TrackedSeries {
        series: last.series.clone(),
        mean,
        range_percent: change.abs(),
        slope_percent: change,
        is_steady,
    });
    let counted = points.iter().filter(|point| point.repetition + 1 == rounds);
    let cell = |point: &PointResult| RoundCell {
        series: point.series.clone(),
        rate: point.rate.mean,
        volume: point.volume.map(|volume| volume.mean),
        latency_mean_ms: point.latency_ms.mean,
        latency_max_ms: point.latency_ms.max,
    };
    RoundsAnalysis {
        rounds,
        rounds_max: 7,
        attained: is_steady,
        window,
        quantity,
        range_percent_max: 20.0,
        slope_percent_max: 10.0,
        tracked: tracked.into_iter().collect(),
        cells: counted.map(cell).collect(),
    }
}

/// The same run, whose first series was measured at the same moment as another.
fn side_by_side(mut run: RunDocument) -> RunDocument {
    let first = run.points[0].series.clone();
    let series = "nightly/restore/64KiB".to_owned();
    let other = BesideResult { series, load: LoadLevel::outstanding(1) };
    let own = run.points.iter_mut().filter(|point| point.series == first);
    own.for_each(|point| point.beside = vec![other.clone()]);
    run
}

/// The same run, whose first series, `count` of them, have their own rule, and the class decides the rest.
fn own_rules(mut run: RunDocument, count: usize) -> RunDocument {
    let names = distinct(run.points.iter().map(|point| point.series.clone()));
    let own: Vec<&String> = names.iter().take(count).collect();
    let (theirs, rest): (Vec<PointResult>, Vec<PointResult>) =
        run.points.iter().cloned().partition(|point| own.contains(&&point.series));
    let rule: Rule = OWN_RULE.parse().expect("a rule");
    let others: [Rule; 1] = [RULE.parse().expect("a rule")];
    run.analysis.summaries = summarize(&theirs, &[rule]);
    run.analysis.summaries.extend(summarize(&rest, &others));
    let series = names.iter().map(|name| match own.contains(&name) {
        true => json!({"name": name, "together": {"group": "nightly", "rules": [OWN_RULE]}}),
        false => json!({"name": name}),
    });
    run.plan["series"] = series.collect();
    run.plan["target_class"] = json!({"class": "rotational", "because": "sdb is rotational"});
    run
}

/// A setting that commands change.
fn file_systems() -> Factors {
    serde_json::from_value(json!({
        "design": "full",
        "order": "random",
        "factors": [{
            "name": "file_system",
            "levels": ["ext4", "xfs"],
            "commands": {
                "set": ["./set", "{level}"],
                "check": ["./check"],
                "expect": "{level}",
                "restore": ["./restore"],
            },
            "settle": 0,
        }],
    }))
    .expect("factors")
}

/// The part that is busy: controllers at the most drives.
fn busy(point: &PointResult) -> Utilisation {
    let name = if point.factors["drives"] == "80" { "controllers" } else { "drives" };
    let part = PartUtilisation {
        name: name.to_owned(),
        count: 2,
        mean_percent: 97.0,
        highest_percent: 98.0,
    };
    Utilisation { parts: vec![part], ..Utilisation::default() }
}
