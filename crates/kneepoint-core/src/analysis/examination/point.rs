//! Points: ranges, identities, and what the plan says.

use super::{Origin, Place, time};
use crate::measure::search::AGAIN_MAX;
use crate::plan::{Engine, Plan, SeriesPlan};
use crate::result::series_key::SeriesKey;
use crate::result::{
    AGAIN_FROM, ClassResult, FLUSH, IntervalResult, Latency, PointResult, PointTrends,
    StorageResult, TargetResult, Throughput, ThroughputUnit,
};
use crate::spec::grid::{KneePlan, SearchPlan};
use crate::spec::profile::{Durability, ResolvedProfile};
use crate::words::fault::Fault;
use crate::words::load::LoadLevel;
use crate::words::rule::Metric;
use crate::words::units::MIB;
use std::collections::{BTreeMap, BTreeSet};

/// More I/Os per second than any storage target serves: memory itself serves some 10^7.
const IOPS_MAX: f64 = 1e8;

/// The same for targets that are not there: nothing but the generator, or a simulated system.
const IOPS_MAX_UNREAL: f64 = 1e12;

/// Longest response time that a histogram holds, many times over: a year in milliseconds.
const LATENCY_MAX_MS: f64 = 3.2e10;

/// Longest measured time of a point in seconds: a hundred years.
const SECONDS_MAX: f64 = 3.2e9;

/// Most processors that the generator may keep busy.
const CPUS_MAX: f64 = 65_536.0;

/// Little's law holds within this share; what was in flight at the ends is counted once or not.
const LITTLE: f64 = 0.01;

/// What a plan knows, to be found by name.
#[derive(Debug)]
pub(super) struct Known<'a> {
    plan: &'a Plan,
    /// Of several series of one key the first.
    series: BTreeMap<SeriesKey<'a>, &'a SeriesPlan>,
    targets: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    pub(super) fn of(plan: &'a Plan) -> Self {
        let mut series = BTreeMap::new();
        for planned in &plan.series {
            series.entry(planned.key()).or_insert(planned);
        }
        let targets = plan.targets.iter().map(|target| target.target.as_str()).collect();
        Self { plan, series, targets }
    }
}

/// Examines the point `index` of a run.
pub(super) fn examine(
    (index, point): (usize, &PointResult),
    known: Option<&Known<'_>>,
    origin: Origin,
) -> Result<(), Fault> {
    let place = Place(format!("point {} ({}, {})", index + 1, point.key(), point.load));
    load(&place, point)?;
    times(&place, point)?;
    shares(&place, point)?;
    let weight = weight(point, known);
    ranges(&place, point)?;
    if origin == Origin::Measured {
        rates(&place, point, weight)?;
    }
    latency(&place, "latency_ms", &point.latency_ms, point.operations)?;
    classes(&place, point, (weight, origin))?;
    for interval in &point.intervals {
        interval_of(&place, interval)?;
    }
    point.targets.iter().try_for_each(|target| target_of(&place, target))?;
    trends(&place, point)?;
    targets_together(&place, point)?;
    known.map_or(Ok(()), |known| of_plan(&place, point, known))
}

/// The load: a positive number, whole if its unit is.
fn load(place: &Place, point: &PointResult) -> Result<(), Fault> {
    let LoadLevel { value, unit } = point.load;
    place.between("load.value", value, (1e-9, IOPS_MAX_UNREAL))?;
    if unit.is_whole() && value.fract() != 0.0 {
        return Err(place.fault("load.value", &value.to_string(), "a whole number"));
    }
    Ok(())
}

fn times(place: &Place, point: &PointResult) -> Result<(), Fault> {
    if !point.started_at.is_empty() {
        time(place, "started_at", &point.started_at)?;
    }
    place.between("ramp_s", point.ramp_s, (0.0, SECONDS_MAX))?;
    place.between("measured_s", point.measured_s, (0.0, SECONDS_MAX))?;
    if point.operations > 0 && point.measured_s <= 0.0 {
        let expected = format!("more than 0: {} I/Os completed", point.operations);
        return Err(place.fault("measured_s", &point.measured_s.to_string(), &expected));
    }
    Ok(())
}

/// How fast the numbers changed: errors are not negative.
fn trends(place: &Place, point: &PointResult) -> Result<(), Fault> {
    let Some(PointTrends { rate, latency_ms }) = point.trends else { return Ok(()) };
    let named = [("trends.rate", rate), ("trends.latency_ms", latency_ms)];
    let known = named.iter().filter_map(|(name, trend)| Some((name, (*trend)?)));
    known.into_iter().try_for_each(|(name, trend)| {
        place.at_least(&format!("{name}.standard_error"), trend.standard_error, 0.0)
    })
}

