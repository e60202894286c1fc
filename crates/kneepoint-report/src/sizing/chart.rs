//! Throughput over drives, and over the stroke.

use super::{Candidate, Demand, Sizing};
use crate::content::words;
use crate::figure::{
    Axis, Chart, Drawing, Mark, MarkKind, Point, PointStyle, RuleLine, Scale, Series,
};
use crate::language::Language;
use crate::language::texts;
use crate::page::Figure;

/// What the candidates sustain with other numbers of drives; nothing where no curve has two points.
pub(super) fn growth(sizing: &Sizing, language: Language) -> Option<Figure> {
    if !sizing.growth.iter().any(|growth| growth.points.len() > 1) {
        return None;
    }
    let mut series = Vec::new();
    let mut marks = Vec::new();
    for growth in &sizing.growth {
        let candidate = sizing.candidates.get(growth.candidate)?;
        let name = name(growth.candidate, candidate);
        let own = f64::from(candidate.drives);
        let points = growth.points.iter().map(|(drives, iops)| {
            point(
                (f64::from(*drives), *iops),
                texts::sizing::growth_point(
                    language,
                    &name,
                    &drives.to_string(),
                    &language.iops(*iops),
                ),
            )
        });
        marks.extend(growth.points.iter().filter(|(drives, _)| f64::from(*drives) == own).map(
            |(_, iops)| Mark {
                kind: MarkKind::Sustained,
                series: series.len(),
                x: own,
                y: *iops,
                label: String::new(),
                tooltip: texts::sizing::growth_mark(language, &name),
            },
        ));
        series.push(Series { name: name.clone(), points: points.collect() });
    }
    let chart = Chart {
        language,
        title: texts::sizing::growth_title(language).to_owned(),
        source: source(&sizing.demand, language),
        x: zero_based(texts::sizing::drives_axis(language)),
        y: zero_based(texts::sizing::sustained_axis(language)),
        series,
        rules: vec![asked(&sizing.demand, language)],
        marks,
    };
    Some(Figure::new(texts::sizing::growth_caption(language), Drawing::Chart(chart)))
}

/// What the first candidate sustains at other strokes; nothing where there are fewer than two.
pub(super) fn strokes(sizing: &Sizing, language: Language) -> Option<Figure> {
    let [first, _, ..] = sizing.strokes.as_slice() else { return None };
    let points = sizing.strokes.iter().map(|stroke| {
        let words = texts::sizing::stroke_point(
            language,
            &language.percent(stroke.percent),
            &language.iops(stroke.sustained_iops),
        );
        point((stroke.percent, stroke.sustained_iops), words)
    });
    let chart = Chart {
        language,
        title: texts::sizing::stroke_title(language).to_owned(),
        source: source(&sizing.demand, language),
        x: zero_based(texts::sizing::stroke_axis(language)),
        y: zero_based(texts::sizing::sustained_axis(language)),
        series: vec![Series {
            name: name(0, sizing.candidates.first()?),
            points: points.collect(),
        }],
        rules: vec![asked(&sizing.demand, language)],
        marks: Vec::new(),
    };
    let caption = texts::sizing::stroke_caption(
        language,
        &language.percent(first.percent),
        &language.bytes(first.data_bytes),
    );
    Some(Figure::new(caption, Drawing::Chart(chart)))
}

/// `1: hdd-sas25-15k-146, raid5`, short enough for a legend; the number is that of the table's row.
fn name(index: usize, candidate: &Candidate) -> String {
    let Candidate { system, drive, raid, .. } = candidate;
    let drive = if drive == "its own" { system.as_str() } else { drive.as_str() };
    format!("{}: {drive}, {raid}", index + 1)
}

fn point((x, y): (f64, f64), tooltip: String) -> Point {
    Point { x, y, margin: None, x_margin: None, style: PointStyle::Filled, tooltip }
}

fn zero_based(title: &str) -> Axis {
    let mut axis = Axis::new(title, Scale::Linear);
    axis.include.push(0.0);
    axis
}

fn asked(demand: &Demand, language: Language) -> RuleLine {
    RuleLine {
        value: demand.iops,
        label: texts::sizing::asked_line(language, &language.iops(demand.iops)),
    }
}

fn source(demand: &Demand, language: Language) -> String {
    texts::sizing::source(language, &demand.profile, &words::rule(language, &demand.rule))
}
