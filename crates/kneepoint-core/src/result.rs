//! The result format `kneepoint.run/1`: what `--json` and `export` write and `import` reads.
//!
//! A result is self-describing: it holds the plan, the environment, every point and the summaries.
//! Numbers are in the C locale; a number that is not known is `null`, never a guess.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::file_copy::{CopyResult, CopySummary};
use crate::load::LoadUnit;
use crate::plan::TargetKind;
use crate::rule::Metric;
use crate::simulated::Simulated;
use crate::storage_class::TargetClass;

/// The version of the result format.
pub const RUN_SCHEMA: &str = "kneepoint.run/1";

/// One execution of a suite or profile against targets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunDocument {
    /// `kneepoint.run/1`.
    pub schema: String,
    /// What ran, when, and how it ended.
    pub run: RunHeader,
    /// What it ran on.
    pub environment: Environment,
    /// The plan as resolved before the run (format `kneepoint.plan/1`).
    pub plan: serde_json::Value,
    /// Every measured point, in the order measured.
    pub points: Vec<PointResult>,
    /// Sustained and peak throughput of every series at every rule.
    pub summaries: Vec<Summary>,
    /// Every copy of files, in the order made; left out where none was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<CopyResult>,
    /// The copies by target, method and cache; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copy_summaries: Vec<CopySummary>,
    /// What limits the trust in the whole run, a sentence each.
    pub warnings: Vec<String>,
}

/// What ran, when, and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunHeader {
    /// Unique name of the run.
    pub id: String,
    /// The user's own name for it; may be empty.
    pub label: String,
    /// Name of the suite or profile.
    pub work: String,
    /// How the run ended.
    pub state: RunState,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// RFC 3339, UTC; empty while the run goes on.
    pub finished_at: String,
    /// SHA-256 of the plan.
    pub plan_hash: String,
    /// The plan's seed.
    pub seed: u64,
    /// Version of Kneepoint that measured.
    pub version: String,
    /// The command as it was typed.
    pub command: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Every point of the plan was measured.
    Complete,
    /// Stopped before the end; what was measured is kept. A run that is still going, too.
    Interrupted,
    /// Ended by errors.
    Failed,
}

impl RunState {
    /// The state as it stands in the result format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// The machine and the targets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    /// Host facts: name, operating system, vendor and product, virtualisation.
    pub host: BTreeMap<String, String>,
    /// Kernel release and version.
    pub kernel: String,
    /// Processor facts: model, logical CPUs, governor, clock source.
    pub cpu: BTreeMap<String, String>,
    /// Memory of the machine in bytes.
    pub memory_bytes: u64,
    /// Engine facts: which interface, what of it the kernel granted.
    pub engine: BTreeMap<String, String>,
    /// One entry per target, in the plan's order.
    pub targets: Vec<TargetEnvironment>,
}

/// What is known of one target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetEnvironment {
    /// As the user named it.
    pub target: String,
    /// What it is.
    pub kind: TargetKind,
    /// Size in bytes that I/O may touch.
    pub size_bytes: u64,
    /// File system type, source and mount options; empty for a device.
    pub file_system: String,
    /// Facts of the device below: name, model, serial, firmware, capacity, members.
    pub device: BTreeMap<String, String>,
    /// Settings that can be changed: scheduler, read-ahead, write cache, queue limits.
    pub settings: BTreeMap<String, String>,
    /// The class of storage that it was taken for, and why; left out by older versions. Where nobody
    /// names rules they follow from the classes of all targets (`target_class` in the plan).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<TargetClass>,
}

/// A mean with its 95 % confidence half-width.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half-width of the 95 % confidence interval; `null` where it is not known.
    pub ci95: Option<f64>,
}

/// A response-time distribution in milliseconds. All zero where nothing completed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Arithmetic mean, from exact sums.
    pub mean: f64,
    /// Half-width of the mean's 95 % confidence interval; `null` where it is not known.
    pub ci95: Option<f64>,
    /// Smallest.
    pub min: f64,
    /// Median.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// 99.9th percentile.
    pub p99_9: f64,
    /// 99.99th percentile.
    pub p99_99: f64,
    /// Largest.
    pub max: f64,
}

impl Latency {
    /// The number that a rule looks at, in milliseconds.
    pub fn of(&self, metric: Metric) -> f64 {
        match metric {
            Metric::Mean => self.mean,
            Metric::P50 => self.p50,
            Metric::P90 => self.p90,
            Metric::P95 => self.p95,
            Metric::P99 => self.p99,
            Metric::P999 => self.p99_9,
            Metric::P9999 => self.p99_99,
            Metric::Max => self.max,
        }
    }
}

