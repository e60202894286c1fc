//! The series of all runs as bars: sustained throughput, or else the peak, with differences.

use kneepoint_core::analysis::comparison::{
    Bound, ComparedFigure, Comparison, Reading, SeriesComparison,
};
use kneepoint_core::result::Place;

use super::{curves, series_title};
use crate::content::judge::PrimaryMetric;
use crate::content::words;
use crate::figure::{Axis, Bar, BarGroup, Bars, Drawing, PointStyle, Scale};
use crate::language::Language;
use crate::language::texts;
use crate::page::Figure;

/// More bars than this would make a figure too high for its page.
const BARS_MAX: usize = 48;
/// More runs than this cannot be told apart in a group.
const RUNS_MAX: usize = 12;

/// Bars of the series with random access, and of those with sequential access.
pub(super) fn figures(
    comparison: &Comparison,
    (names, language): (&[&str], Language),
) -> Vec<Figure> {
    if names.len() > RUNS_MAX {
        return Vec::new();
    }
    let writer = Writer { comparison, names, language };
    PrimaryMetric::ALL.into_iter().flat_map(|judge| writer.of(judge)).collect()
}

/// A number of every series: sustained at a rule, or the peak where there is none.
type Number<'a> = (Place, Option<&'a str>);

/// The number in a series, where it has it.
fn find<'a>(series: &'a SeriesComparison, number: Number<'_>) -> Option<&'a ComparedFigure> {
    series.figures.iter().find(|figure| of(figure) == number)
}

fn of(figure: &ComparedFigure) -> Number<'_> {
    (figure.measure.place, figure.rule.as_deref())
}

/// The number that most series have; of equals the first.
fn number<'a>(alike: &[&'a SeriesComparison]) -> Option<Number<'a>> {
    let numbers = || {
        let all = alike.iter().flat_map(|series| &series.figures).map(of);
        all.filter(|(place, _)| *place != Place::EqualLoad)
    };
    let count = |number: Number<'_>| {
        alike.iter().filter(|series| find(series, number).is_some_and(is_measured)).count()
    };
    let sustained = numbers().filter(|(place, _)| *place == Place::Sustained);
    let peak = numbers().filter(|(place, _)| *place == Place::Peak);
    let mut best: Option<(usize, Number<'a>)> = None;
    for number in sustained.chain(peak) {
        let count = count(number);
        if count > best.map_or(0, |(most, _)| most) {
            best = Some((count, number));
        }
    }
    best.map(|(_, number)| number)
}

/// Whether the reference and another run have it.
fn is_measured(figure: &ComparedFigure) -> bool {
    figure.readings.first().is_some_and(Option::is_some)
        && figure.readings.iter().flatten().count() > 1
}

/// Draws a comparison.
struct Writer<'a> {
    comparison: &'a Comparison,
    names: &'a [&'a str],
    language: Language,
}

impl Writer<'_> {
    fn of(&self, judge: PrimaryMetric) -> Vec<Figure> {
        let all = self.comparison.series.iter();
        let alike: Vec<_> = all.filter(|series| curves::judge(series) == judge).collect();
        let Some(number) = number(&alike) else { return Vec::new() };
        let found: Vec<(String, &ComparedFigure)> = alike
            .iter()
            .filter_map(|series| Some((series_title(series), find(series, number)?)))
            .filter(|(_, figure)| is_measured(figure))
            .collect();
        let chunks = found.chunks((BARS_MAX / self.names.len().max(1)).max(1));
        chunks.map(|part| self.figure(part, (number, judge))).collect()
    }

    fn figure(
        &self,
        part: &[(String, &ComparedFigure)],
        ((place, rule), judge): (Number<'_>, PrimaryMetric),
    ) -> Figure {
        let language = self.language;
        let what = match (place, rule) {
            (Place::Sustained, Some(rule)) => {
                texts::comparison::sustained(language, &words::rule(language, rule))
            }
            _ => texts::comparison::peak(language).to_owned(),
        };
        let groups: Vec<BarGroup> = part
            .iter()
            .map(|(title, figure)| BarGroup { name: title.clone(), bars: self.bars(figure, judge) })
            .collect();
        let bars = || groups.iter().flat_map(|group| &group.bars);
        let title = texts::comparison::bars_title(language, &what);
        let mut caption =
            format!("{title}. {}", texts::comparison::bars_note(language, self.names[0]));
        if bars().any(|bar| bar.margin.is_some()) {
            caption += texts::figures::margins(language);
        }
        if bars().any(|bar| bar.style == PointStyle::Hollow) {
            caption += texts::comparison::bars_hollow(language);
        }
        let runs = self.comparison.runs.iter().map(|run| run.id.clone());
        let drawing = Bars {
            language,
            title,
            source: runs.collect::<Vec<_>>().join(", "),
            value: Axis::new(
                texts::comparison::axis(
                    language,
                    texts::comparison::throughput(language),
                    judge.unit(),
                ),
                Scale::Linear,
            ),
            series: self.names.iter().map(|name| (*name).to_owned()).collect(),
            reference: Some(0),
            groups,
        };
        Figure::new(caption, Drawing::Bars(drawing))
    }

    fn bars(&self, figure: &ComparedFigure, judge: PrimaryMetric) -> Vec<Bar> {
        let bar = |(index, reading): (usize, &Option<Reading>)| {
            let reading = reading.as_ref()?;
            let difference = figure.differences.get(index).and_then(Option::as_ref);
            let note = difference.map(|difference| {
                let change = self.language.change(difference.percent);
                self.bounded(difference.bound, &change)
            });
            let is_doubtful = reading.bound != Bound::Exact || !reading.reservations.is_empty();
            Some(Bar {
                series: index,
                value: reading.value,
                margin: reading.ci95,
                label: self.bounded(reading.bound, &self.language.rate(reading.value)),
                note: note.unwrap_or_default(),
                style: if is_doubtful { PointStyle::Hollow } else { PointStyle::Filled },
                tooltip: format!(
                    "{}: {}",
                    self.names[index],
                    self.bounded(reading.bound, &judge.print(self.language, reading.value))
                ),
            })
        };
        figure.readings.iter().enumerate().filter_map(bar).collect()
    }

    /// A number, or that it is only a bound.
    fn bounded(&self, bound: Bound, number: &str) -> String {
        match bound {
            Bound::Exact => number.to_owned(),
            Bound::AtMost => texts::comparison::at_most(self.language, number),
            Bound::AtLeast => texts::comparison::at_least(self.language, number),
        }
    }
}
