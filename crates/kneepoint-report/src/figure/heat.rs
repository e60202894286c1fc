//! Heat map: a value for every pair of two settings.

use super::chart::PointStyle;
use super::frame::WIDTH;
use super::grid;
use super::label::Area;
use super::path::closed;
use super::plot;
use super::scale::Scale;
use super::shade::{DEEP_FROM, INK, SHADES, Steps};
use super::svg::{Spot, Svg};
use super::text;
use crate::language::Language;

/// Heights that a row can have.
const ROW_MIN: f64 = 18.0;
const ROW_MAX: f64 = 30.0;
/// A map of few rows is about so high.
const HEIGHT: f64 = 200.0;
/// Cells are no wider than this.
const CELL_MAX: f64 = 110.0;
/// Names of rows get no more room than this.
const NAME_MAX: f64 = 150.0;
/// Sizes that the values in the cells can have; where none fits, they are left to the tooltips.
const SIZES: [f64; 5] = [12.0, 11.0, 10.0, 9.0, 8.0];
/// Width and height of a step of the legend.
const STEP: (f64, f64) = (38.0, 11.0);

/// A value for every pair of two settings, as shades.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// Language of the texts, and of the numbers in the legend.
    pub language: Language,
    /// What the figure shows, in words, for readers who cannot see it.
    pub title: String,
    /// Small print below that names where the data come from; may be empty.
    pub source: String,
    /// The setting from left to right.
    pub x: Categories,
    /// The setting from top to bottom.
    pub y: Categories,
    /// What the shades stand for, with its unit: `Throughput in IO/s`.
    pub value: String,
    /// How shades spread over the values.
    pub scale: Scale,
    /// The values; pairs without one stay empty.
    pub cells: Vec<HeatCell>,
}

/// The values of a setting, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Categories {
    /// The setting: `Block size`.
    pub title: String,
    /// Its values.
    pub names: Vec<String>,
}

/// One value of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    /// Index of the column.
    pub column: usize,
    /// Index of the row.
    pub row: usize,
    /// The value.
    pub value: f64,
    /// The value as it is in the cell; short.
    pub label: String,
    /// A cell with a reservation has a dashed frame.
    pub style: PointStyle,
    /// Shown where the pointer rests on the cell; may be empty.
    pub tooltip: String,
}

/// Where the cells lie.
#[derive(Debug)]
struct Layout {
    area: Area,
    width: f64,
    height: f64,
}

impl Layout {
    fn new(map: &HeatMap, top: f64) -> Self {
        let names = map.y.names.iter().map(|name| text::width(name));
        let left = names.fold(20.0, f64::max).min(NAME_MAX) + 12.0;
        let columns = map.x.names.len().max(1) as f64;
        let rows = map.y.names.len().max(1) as f64;
        let width = ((WIDTH - 4.0 - left) / columns).min(CELL_MAX);
        let height = (HEIGHT / rows).clamp(ROW_MIN, ROW_MAX);
        let area = Area { left, top, right: left + width * columns, bottom: top + height * rows };
        Self { area, width, height }
    }

    /// The rectangle of a cell.
    fn cell(&self, column: usize, row: usize) -> Area {
        let left = self.area.left + column as f64 * self.width;
        let top = self.area.top + row as f64 * self.height;
        Area { left, top, right: left + self.width, bottom: top + self.height }
    }
}

impl HeatMap {
    /// The cells that have a place and a value that can be shown.
    fn shown(&self) -> impl Iterator<Item = &HeatCell> {
        let (columns, rows) = (self.x.names.len(), self.y.names.len());
        self.cells.iter().filter(move |cell| {
            cell.column < columns && cell.row < rows && self.scale.shows(cell.value)
        })
    }
}

/// The figure as an `<svg>` element without a namespace.
pub(super) fn draw(map: &HeatMap) -> String {
    let values: Vec<f64> = map.shown().map(|cell| cell.value).collect();
    let steps = Steps::around(map.scale, &values, map.language);
    let layout = Layout::new(map, 74.0);
    let bottom = layout.area.bottom;
    let source = if map.source.is_empty() { 0.0 } else { 17.0 };
    let mut svg = Svg::default();
    plot::open(&mut svg, &map.title, bottom + 44.0 + source);
    draw_legend(&mut svg, map, &steps);
    grid::draw_y_title(&mut svg, &map.y.title, layout.area.top - 9.0);
    draw_cells(&mut svg, map, &steps, &layout);
    draw_names(&mut svg, map, &layout);
    let middle = (layout.area.left + layout.area.right) / 2.0;
    grid::draw_x_title(&mut svg, &map.x.title, middle, bottom + 38.0);
    plot::draw_source(&mut svg, &map.source, bottom + 56.0);
    svg.close("svg");
    svg.finish()
}

