//! Findings, effects of factors, and the measures that they are about.

use crate::load::backend::Direction;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Estimate, HalfWidths, PointResult, Throughput, ThroughputUnit};
use crate::spec::factor::Combination;
use crate::words::fault::Fault;
use crate::words::load::LoadUnit;
use crate::words::number::Rounding;
use crate::words::rule::Metric;

/// A difference by less than this, in percent, is no practical one: it makes no finding and no best
/// setting, however surely it is there. It is the accuracy that points are measured to by default, and
/// the step at which the search for a peak ends (Single Disk, 2011).
pub const PRACTICAL_PERCENT: f64 = 5.0;

/// Something that the numbers show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// Throughput no longer rises, and stays.
    Saturation(Plateau),
    /// Throughput still rises at the highest load.
    Gain(Step),
    /// Throughput falls beyond its peak.
    Collapse(Step),
    /// Two series of a run differ.
    Contrast(Contrast),
    /// A run differs from the reference.
    Change(Change),
}

/// From some load on, more load gives no more throughput.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plateau {
    /// The series.
    pub series: String,
    /// What its loads count.
    pub unit: LoadUnit,
    /// The load of the saturation knee: throughput changes by at most 5 % beyond it.
    pub from_load: f64,
    /// The highest load that was measured.
    pub to_load: f64,
    /// The largest rise beyond `from_load` that the data leave possible, in percent.
    pub rise_percent_max: f64,
    /// What the rate counts.
    pub rate_unit: ThroughputUnit,
    /// Operations per second on the plateau, mean of its points.
    pub rate: f64,
    /// MiB per second on the plateau; `None` if operations move no bytes that count.
    pub volume: Option<f64>,
    /// What a simulated system is short of there; `None` for real ones.
    pub bottleneck: Option<Bottleneck>,
    /// How far the throughput is known; not part of the format.
    #[serde(skip)]
    pub ci95: HalfWidths,
}

/// How throughput changes from one load of a series to a higher one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// The series.
    pub series: String,
    /// What its loads count.
    pub unit: LoadUnit,
    /// The lower load: of a collapse that of the peak.
    pub from_load: f64,
    /// The higher load: of a gain the highest, of a collapse that of the lowest throughput beyond the
    /// peak.
    pub to_load: f64,
    /// What the throughput counts: MiB of sequential access, operations otherwise.
    pub rate_unit: ThroughputUnit,
    /// Throughput at the lower load.
    pub from: f64,
    /// Throughput at the higher load.
    pub to: f64,
    /// The change in percent of the lower load's throughput.
    pub percent: f64,
    /// Its 95 % confidence interval.
    pub interval_percent: [f64; 2],
    /// Half-widths of the intervals of `from` and `to`, if they are known; not part of the format.
    #[serde(skip)]
    pub ci95: [Option<f64>; 2],
}

/// The part of a simulated system that limits it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bottleneck {
    /// The kind of part: `drives`, `controllers`, `links to drives`, ...
    pub part: String,
    /// How many there are.
    pub count: u32,
    /// Utilisation of the busiest at the highest load, in percent.
    pub busy_percent: f64,
}

/// Two series of one run at their peaks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contrast {
    /// In what the two differ.
    pub between: Between,
    /// The series whose throughput is higher.
    pub faster: String,
    /// The other one.
    pub slower: String,
    /// What was compared: `peak.iops` or `peak.throughput`.
    pub measure: Measure,
    /// Throughput of the faster as a multiple of the slower.
    pub ratio: f64,
    /// Its 95 % confidence interval.
    pub interval: [f64; 2],
}

/// In what two series differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Between {
    /// One is sequential, the other random.
    Order {
        /// Whether the sequential one is faster.
        faster: Order,
    },
    /// One reads, the other writes.
    Direction {
        /// Which is faster.
        faster: Direction,
    },
    /// The same profile with other blocks.
    BlockSize {
        /// Block of the faster series, in bytes.
        faster_bytes: u64,
        /// Block of the slower series, in bytes.
        slower_bytes: u64,
    },
}

/// Where I/Os go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// One after the other.
    Sequential,
    /// Anywhere.
    Random,
}

/// A significant difference between a run and the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The series.
    pub series: String,
    /// What differs.
    pub measure: Measure,
    /// The rule, as typed, for a sustained throughput.
    pub rule: Option<String>,
    /// Number of the run, counted from 0; the reference is 0.
    pub run: usize,
    /// The change in percent.
    pub percent: f64,
    /// Its 95 % confidence interval; of a bound that of the bound.
    pub interval_percent: [f64; 2],
    /// Whether the change is that, or at least or at most that: at a rule that every load meets, or
    /// none, only a bound of the throughput is known. Left out where it is that.
    #[serde(default, skip_serializing_if = "Bound::is_exact")]
    pub bound: Bound,
    /// The one setting in which the two runs differ, with its values, where it is one.
    pub factor: Option<NamedFactor>,
}