/// How far a point can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The accuracy that was asked for was reached.
    Steady,
    /// The time ran out first.
    #[default]
    TimeLimit,
    /// Measured for the time that was asked for.
    Fixed,
    /// The series rises or falls over the measurement.
    Drifting,
    /// Too many I/O errors, or nothing completed.
    Failed,
    /// Something else disturbed the measurement; earlier versions wrote `invalid`.
    #[serde(alias = "invalid")]
    Disturbed,
}

impl Verdict {
    /// The verdict as it stands in the result format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::TimeLimit => "time_limit",
            Self::Fixed => "fixed",
            Self::Drifting => "drifting",
            Self::Failed => "failed",
            Self::Disturbed => "disturbed",
        }
    }
}

/// No plan has more repetitions; what is measured again has its repetition plus this, or twice
/// this.
pub const AGAIN_FROM: u32 = 1000;

/// One fully specified measurement.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PointResult {
    /// Profile and block size, `database/8KiB`.
    pub series: String,
    /// Load profile.
    pub profile: String,
    /// Block size in bytes; the mean for a mix of sizes.
    pub block_bytes: u64,
    /// Share of I/Os that read, in percent.
    pub read_percent: f64,
    /// Share of I/Os at random positions, in percent.
    pub random_percent: f64,
    /// Settings varied on purpose.
    pub factors: BTreeMap<String, String>,
    /// Requested outstanding I/Os per target (closed loop).
    pub outstanding: Option<u32>,
    /// Offered I/Os per second per target (open loop).
    pub offered_iops: Option<f64>,
    /// Which repetition of the plan the point belongs to, from 0. A load that a search measured
    /// again because something disturbed it has 1000 more, then 2000.
    #[serde(default)]
    pub repetition: u32,
    /// Outstanding I/Os per target by Little's law: IO/s times mean response time.
    pub achieved_outstanding: f64,
    /// What became of the offered rate; `null` in a closed loop.
    #[serde(default)]
    pub open_loop: Option<OpenLoopResult>,
    /// How far the point can be trusted.
    pub verdict: Verdict,
    /// Largest share by which the numbers of a disturbed point can be off, in percent (0 to 100);
    /// left out where nothing disturbed it, or nothing bounds the share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbed_percent: Option<f64>,
    /// RFC 3339, UTC, when the point's ramp began; empty for simulated systems.
    pub started_at: String,
    /// Warm-up that was left out, in seconds.
    pub ramp_s: f64,
    /// Measured time in seconds.
    pub measured_s: f64,
    /// I/Os completed in the measured time.
    pub operations: u64,
    /// Failed I/Os over the whole point.
    pub errors: u64,
    /// The first errors by name: operation, offset, cause.
    pub error_samples: Vec<String>,
    /// I/Os per second.
    pub iops: Estimate,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: Estimate,
    /// Response time of reads and writes together.
    pub latency_ms: Latency,
    /// Reads alone.
    pub read: DirectionResult,
    /// Writes alone.
    pub write: DirectionResult,
    /// CPU time of the load generator during the measured time, in percent of one CPU.
    pub cpu_percent: f64,
    /// The same numbers for each target.
    pub targets: Vec<TargetResult>,
    /// The measured time in intervals of about a second, by completion time.
    pub intervals: Vec<IntervalResult>,
    /// The response times in full; only where they were asked for (`export --histograms`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histograms: Option<PointHistograms>,
    /// The rounds of a point that was measured until steady state; `null` for any other.
    #[serde(default)]
    pub steady_state: Option<SteadyStateResult>,
    /// Why a simulated system was as fast as it was; left out for real targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
    /// What limits the trust in this point, a sentence each.
    pub warnings: Vec<String>,
}

impl PointResult {
    /// The verdict, with its share if the point is disturbed: `disturbed 13 %`.
    pub fn verdict_text(&self) -> String {
        match (self.verdict, self.disturbed_percent) {
            (Verdict::Disturbed, Some(percent)) => {
                format!("{} {:.0} %", self.verdict.name(), percent.max(1.0))
            }
            (verdict, _) => verdict.name().to_owned(),
        }
    }

    /// The repetition of the plan that the point belongs to, however often it was measured.
    pub const fn repetition_of_plan(&self) -> u32 {
        self.repetition % AGAIN_FROM
    }

