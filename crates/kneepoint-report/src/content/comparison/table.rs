//! The numbers of a series in all runs, with differences.

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, Difference, Reading, SeriesComparison,
};
use kneepoint_core::result::{Place, Quantity, Significance};
use kneepoint_core::words::rule::Metric;

use crate::content::words;
use crate::language::Language;
use crate::language::catalog::ComparisonTexts;
use crate::page::{Cell, Column, ColumnGroup, Table, Tone};

/// Writes tables in one language.
pub(super) struct Writer<'a> {
    pub(super) language: Language,
    pub(super) texts: &'a ComparisonTexts,
    /// The runs as people call them; the reference first.
    pub(super) names: &'a [&'a str],
}

impl Writer<'_> {
    /// Figures of the whole series.
    pub(super) fn figures(&self, series: &SeriesComparison, title: &str) -> Table {
        self.table((self.texts.figures_caption)(title), series, &series.figures)
    }

    /// Single loads.
    pub(super) fn points(&self, series: &SeriesComparison, title: &str) -> Table {
        self.table((self.texts.points_caption)(title), series, &series.points)
    }

    fn table(
        &self,
        caption: String,
        series: &SeriesComparison,
        figures: &[ComparedFigure],
    ) -> Table {
        let texts = self.texts;
        let mut groups = vec![ColumnGroup::new(
            "",
            vec![Column::words(texts.number), Column::numbers(self.names[0])],
        )];
        for name in &self.names[1..] {
            let columns = vec![
                Column::numbers(*name),
                Column::numbers(texts.change),
                Column::words(texts.significant),
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
        let texts = self.texts;
        let what = match figure.measure.quantity {
            Quantity::Iops | Quantity::Throughput => texts.throughput.to_owned(),
            Quantity::Latency(Metric::Mean) => texts.mean.to_owned(),
            Quantity::Latency(metric) => (texts.percentile)(&metric.to_string()),
        };
        match (figure.measure.place, figure.load) {
            (Place::Sustained, _) => {
                let rule = figure
                    .rule
                    .as_deref()
                    .map(|rule| words::rule(self.language, rule))
                    .unwrap_or_default();
                (texts.sustained)(&rule)
            }
            (Place::Peak, _) => texts.peak.to_owned(),
            (Place::EqualLoad, Some(load)) => (texts.at_load)(&what, &self.load(series, load)),
            (Place::EqualLoad, None) => {
                (texts.over_loads)(&what, figure.load_count.unwrap_or_default())
            }
        }
    }

    fn load(&self, series: &SeriesComparison, load: f64) -> String {
        let findings = &self.language.catalog().findings;
        (findings.load)(&self.language.level(load), series.load_unit)
    }

    fn reading(
        &self,
        series: &SeriesComparison,
        figure: &ComparedFigure,
        reading: &Reading,
    ) -> Cell {
        let number = match figure.measure.quantity {
            Quantity::Iops => self.language.iops(reading.value),
            Quantity::Throughput => self.language.mib_per_s(reading.value),
            Quantity::Latency(_) => self.language.response_time(reading.value),
        };
        let mut details: Vec<String> = Vec::new();
        for reservation in &reading.reservations {
            let load = self.load(series, reservation.load);
            let name = self.texts.number;
            details.push((self.texts.reservation)(name, &load, reservation.verdict.name()));
        }
        let tone = if details.is_empty() { Tone::Plain } else { Tone::Caution };
        Cell::new(self.bounded(reading.bound, &number)).detail(details.join("; ")).tone(tone)
    }

    fn bounded(&self, bound: Bound, number: &str) -> String {
        match bound {
            Bound::Exact => number.to_owned(),
            Bound::AtMost => (self.texts.at_most)(number),
            Bound::AtLeast => (self.texts.at_least)(number),
        }
    }

    /// The change with its interval, and whether it is significant.
    fn difference(&self, difference: &Difference) -> [Cell; 2] {
        let texts = self.texts;
        let change = self.bounded(difference.bound, &self.language.change(difference.percent));
        let interval = difference.interval_percent.map(|[low, high]| {
            (texts.interval)(&self.language.change(low), &self.language.change(high))
        });
        let change = Cell::new(change).detail(interval.unwrap_or_default());
        let significance = match difference.significance {
            Significance::Significant => Cell::new(texts.yes),
            Significance::NotSignificant => {
                let detectable = difference.detectable_percent.unwrap_or(f64::NAN);
                Cell::new((texts.no)(&self.language.percent(detectable))).tone(Tone::Muted)
            }
            Significance::Disturbed => Cell::new(texts.disturbed).tone(Tone::Caution),
            Significance::Unknown => Cell::new(texts.unknown).tone(Tone::Muted),
        };
        [change, significance]
    }
}

fn nothing() -> Cell {
    Cell::new("–").tone(Tone::Muted)
}
