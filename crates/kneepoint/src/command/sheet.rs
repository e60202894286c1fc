//! A run as rows of a spreadsheet (CSV): one for each point, or one for each interval.
//!
//! Numbers are in the C locale and stand as they are. A text that a spreadsheet would take for a
//! formula gets an apostrophe before it, which spreadsheets read as "this is text".

use anyhow::Context;
use kneepoint_core::factor::combination_text;
use kneepoint_core::printable::printable;
use kneepoint_core::result::{IntervalClass, IntervalResult, PointResult, RunDocument};

/// A column: its name and its value in a row.
type Column<R> = (&'static str, fn(&R) -> String);

/// A column that says where a row comes from.
type OriginColumn = (&'static str, fn(&RunDocument, &PointResult) -> String);

/// What both kinds of rows begin with.
const ORIGIN: &[OriginColumn] = &[
    ("run", |document, _| text(&document.run.id)),
    ("label", |document, _| text(&document.run.label)),
    ("work", |document, _| text(&document.run.work)),
    ("host", |document, _| text(document.environment.host.get("name").map_or("", String::as_str))),
    ("targets", |document, _| text(&targets(document))),
    ("series", |_, point| text(&point.series)),
    ("profile", |_, point| text(&point.profile)),
    ("factors", |_, point| text(&combination_text(&point.factors))),
    ("repetition", |_, point| point.repetition.to_string()),
    ("outstanding", |_, point| maybe(point.outstanding)),
    ("offered_iops", |_, point| maybe(point.offered_iops)),
];

/// The columns of a point.
const POINT: &[Column<PointResult>] = &[
    ("block_bytes", |point| point.block_bytes.to_string()),
    ("read_percent", |point| point.read_percent.to_string()),
    ("random_percent", |point| point.random_percent.to_string()),
    ("achieved_outstanding", |point| point.achieved_outstanding.to_string()),
    ("verdict", |point| point.verdict.name().to_owned()),
    ("disturbed_percent", |point| {
        point.disturbed_percent.map_or_else(String::new, |percent| percent.to_string())
    }),
    ("started_at", |point| text(&point.started_at)),
    ("ramp_s", |point| point.ramp_s.to_string()),
    ("measured_s", |point| point.measured_s.to_string()),
    ("operations", |point| point.operations.to_string()),
    ("errors", |point| point.errors.to_string()),
    ("iops", |point| point.iops.mean.to_string()),
    ("iops_ci95", |point| maybe(point.iops.ci95)),
    ("throughput_mib_s", |point| point.throughput_mib_s.mean.to_string()),
    ("latency_mean_ms", |point| point.latency_ms.mean.to_string()),
    ("latency_min_ms", |point| point.latency_ms.min.to_string()),
    ("latency_p50_ms", |point| point.latency_ms.p50.to_string()),
    ("latency_p90_ms", |point| point.latency_ms.p90.to_string()),
    ("latency_p95_ms", |point| point.latency_ms.p95.to_string()),
    ("latency_p99_ms", |point| point.latency_ms.p99.to_string()),
    ("latency_p99_9_ms", |point| point.latency_ms.p99_9.to_string()),
    ("latency_p99_99_ms", |point| point.latency_ms.p99_99.to_string()),
    ("latency_max_ms", |point| point.latency_ms.max.to_string()),
    ("read_iops", |point| point.read.iops.to_string()),
    ("read_mib_s", |point| point.read.throughput_mib_s.to_string()),
    ("read_latency_mean_ms", |point| point.read.latency_ms.mean.to_string()),
    ("read_latency_p50_ms", |point| point.read.latency_ms.p50.to_string()),
    ("read_latency_p99_ms", |point| point.read.latency_ms.p99.to_string()),
    ("read_latency_max_ms", |point| point.read.latency_ms.max.to_string()),
    ("write_iops", |point| point.write.iops.to_string()),
    ("write_mib_s", |point| point.write.throughput_mib_s.to_string()),
    ("write_latency_mean_ms", |point| point.write.latency_ms.mean.to_string()),
    ("write_latency_p50_ms", |point| point.write.latency_ms.p50.to_string()),
    ("write_latency_p99_ms", |point| point.write.latency_ms.p99.to_string()),
    ("write_latency_max_ms", |point| point.write.latency_ms.max.to_string()),
    ("cpu_percent", |point| point.cpu_percent.to_string()),
];

/// The columns of an interval.
const INTERVAL: &[Column<IntervalResult>] = &[
    ("start_s", |interval| interval.start_s.to_string()),
    ("length_s", |interval| interval.length_s.to_string()),
    ("iops", |interval| interval.iops.to_string()),
    ("throughput_mib_s", |interval| interval.throughput_mib_s.to_string()),
    ("latency_mean_ms", |interval| interval.latency_mean_ms.to_string()),
    ("latency_p50_ms", |interval| maybe(interval.latency_p50_ms)),
    ("latency_p99_ms", |interval| maybe(interval.latency_p99_ms)),
    ("latency_max_ms", |interval| interval.latency_max_ms.to_string()),
    ("read_iops", |interval| of(interval.read, |read| read.iops)),
    ("read_mib_s", |interval| of(interval.read, |read| read.throughput_mib_s)),
    ("read_latency_mean_ms", |interval| of(interval.read, |read| read.latency_mean_ms)),
    ("read_latency_p50_ms", |interval| of(interval.read, |read| read.latency_p50_ms)),
    ("read_latency_p99_ms", |interval| of(interval.read, |read| read.latency_p99_ms)),
    ("read_latency_max_ms", |interval| of(interval.read, |read| read.latency_max_ms)),
    ("write_iops", |interval| of(interval.write, |write| write.iops)),
    ("write_mib_s", |interval| of(interval.write, |write| write.throughput_mib_s)),
    ("write_latency_mean_ms", |interval| of(interval.write, |write| write.latency_mean_ms)),
    ("write_latency_p50_ms", |interval| of(interval.write, |write| write.latency_p50_ms)),
    ("write_latency_p99_ms", |interval| of(interval.write, |write| write.latency_p99_ms)),
    ("write_latency_max_ms", |interval| of(interval.write, |write| write.latency_max_ms)),
];

/// One row per point.
pub(super) fn points_csv(document: &RunDocument) -> anyhow::Result<String> {
    let mut rows = vec![header(POINT)];
    for point in &document.points {
        rows.push(row((document, point), POINT, point));
    }
    csv(&rows)
}

/// One row per interval of every point.
pub(super) fn intervals_csv(document: &RunDocument) -> anyhow::Result<String> {
    let mut rows = vec![header(INTERVAL)];
    for point in &document.points {
        for interval in &point.intervals {
            rows.push(row((document, point), INTERVAL, interval));
        }
    }
    csv(&rows)
}

fn header<R>(columns: &[Column<R>]) -> Vec<String> {
    let origin = ORIGIN.iter().map(|(name, _)| *name);
    origin.chain(columns.iter().map(|(name, _)| *name)).map(str::to_owned).collect()
}

fn row<R>(
    (document, point): (&RunDocument, &PointResult),
    columns: &[Column<R>],
    of: &R,
) -> Vec<String> {
    let origin = ORIGIN.iter().map(|(_, value)| value(document, point));
    origin.chain(columns.iter().map(|(_, value)| value(of))).collect()
}

/// The rows as RFC 4180 has it, with line feeds; fields are quoted where they need it.
fn csv(rows: &[Vec<String>]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).context("cannot write the rows as CSV")?;
    }
    let bytes = writer.into_inner().context("cannot write the rows as CSV")?;
    String::from_utf8(bytes).context("cannot write the rows as CSV")
}

