//! A measured point as it is in the result: from exact sums to rates and percentiles.

use super::confidence::{Stability, percentile_interval};
use super::measurement::{MeasuredClass, Measurement};
use super::steady_state::{convergence_result, convergence_warning};
use super::trust::{HostStart, Observation, disturbed_percent, findings};
use super::{Outcome, Point};
use crate::load::record::histogram::{Histogram, Quantiles, Readout};
use crate::load::record::interval::{IntervalRecord, Tally};
use crate::plan::{Arrivals, Engine, StopRule, TargetPlan};
use crate::result::{
    ClassResult, Estimate, HostResult, IntervalClass, IntervalResult, Latency, OpenLoopResult,
    PercentileIntervals, PointResult, PointTrends, ProcessorTimeResult, Severity, StorageResult,
    TargetLatency, TargetResult, Throughput, ThroughputUnit, TrendResult, Verdict, Warning,
    lags_behind, median_host,
};
use crate::words::load::LoadUnit;
use crate::words::units::{Bytes, Nanos};
use std::collections::BTreeMap;

/// Requested and achieved outstanding I/Os may differ by this share before a warning.
const ACHIEVED_TOLERANCE: f64 = 0.05;

/// Intervals in the result are about this long.
const RESULT_INTERVAL: Nanos = Nanos::from_secs(1);

/// The result of `point` from what its measurement gave.
pub fn point_result(point: &Point<'_>, outcome: &Outcome) -> PointResult {
    let (measurement, profile) = (&outcome.measurement, &point.series.profile);
    let scale = Scale::of(point, measurement.measured());
    let total = measurement.total();
    let rates = scale.rates(&total);
    let mut latency = latency(&measurement.all_responses(), &measurement.histogram());
    latency.ci95 = measurement.latency_ms_ci95();
    let counted = measurement.counted();
    let latency = with_intervals(latency, measurement, (&counted, &measurement.histogram()));
    let (disturbing, limiting): (Vec<Warning>, Vec<Warning>) = outcome
        .warnings
        .iter()
        .cloned()
        .partition(|warning| warning.severity() == Severity::Disturbs);
    let mut findings = findings(point, outcome);
    findings.extend(disturbing);
    let verdict = verdict(point, outcome, &findings);
    let targets_f64 = point.plan.targets.len().max(1) as f64;
    let mut result = PointResult {
        series: point.series.name.clone(),
        profile: profile.name().to_owned(),
        factors: point.series.factors.clone(),
        settings: point.series.settings.clone(),
        repetition: point.repetition,
        load: point.load,
        beside: Vec::new(),
        open_loop: open_loop_result(point, measurement),
        verdict,
        disturbed_percent: (verdict == Verdict::Disturbed)
            .then(|| disturbed_percent(&findings))
            .flatten(),
        started_at: outcome.started_at.clone(),
        ramp_s: measurement.ramp().as_secs_f64(),
        measured_s: scale.seconds,
        operations: total.operations,
        errors: outcome.error_count(),
        error_samples: error_samples(point, outcome),
        rate: Throughput {
            mean: rates.per_s,
            ci95: measurement.iops_ci95().map(|width| scale.weight * width),
            unit: ThroughputUnit::under(point.load.unit),
        },
        volume: rates
            .mib_s
            .map(|mean| Throughput::mib_s(Estimate { mean, ci95: measurement.mib_s_ci95() })),
        latency_ms: latency,
        classes: classes(measurement, scale),
        storage: profile.storage().map(|profile| StorageResult {
            block_bytes: profile.block_bytes_mean().round() as u64,
            read_percent: profile.read_percent(),
            random_percent: profile.random_percent(),
            achieved_outstanding: measurement.outstanding_mean() / targets_f64,
            durability: profile.durability,
        }),
        hosts: hosts(point, outcome, scale),
        cpu_percent: Some(outcome.cpu_percent),
        processor_time: processor_time(outcome),
        targets: targets(point, outcome, scale),
        intervals: intervals(measurement, scale),
        histograms: None,
        steady_state: measurement.convergence.as_ref().map(convergence_result),
        simulated: outcome.simulated.clone(),
        trends: trends(point, measurement),
        warnings: Vec::new(),
    };
    result.warnings = limiting;
    result.warnings.extend(warnings(point, outcome, &result));
    result.warnings.extend(findings);
    result
}

