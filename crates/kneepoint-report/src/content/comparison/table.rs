//! The numbers of a series in all runs, with differences.

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, Difference, Reading, SeriesComparison,
};
use kneepoint_core::result::{Place, Quantity, Significance};
use kneepoint_core::words::rule::Metric;

use crate::content::words;
use crate::language::Language;
use crate::language::texts;
use crate::page::{Cell, Column, ColumnGroup, Table, Tone};

/// Writes tables in one language.
pub(super) struct Writer<'a> {
    pub(super) language: Language,
    /// The runs as people call them; the reference first.
    pub(super) names: &'a [&'a str],
}

impl Writer<'_> {
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
            vec![
                Column::words(texts::comparison::number(language)),
                Column::numbers(self.names[0]),
            ],
        )];
        for name in &self.names[1..] {
            let columns = vec![
                Column::numbers(*name),
                Column::numbers(texts::comparison::change(language)),
                Column::words(texts::comparison::significant(language)),
            ];
            groups.push(ColumnGroup::new("", columns));
        }
        let mut table = Table::new(caption, groups);
        for figure in figures {
            table.push(self.row(series, figure));
        }
        table
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

    /// What is compared.
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
                    .map(|rule| words::rule(self.language, rule))
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
        texts::findings::load(self.language, &self.language.level(load), series.load_unit)
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
            texts::comparison::interval(
                self.language,
                &self.language.change(low),
                &self.language.change(high),
            )
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
    Cell::new("–").tone(Tone::Muted)
}
