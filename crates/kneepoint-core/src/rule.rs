//! Rules: conditions on response time that decide what load is sustained.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fault::Fault;
use crate::units::Nanos;

/// Which number of a response-time distribution a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// The arithmetic mean.
    Mean,
    /// The median.
    P50,
    /// The 90th percentile.
    P90,
    /// The 95th percentile.
    P95,
    /// The 99th percentile.
    P99,
    /// The 99.9th percentile.
    P999,
    /// The 99.99th percentile.
    P9999,
    /// The largest value.
    Max,
}

impl Metric {
    /// Every metric with the name that rules use.
    const NAMES: [(Self, &'static str); 8] = [
        (Self::Mean, "mean"),
        (Self::P50, "p50"),
        (Self::P90, "p90"),
        (Self::P95, "p95"),
        (Self::P99, "p99"),
        (Self::P999, "p99.9"),
        (Self::P9999, "p99.99"),
        (Self::Max, "max"),
    ];
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMES.iter().find(|(metric, _)| metric == self);
        f.write_str(named.map_or("", |(_, name)| name))
    }
}

/// A condition on response time: `mean<=20ms`, `p99.9<=5ms`, `max<=1s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The number that is held against the limit.
    pub metric: Metric,
    /// The largest response time that still meets the rule.
    pub limit: Nanos,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<={}", self.metric, self.limit)
    }
}

impl FromStr for Rule {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let bad = |why: String| {
            Fault::new(format!("'{text}' is not a rule"))
                .because(why)
                .fix("write it as mean<=20ms, p99<=5ms, p99.9<=50ms or max<=1s")
        };
        let (metric, limit) =
            text.split_once("<=").ok_or_else(|| bad("there is no '<=' in it".into()))?;
        let name = metric.trim();
        let (metric, _) =
            Metric::NAMES.iter().find(|(_, known)| *known == name).ok_or_else(|| {
                bad(format!("'{name}' is none of mean, p50, p90, p95, p99, p99.9, p99.99, max"))
            })?;
        let limit: Nanos = limit.parse().map_err(|fault: Fault| bad(fault.to_string()))?;
        if limit == Nanos::ZERO {
            return Err(bad("no response time is below zero".into()));
        }
        Ok(Self { metric: *metric, limit })
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|fault: Fault| {
            let hint = fault.fix_hint().map(|fix| format!("; {fix}")).unwrap_or_default();
            serde::de::Error::custom(format!("{fault}{hint}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_print_as_they_are_typed() {
        for text in ["mean<=20ms", "p99<=5ms", "p99.9<=50ms", "max<=1s", "mean<=1.5ms"] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), text);
        }
        assert_eq!(" mean <= 15ms".parse::<Rule>().unwrap().to_string(), "mean<=15ms");
    }

    #[test]
    fn what_is_no_rule_is_refused_with_the_reason() {
        let check = |text: &str, why: &str| {
            let fault = text.parse::<Rule>().unwrap_err();
            assert!(fault.to_string().contains(why), "{fault}");
        };
        check("mean<20ms", "no '<='");
        check("p0<=20ms", "none of");
        check("p101<=20ms", "none of");
        check("mean<=20", "unit is missing");
        check("mean<=0s", "below zero");
    }
}
