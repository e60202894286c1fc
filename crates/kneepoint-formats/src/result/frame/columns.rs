//! The columns of points and of intervals.

use kneepoint_core::result::{
    ClassResult, IntervalClass, IntervalResult, PointResult, RunDocument,
};
use kneepoint_core::spec::factor::combination_text;

/// What a column holds of an `R`.
pub(super) enum Field<R> {
    /// A text.
    Text(fn(&R) -> String),
    /// A count, where it is known.
    Whole(fn(&R) -> Option<u64>),
    /// A number, where it is known.
    Number(fn(&R) -> Option<f64>),
}

/// A column: its name and its value in a row.
pub(super) type Column<R> = (&'static str, Field<R>);

/// Where a row comes from.
pub(super) type Origin<'a> = (&'a RunDocument, &'a PointResult);

/// A column that says where a row comes from.
pub(super) type OriginColumn = (&'static str, OriginField);

/// What it holds.
pub(super) enum OriginField {
    /// A text.
    Text(fn(Origin<'_>) -> String),
    /// A count.
    Whole(fn(Origin<'_>) -> u64),
    /// A number.
    Number(fn(Origin<'_>) -> f64),
}

/// The columns that both kinds of rows begin with.
pub(super) const ORIGIN: &[OriginColumn] = &[
    ("run", OriginField::Text(|(document, _)| document.run.id.clone())),
    ("label", OriginField::Text(|(document, _)| document.run.label.clone())),
    ("work", OriginField::Text(|(document, _)| document.run.work.clone())),
    ("host", OriginField::Text(|(document, _)| hosts(document))),
    ("targets", OriginField::Text(|(document, _)| targets(document))),
    ("series", OriginField::Text(|(_, point)| point.series.clone())),
    ("profile", OriginField::Text(|(_, point)| point.profile.clone())),
    ("factors", OriginField::Text(|(_, point)| combination_text(&point.factors))),
    ("settings", OriginField::Text(|(_, point)| combination_text(&point.settings))),
    ("repetition", OriginField::Whole(|(_, point)| u64::from(point.repetition))),
    ("load", OriginField::Number(|(_, point)| point.load.value)),
    ("load_unit", OriginField::Text(|(_, point)| point.load.unit.name().to_owned())),
    ("load_per", OriginField::Text(|(_, point)| point.load.unit.per().name().to_owned())),
];

/// The columns of a point.
pub(super) const POINT: &[Column<PointResult>] = &[
    ("block_bytes", Field::Whole(|point| point.storage.map(|storage| storage.block_bytes))),
    ("read_percent", Field::Number(|point| point.storage.map(|storage| storage.read_percent))),
    ("random_percent", Field::Number(|point| point.storage.map(|storage| storage.random_percent))),
    (
        "achieved_outstanding",
        Field::Number(|point| point.storage.map(|storage| storage.achieved_outstanding)),
    ),
    ("verdict", Field::Text(|point| point.verdict.name().to_owned())),
    ("disturbed_percent", Field::Number(|point| point.disturbed_percent)),
    ("started_at", Field::Text(|point| point.started_at.clone())),
    ("ramp_s", Field::Number(|point| Some(point.ramp_s))),
    ("measured_s", Field::Number(|point| Some(point.measured_s))),
    ("operations", Field::Whole(|point| Some(point.operations))),
    ("errors", Field::Whole(|point| Some(point.errors))),
    ("rate", Field::Number(|point| Some(point.rate.mean))),
    ("rate_ci95", Field::Number(|point| point.rate.ci95)),
    ("rate_unit", Field::Text(|point| point.rate.unit.name().to_owned())),
    ("volume_mib_s", Field::Number(|point| point.mib_s())),
    ("volume_mib_s_ci95", Field::Number(|point| point.volume.and_then(|volume| volume.ci95))),
    ("latency_mean_ms", Field::Number(|point| Some(point.latency_ms.mean))),
    ("latency_mean_ms_ci95", Field::Number(|point| point.latency_ms.ci95)),
    ("latency_min_ms", Field::Number(|point| point.latency_ms.min)),
    ("latency_p50_ms", Field::Number(|point| point.latency_ms.p50)),
    ("latency_p90_ms", Field::Number(|point| point.latency_ms.p90)),
    ("latency_p95_ms", Field::Number(|point| point.latency_ms.p95)),
    ("latency_p99_ms", Field::Number(|point| point.latency_ms.p99)),
    ("latency_p99_9_ms", Field::Number(|point| point.latency_ms.p99_9)),
    ("latency_p99_99_ms", Field::Number(|point| point.latency_ms.p99_99)),
    ("latency_max_ms", Field::Number(|point| Some(point.latency_ms.max))),
    ("cpu_percent", Field::Number(|point| point.cpu_percent)),
];

/// The columns of each response class of a point, behind the name of the class.
pub(super) const POINT_CLASS: &[Column<ClassResult>] = &[
    ("operations", Field::Whole(|class| Some(class.operations))),
    ("rate", Field::Number(|class| Some(class.rate))),
    ("mib_s", Field::Number(|class| class.volume)),
    ("latency_mean_ms", Field::Number(|class| Some(class.latency_ms.mean))),
    ("latency_p50_ms", Field::Number(|class| class.latency_ms.p50)),
    ("latency_p99_ms", Field::Number(|class| class.latency_ms.p99)),
    ("latency_max_ms", Field::Number(|class| Some(class.latency_ms.max))),
];

/// The columns of an interval.
pub(super) const INTERVAL: &[Column<IntervalResult>] = &[
    ("start_s", Field::Number(|interval| Some(interval.start_s))),
    ("length_s", Field::Number(|interval| Some(interval.length_s))),
    ("rate", Field::Number(|interval| Some(interval.rate))),
    ("volume_mib_s", Field::Number(|interval| interval.volume)),
    ("latency_mean_ms", Field::Number(|interval| Some(interval.latency_mean_ms))),
    ("latency_p50_ms", Field::Number(|interval| interval.latency_p50_ms)),
    ("latency_p99_ms", Field::Number(|interval| interval.latency_p99_ms)),
    ("latency_max_ms", Field::Number(|interval| Some(interval.latency_max_ms))),
];

/// The columns of each response class of an interval, behind the name of the class.
pub(super) const INTERVAL_CLASS: &[Column<IntervalClass>] = &[
    ("rate", Field::Number(|class| Some(class.rate))),
    ("mib_s", Field::Number(|class| class.volume)),
    ("latency_mean_ms", Field::Number(|class| Some(class.latency_mean_ms))),
    ("latency_p50_ms", Field::Number(|class| Some(class.latency_p50_ms))),
    ("latency_p99_ms", Field::Number(|class| Some(class.latency_p99_ms))),
    ("latency_max_ms", Field::Number(|class| Some(class.latency_max_ms))),
];

fn targets(document: &RunDocument) -> String {
    if let Some(imported) = &document.environment.imported {
        return imported.targets.join("; ");
    }
    let names = document.environment.targets.iter().map(|target| target.target.as_str());
    names.collect::<Vec<_>>().join("; ")
}

fn hosts(document: &RunDocument) -> String {
    if let Some(imported) = &document.environment.imported {
        return imported.hosts.join("; ");
    }
    let names = document.environment.hosts.iter().map(|host| host.host.as_str());
    names.collect::<Vec<_>>().join("; ")
}
