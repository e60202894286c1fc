//! A measured point, as results have it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BesideResult, HostResult, Warning};
use crate::load::record::histogram::Histogram;
use crate::result::simulated::Simulated;
use crate::spec::profile::Durability;
use crate::words::fault::Fault;
use crate::words::load::{LoadLevel, LoadUnit};
use crate::words::number::{Iops, Measured, MibPerS, Rate};
use crate::words::rule::Metric;

/// A mean with its 95 % confidence half-width.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half-width of the 95 % confidence interval; `null` where it is not known.
    pub ci95: Option<f64>,
}

impl From<Estimate> for Measured {
    fn from(Estimate { mean: value, ci95 }: Estimate) -> Self {
        Self { value, ci95 }
    }
}

/// A throughput with its 95 % confidence half-width and its unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Throughput {
    /// The mean.
    pub mean: f64,
    /// Half-width of the 95 % confidence interval; `null` if it is not known.
    pub ci95: Option<f64>,
    /// What both count.
    pub unit: ThroughputUnit,
}

impl Throughput {
    /// I/Os per second.
    pub const fn iops(Estimate { mean, ci95 }: Estimate) -> Self {
        Self { mean, ci95, unit: ThroughputUnit::Iops }
    }

    /// MiB (2^20 bytes) per second.
    pub const fn mib_s(Estimate { mean, ci95 }: Estimate) -> Self {
        Self { mean, ci95, unit: ThroughputUnit::MibPerS }
    }

    /// Without its unit.
    pub const fn estimate(self) -> Estimate {
        Estimate { mean: self.mean, ci95: self.ci95 }
    }
}

impl Default for Throughput {
    fn default() -> Self {
        Self::iops(Estimate::default())
    }
}

crate::named! {
    /// What a throughput counts.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    pub enum ThroughputUnit {
        /// I/Os per second.
        #[serde(rename = "io/s")]
        Iops = "io/s",
        /// Operations per second that are no I/Os: strokes, transactions, operations on files.
        #[serde(rename = "op/s")]
        OperationsPerS = "op/s",
        /// Seconds of work on the reference machine that are done per second: how many times as fast as one copy there.
        #[serde(rename = "ratio")]
        Ratio = "ratio",
        /// MiB (2^20 bytes) per second.
        #[serde(rename = "mib/s")]
        MibPerS = "mib/s",
    }
}

impl ThroughputUnit {
    /// What a rate counts under loads of `unit`.
    pub const fn under(unit: LoadUnit) -> Self {
        match unit {
            LoadUnit::OutstandingIos | LoadUnit::OfferedIops => Self::Iops,
            LoadUnit::Users | LoadUnit::Warehouses | LoadUnit::OutstandingOperations => {
                Self::OperationsPerS
            }
            LoadUnit::Copies => Self::Ratio,
        }
    }

    /// `value` with the unit: `38.4 op/s`.
    pub fn text(self, value: impl Into<Measured>) -> String {
        let value: Measured = value.into();
        match self {
            Self::Iops => Iops(value).to_string(),
            Self::MibPerS => MibPerS(value).to_string(),
            Self::OperationsPerS | Self::Ratio => format!("{} {}", Rate(value), self.symbol()),
        }
    }

    /// The unit's symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Iops => "IO/s",
            Self::OperationsPerS => "op/s",
            Self::Ratio => "x ref",
            Self::MibPerS => "MiB/s",
        }
    }
}

/// A response-time distribution in milliseconds. All zero where nothing completed. What another tool did
/// not say of an imported run is `null`; all of it is known of a run that Kneepoint measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Arithmetic mean, from exact sums.
    pub mean: f64,
    /// Half-width of the mean's 95 % confidence interval; `null` where it is not known.
    pub ci95: Option<f64>,
    /// Smallest.
    pub min: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p99_9: Option<f64>,
    /// 99.99th percentile.
    pub p99_99: Option<f64>,
    /// Largest.
    pub max: f64,
    /// The 95 % confidence intervals of the percentiles; left out if none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percentiles_ci95: Option<PercentileIntervals>,
}

