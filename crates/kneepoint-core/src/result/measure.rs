//! What of a series is compared: the throughput at a rule, at the peak, at equal load.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::result::{Estimate, PointResult, Throughput};
use crate::words::fault::Fault;
use crate::words::rule::Metric;

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
                Some(Estimate { mean: latency.of(metric), ci95: latency.ci95_of(metric) })
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