impl PointResult {
    /// Marks a point as disturbed by what was noticed only after it. A point that failed stays
    /// failed.
    pub fn disturb(&mut self, warning: Warning) {
        if self.verdict != Verdict::Failed {
            self.verdict = Verdict::Disturbed;
        }
        self.warnings.push(warning);
    }
}

/// How fast the numbers of a point that is measured until it is steady changed: later points of its
/// profile rest on it.
fn trends(point: &Point<'_>, measurement: &Measurement) -> Option<PointTrends> {
    let assessment = &measurement.assessment;
    let of = |slope| measurement.per_second(slope).map(TrendResult::of);
    matches!(point.plan.timing.stop, StopRule::Confidence { .. }).then(|| PointTrends {
        rate: of(assessment.operations_slope),
        latency_ms: of(assessment.latency_slope),
    })
}

/// Where the processor time of the only machine went.
fn processor_time(outcome: &Outcome) -> Option<ProcessorTimeResult> {
    let [Observation { seconds, processor: Some(time), waits, .. }] = &outcome.observations[..]
    else {
        return None;
    };
    Some(ProcessorTimeResult {
        elapsed_s: *seconds,
        capacity_s: time.capacity_s,
        user_s: time.user_s.max(0.0),
        system_s: time.system_s.max(0.0),
        load_user_s: time.own_user_s.max(0.0),
        load_system_s: time.own_system_s.max(0.0),
        stolen_s: time.stolen_s.max(0.0),
        waited_s: waits.any_s,
    })
}

/// What a tally is divided by.
#[derive(Clone, Copy)]
struct Scale {
    seconds: f64,
    is_io: bool,
    /// What an operation counts.
    weight: f64,
}

/// What completed per second.
struct Rates {
    per_s: f64,
    mib_s: Option<f64>,
}

impl Scale {
    fn of(point: &Point<'_>, measured: Nanos) -> Self {
        let profile = &point.series.profile;
        let (is_io, weight) = (profile.storage().is_some(), profile.weight());
        Self { seconds: measured.as_secs_f64(), is_io, weight }
    }

    /// The same over another time.
    const fn over(self, seconds: f64) -> Self {
        Self { seconds, ..self }
    }

    fn rates(self, tally: &Tally) -> Rates {
        let per_s = |sum: f64| if self.seconds > 0.0 { sum / self.seconds } else { 0.0 };
        Rates {
            per_s: per_s(self.weight * tally.operations as f64),
            mib_s: self.is_io.then(|| per_s(Bytes(tally.bytes).as_mib_f64())),
        }
    }
}

/// The distribution of a tally's response times; percentiles never exceed the exact maximum.
fn latency(tally: &Tally, histogram: &Histogram) -> Latency {
    if tally.operations == 0 {
        return Latency::default();
    }
    let extremes = Latency {
        mean: tally.latency_ns_mean() / 1e6,
        min: Some(tally.latency_min.as_millis_f64()),
        max: tally.latency_max.as_millis_f64(),
        ..Latency::default()
    };
    percentiles(extremes, histogram)
}

/// `latency` with the confidence intervals of its percentiles: those of `classes`, whose response times
/// `histogram` has.
fn with_intervals(
    latency: Latency,
    measurement: &Measurement,
    (classes, histogram): (&[usize], &Histogram),
) -> Latency {
    let min = latency.min.unwrap_or(0.0);
    let percentiles_ci95 = PercentileIntervals::of(|metric| {
        let percent = metric.percent()?;
        let ends = percentile_interval(percent, (&measurement.intervals, classes), histogram)?;
        Some(ends.map(|end| end.as_millis_f64().clamp(min, latency.max)))
    });
    Latency { percentiles_ci95, ..latency }
}

/// `latency` with the percentiles of `histogram`, none of them outside of its extremes.
pub(crate) fn percentiles(latency: Latency, histogram: &Histogram) -> Latency {
    let min = latency.min.unwrap_or(0.0);
    latency.with_percentiles(|percent| {
        let value = histogram.percentile(percent).unwrap_or(Nanos::ZERO);
        Some(value.as_millis_f64().clamp(min, latency.max))
    })
}

