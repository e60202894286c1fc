//! A strip: how a quantity went over the time of one measurement.

use super::chart::PointStyle;
use super::description;
use super::svg::{self, Spot, Svg, path};
use crate::language::Language;

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 86.0;
const LEFT: f64 = 4.0;
const RIGHT: f64 = WIDTH - 4.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 66.0;

/// Colour of the bars: that of the first series in charts.
const COLOUR: &str = "#1062a5";

/// From this many intervals on a bar would be thinner than a hair: an outline is drawn instead.
const BARS_MAX: usize = 120;

/// A quantity over time, as bars from zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// Language of the texts, and of the numbers at the axis.
    pub language: Language,
    /// The strip in words, for readers who cannot see it.
    pub title: String,
    /// Text above the bars; short.
    pub heading: String,
    /// The quantity of the bars, with its unit: `Throughput in IO/s`.
    pub value: String,
    /// The bars, in order of time.
    pub intervals: Vec<Interval>,
    /// Mean of the quantity, drawn as a line across.
    pub mean: f64,
    /// Half the width of its 95 % confidence interval, drawn as a band.
    pub margin: Option<f64>,
    /// Verdict of the measurement; it goes with the data.
    pub verdict: String,
    /// The bars of a measurement with a reservation are pale within an outline.
    pub style: PointStyle,
}

/// One bar of a strip.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// Start in seconds.
    pub start_s: f64,
    /// Length in seconds.
    pub length_s: f64,
    /// Height of the bar.
    pub value: f64,
    /// Shown where the pointer rests on the bar; may be empty.
    pub tooltip: String,
}

impl Strip {
    /// The title, with the verdict.
    pub(super) fn words(&self) -> String {
        if self.verdict.is_empty() {
            self.title.clone()
        } else {
            format!("{}: {}", self.title, self.verdict)
        }
    }
}

/// The strip as an `<svg>` element without a namespace.
pub(super) fn draw(strip: &Strip) -> String {
    let end = strip.intervals.iter().map(|i| i.start_s + i.length_s).fold(0.0, f64::max);
    let top = strip
        .intervals
        .iter()
        .map(|i| i.value)
        .fold(strip.mean + strip.margin.unwrap_or(0.0), f64::max);
    let x = |seconds: f64| LEFT + (RIGHT - LEFT) * ratio(seconds, end);
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * ratio(value, top);
    let mut svg = Svg::default();
    open(&mut svg, strip);
    svg.open("g").attribute("class", "kp-s0").attribute("fill", COLOUR);
    if strip.style == PointStyle::Hollow {
        svg.attribute("fill-opacity", ".3");
    }
    svg.content();
    if strip.intervals.len() > BARS_MAX {
        svg.open("path").attribute("d", outline(strip, x, y)).empty();
    } else {
        draw_bars(&mut svg, strip, x, y);
    }
    svg.close("g");
    if strip.style == PointStyle::Hollow && !strip.intervals.is_empty() {
        svg.open("path").attribute("d", outline(strip, x, y)).attribute("fill", "none");
        svg.attribute("stroke", COLOUR).empty();
    }
    if let Some(margin) = strip.margin {
        let (high, low) = (y(strip.mean + margin), y(strip.mean - margin));
        svg.open("rect").attribute("class", "kp-band").length("x", LEFT).length("y", high);
        svg.length("width", RIGHT - LEFT).length("height", (low - high).max(0.0));
        svg.attribute("fill", "currentColor").attribute("fill-opacity", ".22").empty();
    }
    draw_scale(&mut svg, y(strip.mean), &strip.language.rate(end));
    svg.close("svg");
    svg.finish()
}

/// `part` of `whole`, between 0 and 1; nothing of nothing is 0.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 && part.is_finite() { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

fn open(svg: &mut Svg, strip: &Strip) {
    svg.open("svg").attribute("class", "kp-strip").attribute("role", "img");
    svg.attribute("aria-label", strip.words());
    svg.attribute("viewBox", format!("0 0 {WIDTH} {HEIGHT}"));
    svg.attribute("font-family", "system-ui,sans-serif").length("font-size", svg::FONT_SIZE);
    svg.attribute("fill", "currentColor").content();
    let result = description::of_strip(strip);
    if !result.is_empty() {
        svg.open("desc").text("desc", &result);
    }
    svg.open("text").length("x", LEFT).length("y", 13.0);
    svg.text("text", &svg::fitted(&strip.heading, RIGHT - LEFT));
}

fn draw_bars(svg: &mut Svg, strip: &Strip, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) {
    for interval in &strip.intervals {
        let (left, right) = (x(interval.start_s), x(interval.start_s + interval.length_s));
        let gap = if right - left > 3.0 { 1.0 } else { 0.0 };
        svg.open("rect").length("x", left).length("y", y(interval.value));
        svg.length("width", (right - left - gap).max(0.1));
        svg.length("height", BOTTOM - y(interval.value)).tooltip("rect", &interval.tooltip);
    }
}

/// All bars as one shape.
fn outline(strip: &Strip, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> String {
    let mut spots = vec![Spot::new(LEFT, BOTTOM)];
    for interval in &strip.intervals {
        spots.push(Spot::new(x(interval.start_s), y(interval.value)));
        spots.push(Spot::new(x(interval.start_s + interval.length_s), y(interval.value)));
    }
    spots.push(Spot::new(spots.last().map_or(LEFT, |spot| spot.x), BOTTOM));
    path(spots)
}

/// The base line, the mean, and the time at both ends.
fn draw_scale(svg: &mut Svg, mean_y: f64, end_s: &str) {
    let across = |y: f64| path([Spot::new(LEFT, y), Spot::new(RIGHT, y)]);
    svg.open("g").attribute("stroke", "currentColor").content();
    svg.open("path").attribute("d", across(BOTTOM)).attribute("stroke-opacity", ".55").empty();
    svg.open("path").attribute("d", across(mean_y)).attribute("stroke-dasharray", "5 4").empty();
    svg.close("g");
    svg.open("text").length("x", LEFT).length("y", BOTTOM + 15.0).text("text", "0 s");
    svg.open("text").length("x", RIGHT).length("y", BOTTOM + 15.0);
    svg.attribute("text-anchor", "end");
    svg.text("text", &format!("{end_s} s"));
}
