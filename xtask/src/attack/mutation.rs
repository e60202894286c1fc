//! Changes to text, documents and bytes that were sound. All randomness comes from the seed
//! and the number of the case.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// Values that stand at a limit, beyond it, or steer a terminal, a table or a page.
pub(super) const VALUES: &[&str] = &[
    "0",
    "-1",
    "1",
    "0.0000001",
    "1e308",
    "-1e308",
    "nan",
    "inf",
    "9223372036854775807",
    "18446744073709551616",
    "4294967296",
    "65537",
    "true",
    "[]",
    "{}",
    "\"\"",
    "\"\u{1b}]0;owned\u{7}\"",
    "\"\\u001b[2J\\u202e\"",
    "\"a\u{202e}b\u{9b}31m\"",
    "\"=cmd|'/c calc'!A1\"",
    "\"<script>alert(1)</script>\"",
    "\"../outside/precious\"",
    "\"-1ms\"",
    "\"1e99h\"",
    "\"16EiB\"",
    "\"1..1000000000\"",
    "\"1..2x1\"",
    "\"auto\"",
    "\"p99.99<=0s\"",
    "\"mean<=banana\"",
    "1979-05-27T07:32:00Z",
    "100",
    "101",
    "512",
];

/// Changes text in one to four places.
pub(super) fn text(dice: &mut Dice, sound: &str, other: &str) -> Vec<u8> {
    let mut text = sound.to_owned();
    for _ in 0..=dice.below(4) {
        text = match dice.below(10) {
            0..=3 => value_replaced(dice, &text),
            4..=6 => lines_changed(dice, &text, other),
            _ => letter_changed(dice, &text),
        };
    }
    match dice.chance(15) {
        true => bytes(dice, text.as_bytes()),
        false => text.into_bytes(),
    }
}

/// Puts one of [`VALUES`] behind an equals sign.
fn value_replaced(dice: &mut Dice, text: &str) -> String {
    let places: Vec<usize> = text.match_indices(" = ").map(|(at, sign)| at + sign.len()).collect();
    if places.is_empty() {
        return letter_changed(dice, text);
    }
    let start = places[dice.below(places.len())];
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    format!("{}{}{}", &text[..start], dice.pick(VALUES), &text[end..])
}

/// Removes, doubles, moves or brings in a line.
fn lines_changed(dice: &mut Dice, text: &str, other: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let foreign: Vec<&str> = other.lines().collect();
    if lines.is_empty() || foreign.is_empty() {
        return other.to_owned();
    }
    let (one, next) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(5) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(next, lines[one]),
        2 => lines.swap(one, next),
        3 => lines.truncate(one),
        _ => lines.insert(one, foreign[dice.below(foreign.len())]),
    }
    lines.join("\n") + "\n"
}

/// Removes a letter, or puts one in that means something to a reader or a terminal.
fn letter_changed(dice: &mut Dice, text: &str) -> String {
    const LETTERS: &[&str] = &[
        "\"", "'", "[", "]", "{", "}", "=", "#", "\\", "\0", "\r", "\u{1b}", "\u{202e}", "\u{85}",
        "-", "9", "e", ".", ",", "😀", "\u{feff}", "%", "\n", " ",
    ];
    let mut at = dice.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let (before, after) = text.split_at(at);
    let rest = match dice.chance(50) {
        true => after,
        false => after.chars().next().map_or("", |letter| &after[letter.len_utf8()..]),
    };
    let put = if dice.chance(70) { dice.pick(LETTERS) } else { "" };
    format!("{before}{put}{rest}")
}

/// Changes values of a document in one to three places, seldom its bytes.
pub(super) fn document(dice: &mut Dice, sound: &Value) -> Vec<u8> {
    let mut document = sound.clone();
    for _ in 0..=dice.below(3) {
        let mut path = Vec::new();
        walk(dice, &document, &mut path);
        if let Some(place) = document.pointer_mut(&path.concat()) {
            change(dice, place);
        }
    }
    let text = document.to_string().into_bytes();
    if dice.chance(10) { bytes(dice, &text) } else { text }
}

/// Goes down to some value.
fn walk(dice: &mut Dice, value: &Value, path: &mut Vec<String>) {
    let (step, next) = match value {
        Value::Object(map) if !map.is_empty() => {
            let at = dice.below(map.len());
            let Some((key, next)) = map.iter().nth(at) else { return };
            (key.replace('~', "~0").replace('/', "~1"), next)
        }
        Value::Array(list) if !list.is_empty() => {
            let at = dice.below(list.len());
            (at.to_string(), &list[at])
        }
        _ => return,
    };
    if path.len() < 2 || !dice.chance(8) {
        path.push(format!("/{step}"));
        walk(dice, next, path);
    }
}