fn shares(place: &Place, point: &PointResult) -> Result<(), Fault> {
    let share = (-1e-6, 100.0 + 1e-6);
    if let Some(storage) = point.storage {
        place.between("storage.read_percent", storage.read_percent, share)?;
        place.between("storage.random_percent", storage.random_percent, share)?;
    }
    if let Some(percent) = point.cpu_percent {
        place.between("cpu_percent", percent, (0.0, 100.0 * CPUS_MAX))?;
    }
    let Some(time) = &point.processor_time else { return Ok(()) };
    let named = [
        ("elapsed_s", time.elapsed_s),
        ("capacity_s", time.capacity_s),
        ("user_s", time.user_s),
        ("system_s", time.system_s),
        ("load_user_s", time.load_user_s),
        ("load_system_s", time.load_system_s),
        ("stolen_s", time.stolen_s),
        ("waited_s", time.waited_s.unwrap_or_default()),
    ];
    let mut named = named.into_iter();
    named
        .try_for_each(|(name, value)| place.at_least(&format!("processor_time.{name}"), value, 0.0))
}

/// What an operation counts in rates; `None` if that cannot be known without the plan.
fn weight(point: &PointResult, known: Option<&Known<'_>>) -> Option<f64> {
    match point.rate.unit {
        ThroughputUnit::Ratio => Some(known?.series.get(&point.key())?.profile.weight()),
        ThroughputUnit::Iops | ThroughputUnit::OperationsPerS | ThroughputUnit::MibPerS => {
            Some(1.0)
        }
    }
}

/// Rates that can be.
fn ranges(place: &Place, point: &PointResult) -> Result<(), Fault> {
    place.between("rate.mean", point.rate.mean, (0.0, IOPS_MAX_UNREAL))?;
    place.half_width("rate.ci95", point.rate.ci95)?;
    if let Some(volume) = point.volume {
        place.at_least("volume.mean", volume.mean, 0.0)?;
        place.half_width("volume.ci95", volume.ci95)?;
    }
    Ok(())
}

/// Rates against counts and times.
fn rates(place: &Place, point: &PointResult, weight: Option<f64>) -> Result<(), Fault> {
    if let Some(weight) = weight.filter(|_| point.measured_s > 0.0) {
        let expected = weight * point.operations as f64 / point.measured_s;
        place.equal("rate.mean", point.rate.mean, (expected, "operations over measured_s"))?;
    }
    point.storage.map_or(Ok(()), |storage| little(place, point, &storage))
}

/// Little's law.
fn little(place: &Place, point: &PointResult, storage: &StorageResult) -> Result<(), Fault> {
    const FIELD: &str = "storage.achieved_outstanding";
    let targets = point.targets.len().max(1) as f64;
    let flushes = point.classes.get(FLUSH).filter(|_| point.flushes());
    let flushing = flushes.map_or(0.0, |class| class.rate * class.latency_ms.mean);
    let little = (point.rate.mean * point.latency_ms.mean + flushing) / 1e3 / targets;
    let off = storage.achieved_outstanding - little;
    place.at_least(FIELD, storage.achieved_outstanding, 0.0)?;
    // I/Os that outlast the measured time are in the mean response time whole, but were in flight
    // for a part of it: less can have been achieved.
    let has_stalled = {
        // Version 1 wrote the time into the name of those that did not come back.
        point.warnings.iter().any(|warning| warning.bare().kind().starts_with("stalled"))
    };
    let is_wrong = if has_stalled { off } else { off.abs() } > LITTLE * little.max(1e-9);
    if is_wrong {
        let expected = format!("{little}, rate times mean response time (Little's law)");
        return Err(place.fault(FIELD, &storage.achieved_outstanding.to_string(), &expected));
    }
    Ok(())
}

