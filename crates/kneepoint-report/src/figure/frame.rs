//! The area between the axes: where values lie in it, its grid, and the labels of the axes.

use super::axis::{Axis, AxisLimit, Domain, Scale, Tick};
use super::chart::{self, Chart, RuleLine};
use super::label::Area;
use super::svg::{self, Spot, Svg, lines, path};

/// Height of the area between the axes.
const PLOT_HEIGHT: f64 = 250.0;

/// The area between the axes, and where values lie in it.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) area: Area,
    pub(super) x: Domain,
    pub(super) y: Domain,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    /// The end of the vertical axis, if there can be values beyond.
    pub(super) limit: Option<AxisLimit>,
}

impl Frame {
    pub(super) fn new(chart: &Chart, top: f64, width: f64) -> Self {
        let x = chart.x.domain(chart::xs(&chart.series, &chart.marks));
        let y = chart.y.domain(chart::ys(&chart.series, &chart.marks));
        let ticks = |axis: &Axis, domain| axis.ticks_in(domain, chart.language);
        let (x_ticks, y_ticks) = (ticks(&chart.x, &x), ticks(&chart.y, &y));
        let widest = y_ticks.iter().map(|tick| svg::text_width(&tick.label)).fold(20.0, f64::max);
        let last = x_ticks.last().map_or(0.0, |tick| svg::text_width(&tick.label) / 2.0);
        let area = Area {
            left: widest + 12.0,
            top,
            right: width - (last + 2.0).max(12.0),
            bottom: top + PLOT_HEIGHT,
        };
        Self { area, x, y, x_ticks, y_ticks, limit: chart.y.limit }
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        self.area.left + self.x.fraction(value) * (self.area.right - self.area.left)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.area.bottom - self.y.fraction(value) * (self.area.bottom - self.area.top)
    }

    /// Where a pair of values lies, if both axes can show it.
    pub(super) fn spot(&self, x: f64, y: f64) -> Option<Spot> {
        let shown = self.x.scale.shows(x) && self.y.scale.shows(y);
        shown.then(|| Spot::new(self.x(x), self.y(y)))
    }

    /// Both ends of a rule, if it lies within the axes.
    pub(super) fn rule(&self, rule: &RuleLine) -> Option<[Spot; 2]> {
        let area = &self.area;
        let y = self.y(rule.value);
        self.y.contains(rule.value).then(|| [Spot::new(area.left, y), Spot::new(area.right, y)])
    }
}

/// Least room between two labels of one axis.
const LABEL_GAP: f64 = 8.0;

/// A label gets no more room than this.
const LABEL_MAX: f64 = 110.0;

/// Grid, axis lines, ticks and titles.
pub(super) fn draw_grid(svg: &mut Svg, chart: &Chart, frame: &Frame) {
    let area = &frame.area;
    draw_lines(svg, frame);
    draw_corner(svg, area);
    draw_y_labels(svg, frame, svg::FONT_SIZE);
    let reach = (2.0, svg.width - 2.0);
    draw_x_labels(svg, frame, svg::FONT_SIZE, reach);
    draw_y_title(svg, &chart.y.title, area.top - 12.0);
    draw_x_title(svg, &chart.x.title, (area.left + area.right) / 2.0, area.bottom + 38.0);
}

/// The title of the vertical axis: above it, from the left edge.
pub(super) fn draw_y_title(svg: &mut Svg, title: &str, baseline: f64) {
    svg.open("text").length("x", 4.0).length("y", baseline).attribute("font-weight", "600");
    let title = svg::fitted(title, title_max(svg));
    svg.text("text", &title);
}

/// The title of the horizontal axis: below it, in the middle.
pub(super) fn draw_x_title(svg: &mut Svg, title: &str, middle: f64, baseline: f64) {
    let title = svg::fitted(title, title_max(svg));
    let half = svg::text_width(&title) / 2.0;
    let middle = middle.min(svg.width - half).max(half);
    svg.open("text").length("x", middle).length("y", baseline);
    svg.attribute("text-anchor", "middle").attribute("font-weight", "600");
    svg.text("text", &title);
}

/// Room for a title, which is bold, and so wider than the estimate.
fn title_max(svg: &Svg) -> f64 {
    svg.width * 0.88
}

/// The lines of both axes.
pub(super) fn draw_corner(svg: &mut Svg, area: &Area) {
    let corner = [
        Spot::new(area.left, area.top),
        Spot::new(area.left, area.bottom),
        Spot::new(area.right, area.bottom),
    ];
    svg.open("path").attribute("d", path(corner)).attribute("fill", "none");
    svg.attribute("stroke", "currentColor").attribute("stroke-opacity", ".55").empty();
}

