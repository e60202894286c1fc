//! Colours and shapes: every series has both, so that it can be told apart without colour.

use super::chart::MarkKind;
use super::svg::{Spot, Svg, coordinate};

/// Colours that stay apart for colour-blind readers (Okabe and Ito, 2008), without their yellow,
/// which cannot be seen on white. The last one is the colour of the text.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "currentColor"];

/// Shapes of points, in the order of the series.
const SHAPES: [Shape; 7] = [
    Shape::Circle,
    Shape::Square,
    Shape::Triangle,
    Shape::Diamond,
    Shape::TriangleDown,
    Shape::Bar,
    Shape::Hexagon,
];

/// Dashes of the first, second and third seven series.
const DASHES: [&str; 3] = ["", "6 3", "2 3"];

#[derive(Debug, Clone, Copy)]
enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
    Bar,
    Hexagon,
}

/// How one series looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    index: usize,
    shape: Shape,
    /// Colour of line and points.
    pub(super) colour: &'static str,
    /// Dash pattern of the line, empty for a solid one.
    pub(super) dash: &'static str,
}

impl Look {
    /// The look of the series with this index. The first 147 are all different.
    pub(super) fn of(series: usize) -> Self {
        let round = series / SHAPES.len();
        let index = (series + round) % COLOURS.len();
        Self {
            index,
            shape: SHAPES[series % SHAPES.len()],
            colour: COLOURS[index],
            dash: DASHES[round % DASHES.len()],
        }
    }

    /// Class by which a style sheet finds the series' colour.
    pub(super) fn class(self) -> String {
        format!("kp-s{}", self.index)
    }

    /// Outline of a point at `spot`; `radius` is that of the circle, other shapes look as large.
    pub(super) fn outline(self, spot: Spot, radius: f64) -> String {
        let at = |right: f64, down: f64| {
            let spot = spot.offset(right * radius, down * radius);
            format!("{} {}", coordinate(spot.x), coordinate(spot.y))
        };
        let polygon = |corners: &[(f64, f64)]| {
            let corners: Vec<String> = corners.iter().map(|(x, y)| at(*x, *y)).collect();
            format!("M{}Z", corners.join("L"))
        };
        match self.shape {
            Shape::Circle => {
                let r = coordinate(radius);
                format!(
                    "M{}A{r} {r} 0 1 1 {}A{r} {r} 0 1 1 {}Z",
                    at(-1.0, 0.0),
                    at(1.0, 0.0),
                    at(-1.0, 0.0)
                )
            }
            Shape::Square => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            Shape::Triangle => polygon(&[(0.0, -1.3), (1.2, 0.8), (-1.2, 0.8)]),
            Shape::Diamond => polygon(&[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)]),
            Shape::TriangleDown => polygon(&[(0.0, 1.3), (1.2, -0.8), (-1.2, -0.8)]),
            Shape::Bar => polygon(&[(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)]),
            Shape::Hexagon => polygon(&[
                (-0.6, -1.1),
                (0.6, -1.1),
                (1.2, 0.0),
                (0.6, 1.1),
                (-0.6, 1.1),
                (-1.2, 0.0),
            ]),
        }
    }
}

/// Draws a mark: a ring for sustained, a star for peak.
pub(super) fn draw(svg: &mut Svg, kind: MarkKind, spot: Spot, tooltip: &str) {
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
        let spot = centre.offset(radius * libm::sin(angle), -radius * libm::cos(angle));
        format!("{} {}", coordinate(spot.x), coordinate(spot.y))
    };
    format!("M{}Z", (0..10).map(corner).collect::<Vec<_>>().join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_series_all_look_different() {
        let spot = Spot::new(0.0, 0.0);
        let mut looks: Vec<_> = (0..147)
            .map(Look::of)
            .map(|look| (look.colour, look.dash, look.outline(spot, 4.0)))
            .collect();
        looks.sort();
        looks.dedup();
        assert!(looks.len() >= 49, "{}", looks.len());
    }
}
