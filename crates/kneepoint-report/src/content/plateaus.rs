//! Saturation of many series: one sentence and one table instead of a sentence for each.

use kneepoint_core::result::{Plateau, ThroughputUnit};
use kneepoint_core::words::distinct::distinct;

use super::summary;
use super::view::RunView;
use crate::language::texts::{common, findings};
use crate::page::{Block, Column, Table, TableCell, Text};

/// From this many plateaus on they are a table.
pub(super) const TABLE_FROM: usize = 3;

/// The load from which on a series is saturated, and what it is the load of.
fn from(survey: &RunView<'_>, found: &Plateau) -> String {
    let load = common::load(survey.language, found.from_load, found.unit);
    let series = survey.series.iter().find(|series| series.name == found.series);
    series.map_or(load.clone(), |series| series.load_of().words(survey.language, load))
}

/// How many series are saturated, and each with its load, its throughput and its limit.
pub(super) fn blocks(
    survey: &RunView<'_>,
    plateaus: &[&Plateau],
    id_of: &dyn Fn(&str) -> String,
) -> Vec<Block> {
    let language = survey.language;
    let has_limits = plateaus.iter().any(|found| found.bottleneck.is_some());
    let limits = has_limits.then(|| Column::words(findings::limited_by(language)));
    let units = distinct(plateaus.iter().map(|found| found.rate_unit.symbol()));
    let has_bytes = plateaus.iter().any(|found| found.volume.is_some());
    let bytes = has_bytes.then(|| Column::numbers(ThroughputUnit::MibPerS.symbol()));
    let columns = [
        Column::words(common::series(language)),
        Column::numbers(findings::saturated_from(language)),
        Column::numbers(match units.as_slice() {
            [only] => only,
            _ => common::throughput(language),
        }),
    ];
    let columns = columns.into_iter().chain(bytes);
    let row = |found: &&Plateau| {
        let name = Text::new().link(found.series.as_str(), id_of(&found.series));
        let (rate, volume) = found.ci95.throughput(found.rate, found.volume);
        let mut cells = vec![
            TableCell::new(name),
            TableCell::new(from(survey, found)),
            TableCell::new(match units.len() {
                1 => language.rate(rate),
                _ => language.throughput(rate, found.rate_unit),
            }),
        ];
        cells.extend(has_bytes.then(|| TableCell::new(common::volume(language, volume))));
        if has_limits {
            let part = found.bottleneck.as_ref().map(|limit| {
                let busy = language.percent(limit.busy_percent);
                format!("{} ({busy})", findings::part(language, &limit.part))
            });
            cells.push(TableCell::new(common::known(part)));
        }
        cells
    };
    let caption = match has_limits {
        true => findings::saturated_by(language),
        false => findings::saturated(language),
    };
    let table = Table::plain(caption, columns.chain(limits)).filled(plateaus.iter().map(row));
    let sentence = summary::saturation(survey).map(Block::Paragraph);
    sentence.into_iter().chain([Block::Table(table)]).collect()
}
