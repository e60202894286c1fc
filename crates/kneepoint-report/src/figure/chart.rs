//! Charts: curves over two axes, as plain values and as drawn.

use super::axis::{Axis, Scale};
use super::frame::Frame;
use super::label::{Area, Obstacles, Placed};
use super::legend::{Item, Legend, Look, Sample};
use super::svg::{Spot, Svg, coordinate, lines, path};
use super::{description, frame, legend, points, svg};
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
    /// Parts of the horizontal axis, from left to right.
    pub zones: Vec<Zone>,
}

/// A part of the horizontal axis, tinted in turns, with its name at the upper edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// Where it begins and ends on the horizontal axis.
    pub ends: [f64; 2],
    /// Its name.
    pub label: String,
}

/// A curve: points joined in their order by straight lines.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartSeries {
    /// Name in the legend.
    pub name: String,
    /// The points; those that an axis cannot show are left out.
    pub points: Vec<ChartPoint>,
    /// How it is told apart.
    pub look: SeriesLook,
}

impl ChartSeries {
    /// A curve that is told apart by its place among the others.
    pub fn new(name: impl Into<String>, points: Vec<ChartPoint>) -> Self {
        Self { name: name.into(), points, look: SeriesLook::InOrder }
    }
}

/// How a series is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SeriesLook {
    /// By its place among the series.
    #[default]
    InOrder,
    /// By its settings: the first decides on the colour, the second on dashes and shape.
    Levels {
        /// Index of the colour.
        colour: usize,
        /// Index of dashes and shape.
        pattern: usize,
    },
    /// A line that guides the eye: thin, in the colour of the text, without points.
    Guide,
}

impl SeriesLook {
    /// The look of the series with this index.
    pub(super) fn at(self, index: usize) -> Look {
        match self {
            Self::InOrder => Look::of(index),
            Self::Levels { colour, pattern } => Look::new(colour, pattern),
            Self::Guide => Look::guide(),
        }
    }
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
    /// Its place on the horizontal axis in words; may be empty if the axis has them, or a number will do.
    pub place: String,
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
            (Self::Sustained, Language::German) => "nutzbar",
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
pub(super) fn draw(chart: &Chart, width: f64) -> String {
    let places = match is_direct(&chart.series) {
        true => &[Names::Margin, Names::Beside, Names::Legend][..],
        false => &[Names::Legend],
    };
    places.iter().find_map(|names| composed(chart, width, *names)).unwrap_or_default()
}

/// Where the names of curves stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// In the right margin, at the height of the ends of the curves; only where all end there.
    Margin,
    /// Beside the ends of the curves.
    Beside,
    /// In the legend.
    Legend,
}

/// More curves than this are named in a legend.
const DIRECT_MAX: usize = 5;

/// True if names may stand beside these curves: a few short ones.
pub(super) fn is_direct(series: &[ChartSeries]) -> bool {
    let named = series.iter().filter(|series| !series.name.is_empty()).count();
    (2..=DIRECT_MAX).contains(&named)
}

