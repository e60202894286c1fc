//! Limits of the trust in the results.

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::plan::Omission;
use kneepoint_core::result::{DoubtAbout, PointResult, Verdict, Warning};

use super::view::{RunView, SeriesView, list};
use super::{hosts, key_figures};
use crate::language::texts::{common, trust};
use crate::language::{self, omission};
use crate::page::{Block, Column, Note, Section, TRUST, Table, TableCell, Text, Tone};

pub(super) fn section(survey: &RunView<'_>) -> Section {
    let mut blocks = Vec::new();
    if !survey.document.points.is_empty() {
        blocks.push(Block::Table(verdicts(survey)));
    }
    blocks.extend(reservations(survey));
    blocks.extend(hosts::clocks(survey));
    blocks.extend(run_warnings(survey));
    blocks.extend([point_warnings(survey), errors(survey)]);
    blocks.extend(omissions(survey));
    Section::new(TRUST, trust::heading(survey.language), blocks)
}

fn verdicts(survey: &RunView<'_>) -> Table {
    let language = survey.language;
    let columns = vec![
        Column::words(common::verdict_word(language)),
        Column::numbers(common::points_word(language)),
        Column::words(trust::meaning(language)),
    ];
    let mut table = Table::plain(trust::verdicts(language), columns);
    for verdict in Verdict::ALL {
        let count = survey.count(verdict);
        let tone = if count > 0 { common::verdict_tone(verdict) } else { Tone::Muted };
        table.push(vec![
            TableCell::new(match verdict {
                Verdict::Fixed if survey.has_passes() => common::one_round(language),
                _ => common::verdict(language, verdict),
            })
            .tone(tone),
            TableCell::new(language.count(count)),
            TableCell::new(match verdict {
                Verdict::Failed if !survey.is_io() => trust::failed_operations(language),
                Verdict::Fixed if survey.has_passes() => common::one_round_meaning(language),
                Verdict::Fixed if survey.is_visited() => common::visit_meaning(language),
                _ => common::verdict_meaning(language, verdict),
            }),
        ]);
    }
    table
}

/// More reservations than these are counted, not listed: the tables mark each.
const RESERVATIONS_MAX: usize = 3;

/// Key figures that rest on points with a reservation.
fn reservations(survey: &RunView<'_>) -> Option<Block> {
    let language = survey.language;
    let mut found = Vec::new();
    for series in &survey.series {
        for summary in &series.summaries {
            if let Some(doubt) = key_figures::doubtful(series, summary, DoubtAbout::Sustained) {
                let rule = common::within(language, &summary.rule);
                found.push(trust::reservation(language, series.name, &rule, &doubt));
            }
        }
        let peak = series.summaries.iter().find(|summary| summary.peak.is_some());
        let doubt = peak.and_then(|peak| key_figures::doubtful(series, peak, DoubtAbout::Peak));
        if let Some(doubt) = doubt {
            found.push(trust::peak_reservation(language, series.name, &doubt));
        }
    }
    let text = match found.len() {
        0 => return None,
        few if few <= RESERVATIONS_MAX => format!("{}.", found.join("; ")),
        many => trust::many_reservations(language, &language.count(many)),
    };
    Some(Block::Note(Note::new(Tone::Caution, trust::reservations(language), text)))
}

/// What makes the numbers in place of the storage, each once: of the whole run, and of points with how
/// many of them.
pub(super) fn limits(survey: &RunView<'_>) -> Vec<Text> {
    let language = survey.language;
    let all = survey.document.warnings.iter().filter(|warning| warning.makes_the_numbers());
    let all = with_limits_merged(all);
    let mut limits: Vec<Text> =
        all.iter().map(|warning| language::warning(language, warning)).collect();
    let points = &survey.document.points;
    let mut kinds: Vec<(&Warning, usize)> = Vec::new();
    for warning in points.iter().flat_map(|point| &point.warnings) {
        let is_alike = |known: &Warning| {
            known.host() == warning.host() && known.bare().kind() == warning.bare().kind()
        };
        match kinds.iter_mut().find(|(known, _)| is_alike(known)) {
            Some((_, count)) => *count += 1,
            None if warning.makes_the_numbers() => kinds.push((warning, 1)),
            None => {}
        }
    }
    limits.extend(kinds.into_iter().map(|(warning, count)| {
        let all = common::points(language, points.len());
        let places = trust::at_points(language, &language.count(count), &all);
        language::warning(language, warning).plain(places)
    }));
    limits
}

