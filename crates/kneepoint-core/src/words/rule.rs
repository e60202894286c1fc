//! Rules: conditions on response time that decide what load is sustained.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::words::class::ClassName;
use crate::words::fault::Fault;
use crate::words::units::Nanos;

crate::named! {
    /// Which number of a response-time distribution a rule looks at.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Metric {
        /// The arithmetic mean.
        Mean = "mean",
        /// The median.
        P50 = "p50",
        /// The 90th percentile.
        P90 = "p90",
        /// The 95th percentile.
        P95 = "p95",
        /// The 99th percentile.
        P99 = "p99",
        /// The 99.9th percentile.
        P999 = "p99.9",
        /// The 99.99th percentile.
        P9999 = "p99.99",
        /// The largest value.
        Max = "max",
    }
}

impl Metric {
    /// The percentage of a percentile.
    pub const fn percent(self) -> Option<f64> {
        match self {
            Self::Mean | Self::Max => None,
            Self::P50 => Some(50.0),
            Self::P90 => Some(90.0),
            Self::P95 => Some(95.0),
            Self::P99 => Some(99.0),
            Self::P999 => Some(99.9),
            Self::P9999 => Some(99.99),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A condition on response time: `mean<=20ms`, `p99.9<=5ms`, `max<=1s`; of one response class,
/// `write.p99<=5ms`; or against a reference, `mean<=2x@5`: twice the mean at load 5, and
/// `mean<=+100ms@5`: 100 ms more than that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The response class that is judged; `None` for all operations together.
    pub class: Option<ClassName>,
    /// The number that is compared with the limit.
    pub metric: Metric,
    /// The largest response time that still meets the rule.
    pub limit: RuleLimit,
}

/// The largest response time that still meets a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleLimit {
    /// A time.
    Time(Nanos),
    /// A multiple of the same number at another load of the same series.
    Multiple {
        /// How many times, in thousandths.
        thousandths: u32,
        /// The load of the reference, in the unit of the series.
        load: u32,
    },
    /// So much more than the same number at another load of the same series.
    Beyond {
        /// How much more.
        extra: Nanos,
        /// The load of the reference, in the unit of the series.
        load: u32,
    },
}

impl RuleLimit {
    /// The time in milliseconds; `None` against a reference, which is to be measured first.
    pub fn as_millis_f64(self) -> Option<f64> {
        match self {
            Self::Time(time) => Some(time.as_millis_f64()),
            Self::Multiple { .. } | Self::Beyond { .. } => None,
        }
    }
}

impl Rule {
    /// A rule on all operations with a time as its limit.
    pub const fn on(metric: Metric, limit: Nanos) -> Self {
        Self { class: None, metric, limit: RuleLimit::Time(limit) }
    }

    /// The metric and the limit in milliseconds of a rule on all operations with a time as its limit:
    /// a line in a figure.
    pub fn line_ms(&self) -> Option<(Metric, f64)> {
        let limit = self.limit.as_millis_f64()?;
        self.class.is_none().then_some((self.metric, limit))
    }

    /// The load at which the reference is measured; `None` if the limit is a time.
    pub fn reference_load(&self) -> Option<f64> {
        match self.limit {
            RuleLimit::Time(_) => None,
            RuleLimit::Multiple { load, .. } | RuleLimit::Beyond { load, .. } => {
                Some(f64::from(load))
            }
        }
    }

    /// The same rule with a time as its limit, if its reference takes `reference_ms`.
    pub(crate) fn against(&self, reference_ms: f64) -> Option<Self> {
        let limit_ns = match self.limit {
            RuleLimit::Time(_) => return Some(*self),
            RuleLimit::Multiple { thousandths, .. } => reference_ms * 1e3 * f64::from(thousandths),
            RuleLimit::Beyond { extra, .. } => reference_ms * 1e6 + extra.0 as f64,
        };
        Some(Self { limit: RuleLimit::Time(Nanos(limit_ns.round() as u64)), ..*self })
    }
}

impl fmt::Display for RuleLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => time.fmt(f),
            Self::Multiple { thousandths, load } => {
                write!(f, "{}x@{load}", f64::from(*thousandths) / 1e3)
            }
            Self::Beyond { extra, load } => write!(f, "+{extra}@{load}"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(class) = &self.class {
            write!(f, "{class}.")?;
        }
        write!(f, "{}<={}", self.metric, self.limit)
    }
}

