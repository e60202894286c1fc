//! `kneepoint export`: a stored run as JSON or CSV.

use kneepoint_core::factor::combination_text;
use kneepoint_core::result::{PointResult, RunDocument};

use super::stored;
use crate::Outcome;
use crate::cli::ExportArgs;
use crate::destination::{Parties, Replace, check, format_of, is_printed, json, write};

/// What the ending of an export's name asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Csv,
}

/// Formats that a run can be exported in.
const FORMATS: &[(&str, Format)] = &[("json", Format::Json), ("csv", Format::Csv)];

/// Writes the file, or prints JSON.
pub(crate) fn export(args: &ExportArgs) -> anyhow::Result<Outcome> {
    let (output, replace) = (&args.output, Replace::forced(args.force.force));
    let format = if is_printed(output) { Format::Json } else { format_of(output, FORMATS)? };
    let mut parties = Parties::with_store(&args.store.store);
    parties.output("-o", Some(output));
    parties.check()?;
    check(output, replace)?;
    let document = stored::load(&args.store.store, &args.run.run)?;
    match format {
        Format::Csv => write(output, replace, csv(&document))?,
        Format::Json => write(output, replace, json(&document)?)?,
    }
    Ok(Outcome::Done)
}

/// A column of the CSV: its name and its value in a point.
type Column = (&'static str, fn(&PointResult) -> String);

/// The columns of the CSV, all numbers in the C locale.
const COLUMNS: &[Column] = &[
    ("series", |point| quoted(&point.series)),
    ("profile", |point| quoted(&point.profile)),
    ("block_bytes", |point| point.block_bytes.to_string()),
    ("read_percent", |point| point.read_percent.to_string()),
    ("random_percent", |point| point.random_percent.to_string()),
    ("outstanding", |point| point.outstanding.map_or_else(String::new, |n| n.to_string())),
    ("offered_iops", |point| point.offered_iops.map_or_else(String::new, |n| n.to_string())),
    ("achieved_outstanding", |point| point.achieved_outstanding.to_string()),
    ("verdict", |point| point.verdict.name().to_owned()),
    ("started_at", |point| point.started_at.clone()),
    ("ramp_s", |point| point.ramp_s.to_string()),
    ("measured_s", |point| point.measured_s.to_string()),
    ("operations", |point| point.operations.to_string()),
    ("errors", |point| point.errors.to_string()),
    ("iops", |point| point.iops.mean.to_string()),
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
    ("write_iops", |point| point.write.iops.to_string()),
    ("write_mib_s", |point| point.write.throughput_mib_s.to_string()),
    ("write_latency_mean_ms", |point| point.write.latency_ms.mean.to_string()),
    ("cpu_percent", |point| point.cpu_percent.to_string()),
    ("factors", |point| quoted(&combination_text(&point.factors))),
];

/// One row per point (RFC 4180, with line feeds).
fn csv(document: &RunDocument) -> String {
    let head: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut lines = head.join(",") + "\n";
    for point in &document.points {
        let cells: Vec<String> = COLUMNS.iter().map(|(_, value)| value(point)).collect();
        lines.push_str(&cells.join(","));
        lines.push('\n');
    }
    lines
}

/// A text cell, in quotes where it needs them.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_with_commas_and_quotes_is_quoted() {
        assert_eq!(quoted("a/8KiB"), "a/8KiB");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
