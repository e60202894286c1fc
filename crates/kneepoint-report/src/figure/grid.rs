//! Draws the grid, the axes and their labels.

use super::chart::Chart;
use super::frame::Frame;
use super::scale::{Domain, Scale};
use super::svg::{Spot, Svg, path};
use super::text;

/// Grid, axis lines, ticks and titles.
pub(super) fn draw(svg: &mut Svg, chart: &Chart, frame: &Frame) {
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