fn classes(measurement: &Measurement, scale: Scale) -> BTreeMap<String, ClassResult> {
    let class = |(index, class): (usize, &MeasuredClass)| {
        let responses = measurement.responses(index);
        let rates = scale.rates(&class.tally);
        (responses.operations > 0).then(|| {
            let result = ClassResult {
                operations: class.tally.operations,
                rate: rates.per_s,
                volume: rates.mib_s.filter(|_| class.name.is_counted()),
                latency_ms: with_intervals(
                    latency(&responses, &class.histogram),
                    measurement,
                    (&[index], &class.histogram),
                ),
            };
            (class.name.to_string(), result)
        })
    };
    measurement.classes.iter().enumerate().filter_map(class).collect()
}

fn targets(point: &Point<'_>, outcome: &Outcome, scale: Scale) -> Vec<TargetResult> {
    let measurement = &outcome.measurement;
    let measured = measurement.targets.iter().zip(&outcome.errors);
    let named = point.plan.targets.iter().zip(measured).enumerate();
    named
        .map(|(number, (target, (total, errors)))| {
            let rates = scale.rates(total);
            TargetResult {
                target: target.target.clone(),
                host: target.host.clone(),
                rate: rates.per_s,
                volume: rates.mib_s,
                latency_ms: target_latency(&measurement.responses_of_target(number)),
                errors: *errors,
            }
        })
        .collect()
}

/// Operations that are independent of each other scatter by the root of their number; among a thousand hosts
/// one lacks four times as many by chance once in thirty points.
const CHANCE: f64 = 4.0;

/// Hosts whose targets do much less than those of the median host, and by more than what comes and goes by
/// chance.
fn stragglers(result: &PointResult) -> Vec<Warning> {
    let targets = |host: &HostResult| {
        let own = result.targets.iter().filter(|target| target.host == host.host);
        own.count().max(1) as f64
    };
    let of_target = |host: &HostResult| host.rate / targets(host);
    if result.hosts.iter().any(|host| host.users.is_some()) {
        // Hosts do not have equally many users, and what each does is up to the server.
        return Vec::new();
    }
    let rates: Vec<f64> = result.hosts.iter().map(of_target).collect();
    let Some(median_rate) = median_host(&rates) else { return Vec::new() };
    let lacks = |host: &HostResult| {
        let expected = median_rate * targets(host) * result.measured_s;
        expected - host.rate * result.measured_s > CHANCE * libm::sqrt(expected)
    };
    let lags = |host: &HostResult| lags_behind(of_target(host), median_rate) && lacks(host);
    let lagging = result.hosts.iter().filter(|host| lags(host));
    let warning = |host: &HostResult| Warning::HostLags {
        host: host.host.clone(),
        rate: of_target(host),
        median_rate,
        unit: result.rate.unit,
    };
    lagging.map(warning).collect()
}

/// The part of each host of a fleet; nothing where one machine measures.
fn hosts(point: &Point<'_>, outcome: &Outcome, scale: Scale) -> Vec<HostResult> {
    let measurement = &outcome.measurement;
    let part = |host: &str| {
        let of_host =
            |(number, target): (usize, &TargetPlan)| (target.host == host).then_some(number);
        let own: Vec<usize> = point.plan.targets.iter().enumerate().filter_map(of_host).collect();
        let tallies = own.iter().map(|number| &measurement.targets[*number]);
        let responses: Vec<Tally> =
            own.iter().map(|number| measurement.responses_of_target(*number)).collect();
        let start = outcome.starts.iter().find(|start| start.host == host);
        HostResult {
            host: host.to_owned(),
            rate: scale.rates(&Tally::of_all(tallies)).per_s,
            latency_ms: target_latency(&Tally::of_all(&responses)),
            users: (point.load.unit == LoadUnit::Users)
                .then(|| point.plan.share_of(host).of(point.load.value as usize) as u64),
            cpu_percent: start.map(|start| start.cpu_percent),
            start: start.map(HostStart::result),
        }
    };
    point.plan.hosts().into_iter().map(part).collect()
}