/// The chart with its names in one of both places; nothing where one finds no room beside its
/// curve.
fn composed(chart: &Chart, width: f64, names: Names) -> Option<String> {
    let legend = Legend::new(legend_items(chart, names), 4.0, width - 4.0);
    let gap = if legend.height > 0.0 { 6.0 } else { 0.0 };
    let frame = Frame::new(chart, legend.height + gap + 26.0, width - margin(chart, names));
    if names == Names::Margin && !ends_right(chart, &frame) {
        return None;
    }
    let source = if chart.source.is_empty() { 0.0 } else { 15.0 };
    let mut svg = Svg::of_width(width);
    let words = (chart.title.as_str(), description::of_chart(chart));
    open(&mut svg, words, frame.area.bottom + 44.0 + source);
    legend.draw(&mut svg, 2.0);
    let mut obstacles = Obstacles::within(frame.area);
    draw_zones(&mut svg, &chart.zones, (&frame, &mut obstacles));
    frame::draw_grid(&mut svg, chart, &frame);
    let rules: Vec<_> =
        chart.rules.iter().filter_map(|rule| Some((rule, frame.rule(rule)?))).collect();
    draw_rules(&mut svg, &rules);
    for (index, series) in chart.series.iter().enumerate() {
        draw_series(&mut svg, series.look.at(index), series, &frame);
        clipped(series, &frame).iter().for_each(|line| obstacles.add_line(line));
    }
    let looks: Vec<Look> = looks(&chart.series);
    let marks = marks(&chart.marks, &frame);
    draw_marks(&mut svg, &marks, (&looks, &mut obstacles));
    label_rules(&mut svg, &rules, &mut obstacles);
    label_marks(&mut svg, &marks, &mut obstacles);
    match names {
        Names::Margin => label_ends(&mut svg, &chart.series, &frame)?,
        _ => {
            label_curves(
                &mut svg,
                (&chart.series, names),
                (&frame, chart.language),
                &mut obstacles,
            )?;
        }
    }
    draw_source(&mut svg, &chart.source, frame.area.bottom + 54.0);
    svg.close("svg");
    Some(svg.finish())
}

/// How each series is told apart.
fn looks(series: &[ChartSeries]) -> Vec<Look> {
    series.iter().enumerate().map(|(index, series)| series.look.at(index)).collect()
}

/// Several series, if they are not named beside their curves, and marks without a label of their
/// own.
fn legend_items(chart: &Chart, names: Names) -> Vec<Item> {
    let bare = chart.marks.iter().filter(|mark| mark.label.is_empty()).map(|mark| mark.kind);
    let marks = Item::marks(&bare.collect::<Vec<_>>(), chart.language);
    let series = match names {
        Names::Margin | Names::Beside => Vec::new(),
        Names::Legend => {
            let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
            let looks = looks(&chart.series);
            Item::series(&names, |index| Sample::Curve(looks[index]))
        }
    };
    [series, marks].concat()
}

/// Every second zone is tinted; all carry their names at the upper edge.
fn draw_zones(svg: &mut Svg, zones: &[Zone], (frame, obstacles): (&Frame, &mut Obstacles)) {
    let area = &frame.area;
    let is_shown = |zone: &&Zone| zone.ends.iter().all(|end| frame.x.scale.shows(*end));
    for (index, zone) in zones.iter().filter(is_shown).enumerate() {
        let [left, right] = zone.ends.map(|end| frame.x(end).clamp(area.left, area.right));
        if index % 2 == 1 {
            svg.open("rect").attribute("class", "kp-band").length("x", left);
            svg.length("y", area.top).length("width", (right - left).max(0.0));
            svg.length("height", area.bottom - area.top);
            svg.attribute("fill", "currentColor").attribute("fill-opacity", ".08").empty();
        }
        let label = svg::fitted(&zone.label, right - left - 8.0);
        if label.chars().count() > 3 {
            let start = Spot::new(left + 5.0, area.top + svg::FONT_SIZE);
            svg.open("text").length("x", start.x).length("y", start.y);
            svg.attribute("fill-opacity", ".8").text("text", &label);
            obstacles.add_text(Area::of_text(&label, start));
        }
    }
}

