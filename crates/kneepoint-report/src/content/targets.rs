//! The targets: what they are, and each one's part in the results.

use kneepoint_core::plan::TargetKind;
use kneepoint_core::result::{PointResult, TargetEnvironment};

use super::survey::{RunView, SeriesView};
use super::words::volume;
use crate::language::texts;
use crate::page::{Block, Cell, Column, ColumnGroup, Note, Section, Table, Text, Tone};

/// With more rows than this, only the peak of each series is listed.
const ROWS_MAX: usize = 600;
/// More targets than this are not named in running text.
const NAMES_MAX: usize = 4;

/// All targets by name, or the first few and how many more.
pub(super) fn names(survey: &RunView<'_>) -> Text {
    let targets = survey.targets();
    let mut text = Text::new();
    if targets.is_empty() {
        return text.plain(texts::words::not_recorded(survey.language));
    }
    for (index, target) in targets.iter().take(NAMES_MAX).enumerate() {
        text = if index > 0 { text.plain(", ") } else { text };
        text = text.code(&target.target);
    }
    match targets.len().saturating_sub(NAMES_MAX) {
        0 => text,
        more => text.plain(texts::front::more(survey.language, more)),
    }
}

/// What a target is: `a file of 8.0 GiB on ext4`.
pub(super) fn description(survey: &RunView<'_>, target: &TargetEnvironment) -> String {
    let language = survey.language;
    let size = language.bytes(target.size_bytes);
    match target.kind {
        TargetKind::File => {
            let system = target.file_system.split([' ', ',']).next().unwrap_or_default();
            texts::abstract_text::file(language, &size, system)
        }
        TargetKind::Block => texts::abstract_text::block_device(language, &size),
        TargetKind::Sim if target.size_bytes == 0 => {
            texts::abstract_text::simulated_server(language).to_owned()
        }
        TargetKind::Sim => texts::abstract_text::simulated_system(language, &size),
        TargetKind::Null => texts::abstract_text::null_target(language).to_owned(),
    }
}

/// Whether any target is of this kind.
pub(super) fn are(survey: &RunView<'_>, kind: TargetKind) -> bool {
    survey.targets().iter().any(|target| target.kind == kind)
}

/// Says so where the numbers are not those of a device.
pub(super) fn reality(survey: &RunView<'_>) -> Option<Note> {
    let language = survey.language;
    let (title, text) = if are(survey, TargetKind::Sim) {
        match survey.is_io() {
            true => (texts::front::simulated(language), texts::front::simulated_text(language)),
            false => (
                texts::front::simulated_users(language),
                texts::front::simulated_users_text(language),
            ),
        }
    } else if are(survey, TargetKind::Null) {
        (texts::front::null(language), texts::front::null_text(language))
    } else {
        return None;
    };
    Some(Note { tone: Tone::Plain, title: title.to_owned(), text: text.into() })
}

/// Each target's part in every point, where there is more than one target.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let language = survey.language;
    if survey.targets().len() < 2 {
        return None;
    }
    let rows: usize = survey.document.points.iter().map(|point| point.targets.len()).sum();
    let peaks_only = rows > ROWS_MAX;
    let text = if peaks_only {
        texts::data::targets_peaks(language)
    } else {
        texts::data::targets_all(language)
    };
    let mut blocks = vec![Block::paragraph(text)];
    for series in &survey.series {
        let points = if peaks_only { peak(series) } else { series.points.clone() };
        blocks.extend(table(series, &points).map(Block::Table));
    }
    Some(Section::new("targets", texts::data::targets_heading(language), blocks))
}

/// The measured point of highest throughput.
fn peak<'a>(series: &SeriesView<'a>) -> Vec<&'a PointResult> {
    let rate = |point: &PointResult| series.judge.estimate(point).mean;
    let best = series.points.iter().copied().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    best.into_iter().collect()
}

fn table(series: &SeriesView<'_>, points: &[&PointResult]) -> Option<Table> {
    let language = series.language;
    let unit = series.rate_unit().symbol();
    let responses = [
        texts::words::mean(language),
        texts::words::smallest(language),
        texts::words::largest(language),
    ]
    .map(Column::numbers);
    let groups = vec![
        ColumnGroup::new(
            "",
            vec![Column::numbers(texts::words::load_title(language, series.load_unit()))],
        ),
        ColumnGroup::new("", vec![Column::words(texts::words::target(language))]),
        ColumnGroup::new(
            texts::words::throughput(language),
            [unit, "MiB/s"].map(Column::numbers).into(),
        ),
        ColumnGroup::new(
            series.unit.title(texts::words::response_time(language)),
            responses.into(),
        ),
        ColumnGroup::new("", vec![Column::numbers(texts::words::errors(language))]),
    ];
    let mut table = Table::new(texts::data::targets_of(language, series.name), groups);
    for point in points {
        let load = language.level(point.load.value);
        for (index, target) in point.targets.iter().enumerate() {
            let tone = if index == 0 { Tone::Plain } else { Tone::Muted };
            let time = |ms: f64| Cell::new(series.unit.print(language, ms));
            table.push(vec![
                Cell::new(load.clone()).tone(tone),
                Cell::new(Text::new().code(&target.target)),
                Cell::new(language.rate(target.rate)),
                Cell::new(volume(language, target.volume)),
                time(target.latency_ms.mean),
                time(target.latency_ms.min),
                time(target.latency_ms.max),
                Cell::new(language.count_u64(target.errors)),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}
