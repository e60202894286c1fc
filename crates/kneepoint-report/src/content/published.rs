//! What was published of what the run simulates, beside the simulated numbers.

use kneepoint_core::result::series_key::SeriesKey;
use kneepoint_core::result::{Estimate, PublishedComparison, PublishedPlace};
use kneepoint_core::words::distinct::distinct;
use kneepoint_core::words::load::LoadUnit;
use kneepoint_core::words::number::Measured;

use super::view::RunView;
use crate::figure::{Axis, Dot, DotRow, Dots, Drawing, Lanes, Reach, RowWeight, Scale};
use crate::language::texts::{common, published};
use crate::page::{Block, Column, ColumnGroup, Figure, Section, Table, TableCell, Text};

/// More dots than this would make the figure too high; the table has all numbers.
const DOTS_MAX: usize = 40;

/// The chapter; nothing where no published number has an answer in the run.
pub(super) fn section(survey: &RunView<'_>) -> Option<Section> {
    let language = survey.language;
    let compared = &survey.document.analysis.published;
    if compared.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::paragraph(summary(survey)?)];
    if let Some(text) = fitted(survey) {
        blocks.push(Block::paragraph(text));
    }
    blocks.extend(Block::figures(figure(survey, compared).into_iter().collect()));
    blocks.push(Block::Table(table(survey, compared)));
    if compared.iter().any(|one| one.ci95.is_some()) {
        blocks.push(Block::remark(published::chance(language)));
    }
    Some(Section::new("published", published::heading(language), blocks))
}

/// How many numbers were published, and by how much the simulated ones differ; `None` if none was.
pub(super) fn summary(survey: &RunView<'_>) -> Option<String> {
    let language = survey.language;
    let compared = &survey.document.analysis.published;
    let errors = || compared.iter().map(|one| one.error_percent.abs());
    let largest = errors().reduce(f64::max)?;
    let mean = errors().sum::<f64>() / compared.len() as f64;
    let sources = distinct(compared.iter().map(|one| one.published.source.clone()));
    let errors = [mean, largest].map(|error| language.percent(error));
    let [mean, largest] = [&errors[0], &errors[1]].map(String::as_str);
    Some(published::summary(language, compared.len(), [mean, largest], &sources.join("; ")))
}

/// That the numbers are among those that the models were fitted to.
fn fitted(survey: &RunView<'_>) -> Option<String> {
    let models = survey.targets().iter().map(|target| target.model.as_ref());
    let fits: Option<Vec<_>> = models.map(|model| model?.fit).collect();
    let fits = fits?;
    let first = fits.first()?;
    let cells = if fits.iter().all(|fit| fit == first) { first.cells } else { 0 };
    Some(published::fitted(survey.language, &published::cells(survey.language, cells)))
}

/// The name of the series as the report has it, and the place on its curve.
fn names(survey: &RunView<'_>, one: &PublishedComparison) -> (String, String) {
    let language = survey.language;
    let number = &one.published;
    let series = SeriesKey { name: &number.series, factors: &number.factors }.to_string();
    let view = survey.series.iter().find(|view| view.name == series);
    let load = |load: u32| {
        let words = common::load(language, f64::from(load), LoadUnit::OutstandingIos);
        view.map_or(words.clone(), |view| view.load_of().words(language, words))
    };
    let place = match &number.place {
        PublishedPlace::Rule(rule) => common::within(language, rule),
        PublishedPlace::Peak(highest) => published::highest(language, &load(*highest)),
        PublishedPlace::Outstanding(set) => load(*set),
    };
    (series, place)
}

fn table(survey: &RunView<'_>, compared: &[PublishedComparison]) -> Table {
    let language = survey.language;
    let units = distinct(compared.iter().map(|one| one.published.unit));
    let unit = match units.as_slice() {
        [only] => Some(only.symbol()),
        _ => None,
    };
    let groups = vec![
        ColumnGroup::new(
            "",
            [common::series(language), published::read_off(language)].map(Column::words),
        ),
        ColumnGroup::new(
            unit.unwrap_or_default(),
            [published::published(language), published::simulated(language)].map(Column::numbers),
        ),
        Column::numbers(published::error(language)).into(),
        Column::words(published::source(language)).into(),
    ];
    let mut table = Table::new(published::caption(language), groups);
    for one in compared {
        let (name, place) = names(survey, one);
        let series = survey.series.iter().find(|series| series.name == name);
        let number = |value: Estimate| match unit {
            Some(_) => language.rate(value),
            None => language.throughput(value, one.published.unit),
        };
        // As it was printed.
        let published = match unit {
            Some(_) => language.level(one.published.value),
            None => format!(
                "{}\u{a0}{}",
                language.level(one.published.value),
                one.published.unit.symbol()
            ),
        };
        let simulated = Estimate { mean: one.simulated, ci95: one.ci95 };
        let margin = one.ci95.map(|width| format!("±{}", language.rate(Measured::margin(width))));
        table.push(vec![
            TableCell::new(series.map_or_else(|| Text::from(name), |series| series.link())),
            TableCell::new(place),
            TableCell::new(published),
            TableCell::new(number(simulated)).detail(margin.unwrap_or_default()),
            TableCell::new(language.change(one.error_percent)),
            TableCell::new(one.published.source.clone()),
        ]);
    }
    table
}

/// The errors on one axis.
fn figure(survey: &RunView<'_>, compared: &[PublishedComparison]) -> Option<Figure> {
    let language = survey.language;
    if !(2..=DOTS_MAX).contains(&compared.len()) {
        return None;
    }
    let row = |one: &PublishedComparison| {
        let (series, place) = names(survey, one);
        let label = language.change(one.error_percent);
        let margin = one.ci95.map(|width| 100.0 * width / one.published.value);
        let dot = Dot {
            value: one.error_percent,
            interval: margin.map(|width| [one.error_percent - width, one.error_percent + width]),
            reach: Reach::Exact,
            tooltip: format!("{series}, {place}: {label}"),
            label,
            ..Dot::default()
        };
        DotRow { name: format!("{series}, {place}"), weight: RowWeight::One, dots: vec![dot] }
    };
    let title = published::figure(language);
    let dots = Dots {
        language,
        title: title.to_owned(),
        source: survey.source(),
        value: Axis::new(format!("{} (%)", published::axis(language)), Scale::Linear),
        series: vec![published::error(language).to_owned()],
        reference: Some(0.0),
        band: None,
        lanes: Lanes::Own,
        rows: compared.iter().map(row).collect(),
    };
    let caption = format!("{title}. {}", published::figure_note(language));
    Some(Figure::new(caption, Drawing::Dots(dots)))
}
