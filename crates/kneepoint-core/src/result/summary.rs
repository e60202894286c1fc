//! Copies of files and the summaries of a run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Estimate, PRACTICAL_PERCENT, PointResult, Verdict, Warning};
use crate::spec::file_copy::{CopyCache, CopyMethod};
use crate::words::load::LoadUnit;
use crate::words::number::Rounding;

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
    /// Throughput at loads beyond the saturation knee, those of them that lie between loads that were
    /// measured; left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overload: Vec<Overload>,
    /// The score of business operations; left out for other work, and where a number of warehouses that it
    /// takes was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
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

/// The score of business operations: the mean throughput from the number of warehouses at which it is
/// expected to be highest to twice as many.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// Operations per second, with the 95 % confidence interval from those of the loads.
    pub rate: Estimate,
    /// The fewest warehouses of the mean.
    pub from: u32,
    /// The most.
    pub to: u32,
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
    /// Operations per second there.
    pub rate: f64,
    /// MiB per second (2^20 bytes) there; `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// Mean response time there in milliseconds; `null` if the target could not keep up with the
    /// offered rate, because it then grows with the measured time.
    pub latency_ms: Option<f64>,
    /// Whether throughput stops rising there.
    pub status: SaturationStatus,
    /// How far these numbers are known; not part of the format.
    #[serde(skip)]
    pub ci95: HalfWidths,
}

/// Half-widths of the 95 % confidence intervals of what is told of a load, each in the unit of its
/// number; `None` where one is not known. They decide with how many digits the numbers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HalfWidths {
    /// Of the operations per second.
    pub rate: Option<f64>,
    /// Of the MiB per second.
    pub volume: Option<f64>,
    /// Of the mean response time in milliseconds.
    pub latency_ms: Option<f64>,
}

impl HalfWidths {
    /// Those of a point.
    pub fn of(point: &PointResult) -> Self {
        Self {
            rate: point.rate.ci95,
            volume: point.volume.and_then(|volume| volume.ci95),
            latency_ms: point.latency_ms.ci95,
        }
    }

    /// A throughput in both units with its intervals.
    pub fn throughput(self, rate: f64, volume: Option<f64>) -> (Estimate, Option<Estimate>) {
        let volume = volume.map(|mean| Estimate { mean, ci95: self.volume });
        (Estimate { mean: rate, ci95: self.rate }, volume)
    }

    /// A mean response time in milliseconds with its interval.
    pub const fn latency(self, mean: f64) -> Estimate {
        Estimate { mean, ci95: self.latency_ms }
    }
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
    /// Standard deviation of its rate between the repetitions, in percent of their mean.
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
    /// No load meets the rule: less than `below` is sustained, and no number is known.
    NoneMeets,
    /// Every load meets the rule: the numbers are those of the highest throughput, and at least that
    /// is sustained.
    AllMeet,
    /// No usable point.
    Unknown,
}

impl SustainedStatus {
    /// To which side the number is rounded that is a bound.
    pub const fn rounding(self) -> Rounding {
        match self {
            Self::AllMeet => Rounding::Down,
            Self::NoneMeets => Rounding::Up,
            Self::Met | Self::Unknown => Rounding::Nearest,
        }
    }
}

/// The highest throughput of all points and crossings of a curve that meet a rule; its numbers are
/// `null` unless a load meets it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sustained {
    /// Operations per second, with the 95 % confidence interval from those of the two neighbouring
    /// points.
    pub rate: Option<Estimate>,
    /// MiB per second (2^20 bytes); `null` also if operations move no bytes that count.
    pub volume: Option<Estimate>,
    /// Load level in the unit of the series, interpolated.
    pub load: Option<f64>,
    /// The loads of the two neighbouring points; twice the same if the throughput is that of a
    /// point.
    #[serde(default)]
    pub bracket: Option<[f64; 2]>,
    /// The throughput of the smallest load, if not even that meets the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<Limit>,
    /// Whether the numbers exist, and if not, why.
    pub status: SustainedStatus,
}

impl Sustained {
    /// These numbers if they are more than a bound.
    pub fn met(&self) -> Option<&Self> {
        (self.status == SustainedStatus::Met).then_some(self)
    }

    /// What is known if no load breaks the rule (a limit from below), or none meets it (a limit from
    /// above).
    pub fn bound(&self) -> Option<Limit> {
        match self.status {
            SustainedStatus::AllMeet => Some(Limit {
                rate: self.rate?.mean,
                volume: self.volume.map(|volume| volume.mean),
                load: self.load?,
                ci95: HalfWidths {
                    rate: self.rate?.ci95,
                    volume: self.volume.and_then(|volume| volume.ci95),
                    latency_ms: None,
                },
            }),
            SustainedStatus::NoneMeets => self.below,
            SustainedStatus::Met | SustainedStatus::Unknown => None,
        }
    }
}

