//! The RAID level as a row calls it.

use super::words::{squash, tokens};

/// The level of `text`: `RAID-10`, `raid 1+0`, `r5`, `JBOD`; a single drive needs none.
///
/// # Errors
/// A sentence's end that says what was not understood.
pub(super) fn level(text: &str, drives: u32) -> Result<&'static str, String> {
    let squashed = squash(text);
    if squashed.is_empty() || squashed.starts_with("single") {
        return match drives {
            1 => Ok("jbod"),
            _ => Err("the RAID level of several drives is not given".to_owned()),
        };
    }
    if ["jbod", "none", "noraid"].iter().any(|word| squashed.starts_with(word)) {
        return Ok("jbod");
    }
    let words = tokens(text);
    let place = words.iter().position(|token| token.number().is_some());
    let number = place.and_then(|place| words[place].number());
    let after = place.and_then(|place| words.get(place + 1));
    let is_striped = ["1+0", "5+0", "6+0"].iter().any(|nested| text.contains(nested));
    let is_level = place.is_some_and(|place| {
        words[..place].iter().all(|token| token.is_any(&["raid", "level", "r"]))
    });
    match (is_level, number.map(|number| number as u32), is_striped) {
        (true, Some(1), false) if after.is_some_and(|token| token.is_any(&["e"])) => Ok("raid1e"),
        (true, Some(10), _) | (true, Some(1), true) => Ok("raid10"),
        (true, Some(50), _) | (true, Some(5), true) => Ok("raid50"),
        (true, Some(60), _) | (true, Some(6), true) => Ok("raid60"),
        (true, Some(0), _) => Ok("raid0"),
        (true, Some(1), false) => Ok("raid1"),
        (true, Some(5), false) => Ok("raid5"),
        (true, Some(6), false) => Ok("raid6"),
        _ => Err(format!("'{text}' is no RAID level that is known here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_understood_however_they_are_written() {
        let check =
            |text: &str, expected: &str| assert_eq!(level(text, 10), Ok(expected), "{text}");
        for text in ["raid10", "RAID-10", "RAID 10", "r10", "raid_1+0", "10", "RAID level 10"] {
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
    }
}