/// 95 % confidence intervals of percentiles in milliseconds, each from its lower to its upper end; those
/// that are not known are left out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PercentileIntervals {
    /// Of the median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50: Option<[f64; 2]>,
    /// Of the 90th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p90: Option<[f64; 2]>,
    /// Of the 95th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95: Option<[f64; 2]>,
    /// Of the 99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99: Option<[f64; 2]>,
    /// Of the 99.9th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_9: Option<[f64; 2]>,
    /// Of the 99.99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_99: Option<[f64; 2]>,
}

impl PercentileIntervals {
    /// What `interval` gives for each percentile; `None` if it gives nothing.
    pub fn of(interval: impl Fn(Metric) -> Option<[f64; 2]>) -> Option<Self> {
        let found = Self {
            p50: interval(Metric::P50),
            p90: interval(Metric::P90),
            p95: interval(Metric::P95),
            p99: interval(Metric::P99),
            p99_9: interval(Metric::P999),
            p99_99: interval(Metric::P9999),
        };
        (found != Self::default()).then_some(found)
    }

    /// The interval of a percentile.
    pub const fn get(&self, metric: Metric) -> Option<[f64; 2]> {
        match metric {
            Metric::Mean | Metric::Max => None,
            Metric::P50 => self.p50,
            Metric::P90 => self.p90,
            Metric::P95 => self.p95,
            Metric::P99 => self.p99,
            Metric::P999 => self.p99_9,
            Metric::P9999 => self.p99_99,
        }
    }
}

impl Default for Latency {
    fn default() -> Self {
        Self::without_distribution(0.0, 0.0).with_percentiles(|_| Some(0.0)).with_min(0.0)
    }
}

impl Latency {
    /// A mean and a maximum of which nothing else is known.
    pub const fn without_distribution(mean: f64, max: f64) -> Self {
        Self {
            mean,
            ci95: None,
            min: None,
            p50: None,
            p90: None,
            p95: None,
            p99: None,
            p99_9: None,
            p99_99: None,
            max,
            percentiles_ci95: None,
        }
    }

    /// The same with the smallest response time.
    #[must_use]
    pub const fn with_min(self, min: f64) -> Self {
        Self { min: Some(min), ..self }
    }

    /// The same with what `percentile` gives for each percentile.
    #[must_use]
    pub fn with_percentiles(self, percentile: impl Fn(f64) -> Option<f64>) -> Self {
        Self {
            p50: percentile(50.0),
            p90: percentile(90.0),
            p95: percentile(95.0),
            p99: percentile(99.0),
            p99_9: percentile(99.9),
            p99_99: percentile(99.99),
            ..self
        }
    }

    /// The mean with its interval.
    pub const fn estimate(&self) -> Estimate {
        Estimate { mean: self.mean, ci95: self.ci95 }
    }

    /// Half-width of the 95 % confidence interval of a number in milliseconds, if it is known; that of a
    /// percentile reaches as far as the longer side of its interval.
    pub fn ci95_of(&self, metric: Metric) -> Option<f64> {
        if metric == Metric::Mean {
            return self.ci95;
        }
        let [low, high] = self.percentiles_ci95?.get(metric)?;
        let middle = self.of(metric)?;
        Some((middle - low).max(high - middle))
    }

    /// The number that a rule looks at, in milliseconds; `None` if it is not known.
    pub const fn of(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Mean => Some(self.mean),
            Metric::P50 => self.p50,
            Metric::P90 => self.p90,
            Metric::P95 => self.p95,
            Metric::P99 => self.p99,
            Metric::P999 => self.p99_9,
            Metric::P9999 => self.p99_99,
            Metric::Max => Some(self.max),
        }
    }
}

crate::named! {
    /// How far a point can be trusted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Verdict {
        /// The accuracy that was asked for was reached.
        Steady = "steady",
        /// The time ran out first.
        #[default]
        TimeLimit = "time_limit",
        /// Measured for the time that was asked for.
        Fixed = "fixed",
        /// The series rises or falls over the measurement.
        Drifting = "drifting",
        /// Too many I/O errors, or nothing completed.
        Failed = "failed",
        /// Something else disturbed the measurement; earlier versions wrote `invalid`.
        #[serde(alias = "invalid")]
        Disturbed = "disturbed",
    }
}

