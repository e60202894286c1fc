//! Colours and shapes, and the legend that explains them: every series has both, so that it can be
//! told apart without colour.

use super::chart::MarkKind;
use super::svg::{self, Spot, Svg, path};
use crate::language::Language;

/// Hues that colour-blind readers can tell apart (Okabe and Ito, 2008), each at another lightness, so
/// that they differ in grey too, and none too light for white paper. The last one is the colour of the text. For dark screens the style sheet has others.
const COLOURS: [&str; 7] =
    ["#1062a5", "#ee6304", "#12805a", "#d8479a", "#6b4600", "#551a8b", "currentColor"];

/// Corners of the points around their centre for a radius of 1, in the order of the series; the
/// first has none: a circle.
const SHAPES: [&[(f64, f64)]; 7] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.3), (1.2, 0.8), (-1.2, 0.8)],
    &[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)],
    &[(0.0, 1.3), (1.2, -0.8), (-1.2, -0.8)],
    &[(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)],
    &[(-0.6, -1.1), (0.6, -1.1), (1.2, 0.0), (0.6, 1.1), (-0.6, 1.1), (-1.2, 0.0)],
];
/// Dashes in the order of the series. Four dashes and seven shapes do not meet again before the
/// 29th series, so that curves can be told apart in grey by either.
const DASHES: [&str; 4] = ["", "8 3", "2.5 2.5", "8 3 2 3"];

/// How one series looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    index: usize,
    corners: &'static [(f64, f64)],
    /// Colour of line and points.
    pub(super) colour: &'static str,
    /// Dash pattern of the line, empty for a solid one.
    pub(super) dash: &'static str,
}

impl Look {
    /// The colour with this index, and shape and dashes with that one.
    pub(super) fn new(colour: usize, pattern: usize) -> Self {
        let index = colour % COLOURS.len();
        Self {
            index,
            corners: SHAPES[pattern % SHAPES.len()],
            colour: COLOURS[index],
            dash: DASHES[pattern % DASHES.len()],
        }
    }

    /// A thin line in the colour of the text.
    pub(super) fn guide() -> Self {
        Self { dash: DASHES[2], ..Self::new(COLOURS.len() - 1, 0) }
    }

    /// The look of the series with this index. The first 49 are all different.
    pub(super) fn of(series: usize) -> Self {
        let round = series / SHAPES.len();
        Self {
            dash: DASHES[series % DASHES.len()],
            ..Self::new(series + round, series % SHAPES.len())
        }
    }

    /// Class by which a style sheet finds the series' colour.
    fn class(self) -> String {
        format!("kp-s{}", self.index)
    }

    /// Opens the group in which everything has the series' colour.
    pub(super) fn open_group(self, svg: &mut Svg) {
        svg.open("g").attribute("class", self.class()).attribute("stroke", self.colour);
        svg.attribute("fill", self.colour).content();
    }

    /// Opens the element of a point at `spot` and returns its name. `radius` is that of the
    /// circle; other shapes look as large.
    pub(super) fn open_point(self, svg: &mut Svg, spot: Spot, radius: f64) -> &'static str {
        if self.corners.is_empty() {
            svg.open("circle").length("cx", spot.x).length("cy", spot.y).length("r", radius);
            return "circle";
        }
        svg.open("path").attribute("d", polygon(spot, self.corners, radius));
        "path"
    }

    /// The outline of its points; nothing of circles.
    pub(super) fn outline(self) -> Option<Outline> {
        (!self.corners.is_empty()).then_some(Outline(self.corners))
    }
}

/// The corners of a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outline(&'static [(f64, f64)]);

impl Outline {
    /// A closed path around `centre`.
    pub(super) fn around(self, centre: Spot, radius: f64) -> String {
        polygon(centre, self.0, radius)
    }
}

/// A closed path around `centre`.
fn polygon(centre: Spot, corners: &[(f64, f64)], radius: f64) -> String {
    svg::closed(corners.iter().map(|(x, y)| centre.offset(x * radius, y * radius)))
}

