//! The report on several runs: what differs, by how much, and whether it could be chance.

mod figures;

use std::collections::BTreeMap;

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, Comparison, Difference, Reading, SeriesComparison,
};
use kneepoint_core::analysis::findings::between_runs;
use kneepoint_core::result::{Place, Quantity, RunDocument, Significance};
use kneepoint_core::spec::factor::combination_text;
use kneepoint_core::words::rule::Metric;

use super::statements;
use crate::language::Language;
use crate::language::texts::{self, common};
use crate::page::{
    Block, Cell, Column, ColumnGroup, Fact, Note, Page, Section, Table, Text, Tone, slug,
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
    let id_of = |series: &str| section_id(places.get(series).copied().unwrap_or(0), series);
    let changes = between_runs(comparison);
    let sections = vec![
        statements::between(&changes, &short, (language, &id_of)),
        factors(comparison, &short, language),
        series(documents, comparison, (&short, language)),
        method(comparison, language),
    ];
    Page {
        language,
        kind: texts::comparison::kind(language).to_owned(),
        title: texts::comparison::title(language, &short[1..].join(", "), short[0]),
        date: documents.first().map(|document| document.run.started_at.clone()).unwrap_or_default(),
        facts: facts(comparison, &short, language),
        notes: notes(comparison, &short, language),
        contents_after: 1,
        sections,
    }
    .numbered()
}

/// The runs as people call them; with their ids where two are called alike.
fn names(comparison: &Comparison) -> Vec<String> {
    let name = |run: &kneepoint_core::analysis::comparison::ComparedRun| {
        let alike = comparison.runs.iter().filter(|other| other.name() == run.name()).count();
        match alike {
            1 => run.name().to_owned(),
            _ => format!("{} ({})", run.name(), run.id),
        }
    };
    comparison.runs.iter().map(name).collect()
}

fn section_id(index: usize, series: &str) -> String {
    let id = format!("series-{}-{}", index + 1, slug(series));
    id.trim_end_matches('-').to_owned()
}

fn facts(comparison: &Comparison, names: &[&str], language: Language) -> Vec<Fact> {
    let fact = |(index, run): (usize, &kneepoint_core::analysis::comparison::ComparedRun)| {
        let head = if index == 0 {
            texts::comparison::reference(language)
        } else {
            texts::comparison::run(language)
        };
        let on = texts::comparison::on(language, &run.work, &run.targets.join(", "));
        let text = Text::new().strong(names[index]).plain(format!(": {on} (")).code(&run.id);
        Fact::new(head, text.plain(")"))
    };
    comparison.runs.iter().enumerate().map(fact).collect()
}

/// Profiles that differ although they were compared, and series that a run lacks.
fn notes(comparison: &Comparison, names: &[&str], language: Language) -> Vec<Note> {
    let different: Vec<String> = comparison
        .series
        .iter()
        .filter(|series| !series.profile_differences.is_empty())
        .map(|series| format!("{}: {}", series.series, series.profile_differences.join(", ")))
        .collect();
    let profiles = (!different.is_empty()).then(|| {
        let title = texts::comparison::profiles_differ(language);
        Note::new(Tone::Caution, title, different.join("; "))
    });
    let unpaired = comparison.unpaired.iter().map(|series| {
        let missing: Vec<&str> =
            series.missing_in.iter().filter_map(|run| names.get(*run as usize)).copied().collect();
        let text = texts::comparison::unpaired(language, &series.series, &missing.join(", "));
        Note::new(Tone::Plain, &series.series, text)
    });
    profiles.into_iter().chain(unpaired).collect()
}

fn factors(comparison: &Comparison, names: &[&str], language: Language) -> Section {
    if comparison.factors.is_empty() {
        let blocks = vec![Block::paragraph(texts::comparison::no_factor(language))];
        return Section::new("factors", texts::comparison::factors(language), blocks);
    }
    let mut columns = vec![Column::words(texts::comparison::factor(language))];
    columns.extend(names.iter().map(|name| Column::words(*name)));
    let mut table = Table::plain(texts::comparison::factors_caption(language), columns);
    for factor in &comparison.factors {
        let values = factor.values.iter().map(|value| match value {
            Some(value) => Cell::new(value.as_str()),
            None => nothing(),
        });
        let name = Cell::new(Text::new().code(&factor.name));
        table.push([name].into_iter().chain(values).collect());
    }
    Section::new("factors", texts::comparison::factors(language), vec![Block::Table(table)])
}

/// A section for every series.
fn series(
    documents: &[&RunDocument],
    comparison: &Comparison,
    (names, language): (&[&str], Language),
) -> Section {
    let writer = ComparisonWriter { comparison, language, names };
    let blocks = Block::figures(writer.bar_figures()).into_iter().collect();
    let mut section = Section::new("comparison", texts::comparison::heading(language), blocks);
    let runs: Vec<RunPoints<'_>> =
        documents.iter().map(|document| RunPoints::of(document)).collect();
    for (index, series) in comparison.series.iter().enumerate() {
        let title = series_title(series);
        let mut blocks = vec![Block::Table(writer.figures(series, &title))];
        blocks.extend(
            figures::figure(&runs, series, (names, language))
                .map(|figure| Block::Figures(vec![figure])),
        );
        if !series.points.is_empty() {
            blocks.push(Block::Table(writer.points(series, &title)));
        }
        section.sections.push(Section::new(section_id(index, &series.series), title, blocks));
    }
    section
}

/// The series, with its factors where the plan gave it some.
fn series_title(series: &SeriesComparison) -> String {
    match series.factors.is_empty() {
        true => series.series.clone(),
        false => format!("{} ({})", series.series, combination_text(&series.factors)),
    }
}