/// Opens the drawing of a figure: its title, what it shows in a line, and its height.
pub(super) fn open(svg: &mut Svg, (title, result): (&str, String), height: f64) {
    let width = svg.width;
    svg.open("svg").attribute("class", "kp-chart").attribute("role", "img");
    svg.attribute("aria-label", title);
    svg.attribute("viewBox", format!("0 0 {width} {}", coordinate(height)));
    svg.attribute("font-family", "system-ui,sans-serif").length("font-size", svg::FONT_SIZE);
    svg.attribute("fill", "currentColor").attribute("stroke-linejoin", "round").content();
    if !result.is_empty() {
        svg.open("desc").text("desc", &result);
    }
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

/// Labels of the rules: along their lines, or, where those are crowded, led to.
fn label_rules(svg: &mut Svg, rules: &[(&RuleLine, [Spot; 2])], obstacles: &mut Obstacles) {
    for (_, ends) in rules {
        obstacles.add_line(ends);
    }
    for (rule, ends) in rules {
        match obstacles.place_along(&rule.label, *ends) {
            Some(start) => draw_label(svg, &rule.label, start, svg::FONT_SIZE),
            None => draw_led(svg, &rule.label, obstacles.place(&rule.label, ends[0])),
        }
    }
}

/// A label with a line to what it names; nothing where it found no place.
fn draw_led(svg: &mut Svg, label: &str, placed: Option<Placed>) {
    let Some(Placed { start, leader }) = placed else { return };
    if let Some(ends) = leader {
        svg.open("path").attribute("d", path(ends)).attribute("stroke", "currentColor");
        svg.attribute("stroke-opacity", ".6").empty();
    }
    draw_label(svg, label, start, svg::FONT_SIZE);
}

/// The names of the curves beside their ends, if they stand there, with the largest value beyond
/// the axis. Nothing where a name finds no room.
pub(super) fn label_curves(
    svg: &mut Svg,
    (series, names): (&[ChartSeries], Names),
    (frame, language): (&Frame, Language),
    obstacles: &mut Obstacles,
) -> Option<()> {
    let is_few = series.len() <= DIRECT_MAX;
    for series in series {
        let Some(end) = end(series, frame) else { continue };
        let beyond = largest_beyond(series, frame, language);
        let words = match names {
            Names::Margin | Names::Beside => vec![series.name.clone(), beyond.unwrap_or_default()],
            Names::Legend => vec![beyond.unwrap_or_default()],
        };
        let words: Vec<String> = words.into_iter().filter(|words| !words.is_empty()).collect();
        if words.is_empty() {
            continue;
        }
        let label = words.join(" ");
        match names {
            Names::Margin | Names::Beside => {
                let placed = obstacles.place_close(&label, end)?;
                draw_led(svg, &label, Some(placed));
            }
            Names::Legend => {
                let close = obstacles.place_close(&label, end);
                // A line from one of a few curves leads to its label wherever that has room.
                let placed = close.or_else(|| obstacles.place(&label, end).filter(|_| is_few));
                draw_led(svg, &label, placed);
            }
        }
    }
    Some(())
}

/// Room for names in the right margin.
fn margin(chart: &Chart, names: Names) -> f64 {
    if names != Names::Margin {
        return 0.0;
    }
    let names = chart.series.iter().map(|series| svg::text_width(&series.name));
    names.fold(0.0, f64::max) + 4.0
}

/// True if all curves end near the right edge, within the axes.
fn ends_right(chart: &Chart, frame: &Frame) -> bool {
    let area = &frame.area;
    let near = area.right - (area.right - area.left) * 0.12;
    let last = |series: &ChartSeries| spots(series, frame).last().map(|(_, spot)| spot);
    let is_near =
        |spot: Option<Spot>| spot.is_some_and(|spot| spot.x >= near && !is_beyond(spot, frame));
    area.right - area.left > 180.0 && chart.series.iter().map(last).all(is_near)
}

/// Least distance of two names in the margin.
const NAME_STEP: f64 = 14.5;

/// The names in the right margin, moved apart; nothing where they would be more than fit.
fn label_ends(svg: &mut Svg, series: &[ChartSeries], frame: &Frame) -> Option<()> {
    let mut ends: Vec<(&ChartSeries, Spot)> = Vec::new();
    for series in series.iter().filter(|series| !series.name.is_empty()) {
        ends.push((series, end(series, frame)?));
    }
    ends.sort_by(|a, b| a.1.y.total_cmp(&b.1.y));
    let mut places: Vec<f64> = ends.iter().map(|(_, spot)| spot.y).collect();
    let (top, bottom) = (frame.area.top + 4.0, frame.area.bottom - 4.0);
    let mut least = top;
    for place in &mut places {
        *place = place.max(least);
        least = *place + NAME_STEP;
    }
    let mut most = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - NAME_STEP;
    }
    if places.first().is_some_and(|first| *first < top - 0.1) {
        return None;
    }
    for ((series, spot), place) in ends.into_iter().zip(places) {
        let right = frame.area.right;
        if (place - spot.y).abs() > 5.0 || right - spot.x > 12.0 {
            let line = path([spot.offset(5.0, 0.0), Spot::new(right + 6.0, place)]);
            svg.open("path").attribute("d", line).attribute("stroke", "currentColor");
            svg.attribute("stroke-opacity", ".5").empty();
        }
        svg.open("text").length("x", right + 8.0).length("y", place + 4.3);
        svg.text("text", &series.name);
    }
    Some(())
}