/// The same with one warning in place of several about the same limit, if each of their files holds each of
/// their devices to it.
fn with_limits_merged<'a>(warnings: impl Iterator<Item = &'a Warning>) -> Vec<Warning> {
    let warnings: Vec<&Warning> = warnings.collect();
    let mut merged: Vec<Warning> = Vec::new();
    for warning in &warnings {
        let whole = match warning {
            Warning::IoLimited { limit, file, .. } => whole_limit((limit, file), &warnings),
            _ => None,
        };
        let warning = whole.unwrap_or_else(|| (*warning).clone());
        if !merged.contains(&warning) {
            merged.push(warning);
        }
    }
    merged
}

/// A warning that stands for all of `warnings` about the limit that is in a file.
fn whole_limit((limit, file): (&str, &str), warnings: &[&Warning]) -> Option<Warning> {
    let (mut pairs, mut devices, mut files) = (0, BTreeSet::new(), BTreeSet::new());
    for warning in warnings {
        if let Warning::IoLimited { limit: of, device, file: in_file } = warning
            && Warning::limit_with_unit(of, in_file) == Warning::limit_with_unit(limit, file)
        {
            pairs += 1;
            devices.insert(device.as_str());
            files.insert(in_file.as_str());
        }
    }
    let joined = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(", ");
    let (device, file) = (joined(&devices), joined(&files));
    let limit = limit.to_owned();
    (pairs == devices.len() * files.len()).then_some(Warning::IoLimited { limit, device, file })
}

/// The warnings of the run as a whole, those about one limit as one.
pub(super) fn of_run(survey: &RunView<'_>) -> Vec<Warning> {
    let found = survey.document.analysis.warnings();
    with_limits_merged(survey.document.warnings.iter().chain(&found))
}

/// Warnings of the run as a whole.
fn run_warnings(survey: &RunView<'_>) -> Vec<Block> {
    let title = trust::run_warnings(survey.language);
    let warning = |warning: &Warning| language::warning(survey.language, warning);
    let warnings: Vec<Text> = of_run(survey).iter().map(warning).collect();
    match warnings.is_empty() {
        true => vec![none(survey, title)],
        false => Block::titled_list(title, warnings),
    }
}

/// That there is nothing of a kind.
fn none(survey: &RunView<'_>, title: &str) -> Block {
    let none = common::none(survey.language);
    Block::Paragraph(Text::new().strong(format!("{title}: ")).plain(format!("{none}.")))
}

/// The table, or that there is nothing of its kind.
fn table_or_none(survey: &RunView<'_>, table: Table, title: &str) -> Block {
    if table.rows.is_empty() { none(survey, title) } else { Block::Table(table) }
}