fn method(comparison: &Comparison, language: Language) -> Section {
    let paragraphs = texts::comparison::method_texts(
        language,
        comparison.tests.figures,
        comparison.tests.points,
    );
    let blocks = paragraphs.into_iter().map(Block::paragraph).collect();
    Section::new("method", texts::comparison::method(language), blocks)
}

/// Writes the numbers of a comparison in one language.
#[derive(Clone, Copy)]
pub(super) struct ComparisonWriter<'a> {
    comparison: &'a Comparison,
    language: Language,
    /// The runs as people call them; the reference first.
    names: &'a [&'a str],
}

impl ComparisonWriter<'_> {
    /// Figures of the whole series.
    pub(super) fn figures(&self, series: &SeriesComparison, title: &str) -> Table {
        self.table(
            texts::comparison::figures_caption(self.language, title),
            series,
            &series.figures,
        )
    }

    /// Single loads.
    pub(super) fn points(&self, series: &SeriesComparison, title: &str) -> Table {
        self.table(texts::comparison::points_caption(self.language, title), series, &series.points)
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
            [Column::words(texts::comparison::number(language)), Column::numbers(self.names[0])],
        )];
        for name in &self.names[1..] {
            let columns = vec![
                Column::numbers(*name),
                Column::numbers(texts::comparison::change(language)),
                Column::words(texts::comparison::significant(language)),
            ];
            groups.push(ColumnGroup::new("", columns));
        }
        Table::new(caption, groups).filled(figures.iter().map(|figure| self.row(series, figure)))
    }

    fn row(&self, series: &SeriesComparison, figure: &ComparedFigure) -> Vec<Cell> {
        let mut cells = vec![Cell::new(self.name(series, figure))];
        let runs = figure.readings.iter().zip(&figure.differences);
        for (index, (reading, difference)) in runs.enumerate() {
            cells.push(match reading {
                Some(reading) => self.reading(series, figure, reading),
                None => nothing(),
            });
            if index > 0 {
                cells.extend(match difference {
                    Some(difference) => self.difference(difference),
                    None => [nothing(), nothing()],
                });
            }
        }
        cells
    }

    /// The name of the number that is compared.
    fn name(&self, series: &SeriesComparison, figure: &ComparedFigure) -> String {
        let what = match figure.measure.quantity {
            Quantity::Iops | Quantity::Throughput => {
                texts::comparison::throughput(self.language).to_owned()
            }
            Quantity::Latency(Metric::Mean) => texts::comparison::mean(self.language).to_owned(),
            Quantity::Latency(metric) => {
                texts::comparison::percentile(self.language, &metric.to_string())
            }
        };
        match (figure.measure.place, figure.load) {
            (Place::Sustained, _) => {
                let rule = figure
                    .rule
                    .as_deref()
                    .map(|rule| common::rule(self.language, rule))
                    .unwrap_or_default();
                texts::comparison::sustained(self.language, &rule)
            }
            (Place::Peak, _) => texts::comparison::peak(self.language).to_owned(),
            (Place::EqualLoad, Some(load)) => {
                texts::comparison::at_load(self.language, &what, &self.load(series, load))
            }
            (Place::EqualLoad, None) => texts::comparison::over_loads(
                self.language,
                &what,
                figure.load_count.unwrap_or_default(),
            ),
        }
    }

    fn load(&self, series: &SeriesComparison, load: f64) -> String {
        texts::findings::load(self.language, load, series.load_unit)
    }

    fn reading(
        &self,
        series: &SeriesComparison,
        figure: &ComparedFigure,
        reading: &Reading,
    ) -> Cell {
        let language = self.language;
        let number = match figure.measure.quantity {
            Quantity::Iops => language.iops(reading.value),
            Quantity::Throughput => language.mib_per_s(reading.value),
            Quantity::Latency(_) => language.response_time(reading.value),
        };
        let mut details: Vec<String> = Vec::new();
        for reservation in &reading.reservations {
            let load = self.load(series, reservation.load);
            let name = texts::comparison::number(language);
            details.push(texts::comparison::reservation(
                language,
                name,
                &load,
                reservation.verdict.name(),
            ));
        }
        let tone = if details.is_empty() { Tone::Plain } else { Tone::Caution };
        Cell::new(self.bounded(reading.bound, &number)).detail(details.join("; ")).tone(tone)
    }

    fn bounded(&self, bound: Bound, number: &str) -> String {
        match bound {
            Bound::Exact => number.to_owned(),
            Bound::AtMost => texts::comparison::at_most(self.language, number),
            Bound::AtLeast => texts::comparison::at_least(self.language, number),
        }
    }

    /// The change with its interval, and whether it is significant.
    fn difference(&self, difference: &Difference) -> [Cell; 2] {
        let change = self.bounded(difference.bound, &self.language.change(difference.percent));
        let interval = difference.interval_percent.map(|[low, high]| {
            common::range(self.language, &self.language.change(low), &self.language.change(high))
        });
        let change = Cell::new(change).detail(interval.unwrap_or_default());
        let significance = match difference.significance {
            Significance::Significant => Cell::new(texts::comparison::yes(self.language)),
            Significance::NotSignificant => {
                let detectable = difference.detectable_percent.unwrap_or(f64::NAN);
                Cell::new(texts::comparison::no(self.language, &self.language.percent(detectable)))
                    .tone(Tone::Muted)
            }
            Significance::Disturbed => {
                Cell::new(texts::comparison::disturbed(self.language)).tone(Tone::Caution)
            }
            Significance::Unknown => {
                Cell::new(texts::comparison::unknown(self.language)).tone(Tone::Muted)
            }
        };
        [change, significance]
    }
}

fn nothing() -> Cell {
    Cell::new(common::NOTHING).tone(Tone::Muted)
}
