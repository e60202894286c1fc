//! The report on several runs: what differs, by how much, and whether it could be chance.

mod figures;
mod first_page;

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, ComparedRun, Comparison, Difference, Reading, SeriesComparison,
};
use kneepoint_core::analysis::findings::between_runs;
use kneepoint_core::result::{Finding, Place, Quantity, RunDocument, Significance, ThroughputUnit};
use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::words::number::{Change, Measured};
use kneepoint_core::words::rule::Metric;

use super::glossary::{Field, explained};
use super::view::{RunView, TimeUnit};
use super::{badge, statements};
use crate::language::Language;
use crate::language::texts::findings::LoadOf;
use crate::language::texts::{common, comparison, findings, front};
use crate::page::{
    Block, Column, ColumnGroup, Note, Page, Section, Table, TableCell, Text, Tone, numbered_id,
};
use figures::RunPoints;

/// The report on `comparison`, which was made of `documents` in this order.
pub fn page(documents: &[&RunDocument], comparison: &Comparison, language: Language) -> Page {
    let names = names(comparison);
    let short: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, series) in comparison.series.iter().enumerate() {
        places.entry(&series.series).or_insert(place);
    }
    let place = |series: &str| places.get(series).copied().unwrap_or(0);
    let id_of = |series: &str| numbered_id("series", place(series), series);
    let changes = between_runs(comparison);
    let writer = ComparisonWriter { comparison, language, names: &short };
    let surveys: Vec<RunView<'_>> =
        documents.iter().map(|document| RunView::new(document, language)).collect();
    let sections = vec![
        first_page::section(&writer, documents, (&changes, &id_of)),
        writer.findings(&changes, &id_of),
        writer.factors(),
        writer.series(documents).folded(),
        writer.method().folded(),
    ];
    let sections = sections.into_iter().chain(writer.loads()).collect();
    let field = match surveys.iter().any(RunView::is_io) {
        true => Field::Io,
        false => Field::Work,
    };
    let page = Page {
        language,
        kind: match surveys.iter().any(RunView::is_io) {
            true => comparison::kind(language),
            false => comparison::kind_of_server(language),
        }
        .to_owned(),
        title: title(language, &short),
        date: documents.first().map(|document| document.run.started_at.clone()).unwrap_or_default(),
        badge: Some(badge::of_runs(&surveys, (&short, language), &writer.never_fitted())),
        stamp: writer.stamp().to_owned(),
        facts: first_page::facts(&writer, &surveys),
        notes: writer.notes(),
        contents_after: 1,
        sections,
    };
    explained(page.stamped(), field)
}

/// More runs than these are not named in the title.
const TITLE_MAX: usize = 2;

fn title(language: Language, names: &[&str]) -> String {
    let others = &names[1..];
    match others.len() <= TITLE_MAX {
        true => comparison::title(language, &others.join(", "), names[0]),
        false => comparison::title_of_many(language, &language.count(others.len()), names[0]),
    }
}

/// The runs as people call them; with their ids where two are called alike.
fn names(comparison: &Comparison) -> Vec<String> {
    let name = |run: &ComparedRun| {
        let alike = comparison.runs.iter().filter(|other| other.name() == run.name()).count();
        match alike {
            1 => run.name().to_owned(),
            _ => format!("{} ({})", run.name(), run.id),
        }
    };
    comparison.runs.iter().map(name).collect()
}

/// The series, with its factors where the plan gave it some.
fn series_title(series: &SeriesComparison) -> String {
    match series.factors.is_empty() {
        true => series.series.clone(),
        false => format!("{} ({})", series.series, combination_text(&series.factors)),
    }
}

/// The unit of all response times of a series.
fn time_unit(series: &SeriesComparison) -> TimeUnit {
    let figures = series.figures.iter().chain(&series.points);
    let times = figures.filter(|figure| matches!(figure.measure.quantity, Quantity::Latency(_)));
    TimeUnit::of(times.flat_map(|figure| figure.readings.iter().flatten()).map(|found| found.value))
}

/// A number as it is printed: a bound on its own side.
fn printed(reading: &Reading) -> Measured {
    Measured { value: reading.value, ci95: reading.ci95 }.rounded(reading.bound.rounding())
}

