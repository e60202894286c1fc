//! Charts: curves over two axes, as plain values and as drawn.

use super::axis::{Axis, Scale};
use super::frame::{Frame, WIDTH};
use super::label::{Area, Obstacles, Placed};
use super::legend::{Item, Legend, Look, Sample};
use super::svg::{Spot, Svg, coordinate, lines, path};
use super::{frame, legend, svg};
use crate::language::Language;

/// Curves over two axes, with rules and marked points.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Language of the texts, and of the numbers at the axes.
    pub language: Language,
    /// The chart in words, for readers who cannot see it.
    pub title: String,
    /// Small print below the chart that names where the data come from; may be empty.
    pub source: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<ChartSeries>,
    /// Straight lines across the chart. One that lies outside the axes is not drawn.
    pub rules: Vec<RuleLine>,
    /// Points that are singled out.
    pub marks: Vec<ChartMark>,
}

/// A curve: points joined in their order by straight lines.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartSeries {
    /// Name in the legend.
    pub name: String,
    /// The points; those that an axis cannot show are left out.
    pub points: Vec<ChartPoint>,
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChartPoint {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// Half the length of the upright error bar, in units of the vertical axis.
    pub margin: Option<f64>,
    /// Half the length of the level error bar, in units of the horizontal axis.
    pub x_margin: Option<f64>,
    /// How the point is drawn.
    pub style: PointStyle,
    /// Shown where the pointer rests on the point; may be empty.
    pub tooltip: String,
}

impl ChartPoint {
    /// The horizontal value and the ends of its error bar.
    fn xs(&self) -> [f64; 3] {
        reach(self.x, self.x_margin)
    }

    /// The vertical value and the ends of its error bar.
    fn ys(&self) -> [f64; 3] {
        reach(self.y, self.margin)
    }
}

/// A value and the ends of its error bar; an end below zero is of no use to the axis of a quantity.
fn reach(value: f64, margin: Option<f64>) -> [f64; 3] {
    let margin = margin.unwrap_or(0.0);
    let low = if value >= 0.0 { (value - margin).max(0.0) } else { value - margin };
    [value, low, value + margin]
}

/// How a point is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PointStyle {
    /// An ordinary point.
    #[default]
    Filled,
    /// A point with a reservation.
    Hollow,
}

/// A straight line across the chart at a value of the vertical axis.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleLine {
    /// Where it crosses the axis.
    pub value: f64,
    /// Text beside the line.
    pub label: String,
}

/// A point that is singled out.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartMark {
    /// Its meaning.
    pub kind: MarkKind,
    /// Index of the series that it belongs to.
    pub series: usize,
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// Text beside the mark; where it is empty, the legend explains the mark's shape.
    pub label: String,
    /// Shown where the pointer rests on the mark; may be empty.
    pub tooltip: String,
}

/// The meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// Where a curve meets its rule: a ring.
    Sustained,
    /// The highest throughput: a star.
    Peak,
}

impl MarkKind {
    /// Name in the legend.
    pub const fn name(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Sustained, Language::English) => "sustained",
            (Self::Sustained, Language::German) => "dauerhaft",
            (Self::Peak, Language::English) => "peak",
            (Self::Peak, Language::German) => "Spitze",
        }
    }
}

/// Horizontal values of all points and marks that must be seen.
pub(super) fn xs<'a>(
    series: &'a [ChartSeries],
    marks: &'a [ChartMark],
) -> impl Iterator<Item = f64> + 'a {
    let points = series.iter().flat_map(|series| &series.points);
    points.flat_map(ChartPoint::xs).chain(marks.iter().map(|mark| mark.x))
}

/// Vertical values of all points and marks that must be seen.
pub(super) fn ys<'a>(
    series: &'a [ChartSeries],
    marks: &'a [ChartMark],
) -> impl Iterator<Item = f64> + 'a {
    let points = series.iter().flat_map(|series| &series.points);
    points.flat_map(ChartPoint::ys).chain(marks.iter().map(|mark| mark.y))
}