/// Changes a value into another, mostly of its kind.
fn change(dice: &mut Dice, place: &mut Value) {
    match place {
        Value::Array(list) if !list.is_empty() && dice.chance(60) => {
            let at = dice.below(list.len());
            match dice.chance(50) {
                true => drop(list.remove(at)),
                false => list.push(list[at].clone()),
            }
        }
        Value::Object(map) if !map.is_empty() && dice.chance(60) => {
            let at = dice.below(map.len());
            if let Some(key) = map.keys().nth(at).cloned() {
                let value = map.remove(&key).unwrap_or_default();
                if dice.chance(50) {
                    map.insert(format!("{key}{}", dice.pick(&["", "\u{1b}[31m", "x"])), value);
                }
            }
        }
        Value::Number(number) if dice.chance(60) => {
            let factor = [-1.0, 0.0, 0.5, 2.0, 1e6, 1e300][dice.below(6)];
            *place = Value::from(number.as_f64().unwrap_or_default() * factor);
        }
        Value::String(text) if dice.chance(40) => {
            *text = String::from_utf8_lossy(letter_changed(dice, text).as_bytes()).into_owned();
        }
        other => {
            let value = dice.pick(VALUES);
            let read = serde_json::from_str(value);
            *other = read.unwrap_or_else(|_| Value::from(value.trim_matches('"')));
        }
    }
}

/// Changes bytes in one to eight places.
pub(super) fn bytes(dice: &mut Dice, sound: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for _ in 0..=dice.below(8) {
        // Half of the places lie in the first kilobyte, where headers are.
        let end = if dice.chance(50) { bytes.len().min(1024) } else { bytes.len() };
        let (at, length) = (dice.below(end), 1 + dice.below(64));
        let stretch = at..(at + length).min(bytes.len());
        match dice.below(40) {
            0 => bytes.truncate(at),
            1 => bytes.extend_from_within(stretch),
            2..=5 => bytes[stretch].fill(0),
            6..=9 => bytes[stretch].fill(0xff),
            10..=13 => drop(bytes.splice(stretch, [])),
            14..=20 => {
                let from = dice.below(bytes.len().saturating_sub(length));
                let end = (from + stretch.len()).min(bytes.len());
                bytes.copy_within(from..end, at);
            }
            _ => {
                let letter = dice.any().to_le_bytes()[0];
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = letter;
                }
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Draws what a case is made of.
#[derive(Debug)]
pub(super) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// Dice of one case; neighbours have nothing in common.
    pub(super) fn new(seed: u64, case: u64) -> Self {
        let mut outer = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self(Xoshiro256PlusPlus::seed_from_u64(outer.next_u64().wrapping_add(case)))
    }

    /// Any number.
    pub(super) fn any(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.any() % end).unwrap_or(0)
    }

    /// True in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_dice_change_alike_and_nothing_panics() {
        let sound = "name = \"ü\"\n[[line]]\nshare = 100\nsize = \"8KiB\"\n";
        let tree: Value = serde_json::json!({"points": [{"a/b": 1.5}, {"c~": "ü"}], "none": null});
        let mut differ = 0;
        for case in 0..3000 {
            let once = text(&mut Dice::new(1, case), sound, "x = 1\n");
            assert_eq!(once, text(&mut Dice::new(1, case), sound, "x = 1\n"));
            differ += usize::from(once != sound.as_bytes());
            document(&mut Dice::new(1, case), &tree);
            bytes(&mut Dice::new(1, case), &[7; 3000]);
            bytes(&mut Dice::new(1, case), &[]);
            text(&mut Dice::new(1, case), "", "");
        }
        assert!(differ > 2800, "{differ} of 3000 differ");
    }

    #[test]
    fn a_case_is_drawn_from_seed_and_number_alone() {
        let draw = |seed, case| {
            let mut dice = Dice::new(seed, case);
            [dice.any(), dice.any()]
        };
        assert_eq!(draw(1, 7), draw(1, 7));
        assert_ne!(draw(1, 7), draw(1, 8));
        assert_ne!(draw(1, 7), draw(2, 7));
        assert!((0..100).all(|case| Dice::new(1, case).below(3) < 3));
        assert_eq!(Dice::new(1, 1).below(0), 0);
    }
}