/// Where the curve ends within the axes.
fn end(series: &ChartSeries, frame: &Frame) -> Option<Spot> {
    clipped(series, frame).last()?.last().copied()
}

/// `→ 292 ms`: the largest value beyond the end of the vertical axis.
fn largest_beyond(series: &ChartSeries, frame: &Frame, language: Language) -> Option<String> {
    let unit = frame.limit?.unit;
    let beyond = spots(series, frame).filter(|(_, spot)| is_beyond(*spot, frame));
    let largest = beyond.map(|(point, _)| point.y).reduce(f64::max)?;
    Some(format!("→\u{a0}{}\u{a0}{unit}", language.rate(largest)))
}

/// True if the place lies above an axis that does not show all values.
pub(super) fn is_beyond(spot: Spot, frame: &Frame) -> bool {
    frame.limit.is_some() && spot.y < frame.area.top - 0.05
}

/// The pieces of the curve below the upper edge.
pub(super) fn clipped(series: &ChartSeries, frame: &Frame) -> Vec<Vec<Spot>> {
    let mut pieces: Vec<Vec<Spot>> = vec![Vec::new()];
    let mut last: Option<Spot> = None;
    for (_, spot) in spots(series, frame) {
        let (was, is) = (last.map(|last| is_beyond(last, frame)), is_beyond(spot, frame));
        if let Some(from) = last.filter(|_| was == Some(!is)) {
            let share = (frame.area.top - from.y) / (spot.y - from.y);
            let edge = Spot::new(from.x + (spot.x - from.x) * share, frame.area.top);
            if !is {
                pieces.push(Vec::new());
            }
            pieces.last_mut().into_iter().for_each(|piece| piece.push(edge));
        }
        if !is {
            pieces.last_mut().into_iter().for_each(|piece| piece.push(spot));
        }
        last = Some(spot);
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Makes the text that was opened last readable on top of lines.
pub(super) fn halo(svg: &mut Svg) -> &mut Svg {
    svg.attribute("class", "kp-halo").attribute("stroke", "#fff");
    svg.attribute("stroke-width", "3.5").attribute("paint-order", "stroke")
}

/// Text that stays readable on top of lines.
pub(super) fn draw_label(svg: &mut Svg, label: &str, start: Spot, size: f64) {
    halo(svg.open("text").length("x", start.x).length("y", start.y));
    frame::sized(svg, size).text("text", label);
}

/// The points that the axes can show, with their places.
pub(super) fn spots<'a>(
    series: &'a ChartSeries,
    frame: &'a Frame,
) -> impl Iterator<Item = (&'a ChartPoint, Spot)> {
    series.points.iter().filter_map(|point| Some((point, frame.spot(point.x, point.y)?)))
}

pub(super) fn draw_series(svg: &mut Svg, look: Look, series: &ChartSeries, frame: &Frame) {
    look.open_group(svg);
    let is_guide = series.look == SeriesLook::Guide;
    for piece in clipped(series, frame).into_iter().filter(|piece| piece.len() > 1 || !is_guide) {
        svg.open("path").attribute("d", path(piece)).attribute("fill", "none");
        svg.attribute("stroke-width", if is_guide { "1.1" } else { "1.8" });
        if !look.dash.is_empty() {
            svg.attribute("stroke-dasharray", look.dash);
        }
        svg.empty();
    }
    if !is_guide {
        draw_margins(svg, series, frame);
        points::draw(svg, look, (series, frame));
    }
    svg.close("g");
}

/// Error bars, where they are long enough to be seen beside the point.
fn draw_margins(svg: &mut Svg, series: &ChartSeries, frame: &Frame) {
    let area = &frame.area;
    let x = |value: f64| frame.x(value).clamp(area.left, area.right);
    let y = |value: f64| frame.y(value).clamp(area.top, area.bottom);
    let mut bars = Vec::new();
    for (point, spot) in spots(series, frame).filter(|(_, spot)| !is_beyond(*spot, frame)) {
        if let Some([low, high]) = ends(point.y, point.margin, frame.y.scale).map(|e| e.map(y))
            && low - high > MARGIN_MIN
        {
            bars.push([Spot::new(spot.x, low), Spot::new(spot.x, high)]);
            let is_shown = |y: &f64| *y > area.top && *y < area.bottom;
            let caps = [high, low].into_iter().filter(is_shown);
            bars.extend(caps.map(|y| [-3.0, 3.0].map(|to| Spot::new(spot.x + to, y))));
        }
        if let Some([low, high]) = ends(point.x, point.x_margin, frame.x.scale).map(|e| e.map(x))
            && high - low > MARGIN_MIN
        {
            bars.push([Spot::new(low, spot.y), Spot::new(high, spot.y)]);
            let is_shown = |x: &f64| *x > area.left && *x < area.right;
            let caps = [high, low].into_iter().filter(is_shown);
            bars.extend(caps.map(|x| [-3.0, 3.0].map(|to| Spot::new(x, spot.y + to))));
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

/// How far below the edge a mark stands whose point is beyond it: the arrow of that point stays in view.
const BELOW_ARROW: f64 = 16.0;

/// The marks that the axes can show, with their places; one beyond the axis stands below the arrow at its
/// edge.
pub(super) fn marks<'a>(marks: &'a [ChartMark], frame: &Frame) -> Vec<(&'a ChartMark, Spot)> {
    let place = |mark: &ChartMark| {
        let spot = frame.spot(mark.x, mark.y)?;
        let y = if is_beyond(spot, frame) { frame.area.top + BELOW_ARROW } else { spot.y };
        Some(Spot::new(spot.x, y))
    };
    marks.iter().filter_map(|mark| Some((mark, place(mark)?))).collect()
}

fn draw_marks(
    svg: &mut Svg,
    marks: &[(&ChartMark, Spot)],
    (looks, obstacles): (&[Look], &mut Obstacles),
) {
    for (mark, spot) in marks {
        let look = looks.get(mark.series).copied().unwrap_or_else(|| Look::of(mark.series));
        draw_mark(svg, mark, look, *spot);
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
        draw_led(svg, &mark.label, obstacles.place(&mark.label, *spot));
    }
}

/// Size of the small print.
const SOURCE_SIZE: f64 = 11.0;

/// Ids are mostly digits, which are wider than estimated in the fonts of some machines.
const SOURCE_SHARE: f64 = 0.92;

/// The small print below, from the right edge.
pub(super) fn draw_source(svg: &mut Svg, source: &str, baseline: f64) {
    if source.is_empty() {
        return;
    }
    let right = svg.width - 4.0;
    svg.open("text").length("x", right).length("y", baseline);
    svg.attribute("text-anchor", "end").length("font-size", SOURCE_SIZE);
    svg.attribute("fill-opacity", ".75");
    svg.text("text", &svg::fitted_at(source, SOURCE_SHARE * (right - 4.0), SOURCE_SIZE));
}