/// The chart as an `<svg>` element without a namespace.
pub(super) fn draw(chart: &Chart) -> String {
    let legend = Legend::new(legend_items(chart), 4.0, WIDTH - 4.0);
    let gap = if legend.height > 0.0 { 6.0 } else { 0.0 };
    let frame = Frame::new(chart, legend.height + gap + 26.0);
    let source = if chart.source.is_empty() { 0.0 } else { 15.0 };
    let mut svg = Svg::default();
    open(&mut svg, &chart.title, frame.area.bottom + 44.0 + source);
    legend.draw(&mut svg, 2.0);
    frame::draw_grid(&mut svg, chart, &frame);
    let mut obstacles = Obstacles::within(frame.area);
    let rules: Vec<_> =
        chart.rules.iter().filter_map(|rule| Some((rule, frame.rule(rule)?))).collect();
    draw_rules(&mut svg, &rules);
    for (index, series) in chart.series.iter().enumerate() {
        let look = Look::of(index);
        draw_series(&mut svg, look, series, &frame);
        let spots: Vec<Spot> = spots(series, &frame).map(|(_, spot)| spot).collect();
        obstacles.add_line(&spots);
    }
    let marks = marks(&chart.marks, &frame);
    draw_marks(&mut svg, &marks, &mut obstacles);
    label_rules(&mut svg, &rules, &mut obstacles);
    label_marks(&mut svg, &marks, &mut obstacles);
    draw_source(&mut svg, &chart.source, frame.area.bottom + 54.0);
    svg.close("svg");
    svg.finish()
}

/// Several series, and marks without a label of their own.
fn legend_items(chart: &Chart) -> Vec<Item> {
    let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
    let bare = chart.marks.iter().filter(|mark| mark.label.is_empty()).map(|mark| mark.kind);
    let marks = Item::marks(&bare.collect::<Vec<_>>(), chart.language);
    [Item::series(&names, Sample::Curve), marks].concat()
}

/// Opens the drawing of a figure as wide as the text.
pub(super) fn open(svg: &mut Svg, title: &str, height: f64) {
    svg.open("svg").attribute("class", "kp-chart").attribute("role", "img");
    svg.attribute("aria-label", title);
    svg.attribute("viewBox", format!("0 0 {WIDTH} {}", coordinate(height)));
    svg.attribute("font-family", "system-ui,sans-serif").length("font-size", svg::FONT_SIZE);
    svg.attribute("fill", "currentColor").attribute("stroke-linejoin", "round").content();
}

/// Rule lines; they lie below the curves.
pub(super) fn draw_rules(svg: &mut Svg, rules: &[(&RuleLine, [Spot; 2])]) {
    if rules.is_empty() {
        return;
    }
    svg.open("g").attribute("class", "kp-rule").attribute("stroke", "currentColor").content();
    for (rule, ends) in rules {
        svg.open("path").attribute("d", path(*ends)).attribute("stroke-width", "1.2");
        svg.attribute("stroke-dasharray", "5 4").attribute("stroke-opacity", ".75");
        svg.tooltip("path", &rule.label);
    }
    svg.close("g");
}

/// Labels of the rules, off the curves, the marks and each other's lines.
fn label_rules(svg: &mut Svg, rules: &[(&RuleLine, [Spot; 2])], obstacles: &mut Obstacles) {
    for (_, ends) in rules {
        obstacles.add_line(ends);
    }
    for (rule, ends) in rules {
        if let Some(start) = obstacles.place_along(&rule.label, *ends) {
            draw_label(svg, &rule.label, start, svg::FONT_SIZE);
        }
    }
}

/// Text that stays readable on top of lines.
pub(super) fn draw_label(svg: &mut Svg, label: &str, start: Spot, size: f64) {
    svg.open("text").length("x", start.x).length("y", start.y).attribute("class", "kp-halo");
    svg.attribute("stroke", "#fff").attribute("stroke-width", "3.5");
    svg.attribute("paint-order", "stroke");
    frame::sized(svg, size).text("text", label);
}

/// The points that the axes can show, with their places.
fn spots<'a>(
    series: &'a ChartSeries,
    frame: &'a Frame,
) -> impl Iterator<Item = (&'a ChartPoint, Spot)> {
    series.points.iter().filter_map(|point| Some((point, frame.spot(point.x, point.y)?)))
}

pub(super) fn draw_series(svg: &mut Svg, look: Look, series: &ChartSeries, frame: &Frame) {
    look.open_group(svg);
    svg.open("path").attribute("d", path(spots(series, frame).map(|(_, spot)| spot)));
    svg.attribute("fill", "none").attribute("stroke-width", "1.8");
    if !look.dash.is_empty() {
        svg.attribute("stroke-dasharray", look.dash);
    }
    svg.empty();
    draw_margins(svg, series, frame);
    let radius = radius(series, frame);
    for (point, spot) in spots(series, frame) {
        let element = look.open_point(svg, spot, radius);
        if point.style == PointStyle::Hollow {
            svg.attribute("class", "kp-hollow").attribute("fill", "#fff");
            svg.attribute("stroke-width", "1.6");
        }
        svg.tooltip(element, &point.tooltip);
    }
    svg.close("g");
}

