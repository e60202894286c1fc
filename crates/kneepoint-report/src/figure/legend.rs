//! The legend: rows of names above the plot.

use super::chart::MarkKind;
use super::mark::{self, Look};
use super::path::path;
use super::svg::{Spot, Svg};
use super::text;
use crate::language::Language;

/// Room for the sample of line and point before a name.
const SAMPLE: f64 = 30.0;
/// Room between two entries.
const GAP: f64 = 16.0;
/// A name gets no more room than this.
const NAME_MAX: f64 = 420.0;

/// What an entry explains.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sample {
    /// The line and the points of the series with this index.
    Curve(usize),
    /// The bars of the series with this index.
    Bar(usize),
    /// A mark.
    Mark(MarkKind),
    /// A rule.
    Rule,
}

/// A sample and its name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) sample: Sample,
    pub(super) name: String,
}

impl Item {
    pub(super) fn new(sample: Sample, name: impl Into<String>) -> Self {
        Self { sample, name: name.into() }
    }

    /// Names of several series; a single one needs no legend.
    pub(super) fn series(names: &[&str], sample: impl Fn(usize) -> Sample) -> Vec<Self> {
        let item = |(index, name): (usize, &&str)| Self::new(sample(index), *name);
        if names.len() > 1 { names.iter().enumerate().map(item).collect() } else { Vec::new() }
    }

    /// The marks among `kinds` that have no label of their own.
    pub(super) fn marks(kinds: &[MarkKind], language: Language) -> Vec<Self> {
        [MarkKind::Sustained, MarkKind::Peak]
            .into_iter()
            .filter(|kind| kinds.contains(kind))
            .map(|kind| Self::new(Sample::Mark(kind), kind.name(language)))
            .collect()
    }
}

/// One entry, placed.
#[derive(Debug)]
struct Entry {
    item: Item,
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
    /// Places the items into rows from `left` to `right`.
    pub(super) fn new(items: Vec<Item>, left: f64, right: f64) -> Self {
        let mut entries = Vec::new();
        let (mut x, mut row) = (left, 0.0);
        for mut item in items {
            item.name = text::fitted(&item.name, NAME_MAX);
            let width = SAMPLE + text::width(&item.name);
            if x > left && x + width > right {
                (x, row) = (left, row + 1.0);
            }
            entries.push(Entry { item, spot: Spot::new(x, (row + 0.5) * text::LINE_HEIGHT) });
            x += width + GAP;
        }
        let rows = if entries.is_empty() { 0.0 } else { row + 1.0 };
        Self { entries, height: rows * text::LINE_HEIGHT }
    }

    /// Draws the rows, the first one at `top`.
    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        for entry in &self.entries {
            let spot = entry.spot.offset(0.0, top);
            match entry.item.sample {
                Sample::Curve(index) => draw_curve(svg, Look::of(index), spot),
                Sample::Bar(index) => draw_bar(svg, Look::of(index), spot),
                Sample::Mark(kind) => {
                    svg.open("g").attribute("stroke", "currentColor").content();
                    mark::draw(svg, kind, spot.offset(12.0, 0.0), "");
                    svg.close("g");
                }
                Sample::Rule => draw_rule(svg, spot),
            }
            svg.open("text").length("x", spot.x + SAMPLE).length("y", spot.y + 4.3);
            svg.text("text", &entry.item.name);
        }
    }
}

/// A piece of the series' line with one of its points.
fn draw_curve(svg: &mut Svg, look: Look, spot: Spot) {
    look.open_group(svg);
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

/// A piece of a bar behind its shape.
fn draw_bar(svg: &mut Svg, look: Look, spot: Spot) {
    look.open_group(svg);
    look.open_point(svg, spot.offset(4.0, 0.0), 3.2);
    svg.empty();
    svg.open("rect").length("x", spot.x + 12.0).length("y", spot.y - 5.0);
    svg.length("width", 14.0).length("height", 10.0).empty();
    svg.close("g");
}

fn draw_rule(svg: &mut Svg, spot: Spot) {
    svg.open("path").attribute("d", path([spot, spot.offset(24.0, 0.0)]));
    svg.attribute("stroke", "currentColor").attribute("stroke-width", "1.2");
    svg.attribute("stroke-dasharray", "5 4").attribute("stroke-opacity", ".75").empty();
}
