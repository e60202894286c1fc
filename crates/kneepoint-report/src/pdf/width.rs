//! How much room text takes, by the metrics of the font that it is set in.

use typst::text::{Font, FontStyle, FontWeight};

/// Measures text in the upright text font.
#[derive(Debug)]
pub(super) struct Ruler<'a> {
    font: Option<&'a Font>,
}

impl<'a> Ruler<'a> {
    /// A ruler for the first upright font of regular weight.
    pub(super) fn new(fonts: &'a [Font]) -> Self {
        let upright = |font: &&Font| {
            let variant = font.info().variant;
            variant.style == FontStyle::Normal && variant.weight == FontWeight::REGULAR
        };
        Self { font: fonts.iter().find(upright) }
    }

    /// Width of `text` on one line, in multiples of the font size.
    pub(super) fn width(&self, text: &str) -> f64 {
        text.chars().map(|character| self.advance(character)).sum()
    }

    /// Width of the widest part of `text` that is not broken at a space.
    pub(super) fn widest_word(&self, text: &str) -> f64 {
        text.split([' ', '\u{200b}']).map(|word| self.width(word)).fold(0.0, f64::max)
    }

    /// A character that the font lacks counts as a wide one.
    fn advance(&self, character: char) -> f64 {
        let glyph = |font: &Font| font.ttf().glyph_index(character);
        self.font
            .and_then(|font| font.x_advance(glyph(font)?.0))
            .map_or(0.8, |advance| advance.get())
    }
}