    /// The load's unit and value.
    pub fn load(&self) -> crate::load::LoadLevel {
        match (self.outstanding, self.offered_iops) {
            (Some(count), _) => crate::load::LoadLevel::outstanding(count),
            (None, rate) => crate::load::LoadLevel::offered(rate.unwrap_or(0.0)),
        }
    }
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
    /// I/Os per second: what the test for steady state tracks.
    pub iops: f64,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: f64,
    /// Mean response time in milliseconds.
    pub latency_mean_ms: f64,
}

/// The test for steady state over a window of rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SteadyWindow {
    /// The first round of the window, counted from 0; it goes to the last round.
    pub first_round: u32,
    /// Mean of the IO/s of its rounds.
    pub iops_mean: f64,
    /// Largest less smallest IO/s of its rounds, in percent of the mean.
    pub range_percent: f64,
    /// Change of the least-squares line over the window, in percent of the mean; negative where
    /// it falls.
    pub slope_percent: f64,
}

/// What became of an offered rate, over all targets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenLoopResult {
    /// I/Os per second that were to be issued.
    pub offered_iops: f64,
    /// I/Os per second that completed.
    pub delivered_iops: f64,
    /// Whether the target could not keep up: the numbers then grow with the measured time.
    pub overloaded: bool,
    /// Mean time by which I/Os were submitted late, in milliseconds; part of the response time.
    pub lag_mean_ms: f64,
    /// Largest such time, in milliseconds.
    pub lag_max_ms: f64,
    /// Mean time from the actual submission to the completion, in milliseconds.
    pub service_mean_ms: f64,
}

/// Reads or writes of a point.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct DirectionResult {
    /// I/Os completed in the measured time.
    pub operations: u64,
    /// I/Os per second.
    pub iops: f64,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: f64,
    /// Response time.
    pub latency_ms: Latency,
}

/// One target's part of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetResult {
    /// As the user named it.
    pub target: String,
    /// I/Os per second.
    pub iops: f64,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: f64,
    /// Response time; only mean, smallest and largest are kept per target.
    pub latency_ms: TargetLatency,
    /// Failed I/Os.
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntervalResult {
    /// Start, in seconds after the measured time began.
    pub start_s: f64,
    /// True length in seconds; the last one may be shorter.
    pub length_s: f64,
    /// I/Os per second.
    pub iops: f64,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: f64,
    /// Mean response time in milliseconds.
    pub latency_mean_ms: f64,
    /// Largest response time in milliseconds.
    pub latency_max_ms: f64,
    /// Median response time in milliseconds; left out where nothing completed, and in results of
    /// older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p50_ms: Option<f64>,
    /// 99th percentile of the response time in milliseconds; left out as the median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_p99_ms: Option<f64>,
    /// Reads alone; left out where none completed, and in results of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<IntervalClass>,
    /// Writes alone; left out as reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<IntervalClass>,
}

/// Reads or writes of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntervalClass {
    /// I/Os per second.
    pub iops: f64,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: f64,
    /// Mean response time in milliseconds.
    pub latency_mean_ms: f64,
    /// Median response time in milliseconds.
    pub latency_p50_ms: f64,
    /// 99th percentile of the response time in milliseconds.
    pub latency_p99_ms: f64,
    /// Largest response time in milliseconds.
    pub latency_max_ms: f64,
}

/// The response times of a point, as `export --histograms` writes them.
///
/// Each entry is a pair: the upper end of a bucket in microseconds, and how many I/Os fell into it.
/// Buckets are at most 0.1 % wide (three significant digits); empty ones are left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PointHistograms {
    /// Reads: pairs of microseconds and count, rising.
    pub read_us_count: Vec<(f64, u64)>,
    /// Writes: pairs of microseconds and count, rising.
    pub write_us_count: Vec<(f64, u64)>,
}

/// A series read off at one rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// The series.
    pub series: String,
    /// Levels of the factors that it was measured at; empty where nothing was varied.
    #[serde(default)]
    pub factors: BTreeMap<String, String>,
    /// What its load levels count.
    pub load_unit: LoadUnit,
    /// The rule, as typed.
    pub rule: String,
    /// Throughput where the curve meets the rule.
    pub sustained: Sustained,
    /// Highest throughput, whatever the response time; `null` where no point is usable.
    pub peak: Option<Peak>,
    /// From which load on throughput no longer rises; `null` with fewer than two loads.
    #[serde(default)]
    pub saturation: Option<Saturation>,
    /// How the load was searched; `null` where no rule was searched for: every level of a grid was
    /// measured, or all up to where throughput stops rising.
    #[serde(default)]
    pub search: Option<SearchResult>,
    /// How the repetitions vary; `null` where everything was measured once.
    #[serde(default)]
    pub variation: Option<Variation>,
    /// Points that these numbers rest on although their verdict speaks against it.
    #[serde(default)]
    pub doubts: Vec<Doubt>,
}