/// Warnings of points, each with the points that it belongs to; series that have it at the same loads
/// share a row.
fn point_warnings(survey: &RunView<'_>) -> Block {
    let language = survey.language;
    let mut table = series_table(survey, trust::point_warnings(language), trust::warning(language));
    let mut rows: Vec<(&Warning, String, Vec<&SeriesView<'_>>)> = Vec::new();
    for series in &survey.series {
        for (warning, points) in by_warning(series) {
            let loads = loads(series, &points);
            let is_same = |row: &(&Warning, String, _)| *row.0 == *warning && row.1 == loads;
            match rows.iter_mut().find(|row| is_same(row)) {
                Some((_, _, others)) => others.push(series),
                None => rows.push((warning, loads, vec![series])),
            }
        }
    }
    for (warning, loads, series) in rows {
        let count = common::all_series(language, series.len());
        table.push(vec![
            TableCell::new(match series.as_slice() {
                all if all.len() > NAMES_MAX && all.len() == survey.series.len() => {
                    trust::all_of(language, &count).into()
                }
                [first, others @ ..] => others
                    .iter()
                    .fold(first.link(), |text, other| text.plain(", ").join(other.link())),
                [] => Text::new(),
            }),
            TableCell::new(loads),
            TableCell::new(language::warning(language, warning)),
        ]);
    }
    table_or_none(survey, table, trust::point_warnings(language))
}

/// More series than these are not named one by one where all are meant.
const NAMES_MAX: usize = 4;

/// I/O errors of points, with the first of them by name.
fn errors(survey: &RunView<'_>) -> Block {
    let language = survey.language;
    let mut table = series_table(survey, errors_caption(survey), common::errors(language));
    for series in &survey.series {
        for point in series.points.iter().filter(|point| point.errors > 0) {
            let mut text = Text::new().plain(language.count_u64(point.errors));
            if !point.error_samples.is_empty() {
                let samples = common::recorded(language, &point.error_samples.join("; "));
                text = text.plain(format!("; {}: ", trust::first_errors(language))).join(samples);
            }
            let load = TableCell::new(loads(series, &[point]));
            table.push(vec![TableCell::new(series.link()), load, TableCell::new(text)]);
        }
    }
    table_or_none(survey, table, errors_caption(survey))
}

/// Parts of the suite that the plan left out, if no warning says so.
fn omissions(survey: &RunView<'_>) -> Vec<Block> {
    let warned = |omission: &Omission| {
        let mut warnings = survey.document.warnings.iter().map(Warning::bare);
        warnings.any(|one| *one == Warning::Omission { omission: omission.clone() })
    };
    let planned = list(&survey.document.plan, "/omissions").cloned();
    let planned = planned.filter_map(|value| serde_json::from_value::<Omission>(value).ok());
    let items = planned.filter(|omission| !warned(omission));
    let items = items.map(|found| omission::text(survey.language, &found));
    Block::titled_list(trust::omissions(survey.language), items.collect())
}

fn series_table(survey: &RunView<'_>, caption: &str, last: &str) -> Table {
    let columns = [common::series(survey.language), common::load_word(survey.language), last]
        .map(Column::words);
    Table::plain(caption, columns)
}

/// The warnings of a series' points, each once, with the points that it belongs to.
fn by_warning<'a>(series: &SeriesView<'a>) -> Vec<(&'a Warning, Vec<&'a PointResult>)> {
    let mut found: Vec<(&Warning, Vec<&PointResult>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for point in &series.points {
        for warning in &point.warnings {
            let place = *places.entry(warning.text()).or_insert(found.len());
            match found.get_mut(place) {
                Some((_, points)) => points.push(point),
                None => found.push((warning, vec![point])),
            }
        }
    }
    found
}

/// `1, 2 and 4 outstanding I/Os`; with several targets those of each, which it says.
fn loads(series: &SeriesView<'_>, points: &[&PointResult]) -> String {
    let language = series.language;
    let mut values: Vec<f64> = points.iter().map(|point| point.load.value).collect();
    values.dedup();
    let words = match values.as_slice() {
        [only] => common::load(language, *only, series.load_unit()),
        _ => {
            let values: Vec<String> = values.iter().map(|value| language.level(*value)).collect();
            common::loads(language, &common::listed(language, &values), series.load_unit())
        }
    };
    series.load_of().words(language, words)
}

/// The name of operations that failed.
fn errors_caption(survey: &RunView<'_>) -> &'static str {
    match survey.is_io() {
        true => trust::io_errors(survey.language),
        false => trust::operation_errors(survey.language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(limit: &str, device: &str, file: &str) -> Warning {
        let [limit, device, file] = [limit, device, file].map(str::to_owned);
        Warning::IoLimited { limit, device, file }
    }

    #[test]
    fn a_limit_of_several_devices_is_told_once_if_it_holds_for_all_of_them() {
        let all = [
            limit("200", "loop1", "read"),
            limit("200", "loop0", "read"),
            limit("200", "loop1", "write"),
            limit("200", "loop0", "write"),
            limit("300", "loop2", "read"),
        ];
        let whole = [limit("200", "loop0, loop1", "read, write"), limit("300", "loop2", "read")];
        assert_eq!(with_limits_merged(all.iter()), whole);
        let unlike =
            [limit("200", "loop0", "x_iops_device"), limit("200", "loop0", "x_bps_device")];
        assert_eq!(with_limits_merged(unlike.iter()), unlike, "IO/s and bytes/s");
        let partial = &all[1..3];
        assert_eq!(with_limits_merged(partial.iter()), partial, "loop0 may be written faster");
    }
}
