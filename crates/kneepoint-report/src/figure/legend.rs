//! The legend: rows of names above the plot.

use super::chart::{Chart, MarkKind};
use super::mark::{self, Look};
use super::svg::{Spot, Svg, path};
use super::text;

/// Room for the sample of line and point before a name.
const SAMPLE: f64 = 30.0;
/// Room between two entries.
const GAP: f64 = 16.0;
/// A name gets no more room than this.
const NAME_MAX: f64 = 230.0;

/// What an entry explains.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sample {
    Series(usize),
    Mark(MarkKind),
}

/// One entry, placed.
#[derive(Debug)]
struct Entry {
    sample: Sample,
    name: String,
    spot: Spot,
}

/// A legend that knows its height.
#[derive(Debug)]
pub(super) struct Legend {
    entries: Vec<Entry>,
    /// Height of all rows.
    pub(super) height: f64,
}

impl Legend {
    /// Places the entries that `chart` needs into rows from `left` to `right`.
    pub(super) fn new(chart: &Chart, left: f64, right: f64) -> Self {
        let mut entries = Vec::new();
        let (mut x, mut row) = (left, 0.0);
        for (sample, name) in wanted(chart) {
            let name = text::fitted(&name, NAME_MAX);
            let width = SAMPLE + text::width(&name);
            if x > left && x + width > right {
                (x, row) = (left, row + 1.0);
            }
            entries.push(Entry {
                sample,
                name,
                spot: Spot::new(x, (row + 0.5) * text::LINE_HEIGHT),
            });
            x += width + GAP;
        }
        let rows = if entries.is_empty() { 0.0 } else { row + 1.0 };
        Self { entries, height: rows * text::LINE_HEIGHT }
    }

    /// Draws the rows, the first one at `top`.
    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        for entry in &self.entries {
            let spot = entry.spot.offset(0.0, top);
            match entry.sample {
                Sample::Series(index) => draw_series(svg, Look::of(index), spot),
                Sample::Mark(kind) => {
                    svg.open("g").attribute("stroke", "currentColor").content();
                    mark::draw(svg, kind, spot.offset(12.0, 0.0), "");
                    svg.close("g");
                }
            }
            svg.open("text").length("x", spot.x + SAMPLE).length("y", spot.y + 4.3);
            svg.text("text", &entry.name);
        }
    }
}

/// What has to be explained: several series, and marks without a label of their own.
fn wanted(chart: &Chart) -> Vec<(Sample, String)> {
    let mut wanted = Vec::new();
    if chart.series.len() > 1 {
        let series = chart.series.iter().enumerate();
        wanted.extend(series.map(|(index, series)| (Sample::Series(index), series.name.clone())));
    }
    for kind in [MarkKind::Sustained, MarkKind::Peak] {
        if chart.marks.iter().any(|mark| mark.kind == kind && mark.label.is_empty()) {
            wanted.push((Sample::Mark(kind), kind.name(chart.language).to_owned()));
        }
    }
    wanted
}

/// A piece of the series' line with one of its points.
fn draw_series(svg: &mut Svg, look: Look, spot: Spot) {
    svg.open("g").attribute("class", look.class()).attribute("stroke", look.colour);
    svg.attribute("fill", look.colour).content();
    svg.open("path").attribute("d", path([spot, spot.offset(24.0, 0.0)]));
    svg.attribute("stroke-width", "1.8");
    if !look.dash.is_empty() {
        svg.attribute("stroke-dasharray", look.dash);
    }
    svg.empty();
    look.open_point(svg, spot.offset(12.0, 0.0), 3.6);
    svg.empty();
    svg.close("g");
}