/// Writes the numbers of a comparison in one language.
#[derive(Clone, Copy)]
pub(super) struct ComparisonWriter<'a> {
    comparison: &'a Comparison,
    language: Language,
    /// The runs as people call them; the reference first.
    names: &'a [&'a str],
}

/// A fall by more than this share of what there was is next to nothing left: its size tells nothing.
const FALL_MAX_PERCENT: f64 = 95.0;
/// Where only a larger change would have been significant, how much larger says nothing.
const DETECTABLE_MAX_PERCENT: f64 = 100.0;

impl ComparisonWriter<'_> {
    /// Profiles that differ although they were compared, and series that a run lacks.
    fn notes(&self) -> Vec<Note> {
        let language = self.language;
        let different: Vec<String> = self
            .comparison
            .series
            .iter()
            .filter(|series| !series.profile_differences.is_empty())
            .map(|series| format!("{}: {}", series.series, series.profile_differences.join(", ")))
            .collect();
        let profiles = (!different.is_empty()).then(|| {
            let title = comparison::profiles_differ(language);
            Note::new(Tone::Caution, title, different.join("; "))
        });
        let unpaired = self.comparison.unpaired.iter().map(|series| {
            let missing = series.missing_in.iter();
            let missing = missing.filter_map(|run| self.names.get(*run as usize).copied());
            let missing: Vec<&str> = missing.collect();
            let text = comparison::unpaired(language, &series.series, &missing.join(", "));
            Note::new(Tone::Plain, &series.series, text)
        });
        profiles.into_iter().chain(unpaired).collect()
    }

    /// The significant differences, or that there is none.
    fn findings(&self, changes: &[Finding], id_of: &dyn Fn(&str) -> String) -> Section {
        let load_of = |_: &str| LoadOf::All;
        let (language, runs) = (self.language, self.names);
        let drifts = |_: &str, _| false;
        let writer =
            statements::Writer { language, runs, id_of, load_of: &load_of, drifts: &drifts };
        let mut section = statements::between(changes, &writer);
        if changes.is_empty() {
            section.blocks = vec![Block::paragraph(self.nothing_found())];
        }
        section
    }

    /// That no difference was found, or that it cannot be told because something disturbed the points.
    fn nothing_found(&self) -> String {
        let language = self.language;
        let runs = || 1..self.names.len();
        if runs().all(|run| self.comparison.is_disturbed(run)) {
            return comparison::all_disturbed(language).to_owned();
        }
        let series = &self.comparison.series;
        let disturbed = series.iter().filter(|series| runs().any(|run| series.is_disturbed(run)));
        let some = match disturbed.count() {
            0 => String::new(),
            count => {
                let all = common::all_series(language, series.len());
                comparison::some_disturbed(language, &language.count(count), &all)
            }
        };
        format!("{}{some}", findings::none_between(language))
    }

    /// The word for the numbers of simulated runs; empty if none is.
    fn stamp(&self) -> &'static str {
        let runs = &self.comparison.runs;
        match runs.iter().filter(|run| run.is_simulated).count() {
            0 => "",
            all if all == runs.len() => front::stamp_simulated(self.language),
            _ => front::stamp_partly_simulated(self.language),
        }
    }

    /// The simulated systems that were never fitted to measurements.
    fn never_fitted(&self) -> Vec<&str> {
        let systems = self.comparison.runs.iter().flat_map(|run| &run.uncalibrated);
        let systems: BTreeSet<&str> = systems.map(String::as_str).collect();
        systems.into_iter().collect()
    }

    fn factors(&self) -> Section {
        let language = self.language;
        if self.comparison.factors.is_empty() {
            let blocks = vec![Block::paragraph(comparison::no_factor(language))];
            return Section::new("factors", comparison::factors(language), blocks);
        }
        let mut columns = vec![Column::words(comparison::factor(language))];
        columns.extend(self.names.iter().map(|name| Column::words(*name)));
        let mut table = Table::plain(comparison::factors_caption(language), columns);
        for factor in &self.comparison.factors {
            let values = factor.values.iter().map(|value| match value {
                Some(value) => TableCell::new(value.as_str()),
                None => common::nothing(),
            });
            let known = common::key(language, &factor.name);
            let name = Text::new().plain(format!("{known} (")).code(&factor.name).plain(")");
            let name = TableCell::new(name);
            table.push([name].into_iter().chain(values).collect());
        }
        Section::new("factors", comparison::factors(language), vec![Block::Table(table)])
    }

    /// A section for every series.
    fn series(&self, documents: &[&RunDocument]) -> Section {
        let language = self.language;
        let is_on_first_page = self.names.len() <= first_page::BESIDE_MAX;
        let forest = match is_on_first_page && first_page::chosen(self).has_all {
            true => None,
            false => Block::figures(self.forest_figures()),
        };
        let blocks = forest.into_iter().collect();
        let mut section = Section::new("comparison", comparison::heading(language), blocks);
        let runs: Vec<RunPoints<'_>> =
            documents.iter().map(|document| RunPoints::of(document)).collect();
        for (index, series) in self.comparison.series.iter().enumerate() {
            let title = series_title(series);
            let caption = comparison::side_by_side(language, &title);
            let mut blocks = vec![Block::Table(self.table(caption, series, &series.figures))];
            let figure = figures::figure(&runs, series, (self.names, language));
            blocks.extend(Block::figures(figure.into_iter().collect()));
            section.sections.push(Section::new(
                numbered_id("series", index, &series.series),
                title,
                blocks,
            ));
        }
        section
    }

    /// A table for every series, load by load: an appendix, whose numbers the key figures are read from.
    fn loads(&self) -> Option<Section> {
        let language = self.language;
        let mut section = Section::new("loads", comparison::loads_heading(language), Vec::new());
        let series = self.comparison.series.iter().enumerate();
        for (index, series) in series.filter(|(_, series)| !series.points.is_empty()) {
            let title = series_title(series);
            let caption = comparison::points_caption(language, &title);
            let table = Block::Table(self.table(caption, series, &series.points));
            let id = numbered_id("loads", index, &series.series);
            section.sections.push(Section::new(id, title, vec![table]));
        }
        (!section.sections.is_empty()).then(|| section.folded())
    }

    fn method(&self) -> Section {
        let paragraphs = comparison::method_texts(self.language, self.comparison.tests);
        let paragraphs = paragraphs.into_iter().map(Block::paragraph);
        let ids = first_page::ids(self).map(Block::paragraph);
        let blocks = paragraphs.chain(ids).collect();
        Section::new("method", comparison::method(self.language), blocks)
    }

    fn table(
        &self,
        caption: String,
        series: &SeriesComparison,
        figures: &[ComparedFigure],
    ) -> Table {
        let language = self.language;
        let mut groups = vec![ColumnGroup::new(
            "",
            [Column::words(comparison::number(language)), Column::numbers(self.names[0])],
        )];
        for name in &self.names[1..] {
            let columns = vec![
                Column::numbers(*name),
                Column::numbers(common::change(language)),
                Column::words(common::significant(language)),
            ];
            groups.push(ColumnGroup::new("", columns));
        }
        Table::new(caption, groups).filled(figures.iter().map(|figure| self.row(series, figure)))
    }

    fn row(&self, series: &SeriesComparison, figure: &ComparedFigure) -> Vec<TableCell> {
        let mut cells = vec![TableCell::new(self.name(series, figure))];
        let runs = figure.readings.iter().zip(&figure.differences);
        for (index, (reading, difference)) in runs.enumerate() {
            cells.push(match reading {
                Some(reading) => self.reading(series, figure, reading),
                None => common::nothing(),
            });
            if index > 0 {
                cells.extend(match difference {
                    Some(difference) => self.difference(difference),
                    None => [common::nothing(), common::nothing()],
                });
            }
        }
        cells
    }

    /// The name of the number that is compared.
    fn name(&self, series: &SeriesComparison, figure: &ComparedFigure) -> String {
        let what = match figure.measure.quantity {
            Quantity::Iops | Quantity::Throughput => common::throughput(self.language).to_owned(),
            Quantity::Latency(Metric::Mean) => common::mean_response(self.language).to_owned(),
            Quantity::Latency(metric) => comparison::percentile(self.language, &metric.to_string()),
        };
        match (figure.measure.place, figure.load) {
            (Place::Sustained, _) => {
                let rule = figure.rule.as_deref().map(|rule| common::within(self.language, rule));
                comparison::sustained(self.language, &rule.unwrap_or_default())
            }
            (Place::Peak, _) => common::peak(self.language).to_owned(),
            (Place::EqualLoad, Some(load)) => {
                let load = findings::load(self.language, load, series.load_unit);
                common::what_at(self.language, &what, &load)
            }
            (Place::EqualLoad, None) => {
                comparison::over_loads(self.language, &what, figure.load_count.unwrap_or_default())
            }
        }
    }

    fn reading(
        &self,
        series: &SeriesComparison,
        figure: &ComparedFigure,
        reading: &Reading,
    ) -> TableCell {
        let language = self.language;
        let value = printed(reading);
        let number = match figure.measure.quantity {
            Quantity::Iops => language.throughput(value, ThroughputUnit::under(series.load_unit)),
            Quantity::Throughput => language.mib_per_s(value),
            // In one unit, so that the runs can be compared at a glance.
            Quantity::Latency(_) => {
                let unit = time_unit(series);
                format!("{}\u{a0}{}", unit.print(language, value), unit.symbol())
            }
        };
        let mut details: Vec<String> = Vec::new();
        for reservation in &reading.reservations {
            let load = findings::load(language, reservation.load, series.load_unit);
            let name = comparison::number(language);
            details.push(comparison::reservation(
                language,
                name,
                &load,
                reservation.verdict.name(),
            ));
        }
        let tone = if details.is_empty() { Tone::Plain } else { Tone::Caution };
        TableCell::new(self.bounded(reading.bound, &number)).detail(details.join("; ")).tone(tone)
    }

    fn bounded(&self, bound: Bound, number: &str) -> String {
        match bound {
            Bound::Exact => number.to_owned(),
            Bound::AtMost => comparison::at_most(self.language, number),
            Bound::AtLeast => comparison::no_less(self.language, number),
        }
    }

    /// That a change is not significant, and from which size on it would have been.
    fn not_significant(&self, difference: &Difference) -> String {
        let language = self.language;
        match difference.detectable_percent {
            // A fall by as many times as that rise is no fall by as many percent.
            Some(percent) if difference.percent < 0.0 => {
                let fall = -100.0 / (1.0 + 100.0 / percent);
                match fall > -FALL_MAX_PERCENT {
                    true => comparison::no(language, &language.change(fall)),
                    false => common::no(language).to_owned(),
                }
            }
            Some(percent) if percent <= DETECTABLE_MAX_PERCENT => {
                comparison::no(language, &language.change(percent))
            }
            Some(_) => {
                comparison::no_more_than(language, &language.percent(DETECTABLE_MAX_PERCENT))
            }
            None => common::no(language).to_owned(),
        }
    }

    /// The change with its interval, and whether it is significant.
    fn difference(&self, difference: &Difference) -> [TableCell; 2] {
        let change = Change(difference.percent).rounded(difference.bound.rounding());
        let change = self.bounded(difference.bound, &self.language.change(change.0));
        let interval = difference.interval_percent.filter(|ends| tells(difference.percent, *ends));
        let interval = interval.map(|ends| ends.map(|end| self.language.change(end)));
        let interval = interval.filter(|[low, high]| low != high);
        let interval = interval.map(|[low, high]| common::range(self.language, &low, &high));
        let change = TableCell::new(change).detail(interval.unwrap_or_default());
        let significance = match difference.significance {
            Significance::Significant => TableCell::new(common::yes(self.language)),
            Significance::NotSignificant => {
                TableCell::new(self.not_significant(difference)).tone(Tone::Muted)
            }
            Significance::Disturbed => {
                TableCell::new(comparison::disturbed(self.language)).tone(Tone::Caution)
            }
            // It was tested, but a bound is no evidence that there is none.
            Significance::Unknown if difference.adjusted_p_value.is_some() => {
                TableCell::new(comparison::not_shown(self.language)).tone(Tone::Muted)
            }
            Significance::Unknown => {
                TableCell::new(common::unknown(self.language)).tone(Tone::Muted)
            }
        };
        [change, significance]
    }
}

/// Whether an interval says anything: its upper end is no more than ten times as much as the change.
fn tells(percent: f64, [_, high]: [f64; 2]) -> bool {
    100.0 + high <= 10.0 * (100.0 + percent)
}