/// A setting and its value in both runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedFactor {
    /// Its name.
    pub name: String,
    /// Its value in the reference.
    pub from: String,
    /// Its value in the other run.
    pub to: String,
}

/// The effects of all factors on one number of one series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effects {
    /// Profile and block size.
    pub series: String,
    /// Which number.
    pub measure: EffectOn,
    /// One entry per factor with more than one level.
    pub factors: Vec<FactorEffect>,
    /// Pairs of factors that do not act independently, the clearest level of each; only those that
    /// are significant.
    pub interactions: Vec<Interaction>,
    /// The combination with the highest number.
    pub optimum: Optimum,
}

/// A number of a series that factors may change, in IO/s.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectOn {
    /// What is sustained at this rule.
    Sustained(String),
    /// The highest throughput, whatever the response time.
    Peak,
}

/// The effect of one factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorEffect {
    /// Its name.
    pub factor: String,
    /// The level that the others are compared with.
    pub base: String,
    /// The other levels.
    pub levels: Vec<LevelEffect>,
}

/// A level compared with the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelEffect {
    /// The level.
    pub level: String,
    /// Mean IO/s at the base, over the pairs.
    pub before: f64,
    /// Mean IO/s at the level, over the pairs.
    pub after: f64,
    /// Whether `before` is that mean or a bound of it, because every load of a pair meets the rule, or
    /// none; left out where it is the mean.
    #[serde(default, skip_serializing_if = "Bound::is_exact")]
    pub before_bound: Bound,
    /// The same of `after`.
    #[serde(default, skip_serializing_if = "Bound::is_exact")]
    pub after_bound: Bound,
    /// Change in percent of the base, from the one number to the other.
    pub change_percent: f64,
    /// Half-width of the 95 % confidence interval of the change, in percentage points; `None`
    /// where it is not known; of a bound that of the bound.
    pub ci95_percent: Option<f64>,
    /// Pairs of combinations that were compared.
    pub pairs: usize,
    /// Whether the change can be told from none.
    pub significance: Significance,
    /// Half-widths of the intervals of `before` and `after`, if they are known; not part of the
    /// format.
    #[serde(skip)]
    pub ci95: [Option<f64>; 2],
}

impl LevelEffect {
    /// Mean IO/s at the base and at the level, each with its interval.
    pub const fn iops(&self) -> [Estimate; 2] {
        [
            Estimate { mean: self.before, ci95: self.ci95[0] },
            Estimate { mean: self.after, ci95: self.ci95[1] },
        ]
    }

    /// Whether the change is that, or at least or at most that; nothing where the bounds of both
    /// numbers leave it open.
    pub const fn change_bound(&self) -> Option<Bound> {
        Bound::of_change(self.before_bound, self.after_bound)
    }

    /// Whether the change is large enough to matter.
    pub fn is_practical(&self) -> bool {
        is_practical(self.change_percent)
    }
}

/// Whether a change, in percent of what it was before, is large enough to matter.
pub const fn is_practical(percent: f64) -> bool {
    percent.abs() >= PRACTICAL_PERCENT
}

/// A level whose effect depends on another factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interaction {
    /// The factor.
    pub factor: String,
    /// Its level, compared with the base.
    pub level: String,
    /// The other factor.
    pub other: String,
    /// The base of the other factor, and the change in percent there.
    pub at_base: (String, f64),
    /// Another level of it, and the change in percent there.
    pub at_level: (String, f64),
    /// The same from the other side, if it is known: the base of the factor, and the change in percent by that
    /// other level there, and at `level`; left out by older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_other: Option<OtherSide>,
}

/// What another factor does at two levels of a factor whose effect depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OtherSide {
    /// The base of the factor.
    pub base: String,
    /// The change there in percent, from the base of the other factor to another level of it.
    pub at_base: f64,
    /// The same at the level of the factor.
    pub at_level: f64,
}

/// The best of all combinations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Optimum {
    /// Its levels.
    pub combination: Combination,
    /// Its IO/s.
    pub iops: Estimate,
    /// Whether `iops` is its number, or a bound of it because every load meets the rule; left out
    /// where it is the number.
    #[serde(default, skip_serializing_if = "Bound::is_exact")]
    pub bound: Bound,
    /// Other combinations that may be as good: less than 5 % below it, or not to be told from it.
    pub ties: Vec<Combination>,
    /// Whether all other combinations lie less than 5 % below it: none of them is the best for any
    /// practical purpose.
    #[serde(default)]
    pub is_indifferent: bool,
    /// Whether the intervals are known that this rests on.
    pub significance: Significance,
}

/// Whether a number is known or only bounded.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The number itself.
    #[default]
    Exact,
    /// The truth is no higher: the lowest load already breaks the rule.
    AtMost,
    /// The truth is no lower: the highest load still meets the rule.
    AtLeast,
}

impl Bound {
    /// Whether the number itself is known.
    pub fn is_exact(&self) -> bool {
        *self == Self::Exact
    }

