//! The drives and the RAID level as a row calls them.

use super::words::{Token, has, is_unsaid, squash, tokens};

/// Most drives that a row may ask for.
const DRIVES_MAX: f64 = 4096.0;

/// Drives of all arrays: `60`, `60 drives`, `5 x 12`, `60 (6 arrays)`.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn drives(text: &str) -> Result<u32, String> {
    if is_unsaid(text) {
        return Err("the number of drives is not given".to_owned());
    }
    let plain = text.split(['(', '[', ',', '=']).next().unwrap_or(text);
    let is_product = plain.contains(['*', '\u{d7}']);
    let number = match tokens(plain).as_slice() {
        [Token::Number(arrays), times, Token::Number(each), ..]
            if times.is("x times") || is_product =>
        {
            Some(arrays * each)
        }
        [Token::Number(arrays), Token::Number(each)] if is_product => Some(arrays * each),
        // Several numbers are a range, or something else that is not one system.
        [Token::Number(number), rest @ ..] if rest.iter().all(|token| token.number().is_none()) => {
            Some(*number)
        }
        _ => None,
    };
    match number.filter(|_| !plain.trim_start().starts_with('-')) {
        Some(number) if number.fract() == 0.0 && (1.0..=DRIVES_MAX).contains(&number) => {
            Ok(number as u32)
        }
        _ => Err(format!("'{text}' is no number of drives")),
    }
}

/// The RAID level of `text`: `RAID-10`, `raid 1+0`, `r5`, `JBOD`; a single drive needs none.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn raid(text: &str, drives: u32) -> Result<&'static str, String> {
    // What is in brackets explains: `RAID-5 (9+P)`.
    let plain = text.split(['(', '[']).next().unwrap_or(text);
    let squashed = squash(plain);
    if is_unsaid(plain) || squashed.starts_with("single") {
        return match drives {
            1 => Ok("jbod"),
            _ => Err("the RAID level of several drives is not given".to_owned()),
        };
    }
    if ["jbod", "none", "noraid"].iter().any(|word| squashed.starts_with(word)) {
        return Ok("jbod");
    }
    let words = tokens(plain);
    let unknown = || format!("'{text}' is no RAID level that is known here");
    let level = words.iter().find(|token| !token.is("raid level r"));
    level.and_then(Token::number).ok_or_else(unknown)?;
    let levels: Vec<String> = words
        .iter()
        .filter_map(|token| token.number().map(|number| (number as u32).to_string()))
        .collect();
    match levels.concat().as_str() {
        _ if !is_one_level(plain, &levels) => Err(unknown()),
        "1" if has(&words[words.len() - 1..], "e") => Ok("raid1e"),
        // A mirror of stripes has the same drives at work.
        "10" | "01" => Ok("raid10"),
        "50" => Ok("raid50"),
        "60" => Ok("raid60"),
        "0" => Ok("raid0"),
        "1" => Ok("raid1"),
        "5" => Ok("raid5"),
        "6" => Ok("raid6"),
        _ => Err(unknown()),
    }
}

/// Whether levels are one within the other, not one or the other: `1+0`, `1/0`.
fn is_one_level(text: &str, levels: &[String]) -> bool {
    let [outer, inner] = levels else { return true };
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    ['+', '/', '_', '-', '.'].iter().any(|sign| bare.contains(&format!("{outer}{sign}{inner}")))
}