/// A point that a number rests on although it drifts or is disturbed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Doubt {
    /// The number that rests on it.
    pub about: DoubtAbout,
    /// The load of the point, in the unit of the series.
    pub load: f64,
    /// Its verdict.
    pub verdict: Verdict,
}

/// A number of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DoubtAbout {
    /// The sustained throughput.
    Sustained,
    /// The peak.
    Peak,
    /// The saturation knee, in results of older versions: it is the load of the peak.
    Saturation,
}

/// The saturation knee: the smallest load whose throughput, with its 95 % confidence interval,
/// reaches the highest throughput of the series.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Saturation {
    /// The load, in the unit of the series.
    pub load: f64,
    /// I/Os per second there.
    pub iops: f64,
    /// MiB per second (2^20 bytes) there.
    pub throughput_mib_s: f64,
    /// Mean response time there in milliseconds; `null` if the target could not keep up with the
    /// offered rate, because it then grows with the measured time.
    pub latency_ms: Option<f64>,
    /// Whether throughput stops rising there.
    pub status: SaturationStatus,
}

/// Whether throughput stops rising within the loads that were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SaturationStatus {
    /// No higher load gives more throughput than the interval of this one.
    Reached,
    /// It still rises: this is the highest load that was measured.
    Rising,
}

/// How the knee was searched for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchResult {
    /// Points of the series, all rules and repetitions together.
    pub points: u32,
    /// Why the search for this rule ended.
    pub stopped_because: String,
    /// Loads that it concluded from although something disturbed them however often they were
    /// measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed_loads: Vec<f64>,
}

/// The same load measured several times.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Variation {
    /// Repetitions of the load of highest throughput.
    pub repetitions: u32,
    /// Standard deviation of its IO/s between the repetitions, in percent of their mean.
    pub between_percent: f64,
    /// Mean half-width of the 95 % confidence intervals within them, in percent of the mean;
    /// `null` where it is not known.
    pub within_percent: Option<f64>,
}

/// Whether and where a curve meets its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SustainedStatus {
    /// Some loads meet the rule and some break it; between two of them the numbers are
    /// interpolated.
    Met,
    /// No load meets the rule: `bound` has the throughput of the smallest, and less is sustained.
    BelowFirst,
    /// Every load meets the rule: `bound` has the highest throughput, and at least that is
    /// sustained.
    BeyondLast,
    /// No usable point.
    Unknown,
}

/// The highest throughput of all points and crossings of a curve that meet a rule; its numbers are
/// `null` unless the status is `met`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sustained {
    /// I/Os per second.
    pub iops: Option<f64>,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: Option<f64>,
    /// Load level (outstanding I/Os per target, or the offered rate), interpolated.
    pub outstanding: Option<f64>,
    /// Half-width of the 95 % confidence interval of `iops`, from those of the two neighbouring
    /// points; `null` where it is not known.
    #[serde(default)]
    pub iops_ci95: Option<f64>,
    /// The loads of the two neighbouring points; twice the same where the throughput is that of a
    /// point.
    #[serde(default)]
    pub bracket: Option<[f64; 2]>,
    /// What is known instead of a number where no load meets the rule, or every load does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<SustainedBound>,
    /// Whether the numbers exist, and if not, why.
    pub status: SustainedStatus,
}

/// A limit of the sustained throughput: from below with the status `beyond_last`, from above with
/// `below_first`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SustainedBound {
    /// I/Os per second.
    pub iops: f64,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: f64,
    /// The load of the point that has this throughput, in the unit of the series.
    pub load: f64,
}

/// The highest throughput whatever the response time, read at the smallest load whose 95 % confidence
/// interval (at most a tenth of the throughput) reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Peak {
    /// I/Os per second.
    pub iops: f64,
    /// Half-width of their 95 % confidence interval; left out where it is not known, and in results
    /// of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops_ci95: Option<f64>,
    /// MiB per second (2^20 bytes).
    pub throughput_mib_s: f64,
    /// Mean response time in milliseconds.
    pub latency_ms: f64,
    /// Load level (outstanding I/Os per target, or the offered rate).
    pub outstanding: f64,
    /// Throughput beyond it, where that falls; left out where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collapse: Option<Collapse>,
}

/// Throughput that falls beyond the peak, by more than the intervals of both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Collapse {
    /// The load of the lowest throughput beyond the peak.
    pub load: f64,
    /// By how much it is lower than the peak, in percent.
    pub percent: f64,
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