/// A limit of the sustained throughput.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limit {
    /// Operations per second.
    pub rate: f64,
    /// MiB per second (2^20 bytes); `null` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// The load of the point that has this throughput, in the unit of the series.
    pub load: f64,
    /// How far these numbers are known; not part of the format.
    #[serde(skip)]
    pub ci95: HalfWidths,
}

impl Limit {
    /// The throughput in both units with its intervals.
    pub fn throughput(&self) -> (Estimate, Option<Estimate>) {
        self.ci95.throughput(self.rate, self.volume)
    }
}

/// The highest throughput whatever the response time, read at the smallest load whose 95 % confidence
/// interval (at most a tenth of the throughput) reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Peak {
    /// Operations per second.
    pub rate: Estimate,
    /// MiB per second (2^20 bytes); `null` if operations move no bytes that count.
    pub volume: Option<Estimate>,
    /// Mean response time in milliseconds.
    pub latency_ms: f64,
    /// Load level in the unit of the series.
    pub load: f64,
    /// By how many percent throughput falls beyond it, if by more than the intervals of both; `null`
    /// if it does not.
    #[serde(default)]
    pub collapse_percent: Option<f64>,
    /// The load of the lowest throughput beyond the peak; left out unless throughput falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collapse_load: Option<f64>,
    /// Half-width of the 95 % confidence interval of the response time, if it is known; not part of
    /// the format.
    #[serde(skip)]
    pub latency_ci95: Option<f64>,
}

impl Peak {
    /// The mean response time in milliseconds with its interval.
    pub const fn latency(&self) -> Estimate {
        Estimate { mean: self.latency_ms, ci95: self.latency_ci95 }
    }

    /// How throughput falls beyond the peak; `None` if it does not, or by less than is of practical
    /// importance.
    pub fn collapse(&self) -> Option<Collapse> {
        let percent = self.collapse_percent.filter(|percent| *percent >= PRACTICAL_PERCENT)?;
        Some(Collapse { load: self.collapse_load?, percent })
    }
}

/// Throughput that falls beyond the peak, by more than the intervals of both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collapse {
    /// The load of the lowest throughput beyond the peak.
    pub load: f64,
    /// By how much it is lower than the peak, in percent.
    pub percent: f64,
}

/// Throughput at a multiple of the load of the saturation knee.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overload {
    /// How many times the load of the knee: 2 or 4.
    pub times: u32,
    /// That load, in the unit of the series.
    pub load: f64,
    /// Operations per second there.
    pub rate: f64,
    /// The same in percent of the peak, 100 at the most: what lies above the peak cannot be told from it.
    pub peak_percent: f64,
    /// Whether that load was not measured itself: the rate is that of the straight line between the
    /// two neighbouring points.
    pub is_interpolated: bool,
}

/// One copy of the file set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopyResult {
    /// The target beside which it was made, as the user named it.
    pub target: String,
    /// The function that copied.
    pub method: CopyMethod,
    /// With or without the page cache.
    pub cache: CopyCache,
    /// How many copies of this kind came before it.
    pub repetition: u32,
    /// RFC 3339, UTC, when it began.
    pub started_at: String,
    /// Files of the set.
    pub files: u32,
    /// Directories of the set.
    pub directories: u32,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Time from the first directory to the end of the last file, in seconds; `null` where the
    /// copy failed.
    pub elapsed_s: Option<f64>,
    /// Why the copy failed; `null` where it is complete.
    pub error: Option<String>,
    /// What limits the trust in this copy.
    pub warnings: Vec<Warning>,
}

/// The copies of one kind together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopySummary {
    /// The target beside which they were made, as the user named it.
    pub target: String,
    /// The function that copied.
    pub method: CopyMethod,
    /// With or without the page cache.
    pub cache: CopyCache,
    /// Copies that are complete.
    pub copies: u32,
    /// Their rates; `null` where no copy is complete.
    pub rates: Option<CopyRates>,
    /// Why a copy failed; `null` where none did.
    pub error: Option<String>,
    /// What limits the trust in them.
    pub warnings: Vec<Warning>,
}

/// How fast copies were; means over the copies, with the 95 % confidence interval of Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CopyRates {
    /// Time of a copy in seconds.
    pub elapsed_s: Estimate,
    /// MiB of files per second (2^20 bytes); each byte counts once, although it is read and
    /// written.
    pub throughput_mib_s: Estimate,
    /// The median of the same.
    pub throughput_mib_s_median: f64,
    /// Files per second.
    pub files_per_s: Estimate,
}
