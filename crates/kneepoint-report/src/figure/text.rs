//! How much room text takes, without knowing the font.

/// Size of all text in a figure, in user units.
pub(super) const FONT_SIZE: f64 = 12.5;

/// Height of a line of text.
pub(super) const LINE_HEIGHT: f64 = 17.0;

/// Estimated width of `text`: a little more than the usual sans-serif fonts need.
pub(super) fn width(text: &str) -> f64 {
    width_at(text, FONT_SIZE)
}

/// The same at another size of the font.
pub(super) fn width_at(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// Shortens `text` so that it is estimated to fit into `room`, with an ellipsis.
pub(super) fn fitted(text: &str, room: f64) -> String {
    fitted_at(text, room, FONT_SIZE)
}

/// The same at another size of the font.
pub(super) fn fitted_at(text: &str, room: f64, size: f64) -> String {
    if width_at(text, size) <= room {
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
    fn long_text_is_cut_to_its_room() {
        assert_eq!(fitted("short", 100.0), "short");
        let cut = fitted("a name that goes on and on and on", 100.0);
        assert!(cut.ends_with('…') && width(&cut) <= 100.0, "{cut}");
    }
}
