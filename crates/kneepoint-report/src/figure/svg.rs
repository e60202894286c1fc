//! Writes SVG: elements, path data, and text in the room that it takes without knowing the font.
//!
//! Path data is as short as it can be without loss: whole tenths of a unit, and steps instead of
//! places wherever those are fewer characters.

use std::fmt::{Display, Write as _};

use super::Breadth;

/// A point of the drawing, in user units from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
}

impl Spot {
    pub(super) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// This spot moved to the right and down.
    pub(super) fn offset(self, right: f64, down: f64) -> Self {
        Self::new(self.x + right, self.y + down)
    }
}

/// An SVG document under construction.
#[derive(Debug, Default)]
pub(super) struct Svg {
    out: String,
    /// Width of the drawing, in user units.
    pub(super) width: f64,
    tips: Tips,
}

/// If what a pointer rests on is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tips {
    #[default]
    Shown,
    /// A phone has no pointer.
    None,
}

impl Svg {
    /// Nothing yet of a drawing that is this wide.
    pub(super) fn of_width(width: f64) -> Self {
        let tips = match width == Breadth::Phone.units() {
            true => Tips::None,
            false => Tips::Shown,
        };
        Self { out: String::new(), width, tips }
    }

    /// Opens an element; finish it with [`Svg::attribute`] calls and one of the closing calls.
    pub(super) fn open(&mut self, name: &str) -> &mut Self {
        self.out.push('<');
        self.out.push_str(name);
        self
    }

    /// An attribute of the element that was opened last.
    pub(super) fn attribute(&mut self, name: &str, value: impl Display) -> &mut Self {
        let _ = write!(self.out, " {name}=\"");
        self.escaped(&value.to_string());
        self.out.push('"');
        self
    }

    /// A coordinate or length as an attribute.
    pub(super) fn length(&mut self, name: &str, value: f64) -> &mut Self {
        self.attribute(name, coordinate(value))
    }

    /// Ends the start tag; content follows.
    pub(super) fn content(&mut self) -> &mut Self {
        self.out.push('>');
        self
    }

    /// Ends an element without content.
    pub(super) fn empty(&mut self) {
        self.out.push_str("/>");
    }

    /// Ends an element whose only content is text.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.out.push('>');
        self.escaped(text);
        self.close(name);
    }

    /// Ends an element whose only content is a tooltip.
    pub(super) fn tooltip(&mut self, name: &str, text: &str) {
        if text.is_empty() || self.tips == Tips::None {
            self.empty();
            return;
        }
        self.content().open("title").text("title", text);
        self.close(name);
    }

    /// Closes an element that has content.
    pub(super) fn close(&mut self, name: &str) {
        let _ = write!(self.out, "</{name}>");
    }

    /// True if what a pointer rests on is explained.
    pub(super) fn has_tips(&self) -> bool {
        self.tips == Tips::Shown
    }

    /// The document.
    pub(super) fn finish(self) -> String {
        self.out
    }

    fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                c if c.is_control() => self.out.push(' '),
                c => self.out.push(c),
            }
        }
    }
}