    /// To which side its number is rounded.
    pub const fn rounding(self) -> Rounding {
        match self {
            Self::Exact => Rounding::Nearest,
            Self::AtMost => Rounding::Up,
            Self::AtLeast => Rounding::Down,
        }
    }

    /// What is known of `other` as a multiple of `reference`, or of the change from the one to the
    /// other; nothing if one bound leaves open what the other closes.
    pub const fn of_change(reference: Self, other: Self) -> Option<Self> {
        match (reference, other) {
            (Self::Exact, other) => Some(other),
            (Self::AtMost, Self::Exact | Self::AtLeast) => Some(Self::AtLeast),
            (Self::AtLeast, Self::Exact | Self::AtMost) => Some(Self::AtMost),
            _ => None,
        }
    }
}

/// A number that is compared, by the name that conditions use: `sustained.iops`, `latency.p99`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Where on the curve it is read.
    pub place: Place,
    /// What is read there.
    pub quantity: Quantity,
}

/// Where on the curve of a series a number is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// At every load that both runs measured; the differences are averaged.
    EqualLoad,
    /// Where the curve meets a rule.
    Sustained,
    /// At the highest throughput.
    Peak,
}

/// What is read off a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// Operations per second.
    Iops,
    /// MiB per second.
    Throughput,
    /// A number of the distribution of response times, in milliseconds.
    Latency(Metric),
}

impl Quantity {
    /// The number in a point, with its confidence interval if the point has one; nothing if it has no
    /// such number.
    pub(crate) fn of(self, point: &PointResult) -> Option<Estimate> {
        let latency = &point.latency_ms;
        match self {
            Self::Iops => Some(point.rate.estimate()),
            Self::Throughput => point.volume.map(Throughput::estimate),
            Self::Latency(metric) => {
                Some(Estimate { mean: latency.of(metric)?, ci95: latency.ci95_of(metric) })
            }
        }
    }
}

/// What a test says of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Significance {
    /// There is a difference, with 95 % confidence for all claims of its family together.
    Significant,
    /// None was shown.
    NotSignificant,
    /// It rests on a point that something else disturbed: no claim is made.
    Disturbed,
    /// An interval is missing, or only a bound is known that settles nothing.
    Unknown,
}

/// Every measure with its name.
const NAMES: [(&str, Place, Quantity); 14] = [
    ("iops", Place::EqualLoad, Quantity::Iops),
    ("throughput", Place::EqualLoad, Quantity::Throughput),
    ("sustained.iops", Place::Sustained, Quantity::Iops),
    ("sustained.throughput", Place::Sustained, Quantity::Throughput),
    ("peak.iops", Place::Peak, Quantity::Iops),
    ("peak.throughput", Place::Peak, Quantity::Throughput),
    ("latency.mean", Place::EqualLoad, Quantity::Latency(Metric::Mean)),
    ("latency.p50", Place::EqualLoad, Quantity::Latency(Metric::P50)),
    ("latency.p90", Place::EqualLoad, Quantity::Latency(Metric::P90)),
    ("latency.p95", Place::EqualLoad, Quantity::Latency(Metric::P95)),
    ("latency.p99", Place::EqualLoad, Quantity::Latency(Metric::P99)),
    ("latency.p99.9", Place::EqualLoad, Quantity::Latency(Metric::P999)),
    ("latency.p99.99", Place::EqualLoad, Quantity::Latency(Metric::P9999)),
    ("latency.max", Place::EqualLoad, Quantity::Latency(Metric::Max)),
];

impl Measure {
    /// Every measure, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(_, place, quantity)| Self { place: *place, quantity: *quantity })
    }

    /// The name that conditions use.
    pub fn name(self) -> &'static str {
        let mut named = NAMES.iter();
        let found =
            named.find(|(_, place, quantity)| (*place, *quantity) == (self.place, self.quantity));
        found.map_or("", |(name, ..)| name)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Measure {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let found = NAMES.iter().find(|(name, ..)| *name == text);
        found.map(|(_, place, quantity)| Self { place: *place, quantity: *quantity }).ok_or_else(
            || {
                let names: Vec<&str> = NAMES.iter().map(|(name, ..)| *name).collect();
                Fault::new(format!("'{text}' is nothing that runs are compared by"))
                    .fix(format!("use one of {}", names.join(", ")))
            },
        )
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|fault: Fault| serde::de::Error::custom(fault))
    }
}

impl JsonSchema for Measure {
    fn schema_name() -> Cow<'static, str> {
        "Measure".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = NAMES.iter().map(|(name, ..)| *name).collect();
        json_schema!({
            "description": "A number that is compared.",
            "type": "string",
            "enum": names,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_has_a_name_of_its_own() {
        for measure in Measure::all() {
            assert_eq!(measure.name().parse::<Measure>().unwrap(), measure);
        }
        let fault = "sustained".parse::<Measure>().unwrap_err();
        assert!(fault.fix_hint().unwrap().contains("sustained.iops"), "{fault}");
    }
}
