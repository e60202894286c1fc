//! A block diagram: the parts of a system from top to bottom, and the links between them.

use super::svg::{self, LINE_HEIGHT, Spot, Svg};
use super::{chart, description};
use crate::language::Language;

/// More parts of a kind than these are not drawn one by one.
const PARTS_MAX: u32 = 8;
/// More parts within a part than these are not drawn one by one.
const INNER_MAX: u32 = 12;
/// Share of the width that the words take.
const WORDS: f64 = 0.42;
/// The same on phones, where the letters are as large.
const WORDS_NARROW: f64 = 0.6;
/// Drawings narrower than this are for phones.
const NARROW: f64 = 400.0;
/// Height of a box.
const BOX_HEIGHT: f64 = 34.0;
/// Room above and below what is drawn of a layer.
const GAP: f64 = 5.0;
/// Edge of the drawing.
const EDGE: f64 = 4.0;

/// The parts of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    /// Language of the texts.
    pub language: Language,
    /// The figure in words, for readers who cannot see it.
    pub title: String,
    /// Small print below that names where the data come from; may be empty.
    pub source: String,
    /// From top to bottom.
    pub layers: Vec<Layer>,
}

/// Parts of a kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The kind of part: `Controllers`.
    pub name: String,
    /// What is known of them, a short line each.
    pub details: Vec<String>,
    /// How they are drawn.
    pub shape: LayerShape,
    /// How many there are.
    pub count: u32,
}

/// How parts are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerShape {
    /// As boxes side by side.
    Boxes,
    /// As boxes, each of which holds this number of parts.
    Groups(u32),
    /// As lines from the layer above to the layer below.
    Links,
}

impl Layer {
    /// Whether every part is drawn.
    pub fn is_whole(&self) -> bool {
        let inner = match self.shape {
            LayerShape::Groups(inner) => inner,
            LayerShape::Boxes | LayerShape::Links => 1,
        };
        self.count <= PARTS_MAX && inner <= INNER_MAX
    }

    fn height(&self, room: f64) -> f64 {
        let words = LINE_HEIGHT * (1 + self.lines(room).len()) as f64;
        words.max(BOX_HEIGHT) + 2.0 * GAP
    }

    /// The details in lines for this room.
    fn lines(&self, room: f64) -> Vec<String> {
        self.details.iter().flat_map(|detail| broken(detail, room)).collect()
    }
}

