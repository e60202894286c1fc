//! Bars: values side by side, in groups, compared with a reference.
//!
//! The bars lie: names stand before them and values behind them in full, whatever their number.

use super::axis::{Axis, Domain, Scale};
use super::chart::PointStyle;
use super::frame::{Frame, WIDTH};
use super::label::Area;
use super::legend::{Item, Legend, Look, Sample};
use super::svg::{Spot, Svg, lines, path};
use super::{chart, frame, svg};
use crate::language::Language;

/// Height of a bar, and of the row that it is in.
const BAR: f64 = 13.0;
const ROW: f64 = 17.0;
/// Room between two groups.
const GROUP_GAP: f64 = 9.0;
/// Size of the text behind a bar.
const VALUE_SIZE: f64 = 11.5;
/// Names of groups get no more room than this.
const NAME_MAX: f64 = 250.0;
/// Size of names where one of them needs two lines, and from line to line.
const NAME_SIZE: f64 = 11.5;
const NAME_LINE: f64 = 13.5;
/// Text behind the bars gets no more room than this.
const VALUE_MAX: f64 = 190.0;
/// Room for the shape that tells the bars of a group apart without colour.
const SHAPE: f64 = 15.0;

/// Values side by side, in groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// Language of the texts, and of the numbers at the axis.
    pub language: Language,
    /// The figure in words, for readers who cannot see it.
    pub title: String,
    /// Small print below that names where the data come from; may be empty.
    pub source: String,
    /// The axis along the bars. On a linear one they start at zero; on a logarithmic one at its
    /// low end, and their lengths mean nothing.
    pub value: Axis,
    /// Names of the bars of a group; the legend has them if there are several.
    pub series: Vec<String>,
    /// Index of the series that the others are compared with: a line continues its bar through
    /// the group.
    pub reference: Option<usize>,
    /// The groups from top to bottom.
    pub groups: Vec<BarGroup>,
}

/// Bars that are compared with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct BarGroup {
    /// Name before the group; may be empty.
    pub name: String,
    /// The bars from top to bottom; a series may be absent.
    pub bars: Vec<Bar>,
}

/// One value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bar {
    /// Index of the series.
    pub series: usize,
    /// The value.
    pub value: f64,
    /// Half the length of the error bar, in units of the value.
    pub margin: Option<f64>,
    /// The value as it stands behind the bar.
    pub label: String,
    /// Text behind it in brackets, such as the difference from the reference; may be empty.
    pub note: String,
    /// A bar with a reservation is hollow.
    pub style: PointStyle,
    /// Shown where the pointer rests on the bar; may be empty.
    pub tooltip: String,
}

impl Bars {
    /// By how many percent `bar` of `group` differs from the reference; nothing for the reference
    /// itself, and where there is none or it is zero.
    pub fn difference_percent(&self, group: &BarGroup, bar: &Bar) -> Option<f64> {
        let reference = self.reference.filter(|index| *index != bar.series)?;
        let other = group.bars.iter().find(|other| other.series == reference)?.value;
        let difference = (bar.value / other - 1.0) * 100.0;
        (other != 0.0 && difference.is_finite()).then_some(difference)
    }

    /// The name of a group in lines, and their size. Where a name is too long for a line, all of
    /// them are smaller, and what is in brackets gets its own line.
    fn name_lines<'a>(&self, group: &'a BarGroup) -> (Vec<&'a str>, f64) {
        if self.groups.iter().all(|group| svg::text_width(&group.name) <= NAME_MAX) {
            return (vec![&group.name], svg::FONT_SIZE);
        }
        let lines = match group.name.find(" [") {
            Some(end) => vec![&group.name[..end], &group.name[end + 1..]],
            None => vec![group.name.as_str()],
        };
        (lines, NAME_SIZE)
    }

    /// Everything that must be seen.
    fn values(&self) -> impl Iterator<Item = f64> {
        self.groups.iter().flat_map(|group| &group.bars).flat_map(|bar| {
            let margin = bar.margin.unwrap_or(0.0);
            [bar.value, bar.value + margin, if bar.value < 0.0 { bar.value - margin } else { 0.0 }]
        })
    }
}

