//! Draws a chart.

use super::axis::Tick;
use super::chart::{Chart, Mark, Orientation, Point, PointStyle, RuleLine, Series};
use super::label::{Area, Obstacles};
use super::legend::Legend;
use super::mark::{self, Look};
use super::scale::{Domain, Scale};
use super::svg::{Spot, Svg, path};
use super::text;

/// Width of every chart, in user units; one unit is meant to be about a CSS pixel.
const WIDTH: f64 = 560.0;
/// Height of the area between the axes.
const PLOT_HEIGHT: f64 = 250.0;

/// The area between the axes, and where values lie in it.
#[derive(Debug)]
struct Frame {
    area: Area,
    x: Domain,
    y: Domain,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
}

impl Frame {
    fn new(chart: &Chart, top: f64) -> Self {
        let (x, y) = (chart.x.domain(chart.xs()), chart.y.domain(chart.ys()));
        let (x_ticks, y_ticks) = (chart.x.ticks_in(&x), chart.y.ticks_in(&y));
        let widest = y_ticks.iter().map(|tick| text::width(&tick.label)).fold(20.0, f64::max);
        let last = x_ticks.last().map_or(0.0, |tick| text::width(&tick.label) / 2.0);
        let area = Area {
            left: widest + 12.0,
            top,
            right: WIDTH - (last + 2.0).max(12.0),
            bottom: top + PLOT_HEIGHT,
        };
        Self { area, x, y, x_ticks, y_ticks }
    }

