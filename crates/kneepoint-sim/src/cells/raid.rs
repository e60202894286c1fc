//! The RAID level as a row calls it.

use super::words::{Token, is_unsaid, squash, tokens};

/// The level of `text`: `RAID-10`, `raid 1+0`, `r5`, `JBOD`; a single drive needs none.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn level(text: &str, drives: u32) -> Result<&'static str, String> {
    // What stands in brackets explains: `RAID-5 (9+P)`.
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
    let names = ["raid", "level", "r"];
    let unknown = || format!("'{text}' is no RAID level that is known here");
    let levels: Vec<u32> =
        words.iter().filter_map(Token::number).map(|number| number as u32).collect();
    let is_mirrored_extra = words.last().is_some_and(|token| token.is_any(&["e"]));
    let begins = words.iter().take_while(|token| token.is_any(&names)).count();
    if words.get(begins).and_then(Token::number).is_none() {
        return Err(unknown());
    }
    match levels.as_slice() {
        [1] if is_mirrored_extra => Ok("raid1e"),
        // `1+0`, `1/0`; a mirror of stripes has the same drives at work.
        [10] | [1, 0] | [0, 1] if is_nested(plain, &levels) => Ok("raid10"),
        [50] | [5, 0] if is_nested(plain, &levels) => Ok("raid50"),
        [60] | [6, 0] if is_nested(plain, &levels) => Ok("raid60"),
        [0] => Ok("raid0"),
        [1] => Ok("raid1"),
        [5] => Ok("raid5"),
        [6] => Ok("raid6"),
        _ => Err(unknown()),
    }
}

/// Whether two levels are one within the other, not one or the other: `1+0`, `1/0`.
fn is_nested(text: &str, levels: &[u32]) -> bool {
    let [outer, inner] = levels else { return true };
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    ["+", "/", "_", "-", "."].iter().any(|sign| bare.contains(&format!("{outer}{sign}{inner}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_understood_however_they_are_written() {
        let check =
            |text: &str, expected: &str| assert_eq!(level(text, 10), Ok(expected), "{text}");
        for text in [
            "raid10",
            "RAID-10",
            "RAID 10",
            "r10",
            "raid_1+0",
            "10",
            "RAID level 10",
            "RAID 1/0",
            "0+1",
        ] {
            check(text, "raid10");
        }
        for text in ["raid5", "RAID 5", "r5", "5", "RAID-5 (9+P)"] {
            check(text, "raid5");
        }
        check("RAID 1E", "raid1e");
        check("JBOD", "jbod");
        check("raid6", "raid6");
        assert_eq!(level("", 1), Ok("jbod"));
        assert!(level("", 2).is_err() && level("raid7", 4).is_err() && level("raid55", 4).is_err());
        assert!(level("RAID 5 or RAID 10", 20).is_err() && level("RAID 5/10", 20).is_err());
    }
}