impl Bar {
    /// The text behind the bar.
    fn text(&self) -> String {
        match (self.label.is_empty(), self.note.is_empty()) {
            (_, true) => self.label.clone(),
            (true, false) => self.note.clone(),
            (false, false) => format!("{} ({})", self.label, self.note),
        }
    }
}

/// The figure as an `<svg>` element without a namespace.
pub(super) fn draw(bars: &Bars) -> String {
    let names: Vec<&str> = bars.series.iter().map(String::as_str).collect();
    let legend = Legend::new(Item::series(&names, Sample::Bar), 4.0, WIDTH - 4.0);
    let frame = frame(bars, legend.height + 10.0);
    let source = if bars.source.is_empty() { 0.0 } else { 15.0 };
    let mut svg = Svg::default();
    chart::open(&mut svg, &bars.title, frame.area.bottom + 44.0 + source);
    legend.draw(&mut svg, 2.0);
    frame::draw_lines(&mut svg, &frame);
    draw_zero(&mut svg, &frame);
    let mut top = frame.area.top + GROUP_GAP / 2.0;
    for group in &bars.groups {
        draw_group(&mut svg, bars, group, (&frame, top));
        top += group_height(group) + GROUP_GAP;
    }
    let area = &frame.area;
    frame::draw_x_labels(&mut svg, &frame, svg::FONT_SIZE, (2.0, WIDTH - 2.0));
    let middle = (area.left + area.right) / 2.0;
    frame::draw_x_title(&mut svg, &bars.value.title, middle, area.bottom + 38.0);
    chart::draw_source(&mut svg, &bars.source, area.bottom + 54.0);
    svg.close("svg");
    svg.finish()
}

fn group_height(group: &BarGroup) -> f64 {
    ROW * group.bars.len().max(1) as f64
}

/// The area of the bars, with room for the names before and the values behind them.
fn frame(bars: &Bars, top: f64) -> Frame {
    let names = bars.groups.iter().flat_map(|group| {
        let (lines, size) = bars.name_lines(group);
        lines.into_iter().map(move |line| svg::text_width_at(line, size))
    });
    let name = names.fold(0.0, f64::max).min(NAME_MAX);
    let texts = bars.groups.iter().flat_map(|group| &group.bars).map(Bar::text);
    let value = texts.map(|text| svg::text_width_at(&text, VALUE_SIZE)).fold(0.0, f64::max);
    let x = bars.value.domain(bars.values());
    let x_ticks = bars.value.ticks_in(&x, bars.language);
    let shape = if bars.series.len() > 1 { SHAPE } else { 0.0 };
    let heights = bars.groups.iter().map(|group| group_height(group) + GROUP_GAP);
    let area = Area {
        left: (name + shape + 12.0).max(24.0),
        top,
        right: WIDTH - (value.min(VALUE_MAX) + 12.0).max(24.0),
        bottom: top + heights.sum::<f64>().max(ROW),
    };
    let y = Domain::around(Scale::Linear, [0.0, 1.0]);
    Frame { area, x, y, x_ticks, y_ticks: Vec::new() }
}

/// Where the bars begin, along the axis.
fn base(frame: &Frame) -> f64 {
    match frame.x.scale {
        Scale::Linear => frame.x(0.0),
        Scale::Log2 | Scale::Log10 => frame.area.left,
    }
}

/// The line that the bars stand on.
fn draw_zero(svg: &mut Svg, frame: &Frame) {
    let x = base(frame);
    let line = path([Spot::new(x, frame.area.top), Spot::new(x, frame.area.bottom)]);
    svg.open("path").attribute("d", line).attribute("stroke", "currentColor");
    svg.attribute("stroke-opacity", ".55").empty();
}

/// The name of a group in one line or two, up to `end` and around its height.
fn draw_name(svg: &mut Svg, (lines, size): (Vec<&str>, f64), end: Spot) {
    let first = end.y + size * 0.345 - NAME_LINE * (lines.len() - 1) as f64 / 2.0;
    for (index, line) in lines.into_iter().enumerate() {
        svg.open("text").length("x", end.x).length("y", first + NAME_LINE * index as f64);
        if size != svg::FONT_SIZE {
            svg.length("font-size", size);
        }
        svg.attribute("text-anchor", "end");
        svg.text("text", &svg::fitted_at(line, end.x - 2.0, size));
    }
}