fn target_latency(total: &Tally) -> TargetLatency {
    if total.operations == 0 {
        return TargetLatency::default();
    }
    TargetLatency {
        mean: total.latency_ns_mean() / 1e6,
        min: total.latency_min.as_millis_f64(),
        max: total.latency_max.as_millis_f64(),
    }
}

/// The measured intervals, joined to about a second each.
fn intervals(measurement: &Measurement, scale: Scale) -> Vec<IntervalResult> {
    let interval = measurement.interval;
    let joined = (RESULT_INTERVAL.0 / interval.0.max(1)).max(1) as usize;
    let chunks = measurement.intervals.chunks(joined).enumerate();
    let mut readout = Readout::default();
    chunks
        .map(|(number, records)| {
            let start = Nanos(interval.0 * (number * joined) as u64);
            let end = start + Nanos(interval.0 * records.len() as u64);
            let length = end.min(measurement.measured()) - start;
            let scale = scale.over(length.as_secs_f64());
            interval_result((start, scale), (records, &measurement.classes), &mut readout)
        })
        .collect()
}

fn interval_result(
    (start, scale): (Nanos, Scale),
    (records, classes): (&[IntervalRecord], &[MeasuredClass]),
    readout: &mut Readout,
) -> IntervalResult {
    let sum = |class| Tally::of_all(records.iter().map(|record| &record.classes[class]));
    let tallies: Vec<Tally> = (0..classes.len()).map(sum).collect();
    let named = || classes.iter().zip(&tallies).enumerate();
    let counted = || named().filter(|(_, (class, _))| class.name.is_counted());
    let total = Tally::of_all(counted().map(|(_, (_, tally))| tally));
    let rates = scale.rates(&total);
    let numbers: Vec<usize> = counted().map(|(index, _)| index).collect();
    let quantiles = readout.quantiles(records, &numbers, &total);
    let classes = named().filter_map(|(index, (class, tally))| {
        let quantiles = readout.quantiles(records, &[index], tally)?;
        let scale = Scale { is_io: scale.is_io && class.name.is_counted(), ..scale };
        Some((class.name.to_string(), interval_class(tally, quantiles, scale)))
    });
    let classes = classes.collect();
    IntervalResult {
        start_s: start.as_secs_f64(),
        length_s: scale.seconds,
        rate: rates.per_s,
        volume: rates.mib_s,
        latency_mean_ms: total.latency_ns_mean() / 1e6,
        latency_max_ms: total.latency_max.as_millis_f64(),
        latency_p50_ms: quantiles.map(|quantiles| quantiles.p50.as_millis_f64()),
        latency_p99_ms: quantiles.map(|quantiles| quantiles.p99.as_millis_f64()),
        classes,
    }
}

fn interval_class(tally: &Tally, quantiles: Quantiles, scale: Scale) -> IntervalClass {
    let rates = scale.rates(tally);
    IntervalClass {
        rate: rates.per_s,
        volume: rates.mib_s,
        latency_mean_ms: tally.latency_ns_mean() / 1e6,
        latency_p50_ms: quantiles.p50.as_millis_f64(),
        latency_p99_ms: quantiles.p99.as_millis_f64(),
        latency_max_ms: tally.latency_max.as_millis_f64(),
    }
}

fn verdict(point: &Point<'_>, outcome: &Outcome, findings: &[Warning]) -> Verdict {
    let too_many_errors = outcome.error_count() > point.plan.errors_max;
    let is_broken = |finding: &Warning| {
        matches!(
            finding,
            Warning::TransactionFailed { .. }
                | Warning::FileOperationFailed { .. }
                | Warning::WrongData { .. }
        )
    };
    if too_many_errors || outcome.warnings.iter().any(is_broken) || outcome.lost > 0 {
        return Verdict::Failed;
    }
    if outcome.measurement.total().operations == 0 {
        return Verdict::Failed;
    }
    if findings.iter().any(|finding| finding.severity() == Severity::Disturbs) {
        return Verdict::Disturbed;
    }
    match outcome.measurement.assessment.stability {
        Stability::Steady => Verdict::Steady,
        Stability::TimeLimit => match point.plan.timing.stop {
            StopRule::FixedTime { .. } | StopRule::Rounds { rounds_max: 1, .. } => Verdict::Fixed,
            _ => Verdict::TimeLimit,
        },
        // A visit is too short for a trend; the search compares visits instead.
        Stability::Drifting if point.visit.is_some() => Verdict::Fixed,
        Stability::Drifting => Verdict::Drifting,
    }
}

