//! The targets: what they are, and each one's part in the results.

use kneepoint_core::number::{Count, Rate, RoundedBytes};
use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{PointResult, TargetEnvironment};

use super::curves::sentence;
use super::survey::{SeriesView, Survey};
use super::words;
use crate::page::{Block, Cell, Column, ColumnGroup, Note, Section, Table, Text, Tone};

/// With more rows than this, only the peak of each series is listed.
const ROWS_MAX: usize = 600;
/// More targets than this are not named in running text.
const NAMES_MAX: usize = 4;

/// All targets by name, or the first few and how many more.
pub(super) fn names(survey: &Survey<'_>) -> Text {
    let targets = survey.targets();
    let mut text = Text::new();
    if targets.is_empty() {
        return text.plain("not recorded");
    }
    for (index, target) in targets.iter().take(NAMES_MAX).enumerate() {
        text = if index > 0 { text.plain(", ") } else { text };
        text = text.code(&target.target);
    }
    match targets.len().saturating_sub(NAMES_MAX) {
        0 => text,
        more => text.plain(format!(" and {more} more")),
    }
}

/// What a target is: `a file of 8.0 GiB on ext4`.
pub(super) fn description(target: &TargetEnvironment) -> String {
    let size = RoundedBytes(target.size_bytes);
    match target.kind {
        TargetKind::File => {
            let system = target.file_system.split([' ', ',']).next().unwrap_or_default();
            let on = if system.is_empty() { String::new() } else { format!(" on {system}") };
            format!("a file of {size}{on}")
        }
        TargetKind::Block => format!("a block device of {size}"),
        TargetKind::Sim => format!("a simulated storage system of {size}"),
        TargetKind::Null => "no device at all: I/Os complete at once".to_owned(),
    }
}

/// Whether any target is of this kind.
pub(super) fn are(survey: &Survey<'_>, kind: TargetKind) -> bool {
    survey.targets().iter().any(|target| target.kind == kind)
}

/// Says so where the numbers are not those of a device.
pub(super) fn reality(survey: &Survey<'_>) -> Option<Note> {
    let (title, text) = if are(survey, TargetKind::Sim) {
        (
            "Simulated storage",
            "The numbers come from a model of a storage system in virtual time. No device was \
             measured.",
        )
    } else if are(survey, TargetKind::Null) {
        (
            "No storage behind the numbers",
            "The null target completes every I/O at once: the numbers show what the load \
             generator itself can do.",
        )
    } else {
        return None;
    };
    Some(Note { tone: Tone::Plain, title: title.to_owned(), text: text.into() })
}

/// Each target's part in every point, where there is more than one target.
pub(super) fn section(survey: &Survey<'_>) -> Option<Section> {
    if survey.targets().len() < 2 {
        return None;
    }
    let rows: usize = survey.document.points.iter().map(|point| point.targets.len()).sum();
    let peaks_only = rows > ROWS_MAX;
    let text = if peaks_only {
        "Each target's part in the point of highest throughput of each series; the other points \
         are in the exported result."
    } else {
        "Each target's part in every point. The load is that of one target."
    };
    let mut blocks = vec![Block::paragraph(text)];
    for series in &survey.series {
        let points = if peaks_only { peak(series) } else { series.points.clone() };
        blocks.extend(table(series, &points).map(Block::Table));
    }
    Some(Section::new("targets", "Results of each target", blocks))
}

fn peak<'a>(series: &SeriesView<'a>) -> Vec<&'a PointResult> {
    let rate = |point: &PointResult| series.judge.estimate(point).mean;
    let best = series.curve().into_iter().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    best.into_iter().collect()
}

fn table(series: &SeriesView<'_>, points: &[&PointResult]) -> Option<Table> {
    let response = format!("Response time in {}", series.unit.symbol());
    let groups = vec![
        ColumnGroup::new("", vec![Column::numbers(sentence(words::load_noun(series.load_unit())))]),
        ColumnGroup::new("", vec![Column::words("Target")]),
        ColumnGroup::new("Throughput", ["IO/s", "MiB/s"].map(Column::numbers).into()),
        ColumnGroup::new(response, ["Mean", "Smallest", "Largest"].map(Column::numbers).into()),
        ColumnGroup::new("", vec![Column::numbers("Errors")]),
    ];
    let caption = Text::new().plain("Targets of ").strong(series.name);
    let mut table = Table::new(caption, groups);
    for point in points {
        let load = kneepoint_core::number::Level(point.load().value);
        for (index, target) in point.targets.iter().enumerate() {
            let tone = if index == 0 { Tone::Plain } else { Tone::Muted };
            let time = |ms: f64| Cell::new(series.unit.print(ms));
            table.push(vec![
                Cell::new(load.to_string()).tone(tone),
                Cell::new(Text::new().code(&target.target)),
                Cell::new(Rate(target.iops).to_string()),
                Cell::new(Rate(target.throughput_mib_s).to_string()),
                time(target.latency_ms.mean),
                time(target.latency_ms.min),
                time(target.latency_ms.max),
                Cell::new(Count(target.errors).to_string()),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}