/// Lines at the ticks of both axes; on decades also fainter ones between, if not on a phone.
pub(super) fn draw_lines(svg: &mut Svg, frame: &Frame) {
    let area = &frame.area;
    let horizontal = |y: f64| [Spot::new(area.left, y), Spot::new(area.right, y)];
    let vertical = |x: f64| [Spot::new(x, area.top), Spot::new(x, area.bottom)];
    let rows = frame.y_ticks.iter().map(|tick| horizontal(frame.y(tick.value)));
    let columns = frame.x_ticks.iter().map(|tick| vertical(frame.x(tick.value)));
    let all = lines(rows.chain(columns));
    svg.open("path").attribute("class", "kp-grid").attribute("d", all);
    svg.attribute("stroke", "currentColor").attribute("stroke-opacity", ".14").empty();
    if frame.y.scale == Scale::Log10 && svg.has_tips() {
        let is_tick =
            |y: f64| frame.y_ticks.iter().any(|tick| (frame.y(tick.value) - y).abs() < 0.1);
        let between = minor_ticks(&frame.y).map(|value| frame.y(value)).filter(|y| !is_tick(*y));
        let all = lines(between.map(horizontal));
        svg.open("path").attribute("class", "kp-minor").attribute("d", all);
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

/// Labels left of the axis; every second or third one where they would touch.
pub(super) fn draw_y_labels(svg: &mut Svg, frame: &Frame, size: f64) {
    let reach = |tick: &Tick| {
        let y = frame.y(tick.value);
        (y - size * 0.7, y + size * 0.6)
    };
    let mut reaches: Vec<(f64, f64)> = frame.y_ticks.iter().map(reach).collect();
    reaches.reverse();
    let stride = stride(&reaches, 0.0);
    sized(svg.open("g").attribute("text-anchor", "end"), size).content();
    for tick in frame.y_ticks.iter().step_by(stride) {
        let y = frame.y(tick.value) + size * 0.345;
        svg.open("text").length("x", frame.area.left - 7.0).length("y", y);
        svg.text("text", &tick.label);
    }
    svg.close("g");
}

/// Labels below the axis, within `left` to `right`.
pub(super) fn draw_x_labels(svg: &mut Svg, frame: &Frame, size: f64, (left, right): (f64, f64)) {
    let middle = |tick: &Tick| {
        let half = svg::text_width_at(&tick.label, size) / 2.0;
        frame.x(tick.value).min(right - half).max(left + half)
    };
    let places: Vec<_> =
        frame.x_ticks.iter().map(|tick| (middle(tick), tick.label.as_str())).collect();
    draw_labels(svg, &places, frame.area.bottom + size * 1.48, size);
}

/// Labels in a row, each given with its middle, within the drawing; every second or third one
/// where they would touch.
pub(super) fn draw_labels(svg: &mut Svg, labels: &[(f64, &str)], baseline: f64, size: f64) {
    let width = svg.width;
    let place = |(middle, label): &(f64, &str)| {
        let label = svg::fitted_at(label, LABEL_MAX, size);
        let half = svg::text_width_at(&label, size) / 2.0;
        ((*middle).min(width - 2.0 - half).max(2.0 + half), half, label)
    };
    let places: Vec<(f64, f64, String)> = labels.iter().map(place).collect();
    let reaches: Vec<(f64, f64)> =
        places.iter().map(|(middle, half, _)| (middle - half, middle + half)).collect();
    sized(svg.open("g").attribute("text-anchor", "middle"), size).content();
    for (middle, _, label) in places.iter().step_by(stride(&reaches, LABEL_GAP)) {
        svg.open("text").length("x", *middle).length("y", baseline);
        svg.text("text", label);
    }
    svg.close("g");
}

/// The size of a text where it is not that of the whole figure.
pub(super) fn sized(svg: &mut Svg, size: f64) -> &mut Svg {
    if size == svg::FONT_SIZE { svg } else { svg.length("font-size", size) }
}

/// The smallest stride at which labels that reach from and to these places keep `gap`.
fn stride(reaches: &[(f64, f64)], gap: f64) -> usize {
    let fits = |stride: &usize| {
        let kept: Vec<_> = reaches.iter().step_by(*stride).collect();
        kept.windows(2).all(|pair| pair[0].1 + gap <= pair[1].0)
    };
    (1..reaches.len().max(2)).find(fits).unwrap_or(reaches.len().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_left_out_evenly_until_the_rest_keeps_its_distance() {
        let reaches = |width: f64, step: f64| -> Vec<(f64, f64)> {
            (0..10).map(|i| (f64::from(i) * step, f64::from(i) * step + width)).collect()
        };
        assert_eq!(stride(&reaches(20.0, 30.0), 8.0), 1);
        assert_eq!(stride(&reaches(25.0, 30.0), 8.0), 2);
        assert_eq!(stride(&reaches(90.0, 30.0), 8.0), 4);
        assert_eq!(stride(&reaches(900.0, 30.0), 8.0), 10);
        assert_eq!(stride(&[], 8.0), 1);
        assert_eq!(stride(&[(0.0, 5.0)], 8.0), 1);
    }
}