impl FromStr for Rule {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let bad = |why: String| {
            Fault::new(format!("'{text}' is not a rule")).because(why).fix(
                "write it as mean<=20ms, p99.9<=50ms, of one class as write.p99<=5ms, or against \
                 the response time at another load as mean<=2x@5 or mean<=+100ms@5",
            )
        };
        let (number, limit) =
            text.split_once("<=").ok_or_else(|| bad("there is no '<=' in it".into()))?;
        let (class, metric) = class_and_metric(number.trim()).map_err(bad)?;
        let limit = parsed_limit(limit.trim()).map_err(bad)?;
        Ok(Self { class, metric, limit })
    }
}

/// The class, if one is named, and the metric: `p99.9`, `write.p99`.
fn class_and_metric(text: &str) -> Result<(Option<ClassName>, Metric), String> {
    let metric = |name: &str| Metric::ALL.into_iter().find(|metric| metric.name() == name);
    if let Some(metric) = metric(text) {
        return Ok((None, metric));
    }
    let known = "is none of mean, p50, p90, p95, p99, p99.9, p99.99, max";
    let (class, name) = text.split_once('.').ok_or_else(|| format!("'{text}' {known}"))?;
    let metric = metric(name).ok_or_else(|| format!("'{name}' {known}"))?;
    let class = ClassName::new(class).ok_or_else(|| {
        format!("'{class}' is no name of a response class: those are lower-case letters")
    })?;
    Ok((Some(class), metric))
}

/// A time, or what stands against the number at another load: `2x@5`, `+100ms@5`.
fn parsed_limit(text: &str) -> Result<RuleLimit, String> {
    if let Some(rest) = text.strip_prefix('+') {
        let (extra, load) = rest
            .split_once('@')
            .ok_or_else(|| "behind a time that is added stands its load: +100ms@5".to_owned())?;
        let extra = match extra.trim().parse() {
            Ok(Nanos::ZERO) => return Err("nothing is added to the response time".into()),
            Ok(extra) => extra,
            Err(fault) => return Err(Fault::to_string(&fault)),
        };
        return Ok(RuleLimit::Beyond { extra, load: reference(load)? });
    }
    let Some((times, load)) = text.split_once("x@") else {
        return match text.parse() {
            Ok(Nanos::ZERO) => Err("no response time is below zero".into()),
            Ok(limit) => Ok(RuleLimit::Time(limit)),
            Err(fault) => Err(Fault::to_string(&fault)),
        };
    };
    let thousandths = times.trim().parse::<f64>().ok().map(|times| times * 1e3);
    let thousandths =
        thousandths.filter(|times| (1001.0..=1e6).contains(times) && times.fract() == 0.0);
    let thousandths = thousandths.ok_or_else(|| {
        format!("'{times}' is no multiple from 1.001 to 1000 with at most three decimals")
    })?;
    Ok(RuleLimit::Multiple { thousandths: thousandths as u32, load: reference(load)? })
}

/// The load of a reference.
fn reference(text: &str) -> Result<u32, String> {
    let load = text.trim().parse::<u32>().ok().filter(|load| *load > 0);
    load.ok_or_else(|| "behind '@' stands a whole load of at least 1".to_owned())
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rules_print_as_they_are_typed() {
        let texts = ["mean<=20ms", "p99<=5ms", "p99.9<=50ms", "max<=1s", "mean<=1.5ms"];
        let more = ["write.p99<=5ms", "key-stroke.p99.9<=50ms", "mean<=2x@5", "read.p50<=1.5x@10"];
        let more = more.into_iter().chain(["keystroke.mean<=+100ms@5"]);
        for text in texts.into_iter().chain(more) {
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
        check("Write.p99<=5ms", "no name of a response class");
        check(".p99<=5ms", "no name of a response class");
        check("write.p98<=5ms", "'p98' is none of");
        check("mean<=1x@5", "no multiple");
        check("mean<=2x@0", "at least 1");
        check("mean<=2x@five", "at least 1");
        check("mean<=+100ms", "stands its load");
        check("mean<=+0ms@5", "nothing is added");
        check("mean<=+100@5", "unit is missing");
        check("mean<=+100ms@0", "at least 1");
    }

    proptest! {
        #[test]
        fn whatever_is_a_rule_prints_as_one(text in "[a-z.-]{0,12}(p99|mean|max)<=[+]?[0-9.]{1,6}(ms|us|s|x@[0-9]{1,3}|ms@[0-9]{1,3})") {
            if let Ok(rule) = text.parse::<Rule>() {
                prop_assert_eq!(rule.to_string().parse::<Rule>().unwrap(), rule);
            }
        }

        #[test]
        fn no_text_is_too_strange_to_be_refused(text in any::<String>()) {
            let _ = text.parse::<Rule>();
        }
    }
}