/// Points become smaller where they are many in little room.
fn radius(series: &ChartSeries, frame: &Frame) -> f64 {
    let room = (frame.area.right - frame.area.left) / series.points.len().max(1) as f64;
    match room {
        _ if room >= 11.0 => 3.6,
        _ if room >= 4.0 => 2.6,
        _ => 1.8,
    }
}

/// Error bars, where they are long enough to be seen beside the point.
fn draw_margins(svg: &mut Svg, series: &ChartSeries, frame: &Frame) {
    let area = &frame.area;
    let x = |value: f64| frame.x(value).clamp(area.left, area.right);
    let y = |value: f64| frame.y(value).clamp(area.top, area.bottom);
    let mut bars = Vec::new();
    for (point, spot) in spots(series, frame) {
        if let Some([low, high]) = ends(point.y, point.margin, frame.y.scale).map(|e| e.map(y))
            && low - high > MARGIN_MIN
        {
            bars.push([Spot::new(spot.x, low), Spot::new(spot.x, high)]);
            bars.extend([high, low].map(|y| [-3.0, 3.0].map(|to| Spot::new(spot.x + to, y))));
        }
        if let Some([low, high]) = ends(point.x, point.x_margin, frame.x.scale).map(|e| e.map(x))
            && high - low > MARGIN_MIN
        {
            bars.push([Spot::new(low, spot.y), Spot::new(high, spot.y)]);
            bars.extend([high, low].map(|x| [-3.0, 3.0].map(|to| Spot::new(x, spot.y + to))));
        }
    }
    if !bars.is_empty() {
        svg.open("path").attribute("d", lines(bars)).attribute("stroke-opacity", ".7").empty();
    }
}

/// A shorter error bar would hide behind its point.
const MARGIN_MIN: f64 = 9.0;

/// A value with its margin taken off and added, where the scale shows both.
fn ends(value: f64, margin: Option<f64>, scale: Scale) -> Option<[f64; 2]> {
    let margin = margin.filter(|margin| *margin > 0.0)?;
    let ends = [value - margin, value + margin];
    ends.iter().all(|end| scale.shows(*end)).then_some(ends)
}

/// The marks that the axes can show, with their places.
pub(super) fn marks<'a>(marks: &'a [ChartMark], frame: &Frame) -> Vec<(&'a ChartMark, Spot)> {
    marks.iter().filter_map(|mark| Some((mark, frame.spot(mark.x, mark.y)?))).collect()
}

fn draw_marks(svg: &mut Svg, marks: &[(&ChartMark, Spot)], obstacles: &mut Obstacles) {
    for (mark, spot) in marks {
        draw_mark(svg, mark, Look::of(mark.series), *spot);
        obstacles.add_text(Area::around(*spot, 7.0));
    }
}

pub(super) fn draw_mark(svg: &mut Svg, mark: &ChartMark, look: Look, spot: Spot) {
    look.open_group(svg);
    legend::draw_mark_shape(svg, mark.kind, spot, &mark.tooltip);
    svg.close("g");
}

fn label_marks(svg: &mut Svg, marks: &[(&ChartMark, Spot)], obstacles: &mut Obstacles) {
    for (mark, spot) in marks.iter().filter(|(mark, _)| !mark.label.is_empty()) {
        let Some(Placed { start, leader }) = obstacles.place(&mark.label, *spot) else { continue };
        if let Some(ends) = leader {
            svg.open("path").attribute("d", path(ends)).attribute("stroke", "currentColor");
            svg.attribute("stroke-opacity", ".6").empty();
        }
        draw_label(svg, &mark.label, start, svg::FONT_SIZE);
    }
}

/// The small print below, from the right edge.
pub(super) fn draw_source(svg: &mut Svg, source: &str, baseline: f64) {
    if source.is_empty() {
        return;
    }
    svg.open("text").length("x", WIDTH - 4.0).length("y", baseline);
    svg.attribute("text-anchor", "end").attribute("font-size", "10");
    svg.attribute("fill-opacity", ".7");
    svg.text("text", &svg::fitted_at(source, WIDTH - 8.0, 10.0));
}
