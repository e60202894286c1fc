//! Figures as static SVG.
//!
//! A figure is built from plain values ([`Chart`], [`Strip`]) and knows nothing of runs. The
//! drawing is deterministic: coordinates are rounded to a tenth of a unit, so equal values give
//! equal bytes on every platform. Colours stand as attributes for use on their own, and every
//! element that has one carries a class, so that a page's style sheet can restyle it for a dark
//! screen. A figure contains no script and no id; values appear as native tooltips.

mod axis;
mod chart;
mod frame;
mod grid;
mod label;
mod legend;
mod mark;
mod plot;
mod scale;
mod strip;
mod svg;
mod text;

pub use axis::{Axis, Tick, Ticks};
pub use chart::{Chart, Mark, MarkKind, Orientation, Point, PointStyle, RuleLine, Series};
pub use scale::Scale;
pub use strip::{Interval, Strip};

/// Something that can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawing {
    /// Curves over real axes.
    Chart(Chart),
    /// A quantity over the time of one point.
    Strip(Strip),
}

impl Drawing {
    /// The drawing as an `<svg>` element within an HTML page.
    pub fn svg(&self) -> String {
        match self {
            Self::Chart(chart) => plot::draw(chart),
            Self::Strip(strip) => strip::draw(strip),
        }
    }

    /// The drawing as an SVG document of its own.
    pub fn svg_document(&self) -> String {
        self.svg().replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1)
    }
}
