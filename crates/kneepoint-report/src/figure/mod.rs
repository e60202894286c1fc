//! Figures as static SVG.
//!
//! A figure is built from plain values ([`Chart`], [`Multiples`], [`Dots`], [`HeatMap`],
//! [`Strip`], [`Diagram`]) and knows nothing of runs. The
//! drawing is deterministic: coordinates are rounded to a tenth of a unit, so equal values give
//! equal bytes on every platform. Colours stand as attributes for use on their own, and every
//! element that has one carries a class, so that a page's style sheet can restyle it for a dark
//! screen. A figure contains no script and no id; values appear as native tooltips.

mod axis;
mod chart;
#[cfg(test)]
mod contrast;
mod csv;
mod description;
mod diagram;
mod dots;
mod frame;
mod heat;
mod label;
mod legend;
mod multiples;
#[cfg(test)]
mod overlap;
mod points;
mod strip;
mod svg;

pub use axis::{Axis, AxisLimit, Scale, Tick, Ticks};
pub use chart::{
    Chart, ChartMark, ChartPoint, ChartSeries, MarkKind, PointStyle, RuleLine, SeriesLook, Zone,
};
pub use diagram::{Diagram, Layer, LayerShape};
pub use dots::{Dot, DotRow, Dots, Lanes, Reach, RowWeight};
pub use heat::{Categories, HeatCell, HeatMap};
pub use multiples::{Multiples, Panel, PanelPlace};
pub use strip::{Interval, Strip};

/// The breadth of the place that a drawing is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    /// A column of a page.
    Page,
    /// A phone held upright.
    Phone,
}

impl Breadth {
    /// Width of a drawing in user units; one unit is meant to be about a CSS pixel.
    const fn units(self) -> f64 {
        match self {
            Self::Page => 560.0,
            Self::Phone => 350.0,
        }
    }
}

/// Something that can be drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Drawing {
    /// Curves over real axes.
    Chart(Chart),
    /// Small charts over the same axes.
    Multiples(Multiples),
    /// Values on one axis, with their intervals.
    Dots(Dots),
    /// A value for every pair of two settings.
    HeatMap(HeatMap),
    /// A quantity over the time of one point.
    Strip(Strip),
    /// The parts of a system.
    Diagram(Diagram),
}

impl Drawing {
    /// The drawing as an `<svg>` element within an HTML page.
    pub fn svg(&self) -> String {
        self.svg_for(Breadth::Page)
    }

    /// The drawing as an `<svg>` element for a place of this breadth.
    pub fn svg_for(&self, breadth: Breadth) -> String {
        let width = breadth.units();
        match self {
            Self::Chart(chart) => chart::draw(chart, width),
            Self::Multiples(multiples) => multiples::draw(multiples, width),
            Self::Dots(dots) => dots::draw(dots, width),
            Self::HeatMap(map) => heat::draw(map, width),
            Self::Strip(strip) => strip::draw(strip),
            Self::Diagram(diagram) => diagram::draw(diagram, width),
        }
    }

    /// The drawing in words.
    pub fn title(&self) -> &str {
        match self {
            Self::Chart(chart) => &chart.title,
            Self::Multiples(multiples) => &multiples.title,
            Self::Dots(dots) => &dots.title,
            Self::HeatMap(map) => &map.title,
            Self::Strip(strip) => &strip.title,
            Self::Diagram(diagram) => &diagram.title,
        }
    }

    /// The drawing's data as CSV (RFC 4180, but lines end in LF) in the C locale, with a header
    /// that names the units. Numbers have seven significant digits, margins three. One line is one
    /// point, dot, cell, interval, mark or rule; the first column says which. Columns without any
    /// value are left out.
    pub fn csv(&self) -> String {
        csv::of(self)
    }

    /// The drawing as an SVG document of its own.
    pub fn svg_document(&self) -> String {
        let svg = self.svg().replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1);
        let svg = kneepoint_core::words::printable::replaced(svg);
        format!("{svg}\n{}\n", crate::MARK)
    }
}