/// The first errors, each with its target's name where there are several.
fn error_samples(point: &Point<'_>, outcome: &Outcome) -> Vec<String> {
    let name = |target: u32| &point.plan.targets[target as usize].target;
    outcome.error_samples.iter().map(|fault| format!("{}: {fault}", name(fault.target))).collect()
}

/// What limits the trust in the point.
fn warnings(point: &Point<'_>, outcome: &Outcome, result: &PointResult) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    if result.errors > 0 {
        let first = result.error_samples.first().cloned().unwrap_or_default();
        warnings.push(Warning::IoErrors { errors: result.errors, first });
    }
    warnings.extend(stragglers(result));
    if outcome.lost > 0 {
        let waited_s = point.plan.timing.drain_max.as_secs_f64();
        warnings.push(Warning::TargetHangs { lost: outcome.lost, waited_s });
    }
    let explains = |warning: &Warning| {
        matches!(warning, Warning::TransactionFailed { .. } | Warning::FileOperationFailed { .. })
    };
    let is_explained = result.warnings.iter().any(explains);
    if result.operations == 0 && result.errors == 0 && !is_explained {
        warnings.push(Warning::NothingCompleted);
    }
    warnings.extend(result.steady_state.as_ref().and_then(convergence_warning));
    warnings.extend(early_end(&point.plan.timing.stop, &outcome.measurement));
    warnings.extend(result.open_loop.as_ref().and_then(overload_warning));
    warnings.extend(achieved_warning(point, result));
    warnings
}

/// A point that could not become accurate, and was not measured for all of its time therefore.
fn early_end(stop: &StopRule, measurement: &Measurement) -> Option<Warning> {
    let StopRule::Confidence { accuracy, measure_max, .. } = stop else { return None };
    measurement.has_given_up.then(|| Warning::OutOfReach {
        measured_s: measurement.measured().as_secs_f64(),
        time_max_s: measure_max.as_secs_f64(),
        accuracy_percent: accuracy.get(),
    })
}

/// Requested against achieved outstanding I/Os; the null target has no queue to be full, nor has a profile that
/// pauses.
fn achieved_warning(point: &Point<'_>, result: &PointResult) -> Option<Warning> {
    let requested = (result.load.unit == LoadUnit::OutstandingIos).then_some(result.load.value)?;
    let achieved = result.storage?.achieved_outstanding;
    let off = (achieved / requested - 1.0).abs();
    let is_real = point.plan.engine.engine != Engine::Null;
    let pauses = point.series.profile.storage().is_some_and(|profile| profile.pauses());
    (is_real && !pauses && result.operations > 0 && off > ACHIEVED_TOLERANCE)
        .then_some(Warning::QueueNotFull { achieved, requested })
}

/// Delivering less than this share of the offered rate is an overload, chance apart.
const DELIVERED_SHARE_MIN: f64 = 0.98;

/// Standard deviations of a Poisson count that are put down to chance.
const CHANCE_DEVIATIONS: f64 = 4.0;

/// Lateness is worth a number above this share of the mean response time.
const LATE_SHARE_MIN: f64 = 0.01;