    fn x(&self, value: f64) -> f64 {
        self.area.left + self.x.fraction(value) * (self.area.right - self.area.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.area.bottom - self.y.fraction(value) * (self.area.bottom - self.area.top)
    }

    /// Where a pair of values lies, if both axes can show it.
    fn spot(&self, x: f64, y: f64) -> Option<Spot> {
        let shown = self.x.scale.shows(x) && self.y.scale.shows(y);
        shown.then(|| Spot::new(self.x(x), self.y(y)))
    }

    /// Both ends of a rule, if it lies within the axes.
    fn rule(&self, rule: &RuleLine) -> Option<[Spot; 2]> {
        let area = &self.area;
        match rule.orientation {
            Orientation::Horizontal => self.y.contains(rule.value).then(|| {
                let y = self.y(rule.value);
                [Spot::new(area.left, y), Spot::new(area.right, y)]
            }),
            Orientation::Vertical => self.x.contains(rule.value).then(|| {
                let x = self.x(rule.value);
                [Spot::new(x, area.bottom), Spot::new(x, area.top)]
            }),
        }
    }
}

/// The chart as an `<svg>` element without a namespace.
pub(super) fn draw(chart: &Chart) -> String {
    let legend = Legend::new(chart, 4.0, WIDTH - 4.0);
    let gap = if legend.height > 0.0 { 6.0 } else { 0.0 };
    let frame = Frame::new(chart, legend.height + gap + 26.0);
    let source = if chart.source.is_empty() { 0.0 } else { 15.0 };
    let mut svg = Svg::default();
    open(&mut svg, chart, frame.area.bottom + 44.0 + source);
    legend.draw(&mut svg, 2.0);
    draw_axes(&mut svg, chart, &frame);
    let mut obstacles = Obstacles::within(frame.area);
    draw_rules(&mut svg, chart, &frame, &mut obstacles);
    for (index, series) in chart.series.iter().enumerate() {
        let look = Look::of(index);
        draw_series(&mut svg, look, series, &frame);
        let spots: Vec<Spot> = spots(series, &frame).map(|(_, spot)| spot).collect();
        obstacles.add_line(&spots);
    }
    draw_marks(&mut svg, chart, &frame, &mut obstacles);
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

/// Grid, axis lines, ticks and titles.
fn draw_axes(svg: &mut Svg, chart: &Chart, frame: &Frame) {
    let area = &frame.area;
    draw_grid(svg, frame);
    let corner = [
        Spot::new(area.left, area.top),
        Spot::new(area.left, area.bottom),
        Spot::new(area.right, area.bottom),
    ];
    svg.open("path").attribute("d", path(corner)).attribute("fill", "none");
    svg.attribute("stroke", "currentColor").attribute("stroke-opacity", ".55").empty();
    draw_y_labels(svg, frame);
    draw_x_labels(svg, frame);
    svg.open("text").length("x", 4.0).length("y", area.top - 12.0);
    svg.attribute("font-weight", "600").text("text", &chart.y.title);
    svg.open("text").length("x", (area.left + area.right) / 2.0).length("y", area.bottom + 38.0);
    svg.attribute("text-anchor", "middle").attribute("font-weight", "600");
    svg.text("text", &chart.x.title);
}

/// Lines at the ticks of both axes; on decades also fainter ones between.
fn draw_grid(svg: &mut Svg, frame: &Frame) {
    let area = &frame.area;
    let horizontal = |y: f64| [Spot::new(area.left, y), Spot::new(area.right, y)];
    let vertical = |x: f64| [Spot::new(x, area.top), Spot::new(x, area.bottom)];
    let rows = frame.y_ticks.iter().map(|tick| path(horizontal(frame.y(tick.value))));
    let columns = frame.x_ticks.iter().map(|tick| path(vertical(frame.x(tick.value))));
    let lines: String = rows.chain(columns).collect();
    svg.open("path").attribute("class", "kp-grid").attribute("d", lines);
    svg.attribute("stroke", "currentColor").attribute("stroke-opacity", ".14").empty();
    if frame.y.scale == Scale::Log10 {
        let between = minor_ticks(&frame.y).map(|value| path(horizontal(frame.y(value))));
        svg.open("path").attribute("class", "kp-grid").attribute("d", between.collect::<String>());
        svg.attribute("stroke", "currentColor").attribute("stroke-opacity", ".06").empty();
    }
}

/// 2 to 9 times every power of ten within the domain.
fn minor_ticks(domain: &Domain) -> impl Iterator<Item = f64> {
    let first = libm::floor(libm::log10(domain.low)) as i32;
    let last = libm::ceil(libm::log10(domain.high)) as i32;
    (first..=last)
        .flat_map(|exponent| {
            (2..=9).map(move |digit| f64::from(digit) * libm::exp10(exponent.into()))
        })
        .filter(|value| domain.contains(*value))
}

fn draw_y_labels(svg: &mut Svg, frame: &Frame) {
    svg.open("g").attribute("text-anchor", "end").content();
    for tick in &frame.y_ticks {
        svg.open("text").length("x", frame.area.left - 7.0).length("y", frame.y(tick.value) + 4.3);
        svg.text("text", &tick.label);
    }
    svg.close("g");
}

/// Labels below the axis; every second or third one where they would touch.
fn draw_x_labels(svg: &mut Svg, frame: &Frame) {
    let widest = frame.x_ticks.iter().map(|tick| text::width(&tick.label)).fold(0.0, f64::max);
    let places: Vec<f64> = frame.x_ticks.iter().map(|tick| frame.x(tick.value)).collect();
    let nearest = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let stride = ((widest + 10.0) / nearest).ceil().clamp(1.0, 100.0) as usize;
    svg.open("g").attribute("text-anchor", "middle").content();
    for (tick, x) in frame.x_ticks.iter().zip(places).step_by(stride) {
        svg.open("text").length("x", x).length("y", frame.area.bottom + 17.0);
        svg.text("text", &tick.label);
    }
    svg.close("g");
}

/// Rule lines with their labels; labels of close rules stand side by side.
fn draw_rules(svg: &mut Svg, chart: &Chart, frame: &Frame, obstacles: &mut Obstacles) {
    let mut rules: Vec<_> =
        chart.rules.iter().filter_map(|rule| Some((rule, frame.rule(rule)?))).collect();
    rules.sort_by(|(_, a), (_, b)| a[0].y.total_cmp(&b[0].y).then(a[0].x.total_cmp(&b[0].x)));
    let mut labels: Vec<(Area, Spot, &str)> = Vec::new();
    svg.open("g").attribute("class", "kp-rule").attribute("stroke", "currentColor").content();
    for (rule, ends) in rules {
        svg.open("path").attribute("d", path(ends)).attribute("stroke-width", "1.2");
        svg.attribute("stroke-dasharray", "5 4").attribute("stroke-opacity", ".75");
        svg.tooltip("path", &rule.label);
        let mut start = label_start(rule, ends, &frame.area);
        for (taken, _, _) in &labels {
            if (taken.bottom - start.y).abs() < text::LINE_HEIGHT && taken.right > start.x {
                start.x = taken.right + 10.0;
            }
        }
        labels.push((Area::of_text(&rule.label, start), start, &rule.label));
    }
    svg.close("g");
    for (area, start, label) in labels {
        draw_label(svg, label, start);
        obstacles.add_text(area);
    }
}

/// Where a rule's label starts: above the line, or right of it near the top.
fn label_start(rule: &RuleLine, ends: [Spot; 2], area: &Area) -> Spot {
    match rule.orientation {
        Orientation::Horizontal => ends[0].offset(6.0, -4.0),
        Orientation::Vertical => {
            let room = area.right - ends[1].x - text::width(&rule.label);
            let right = if room > 6.0 { 5.0 } else { -5.0 - text::width(&rule.label) };
            ends[1].offset(right, text::FONT_SIZE)
        }
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
        svg.open("path").attribute("d", look.outline(spot, radius));
        if point.style == PointStyle::Hollow {
            svg.attribute("class", "kp-hollow").attribute("fill", "#fff");
            svg.attribute("stroke-width", "1.6");
        }
        svg.tooltip("path", &point.tooltip);
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

/// Marks first, then their labels, so that no mark covers a label.
fn draw_marks(svg: &mut Svg, chart: &Chart, frame: &Frame, obstacles: &mut Obstacles) {
    let marks: Vec<(&Mark, Spot)> =
        chart.marks.iter().filter_map(|mark| Some((mark, frame.spot(mark.x, mark.y)?))).collect();
    for (mark, spot) in &marks {
        let look = Look::of(mark.series);
        svg.open("g").attribute("class", look.class()).attribute("stroke", look.colour);
        svg.attribute("fill", look.colour).content();
        mark::draw(svg, mark.kind, *spot, &mark.tooltip);
        svg.close("g");
        obstacles.add_text(Area::around(*spot, 7.0));
    }
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
