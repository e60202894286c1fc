//! What a chart shows, as plain values.

use super::axis::Axis;
use crate::language::Language;

/// Curves over two axes, with rules and marked points.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Language of the texts, and of the numbers at the axes.
    pub language: Language,
    /// What the chart shows, in words, for readers who cannot see it.
    pub title: String,
    /// Small print below the chart that names where the data come from; may be empty.
    pub source: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
    /// Straight lines across the chart. One that lies outside the axes is not drawn.
    pub rules: Vec<RuleLine>,
    /// Points that are singled out.
    pub marks: Vec<Mark>,
}

/// A curve: points joined in their order by straight lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// The points; those that an axis cannot show are left out.
    pub points: Vec<Point>,
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
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
    /// Shown where the pointer rests on the point; may be empty.
    pub tooltip: String,
}

impl Point {
    /// The horizontal value and the ends of its error bar.
    pub(super) fn xs(&self) -> [f64; 3] {
        reach(self.x, self.x_margin)
    }

    /// The vertical value and the ends of its error bar.
    pub(super) fn ys(&self) -> [f64; 3] {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointStyle {
    /// An ordinary point.
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
pub struct Mark {
    /// What it stands for.
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

/// What a mark stands for.
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
            (Self::Sustained, Language::German) => "dauerhaft",
            (Self::Peak, Language::English) => "peak",
            (Self::Peak, Language::German) => "Spitze",
        }
    }
}

impl Chart {
    /// Horizontal values of everything that must be seen.
    pub(super) fn xs(&self) -> impl Iterator<Item = f64> {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.flat_map(Point::xs).chain(self.marks.iter().map(|mark| mark.x))
    }

    /// Vertical values of everything that must be seen.
    pub(super) fn ys(&self) -> impl Iterator<Item = f64> {
        let points = self.series.iter().flat_map(|series| &series.points);
        points.flat_map(Point::ys).chain(self.marks.iter().map(|mark| mark.y))
    }
}