/// A text in lines for a room, broken behind commas.
fn broken(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in text.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if svg::text_width(format!("{line}{part}").trim_end()) <= room => {
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The diagram as an `<svg>` element without a namespace.
pub(super) fn draw(diagram: &Diagram, width: f64) -> String {
    let room = words_room(width);
    let height: f64 = diagram.layers.iter().map(|layer| layer.height(room)).sum();
    let source = if diagram.source.is_empty() { 0.0 } else { LINE_HEIGHT };
    let mut svg = Svg::of_width(width);
    let words = (diagram.title.as_str(), description::of_diagram(diagram));
    chart::open(&mut svg, words, height + 2.0 * EDGE + source);
    let mut top = EDGE;
    for layer in &diagram.layers {
        draw_words(&mut svg, layer, top);
        draw_parts(&mut svg, layer, top);
        top += layer.height(room);
    }
    chart::draw_source(&mut svg, &diagram.source, top + LINE_HEIGHT - EDGE);
    svg.close("svg");
    svg.finish()
}

fn words_share(width: f64) -> f64 {
    if width < NARROW { WORDS_NARROW } else { WORDS }
}

/// Width of the words.
fn words_room(width: f64) -> f64 {
    width * words_share(width) - 2.0 * EDGE
}

fn draw_words(svg: &mut Svg, layer: &Layer, top: f64) {
    let room = words_room(svg.width);
    let details = layer.lines(room);
    let lines = 1 + details.len();
    let spare = layer.height(room) - LINE_HEIGHT * lines as f64;
    let first = top + spare / 2.0 + 0.75 * LINE_HEIGHT;
    // Bold letters are wider.
    let name = svg::fitted(&layer.name, room * 0.9);
    svg.open("text").length("x", EDGE).length("y", first).attribute("font-weight", "600");
    svg.text("text", &name);
    for (line, detail) in details.iter().enumerate() {
        let y = first + LINE_HEIGHT * (line + 1) as f64;
        svg.open("text").length("x", EDGE).length("y", y);
        svg.text("text", &svg::fitted(detail, room));
    }
}

fn draw_parts(svg: &mut Svg, layer: &Layer, top: f64) {
    let left = svg.width * words_share(svg.width);
    let drawn = layer.count.clamp(1, PARTS_MAX);
    let is_cut = layer.count > PARTS_MAX;
    let step = (svg.width - EDGE - left) / f64::from(drawn);
    let height = layer.height(words_room(svg.width));
    let (upper, lower) = (top + GAP, top + height - GAP);
    for index in 0..drawn {
        let start = left + step * f64::from(index);
        if is_cut && index + 1 == drawn {
            let middle = start + step / 2.0;
            svg.open("text").length("x", middle).length("y", (upper + lower) / 2.0 + 4.0);
            svg.attribute("text-anchor", "middle").text("text", "…");
            continue;
        }
        match layer.shape {
            LayerShape::Links => {
                let x = start + step / 2.0;
                let line = [Spot::new(x, top - GAP), Spot::new(x, top + height + GAP)];
                svg.open("path").attribute("d", svg::path(line)).attribute("fill", "none");
                svg.attribute("stroke", "currentColor").attribute("stroke-width", "2").empty();
            }
            LayerShape::Boxes => draw_box(svg, [start + 2.0, upper], [step - 4.0, lower - upper]),
            LayerShape::Groups(inner) => {
                let room = [step - 4.0, lower - upper];
                draw_box(svg, [start + 2.0, upper], room);
                draw_inner(svg, inner, [start + 2.0, upper], room);
            }
        }
    }
}

fn draw_box(svg: &mut Svg, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
    svg.open("rect").length("x", x).length("y", y);
    svg.length("width", width.max(1.0)).length("height", height.max(1.0)).length("rx", 3.0);
    svg.attribute("fill", "currentColor").attribute("fill-opacity", ".08");
    svg.attribute("stroke", "currentColor").attribute("stroke-opacity", ".7").empty();
}

/// The parts in a box, in two rows if they are many.
fn draw_inner(svg: &mut Svg, count: u32, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
    let drawn = count.clamp(1, INNER_MAX);
    let rows = if drawn > 4 { 2 } else { 1 };
    let columns = drawn.div_ceil(rows);
    let cell = [(width - 6.0) / f64::from(columns), (height - 6.0) / f64::from(rows)];
    svg.open("g").attribute("fill", "currentColor").attribute("fill-opacity", ".45").content();
    for index in 0..drawn {
        let place = [f64::from(index % columns), f64::from(index / columns)];
        svg.open("rect").length("x", x + 3.0 + cell[0] * place[0] + 0.8);
        svg.length("y", y + 3.0 + cell[1] * place[1] + 0.8);
        svg.length("width", (cell[0] - 1.6).max(0.6)).length("height", (cell[1] - 1.6).max(0.6));
        svg.empty();
    }
    svg.close("g");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_goes_on_in_the_next_line() {
        let room = svg::text_width("2, write cache on,");
        assert_eq!(broken("2, write cache on, 30 MiB", room), ["2, write cache on,", "30 MiB"]);
        assert_eq!(broken("2, write cache on", room), ["2, write cache on"]);
        // What has no comma stays whole, and is cut where it is drawn.
        assert_eq!(broken("controllers without a comma", room), ["controllers without a comma"]);
    }
}