fn draw_group(svg: &mut Svg, bars: &Bars, group: &BarGroup, (frame, top): (&Frame, f64)) {
    let shape = if bars.series.len() > 1 { SHAPE } else { 0.0 };
    let right = frame.area.left - shape - 6.0;
    let middle = top + group_height(group) / 2.0;
    draw_name(svg, bars.name_lines(group), Spot::new(right, middle));
    let middles = (0..).map(|index| top + ROW * (f64::from(index) + 0.5));
    for (bar, middle) in group.bars.iter().zip(middles.clone()) {
        draw_bar(svg, bar, frame, middle);
        if bars.series.len() > 1 {
            let look = Look::of(bar.series);
            look.open_group(svg);
            look.open_point(svg, Spot::new(frame.area.left - 8.0, middle), 3.2);
            svg.empty();
            svg.close("g");
        }
    }
    draw_reference(svg, bars, group, (frame, top));
    for (bar, middle) in group.bars.iter().zip(middles) {
        let behind = draw_margin(svg, bar, frame, middle).max(end(bar, frame)).max(base(frame));
        let start = Spot::new(behind + 6.0, middle + VALUE_SIZE * 0.345);
        let text = svg::fitted_at(&bar.text(), WIDTH - 2.0 - start.x, VALUE_SIZE);
        chart::draw_label(svg, &text, start, VALUE_SIZE);
    }
}

/// Where the bar ends, along the axis.
fn end(bar: &Bar, frame: &Frame) -> f64 {
    if frame.x.scale.shows(bar.value) { frame.x(bar.value) } else { base(frame) }
}

fn draw_bar(svg: &mut Svg, bar: &Bar, frame: &Frame, middle: f64) {
    let (base, end) = (base(frame), end(bar, frame));
    Look::of(bar.series).open_group(svg);
    svg.open("rect").length("x", base.min(end)).length("y", middle - BAR / 2.0);
    svg.length("width", (end - base).abs()).length("height", BAR);
    if bar.style == PointStyle::Hollow {
        svg.attribute("class", "kp-hollow").attribute("fill", "#fff");
        svg.attribute("stroke-dasharray", "3 2");
    }
    svg.tooltip("rect", &bar.tooltip);
    svg.close("g");
}

/// The error bar; returns where it ends.
fn draw_margin(svg: &mut Svg, bar: &Bar, frame: &Frame, middle: f64) -> f64 {
    let ends = bar.margin.map(|margin| [bar.value - margin, bar.value + margin]);
    let Some(ends) = ends.filter(|ends| ends.iter().all(|end| frame.x.scale.shows(*end))) else {
        return frame.area.left;
    };
    let [low, high] = ends.map(|end| frame.x(end).clamp(frame.area.left, frame.area.right));
    let cap = |x: f64| [Spot::new(x, middle - 3.5), Spot::new(x, middle + 3.5)];
    let line = lines([[Spot::new(low, middle), Spot::new(high, middle)], cap(high), cap(low)]);
    for (class, colour, width) in [("kp-halo", "#fff", "3.6"), ("", "currentColor", "1.3")] {
        svg.open("path").attribute("d", &line);
        if !class.is_empty() {
            svg.attribute("class", class);
        }
        svg.attribute("stroke", colour).attribute("stroke-width", width).empty();
    }
    high
}

/// The reference's value through all bars of the group.
fn draw_reference(svg: &mut Svg, bars: &Bars, group: &BarGroup, (frame, top): (&Frame, f64)) {
    let reference = group.bars.iter().find(|bar| Some(bar.series) == bars.reference);
    let Some(bar) = reference.filter(|bar| frame.x.scale.shows(bar.value)) else { return };
    if group.bars.len() < 2 {
        return;
    }
    let x = frame.x(bar.value);
    let line = path([Spot::new(x, top), Spot::new(x, top + group_height(group))]);
    svg.open("path").attribute("d", line).attribute("stroke", "currentColor");
    svg.attribute("stroke-width", "1.2").attribute("stroke-dasharray", "4 3").empty();
}