/// The shades in order, with the bounds of their steps below, the title before them.
fn draw_legend(svg: &mut Svg, map: &HeatMap, steps: &Steps) {
    let title = text::fitted(&map.value, 230.0);
    svg.open("text").length("x", 4.0).length("y", 14.0).text("text", &title);
    let left = (text::width(&title) + 24.0).max(40.0);
    let room = (WIDTH - 24.0 - left) / steps.len() as f64;
    let width = STEP.0.min(room);
    for step in 0..steps.len() {
        let shade = steps.shade(step);
        svg.open("rect").attribute("class", format!("kp-h{shade}"));
        svg.length("x", left + width * step as f64).length("y", 4.0);
        svg.length("width", width).length("height", STEP.1).attribute("fill", SHADES[shade]);
        svg.attribute("stroke", "currentColor").attribute("stroke-opacity", ".35").empty();
    }
    let bounds = steps.bounds.iter().enumerate();
    let places = bounds.map(|(index, tick)| (left + width * index as f64, tick.label.as_str()));
    grid::draw_labels(svg, &places.collect::<Vec<_>>(), 29.0, 11.0);
}

fn draw_cells(svg: &mut Svg, map: &HeatMap, steps: &Steps, layout: &Layout) {
    let frame = &layout.area;
    svg.open("rect").length("x", frame.left).length("y", frame.top);
    svg.length("width", frame.right - frame.left).length("height", frame.bottom - frame.top);
    svg.attribute("fill", "none").attribute("stroke", "currentColor");
    svg.attribute("stroke-opacity", ".35").empty();
    for (shade, colour) in SHADES.iter().enumerate() {
        let cells: Vec<_> =
            map.shown().filter(|cell| steps.shade_of(cell.value) == shade).collect();
        if cells.is_empty() {
            continue;
        }
        svg.open("g").attribute("class", format!("kp-h{shade}")).attribute("fill", colour);
        svg.content();
        for cell in &cells {
            let outline = rectangle(&layout.cell(cell.column, cell.row), 0.5);
            svg.open("path").attribute("d", outline).tooltip("path", &cell.tooltip);
        }
        svg.close("g");
        for cell in cells.iter().filter(|cell| cell.style == PointStyle::Hollow) {
            draw_reservation(svg, shade, &layout.cell(cell.column, cell.row));
        }
    }
    draw_values(svg, map, steps, layout);
}

/// The outline of an area without a rim of this width.
fn rectangle(area: &Area, rim: f64) -> String {
    let (left, right) = (area.left + rim, area.right - rim);
    let (top, bottom) = (area.top + rim, area.bottom - rim);
    closed(
        [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(x, y)| Spot::new(x, y)),
    )
}

/// A dashed frame within a cell.
fn draw_reservation(svg: &mut Svg, shade: usize, area: &Area) {
    svg.open("rect").attribute("class", ink_class(shade));
    svg.length("x", area.left + 2.5).length("y", area.top + 2.5);
    svg.length("width", area.right - area.left - 5.0);
    svg.length("height", area.bottom - area.top - 5.0);
    svg.attribute("fill", "none").attribute("stroke", ink(shade));
    svg.attribute("stroke-width", "1.2").attribute("stroke-dasharray", "3 2.5").empty();
}

const fn ink(shade: usize) -> &'static str {
    INK[(shade >= DEEP_FROM) as usize]
}

/// Class by which a style sheet finds text and lines on a shade.
const fn ink_class(shade: usize) -> &'static str {
    if shade >= DEEP_FROM { "kp-deep" } else { "kp-pale" }
}

/// The values, all in the largest size in which every one fits into its cell.
fn draw_values(svg: &mut Svg, map: &HeatMap, steps: &Steps, layout: &Layout) {
    let widest =
        |size: f64| map.shown().map(|cell| text::width_at(&cell.label, size)).fold(0.0, f64::max);
    let fits = |size: &f64| widest(*size) <= layout.width - 4.0;
    let Some(size) = SIZES.into_iter().find(fits) else { return };
    svg.open("g").attribute("text-anchor", "middle").length("font-size", size);
    svg.attribute("pointer-events", "none").content();
    for deep in [0, DEEP_FROM] {
        let is_on = |cell: &&HeatCell| (steps.shade_of(cell.value) >= DEEP_FROM) == (deep > 0);
        svg.open("g").attribute("class", ink_class(deep)).attribute("fill", ink(deep)).content();
        for cell in map.shown().filter(is_on) {
            let area = layout.cell(cell.column, cell.row);
            let middle = (area.top + area.bottom) / 2.0;
            svg.open("text").length("x", (area.left + area.right) / 2.0);
            svg.length("y", middle + size * 0.345).text("text", &cell.label);
        }
        svg.close("g");
    }
    svg.close("g");
}

/// Names of the rows and columns.
fn draw_names(svg: &mut Svg, map: &HeatMap, layout: &Layout) {
    svg.open("g").attribute("text-anchor", "end").content();
    for (row, name) in map.y.names.iter().enumerate() {
        let area = layout.cell(0, row);
        svg.open("text").length("x", area.left - 7.0);
        svg.length("y", (area.top + area.bottom) / 2.0 + 4.3);
        svg.text("text", &text::fitted(name, area.left - 9.0));
    }
    svg.close("g");
    let middle = |column: usize| layout.cell(column, 0).left + layout.width / 2.0;
    let names = map.x.names.iter().enumerate();
    let places: Vec<_> = names.map(|(column, name)| (middle(column), name.as_str())).collect();
    grid::draw_labels(svg, &places, layout.area.bottom + 17.0, text::FONT_SIZE);
}
