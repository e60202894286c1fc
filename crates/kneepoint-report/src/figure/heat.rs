//! Heat map: a value for every pair of two settings, in one hue from pale to deep, so that more is
//! darker in grey as well.

use super::axis::{Scale, Tick, extent, labelled, nice_step, one_two_five};
use super::chart::PointStyle;
use super::label::Area;
use super::svg::{Spot, Svg, closed};
use super::{Breadth, chart, description, frame, svg};
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
/// The least of them on a phone, which is nearer to the eye, but no pointer is.
const SIZE_MIN_PHONE: f64 = 11.0;
/// Width and height of a step of the legend.
const STEP: (f64, f64) = (38.0, 11.0);

/// A value for every pair of two settings, as shades.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// Language of the texts, and of the numbers in the legend.
    pub language: Language,
    /// The figure in words, for readers who cannot see it.
    pub title: String,
    /// Small print below that names where the data come from; may be empty.
    pub source: String,
    /// The setting from left to right.
    pub x: Categories,
    /// The setting from top to bottom.
    pub y: Categories,
    /// The quantity of the shades, with its unit: `Throughput in IO/s`.
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
struct HeatLayout {
    area: Area,
    width: f64,
    height: f64,
}

impl HeatLayout {
    fn new(map: &HeatMap, top: f64, width: f64) -> Self {
        let names = map.y.names.iter().map(|name| svg::text_width(name));
        let left = names.fold(20.0, f64::max).min(NAME_MAX) + 12.0;
        let columns = map.x.names.len().max(1) as f64;
        let rows = map.y.names.len().max(1) as f64;
        let width = ((width - 4.0 - left) / columns).min(CELL_MAX);
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

    /// The largest size in which every value fits into its cell.
    fn size_of_values(&self, width: f64) -> Option<f64> {
        let widest = |size: f64| {
            self.shown().map(|cell| svg::text_width_at(&cell.label, size)).fold(0.0, f64::max)
        };
        let room = HeatLayout::new(self, 0.0, width).width - 4.0;
        let least = if width == Breadth::Phone.units() { SIZE_MIN_PHONE } else { 0.0 };
        SIZES.into_iter().find(|size| *size >= least && widest(*size) <= room)
    }

    /// The map with its columns as rows.
    fn turned(&self) -> Self {
        let (x, y) = (self.y.clone(), self.x.clone());
        let turned =
            |cell: &HeatCell| HeatCell { column: cell.row, row: cell.column, ..cell.clone() };
        let cells = self.cells.iter().map(turned).collect();
        Self { x, y, cells, ..self.clone() }
    }
}

/// The figure as an `<svg>` element without a namespace; on a phone with its columns as rows, if only so
/// the values fit into their cells.
pub(super) fn draw(map: &HeatMap, width: f64) -> String {
    let size = |map: &HeatMap| map.size_of_values(width);
    if width == Breadth::Phone.units() && size(map).is_none() {
        let turned = map.turned();
        if size(&turned).is_some() {
            return drawn(&turned, width);
        }
    }
    drawn(map, width)
}

fn drawn(map: &HeatMap, width: f64) -> String {
    let values: Vec<f64> = map.shown().map(|cell| cell.value).collect();
    let steps = ShadeSteps::around(map.scale, &values, map.language);
    let layout = HeatLayout::new(map, 74.0, width);
    let bottom = layout.area.bottom;
    let source = if map.source.is_empty() { 0.0 } else { 17.0 };
    let mut svg = Svg::of_width(width);
    let words = (map.title.as_str(), description::of_heat_map(map));
    chart::open(&mut svg, words, bottom + 44.0 + source);
    draw_legend(&mut svg, map, &steps);
    frame::draw_y_title(&mut svg, &map.y.title, layout.area.top - 9.0);
    draw_cells(&mut svg, map, &steps, &layout);
    draw_names(&mut svg, map, &layout);
    let middle = (layout.area.left + layout.area.right) / 2.0;
    frame::draw_x_title(&mut svg, &map.x.title, middle, bottom + 38.0);
    chart::draw_source(&mut svg, &map.source, bottom + 56.0);
    svg.close("svg");
    svg.finish()
}

/// The shades in order, with the bounds of their steps below, the title before them.
fn draw_legend(svg: &mut Svg, map: &HeatMap, steps: &ShadeSteps) {
    let title = svg::fitted(&map.value, 230.0);
    svg.open("text").length("x", 4.0).length("y", 14.0).text("text", &title);
    let left = (svg::text_width(&title) + 24.0).max(40.0);
    let room = (svg.width - 24.0 - left) / steps.len() as f64;
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
    frame::draw_labels(svg, &places.collect::<Vec<_>>(), 29.0, 11.0);
}

fn draw_cells(svg: &mut Svg, map: &HeatMap, steps: &ShadeSteps, layout: &HeatLayout) {
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
        let outline = |cell: &HeatCell| rectangle(&layout.cell(cell.column, cell.row), 0.5);
        if svg.has_tips() {
            for cell in &cells {
                svg.open("path").attribute("d", outline(cell)).tooltip("path", &cell.tooltip);
            }
        } else {
            let outlines: String = cells.iter().map(|cell| outline(cell)).collect();
            svg.open("path").attribute("d", outlines).empty();
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
fn draw_values(svg: &mut Svg, map: &HeatMap, steps: &ShadeSteps, layout: &HeatLayout) {
    let Some(size) = map.size_of_values(svg.width) else { return };
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
fn draw_names(svg: &mut Svg, map: &HeatMap, layout: &HeatLayout) {
    svg.open("g").attribute("text-anchor", "end").content();
    for (row, name) in map.y.names.iter().enumerate() {
        let area = layout.cell(0, row);
        svg.open("text").length("x", area.left - 7.0);
        svg.length("y", (area.top + area.bottom) / 2.0 + 4.3);
        svg.text("text", &svg::fitted(name, area.left - 9.0));
    }
    svg.close("g");
    let middle = |column: usize| layout.cell(column, 0).left + layout.width / 2.0;
    let names = map.x.names.iter().enumerate();
    let places: Vec<_> = names.map(|(column, name)| (middle(column), name.as_str())).collect();
    frame::draw_labels(svg, &places, layout.area.bottom + 17.0, svg::FONT_SIZE);
}

/// The shades from the least to the most, evenly spaced in lightness (OKLCH, hue 248).
const SHADES: [&str; 9] = [
    "#eaf5ff", "#c7dbef", "#a0c2e4", "#7aaad8", "#5891c6", "#3878b1", "#1e6097", "#0a4979",
    "#003359",
];

/// Colour of text on the pale shades, and on the deep ones.
const INK: [&str; 2] = ["#1b2430", "#ffffff"];

/// From this shade on text is light.
const DEEP_FROM: usize = 5;

/// At most this many steps: more could not be told apart.
const STEPS_MAX: usize = SHADES.len();

/// Steps of values, each with its shade.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ShadeSteps {
    /// The ends of the steps, one more than there are steps, rising.
    pub(super) bounds: Vec<Tick>,
}

impl ShadeSteps {
    /// Steps between round numbers that hold all `values` that the scale shows.
    pub(super) fn around(scale: Scale, values: &[f64], language: Language) -> Self {
        let (low, high) = extent(scale, values.iter().copied()).unwrap_or(match scale {
            Scale::Linear => (0.0, 1.0),
            Scale::Log2 | Scale::Log10 | Scale::Ratio => (1.0, 10.0),
        });
        let bounds = match scale {
            Scale::Linear => even(low, high),
            Scale::Log2 | Scale::Log10 | Scale::Ratio => decades(low, high),
        };
        Self { bounds: labelled(scale, &bounds, language) }
    }

    /// Number of steps.
    pub(super) fn len(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The shade of the step with this index; the deepest one is the last step's.
    fn shade(&self, step: usize) -> usize {
        let last = self.len().saturating_sub(1).max(1);
        (step * (SHADES.len() - 1) + last / 2) / last
    }

    /// The shade of a value.
    fn shade_of(&self, value: f64) -> usize {
        let inner = &self.bounds[1..self.bounds.len() - 1];
        self.shade(inner.iter().filter(|bound| value >= bound.value).count())
    }
}

/// Multiples of a round number.
fn even(low: f64, high: f64) -> Vec<f64> {
    let spread = if high > low { high - low } else { high.abs().max(1.0) };
    let step = nice_step(spread / (STEPS_MAX - 2) as f64);
    let first = libm::floor(low / step + 1e-9);
    let last = libm::ceil(high / step - 1e-9).max(first + 1.0);
    (0..=(last - first) as usize).map(|index| (first + index as f64) * step).collect()
}

/// 1, 2 and 5 times powers of ten; over many decades powers of ten alone, as many as are needed.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let fine: Vec<f64> = bracket(one_two_five(low / 10.0, high * 10.0), low, high);
    if fine.len() <= STEPS_MAX + 1 {
        return fine;
    }
    let (first, last) = (libm::floor(libm::log10(low)), libm::ceil(libm::log10(high)));
    let stride = libm::ceil((last - first) / STEPS_MAX as f64).max(1.0);
    let count = libm::ceil((last - first) / stride) as usize;
    (0..=count).map(|index| libm::exp10(first + stride * index as f64)).collect()
}

/// The part of rising `candidates` that just holds `low` and `high`; at least two.
fn bracket(candidates: impl Iterator<Item = f64>, low: f64, high: f64) -> Vec<f64> {
    let all: Vec<f64> = candidates.collect();
    let first = all.iter().rposition(|bound| *bound <= low * (1.0 + 1e-9)).unwrap_or(0);
    let last = all.iter().position(|bound| *bound >= high * (1.0 - 1e-9));
    let last = last.unwrap_or(all.len() - 1).max(first + 1).min(all.len() - 1);
    all[first..=last].to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::contrast::{contrast, luminance};
    use super::*;

    fn check(scale: Scale, values: &[f64], bounds: &[f64]) {
        let steps = ShadeSteps::around(scale, values, Language::English);
        let found: Vec<f64> = steps.bounds.iter().map(|bound| bound.value).collect();
        assert_eq!(found.len(), bounds.len(), "{found:?}");
        assert!(
            found.iter().zip(bounds).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs()),
            "{found:?}"
        );
        assert!(steps.len() <= SHADES.len());
    }

    #[test]
    fn steps_lie_between_round_numbers() {
        check(Scale::Linear, &[120.0, 900.0], &[0.0, 200.0, 400.0, 600.0, 800.0, 1_000.0]);
        check(Scale::Linear, &[7.0], &[7.0, 8.0]);
        check(Scale::Linear, &[], &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        check(Scale::Log10, &[3.0, 40.0], &[2.0, 5.0, 10.0, 20.0, 50.0]);
        check(Scale::Log10, &[0.0, -1.0], &[1.0, 2.0, 5.0, 10.0]);
        check(Scale::Log10, &[1.0], &[1.0, 2.0]);
        check(Scale::Log10, &[1.0, 90_000.0], &[1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
    }

    #[test]
    fn more_is_never_paler_and_the_ends_of_the_scale_are_used() {
        let steps = ShadeSteps::around(Scale::Linear, &[0.0, 1_000.0], Language::English);
        let shades: Vec<usize> = (0..=100).map(|i| steps.shade_of(f64::from(i) * 10.0)).collect();
        assert!(shades.windows(2).all(|pair| pair[0] <= pair[1]), "{shades:?}");
        assert_eq!((shades[0], shades[100]), (0, SHADES.len() - 1));
    }

    #[test]
    fn shades_are_apart_in_grey_and_carry_their_text() {
        for pair in SHADES.windows(2) {
            assert!(contrast(pair[0], pair[1]) > 1.2, "{pair:?}");
            assert!(luminance(pair[0]) > luminance(pair[1]), "{pair:?}");
        }
        for (index, shade) in SHADES.iter().enumerate() {
            let ink = INK[usize::from(index >= DEEP_FROM)];
            assert!(contrast(shade, ink) >= 4.5, "{shade}: {}", contrast(shade, ink));
        }
    }

    #[test]
    fn the_style_sheet_restyles_every_shade_for_dark_screens() {
        let style = include_str!("../html/style.css");
        let dark = style.split("prefers-color-scheme: dark").nth(1).expect("a dark style");
        let mut last: Option<String> = None;
        for index in 0..SHADES.len() {
            let (_, rest) = dark.split_once(&format!(".kp-h{index} {{ fill: ")).expect("a rule");
            let colour = rest[..7].to_owned();
            let ink = if index >= DEEP_FROM { INK[0] } else { INK[1] };
            assert!(contrast(&colour, ink) >= 4.5, "{colour}: {}", contrast(&colour, ink));
            if let Some(last) = last {
                assert!(luminance(&last) < luminance(&colour), "{last} {colour}");
            }
            last = Some(colour);
        }
    }
}