/// A verdict with its share in percent if it is disturbed: `disturbed 13 %`.
pub(crate) fn verdict_text(verdict: Verdict, disturbed_percent: Option<f64>) -> String {
    match (verdict, disturbed_percent) {
        (Verdict::Disturbed, Some(percent)) => {
            format!("{} {:.0} %", verdict.name(), percent.max(1.0))
        }
        (verdict, _) => verdict.name().to_owned(),
    }
}

/// No plan has more repetitions; what is measured again has its repetition plus this, or twice
/// this.
pub const AGAIN_FROM: u32 = 1000;

/// The response class of reads.
pub const READ: &str = "read";

/// The response class of writes.
pub const WRITE: &str = "write";

/// The response class of flushes, which are no part of the throughput.
pub const FLUSH: &str = "flush";

/// One fully specified measurement.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PointResult {
    /// Name of the series; of storage profile and block size, `database/8KiB`.
    pub series: String,
    /// Load profile.
    pub profile: String,
    /// Settings varied on purpose.
    pub factors: BTreeMap<String, String>,
    /// Settings of the targets that the suite sets for this series alone; left out if there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Which repetition of the plan the point belongs to, from 0. A load that a search measured
    /// again because something disturbed it has 1000 more, then 2000.
    #[serde(default)]
    pub repetition: u32,
    /// The load that was asked for.
    pub load: LoadLevel,
    /// The series that were measured at the same moment; left out if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideResult>,
    /// What became of the offered rate; `null` in a closed loop.
    #[serde(default)]
    pub open_loop: Option<OpenLoopResult>,
    /// How far the point can be trusted.
    pub verdict: Verdict,
    /// Largest share by which the numbers of a disturbed point can be off, in percent (0 to 100);
    /// left out if nothing disturbed it, or nothing bounds the share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbed_percent: Option<f64>,
    /// RFC 3339, UTC, when the point's ramp began; empty for simulated systems.
    pub started_at: String,
    /// Warm-up that was left out, in seconds.
    pub ramp_s: f64,
    /// Measured time in seconds.
    pub measured_s: f64,
    /// Operations completed in the measured time.
    pub operations: u64,
    /// Failed operations over the whole point.
    pub errors: u64,
    /// The first errors by name: operation, offset, cause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub error_samples: Vec<String>,
    /// Operations per second.
    pub rate: Throughput,
    /// Bytes per second; `null` if operations move no bytes that count.
    pub volume: Option<Throughput>,
    /// Response time of all operations together.
    pub latency_ms: Latency,
    /// The response classes that had operations, by name: `read` and `write` of storage.
    pub classes: BTreeMap<String, ClassResult>,
    /// What only storage has; `null` for other loads.
    pub storage: Option<StorageResult>,
    /// CPU time of the load generator during the measured time, in percent of one CPU; with that of the
    /// copies where programs are the load. `null` if it is not known, as of imported runs.
    #[serde(default)]
    pub cpu_percent: Option<f64>,
    /// Where the processor time of the machine went; left out if several hosts measured, or nothing saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_time: Option<ProcessorTimeResult>,
    /// The same numbers for each host; empty unless several measured.
    #[serde(default)]
    pub hosts: Vec<HostResult>,
    /// The same numbers for each target.
    pub targets: Vec<TargetResult>,
    /// The measured time in intervals of about a second, by completion time.
    pub intervals: Vec<IntervalResult>,
    /// The response times in full, by class; only if they were asked for (`export --histograms`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histograms: Option<PointHistograms>,
    /// The rounds of a point that was measured until steady state; `null` for any other.
    #[serde(default)]
    pub steady_state: Option<SteadyStateResult>,
    /// Why a simulated system was as fast as it was; left out for real targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
    /// How fast rate and response time changed over the measured time; left out if the point was
    /// not measured until it was steady.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trends: Option<PointTrends>,
    /// What limits the trust in this point.
    pub warnings: Vec<Warning>,
}

impl PointResult {
    /// The verdict, with its share if the point is disturbed: `disturbed 13 %`.
    pub fn verdict_text(&self) -> String {
        verdict_text(self.verdict, self.disturbed_percent)
    }

    /// Whether there were flushes between its I/Os: a class that is no part of the throughput.
    pub fn flushes(&self) -> bool {
        self.storage.is_some() && self.classes.contains_key(FLUSH)
    }