/// A coordinate with at most one decimal: `12.5`, `12`, never `-0`.
pub(super) fn coordinate(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A place in tenths of a unit.
type Tenths = (i64, i64);

/// Writes path data.
#[derive(Debug, Default)]
struct Pen {
    data: String,
    at: Option<Tenths>,
}

/// A path through `spots` by straight lines.
pub(super) fn path(spots: impl IntoIterator<Item = Spot>) -> String {
    let mut pen = Pen::default();
    pen.polyline(spots.into_iter().map(place));
    pen.data
}

/// A closed path through `spots`.
pub(super) fn closed(spots: impl IntoIterator<Item = Spot>) -> String {
    let mut data = path(spots);
    data.push('z');
    data
}

/// Separate lines as one path; each may be drawn in either direction.
pub(super) fn lines(lines: impl IntoIterator<Item = [Spot; 2]>) -> String {
    let mut pen = Pen::default();
    for [from, to] in lines {
        let ends = [place(from), place(to)];
        let (forth, back) = (pen.with(ends), pen.with([ends[1], ends[0]]));
        pen = if back.data.len() < forth.data.len() { back } else { forth };
    }
    pen.data
}

fn place(spot: Spot) -> Tenths {
    (tenths(spot.x), tenths(spot.y))
}

fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

/// Tenths as a number: `12.5`, `12`, never `-0`.
fn number_of_tenths(tenths: i64) -> String {
    let (sign, size) = (if tenths < 0 { "-" } else { "" }, tenths.unsigned_abs());
    match size % 10 {
        0 => format!("{sign}{}", size / 10),
        rest => format!("{sign}{}.{rest}", size / 10),
    }
}

/// Two numbers; a minus parts them as well as a space does.
fn pair((x, y): Tenths) -> String {
    let gap = if y < 0 { "" } else { " " };
    format!("{}{gap}{}", number_of_tenths(x), number_of_tenths(y))
}

impl Pen {
    /// This pen after one more line.
    fn with(&self, ends: [Tenths; 2]) -> Self {
        let mut pen = Self { data: String::new(), at: self.at };
        pen.polyline(ends.into_iter());
        pen.data.insert_str(0, &self.data);
        pen
    }

    fn polyline(&mut self, mut places: impl Iterator<Item = Tenths>) {
        let Some(first) = places.next() else { return };
        self.start(first);
        places.for_each(|place| self.draw(place));
    }

    fn start(&mut self, to: Tenths) {
        let step = self.at.map(|from| format!("m{}", pair((to.0 - from.0, to.1 - from.1))));
        self.shorter(to, format!("M{}", pair(to)), step);
    }

    fn draw(&mut self, to: Tenths) {
        let Some(from) = self.at else { return self.start(to) };
        let step = (to.0 - from.0, to.1 - from.1);
        let (absolute, relative) = match step {
            (_, 0) => {
                (format!("H{}", number_of_tenths(to.0)), format!("h{}", number_of_tenths(step.0)))
            }
            (0, _) => {
                (format!("V{}", number_of_tenths(to.1)), format!("v{}", number_of_tenths(step.1)))
            }
            _ => (format!("L{}", pair(to)), format!("l{}", pair(step))),
        };
        self.shorter(to, absolute, Some(relative));
    }

    fn shorter(&mut self, to: Tenths, absolute: String, relative: Option<String>) {
        let relative = relative.filter(|relative| relative.len() < absolute.len());
        self.data += &relative.unwrap_or(absolute);
        self.at = Some(to);
    }
}

/// Size of all text in a figure, in user units.
pub(super) const FONT_SIZE: f64 = 12.5;

/// Height of a line of text.
pub(super) const LINE_HEIGHT: f64 = 17.0;

/// Estimated width of `text`: a little more than the usual sans-serif fonts need.
pub(super) fn text_width(text: &str) -> f64 {
    text_width_at(text, FONT_SIZE)
}

/// The same at another size of the font.
pub(super) fn text_width_at(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// Shortens `text` so that it is estimated to fit into `room`, with an ellipsis.
pub(super) fn fitted(text: &str, room: f64) -> String {
    fitted_at(text, room, FONT_SIZE)
}

/// The same at another size of the font.
pub(super) fn fitted_at(text: &str, room: f64, size: f64) -> String {
    if text_width_at(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = advance('…') * size;
    for character in text.chars() {
        used += advance(character) * size;
        if used > room {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}

/// `text` in lines that are estimated to fit into `room`, broken between words.
pub(super) fn in_lines(text: &str, room: f64, size: f64) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while text_width_at(rest, size) > room {
        let breaks = rest.match_indices(' ').map(|(at, _)| at).filter(|at| *at > 0);
        let fits = |at: &usize| text_width_at(&rest[..*at], size) <= room;
        let Some(end) = breaks.clone().take_while(fits).last().or_else(|| breaks.clone().next())
        else {
            break;
        };
        lines.push(&rest[..end]);
        rest = &rest[end + 1..];
    }
    lines.push(rest);
    lines
}

/// Width of a character as a share of the font size.
fn advance(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.30,
        '\u{202f}' => 0.20,
        ' ' | '\u{a0}' | 'f' | 't' | 'r' | '/' | '(' | ')' | '-' => 0.37,
        'm' | 'w' | 'M' | 'W' | '…' | '@' => 0.95,
        'A'..='Z' => 0.70,
        c if c.is_ascii() => 0.60,
        c if (c as u32) < 0x1100 => 0.65,
        _ => 1.05,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let mut svg = Svg::default();
        svg.open("g").attribute("class", "a\"b").content().open("text").text("text", "<&\u{1}>");
        svg.close("g");
        assert_eq!(svg.finish(), "<g class=\"a&quot;b\"><text>&lt;&amp; &gt;</text></g>");
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(coordinate(12.0), "12");
        assert_eq!(coordinate(12.04), "12");
        assert_eq!(coordinate(-0.01), "0");
    }

    fn spots<const N: usize>(places: [(f64, f64); N]) -> [Spot; N] {
        places.map(|(x, y)| Spot::new(x, y))
    }

    #[test]
    fn the_shorter_of_place_and_step_is_written() {
        let check = |data: String, text: &str| assert_eq!(data, text);
        check(path(spots([(1.0, 2.0), (3.26, 4.0)])), "M1 2L3.3 4");
        check(path(spots([(300.0, 200.0), (303.0, 198.0)])), "M300 200l3-2");
        check(path(spots([(1.0, 2.0), (1.0, 4.0), (5.0, 4.01)])), "M1 2V4H5");
        check(path(spots([(-0.01, 0.04)])), "M0 0");
        check(path([]), "");
        let square = [(11.0, 11.0), (12.5, 11.0), (12.5, 12.5), (11.0, 12.5)];
        check(closed(spots(square)), "M11 11h1.5v1.5H11z");
    }

    #[test]
    fn lines_go_to_and_fro() {
        let level = |y: f64| spots([(45.8, y), (537.4, y)]);
        let data = lines([level(316.0), level(282.8), level(257.8)]);
        assert_eq!(data, "M45.8 316H537.4m0-33.2H45.8m0-25H537.4");
    }

    #[test]
    fn text_is_broken_between_words() {
        let lines = in_lines("a name that goes on and on", 70.0, 10.0);
        assert_eq!(lines.join(" "), "a name that goes on and on");
        assert!(lines.len() > 1 && lines.iter().all(|line| text_width_at(line, 10.0) <= 70.0));
        assert_eq!(in_lines("short", 70.0, 10.0), ["short"]);
        assert_eq!(
            in_lines("one-word-that-is-too-long", 20.0, 10.0),
            ["one-word-that-is-too-long"]
        );
    }

    #[test]
    fn long_text_is_cut_to_its_room() {
        assert_eq!(fitted("short", 100.0), "short");
        let cut = fitted("a name that goes on and on and on", 100.0);
        assert!(cut.ends_with('…') && text_width(&cut) <= 100.0, "{cut}");
    }
}
