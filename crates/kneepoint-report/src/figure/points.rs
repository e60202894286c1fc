//! The points of a curve: each with what the pointer that rests on it is told, or, where there is no
//! pointer, all as one shape.

use super::chart::{self, ChartSeries, PointStyle};
use super::frame::Frame;
use super::legend::Look;
use super::svg::{self, Spot, Svg};

/// The points, those beyond the axis as arrows at its edge.
pub(super) fn draw(svg: &mut Svg, look: Look, (series, frame): (&ChartSeries, &Frame)) {
    let radius = radius(series, frame);
    if !svg.has_tips() {
        for style in [PointStyle::Filled, PointStyle::Hollow] {
            let of_style = chart::spots(series, frame).filter(|(point, _)| point.style == style);
            joined(svg, look, (of_style.map(|(_, spot)| spot).collect(), frame, radius), style);
        }
        return;
    }
    for (point, spot) in chart::spots(series, frame) {
        let element = match chart::is_beyond(spot, frame) {
            true => {
                svg.open("path").attribute("d", arrow(spot, frame));
                "path"
            }
            false => look.open_point(svg, spot, radius),
        };
        styled(svg, point.style).tooltip(element, &point.tooltip);
    }
}

/// The outline of an arrow at the edge that a point lies beyond.
fn arrow(spot: Spot, frame: &Frame) -> String {
    let tip = Spot::new(spot.x, frame.area.top);
    svg::closed([tip, tip.offset(3.6, 7.0), tip.offset(-3.6, 7.0)])
}

/// Points of a style as one shape, which takes far fewer bytes.
fn joined(
    svg: &mut Svg,
    look: Look,
    (spots, frame, radius): (Vec<Spot>, &Frame, f64),
    style: PointStyle,
) {
    let (beyond, within): (Vec<Spot>, Vec<Spot>) =
        spots.into_iter().partition(|spot| chart::is_beyond(*spot, frame));
    let mut outlines: String = beyond.into_iter().map(|spot| arrow(spot, frame)).collect();
    match (look.outline(), style) {
        (Some(outline), _) => {
            outlines.extend(within.into_iter().map(|spot| outline.around(spot, radius)));
        }
        // A line from each place to itself has a round end there.
        (None, PointStyle::Filled) if !within.is_empty() => {
            svg.open("path").attribute("d", svg::lines(within.into_iter().map(|spot| [spot; 2])));
            svg.length("stroke-width", 2.0 * radius).attribute("stroke-linecap", "round").empty();
        }
        (None, _) => {
            for spot in within {
                look.open_point(svg, spot, radius);
                styled(svg, style).empty();
            }
        }
    }
    if !outlines.is_empty() {
        svg.open("path").attribute("d", outlines);
        styled(svg, style).empty();
    }
}

fn styled(svg: &mut Svg, style: PointStyle) -> &mut Svg {
    if style == PointStyle::Hollow {
        svg.attribute("class", "kp-hollow").attribute("fill", "#fff");
        svg.attribute("stroke-width", "1.6");
    }
    svg
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