    /// Whether the response class `name` is part of the throughput.
    pub fn counts_class(&self, name: &str) -> bool {
        name != FLUSH || self.storage.is_none()
    }

    /// The repetition of the plan that the point belongs to, however often it was measured.
    pub const fn repetition_of_plan(&self) -> u32 {
        self.repetition % AGAIN_FROM
    }

    /// The operations of one class, if it had any.
    pub fn class(&self, name: &str) -> Option<&ClassResult> {
        self.classes.get(name)
    }

    /// MiB per second; `None` if operations move no bytes that count.
    pub fn mib_s(&self) -> Option<f64> {
        self.volume.map(|volume| volume.mean)
    }

    /// Whether sequential access prevails, so that bytes per second are the figure to judge by.
    pub fn is_sequential(&self) -> bool {
        self.volume.is_some() && self.storage.is_some_and(|storage| storage.random_percent < 50.0)
    }
}

/// How fast a point's numbers changed over its measured time.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PointTrends {
    /// Operations per second; `null` if the point was too short to say.
    pub rate: Option<TrendResult>,
    /// The mean response time; `null` if the point was too short to say.
    pub latency_ms: Option<TrendResult>,
}

/// A straight line through a number over the measured time, by least squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrendResult {
    /// Change per second, in percent of the mean; negative if it falls.
    pub percent_per_s: f64,
    /// Standard error of the change.
    pub standard_error: f64,
    /// Degrees of freedom of the standard error.
    pub dof: u32,
}

/// What only storage has of a point.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct StorageResult {
    /// Block size in bytes; the mean for a mix of sizes.
    pub block_bytes: u64,
    /// Share of I/Os that read, in percent.
    pub read_percent: f64,
    /// Share of I/Os at random positions, in percent.
    pub random_percent: f64,
    /// Outstanding I/Os per target by Little's law: IO/s times mean response time; flushes are among
    /// them.
    pub achieved_outstanding: f64,
    /// How writes were made durable; left out if that was left to the target.
    #[serde(default, skip_serializing_if = "Durability::is_none")]
    pub durability: Durability,
}

/// Rounds of fixed length, measured until the last of them are steady.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyStateResult {
    /// Whether the last rounds were within the limits of the plan.
    pub attained: bool,
    /// Length of a round in seconds.
    pub round_s: f64,
    /// Every round, the measured ones last.
    pub rounds: Vec<RoundResult>,
    /// The test over the last rounds; `null` where there were too few, or nothing completed.
    pub window: Option<SteadyWindow>,
}

/// One round.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundResult {
    /// Start, in seconds after the point began.
    pub start_s: f64,
    /// Operations per second: what the test for steady state tracks.
    pub rate: f64,
    /// MiB per second (2^20 bytes); `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// Mean response time in milliseconds.
    pub latency_mean_ms: f64,
}

/// The test for steady state over a window of rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyWindow {
    /// The first round of the window, counted from 0; it goes to the last round.
    pub first_round: u32,
    /// Mean of the rates of its rounds.
    pub rate_mean: f64,
    /// Largest less smallest rate of its rounds, in percent of the mean.
    pub range_percent: f64,
    /// Change of the least-squares line over the window, in percent of the mean; negative where
    /// it falls.
    pub slope_percent: f64,
}

/// Where the processor time of the machine went over (nearly) the measured time, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessorTimeResult {
    /// Elapsed time between the two looks at the kernel's counters.
    pub elapsed_s: f64,
    /// Time of all processors together: busy, idle and stolen.
    pub capacity_s: f64,
    /// Programs outside the kernel.
    pub user_s: f64,
    /// The kernel on behalf of threads, without interrupts.
    pub system_s: f64,
    /// Of `user_s`, what the load used: the generator, and the copies where programs are the load.
    pub load_user_s: f64,
    /// Of `system_s`, what the load used.
    pub load_system_s: f64,
    /// Taken by the hypervisor for other machines (steal).
    pub stolen_s: f64,
    /// Time for which anything on the machine waited for a processor (PSI, `some`); `null` where the kernel does
    /// not tell.
    pub waited_s: Option<f64>,
}

