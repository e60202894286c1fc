//! Mean response times that few long waits make.

use kneepoint_core::result::{PointResult, Verdict};

use super::view::{RunView, SeriesView};
use crate::language::texts::findings;
use crate::page::Text;

/// The mean is this many times the median, and the slowest I/O of a hundred takes as many times the mean.
const TIMES: f64 = 5.0;

/// Of fewer I/Os one in a hundred says little.
const OPERATIONS_MIN: u64 = 1_000;

/// The series with the mean that says least of its I/Os; nothing if each mean is near what most I/Os take.
pub(super) fn sentence(survey: &RunView<'_>) -> Option<Text> {
    if !survey.is_io() {
        return None;
    }
    let language = survey.language;
    let mut worst: Vec<(&SeriesView<'_>, &PointResult)> =
        survey.series.iter().filter_map(|series| Some((series, widest(series)?))).collect();
    worst.sort_by(|(_, one), (_, other)| ratio(other).total_cmp(&ratio(one)));
    let ((series, point), others) = worst.split_first()?;
    let load = series.at_load_of_each(point.load.value);
    let times = &point.latency_ms;
    let mean = language.response_time(times.estimate());
    let [p50, p99] = [times.p50?, times.p99?].map(|ms| language.response_time(ms));
    let said = findings::few_waits(language, &load, [&mean, &p50, &p99], others.len());
    Some(series.link().plain(format!(": {said}")))
}

/// The point of a series whose mean is made of few waits, the one with the most such waits.
fn widest<'a>(series: &SeriesView<'a>) -> Option<&'a PointResult> {
    let points = series.points.iter().copied().filter(|point| is_of_few(point));
    points.max_by(|one, other| ratio(one).total_cmp(&ratio(other)))
}

fn ratio(point: &PointResult) -> f64 {
    point.latency_ms.p50.map_or(0.0, |p50| point.latency_ms.mean / p50)
}

/// Whether nine I/Os in ten take less than the mean, most of them far less, and the slowest far more, and
/// nothing else disturbed the point.
fn is_of_few(point: &PointResult) -> bool {
    let times = &point.latency_ms;
    let (Some(p50), Some(p90), Some(p99)) = (times.p50, times.p90, times.p99) else {
        return false;
    };
    !matches!(point.verdict, Verdict::Failed | Verdict::Disturbed)
        && point.operations >= OPERATIONS_MIN
        && p50 > 0.0
        && times.mean >= TIMES * p50
        && p90 < times.mean
        && p99 >= TIMES * times.mean
}
