//! What a series is judged by, and the unit of its response times.

use kneepoint_core::result::{
    Estimate, IntervalResult, Peak, PointResult, Sustained, SustainedStatus, ThroughputUnit,
};

use crate::language::Language;

/// The throughput that a series is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PrimaryMetric {
    /// Operations per second, in this unit.
    Rate(ThroughputUnit),
    /// MiB per second: sequential access prevails.
    Volume,
}

impl PrimaryMetric {
    /// Every one, in the order of figures.
    pub(super) const ALL: [Self; 3] = [
        Self::Rate(ThroughputUnit::Iops),
        Self::Rate(ThroughputUnit::OperationsPerS),
        Self::Volume,
    ];

    /// How a series is judged that has this point: sequential access by the bytes that it moves.
    pub(super) fn of(point: Option<&PointResult>) -> Self {
        match point {
            Some(point) if point.is_sequential() => Self::Volume,
            Some(point) => Self::Rate(point.rate.unit),
            None => Self::Rate(ThroughputUnit::Iops),
        }
    }

    /// The unit.
    pub(super) const fn unit(self) -> &'static str {
        match self {
            Self::Rate(unit) => unit.symbol(),
            Self::Volume => ThroughputUnit::MibPerS.symbol(),
        }
    }

    /// The one of both that the series is judged by.
    fn choose<T>(self, rate: T, volume: Option<T>) -> Option<T> {
        match self {
            Self::Rate(_) => Some(rate),
            Self::Volume => volume,
        }
    }

    /// The point's throughput.
    pub(super) fn estimate(self, point: &PointResult) -> Estimate {
        self.choose(point.rate, point.volume).unwrap_or_default().estimate()
    }

    /// The throughput of an interval.
    pub(super) fn interval(self, interval: &IntervalResult) -> f64 {
        self.choose(interval.rate, interval.volume).unwrap_or_default()
    }

    /// The sustained throughput, if it is more than a bound.
    pub(super) fn sustained(self, sustained: &Sustained) -> Option<f64> {
        let found = sustained.met()?;
        Some(self.choose(found.rate?, found.volume)?.mean)
    }

    /// What is known of the sustained throughput if that is only a bound.
    pub(super) fn bound(self, sustained: &Sustained) -> Option<f64> {
        let bound = sustained.bound()?;
        self.choose(bound.rate, bound.volume)
    }

    /// The bound with its sign and unit: `≥ 84,610 IO/s`.
    pub(super) fn bounded(self, language: Language, sustained: &Sustained) -> Option<String> {
        let bound = self.print(language, self.bound(sustained)?);
        Some(format!("{} {bound}", sign(sustained.status)))
    }

    /// The peak throughput.
    pub(super) fn peak(self, peak: &Peak) -> f64 {
        self.choose(peak.rate, peak.volume).unwrap_or_default().mean
    }

    /// A throughput with its unit: `14,320 IO/s`.
    pub(super) fn print(self, language: Language, value: f64) -> String {
        match self {
            Self::Rate(unit) => language.throughput(value, unit),
            Self::Volume => language.mib_per_s(value),
        }
    }

    /// The two throughputs with their units, the one that the series is judged by first.
    pub(super) fn both(
        self,
        language: Language,
        (rate, volume): (f64, Option<f64>),
    ) -> (String, Option<String>) {
        let volume = volume.map(|volume| language.mib_per_s(volume));
        match (self, volume) {
            (Self::Rate(unit), volume) => (language.throughput(rate, unit), volume),
            (Self::Volume, Some(volume)) => (volume, Some(language.iops(rate))),
            (Self::Volume, None) => (language.iops(rate), None),
        }
    }
}

/// The sign of a bound.
pub(super) const fn sign(status: SustainedStatus) -> &'static str {
    match status {
        SustainedStatus::NoneMeets => "<",
        SustainedStatus::AllMeet => "≥",
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

    /// A time in milliseconds as it is in a column of this unit.
    pub(super) fn print(self, language: Language, ms: f64) -> String {
        language.rate(self.convert(ms))
    }
}