/// What became of an offered rate, over all targets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenLoopResult {
    /// Operations per second that were to be issued.
    pub offered_rate: f64,
    /// Operations per second that completed.
    pub delivered_rate: f64,
    /// Whether the target could not keep up: the numbers then grow with the measured time.
    pub overloaded: bool,
    /// Mean time by which operations were submitted late, in milliseconds; part of the response time.
    pub lag_mean_ms: f64,
    /// Largest such time, in milliseconds.
    pub lag_max_ms: f64,
    /// Mean time from the actual submission to the completion, in milliseconds.
    pub service_mean_ms: f64,
}

/// The operations of one response class.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ClassResult {
    /// Operations completed in the measured time.
    pub operations: u64,
    /// Operations per second.
    pub rate: f64,
    /// MiB per second (2^20 bytes); `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// Response time.
    pub latency_ms: Latency,
}

/// One target's part of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetResult {
    /// As the user named it.
    pub target: String,
    /// The host that drove it; empty if only one measured.
    #[serde(default)]
    pub host: String,
    /// Operations per second.
    pub rate: f64,
    /// MiB per second (2^20 bytes); `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// Response time; only mean, smallest and largest are kept per target.
    pub latency_ms: TargetLatency,
    /// Failed operations over the whole point.
    pub errors: u64,
}

/// The response time of one target, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TargetLatency {
    /// Arithmetic mean.
    pub mean: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
}

/// A slice of the measured time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct IntervalResult {
    /// Start, in seconds after the measured time began.
    pub start_s: f64,
    /// True length in seconds; the last one may be shorter.
    pub length_s: f64,
    /// Operations per second.
    pub rate: f64,
    /// MiB per second (2^20 bytes); `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// Mean response time in milliseconds.
    pub latency_mean_ms: f64,
    /// Largest response time in milliseconds.
    pub latency_max_ms: f64,
    /// Median response time in milliseconds; left out if nothing completed, and in results of
    /// older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p50_ms: Option<f64>,
    /// 99th percentile of the response time in milliseconds; left out as the median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p99_ms: Option<f64>,
    /// The response classes that had operations, by name; empty in results of older versions.
    #[serde(default)]
    pub classes: BTreeMap<String, IntervalClass>,
}

/// The operations of one class in an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntervalClass {
    /// Operations per second.
    pub rate: f64,
    /// MiB per second (2^20 bytes); `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// Mean response time in milliseconds.
    pub latency_mean_ms: f64,
    /// Median response time in milliseconds.
    pub latency_p50_ms: f64,
    /// 99th percentile of the response time in milliseconds.
    pub latency_p99_ms: f64,
    /// Largest response time in milliseconds.
    pub latency_max_ms: f64,
}

/// The response times of a point by class, as `export --histograms` writes them.
///
/// Each entry is a pair: the upper end of a bucket in microseconds, and how many operations fell into
/// it, rising. Buckets are at most 0.1 % wide (three significant digits); empty ones are left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PointHistograms(pub BTreeMap<String, Vec<(f64, u64)>>);

impl PointHistograms {
    /// From the encoded histograms of the classes ([`Histogram::encode`]).
    ///
    /// # Errors
    /// When one of them is not encoded so.
    pub fn decode(classes: &BTreeMap<String, Vec<u8>>) -> Result<Self, Fault> {
        let pairs = |(name, bytes): (&String, &Vec<u8>)| {
            Ok((name.clone(), Histogram::decode(bytes)?.us_counts()))
        };
        classes.iter().map(pairs).collect::<Result<_, Fault>>().map(Self)
    }

    /// The histograms of the classes, encoded.
    ///
    /// # Errors
    /// When the pairs of a class are no histogram.
    pub fn encode(&self) -> Result<BTreeMap<String, Vec<u8>>, Fault> {
        let encoded = |(name, pairs): (&String, &Vec<(f64, u64)>)| {
            Ok((name.clone(), Histogram::from_us_counts(pairs)?.encode()))
        };
        self.0.iter().map(encoded).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_earlier_versions_called_invalid_is_disturbed() {
        let read = |text: &str| serde_json::from_str::<Verdict>(text).unwrap();
        assert_eq!(read("\"invalid\""), Verdict::Disturbed);
        assert_eq!(read("\"disturbed\""), Verdict::Disturbed);
        assert_eq!(serde_json::to_string(&Verdict::Disturbed).unwrap(), "\"disturbed\"");
    }
}
