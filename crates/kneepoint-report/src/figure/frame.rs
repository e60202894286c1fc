//! The area between the axes, and where values lie in it.

use super::axis::{Axis, Tick};
use super::chart::{Chart, RuleLine};
use super::label::Area;
use super::scale::Domain;
use super::svg::Spot;
use super::text;

/// Width of every chart, in user units; one unit is meant to be about a CSS pixel.
pub(super) const WIDTH: f64 = 560.0;
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
}

impl Frame {
    pub(super) fn new(chart: &Chart, top: f64) -> Self {
        let (x, y) = (chart.x.domain(chart.xs()), chart.y.domain(chart.ys()));
        let ticks = |axis: &Axis, domain| axis.ticks_in(domain, chart.language);
        let (x_ticks, y_ticks) = (ticks(&chart.x, &x), ticks(&chart.y, &y));
        let widest = y_ticks.iter().map(|tick| text::width(&tick.label)).fold(20.0, f64::max);
        let last = x_ticks.last().map_or(0.0, |tick| text::width(&tick.label) / 2.0);
        let area = Area {
            left: widest + 12.0,
            top,
            right: WIDTH - (last + 2.0).max(12.0),
            bottom: top + PLOT_HEIGHT,
        };
        Self { area, x, y, x_ticks, y_ticks }
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