/// Draws a mark: a ring for sustained, a star for peak.
pub(super) fn draw_mark_shape(svg: &mut Svg, kind: MarkKind, spot: Spot, tooltip: &str) {
    match kind {
        MarkKind::Sustained => {
            svg.open("circle").length("cx", spot.x).length("cy", spot.y).length("r", 6.5);
            svg.attribute("fill", "none").attribute("stroke-width", "2.2");
            svg.attribute("pointer-events", "all").tooltip("circle", tooltip);
        }
        MarkKind::Peak => {
            svg.open("path").attribute("d", star(spot, 8.0)).attribute("class", "kp-halo");
            svg.attribute("stroke", "#fff").attribute("stroke-width", "1").tooltip("path", tooltip);
        }
    }
}

/// Outline of a five-pointed star.
fn star(centre: Spot, radius: f64) -> String {
    let corner = |index: u8| {
        let angle = f64::from(index) * std::f64::consts::PI / 5.0;
        let radius = if index.is_multiple_of(2) { radius } else { radius * 0.45 };
        centre.offset(radius * libm::sin(angle), -radius * libm::cos(angle))
    };
    svg::closed((0..10).map(corner))
}

/// Room for the sample of line and point before a name.
const SAMPLE: f64 = 30.0;
/// Room between two entries.
const GAP: f64 = 16.0;
/// A name gets no more room than this.
const NAME_MAX: f64 = 420.0;

/// The subject of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sample {
    /// The line and the points of a series.
    Curve(Look),
    /// The dots of the series with this index.
    Dot(usize),
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

/// A legend that knows its height.
#[derive(Debug)]
pub(super) struct Legend {
    /// The entries with their places.
    entries: Vec<(Item, Spot)>,
    /// Height of all rows.
    pub(super) height: f64,
}

impl Legend {
    /// Places the items into rows from `left` to `right`.
    pub(super) fn new(items: Vec<Item>, left: f64, right: f64) -> Self {
        let mut entries = Vec::new();
        let (mut x, mut row) = (left, 0.0);
        for mut item in items {
            item.name = svg::fitted(&item.name, NAME_MAX.min(right - left - SAMPLE));
            let width = SAMPLE + svg::text_width(&item.name);
            if x > left && x + width > right {
                (x, row) = (left, row + 1.0);
            }
            entries.push((item, Spot::new(x, (row + 0.5) * svg::LINE_HEIGHT)));
            x += width + GAP;
        }
        let rows = if entries.is_empty() { 0.0 } else { row + 1.0 };
        Self { entries, height: rows * svg::LINE_HEIGHT }
    }

    /// Draws the rows, the first one at `top`.
    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        for (item, spot) in &self.entries {
            let spot = spot.offset(0.0, top);
            match item.sample {
                Sample::Curve(look) => draw_curve(svg, look, spot),
                Sample::Dot(index) => draw_dot(svg, Look::of(index), spot),
                Sample::Mark(kind) => {
                    svg.open("g").attribute("stroke", "currentColor").content();
                    draw_mark_shape(svg, kind, spot.offset(12.0, 0.0), "");
                    svg.close("g");
                }
                Sample::Rule => draw_rule(svg, spot),
            }
            svg.open("text").length("x", spot.x + SAMPLE).length("y", spot.y + 4.3);
            svg.text("text", &item.name);
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
    if look != Look::guide() {
        look.open_point(svg, spot.offset(12.0, 0.0), 3.6);
        svg.empty();
    }
    svg.close("g");
}

/// A dot.
fn draw_dot(svg: &mut Svg, look: Look, spot: Spot) {
    look.open_group(svg);
    look.open_point(svg, spot.offset(12.0, 0.0), 4.2);
    svg.empty();
    svg.close("g");
}

fn draw_rule(svg: &mut Svg, spot: Spot) {
    svg.open("path").attribute("d", path([spot, spot.offset(24.0, 0.0)]));
    svg.attribute("stroke", "currentColor").attribute("stroke-width", "1.2");
    svg.attribute("stroke-dasharray", "5 4").attribute("stroke-opacity", ".75").empty();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_series_all_look_different() {
        let drawn = |look: Look| {
            let mut svg = Svg::default();
            look.open_point(&mut svg, Spot::new(0.0, 0.0), 4.0);
            (look.colour, look.dash, svg.finish())
        };
        let mut looks: Vec<_> = (0..49).map(Look::of).map(drawn).collect();
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), 49);
    }

    #[test]
    fn shapes_close_where_they_began() {
        let square = polygon(Spot::new(10.0, 10.0), SHAPES[1], 10.0);
        assert_eq!(square, "M1 1H19V19H1z");
    }
}
