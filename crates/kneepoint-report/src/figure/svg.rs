//! Writes SVG elements: escaping, rounding, nothing else.

use std::fmt::{Display, Write as _};

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
}

impl Svg {
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
        if text.is_empty() {
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
}
