//! What a series is judged by, and the unit of its response times.

use kneepoint_core::result::{Estimate, Peak, PointResult, Sustained, SustainedStatus};

use crate::language::Language;

/// The throughput that a series is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judge {
    /// I/Os per second: random access prevails.
    Iops,
    /// MiB per second: sequential access prevails.
    MibPerS,
}

impl Judge {
    /// Sequential access is judged by the bytes it moves.
    pub(super) fn of(random_percent: f64) -> Self {
        if random_percent < 50.0 { Self::MibPerS } else { Self::Iops }
    }

    /// The unit.
    pub(super) const fn unit(self) -> &'static str {
        match self {
            Self::Iops => "IO/s",
            Self::MibPerS => "MiB/s",
        }
    }

    /// The point's throughput.
    pub(super) const fn estimate(self, point: &PointResult) -> Estimate {
        match self {
            Self::Iops => point.iops,
            Self::MibPerS => point.throughput_mib_s,
        }
    }

    /// The sustained throughput.
    pub(super) const fn sustained(self, sustained: &Sustained) -> Option<f64> {
        match self {
            Self::Iops => sustained.iops,
            Self::MibPerS => sustained.throughput_mib_s,
        }
    }

    /// What is known of the sustained throughput if that is only a bound.
    pub(super) const fn bound(self, sustained: &Sustained) -> Option<f64> {
        match (self, sustained.bound) {
            (_, None) => None,
            (Self::Iops, Some(bound)) => Some(bound.iops),
            (Self::MibPerS, Some(bound)) => Some(bound.throughput_mib_s),
        }
    }

    /// The bound with its sign and unit: `≥ 84,610 IO/s`.
    pub(super) fn bounded(self, language: Language, sustained: &Sustained) -> Option<String> {
        let bound = self.print(language, self.bound(sustained)?);
        Some(format!("{} {bound}", sign(sustained.status)))
    }

    /// The peak throughput.
    pub(super) const fn peak(self, peak: &Peak) -> f64 {
        match self {
            Self::Iops => peak.iops,
            Self::MibPerS => peak.throughput_mib_s,
        }
    }

    /// A throughput with its unit: `14,320 IO/s`.
    pub(super) fn print(self, language: Language, value: f64) -> String {
        match self {
            Self::Iops => language.iops(value),
            Self::MibPerS => language.mib_per_s(value),
        }
    }
}

/// The sign of a bound.
pub(super) const fn sign(status: SustainedStatus) -> &'static str {
    match status {
        SustainedStatus::BelowFirst => "<",
        SustainedStatus::BeyondLast => "≥",
        SustainedStatus::Met | SustainedStatus::Unknown => "",
    }
}

/// The unit that response times of a table or figure are given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    /// Microseconds.
    Us,
    /// Milliseconds.
    Ms,
}

impl TimeUnit {
    /// Microseconds where every one of the `means` (in milliseconds) is below a millisecond.
    pub(super) fn of(means: impl IntoIterator<Item = f64>) -> Self {
        let largest = means.into_iter().fold(0.0, f64::max);
        if largest > 0.0 && largest < 1.0 { Self::Us } else { Self::Ms }
    }

    /// Its symbol.
    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Self::Us => "µs",
            Self::Ms => "ms",
        }
    }

    /// What is measured, with this unit: `Response time in ms`.
    pub(super) fn title(self, what: &str) -> String {
        format!("{what} in {}", self.symbol())
    }

    /// A time in milliseconds as a number of this unit.
    pub(super) fn convert(self, ms: f64) -> f64 {
        match self {
            Self::Us => ms * 1e3,
            Self::Ms => ms,
        }
    }

    /// A time in milliseconds as it stands in a column of this unit.
    pub(super) fn print(self, language: Language, ms: f64) -> String {
        language.rate(self.convert(ms))
    }
}
