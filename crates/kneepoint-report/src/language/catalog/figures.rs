//! Captions, titles and labels of figures.

use super::{Of1, Of2, Of3, OfCount};

/// Captions, titles and labels of figures.
#[derive(Debug)]
pub(crate) struct FigureTexts {
    /// The run.
    pub(crate) source: Of1,
    /// What series with random access are called in a caption.
    pub(crate) random_series: &'static str,
    pub(crate) other_series: &'static str,
    pub(crate) sequential_series: &'static str,
    /// So many series from one to another.
    pub(crate) series_between: fn(usize, &str, &str) -> String,
    pub(crate) throughput_over_load: Of1,
    /// Which response time, and of what.
    pub(crate) response_over_throughput: Of2,
    pub(crate) margins: &'static str,
    pub(crate) each_point: &'static str,
    /// Rules that no axis shows.
    pub(crate) outside: Of1,
    pub(crate) ring_and_star: &'static str,
    pub(crate) ring: &'static str,
    pub(crate) star: &'static str,
    pub(crate) hollow: &'static str,
    pub(crate) repeated: &'static str,
    /// A throughput and its rule.
    pub(crate) sustained_at: Of2,
    pub(crate) peak: Of1,
    /// A mean response time.
    pub(crate) mean: Of1,
    pub(crate) percentiles_over_load: Of1,
    pub(crate) percentile: &'static str,
    pub(crate) distribution: Of1,
    pub(crate) distribution_at: Of1,
    pub(crate) distribution_at_some: &'static str,
    pub(crate) distribution_at_each: &'static str,
    pub(crate) ten_times_rarer: &'static str,
    /// What the strips of so many points show, and of all of how many.
    pub(crate) strips_of_all: &'static str,
    pub(crate) strips_of_some: fn(&str, &str) -> String,
    /// Series and load.
    pub(crate) strip: Of2,
    /// Load, verdict and mean.
    pub(crate) strip_heading: Of3,
    pub(crate) rounds: &'static str,
    /// Series and load.
    pub(crate) rounds_strip: Of2,
    pub(crate) few_rounds: OfCount,
    /// Range and slope.
    pub(crate) steady: Of2,
    /// Number of the round, IO/s, mean response time.
    pub(crate) round: Of3,
}