/// A distribution of response times: within its extremes, in order.
fn latency(place: &Place, name: &str, latency: &Latency, operations: u64) -> Result<(), Fault> {
    let field = |part: &str| format!("{name}.{part}");
    let parts = [
        ("min", latency.min),
        ("p50", latency.p50),
        ("p90", latency.p90),
        ("p95", latency.p95),
        ("p99", latency.p99),
        ("p99_9", latency.p99_9),
        ("p99_99", latency.p99_99),
        ("max", Some(latency.max)),
    ];
    let known: Vec<(String, f64)> =
        parts.iter().filter_map(|(part, value)| Some((field(part), (*value)?))).collect();
    for (name, value) in &known {
        place.between(name, *value, (0.0, LATENCY_MAX_MS))?;
    }
    let ordered: Vec<(&str, f64)> =
        known.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    place.rising(&ordered)?;
    place.half_width(&field("ci95"), latency.ci95)?;
    for metric in [Metric::P50, Metric::P90, Metric::P95, Metric::P99, Metric::P999, Metric::P9999]
    {
        let interval = latency.percentiles_ci95.and_then(|known| known.get(metric));
        let (Some([low, high]), Some(middle)) = (interval, latency.of(metric)) else { continue };
        let name = field(&format!("percentiles_ci95.{metric}"));
        place.between(&name, low, (0.0, middle))?;
        place.between(&name, high, (middle, LATENCY_MAX_MS))?;
    }
    place.between(&field("mean"), latency.mean, (0.0, LATENCY_MAX_MS))?;
    if operations > 0 {
        let (mean, max) = (field("mean"), field("max"));
        let least = latency.min.map(|min| (field("min"), min));
        let least = least.iter().map(|(name, min)| (name.as_str(), *min));
        let ends = [(mean.as_str(), latency.mean), (max.as_str(), latency.max)];
        place.rising(&least.chain(ends).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// The response classes, which together are all.
fn classes(
    place: &Place,
    point: &PointResult,
    (weight, origin): (Option<f64>, Origin),
) -> Result<(), Fault> {
    let weight = weight.filter(|_| origin == Origin::Measured);
    for (name, class) in &point.classes {
        class_of(place, (name, class), (point.measured_s, weight))?;
    }
    if origin == Origin::Imported {
        return Ok(());
    }
    let counted = || point.classes.iter().filter(|(name, _)| point.counts_class(name));
    let counts = || counted().map(|(_, class)| class.operations);
    let together = counts().try_fold(0_u64, u64::checked_add);
    if together != Some(point.operations) {
        let counts: Vec<String> = counts().map(|count| count.to_string()).collect();
        let expected = format!("the sum of the classes: {}", counts.join(" + "));
        return Err(place.fault("operations", &point.operations.to_string(), &expected));
    }
    let Some(volume) = point.volume else { return Ok(()) };
    let sum = counted().filter_map(|(_, class)| class.volume).sum();
    place.equal("volume.mean", volume.mean, (sum, "all classes together"))
}

fn class_of(
    place: &Place,
    (name, class): (&str, &ClassResult),
    (seconds, weight): (f64, Option<f64>),
) -> Result<(), Fault> {
    let field = |part: &str| format!("classes.{name}.{part}");
    place.between(&field("rate"), class.rate, (0.0, IOPS_MAX_UNREAL))?;
    volume(place, &field("volume"), class.volume)?;
    if let Some(weight) = weight.filter(|_| seconds > 0.0) {
        let expected = (weight * class.operations as f64 / seconds, "operations over measured_s");
        place.equal(&field("rate"), class.rate, expected)?;
    }
    latency(place, &field("latency_ms"), &class.latency_ms, class.operations)
}

/// MiB per second, if there are any.
fn volume(place: &Place, field: &str, value: Option<f64>) -> Result<(), Fault> {
    value.map_or(Ok(()), |value| place.at_least(field, value, 0.0))
}

fn interval_of(place: &Place, interval: &IntervalResult) -> Result<(), Fault> {
    place.between("intervals.start_s", interval.start_s, (0.0, SECONDS_MAX))?;
    place.between("intervals.length_s", interval.length_s, (0.0, SECONDS_MAX))?;
    place.between("intervals.rate", interval.rate, (0.0, IOPS_MAX_UNREAL))?;
    volume(place, "intervals.volume", interval.volume)?;
    let mean = ("intervals.latency_mean_ms", interval.latency_mean_ms);
    let max = ("intervals.latency_max_ms", interval.latency_max_ms);
    place.between(mean.0, mean.1, (0.0, LATENCY_MAX_MS))?;
    place.between(max.0, max.1, (0.0, LATENCY_MAX_MS))?;
    place.rising(&[mean, max])
}

fn target_of(place: &Place, target: &TargetResult) -> Result<(), Fault> {
    place.between("targets.rate", target.rate, (0.0, IOPS_MAX_UNREAL))?;
    volume(place, "targets.volume", target.volume)?;
    let latency = target.latency_ms;
    let parts = [
        ("targets.latency_ms.min", latency.min),
        ("targets.latency_ms.mean", latency.mean),
        ("targets.latency_ms.max", latency.max),
    ];
    parts
        .iter()
        .try_for_each(|(name, value)| place.between(name, *value, (0.0, LATENCY_MAX_MS)))?;
    place.rising(&parts)
}

/// The targets' rates add up to those of the point.
fn targets_together(place: &Place, point: &PointResult) -> Result<(), Fault> {
    if point.targets.is_empty() {
        return Ok(());
    }
    let sum = |part: fn(&TargetResult) -> f64| point.targets.iter().map(part).sum::<f64>();
    let all = "all targets together";
    place.equal("rate.mean", point.rate.mean, (sum(|target| target.rate), all))?;
    let Some(volume) = point.volume else { return Ok(()) };
    place.equal("volume.mean", volume.mean, (sum(|target| target.volume.unwrap_or(0.0)), all))
}

/// What the plan says of the point.
fn of_plan(place: &Place, point: &PointResult, known: &Known<'_>) -> Result<(), Fault> {
    let plan = known.plan;
    let Some(series) = known.series.get(&point.key()) else {
        let names: Vec<String> =
            plan.series.iter().map(|series| series.key().to_string()).collect();
        let expected = format!("one of the plan's: {}", names.join(", "));
        return Err(place.fault("series", &format!("'{}'", point.key()), &expected));
    };
    let is_unreal = matches!(plan.engine.engine, Engine::Null | Engine::Sim);
    if !is_unreal {
        let most = IOPS_MAX * plan.targets.len().max(1) as f64;
        place.between("iops.mean", point.rate.mean, (0.0, most))?;
    }
    // A search measures a disturbed load again, and counts on; so does who visits loads.
    let again_max = match series.search {
        SearchPlan::Grid => 0,
        SearchPlan::Knee(KneePlan { answer: Some(_), .. }) | SearchPlan::ByTurns => u32::MAX,
        SearchPlan::Knee(_) => AGAIN_MAX as u32,
    };
    let count = plan.repetitions.max(1);
    if point.repetition_of_plan() >= count || point.repetition / AGAIN_FROM > again_max {
        let expected = format!("below {count}, the plan's repetitions");
        return Err(place.fault("repetition", &point.repetition.to_string(), &expected));
    }
    let is_stranger = |target: &&TargetResult| !known.targets.contains(target.target.as_str());
    if let Some(stranger) = point.targets.iter().find(is_stranger) {
        let value = format!("'{}'", stranger.target);
        return Err(place.fault("targets.target", &value, "a target of the plan"));
    }
    of_series(place, point, series)
}

/// The profile of the series: shares and blocks.
fn of_series(place: &Place, point: &PointResult, series: &SeriesPlan) -> Result<(), Fault> {
    let profile = &series.profile;
    if point.profile != profile.name() {
        let expected = format!("'{}', the profile of the series", profile.name());
        return Err(place.fault("profile", &format!("'{}'", point.profile), &expected));
    }
    let of_profile = "as the profile says";
    let (Some(storage), Some(profile)) = (point.storage, profile.storage()) else {
        return match (point.storage, profile.storage()) {
            (Some(_), None) => Err(place.fault("storage", "there", "null, as users do no I/O")),
            (None, Some(_)) if point.operations > 0 => {
                Err(place.fault("storage", "null", "there, as the profile does I/O"))
            }
            _ => Ok(()),
        };
    };
    let read = (profile.read_percent(), of_profile);
    place.equal("storage.read_percent", storage.read_percent, read)?;
    let random = (profile.random_percent(), of_profile);
    place.equal("storage.random_percent", storage.random_percent, random)?;
    let blocks = profile.block_bytes_mean().round();
    place.equal("storage.block_bytes", storage.block_bytes as f64, (blocks, of_profile))?;
    if storage.durability != profile.durability {
        let told = |durability: Durability| match durability.phrases().collect::<Vec<_>>() {
            how if how.is_empty() => "left to the target".to_owned(),
            how => how.join(", "),
        };
        let expected = format!("{}, as the profile says", told(profile.durability));
        return Err(place.fault("storage.durability", &told(storage.durability), &expected));
    }
    volume_of_blocks(place, point, profile)
}

/// Throughput against I/Os and the sizes of their blocks.
fn volume_of_blocks(
    place: &Place,
    point: &PointResult,
    profile: &ResolvedProfile,
) -> Result<(), Fault> {
    let used = || profile.lines.iter().filter(|line| line.share.get() > 0.0);
    let least = used().map(|line| line.block_bytes).min().unwrap_or(0);
    let most = used().map(|line| line.block_bytes).max().unwrap_or(0);
    let (least, most) = match &profile.trace {
        // Any part of a trace can have been issued.
        Some(trace) => (1, trace.issued_bytes_max()),
        None => (least, most),
    };
    let mib_s = |block: u64| point.rate.mean * block as f64 / MIB as f64;
    let (low, high) = (mib_s(least), mib_s(most));
    let Some(Throughput { mean: value, .. }) = point.volume else { return Ok(()) };
    if least == most {
        let expected = (low, "IO/s times the block size");
        return place.equal("volume.mean", value, expected);
    }
    let slack = 1e-6 * high;
    place.between("volume.mean", value, (low - slack, high + slack))
}