impl OpenLoopResult {
    /// The share of the mean response time by which I/Os were submitted late, from 0 to 1; 0 where
    /// nothing completed.
    pub fn lag_share(&self) -> f64 {
        let mean_ms = self.lag_mean_ms + self.service_mean_ms;
        if mean_ms > 0.0 { (self.lag_mean_ms / mean_ms).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Whether I/Os were submitted so late that the response times cannot be read without knowing
    /// it.
    pub fn is_late(&self) -> bool {
        self.lag_share() > LATE_SHARE_MIN
    }
}

/// What became of the offered rate of `point`; `None` in a closed loop.
pub(crate) fn open_loop_result(
    point: &Point<'_>,
    measurement: &Measurement,
) -> Option<OpenLoopResult> {
    if !point.load.unit.is_offered() {
        return None;
    }
    let seconds = measurement.measured().as_secs_f64();
    let total = measurement.total();
    let targets = point.plan.targets.len() as f64;
    let replayed = replayed_arrivals(point, measurement).filter(|_| seconds > 0.0);
    let offered_rate =
        replayed.map_or(point.load.value, |arrivals| arrivals as f64 / seconds) * targets;
    let delivered_rate = if seconds > 0.0 { total.operations as f64 / seconds } else { 0.0 };
    let offered = offered_rate * seconds;
    let least = DELIVERED_SHARE_MIN * offered - CHANCE_DEVIATIONS * offered.sqrt();
    let (lag_ns, latency_ns) = (total.lag_ns_mean(), total.latency_ns_mean());
    // Where in a trace a visit was is not known: fewer I/Os can be all that came.
    let is_known = replayed.is_some() || !is_replayed(point);
    let is_behind = is_known || lag_ns > latency_ns - lag_ns;
    Some(OpenLoopResult {
        offered_rate,
        delivered_rate,
        overloaded: (total.operations as f64) < least && is_behind,
        lag_mean_ms: lag_ns / 1e6,
        lag_max_ms: total.lag_max.as_millis_f64(),
        service_mean_ms: (latency_ns - lag_ns) / 1e6,
    })
}

/// Whether I/Os arrive as in a trace.
fn is_replayed(point: &Point<'_>) -> bool {
    point.plan.open_loop.arrivals == Arrivals::Recorded
        && point.series.profile.storage().is_some_and(|profile| profile.trace.is_some())
}

/// The I/Os of a trace that were to be issued on each target in the measured time; `None` for other work,
/// and for a visit of a search, which goes on somewhere in the trace.
fn replayed_arrivals(point: &Point<'_>, measurement: &Measurement) -> Option<u64> {
    if point.visit.is_some() || !is_replayed(point) {
        return None;
    }
    let trace = point.series.profile.storage()?.trace.as_ref()?;
    let ramp = Nanos(measurement.interval.0 * measurement.ramp_count as u64);
    let before = |time| trace.arrivals_before(time, point.load.value);
    before(ramp + measurement.measured())?.checked_sub(before(ramp)?)
}

/// What to say of a point whose target could not keep up.
fn overload_warning(result: &OpenLoopResult) -> Option<Warning> {
    let OpenLoopResult { offered_rate, delivered_rate, .. } = *result;
    result.overloaded.then_some(Warning::Overloaded { offered_rate, delivered_rate })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::drive::Flow;
    use crate::load::record::interval::Shape;
    use crate::measure::confidence::Occupancy;
    use crate::measure::measurement::Collector;
    use crate::plan::Timing;
    use crate::words::class::ClassName;
    use crate::words::units::Percent;

    /// A point of one outstanding I/O whose intervals of 100 ms have 100 I/Os, and in one of ten
    /// `burst` more; at most 30 s long.
    fn bursty(
        burst: u64,
        accuracy: f64,
        ends_early: fn(Collector) -> Collector,
    ) -> Option<Warning> {
        let (stop, collector) = collected((burst, accuracy), ends_early, u64::MAX);
        early_end(&stop, &collector.finish())
    }

    /// The same after this many intervals at the most, before it is judged.
    fn collected(
        (burst, accuracy): (u64, f64),
        ends_early: fn(Collector) -> Collector,
        intervals_max: u64,
    ) -> (StopRule, Collector) {
        let interval = Nanos::from_millis(100);
        let stop = StopRule::Confidence {
            accuracy: Percent::new(accuracy).unwrap(),
            drift: Percent::new(2.0 * accuracy).unwrap(),
            measure_min: Nanos::from_secs(2),
            measure_max: Nanos::from_secs(30),
        };
        let timing = Timing { ramp: Nanos::ZERO, interval, stop, drain_max: Nanos::ZERO };
        let occupancy =
            Occupancy::Constant { outstanding: 1.0, ns_per_interval: interval.0 as f64 };
        let mut collector = ends_early(Collector::new(&timing, occupancy, 1, &[ClassName::READ]));
        for index in 0..intervals_max {
            let chance = crate::words::seed::derive(7, "burst", index).is_multiple_of(10);
            let operations = 100 + if chance { burst } else { 0 };
            let mut record = IntervalRecord::empty(index, Shape::of_classes(1, &[ClassName::READ]));
            let latency_ns_sum = interval.0.into();
            record.classes[0] = Tally { operations, latency_ns_sum, ..Tally::EMPTY };
            if collector.push(record) == Flow::Stop {
                break;
            }
        }
        (timing.stop, collector)
    }

    #[test]
    fn a_point_whose_accuracy_is_out_of_reach_ends_early_and_says_so() {
        let Some(Warning::OutOfReach { measured_s, time_max_s, accuracy_percent }) =
            bursty(1_000, 5.0, Collector::ending_early)
        else {
            panic!("it ended early");
        };
        assert!((7.5..25.0).contains(&measured_s), "{measured_s}");
        assert_eq!((time_max_s, accuracy_percent), (30.0, 5.0));
        assert_eq!(bursty(1_000, 5.0, |collector| collector), None, "virtual time costs nothing");
        assert_eq!(bursty(1_000, 50.0, Collector::ending_early), None, "within reach");
        assert_eq!(bursty(0, 5.0, Collector::ending_early), None, "steady");
        // Out of reach as well, but it is another reason that ends it before a look is due.
        let (_, whole) = collected((1_000, 5.0), Collector::ending_early, u64::MAX);
        let one_less = whole.finish().intervals.len() as u64 - 1;
        let (stop, collector) = collected((1_000, 5.0), Collector::ending_early, one_less);
        let found = collector.finish();
        assert!(found.assessment.is_out_of_reach);
        assert_eq!(early_end(&stop, &found), None, "ended by something else");
    }

    #[test]
    fn lateness_is_told_above_a_hundredth_of_the_mean_response_time() {
        let open = |lag_mean_ms: f64, service_mean_ms: f64| OpenLoopResult {
            offered_rate: 1_000.0,
            delivered_rate: 1_000.0,
            overloaded: false,
            lag_mean_ms,
            lag_max_ms: 10.0 * lag_mean_ms,
            service_mean_ms,
        };
        assert_eq!(open(0.25, 0.75).lag_share(), 0.25);
        assert_eq!(open(0.0, 0.0).lag_share(), 0.0);
        assert!(open(0.02, 0.98).is_late());
        assert!(!open(0.01, 0.99).is_late());
        assert!(!open(0.0, 1.0).is_late());
    }

    /// The hosts that are told to lag, of hosts with one target each that do these rates for a second.
    fn lagging(rates: &[f64]) -> Vec<String> {
        lagging_over(1.0, rates)
    }

    fn lagging_over(measured_s: f64, rates: &[f64]) -> Vec<String> {
        let mut result = PointResult { measured_s, ..PointResult::default() };
        for (number, rate) in rates.iter().enumerate() {
            let host = format!("h{number}");
            let (rate, latency_ms) = (*rate, TargetLatency::default());
            let (users, cpu_percent, start) = (None, None, None);
            result.hosts.push(HostResult { host, rate, latency_ms, users, cpu_percent, start });
        }
        let name = |warning: Warning| match warning {
            Warning::HostLags { host, .. } => host,
            other => panic!("{other:?}"),
        };
        stragglers(&result).into_iter().map(name).collect()
    }

    #[test]
    fn a_host_lags_only_behind_the_median_of_several() {
        assert_eq!(lagging(&[1000.0, 990.0, 700.0]), ["h2"]);
        assert!(lagging(&[1000.0, 990.0, 810.0]).is_empty(), "above 0.8 of the median");
        assert!(lagging_over(0.1, &[1000.0, 990.0, 700.0]).is_empty(), "70 of 99 may be chance");
        assert!(lagging(&[1000.0, 100.0]).is_empty(), "two hosts have no median");
        assert!(lagging(&[]).is_empty(), "one machine");
    }
}
