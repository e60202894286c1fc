//! Figures as values: vector graphics and their size on paper.

use typst::foundations::{Bytes, Dict, dict};

use super::text;
use crate::page::Figure;

/// Millimetres on paper for one unit of a drawing; its text comes out at about 7 pt.
const UNIT: f64 = 0.198;
/// Width between the margins in millimetres.
const TEXT_WIDTH: f64 = 174.0;
/// Height of the highest figure in millimetres; its caption still fits on the page.
const HEIGHT_MAX: f64 = 225.0;
/// Figures up to this width have their caption beside them, in millimetres.
const BESIDE_MAX: f64 = 122.0;

/// Lines have no area that could be filled, but where a path has a colour to fill it with, readers
/// of PDF files paint it as a hairline.
const STYLE: &str = "<style>.kp-grid,.kp-rule path{fill:none}</style>";

/// A figure with its caption.
pub(super) fn value(figure: &Figure, ids: &[&str]) -> Dict {
    let svg = figure.drawing.svg_document();
    let (width, height) = extent(&svg);
    let scale = UNIT.min(TEXT_WIDTH / width).min(HEIGHT_MAX / height);
    dict! {
        "number" => figure.number as i64,
        "caption" => text::narrow_inlines(&figure.caption, ids),
        "words" => text::printed(&figure.caption.words()),
        "width" => width * scale,
        "beside" => width * scale <= BESIDE_MAX,
        "svg" => Bytes::from_string(styled(&svg)),
    }
}

/// The drawing with the style for paper.
fn styled(svg: &str) -> String {
    svg.replacen('>', &format!(">{STYLE}"), 1)
}

/// Width and height by the `viewBox`, in units.
fn extent(svg: &str) -> (f64, f64) {
    let numbers = svg
        .split_once("viewBox=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(numbers, _)| numbers.split(' ').filter_map(|number| number.parse().ok()))
        .map(Iterator::collect::<Vec<f64>>);
    match numbers.as_deref() {
        Some(&[_, _, width, height]) if width > 0.0 && height > 0.0 => (width, height),
        _ => (560.0, 335.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{extent, styled};

    #[test]
    fn the_view_box_tells_the_size() {
        assert_eq!(extent("<svg viewBox=\"0 0 380 92.5\" fill=\"x\">"), (380.0, 92.5));
        assert_eq!(extent("<svg>"), (560.0, 335.0));
    }

    #[test]
    fn the_style_stands_first() {
        assert!(styled("<svg a=\"b\"><g/></svg>").starts_with("<svg a=\"b\"><style>."));
    }
}
