//! A run as tables: the summary first, then every point, then what limits its trust.

use kneepoint_core::number::{Iops, Level, MibPerS, Percentage, Rate, ResponseTime};
use kneepoint_core::result::{PointResult, RunDocument, RunState, Summary, SustainedStatus};

use super::table::{Align, TextTable};

/// The whole run as text.
pub(crate) fn run_text(document: &RunDocument) -> String {
    let mut parts = vec![heading(document)];
    if document.points.is_empty() {
        parts.push("No point was measured.\n".to_owned());
    } else {
        parts.push(summary_text(document));
        parts.push(points_text(&document.points));
    }
    parts.push(warnings_text(document));
    parts.join("\n")
}

fn heading(document: &RunDocument) -> String {
    let run = &document.run;
    let targets: Vec<&str> =
        document.environment.targets.iter().map(|target| target.target.as_str()).collect();
    let label = if run.label.is_empty() { String::new() } else { format!(" \"{}\"", run.label) };
    let state = match run.state {
        RunState::Complete => "complete",
        RunState::Interrupted => "interrupted: not every point of the plan was measured",
        RunState::Failed => "failed",
    };
    format!("{} on {}\nrun {}{label}, {state}\n", run.work, targets.join(", "), run.id)
}

/// Sustained throughput at each rule and the peak, one line per series.
fn summary_text(document: &RunDocument) -> String {
    let rules = rules_of(&document.summaries);
    let mut columns = vec![("Series".to_owned(), Align::Left)];
    columns.extend(rules.iter().map(|rule| (format!("At {rule}"), Align::Right)));
    columns.push(("Peak".to_owned(), Align::Right));
    columns.push(("at load".to_owned(), Align::Right));
    columns.push(("Response time".to_owned(), Align::Right));
    let borrowed: Vec<(&str, Align)> =
        columns.iter().map(|(title, align)| (title.as_str(), *align)).collect();
    let mut table = TextTable::new(&borrowed);
    for series in series_of(&document.summaries) {
        table.row(summary_row(document, series, &rules));
    }
    table.text()
}

fn summary_row(document: &RunDocument, series: &str, rules: &[&str]) -> Vec<String> {
    let judge = Judge::of(document, series);
    let of_series = || document.summaries.iter().filter(|summary| summary.series == series);
    let mut row = vec![series.to_owned()];
    row.extend(rules.iter().map(|rule| {
        of_series().find(|summary| summary.rule == *rule).map_or_else(String::new, |summary| {
            judge.sustained(summary)
        })
    }));
    match of_series().find_map(|summary| summary.peak) {
        Some(peak) => row.extend([
            judge.rate(peak.iops, peak.throughput_mib_s),
            Level(peak.outstanding).to_string(),
            ResponseTime(peak.latency_ms).to_string(),
        ]),
        None => row.extend(["-".to_owned(), "-".to_owned(), "-".to_owned()]),
    }
    row
}

/// Sequential series are judged by MiB/s, random ones by IO/s.
#[derive(Debug, Clone, Copy)]
enum Judge {
    Iops,
    MibPerS,
}

impl Judge {
    fn of(document: &RunDocument, series: &str) -> Self {
        let point = document.points.iter().find(|point| point.series == series);
        match point.map(|point| point.random_percent) {
            Some(random) if random < 50.0 => Self::MibPerS,
            _ => Self::Iops,
        }
    }

    fn rate(self, iops: f64, mib_s: f64) -> String {
        match self {
            Self::Iops => Iops(iops).to_string(),
            Self::MibPerS => MibPerS(mib_s).to_string(),
        }
    }

    fn sustained(self, summary: &Summary) -> String {
        let sustained = &summary.sustained;
        match (sustained.status, sustained.iops, sustained.throughput_mib_s) {
            (SustainedStatus::Met, Some(iops), Some(mib_s)) => self.rate(iops, mib_s),
            (SustainedStatus::BelowFirst, ..) => "above it at any load".to_owned(),
            (SustainedStatus::BeyondLast, ..) => "not reached".to_owned(),
            _ => "-".to_owned(),
        }
    }
}

fn rules_of(summaries: &[Summary]) -> Vec<&str> {
    distinct(summaries.iter().map(|summary| summary.rule.as_str()))
}

fn series_of(summaries: &[Summary]) -> Vec<&str> {
    distinct(summaries.iter().map(|summary| summary.series.as_str()))
}

/// The values in the order of their first appearance.
fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// Every point, one line each.
fn points_text(points: &[PointResult]) -> String {
    let right = Align::Right;
    let mut table = TextTable::new(&[
        ("Series", Align::Left),
        ("Load", right),
        ("IO/s", right),
        ("MiB/s", right),
        ("mean", right),
        ("p50", right),
        ("p99", right),
        ("p99.9", right),
        ("max", right),
        ("achieved", right),
        ("CPU", right),
        ("Verdict", Align::Left),
    ]);
    for point in points {
        table.row(point_row(point));
    }
    table.text()
}

fn point_row(point: &PointResult) -> Vec<String> {
    let latency = &point.latency_ms;
    let time = |ms: f64| ResponseTime(ms).to_string();
    vec![
        point.series.clone(),
        Level(point.load().value).to_string(),
        Rate(point.iops.mean).to_string(),
        Rate(point.throughput_mib_s.mean).to_string(),
        time(latency.mean),
        time(latency.p50),
        time(latency.p99),
        time(latency.p99_9),
        time(latency.max),
        Rate(point.achieved_outstanding).to_string(),
        Percentage(point.cpu_percent.round()).to_string(),
        point.verdict.name().to_owned(),
    ]
}

/// What limits the trust in the run and in its points.
fn warnings_text(document: &RunDocument) -> String {
    let of_run = document.warnings.iter().map(|warning| format!("warning: {warning}\n"));
    let of_points = document.points.iter().flat_map(|point| {
        point.warnings.iter().map(move |warning| {
            format!("warning: {}, {}: {warning}\n", point.series, point.load())
        })
    });
    of_run.chain(of_points).collect()
}