fn targets(document: &RunDocument) -> String {
    let names = document.environment.targets.iter().map(|target| target.target.as_str());
    names.collect::<Vec<_>>().join("; ")
}

/// A number where there is one.
fn maybe<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A number of reads or writes, where any completed.
fn of(class: Option<IntervalClass>, number: fn(IntervalClass) -> f64) -> String {
    maybe(class.map(number))
}

/// A text that no spreadsheet computes and that stays on one line: control characters are spelled
/// out.
fn text(text: &str) -> String {
    const FORMULA: [char; 4] = ['=', '+', '-', '@'];
    let text = printable(text);
    match text.trim_start().starts_with(FORMULA) {
        true => format!("'{text}"),
        false => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_formulas() {
        let check = |given: &str, written: &str| assert_eq!(text(given), written);
        check("database/8KiB", "database/8KiB");
        check("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
        check("+1", "'+1");
        check("-1", "'-1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("\t=1", "\\t=1");
        check("\r\n=1", "\\r\\n=1");
        check(" =1", "' =1");
        check("", "");
    }

    #[test]
    fn fields_are_quoted_where_they_need_it() {
        let row = ["a,b", "c\"d", "e\nf", "g\rh", "i"].map(str::to_owned).to_vec();
        assert_eq!(csv(&[row]).unwrap(), "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\rh\",i\n");
    }
}
