//! Draws a chart.

use super::chart::{Chart, Mark, Point, PointStyle, RuleLine, Series};
use super::frame::{Frame, WIDTH};
use super::grid;
use super::label::{Area, Obstacles};
use super::legend::Legend;
use super::mark::{self, Look};
use super::svg::{Spot, Svg, path};
use super::text;

/// The chart as an `<svg>` element without a namespace.
pub(super) fn draw(chart: &Chart) -> String {
    let legend = Legend::new(chart, 4.0, WIDTH - 4.0);
    let gap = if legend.height > 0.0 { 6.0 } else { 0.0 };
    let frame = Frame::new(chart, legend.height + gap + 26.0);
    let source = if chart.source.is_empty() { 0.0 } else { 15.0 };
    let mut svg = Svg::default();
    open(&mut svg, chart, frame.area.bottom + 44.0 + source);
    legend.draw(&mut svg, 2.0);
    grid::draw(&mut svg, chart, &frame);
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
    let marks = marks(chart, &frame);
    draw_marks(&mut svg, &marks, &mut obstacles);
    label_rules(&mut svg, &rules, &mut obstacles);
    label_marks(&mut svg, &marks, &mut obstacles);
    draw_source(&mut svg, chart, &frame);
    svg.close("svg");
    svg.finish()
}

fn open(svg: &mut Svg, chart: &Chart, height: f64) {
    svg.open("svg").attribute("class", "kp-chart").attribute("role", "img");
    svg.attribute("aria-label", &chart.title);
    svg.attribute("viewBox", format!("0 0 {WIDTH} {height}"));
    svg.attribute("font-family", "system-ui,sans-serif").length("font-size", text::FONT_SIZE);
    svg.attribute("fill", "currentColor").content();
}

/// Rule lines; they lie below the curves.
fn draw_rules(svg: &mut Svg, rules: &[(&RuleLine, [Spot; 2])]) {
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
        let start = obstacles.place_along(&rule.label, *ends);
        draw_label(svg, &rule.label, start);
    }
}

/// Text that stays readable on top of lines.
fn draw_label(svg: &mut Svg, label: &str, start: Spot) {
    svg.open("text").length("x", start.x).length("y", start.y).attribute("class", "kp-halo");
    svg.attribute("stroke", "#fff").attribute("stroke-width", "3.5");
    svg.attribute("stroke-linejoin", "round").attribute("paint-order", "stroke");
    svg.text("text", label);
}

/// The points that the axes can show, with their places.
fn spots<'a>(series: &'a Series, frame: &'a Frame) -> impl Iterator<Item = (&'a Point, Spot)> {
    series.points.iter().filter_map(|point| Some((point, frame.spot(point.x, point.y)?)))
}

fn draw_series(svg: &mut Svg, look: Look, series: &Series, frame: &Frame) {
    svg.open("g").attribute("class", look.class()).attribute("stroke", look.colour);
    svg.attribute("fill", look.colour).content();
    svg.open("path").attribute("d", path(spots(series, frame).map(|(_, spot)| spot)));
    svg.attribute("fill", "none").attribute("stroke-width", "1.8");
    svg.attribute("stroke-linejoin", "round");
    if !look.dash.is_empty() {
        svg.attribute("stroke-dasharray", look.dash);
    }
    svg.empty();
    draw_margins(svg, series, frame);
    let radius = match series.points.len() {
        0..=40 => 3.6,
        41..=120 => 2.6,
        _ => 1.8,
    };
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

/// Error bars, where they are long enough to be seen beside the point.
fn draw_margins(svg: &mut Svg, series: &Series, frame: &Frame) {
    let mut bars = String::new();
    for (point, spot) in spots(series, frame) {
        let Some(margin) = point.margin.filter(|margin| *margin > 0.0) else { continue };
        let ends = [point.y - margin, point.y + margin];
        if !ends.iter().all(|value| frame.y.scale.shows(*value)) {
            continue;
        }
        let [low, high] = ends.map(|value| frame.y(value).clamp(frame.area.top, frame.area.bottom));
        if low - high > 9.0 {
            bars += &path([Spot::new(spot.x, low), Spot::new(spot.x, high)]);
            for y in [low, high] {
                bars += &path([Spot::new(spot.x - 3.0, y), Spot::new(spot.x + 3.0, y)]);
            }
        }
    }
    if !bars.is_empty() {
        svg.open("path").attribute("d", bars).attribute("stroke-opacity", ".7").empty();
    }
}

/// The marks that the axes can show, with their places.
fn marks<'a>(chart: &'a Chart, frame: &Frame) -> Vec<(&'a Mark, Spot)> {
    chart.marks.iter().filter_map(|mark| Some((mark, frame.spot(mark.x, mark.y)?))).collect()
}

fn draw_marks(svg: &mut Svg, marks: &[(&Mark, Spot)], obstacles: &mut Obstacles) {
    for (mark, spot) in marks {
        let look = Look::of(mark.series);
        svg.open("g").attribute("class", look.class()).attribute("stroke", look.colour);
        svg.attribute("fill", look.colour).content();
        mark::draw(svg, mark.kind, *spot, &mark.tooltip);
        svg.close("g");
        obstacles.add_text(Area::around(*spot, 7.0));
    }
}

fn label_marks(svg: &mut Svg, marks: &[(&Mark, Spot)], obstacles: &mut Obstacles) {
    for (mark, spot) in marks.iter().filter(|(mark, _)| !mark.label.is_empty()) {
        let start = obstacles.place(&mark.label, *spot);
        draw_label(svg, &mark.label, start);
    }
}

fn draw_source(svg: &mut Svg, chart: &Chart, frame: &Frame) {
    if chart.source.is_empty() {
        return;
    }
    svg.open("text").length("x", frame.area.right).length("y", frame.area.bottom + 54.0);
    svg.attribute("text-anchor", "end").attribute("font-size", "10");
    svg.attribute("fill-opacity", ".6");
    svg.text("text", &text::fitted(&chart.source, WIDTH));
}
